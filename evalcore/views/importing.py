"""One import on somebody's desk: the file, how it is read, and what becomes of it where."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar, cast

from evalcore import saving
from evalcore.errors import EvaldeskError, FormatError
from evalcore.importing.applying import Choices, applied
from evalcore.importing.building import Grouping, Plan, planned, with_cases, written
from evalcore.importing.edits import Patch
from evalcore.importing.patch import read_patch
from evalcore.importing.reading import ENDINGS, read_source
from evalcore.importing.sheets import sheet_from
from evalcore.importing.source import EXPORT, RECORDS, TABLE, WORKBOOK, ReadOptions, Source
from evalcore.importing.targets import (
    IGNORE,
    Members,
    Target,
    chosen_target,
    fits,
    guessed_mapping,
)
from evalcore.jsontree import JsonValue
from evalcore.views.newset import choosable_formats, slug, suggested_path
from evalcore.workspace.discovery import walk

if TYPE_CHECKING:
    from evalcore.drafts import Draft, DraftStore
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.workspace import Entry, Workspace

PREVIEWED = 20
"""How many of the new cases are shown before they are made."""
T = TypeVar("T")


@dataclass(slots=True)
class NewSet:
    """The new set that cases are imported into; "" for what nobody has chosen yet."""

    format_id: str
    name: str = ""
    path: str = ""


@dataclass
class ImportJob:
    """A file on its way into a set. One object serves all tabs of its owner.

    ``into`` is the path of the set that the cases are added to, "" for a new one. ``members`` are
    names of inputs and outputs that the project of that set has.
    """

    name: str
    data: bytes
    into: str = ""
    new: NewSet = field(default_factory=lambda: NewSet(""))
    options: ReadOptions = field(default_factory=ReadOptions)
    grouping: Grouping = field(default_factory=Grouping)
    dropped: set[tuple[int, int | None, str]] = field(default_factory=set)
    taken: set[tuple[int, int | None, str]] = field(default_factory=set)
    add_cases: bool = True
    add_turns: bool = True
    delete_cases: bool = False
    delete_turns: bool = False
    members: Members = ()
    chosen: dict[tuple[str, str, str], Target] = field(default_factory=dict)
    """What columns become where somebody said so, by format, kind of source and column."""
    _known: dict[str, tuple[tuple[object, ...], object]] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """Return the file as it is read now; raises FormatError if it cannot be."""
        return self._once("source", (self.options,), lambda: self._read(self.options))

    def read_as(self, **options: object) -> None:
        """Read the file in another way; one in which it cannot be read is refused.

        A choice of the kind leaves open how a file of that kind is best read.
        """
        new = replace(self.options, **options)  # type: ignore[arg-type]
        self._read(new)
        self.options = new

    def is_patch(self) -> bool:
        """Return whether the file is an edited export of the set that it goes into."""
        return bool(self.into) and self.source.kind == EXPORT

    def mapping(self, lens: EvalSetLens, tree: JsonValue) -> tuple[Target, ...]:
        """Return what each column becomes: as chosen, else as guessed."""
        source = self._as_rows()
        format_id = lens.read_header(tree).format_id
        key = (source, format_id, tree, self.members)
        guessed = self._once(
            "guess", key, lambda: guessed_mapping(lens, source, tree, self.members)
        )
        found = tuple(
            self.chosen.get((format_id, source.kind, name), target)
            for name, target in zip(source.columns, guessed, strict=True)
        )
        return found if fits(lens, found) else guessed

    def choose(self, lens: EvalSetLens, tree: JsonValue, column: str, target: Target) -> None:
        """Note what a column becomes."""
        format_id = lens.read_header(tree).format_id
        self.chosen[format_id, self._as_rows().kind, column] = target

    def choose_field(self, lens: EvalSetLens, tree: JsonValue, index: int, what: str) -> None:
        """Note which field a column becomes, and by which name where that holds named values."""
        source = self._as_rows()
        target = Target()
        if what != IGNORE:
            target = chosen_target(lens, tree, source, index, what, self.members)
        self.choose(lens, tree, source.columns[index], target)

    def plan(self, lens: EvalSetLens, tree: JsonValue) -> Plan:
        """Return the cases that the file makes in a set, under their ids."""
        source, mapping = self._as_rows(), self.mapping(lens, tree)
        key = (source, mapping, self.grouping, tree)
        return self._once("plan", key, lambda: planned(lens, tree, source, mapping, self.grouping))

    def preview(self, lens: EvalSetLens, tree: JsonValue) -> tuple[JsonValue, Sequence[int]]:
        """Return the set with the first of the new cases in it, and where those stand."""
        plan = self.plan(lens, tree)

        def with_some() -> tuple[JsonValue, Sequence[int]]:
            cases, _problems = written(lens, tree, plan.cases[:PREVIEWED], datetime.now(UTC))
            first = len(lens.raw_cases(tree))
            return with_cases(lens, tree, cases), range(first, first + len(cases))

        return self._once("preview", (plan,), with_some)

    def patch(self, lens: EvalSetLens, tree: JsonValue) -> Patch:
        """Return what an edited export changes in its set."""
        source = self.source
        key = (source, tree)
        return self._once(
            "patch", key, lambda: read_patch(lens, tree, sheet_from(lens, tree, source))
        )

    def choices(self) -> Choices:
        """Return which parts of a patch are wanted."""
        return Choices(
            frozenset(self.dropped),
            frozenset(self.taken),
            self.add_cases,
            self.add_turns,
            self.delete_cases,
            self.delete_turns,
        )

    def columns(self) -> Source:
        """Return the source whose columns are mapped: an export is a table where it is no patch."""
        return self._as_rows()

    def _as_rows(self) -> Source:
        source = self.source
        if source.kind != EXPORT:
            return source
        plain = next(kind for kind in (TABLE, WORKBOOK, RECORDS) if kind in source.kinds)
        options = replace(self.options, kind=plain)
        return self._once("plain", (options,), lambda: self._read(options))

    def _read(self, options: ReadOptions) -> Source:
        return read_source(self.data, self.name, options)

    def _once(self, name: str, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """Return what ``make`` makes, made again only when ``key`` is another one."""
        known = self._known.get(name)
        if known is not None and all(map(_is_same, known[0], key)):
            return cast(T, known[1])
        value = make()
        self._known[name] = (key, value)
        return value


def _is_same(old: object, new: object) -> bool:
    """Return whether parts of keys are equal: files and trees by identity, which is enough."""
    return old is new or (isinstance(new, (str, tuple, ReadOptions, Grouping)) and old == new)


def start(name: str, data: bytes, into: str, entries: Iterable[Entry]) -> ImportJob:
    """Return the import of a file; an edited export goes back into its set.

    A new set is for the system that wrote the file, else for that of most sets that are there.
    Raises FormatError if nothing can be read from the file.
    """
    listed = list(entries)
    job = ImportJob(posixpath.basename(name), data, into)
    known = {e.path for e in listed}
    if not into and job.source.set_path in known:
        job.into = job.source.set_path
    used = [e.detection.format_id for e in listed if e.detection]
    formats = choosable_formats()
    stem = job.name.rsplit(".", 1)[0].removesuffix(".evalset").replace("_", " ")
    met = next((e.detection for e in listed if e.path == name and e.detection), None)
    own = met.format_id if met is not None else job.source.system
    job.new = NewSet(own if own in formats else max(formats, key=used.count), stem.strip())
    return job


def place_of(job: ImportJob, entries: Iterable[Entry]) -> str:
    """Return the path of the new set: the one that was typed, else a free one that fits."""
    typed = job.new.path.strip()
    if typed:
        return typed if typed.lower().endswith(".json") else f"{typed}.json"
    of = choosable_formats()[job.new.format_id]
    return suggested_path(of, job.new.name or "new set", entries)


def importable_files(workspace: Workspace, limit: int = 500) -> list[str]:
    """Return the files of a workspace that may hold cases, by path."""

    def wanted_name(name: str) -> bool:
        return name.lower().rsplit(".", 1)[-1] in ENDINGS

    met = (f.path for f in walk(workspace.root, "", wanted_name) if not f.is_folder)
    # What people made for it comes first: most JSON of a project is its own.
    ranked = sorted(met, key=lambda path: (path.lower().endswith(".json"), path))
    return ranked[:limit]


def add_to(job: ImportJob, draft: Draft) -> tuple[int, int]:
    """Add the new cases to a set's draft; returns how many cases, and how many rows are left out.

    Raises FormatError where there is nothing to add.
    """
    lens = draft.lens
    if lens is None:
        raise FormatError(f"{draft.path} is no eval set")
    counts = [0, 0]

    def change(tree: JsonValue) -> JsonValue:
        plan = job.plan(lens, tree)
        cases, problems = written(lens, tree, plan.cases, datetime.now(UTC))
        counts[:] = [len(cases), plan.left_out + len(problems)]
        if not cases:
            raise FormatError("There are no cases to add", hint="Look at what is wrong with them.")
        return with_cases(lens, tree, cases)

    draft.edit(change, f"Import {job.name}")
    return counts[0], counts[1]


def begin_new(
    job: ImportJob, workspace: Workspace, drafts: DraftStore, owner: str, entries: Iterable[Entry]
) -> Draft:
    """Start the draft of the new set; its file is not made before it is saved.

    Raises FormatError for a set without a name, WorkspaceError for a path that cannot be used.
    """
    name = job.new.name.strip()
    if not name:
        raise FormatError("The set needs a name", hint="Write one above.")
    opened = saving.planned(
        workspace,
        place_of(job, entries),
        format_id=job.new.format_id,
        set_id=slug(name),
        name=name,
    )
    return drafts.begin(owner, workspace, opened)


def apply_to(job: ImportJob, draft: Draft) -> None:
    """Put the wanted parts of a patch into a draft, as one step; raises FormatError."""
    lens = draft.lens
    if lens is None:
        raise FormatError(f"{draft.path} is no eval set")

    def change(tree: JsonValue) -> JsonValue:
        patch = job.patch(lens, tree)
        return applied(lens, tree, patch, job.choices(), datetime.now(UTC))

    draft.edit(change, f"Import {job.name}")


@lru_cache(maxsize=32)
def blank_set(format_id: str) -> tuple[EvalSetLens, JsonValue]:
    """Return the lenses of a format and a new set of it, for showing what would become of rows."""
    lens = choosable_formats()[format_id].eval_sets
    return lens, lens.blank_set("new", "New", datetime(2000, 1, 1, tzinfo=UTC))


def readable(job: ImportJob) -> EvaldeskError | None:
    """Return why the file cannot be read as it is asked to be, None if it can."""
    try:
        _ = job.source
    except FormatError as error:
        return error
    return None
