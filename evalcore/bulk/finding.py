"""Finding a text in the fields of cases, and replacing it there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import regex

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, get
from evalcore.model import Model

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens, Level
    from evalcore.formats.lenses import Field
    from evalcore.jsontree import JsonValue

TIMEOUT_S = 2.0
"""How long a pattern may be searched for in one text."""


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


def find(
    lens: EvalSetLens,
    tree: JsonValue,
    search: Search,
    replacement: str = "",
    indexes: Collection[int] | None = None,
) -> list[Hit]:
    """Return every field of the cases in which a text occurs, in their order.

    Names of arguments and inputs are not looked at, nor are ids and what a system writes itself.
    Raises FormatError for a pattern or a replacement that is none, or one that takes too long.
    """
    if not search.text:
        return []
    replace = _replacer(search, replacement)
    hits = []
    pointers = lens.case_pointers(tree)
    wanted = range(len(pointers)) if indexes is None else sorted(indexes)
    for index in wanted:
        for turn, level, place in _places(lens, tree, pointers[index]):
            for field in _fields(lens, level, search, place):
                hit = _hit(get(tree, place), index, turn, level, field, place, replace)
                if hit is not None:
                    hits.append(hit)
    return hits


def replace_hits(
    lens: EvalSetLens, tree: JsonValue, search: Search, replacement: str, hits: Sequence[Hit]
) -> JsonValue:
    """Return the tree with the text replaced in the fields that were found."""
    replace = _replacer(search, replacement)
    for hit in hits:
        raw = get(tree, hit.pointer)
        if not isinstance(raw, dict):
            raise FormatError("The set has changed meanwhile", hint="Search again.")
        value = mapped(hit.field.lens.get(raw), lambda text: replace(text)[0])
        tree = lens.put_field(tree, hit.pointer, hit.level, hit.field.name, value)
    return tree


def mapped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a value with every text in it changed; names of members stay."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, tuple):
        return tuple(mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {name: mapped(item, change) for name, item in value.items()}
    if isinstance(value, Model):
        held = {n: getattr(value, n) for n in type(value).model_fields if n not in ("origin", "id")}
        new = {name: mapped(item, change) for name, item in held.items()}
        return value.model_copy(update={n: v for n, v in new.items() if v is not held[n]})
    return value


def _hit(
    raw: Any,
    index: int,
    turn: int | None,
    level: Level,
    field: Field,
    place: str,
    replace: Callable[[str], tuple[str, int]],
) -> Hit | None:
    seen: list[tuple[str, str, int]] = []

    def note(text: str) -> str:
        new, count = replace(text)
        if count:
            seen.append((text, new, count))
        return new

    value = field.lens.get(raw) if isinstance(raw, dict) else MISSING
    if value is not MISSING:
        mapped(value, note)
    if not seen:
        return None
    before, after, _count = seen[0]
    return Hit(index, turn, level, field, place, sum(s[2] for s in seen), before, after)


def _places(
    lens: EvalSetLens, tree: JsonValue, pointer: str
) -> Iterator[tuple[int | None, Level, str]]:
    yield None, "case", pointer
    for number, place in enumerate(lens.invocation_pointers(tree, pointer)):
        yield (number if lens.has_turns else None), "invocation", place


def _fields(lens: EvalSetLens, level: Level, search: Search, _place: str) -> Iterator[Field]:
    own = {lens.label_field, "id", "invocation_id"}
    shared = {f.name for f in lens.case_fields} if level == "invocation" else set()
    for field in lens.fields(level):
        skipped = (
            field.read_only or field.name in own or (not lens.has_turns and field.name in shared)
        )
        if not skipped and (search.fields is None or field.name in search.fields):
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
