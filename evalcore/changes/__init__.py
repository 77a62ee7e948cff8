"""What changed between two versions of a file, in words, per case and field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.changes.model import CaseDiff, Differences, FieldChange, Line, Where
from evalcore.changes.report import as_data, as_markdown, as_text, counts
from evalcore.changes.sets import case_diff, rest_of, set_differences
from evalcore.changes.values import value_lines
from evalcore.errors import FormatError
from evalcore.formats.base import Kind

if TYPE_CHECKING:
    from evalcore.formats.base import Detection
    from evalcore.workspace import OpenFile

__all__ = [
    "CaseDiff",
    "Differences",
    "FieldChange",
    "Line",
    "Where",
    "as_data",
    "as_markdown",
    "as_text",
    "case_diff",
    "compare",
    "counts",
    "require_alike",
    "set_differences",
    "value_differences",
    "value_lines",
]

KINDS = {
    Kind.EVAL_SET: "an eval set",
    Kind.EVALUATOR: "an evaluator",
    Kind.CRITERIA: "a criteria file",
    Kind.RESULT: "a result file",
    Kind.PROJECT: "a project file",
}


def compare(old: OpenFile, new: OpenFile) -> Differences:
    """Return how two versions of a file, or two files of one kind, differ.

    Eval sets are compared by their fields, all other files by their keys. Raises FormatError for
    files of different formats, kinds or shapes, which have no fields in common.
    """
    require_alike(old, new)
    b = new.detection
    if b is None or new.format is None or b.kind is not Kind.EVAL_SET:
        return value_differences(old, new)
    return set_differences(old.document.value, new.document.value, new.format.lens_for(b))


def require_alike(old: OpenFile, new: OpenFile) -> None:
    """Raise FormatError for files of different formats, kinds or shapes."""
    if _shape(old.detection) == _shape(new.detection):
        return
    names = repr(old.path), repr(new.path)
    if names[0] == names[1]:
        names = "The older version", "the newer one"
    raise FormatError(
        f"{names[0]} is {_kind_words(old)} and {names[1]} is {_kind_words(new)}",
        hint="Compare two files of one format; convert one of them first.",
    )


def value_differences(old: OpenFile, new: OpenFile) -> Differences:
    """Return how two files differ by their keys."""
    lines = value_lines(old.document.value, new.document.value, ())
    return Differences(around=rest_of("set", "", lines), is_set=False)


def _shape(found: Detection | None) -> tuple[str, str, str] | None:
    return (found.format_id, found.kind, found.variant) if found else None


def _kind_words(opened: OpenFile) -> str:
    if opened.detection is None or opened.format is None:
        return "no file of a known format"
    shape = f" in an old shape ({opened.detection.variant})" if opened.detection.variant else ""
    return f"{KINDS[opened.detection.kind]} of {opened.format.label}{shape}"
