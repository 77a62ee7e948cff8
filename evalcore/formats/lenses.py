"""Lenses: read one field of a raw object, and write it back where and how the file has it.

A lens keeps four laws, which the contract tests check for every format, field and sample: putting
what was got changes nothing; getting returns what was put; the last put wins; a put on one field
leaves every other field alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get, join, put, same

if TYPE_CHECKING:
    from evalcore.model import Model

Spelling = Literal["snake", "camel"]
M = TypeVar("M")


@dataclass(frozen=True, slots=True)
class Key:
    """A member's name, which a file may spell in several ways.

    ``spellings`` are in the order in which the system looks: the first one present is the one read
    and written. ``snake`` and ``camel`` are written where the file does not have the key yet.
    """

    spellings: tuple[str, ...]

    def find(self, raw: JsonValue | Missing) -> str | None:
        """Return the spelling that an object uses, None if it has none of them."""
        if isinstance(raw, dict):
            for spelling in self.spellings:
                if spelling in raw:
                    return spelling
        return None

    def choose(self, raw: JsonValue | Missing, style: Spelling) -> str:
        """Return the spelling present, else the one that the siblings use, else ``style``'s."""
        present = self.find(raw)
        if present is not None:
            return present
        wanted = spelling_of(raw) or style
        return (
            next((s for s in self.spellings if spelling_of({s: None}) == wanted), None)
            or (self.spellings[0])
        )


def key(snake: str, *, first: Spelling = "snake") -> Key:
    """Return the key that both spellings of ``snake`` name; ``first`` wins if both are present."""
    head, *rest = snake.split("_")
    camel = head + "".join(word[:1].upper() + word[1:] for word in rest)
    pair = (snake, camel) if first == "snake" else (camel, snake)
    return Key(tuple(dict.fromkeys(pair)))


def exactly(name: str) -> Key:
    """Return a key with one spelling only."""
    return Key((name,))


def spelling_of(raw: JsonValue | Missing) -> Spelling | None:
    """Return how an object spells its own keys, None if no key of several words shows it."""
    if isinstance(raw, dict):
        for name in raw:
            if "_" in name.strip("_"):
                return "snake"
            if name[:1].islower() and not name.islower() and name.isalnum():
                return "camel"
    return None


def style_of(raw: JsonValue | Missing, default: Spelling) -> Spelling:
    """Return how an object, or else the first object inside it that shows it, spells keys."""
    own = spelling_of(raw)
    if own is not None:
        return own
    inner: Sequence[JsonValue] = ()
    if isinstance(raw, dict):
        inner = list(raw.values())
    elif isinstance(raw, list):
        inner = raw
    for item in inner:
        if isinstance(item, (dict, list)):
            found = style_of(item, default)
            if found != default:
                return found
    return default


class Lens(ABC):
    """Reads and writes one value inside a raw object."""

    @abstractmethod
    def get(self, raw: JsonValue) -> Any:
        """Return the value, MISSING where the file has none."""

    @abstractmethod
    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Return ``raw`` with the value written; MISSING removes it.

        Raises FormatError where the shape around the value leaves no place for it.
        """

    @abstractmethod
    def where(self, raw: JsonValue) -> str:
        """Return the pointer, relative to ``raw``, of the place where the value is or would be."""

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether a value can be put; where not, ``put`` raises FormatError."""
        return True

    def beside(self, raw: JsonValue) -> tuple[str, ...]:
        """Return, in words, what lies beside the value and stays: ``image/png, 12 KB``."""
        return ()

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the JSON that the value is a view of; itself where it is no view."""
        return self


class At(Lens):
    """A JSON value at a path of keys; missing objects on the way are created when it is put.

    With ``prune``, an object on the way that loses its last member goes with it: for objects that
    say nothing, or are refused, when they are empty.
    """

    def __init__(self, *keys: Key, prune: bool = False) -> None:
        self.keys = keys
        self.prune = prune

    def get(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the value as it stands."""
        found: JsonValue | Missing = raw
        for step in self.keys:
            name = step.find(found)
            if name is None or not isinstance(found, dict):
                return MISSING
            found = found[name]
        return found

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Replace, add or remove the value; nothing is created in order to remove it.

        It is removed in every spelling, so that none that was not read takes its place.
        """
        if same(self.get(raw), value):
            return raw
        pointer, at = "", raw
        for step in self.keys:
            if at is None:
                at = {}
            if not isinstance(at, dict):
                raise FormatError(
                    f"There is no place for {self.keys[-1].spellings[0]!r}: "
                    f"{pointer or 'the case'} is not an object",
                    hint="Edit the raw JSON instead.",
                )
            name = step.choose(at, style)
            pointer, at = join(pointer, name), at.get(name, {})
        written = put(_objects_for_nulls(raw, pointer), pointer, value)
        if value is not MISSING:
            return written
        if self.get(written) is not MISSING:
            return self.put(written, MISSING, style)
        outer = At(*self.keys[:-1], prune=True)
        return outer.put(written, MISSING, style) if self._emptied(outer, written) else written

    def _emptied(self, outer: At, raw: JsonValue) -> bool:
        return self.prune and bool(outer.keys) and outer.get(raw) == {}

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether all that is on the way are objects, or not there yet."""
        at: JsonValue | Missing = raw
        for step in self.keys:
            if at is MISSING or at is None:
                return True
            if not isinstance(at, dict):
                return False
            name = step.find(at)
            at = MISSING if name is None else at[name]
        return True

    def where(self, raw: JsonValue) -> str:
        """Return the path with the spellings that the file uses."""
        pointer, at = "", raw
        for step in self.keys:
            name = step.choose(at, spelling_of(at) or "snake")
            pointer = join(pointer, name)
            at = at.get(name) if isinstance(at, dict) else None
        return pointer


class Within(At):
    """A member of an object that must be there: nothing is created around it."""

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Replace, add or remove the value; raises FormatError where there is no such object."""
        if value is not MISSING and not self.has_place(raw):
            names = " and ".join(repr(step.spellings[0]) for step in self.keys[:-1])
            raise FormatError(f"There is no {names} for this to belong to")
        return super().put(raw, value, style)

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether the object is there."""
        return isinstance(At(*self.keys[:-1]).get(raw), dict)


class Listed(Lens):
    """A list whose items have ``parts`` that are read and written one by one."""

    parts: Mapping[str, Lens]

    @abstractmethod
    def item_at(self, raw: JsonValue, index: int) -> str:
        """Return the pointer, relative to ``raw``, of the object behind an item of the view."""


class Records(Listed):
    """A list of objects seen as a tuple of records, such as tool calls or rubrics.

    Putting a tuple keeps each object that a record's ``origin`` names and writes only the fields
    that differ; a record with no origin becomes a new object made by ``blank``. Items that are no
    objects are left out of the view and stay where they are in the file. Null, and anything else
    that is no list, is read and put as it stands.
    """

    def __init__(
        self,
        at: At,
        record: Callable[[Mapping[str, Any], str], Model],
        parts: Mapping[str, Lens],
        blank: Callable[[Spelling], JsonObject] = lambda _style: {},
    ) -> None:
        self.at = at
        self.record = record
        self.parts = parts
        self.blank = blank

    def get(self, raw: JsonValue) -> Any:
        """Return the records in order, MISSING where there is nothing."""
        items = self.at.get(raw)
        if not isinstance(items, list):
            return items
        base = self.at.where(raw)
        return tuple(
            self._record(item, join(base, index))
            for index, item in enumerate(items)
            if isinstance(item, dict)
        )

    def put(self, raw: JsonValue, value: Any, style: Spelling) -> JsonValue:
        """Write the records in their order; MISSING removes the list."""
        if not isinstance(value, tuple):
            return self.at.put(raw, value, style)
        old = self.at.get(raw)
        new = [self._written(raw, record, style) for record in value]
        for index, item in enumerate(old if isinstance(old, list) else ()):
            if not isinstance(item, dict):
                new.insert(index, item)
        return self.at.put(raw, new, style)

    def where(self, raw: JsonValue) -> str:
        """Return the pointer of the list."""
        return self.at.where(raw)

    def has_place(self, raw: JsonValue) -> bool:
        """Return whether there is a place for the list."""
        return self.at.has_place(raw)

    def json(self, raw: JsonValue) -> Lens:
        """Return the lens of the list as it stands."""
        return self.at

    def item_at(self, raw: JsonValue, index: int) -> str:
        """Return the origin of a record."""
        base, items = self.where(raw), self.at.get(raw)
        listed = items if isinstance(items, list) else []
        return join(base, [i for i, item in enumerate(listed) if isinstance(item, dict)][index])

    def _record(self, item: JsonObject, origin: str) -> Model:
        values = {name: lens.get(item) for name, lens in self.parts.items()}
        return self.record(values, origin)

    def _written(self, raw: JsonValue, record: Model, style: Spelling) -> JsonValue:
        origin = getattr(record, "origin", "")
        item = get(raw, origin) if origin else MISSING
        before = self._record(item, origin) if isinstance(item, dict) else None
        written: JsonValue = item if isinstance(item, dict) else self.blank(style)
        return with_record(written, record, before, self.parts, style)


def records_of(kind: type[M], found: Any) -> tuple[M, ...]:
    """Return the records of a kind in what ``Records`` read; () where it read no list."""
    return tuple(r for r in found if isinstance(r, kind)) if isinstance(found, tuple) else ()


def with_record(
    item: JsonValue,
    record: Model,
    before: Model | None,
    parts: Mapping[str, Lens],
    style: Spelling,
) -> JsonValue:
    """Return an object with the fields of a record in which it differs from ``before``.

    None is null for a field that may be MISSING, and absent for others.
    """
    for name, lens in parts.items():
        wanted = getattr(record, name)
        if before is not None and same(getattr(before, name), wanted):
            continue
        is_absent = wanted is None and type(record).model_fields[name].default is not MISSING
        item = lens.put(item, MISSING if is_absent else wanted, style)
    return item


class Editor(StrEnum):
    """How a field is best edited by a person."""

    LINE = "line"
    TEXT = "text"
    NUMBER = "number"
    FLAG = "flag"
    CHOICE = "choice"
    TAGS = "tags"
    NAMES = "names"
    """An ordered list of names that may repeat, such as visited nodes."""
    MESSAGES = "messages"
    """An ordered list of texts."""
    TOOL_CALLS = "tool_calls"
    RUBRICS = "rubrics"
    CRITERIA = "criteria"
    """An object from evaluator refs to what each expects."""
    OBJECT = "object"
    """A JSON object, drawn as rows of name and value."""
    FORM = "form"
    """A JSON value drawn by its schema: the field's own, or one that the project has for it."""
    MOCKS = "mocks"
    """How a case's tools are replaced, drawn by the format's ``MockSupport``."""
    JSON = "json"
    """Any JSON value, edited as text."""


Group = Literal["main", "expected", "session", "checks", "mocks", "more"]


@dataclass(frozen=True, slots=True)
class Field:
    """One editable field of an eval set, a case or an invocation.

    ``name`` is the canonical name, ``label`` what people see, ``help`` one sentence. ``blank`` is
    what adding the field writes. A ``pinned`` field is drawn even where the file lacks it.
    ``schema`` is the JSON schema of what it holds. ``told`` are codes of problems that a form drawn
    by a schema tells of itself, at the member that each is about.
    """

    name: str
    label: str
    lens: Lens
    editor: Editor = Editor.LINE
    help: str = ""
    group: Group = "main"
    choices: tuple[str, ...] = ()
    blank: Any = ""
    pinned: bool = False
    read_only: bool = False
    extra: Mapping[str, str] = field(default_factory=dict)
    schema: Mapping[str, Any] | None = None
    told: tuple[str, ...] = ()


def _objects_for_nulls(raw: JsonValue, pointer: str) -> JsonValue:
    """Return ``raw`` with every null on the way to ``pointer`` replaced by an empty object."""
    at = ""
    for token in pointer.split("/")[1:-1]:
        at = f"{at}/{token}"
        if get(raw, at) is None:
            raw = put(raw, at, {})
    return {} if raw is None else raw
