"""Finding a text in the fields of cases, and replacing it there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import regex

from evalcore.bulk.each import change_each
from evalcore.errors import FormatError
from evalcore.formats.lenses import Editor
from evalcore.jsontree import MISSING, get
from evalcore.model import Model

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens, Level
    from evalcore.formats.lenses import Field
    from evalcore.jsontree import JsonValue

TIMEOUT_S = 2.0
"""How long a pattern may be searched for in one text."""
NO_TEXTS = frozenset({Editor.NUMBER, Editor.FLAG, Editor.CHOICE})
"""Editors of values in which no text can be replaced: what they hold is chosen, not written."""
ROLES = frozenset({"input_role", "expected_output_role"})
"""Fields of plain text that hold a word of the system's own all the same."""
SYSTEM_WORDS = frozenset({"type", "role", "_target_"})
"""Members that hold such a word in mocks and in messages; elsewhere they are anybody's."""
_MESSAGES = frozenset({"conversational_input", "conversational_output", "intermediate_responses"})
_OWN = frozenset({"origin", "id", "type"})
CHANGED = "The set has changed meanwhile"
AGAIN = "Search again."


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for. ``is_pattern`` takes ``text`` as a regular expression.

    ``whole_words`` finds no part of a longer word. ``fields`` narrows it to fields by name; None
    looks in all that can be edited.
    """

    text: str
    match_case: bool = False
    whole_words: bool = False
    is_pattern: bool = False
    fields: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One field in which the text occurs ``count`` times.

    ``turn`` counts from 0, None for a field of the whole case. ``before`` and ``after`` are the
    first text in it that changes, and what it becomes.
    """

    index: int
    turn: int | None
    level: Level
    field: Field
    pointer: str
    count: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class _Held:
    """The texts of one field; ``inside`` is where its object is, from the case on."""

    turn: int | None
    level: Level
    field: Field
    inside: str
    texts: tuple[str, ...]


class Texts:
    """The texts of a set's cases, kept for each case until it changes.

    Searching again, for a text that is being typed, reads no case twice.
    """

    def __init__(self, lens: EvalSetLens) -> None:
        self.lens = lens
        self._known: dict[int, tuple[JsonValue, tuple[_Held, ...]]] = {}
        self._cases: object = None

    def of(self, tree: JsonValue, index: int, pointer: str) -> tuple[_Held, ...]:
        """Return the texts of the case at an index."""
        cases = self.lens.raw_cases(tree)
        if cases is not self._cases:
            there = set(map(id, cases))
            self._known = {k: v for k, v in self._known.items() if k in there}
            self._cases = cases
        raw = cases[index]
        # The case is kept beside its texts, so that no other object can get its address.
        known = self._known.get(id(raw))
        if known is None or known[0] is not raw:
            known = self._known[id(raw)] = (raw, tuple(_held(self.lens, tree, pointer)))
        return known[1]


def find(
    lens: EvalSetLens,
    tree: JsonValue,
    search: Search,
    replacement: str = "",
    indexes: Collection[int] | None = None,
    texts: Texts | None = None,
) -> list[Hit]:
    """Return every field of the cases in which a text occurs, in their order.

    Names of arguments and inputs are not looked at, nor are ids, roles, types and what a system
    writes itself.
    ``texts`` remembers between searches what the cases say.
    Raises FormatError for a pattern or a replacement that is none, or one that takes too long.
    """
    if not search.text:
        return []
    replace = _replacer(search, replacement)
    known = texts or Texts(lens)
    pointers = lens.case_pointers(tree)
    wanted = range(len(pointers)) if indexes is None else sorted(indexes)
    hits = []
    for index in wanted:
        for held in known.of(tree, index, pointers[index]):
            if search.fields is None or held.field.name in search.fields:
                hit = _hit(held, index, pointers[index], replace)
                if hit is not None:
                    hits.append(hit)
    return hits


def replace_hits(
    lens: EvalSetLens, tree: JsonValue, search: Search, replacement: str, hits: Sequence[Hit]
) -> JsonValue:
    """Return the tree with the text replaced in the fields that were found."""
    replace = _replacer(search, replacement)
    pointers = lens.case_pointers(tree)
    of_case: dict[int, list[Hit]] = {}
    for hit in hits:
        of_case.setdefault(hit.index, []).append(hit)
    if any(index >= len(pointers) for index in of_case):
        raise FormatError(CHANGED, hint=AGAIN)

    def change(small: JsonValue, case: str, index: int) -> JsonValue:
        for hit in of_case[index]:
            place = case + hit.pointer.removeprefix(pointers[index])
            raw = get(small, place)
            if not isinstance(raw, dict):
                raise FormatError(CHANGED, hint=AGAIN)
            replaced = partial(_first, replace)
            value = mapped(hit.field.lens.get(raw), replaced, _fixed(hit.field))
            small = lens.put_field(small, place, hit.level, hit.field.name, value)
        return small

    return change_each(lens, tree, of_case, change)


def occurrences(search: Search, text: str) -> int:
    """Return how often a text occurs in another one."""
    return _replacer(search, "")(text)[1]


def mapped(value: Any, change: Callable[[str], str], fixed: Collection[str] = ()) -> Any:
    """Return a value with every text in it changed; names of members stay.

    So do the texts of members called as one of ``fixed``, and the types of rubrics.
    """
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [mapped(item, change, fixed) for item in value]
    if isinstance(value, tuple):
        return tuple(mapped(item, change, fixed) for item in value)
    if isinstance(value, dict):
        return {
            name: item if name in fixed and isinstance(item, str) else mapped(item, change, fixed)
            for name, item in value.items()
        }
    if isinstance(value, Model):
        held = {n: getattr(value, n) for n in type(value).model_fields if n not in _OWN}
        new = {name: mapped(item, change, fixed) for name, item in held.items()}
        return value.model_copy(update={n: v for n, v in new.items() if v is not held[n]})
    return value


def _fixed(field: Field) -> Collection[str]:
    """Return the members of a field's objects that hold words of the system's own."""
    is_ours = field.group == "mocks" or field.name in _MESSAGES
    return SYSTEM_WORDS if is_ours else ()


def _first(replace: Callable[[str], tuple[str, int]], text: str) -> str:
    return replace(text)[0]


def _hit(
    held: _Held, index: int, pointer: str, replace: Callable[[str], tuple[str, int]]
) -> Hit | None:
    seen: list[tuple[str, str]] = []
    total = 0
    for text in held.texts:
        new, count = replace(text)
        if count:
            total += count
            seen.append((text, new))
    if not seen:
        return None
    before, after = next((pair for pair in seen if pair[0] != pair[1]), seen[0])
    place = pointer + held.inside
    return Hit(index, held.turn, held.level, held.field, place, total, before, after)


def _held(lens: EvalSetLens, tree: JsonValue, pointer: str) -> Iterator[_Held]:
    for turn, level, place in _places(lens, tree, pointer):
        raw = get(tree, place)
        if not isinstance(raw, dict):
            continue
        for field in _searched(lens, level):
            value = field.lens.get(raw)
            texts: list[str] = []
            if value is not MISSING:
                mapped(value, partial(_note, texts), _fixed(field))
            if texts:
                yield _Held(turn, level, field, place.removeprefix(pointer), tuple(texts))


def _note(into: list[str], text: str) -> str:
    into.append(text)
    return text


def _places(
    lens: EvalSetLens, tree: JsonValue, pointer: str
) -> Iterator[tuple[int | None, Level, str]]:
    yield None, "case", pointer
    for number, place in enumerate(lens.invocation_pointers(tree, pointer)):
        yield (number if lens.has_turns else None), "invocation", place


def searched_fields(lens: EvalSetLens) -> tuple[Field, ...]:
    """Return the fields of cases and turns that are looked through, each name once."""
    found = [f for level in _LEVELS for f in _searched(lens, level)]
    return tuple({field.name: field for field in reversed(found)}.values())[::-1]


_LEVELS: tuple[Level, ...] = ("case", "invocation")


def _searched(lens: EvalSetLens, level: Level) -> Iterator[Field]:
    own = {lens.label_field, "id", "invocation_id", *ROLES}
    shared = {f.name for f in lens.case_fields} if level == "invocation" else set()
    for field in lens.fields(level):
        is_twice = not lens.has_turns and field.name in shared
        if not (field.read_only or field.name in own or is_twice or field.editor in NO_TEXTS):
            yield field


def _replacer(search: Search, replacement: str) -> Callable[[str], tuple[str, int]]:
    pattern = _compiled(search)
    plain = not search.is_pattern

    def replace(text: str) -> tuple[str, int]:
        try:
            new, count = pattern.subn(
                (lambda _match: replacement) if plain else replacement, text, timeout=TIMEOUT_S
            )
        except TimeoutError as error:
            raise FormatError(
                f"The pattern {search.text!r} takes too long", hint="Write a simpler pattern."
            ) from error
        except (regex.error, IndexError) as error:
            raise FormatError(
                f"{replacement!r} is no replacement for this pattern: {error}",
                hint=r"Write \1 for the first group in brackets, \\ for a backslash.",
            ) from error
        return new, count

    return replace


@lru_cache(maxsize=32)
def _compiled(search: Search) -> regex.Pattern[str]:
    text = search.text if search.is_pattern else regex.escape(search.text, literal_spaces=True)
    if search.whole_words:
        text = rf"(?<!\w)(?:{text})(?!\w)"
    flags = regex.V1 if search.match_case else regex.V1 | regex.IGNORECASE
    try:
        return regex.compile(text, flags)
    except regex.error as error:
        raise FormatError(
            f"{search.text!r} is no pattern: {error}",
            hint="Correct it, or switch “Pattern” off to look for the text itself.",
        ) from error
