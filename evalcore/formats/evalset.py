"""Reading and editing the eval sets of one format through its fields and its list of cases.

Every edit takes a tree and returns a new one; nothing is written to disk here. Places are JSON
pointers of the tree that is passed in.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID, uuid4

from evalcore.errors import FormatError
from evalcore.formats.lenses import Field, Spelling, style_of
from evalcore.formats.mocks import MockSupport
from evalcore.formats.names import NameMark
from evalcore.formats.optional import OptionalParts
from evalcore.jsontree import (
    MISSING,
    JsonArray,
    JsonValue,
    get,
    insert,
    join,
    move,
    put,
    split,
)
from evalcore.model import EvalCase, EvalSet

if TYPE_CHECKING:
    pass

Level = str
"""``set``, ``case`` or ``invocation``: whose fields are meant."""


class EvalSetLens(OptionalParts, ABC):
    """One format's eval sets: where cases and invocations lie, and which fields they have."""

    set_fields: ClassVar[tuple[Field, ...]] = ()
    case_fields: ClassVar[tuple[Field, ...]] = ()
    invocation_fields: ClassVar[tuple[Field, ...]] = ()
    id_keys: ClassVar[tuple[str, ...]] = ("id",)
    default_style: ClassVar[Spelling] = "snake"
    read_only: ClassVar[bool] = False
    has_turns: ClassVar[bool] = True
    """Whether a case is a list of turns that can be added, moved and deleted."""
    name_marks: ClassVar[tuple[NameMark, ...]] = ()
    """Where this format's files, results too, mention tools and nodes."""
    has_simulated_users: ClassVar[bool] = False
    """Whether a case may have a simulated user instead of turns."""
    mocks: ClassVar[MockSupport] = MockSupport()
    """What of a case can be replaced while it runs."""
    run_record: ClassVar[Field | None] = None
    """What a run recorded of each event of a turn, by ``parts``, beside what fields show."""
    label_field: ClassVar[str] = "id"
    """The case field that people choose when they add, copy or rename a case; unique in a set."""

    @abstractmethod
    def cases_pointer(self, value: JsonValue) -> str:
        """Return the pointer of the array of cases, where it is or would be."""

    @abstractmethod
    def invocations_pointer(self, raw_case: JsonValue) -> str:
        """Return the pointer, relative to a case, of its array of turns.

        "" where a case is its own single invocation.
        """

    @abstractmethod
    def read_case(self, raw: JsonValue, origin: str) -> EvalCase:
        """Return the canonical case; one of an unknown shape comes back opaque, never an error."""

    @abstractmethod
    def read_header(self, value: JsonValue) -> EvalSet:
        """Return the eval set without its cases."""

    @abstractmethod
    def blank_case(self, value: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a new case for this set, in the spelling of its cases.

        ``label`` is what ``label_field`` will hold.
        """

    @abstractmethod
    def blank_invocation(self, raw_case: JsonValue) -> JsonValue:
        """Return a new turn for a case, in the spelling of its turns."""

    @abstractmethod
    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        """Return a new set with no cases, which the format's own system loads."""

    def raw_cases(self, value: JsonValue) -> JsonArray:
        """Return the cases as they stand in the tree; [] where there is no list of them."""
        cases = get(value, self.cases_pointer(value))
        return cases if isinstance(cases, list) else []

    def case_pointers(self, value: JsonValue) -> list[str]:
        """Return the pointer of every case, in order."""
        base = self.cases_pointer(value)
        return [join(base, i) for i in range(len(self.raw_cases(value)))]

    def case_id(self, raw: JsonValue) -> str | None:
        """Return a case's id as the system reads it, None where it is missing or no text."""
        for name in self.id_keys:
            found = raw.get(name) if isinstance(raw, dict) else None
            if isinstance(found, str):
                return found
        return None

    def case_label(self, raw: JsonValue) -> str | None:
        """Return what people call a case: the text of ``label_field``, None if it is no text."""
        if self.label_field == "id":
            return self.case_id(raw)
        found = self.field("case", self.label_field).lens.get(raw)
        return found if isinstance(found, str) else None

    def join_key(self, name: str) -> str:
        """Return an id or label as it compares where results are joined to cases."""
        return name

    def invocation_pointers(self, value: JsonValue, case_pointer: str) -> list[str]:
        """Return the pointer of every turn of a case: the case itself if it is its own turn."""
        raw = get(value, case_pointer)
        relative = self.invocations_pointer(raw if raw is not MISSING else None)
        if not relative:
            return [case_pointer] if isinstance(raw, dict) else []
        turns = get(value, case_pointer + relative)
        count = len(turns) if isinstance(turns, list) else 0
        return [join(case_pointer + relative, i) for i in range(count)]

    def read(self, value: JsonValue) -> EvalSet:
        """Return the whole set. Reads every case: for large files read pages of cases instead."""
        cases = zip(self.raw_cases(value), self.case_pointers(value), strict=True)
        return self.read_header(value).model_copy(
            update={"cases": tuple(self.read_case(raw, origin) for raw, origin in cases)}
        )

    def fields(self, level: Level) -> tuple[Field, ...]:
        """Return the fields of the ``set``, of a ``case`` or of an ``invocation``."""
        return {
            "set": self.set_fields,
            "case": self.case_fields,
            "invocation": self.invocation_fields,
        }[level]

    def field(self, level: Level, name: str) -> Field:
        """Return one field; raises FormatError if this format has none of that name."""
        for candidate in self.fields(level):
            if candidate.name == name:
                return candidate
        known = ", ".join(f.name for f in self.fields(level))
        raise FormatError(f"A {level} has no field {name!r} here", hint=f"It has: {known}.")

    def put_field(
        self, value: JsonValue, pointer: str, level: Level, name: str, new: Any
    ) -> JsonValue:
        """Return the tree with one field of the object at ``pointer`` written; MISSING removes it.

        Raises FormatError where the object is gone, has no such field, or the field is read-only.
        """
        self._writable()
        chosen, raw = self.field(level, name), get(value, pointer)
        if raw is MISSING:
            raise FormatError(f"There is nothing at {pointer!r} any more")
        if chosen.read_only:
            raise FormatError(f"{chosen.label} cannot be edited")
        written = chosen.lens.put(raw, new, self.style_at(raw, value))
        return value if written is raw else put(value, pointer, written)

    def style(self, value: JsonValue) -> Spelling:
        """Return how this file spells the keys of its cases."""
        cases = self.raw_cases(value)
        return style_of(cases[0], self.default_style) if cases else self.default_style

    def style_at(self, raw: JsonValue, value: JsonValue) -> Spelling:
        """Return how an object of the file ``value`` spells its keys."""
        return style_of(raw, self.style(value))

    def add_case(
        self, value: JsonValue, label: str, now: datetime, index: int | None = None
    ) -> JsonValue:
        """Return the tree with a new case, at the end or before ``index``."""
        self._writable()
        self._refuse_taken(value, label)
        return self._insert(value, self.blank_case(value, label, now), index)

    def duplicate_case(self, value: JsonValue, index: int, label: str, now: datetime) -> JsonValue:
        """Return the tree with a copy of a case, under a new label, right after it."""
        self._writable()
        self._refuse_taken(value, label)
        copy = self.copy_case(self.raw_cases(value)[index], label, now)
        return self._insert(value, copy, index + 1)

    def copy_case(self, raw: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case under a new label; formats with timestamps or own ids override this."""
        name = next((k for k in self.id_keys if isinstance(raw, dict) and k in raw), None)
        return put(raw, join("", name or self.id_keys[0]), label)

    def delete_cases(self, value: JsonValue, indexes: Sequence[int]) -> JsonValue:
        """Return the tree without the cases at ``indexes``."""
        self._writable()
        gone = set(indexes)
        kept: JsonValue = [c for i, c in enumerate(self.raw_cases(value)) if i not in gone]
        return put(value, self.cases_pointer(value), kept)

    def move_case(self, value: JsonValue, source: int, target: int) -> JsonValue:
        """Return the tree with one case moved to another place."""
        self._writable()
        return move(value, self.cases_pointer(value), source, target)

    def rename_case(self, value: JsonValue, index: int, label: str) -> JsonValue:
        """Return the tree with a case's label changed; raises FormatError if it is taken."""
        pointer = join(self.cases_pointer(value), index)
        old = self.case_label(get(value, pointer) or None)
        if old is None or self.join_key(old) != self.join_key(label):
            self._refuse_taken(value, label)
        return self.put_field(value, pointer, "case", self.label_field, label)

    def add_invocation(
        self, value: JsonValue, case_pointer: str, index: int | None = None
    ) -> JsonValue:
        """Return the tree with a new turn in a case, at the end or before ``index``."""
        self._writable()
        raw = get(value, case_pointer)
        relative = self.invocations_pointer(raw if raw is not MISSING else None)
        if not self.has_turns or not relative or raw is MISSING:
            raise FormatError("A case of this format has exactly one turn")
        where = case_pointer + relative
        turns, turn = get(value, where), self.blank_invocation(raw)
        if not isinstance(turns, list):
            return put(value, where, [turn])
        return insert(value, join(where, len(turns) if index is None else index), turn)

    def duplicate_invocation(self, value: JsonValue, pointer: str) -> JsonValue:
        """Return the tree with a copy of a turn right after it."""
        self._writable()
        *parents, last = split(pointer)
        where, raw = join("", *parents), get(value, pointer)
        if raw is MISSING or not isinstance(get(value, where), list):
            raise FormatError("This turn is gone")
        return insert(value, join(where, int(last) + 1), self.copy_invocation(raw))

    def copy_invocation(self, raw: JsonValue) -> JsonValue:
        """Return a copy of a turn, without the id that names the first one where it has one."""
        known = (f for f in self.invocation_fields if f.name == "invocation_id")
        chosen = next(known, None)
        return chosen.lens.put(raw, MISSING, self.default_style) if chosen else raw

    def put_case(self, value: JsonValue, index: int, raw: JsonValue) -> JsonValue:
        """Return the tree with another case in the place of one."""
        self._writable()
        return put(value, join(self.cases_pointer(value), index), raw)

    def delete_invocation(self, value: JsonValue, pointer: str) -> JsonValue:
        """Return the tree without the turn at ``pointer``."""
        self._writable()
        return put(value, pointer, MISSING)

    def move_invocation(self, value: JsonValue, pointer: str, step: int) -> JsonValue:
        """Return the tree with a turn moved up (-1) or down (+1); unchanged at either end."""
        self._writable()
        *parents, last = split(pointer)
        where, source = join("", *parents), int(last)
        turns = get(value, where)
        target = source + step
        if not isinstance(turns, list) or not 0 <= target < len(turns):
            return value
        return move(value, where, source, target)

    def fresh_case_id(self, value: JsonValue, wanted: str) -> str:
        """Return ``wanted``, with a number behind it if a case is called that already."""
        taken = self._taken(value)
        numbered = (f"{wanted}_{n}" for n in range(2, len(taken) + 3))
        return next(n for n in (wanted, *numbered) if self.join_key(n) not in taken)

    def touch(self, value: JsonValue, changed: Sequence[int], now: datetime) -> JsonValue:
        """Return the tree with the edit times of the set and of changed cases moved to ``now``.

        Called only when the user asks for it. Formats without such fields return the tree.
        """
        return value

    def as_new_file(self, value: JsonValue, file_name: str, *, is_copy: bool) -> JsonValue:
        """Return the tree as it is to be written to a new file, whose name is given.

        What repeats the file's name follows it. With ``is_copy`` the set that the tree comes from
        stays beside it, so the new one gets ids of its own where its system tells sets apart by
        them. Formats that know neither return the tree.
        """
        return value

    def _insert(self, value: JsonValue, case: JsonValue, index: int | None) -> JsonValue:
        base, cases = self.cases_pointer(value), self.raw_cases(value)
        if not isinstance(get(value, base), list):
            return put(value, base, [case])
        return insert(value, join(base, len(cases) if index is None else index), case)

    def _taken(self, value: JsonValue) -> set[str]:
        labels = (self.case_label(raw) for raw in self.raw_cases(value))
        return {self.join_key(label) for label in labels if label is not None}

    def _refuse_taken(self, value: JsonValue, label: str) -> None:
        if self.join_key(label) in self._taken(value):
            raise FormatError(
                f"There is already a case called {label!r}", hint="Choose another name."
            )

    def _writable(self) -> None:
        if self.read_only:
            raise FormatError(
                "This set is in an old shape that can be read but not edited",
                hint="Choose “Save as a new-style set” on its page first.",
            )


def stem_of(file_name: str) -> str:
    """Return a file's name without the endings that eval sets have, in any case."""
    for ending in (".evalset.json", ".test.json", ".json"):
        if file_name.lower().endswith(ending):
            return file_name[: -len(ending)]
    return file_name


def id_for_copy(old: str, file_name: str) -> str:
    """Return the id of a set's copy: a new GUID for a GUID, else the name of the copy's file."""
    try:
        is_guid = str(UUID(old)) == old.lower()
    except ValueError:
        is_guid = False
    return new_guid() if is_guid else stem_of(file_name)


def new_guid() -> str:
    """Return a random id as UiPath writes them."""
    return str(uuid4())
