"""Every problem of one file: those that its format knows, and those of any file of cases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import SEVERITIES, Problem
from evalcore.formats import check_document, found_in
from evalcore.formats.base import Detection, Kind, Surroundings
from evalcore.formats.repeats import folded
from evalcore.lint.cross import problems_across

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument

_TEXTS = (Kind.EVAL_SET, Kind.EVALUATOR, Kind.CRITERIA)


def lint_document(
    document: JsonDocument,
    detection: Detection | None,
    path: PurePath,
    near: Surroundings | None = None,
) -> list[Problem]:
    """Return every problem of a document with its place filled in, worst first, then by line."""
    return check_document(document, detection, path, near, _across(document, detection, True))


def lint_quickly(
    document: JsonDocument,
    detection: Detection | None,
    path: PurePath,
    near: Surroundings | None = None,
    *,
    similar: bool = True,
) -> list[Problem]:
    """Return every problem worst first, in the order of the file, without lines and columns.

    Looking up the lines of many problems takes longer than finding them. ``similar`` also looks for
    cases that are nearly the same, which takes about a second where there are thousands.
    """
    found = [*found_in(document, detection, path, near), *_across(document, detection, similar)]
    return sorted(folded(found), key=lambda problem: SEVERITIES.index(problem.severity))


def _across(
    document: JsonDocument, detection: Detection | None, similar: bool
) -> Iterator[Problem]:
    if detection is not None and detection.kind in _TEXTS:
        yield from problems_across(document.value, detection, similar=similar)
