"""One eval set on somebody's desk: its draft, names for its parts, and text that does not fit yet.

A *place* names an object of the set in a way that survives edits around it: ``()`` is the set,
``(case,)`` a case, ``(case, turn)`` a turn, each by its handle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from evalcore.errors import FormatError, Problem
from evalcore.formats.names import Names, names_in
from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, get, join, put
from evalcore.views.caselist import CaseFinder, case_title
from evalcore.views.editing import Editing
from evalcore.views.mending import Mender
from evalcore.views.problems import ProblemIndex, index_problems
from evalcore.views.replacing import Seeker
from evalcore.views.values import is_printable

if TYPE_CHECKING:
    from evalcore.drafts import Draft
    from evalcore.formats.evalset import EvalSetLens, Level
    from evalcore.formats.lenses import Field
    from evalcore.lint.linter import Linter
    from evalcore.views.project import Project

Place: TypeAlias = tuple[str, ...]
MOST_CHANGES = 100
"""Changed cases that are looked through for names of tools and nodes."""
LARGE = 3_000_000
"""Bytes from which a set is checked when somebody asks, not after every edit."""
MANY_CASES = 1_500
"""Cases from which nearly equal ones are looked for when somebody asks, not after every edit."""


class Sheet(Editing):
    """An eval set being edited. One object serves all tabs of its owner."""

    def __init__(
        self,
        draft: Draft,
        lens: EvalSetLens,
        linter: Linter,
        checks: Callable[[], Sequence[str]] = tuple,
        project: Project | None = None,
    ) -> None:
        super().__init__(draft)
        self.lens = lens
        self.finder = CaseFinder(lens)
        self.seeker = Seeker(self)
        self._linter = linter
        self.mender = Mender(draft, linter, lambda: self.problems(now=True).all)
        self.wants_similar = False
        self.project = project
        self._list_checks = checks
        self._lock = RLock()
        self._links: dict[str, tuple[int, str]] = {}
        self._checked: tuple[int, ProblemIndex] | None = None
        self._names: tuple[int, Names, Names] | None = None

    @cached_property
    def checks(self) -> tuple[str, ...]:
        """Return the refs of the checks that the set's own system would apply."""
        return tuple(self._list_checks())

    @property
    def cases(self) -> JsonArray:
        """Return the raw cases."""
        return self.lens.raw_cases(self.draft.tree)

    def names(self) -> list[str]:
        """Return the handles of the cases, in order."""
        return self._names_in(self.draft.tree)

    def name_at(self, index: int) -> str:
        """Return the handle of the case at an index."""
        return self.names()[index]

    def index_of(self, case: str) -> int:
        """Return where a case stands now; raises FormatError if it is gone."""
        return self._index_in(self.draft.tree, case)

    def indexes_of(self, cases: Collection[str]) -> list[int]:
        """Return where several cases stand now, in the file's order; those gone are left out."""
        wanted = set(cases)
        return [index for index, name in enumerate(self.names()) if name in wanted]

    def title(self, case: str) -> str:
        """Return what a case is called."""
        index = self.index_of(case)
        return case_title(self.lens, self.cases[index], index)

    def link_of(self, case: str) -> str:
        """Return the text that stands for a case in a URL: its id where it leads back."""
        known = self._links.get(case)
        if known is not None and known[0] == self.draft.revision:
            return known[1]
        case_id = self.lens.case_id(self.cases[self.index_of(case)])
        numbered = f"#{self.index_of(case) + 1}"
        link = case_id if case_id and self._leads_back(case_id, case) else numbered
        self._links[case] = (self.draft.revision, link)
        return link

    def _leads_back(self, case_id: str, case: str) -> bool:
        can_stand = is_printable(case_id) and not case_id.startswith("#")
        return can_stand and self.case_at(case_id) == case

    def case_at(self, link: str | None) -> str | None:
        """Return the case that a URL names, None if there is no such case."""
        cases, names = self.cases, self.names()
        if not link:
            return None
        if link.startswith("#") and link[1:].isdecimal():
            index = int(link[1:]) - 1
            return names[index] if 0 <= index < len(names) else None
        return next(
            (n for n, raw in zip(names, cases, strict=True) if self.lens.case_id(raw) == link), None
        )

    def turns(self, case: str) -> list[str]:
        """Return the handles of a case's turns, in order."""
        return self._turns_in(self.draft.tree, case)

    def pointer(self, place: Place, tree: JsonValue | None = None) -> str:
        """Return where a place is in the draft's tree, or in another tree of this set.

        Raises FormatError if what it names is gone.
        """
        now = self.draft.tree if tree is None else tree
        if not place:
            return ""
        case = self._case_pointer(now, place[0])
        if len(place) == 1:
            return case
        turns = self._turns_in(now, place[0])
        if place[1] not in turns:
            raise FormatError("This turn is gone", hint="It was deleted, here or in another tab.")
        return self.lens.invocation_pointers(now, case)[turns.index(place[1])]

    def raw(self, place: Place) -> JsonValue:
        """Return the value at a place as it stands in the file; None if there is none."""
        found = get(self.draft.tree, self.pointer(place))
        return None if found is MISSING else found

    def put(self, place: Place, field: str, value: Any, key: str) -> bool:
        """Write a field of the object at a place; MISSING removes it.

        Successive edits under one ``key`` are one step of the history.
        """
        level, lens = level_of(place), self.lens
        of = f" of {self.title(place[0])}" if place else ""
        label = f"Edit {lens.field(level, field).label.lower()}{of}"

        def change(tree: JsonValue) -> JsonValue:
            if level == "case" and field == lens.label_field and isinstance(value, str):
                return lens.rename_case(tree, self._index_in(tree, place[0]), value)
            return lens.put_field(tree, self.pointer(place, tree), level, field, value)

        return self.edit(change, label, key)

    def put_raw(self, place: Place, value: JsonValue, key: str) -> bool:
        """Replace the whole object at a place."""
        if self.lens.read_only:
            raise FormatError("This set can be read but not edited")
        return self.edit(
            lambda tree: put(tree, self.pointer(place, tree), value), "Edit as text", key
        )

    def schema_of(self, field: Field, place: Place) -> JsonObject | None:
        """Return the schema of what a field holds: the project's, or the format's own.

        Nothing is required where another field of the same object says that it will be made up.
        """
        found = self.project.schemas.get(field.name) if self.project else None
        own = None if field.schema is None else dict(field.schema)
        schema = own if found is None else found
        waivers = field.extra.get("waived_by", "").split()
        raw = self.raw(place)
        others = (f for f in (*self.lens.case_fields, *self.lens.invocation_fields))
        if schema and any(f.lens.get(raw) for f in others if f.name in waivers):
            return {name: v for name, v in schema.items() if name != "required"}
        return schema

    def known_names(self) -> Names:
        """Return the tools and nodes that the project mentions, and the draft's changed cases."""
        project = Names() if self.project is None else self.project.names
        known = self._names
        if known is not None and known[0] == self.draft.revision and known[1] is project:
            return known[2]
        found = Names()
        marks = self.lens.name_marks
        for change in self.draft.changed_cases[:MOST_CHANGES]:
            if change.after is not None:
                found.update(names_in(self.cases[change.after], marks))
        found.update(project)
        self._names = (self.draft.revision, project, found)
        return found

    @property
    def is_large(self) -> bool:
        """Return whether checking the set after each edit would be felt."""
        return len(self.draft.base.document.data) > LARGE

    @property
    def is_checked(self) -> bool:
        """Return whether ``problems`` are those of the draft as it is now."""
        return self._checked is not None and self._checked[0] == self.draft.revision

    @property
    def leaves_out_similar(self) -> bool:
        """Return whether nearly equal cases are not looked for, because there are many cases."""
        return len(self.cases) > MANY_CASES and not self.wants_similar

    def look_for_similar(self) -> None:
        """Look for nearly equal cases from now on, although that takes a moment in this set."""
        with self._lock:
            self.wants_similar, self._checked = True, None

    def placed(self, problem: Problem) -> Problem:
        """Return a problem with its line and column in the file as it would be saved."""
        if problem.line is not None:
            return problem
        line, column = self.draft.document().position(problem.pointer)
        return problem.at(line=line, column=column)

    def problems(self, *, now: bool = False) -> ProblemIndex:
        """Return the problems of the draft; of a large set those found when last asked ``now``."""
        with self._lock:
            if self._checked and (self.is_checked or (self.is_large and not now)):
                return self._checked[1]
            if self.is_large and not now:
                return ProblemIndex()
            revision = self.draft.revision
            similar = not self.leaves_out_similar
            found = self._linter.problems(self.draft.document(), similar=similar)
            index = index_problems(found, self.lens.cases_pointer(self.draft.tree))
            self._checked = (revision, index)
            return index

    def _names_in(self, tree: JsonValue) -> list[str]:
        return self._handles.names("cases", self.lens.raw_cases(tree), self.lens.case_id)

    def _index_in(self, tree: JsonValue, case: str) -> int:
        try:
            return self._names_in(tree).index(case)
        except ValueError:
            raise FormatError(
                "This case is gone", hint="It was deleted, here or in another tab."
            ) from None

    def _case_pointer(self, tree: JsonValue, case: str) -> str:
        index = self._index_in(tree, case)
        if self.lens.read_only:
            # The cases of an old shape need not be the items of one list.
            return self.lens.case_pointers(tree)[index]
        return join(self.lens.cases_pointer(tree), index)

    def _turns_in(self, tree: JsonValue, case: str) -> list[str]:
        pointer = self._case_pointer(tree, case)
        turns: JsonArray = []
        for at in self.lens.invocation_pointers(tree, pointer):
            raw = get(tree, at)
            turns.append(None if raw is MISSING else raw)
        return self._handles.names(f"{case}/turns", turns)


def level_of(place: Place) -> Level:
    """Return whose fields a place has."""
    return ("set", "case", "invocation")[len(place)]


def now() -> datetime:
    """Return the time that new cases and edit times get."""
    return datetime.now(UTC)
