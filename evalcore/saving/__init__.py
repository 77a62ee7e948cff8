"""Saving: show what would change, write it if nobody else wrote, merge where somebody did."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from evalcore import files
from evalcore.drafts import CaseChange, Conflict, Draft, Merge, three_way
from evalcore.drafts.changes import case_changes
from evalcore.errors import ConflictError, EvaldeskError, FormatError, WorkspaceError
from evalcore.formats import by_id, detect
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, same
from evalcore.saving.diff import Diff, DiffLine, Hunk, diff_lines
from evalcore.workspace.discovery import inside

if TYPE_CHECKING:
    from pathlib import Path

    from evalcore.drafts.merge import Choices
    from evalcore.workspace import OpenFile, Workspace

__all__ = [
    "Diff",
    "DiffLine",
    "Hunk",
    "Preview",
    "SaveConflict",
    "create",
    "modernise",
    "planned",
    "preview",
    "preview_merged",
    "save",
    "save_as",
    "save_merged",
]

OnConflict = Literal["ask", "merge"]


@dataclass(frozen=True, slots=True)
class Preview:
    """What saving would write and how that differs from the file it is written over."""

    data: bytes
    diff: Diff
    cases: tuple[CaseChange, ...] = ()
    changed_around: bool = False


class SaveConflict(ConflictError):
    """The file was changed, or deleted, since it was opened; nothing was written.

    ``mine`` is the tree that was to be saved. ``disk`` is the file as it is now and ``merge`` both
    put together, for somebody to confirm; both are None where the file is gone or cannot be read.
    """

    def __init__(self, mine: JsonValue, disk: OpenFile | None, merge: Merge | None) -> None:
        super().__init__(_what_happened(disk, merge), hint=_what_to_do(merge))
        self.mine = mine
        self.disk = disk
        self.merge = merge

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Return what both sides changed in different ways, with both versions."""
        return self.merge.unsettled if self.merge else ()


def preview(draft: Draft, *, touch: bool = False, now: datetime | None = None) -> Preview:
    """Return the bytes that saving would write and their difference from the opened file."""
    _tree, data = _snapshot(draft, touch, now)
    diff = diff_lines(draft.base.document.data, data)
    return Preview(data, diff, draft.changed_cases, draft.changed_around)


def save(
    workspace: Workspace,
    draft: Draft,
    *,
    touch: bool = False,
    now: datetime | None = None,
    on_conflict: OnConflict = "ask",
) -> OpenFile:
    """Write a draft's edits to its file and start the draft anew from there.

    ``touch`` also moves the set's and the changed cases' edit times to ``now``. A draft without
    edits writes nothing. Raises SaveConflict if the file on disk is not the one that was opened;
    with ``on_conflict="merge"`` only if both sides changed the same thing. Raises WorkspaceError
    where the file cannot be written.
    """
    if not draft.is_dirty:
        return draft.base
    mine, data = _snapshot(draft, touch, now)
    try:
        opened = _write_over(workspace, draft.base, data)
    except ConflictError as error:
        conflict = _conflict(workspace, draft, mine)
        if on_conflict == "merge" and conflict.merge is not None and conflict.merge.is_clean:
            return save_merged(workspace, draft, conflict, touch=touch, now=now)
        raise conflict from error
    draft.rebase(opened, mine)
    return opened


def preview_merged(draft: Draft, conflict: SaveConflict, choices: Choices | None = None) -> Preview:
    """Return what saving a merge would write over the file as it is on disk now.

    Raises the conflict again where the file is gone or a choice is missing.
    """
    disk, merge = _settled(draft, conflict, choices)
    data = disk.document.render(merge.tree, id_keys=draft.id_keys)
    return Preview(data, diff_lines(disk.document.data, data))


def save_merged(
    workspace: Workspace,
    draft: Draft,
    conflict: SaveConflict,
    choices: Choices | None = None,
    *,
    touch: bool = False,
    now: datetime | None = None,
) -> OpenFile:
    """Write a confirmed merge; ``choices`` settles the conflicts by their keys.

    Raises SaveConflict if a conflict is left, or the file has changed once more.
    """
    disk, merge = _settled(draft, conflict, choices)
    merged = _final_merged(draft, disk, merge.tree, touch, now)
    try:
        data = disk.document.render(merged, id_keys=draft.id_keys)
        opened = _write_over(workspace, disk, data)
    except ConflictError as error:
        raise _conflict(workspace, draft, conflict.mine) from error
    draft.rebase(opened, conflict.mine, keep_history=False)
    return opened


def save_as(workspace: Workspace, draft: Draft, path: str) -> OpenFile:
    """Write a draft, edits included, to a new file; the draft itself stays as it is.

    The new file names itself as its format wants it (``EvalSetLens.as_new_file``): UiPath's
    ``fileName`` and Harnest's set id follow the file's name, and a copy of a set that is still
    there gets ids of its own.

    Raises WorkspaceError if there is such a file already or it would lie outside the workspace.
    """
    tree, data = draft.snapshot()
    lens = draft.lens
    if lens is not None:
        _path, source = inside(workspace.root, draft.path)
        name = posixpath.basename(inside(workspace.root, path)[0])
        renamed = lens.as_new_file(tree, name, is_copy=source.exists())
        data = draft.base.document.render(renamed, id_keys=draft.id_keys)
    return _write_new(workspace, path, data)


def create(
    workspace: Workspace,
    path: str,
    *,
    format_id: str,
    set_id: str,
    name: str,
    now: datetime | None = None,
) -> OpenFile:
    """Write a new set without cases; its folder is made where it is missing.

    Raises WorkspaceError as ``save_as`` does, FormatError if the system would not take a file of
    that name for one of its sets.
    """
    value = by_id(format_id).eval_sets.blank_set(set_id, name, now or datetime.now(UTC))
    return _write_new_set(workspace, path, value, format_id)


def planned(
    workspace: Workspace,
    path: str,
    *,
    format_id: str,
    set_id: str,
    name: str,
    now: datetime | None = None,
) -> OpenFile:
    """Return a new set without cases as an opened file that is not there yet.

    Nothing is written until a draft of it is saved. Raises what ``create`` raises.
    """
    value = by_id(format_id).eval_sets.blank_set(set_id, name, now or datetime.now(UTC))
    normal, place = inside(workspace.root, path)
    _require_set(workspace, normal, value, format_id)
    _require_json_name(normal)
    if place.exists():
        raise _taken(normal)
    opened = workspace.opened(normal, JsonDocument.parse(b"{}\n").render(value))
    return replace(opened, revision=None)


def modernise(
    workspace: Workspace, source: OpenFile, path: str, *, set_id: str, name: str
) -> OpenFile:
    """Write a set of an old, read-only shape as a new-style one to a new file.

    Raises FormatError for a file that is no such set, and what ``create`` raises.
    """
    if source.format is None or source.detection is None:
        raise FormatError(f"{source.path!r} is no eval set")
    if source.detection.kind is not Kind.EVAL_SET:
        raise FormatError(f"{source.path!r} is no eval set")
    lens = source.format.lens_for(source.detection)
    value = lens.modernise(source.document.value, set_id, name)
    return _write_new_set(workspace, path, value, source.format.id)


def _snapshot(draft: Draft, touch: bool, now: datetime | None) -> tuple[JsonValue, bytes]:
    """Return the tree that is to be saved, and its bytes with the edit times moved if asked."""
    tree, data = draft.snapshot()
    lens, base = draft.lens, draft.base.document
    if not touch or lens is None or same(tree, base.value):
        return tree, data
    changes = case_changes(lens.raw_cases(base.value), lens.raw_cases(tree), lens.case_id)
    changed = [c.after for c in changes if c.after is not None and c.kind != "moved"]
    touched = lens.touch(tree, changed, now or datetime.now(UTC))
    return tree, base.render(touched, id_keys=draft.id_keys)


def _final_merged(
    draft: Draft, disk: OpenFile, tree: JsonValue, touch: bool, now: datetime | None
) -> JsonValue:
    """Touch those cases of a merge that are not as they were on disk."""
    lens = draft.lens
    if not touch or lens is None:
        return tree
    on_disk = {id(case) for case in lens.raw_cases(disk.document.value)}
    changed = [i for i, case in enumerate(lens.raw_cases(tree)) if id(case) not in on_disk]
    return lens.touch(tree, changed, now or datetime.now(UTC))


def _write_over(workspace: Workspace, opened: OpenFile, data: bytes) -> OpenFile:
    _path, place = inside(workspace.root, opened.path)
    if opened.revision is None:
        _make_folder(place.parent, opened.path)
    files.write_if_unchanged(place, data, opened.revision)
    return workspace.opened(opened.path, data)


def _make_folder(folder: Path, path: str) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkspaceError(
            f"The folder of {path!r} cannot be made: {error.strerror or error}",
            hint="Choose a folder that you may write to.",
        ) from error


def _conflict(workspace: Workspace, draft: Draft, mine: JsonValue) -> SaveConflict:
    base = draft.base
    try:
        disk = workspace.open(base.path)
    except (EvaldeskError, OSError):
        return SaveConflict(mine, None, None)
    return SaveConflict(mine, disk, _merge(draft, mine, disk, None))


def _merge(draft: Draft, mine: JsonValue, disk: OpenFile, choices: Choices | None) -> Merge:
    base, now = draft.base, disk.document.value
    if _shape(disk) != _shape(base):
        whole = Conflict("document", None, "", base.document.value, mine, now)
        chosen = (choices or {}).get(whole.key)
        tree = mine if chosen == "mine" else now
        return Merge(tree, (whole,), () if chosen else (whole,))
    return three_way(base.document.value, mine, now, draft.lens, choices)


def _shape(opened: OpenFile) -> tuple[str, str, str] | None:
    found = opened.detection
    return (found.format_id, found.kind, found.variant) if found else None


def _settled(
    draft: Draft, conflict: SaveConflict, choices: Choices | None
) -> tuple[OpenFile, Merge]:
    if conflict.disk is None:
        raise conflict
    merge = _merge(draft, conflict.mine, conflict.disk, choices)
    if not merge.is_clean:
        raise SaveConflict(conflict.mine, conflict.disk, merge)
    return conflict.disk, merge


def _write_new_set(workspace: Workspace, path: str, value: JsonValue, format_id: str) -> OpenFile:
    normal, _place = inside(workspace.root, path)
    _require_set(workspace, normal, value, format_id)
    return _write_new(workspace, path, JsonDocument.parse(b"{}\n").render(value))


def _require_set(workspace: Workspace, path: str, value: JsonValue, format_id: str) -> None:
    found = detect(value, workspace.seen_as(path))
    wanted = by_id(format_id)
    if found is None or found.format_id != format_id or found.kind is not Kind.EVAL_SET:
        where = "; ".join(f.where for f in wanted.known_files if f.kind is Kind.EVAL_SET)
        raise FormatError(
            f"{wanted.system} would not take {path!r} for one of its eval sets",
            hint=f"Choose a name and folder as it expects them: {where}." if where else "",
        )


def _require_json_name(path: str) -> None:
    if not path.lower().endswith(".json"):
        raise WorkspaceError(
            f"{path!r} does not end in .json", hint="Eval files are found by that ending."
        )


def _taken(path: str) -> WorkspaceError:
    return WorkspaceError(
        f"There is already something called {path!r}", hint="Choose another name."
    )


def _write_new(workspace: Workspace, path: str, data: bytes) -> OpenFile:
    normal, place = inside(workspace.root, path)
    _require_json_name(normal)
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        files.write_if_unchanged(place, data, None)
    except (ConflictError, FileExistsError, NotADirectoryError) as error:
        raise _taken(path) from error
    except OSError as error:
        raise WorkspaceError(
            f"The folder of {path!r} cannot be made: {error.strerror or error}",
            hint="Choose a folder that you may write to.",
        ) from error
    return workspace.opened(normal, data)


def _what_happened(disk: OpenFile | None, merge: Merge | None) -> str:
    if disk is None:
        return "The file was deleted, or made unreadable, since you opened it; nothing was written."
    count = len(merge.unsettled) if merge else 0
    if not count:
        return "The file was changed since you opened it, but not where you did."
    things = "one place" if count == 1 else f"{count} places"
    return f"The file was changed since you opened it, in {things} that you changed too."


def _what_to_do(merge: Merge | None) -> str:
    if merge is None:
        return "Save your draft under another name."
    if merge.is_clean:
        return "Look at both changes together and save them."
    return "Choose for each of them which version to keep."
