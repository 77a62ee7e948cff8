"""Find and replace in a set: what was found, before and after, and which of it is replaced."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalcore.bulk import Hit, Search, Texts, find, replace_hits
from evalcore.bulk.finding import occurrences
from evalcore.changes.model import Line
from evalcore.changes.words import Said, excerpt, line_words
from evalcore.errors import FormatError
from evalcore.jsontree import JsonValue
from evalcore.views.words import first_words, plural

if TYPE_CHECKING:
    from evalcore.views.sheet import Sheet


@dataclass(frozen=True, slots=True)
class HitRow:
    """One field in which a text was found. ``key`` names it while the set stays as it is."""

    key: str
    case: str
    title: str
    where: str
    pieces: tuple[Said, ...]
    more: int
    """How often the text occurs beyond the first text that is shown."""


@dataclass(slots=True)
class Found:
    """What one search found in one state of a set."""

    tree: JsonValue
    search: Search
    replacement: str
    hits: list[Hit]
    keys: list[str]

    def chosen(self, left_out: Collection[str]) -> list[Hit]:
        """Return the hits that are replaced."""
        return [h for h, key in zip(self.hits, self.keys, strict=True) if key not in left_out]


class Seeker:
    """Finds in one set; searching for more of the same text costs little."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self._texts = Texts(sheet.lens)
        self._last: tuple[object, Found] | None = None

    def find(self, search: Search, replacement: str, cases: Collection[str] | None = None) -> Found:
        """Return what is found in some cases, by default in all.

        Raises FormatError for a pattern or a replacement that is none.
        """
        sheet = self.sheet
        tree, names = sheet.tree, sheet.names()
        wanted = None if cases is None else tuple(sheet.indexes_of(cases))
        asked = (search, replacement, wanted)
        if self._last is not None and self._last[0] == asked and self._last[1].tree is tree:
            return self._last[1]
        hits = find(sheet.lens, tree, search, replacement, wanted, self._texts)
        keys = [f"{names[h.index]} {h.turn} {h.level} {h.field.name}" for h in hits]
        found = Found(tree, search, replacement, hits, keys)
        self._last = (asked, found)
        return found

    def replace(self, found: Found, left_out: Collection[str] = ()) -> int:
        """Replace what was found and not left out, as one step; returns how often.

        Raises FormatError if the set has changed since.
        """
        hits = found.chosen(left_out)

        def change(tree: JsonValue) -> JsonValue:
            if tree is not found.tree:
                raise FormatError(
                    "The set has changed meanwhile", hint="Look at what is found now."
                )
            return replace_hits(self.sheet.lens, tree, found.search, found.replacement, hits)

        count = times(hits)
        self.sheet.edit(change, _label(found, count))
        return count

    def row(self, found: Found, at: int) -> HitRow:
        """Return one line of the list of what was found."""
        hit = found.hits[at]
        name = self.sheet.name_at(hit.index)
        turn = "" if hit.turn is None else f"turn {hit.turn + 1}: "
        shown = occurrences(found.search, hit.before)
        return HitRow(
            found.keys[at],
            name,
            self.sheet.title(name),
            turn + (hit.field.label.lower() if turn else hit.field.label),
            _pieces(hit),
            hit.count - shown,
        )


def times(hits: Sequence[Hit]) -> int:
    """Return how often the text occurs in some hits."""
    return sum(hit.count for hit in hits)


def found_words(hits: Sequence[Hit]) -> str:
    """Return how much was found: how often, in how many fields of how many cases."""
    cases = len({hit.index for hit in hits})
    often = plural(times(hits), "time")
    return f"{often} in {plural(len(hits), 'field')} of {plural(cases, 'case')}"


def deletes(found: Found) -> bool:
    """Return whether what is found is taken out, as nothing is put in its place."""
    return bool(found.search.text) and not found.replacement


def button_words(found: Found, count: int) -> str:
    """Return what the button does; a text that is taken out is named, lest cases seem meant."""
    if not deletes(found):
        return f"Replace {count:,}" if count else "Replace"
    what = f"Take “{first_words(found.search.text, 20)}” out of the texts"
    return f"{what}, {plural(count, 'time')}" if count else what


def _pieces(hit: Hit) -> tuple[Said, ...]:
    if hit.before == hit.after:
        return (Said("words", "stays as it is"),)
    found = excerpt(hit.before, hit.after) if hit.after else None
    return found or line_words(Line((), "changed", hit.before, hit.after))


def _label(found: Found, count: int) -> str:
    what = f"“{first_words(found.search.text, 30)}”"
    if not found.replacement:
        return f"Delete {what} {plural(count, 'time')}"
    return f"Replace {what} by “{first_words(found.replacement, 30)}” {plural(count, 'time')}"
