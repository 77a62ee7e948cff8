"""The list of cases of one set: found by text, tag and state, and cut into pages.

A set may hold 100,000 cases: only the cases of the shown page are read through the lenses, and
what a search found is kept until the search or the cases change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from evalcore.jsontree import MISSING, JsonValue, Missing, get
from evalcore.views.values import plain
from evalcore.views.words import first_words

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

PAGE_SIZE = 100
SENTENCE_WORDS = 4
"""Words from which a text is what somebody says, and no name of a thing."""
Sort = Literal["file", "name", "turns", "problems"]
SORTS: dict[Sort, str] = {
    "file": "Order of the file",
    "name": "Name",
    "turns": "Most turns first",
    "problems": "Problems first",
}


@dataclass(frozen=True, slots=True)
class CaseFilter:
    """Which cases are shown; the empty filter shows all."""

    text: str = ""
    tags: tuple[str, ...] = ()
    with_problems: bool = False
    changed: bool = False

    @property
    def is_on(self) -> bool:
        """Return whether anything is filtered."""
        return self != CaseFilter()


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One line of the list. ``index`` counts from 0 in the file."""

    index: int
    title: str
    words: str
    turns: int
    tags: tuple[str, ...]
    is_opaque: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the cases found. ``first`` counts from 1 and is 0 on an empty page."""

    indexes: tuple[int, ...]
    number: int
    pages: int
    found: int
    first: int
    last: int


class CaseFinder:
    """Finds cases, and remembers for each case object whether it matched the last text.

    After an edit only the cases that changed are searched again.
    """

    def __init__(self, lens: EvalSetLens) -> None:
        self.lens = lens
        self._text = ""
        self._cases: Sequence[JsonValue] = ()
        self._hits: list[bool] = []
        self._titles: tuple[Sequence[JsonValue], list[str]] = ((), [])

    def find(
        self,
        cases: Sequence[JsonValue],
        wanted: CaseFilter,
        with_problems: Callable[[int], bool],
        is_changed: Callable[[int], bool],
    ) -> list[int]:
        """Return the indexes of the cases that a filter lets through, in order."""
        hits = self._matches(cases, wanted.text.casefold().strip())
        tags = set(wanted.tags)
        return [
            index
            for index, case in enumerate(cases)
            if (hits is None or hits[index])
            and (not wanted.with_problems or with_problems(index))
            and (not wanted.changed or is_changed(index))
            and (not tags or tags <= set(tags_of(self.lens, case)))
        ]

    def sort(
        self,
        cases: Sequence[JsonValue],
        indexes: list[int],
        by: Sort,
        problems_of: Callable[[int], int],
    ) -> list[int]:
        """Return indexes in another order; those that are equal keep the order of the file."""
        if by == "name":
            titles = self._titles_of(cases)
            return sorted(indexes, key=lambda i: titles[i])
        if by == "turns":
            return sorted(indexes, key=lambda i: -turn_count(self.lens, cases[i]))
        if by == "problems":
            return sorted(indexes, key=lambda i: -problems_of(i))
        return indexes

    def _titles_of(self, cases: Sequence[JsonValue]) -> list[str]:
        if self._titles[0] is not cases:
            titles = [case_title(self.lens, raw, i).casefold() for i, raw in enumerate(cases)]
            self._titles = (cases, titles)
        return self._titles[1]

    def _matches(self, cases: Sequence[JsonValue], needle: str) -> list[bool] | None:
        if not needle:
            return None
        if needle != self._text:
            self._text, self._cases, self._hits = needle, (), []
        known = dict(zip(map(id, self._cases), self._hits, strict=True))
        hits = [
            found if (found := known.get(id(case))) is not None else holds_text(case, needle)
            for case in cases
        ]
        self._cases, self._hits = cases, hits
        return hits


def holds_text(value: JsonValue, needle: str) -> bool:
    """Return whether a text anywhere in a value contains ``needle``, which is casefolded."""
    if isinstance(value, str):
        return needle in value.casefold()
    if isinstance(value, dict):
        return any(holds_text(item, needle) for item in value.values())
    if isinstance(value, list):
        return any(holds_text(item, needle) for item in value)
    return False


def page_of(indexes: Sequence[int], number: int, size: int = PAGE_SIZE) -> Page:
    """Return a page of the found cases; a number out of range gives the nearest page."""
    pages = max(1, -(-len(indexes) // size))
    number = min(max(1, number), pages)
    start = (number - 1) * size
    shown = tuple(indexes[start : start + size])
    first = start + 1 if shown else 0
    return Page(shown, number, pages, len(indexes), first, start + len(shown))


def row_of(lens: EvalSetLens, raw: JsonValue, index: int) -> CaseRow:
    """Return the line of one case."""
    case = lens.read_case(raw, "")
    title = case_title(lens, raw, index)
    if case.opaque:
        return CaseRow(index, title, "has a shape of its own", 0, (), is_opaque=True)
    first: JsonValue | Missing = case.invocations[0].input if case.invocations else MISSING
    if first in (MISSING, None, "") and case.scenario is not None:
        first = case.scenario.starting_prompt
    name = case.name if case.name and case.name != title else ""
    words = " · ".join(filter(None, (name, summary(first))))
    return CaseRow(index, title, first_words(words), len(case.invocations), case.tags)


def summary(value: JsonValue | Missing) -> str:
    """Return an input for one line: a text as it is, of an object what people know it by.

    That is its first text of several words; without one, its names and values.
    """
    if value is MISSING or value is None:
        return ""
    if isinstance(value, dict):
        texts = (item for item in value.values() if isinstance(item, str))
        sentence = next((text for text in texts if len(text.split()) >= SENTENCE_WORDS), None)
        if sentence is not None:
            return plain(sentence)
        return ", ".join(f"{name}: {_inside(item)}" for name, item in list(value.items())[:8])
    return plain(value)


def _inside(value: JsonValue) -> str:
    """Return a value inside an object, its own lists and objects without their punctuation."""
    if isinstance(value, list):
        return " ".join(map(_inside, value[:4])) + ("…" if len(value) > 4 else "")
    if isinstance(value, dict):
        return " ".join(f"{name} {_inside(item)}" for name, item in list(value.items())[:4])
    return "nothing" if value is None else plain(value)


def case_title(lens: EvalSetLens, raw: JsonValue, index: int) -> str:
    """Return what a case is called on the page: its label, or its number where it has none."""
    return lens.case_label(raw) or f"case {index + 1} (no name)"


def turn_count(lens: EvalSetLens, raw: JsonValue) -> int:
    """Return how many turns a case has; 1 where it is its own turn."""
    inside = lens.invocations_pointer(raw)
    turns = get(raw, inside) if inside else [None]
    return len(turns) if isinstance(turns, list) else 0


def tags_of(lens: EvalSetLens, raw: JsonValue) -> tuple[str, ...]:
    """Return a case's tags, () where its format has none."""
    found = next((f.lens.get(raw) for f in lens.case_fields if f.name == "tags"), MISSING)
    return tuple(t for t in found if isinstance(t, str)) if isinstance(found, list) else ()


def all_tags(lens: EvalSetLens, cases: Sequence[JsonValue], limit: int = 5000) -> tuple[str, ...]:
    """Return the tags used in a set, sorted; of a large set those of its first cases."""
    if not any(f.name == "tags" for f in lens.case_fields):
        return ()
    return tuple(sorted({tag for raw in cases[:limit] for tag in tags_of(lens, raw)}))
