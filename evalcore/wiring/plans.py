"""Plans that change evaluators and the sets that name them: shown first, then applied as one step.

A plan is made from the files on disk. Unsaved edits of the files that it touches are kept: the same
change is made to them, and they stay unsaved.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evalcore.drafts import Draft, is_stale
from evalcore.errors import FormatError
from evalcore.formats import detect
from evalcore.formats._uipath.ids import fold_guid
from evalcore.formats._uipath.recognise import API_WORKFLOW, FLOW
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, put, same
from evalcore.saving.together import FileChange, TreeEdit, check_together, write_together
from evalcore.wiring import refs
from evalcore.workspace.discovery import inside

if TYPE_CHECKING:
    from evalcore.drafts import DraftStore
    from evalcore.wiring.reading import EvaluatorFile, WiredSet, Wiring
    from evalcore.workspace import OpenFile, Workspace

DEFAULTS = "Without the file the defaults apply: tool calls at 1.0, reply in the same words at 0.8."
TreeOfSet = Callable[["WiredSet", JsonValue], JsonValue]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done: ``changes`` are all files that are written, in order.

    ``edits`` are the changes that unsaved edits of sets need too, by the sets' paths.
    """

    title: str
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...] = ()
    edits: Mapping[str, TreeEdit] = field(default_factory=dict)


def rename_plan(
    workspace: Workspace,
    wiring: Wiring,
    file: EvaluatorFile,
    *,
    ref: str,
    path: str,
    dirty: Iterable[str] = (),
) -> Plan:
    """Return how a UiPath evaluator gets another id or its file another name.

    All sets of its project follow. Raises FormatError for an id or a name that cannot be had, and
    where the file would move under unsaved edits (``dirty`` are the paths that have some).
    """
    _single(file)
    old, ref, path = file.checks[0].ref, ref.strip(), path.strip()
    _refuse_ref(wiring, file, ref)
    _refuse_move(file, path, dirty)
    if (ref, path) == (old, file.path):
        raise FormatError("That is what it is called already", hint="Write another id or name.")
    opened = workspace.open(file.path)
    edit = _renaming(opened, ref, path)
    own = _changed(opened, edit, "The evaluator itself.", path)
    touched, edits = _sets(
        workspace, wiring, file, lambda s, tree: refs.renamed(tree, _names(s, file, ref, path))
    )
    return Plan(f"Rename {old}", (*touched, own), _notes(wiring, file), edits)


def delete_plan(workspace: Workspace, wiring: Wiring, file: EvaluatorFile) -> Plan:
    """Return how a file of evaluators is deleted; UiPath's sets then name it no more."""
    opened = workspace.open(file.path)
    gone = FileChange(file.path, opened, None, "The file is deleted.")
    if not file.is_single:
        notes = (DEFAULTS,) if file.family in ("adk", "harnest") else ()
        return Plan(f"Delete {file.path}", (gone,), notes)
    title = f"Delete {file.checks[0].ref if file.checks else file.path}"
    if _twins(wiring, file):
        # What the sets name is still there.
        left = "The sets stay as they are, and mean what is left."
        return Plan(title, (gone,), (*_notes(wiring, file), left))
    touched, edits = _sets(workspace, wiring, file, lambda s, tree: _drop(s, tree, file))
    return Plan(title, (*touched, gone), (), edits)


def create_plan(workspace: Workspace, path: str, tree: JsonValue, family: str) -> Plan:
    """Return how a new file of evaluators is written.

    Raises FormatError where its system would not take it for one under that path, WorkspaceError
    for a path outside the workspace.
    """
    normal, _place = inside(workspace.root, path)
    if not normal.lower().endswith(".json"):
        raise FormatError(f"{path!r} does not end in .json", hint="Evaluators are JSON files.")
    found = detect(tree, workspace.seen_as(normal))
    wanted = (Kind.EVALUATOR, Kind.CRITERIA)
    if family != "evaldesk" and (
        found is None or found.format_id != family or found.kind not in wanted
    ):
        taken = f"a file of {found.format_id}" if found else "no eval file"
        raise FormatError(
            f"Under the name {path!r} this would be {taken}",
            hint="Keep the folder and the name that are suggested.",
        )
    data = JsonDocument.parse(b"{}\n").render(tree)
    return Plan(f"Create {normal}", (FileChange(normal, None, data, "A new file."),))


def apply(workspace: Workspace, plan: Plan, store: DraftStore, owner: str) -> list[OpenFile]:
    """Write a plan's files and make its changes to the owner's unsaved edits too.

    Raises, with nothing written, ConflictError where a file has changed since and FormatError where
    unsaved edits cannot follow; HalfWritten if a failure in the middle could not be taken back.
    """
    check_together(workspace, plan.changes)
    edits = {**plan.edits, **{c.path: c.edit for c in plan.changes if c.edit is not None}}
    unsaved = [p for p in store.unsaved(owner, workspace) if p in edits]
    drafts = [store.open(owner, workspace, path) for path in unsaved]
    for draft in drafts:
        # What cannot be done to them is refused before anything is written.
        edits[draft.path](draft.tree)
    stale = {draft.path for draft in drafts if is_stale(workspace, draft)}
    written = write_together(workspace, plan.changes)
    now = {opened.path: opened for opened in written}
    for draft in drafts:
        draft.edit(edits[draft.path], plan.title)
        fresh = now.get(draft.path)
        if fresh is not None and draft.path not in stale:
            draft.rebase(fresh, fresh.document.value, keep_history=False)
    for change in plan.changes:
        if change.before is not None and change.kind in ("moved", "deleted"):
            store.discard(owner, workspace, change.before.path)
    return written


def _single(file: EvaluatorFile) -> None:
    if not file.is_single or not file.checks:
        raise FormatError(
            f"{file.path} holds no evaluator that sets name",
            hint="Only UiPath's evaluators have ids that sets refer to.",
        )


def _refuse_ref(wiring: Wiring, file: EvaluatorFile, ref: str) -> None:
    if not ref:
        raise FormatError("An evaluator needs an id", hint="Write one, such as ExactAmount.")
    for other in _with_ref(wiring, file, ref):
        raise FormatError(f"{other} has the id {ref!r} already", hint="Choose another id.")


def _refuse_move(file: EvaluatorFile, path: str, dirty: Iterable[str]) -> None:
    if posixpath.dirname(path) != posixpath.dirname(file.path):
        raise FormatError("The file must stay in its folder", hint="UiPath looks only there.")
    if not path.lower().endswith(".json"):
        raise FormatError("The file's name must end in .json", hint="Add .json to it.")
    if path != file.path and file.path in set(dirty):
        raise FormatError(
            f"{file.path} has unsaved edits", hint="Save or drop them before its file moves."
        )


def _renaming(opened: OpenFile, ref: str, path: str) -> TreeEdit:
    name, moved = posixpath.basename(path), path != opened.path

    def edit(tree: JsonValue) -> JsonValue:
        tree = put(tree, "/id", ref)
        has_name = isinstance(tree, dict) and "fileName" in tree
        return put(tree, "/fileName", name) if moved and has_name else tree

    return edit


def _names(of: WiredSet, file: EvaluatorFile, ref: str, path: str) -> dict[str, str]:
    """Return what a set may call an evaluator, and what it calls it afterwards.

    Maestro Flow and API workflows go by the name of its file: what looks like theirs is one.
    """
    names = {file.checks[0].ref: ref}
    if of.variant not in (FLOW, API_WORKFLOW):
        return names
    before, after = posixpath.basename(file.path), posixpath.basename(path)
    stem = {before.removesuffix(".json"): after.removesuffix(".json")}
    by_stem = of.variant == API_WORKFLOW
    return {before: after, **({} if by_stem else stem), **names, **(stem if by_stem else {})}


def _drop(of: WiredSet, tree: JsonValue, file: EvaluatorFile) -> JsonValue:
    names = {of.ref_for(file), *(check.ref for check in file.checks)}
    for name in names - {None}:
        tree = refs.removed(tree, of.format_id, str(name))
    return tree


def _sets(
    workspace: Workspace,
    wiring: Wiring,
    file: EvaluatorFile,
    change: TreeOfSet,
) -> tuple[list[FileChange], dict[str, TreeEdit]]:
    """Return the changes of all sets of a project, and the edits that their drafts would need."""
    touched, edits = [], {}
    for of in wiring.near(file):
        edit = _bound(change, of)
        edits[of.path] = edit
        opened = workspace.open(of.path)
        if not same(edit(opened.document.value), opened.document.value):
            touched.append(_changed(opened, edit, _why(opened.document.value, of, file)))
    return touched, edits


def _bound(change: TreeOfSet, of: WiredSet) -> TreeEdit:
    return lambda tree: change(of, tree)


def _why(tree: JsonValue, of: WiredSet, file: EvaluatorFile) -> str:
    name = of.ref_for(file) or file.checks[0].ref
    count = len(refs.cases_with(tree, name))
    listed = "The set names it" if name in of.refs else "The set does not name it"
    say = "says" if count == 1 else "say"
    return f"{listed}; {count:,} of its cases {say} what it expects."


def _changed(opened: OpenFile, edit: TreeEdit, why: str, path: str = "") -> FileChange:
    draft = Draft(opened)
    draft.edit(edit, "plan")
    return FileChange(path or opened.path, opened, draft.rendered(), why, edit)


def _notes(wiring: Wiring, file: EvaluatorFile) -> tuple[str, ...]:
    twins = _twins(wiring, file)
    if not twins:
        return ()
    return (f"{', '.join(twins)} has the same id: sets cannot tell the two apart.",)


def _twins(wiring: Wiring, file: EvaluatorFile) -> list[str]:
    """Return the other files of a folder whose evaluator has the same id."""
    return _with_ref(wiring, file, file.checks[0].ref) if file.checks else []


def _with_ref(wiring: Wiring, file: EvaluatorFile, ref: str) -> list[str]:
    folder = posixpath.dirname(file.path)
    return [
        other.path
        for other in wiring.files
        if other.is_single
        and other.path != file.path
        and posixpath.dirname(other.path) == folder
        and any(fold_guid(check.ref) == fold_guid(ref) for check in other.checks)
    ]
