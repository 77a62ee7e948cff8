"""Rules that know nothing of a system: they compare cases, and look for what must not be shared."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.errors import Problem
from evalcore.formats import by_id
from evalcore.formats.base import Detection, Kind
from evalcore.jsontree import JsonValue
from evalcore.lint.cross.leaks import answers_in_inputs
from evalcore.lint.cross.same import same_cases
from evalcore.lint.cross.secrets import secrets_in


def problems_across(
    value: JsonValue, detection: Detection, *, similar: bool = True
) -> Iterator[Problem]:
    """Yield what is found across the cases of a set, and in the texts of any file.

    ``similar`` also looks for cases that are nearly the same.
    """
    if detection.kind is not Kind.EVAL_SET:
        yield from secrets_in(value, ())
        return
    cases = list(by_id(detection.format_id).outlines(value, detection))
    yield from same_cases(cases)
    yield from answers_in_inputs(value, cases)
    if similar and len(cases) > 1:
        from evalcore.lint.cross.similar import similar_cases

        yield from similar_cases(cases)
    yield from secrets_in(value, [case.pointer for case in cases])
