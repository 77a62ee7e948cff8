"""The runs in a result file of a workspace, read whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError
from evalcore.formats import by_id
from evalcore.formats.base import Kind
from evalcore.results import Run

if TYPE_CHECKING:
    from evalcore.workspace import Workspace


def runs_in(workspace: Workspace, path: str) -> tuple[Run, ...]:
    """Return the runs of a result file, on the scales of the evaluators around it.

    Raises WorkspaceError, DocumentError, OSError, or EvaldeskError if it holds no runs.
    """
    opened = workspace.open(path)
    detection = opened.detection
    if detection is None or detection.kind is not Kind.RESULT:
        raise EvaldeskError(
            f"{path} is not a result file of any known system",
            hint="Choose a run from the list.",
        )
    known = by_id(detection.format_id)
    evaluators = workspace.evaluators_of(path)
    found = known.read_runs(opened.document.value, detection)
    return tuple(known.with_evaluators(run, evaluators) for run in found)
