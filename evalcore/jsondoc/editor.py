"""Compares two values and rewrites only the spans of the document in which they differ."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, cast

from evalcore.errors import EvaldeskError
from evalcore.jsondoc.align import align, longest_increasing
from evalcore.jsondoc.layout import (
    Layout,
    NewChild,
    Splice,
    Spot,
    apply,
    is_one_line_container,
)
from evalcore.jsondoc.lines import LineIndex
from evalcore.jsondoc.members import origins
from evalcore.jsondoc.printer import Style, TooDeep, print_string, print_value
from evalcore.jsondoc.spans import Child, Container, SpanIndex
from evalcore.jsondoc.strings import edit_string
from evalcore.jsondoc.tokens import MAX_DEPTH
from evalcore.jsontree import JsonArray, JsonObject, JsonValue, same


class Change(NamedTuple):
    """A value to rewrite: its text, what it is and what it shall be.

    ``depth`` counts the containers around it; ``multiline`` says whether they have several lines.
    """

    start: int
    end: int
    old: JsonValue
    new: JsonValue
    depth: int
    multiline: bool


class Editor:
    """Writes values into one document."""

    def __init__(
        self, index: SpanIndex, lines: LineIndex, style: Style, id_keys: Sequence[str]
    ) -> None:
        self._index = index
        self._data = index.data
        self._lines = lines
        self._style = style
        self._id_keys = id_keys

    def splices(self, change: Change) -> list[Splice]:
        """Return what to replace in the document for a change, in no particular order."""
        splices: list[Splice] = []
        # A list of work instead of recursion: documents nest deep, and callers' stacks vary.
        changes = [change]
        while changes:
            change = changes.pop()
            old, new = change.old, change.new
            if same(old, new):
                continue
            if isinstance(old, dict) and isinstance(new, dict):
                splices += self._edit_object(change, old, new, changes)
            elif isinstance(old, list) and isinstance(new, list):
                splices += self._edit_array(change, old, new, changes)
            elif isinstance(old, str) and isinstance(new, str):
                splices.append(self._edit_string(change.start, change.end, old, new))
            else:
                splices.append(self._replace(change))
        return splices

    def _edit_string(self, start: int, end: int, old: str, new: str) -> Splice:
        edit = edit_string(
            self._data[start:end], old, new, escapes_non_ascii=self._style.escapes_non_ascii
        )
        return Splice(start + edit.start, start + edit.end, edit.text)

    def _replace(self, change: Change) -> Splice:
        stays_on_line = is_one_line_container(self._data, change.start, change.end)
        spreads = change.multiline and not stays_on_line
        indent = self._lines.indent(change.start) if spreads else None
        text = self._print(change.new, indent, change.depth)
        return Splice(change.start, change.end, text)

    def _edit_object(
        self, change: Change, old: JsonObject, new: JsonObject, changes: list[Change]
    ) -> Iterator[Splice]:
        container = self._index.container(change.start)
        layout = self._layout(container, change.multiline)
        sources = [
            (key, container.occurrences(source) if source is not None else [])
            for key, source in origins(old, new).items()
        ]
        stays = longest_increasing([numbers[0] if numbers else None for _, numbers in sources])
        plan = _Plan()
        for position, (key, numbers) in enumerate(sources):
            if not numbers:
                plan.insert(partial(self._new_member, key, new[key], change.depth))
                continue
            members = [container.child(number) for number in numbers]
            old_key = cast(str, members[-1].key)
            inner = _inner(change, members[-1], old[old_key], new[key], layout.multiline)
            if position in stays:
                plan.keep(numbers)
                changes.append(inner)
                for member in members:
                    yield from self._rename(member, key)
            else:
                for member in members:
                    edits = self.splices(inner) if member is members[-1] else []
                    plan.insert(partial(self._moved, member, [*self._rename(member, key), *edits]))
        yield from layout.weave(plan.entries())

    def _edit_array(
        self, change: Change, old: JsonArray, new: JsonArray, changes: list[Change]
    ) -> Iterator[Splice]:
        container = self._index.container(change.start)
        layout = self._layout(container, change.multiline)
        plan = _Plan()
        for item, match in zip(new, align(old, new, self._id_keys), strict=True):
            if match.source is None:
                plan.insert(partial(self._new_item, item, change.depth))
                continue
            if match.stays:
                plan.keep([match.source])
                if item is old[match.source]:
                    continue
            child = container.child(match.source)
            inner = _inner(change, child, old[match.source], item, layout.multiline)
            if match.stays:
                changes.append(inner)
            else:
                plan.insert(partial(self._moved, child, self.splices(inner)))
        yield from layout.weave(plan.entries())

    def _layout(self, container: Container, multiline: bool) -> Layout:
        return Layout(self._data, container, self._style, self._lines.indent, multiline)

    def _rename(self, member: Child, key: str) -> list[Splice]:
        if member.key == key:
            return []
        return [Splice(member.start, member.key_end, self._print_key(key))]

    def _moved(self, child: Child, splices: list[Splice], _spot: Spot) -> bytes:
        return apply(self._data, child.start, child.end, splices)

    def _new_item(self, value: JsonValue, depth: int, spot: Spot) -> bytes:
        return self._print(value, spot.indent, depth + 1)

    def _new_member(self, key: str, value: JsonValue, depth: int, spot: Spot) -> bytes:
        return self._print_key(key) + spot.colon + self._print(value, spot.indent, depth + 1)

    def _print_key(self, key: str) -> bytes:
        return print_string(key, self._style.escapes_non_ascii).encode()

    def _print(self, value: JsonValue, indent: str | None, depth: int) -> bytes:
        try:
            return print_value(value, self._style, indent, MAX_DEPTH - depth).encode()
        except TooDeep:
            raise EvaldeskError(
                f"The new value would nest more than {MAX_DEPTH} levels deep.",
                hint="Store it as text, or in a file of its own.",
            ) from None


class _Plan:
    """Collects what an edited container holds: children that stay, and others between them."""

    def __init__(self) -> None:
        self._before: dict[int, list[NewChild]] = {}
        self._waiting: list[NewChild] = []
        self._stays: set[int] = set()

    def insert(self, child: NewChild) -> None:
        """Add a child after those added so far."""
        self._waiting.append(child)

    def keep(self, numbers: Sequence[int]) -> None:
        """Add a child that stays, with all places that repeat its key; the first one counts."""
        if self._waiting:
            self._before[numbers[0]] = self._waiting
            self._waiting = []
        self._stays.update(numbers)

    def entries(self) -> list[int | NewChild]:
        """Return everything in the order of the text."""
        entries: list[int | NewChild] = []
        for number in sorted(self._stays):
            entries += self._before.get(number, ())
            entries.append(number)
        return entries + self._waiting


def _inner(outer: Change, child: Child, old: JsonValue, new: JsonValue, multiline: bool) -> Change:
    return Change(child.value, child.end, old, new, outer.depth + 1, multiline)
