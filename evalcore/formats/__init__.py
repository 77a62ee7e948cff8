"""The registry of formats: recognise a file, check it, or look a format up by id.

Adding a format is one module or package beside this one and one line in ``MODULES``; it holds a
``FORMAT``. Other distributions add theirs through the entry point group ``evaldesk.formats``.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import FormatError, Problem
from evalcore.formats.base import Alone, Detection, Format, Surroundings
from evalcore.formats.repeats import folded

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument
    from evalcore.jsontree import JsonValue

MODULES = ("uipath_coded", "uipath_lowcode", "adk", "harnest", "tenxgraph")
ENTRY_POINT_GROUP = "evaldesk.formats"


@cache
def built_in() -> tuple[Format, ...]:
    """Return the formats of this package, in the order in which they are shown."""
    return tuple(_load(f"{__name__}.{name}", "FORMAT") for name in MODULES)


@cache
def plugged_in() -> tuple[Format, ...]:
    """Return the formats that other installed distributions offer.

    Raises FormatError if one cannot be loaded or takes an id that is already used.
    """
    from importlib.metadata import entry_points

    found: list[Format] = []
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda p: p.name):
        plugin = _load(point.module, point.attr or "FORMAT")
        if any(plugin.id == other.id for other in (*built_in(), *found)):
            raise FormatError(
                f"Two formats are called {plugin.id!r}; the second is {point.value}",
                hint="Uninstall one of them, or give it another id.",
            )
        found.append(plugin)
    return tuple(found)


def by_id(format_id: str) -> Format:
    """Return a format; raises FormatError, listing the known ids, if there is none of that name."""
    for group in (built_in, plugged_in):
        for candidate in group():
            if candidate.id == format_id:
                return candidate
    known = ", ".join(f.id for f in (*built_in(), *plugged_in()))
    raise FormatError(f"Unknown format {format_id!r}", hint=f"Known formats: {known}.")


def detect(value: JsonValue, path: PurePath) -> Detection | None:
    """Return which format a parsed file is, None for JSON that no format knows.

    A sure answer wins; among several that are only possible, the first format in order wins.
    Raises FormatError if two formats are sure, which is a fault of the formats.
    """
    for group in (built_in, plugged_in):
        answers = [a for f in group() if (a := f.detect(value, path)) is not None]
        sure = [a for a in answers if a.confidence == "sure"]
        if len(sure) > 1:
            claims = "; ".join(f"{a.format_id}: {a.reason}" for a in sure)
            raise FormatError(f"{path}: two formats are sure of this file ({claims})")
        if answers:
            return sure[0] if sure else answers[0]
    return None


def check_document(
    document: JsonDocument,
    detection: Detection | None,
    path: PurePath,
    near: Surroundings | None = None,
    more: Iterable[Problem] = (),
) -> list[Problem]:
    """Return every problem of a document with its place filled in, worst first, then by line.

    An info that holds in several places is one, at the first of them. A file of no known format
    has only the problems of its JSON. ``more`` are problems found by others, to be listed too.
    """
    found = [*found_in(document, detection, path, near), *more]
    placed = [_placed(problem, document, path) for problem in found]
    order = ("error", "warning", "info")
    placed.sort(key=lambda p: (order.index(p.severity), p.line or 0, p.column or 0))
    return folded(placed)


def found_in(
    document: JsonDocument,
    detection: Detection | None,
    path: PurePath,
    near: Surroundings | None = None,
) -> Iterable[Problem]:
    """Yield what ``check_document`` finds, as it is found: without lines, repeats and all."""
    if detection is None:
        return document.problems
    return by_id(detection.format_id).check(document, detection, path, near or Alone())


def _placed(problem: Problem, document: JsonDocument, path: PurePath) -> Problem:
    if problem.line is not None:
        return problem.at(path=str(path))
    line, column = document.position(problem.pointer)
    return problem.at(path=str(path), line=line, column=column)


def _load(module: str, attribute: str) -> Format:
    try:
        loaded = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise FormatError(f"The format {module!r} cannot be loaded: {error}") from error
    if not isinstance(loaded, Format):
        raise FormatError(f"{module}.{attribute} is a {type(loaded).__name__}, not a Format")
    return loaded
