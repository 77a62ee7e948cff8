"""Keeping a check of ours in the file beside its set that no other system reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from evalcore import files
from evalcore.errors import EvaldeskError
from evalcore.files import Revision
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue
from evalcore.scoring import Check, Project, sidecar_path
from evalcore.scoring.sidecar import blank, with_case, with_check, without_check
from evalcore.views.rescore_form import params_of
from evalcore.workspace import Workspace
from evalcore.workspace.discovery import inside

_Change = Callable[[JsonValue], JsonValue]


def place_of(project: Project) -> str:
    """Return the path of the file that holds our checks of a set."""
    return sidecar_path(project.path, project.eval_set.format_id)


def revision(workspace: Workspace, set_path: str, format_id: str) -> Revision | None:
    """Return which state of the file of a set there is, None for none."""
    path = inside(workspace.root, sidecar_path(set_path, format_id))[1]
    return files.current_revision(path)


def keep(
    workspace: Workspace,
    project: Project,
    check: Check,
    cases: Mapping[str, JsonValue] | None = None,
) -> None:
    """Write a check into the file, which is made if there is none.

    ``cases`` has by id what single cases say of it: parameters, {} for none, null for not run.
    Raises EvaldeskError for a check that could not run, ConflictError if someone else is writing.
    """
    if check.evaluator is None:
        raise EvaldeskError(f"{check.label} cannot be kept: {check.problem}", hint=check.hint)
    kind, params = check.evaluator.kind, params_of(check)

    def change(value: JsonValue) -> JsonValue:
        value = with_check(value, check.ref, kind, params)
        for case_id, own in (cases or {}).items():
            value = with_case(value, case_id, check.ref, own, keep=own != {})
        return value

    _write(workspace, project, change)


def forget(workspace: Workspace, project: Project, name: str) -> None:
    """Take a check out of the file, with what cases say of it."""
    _write(workspace, project, lambda value: without_check(value, name))


def _write(workspace: Workspace, project: Project, change: _Change) -> None:
    path = inside(workspace.root, place_of(project))[1]
    found = files.current_revision(path)
    if found is None:
        data = (json.dumps(change(blank()), indent=2, ensure_ascii=False) + "\n").encode()
    else:
        document = JsonDocument.parse(files.read_bytes(path))
        data = document.render(change(document.value))
    files.write_if_unchanged(path, data, found)
