"""Checks of UiPath's files: what its loaders refuse, and what they accept and read otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats._uipath.written import written_problems
from evalcore.formats.base import Detection, Kind, Surroundings

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument


def check_file(
    document: JsonDocument, detection: Detection, path: PurePath, near: Surroundings
) -> Iterator[Problem]:
    """Yield every problem of a file of either format."""
    value = document.value
    if detection.kind is Kind.EVAL_SET:
        from evalcore.formats._uipath.set_checks import check_set

        yield from written_problems(document.problems)
        yield from check_set(value, detection, path, near)
    elif detection.kind is Kind.EVALUATOR:
        from evalcore.formats._uipath.evaluator_checks import check_evaluator

        yield from written_problems(document.problems)
        yield from check_evaluator(value, detection, path, near)
    elif detection.kind is Kind.RESULT:
        from evalcore.formats._uipath.result_checks import check_result

        yield from document.problems
        yield from check_result(value)
    else:
        yield from document.problems
