"""Links to a result file and the number of a run in it, from before runs had ids."""

from __future__ import annotations

from evalcore.errors import EvaldeskError
from pages._results import incoming, run_list
from pages._ui import runs, safe
from pages._ui.desk import Desk


def run_of(desk: Desk, path: str, number: int) -> str:
    """Return the id of a run of a result file, which comes in first where it has not yet.

    ``number`` counts from 1. "" says that there is none, or none yet: then the page is drawn here.
    """
    intake = runs.kept(desk).intake
    try:
        intake.ask(path)
    except (EvaldeskError, OSError):
        return _gone(desk, f"There is no result file {path} in this folder")
    came = intake.wait_for(path, runs.AT_ONCE)
    if came is None:
        run_list.back()
        incoming.waiting(intake, path)
        return ""
    if came.problem is not None:
        run_list.back()
        incoming.came_from(path, came.problem)
        return ""
    if came.set_aside:
        return _gone(desk, f"The runs of {path} were deleted here")
    if number > len(came.ids):
        return _gone(desk, f"{path} holds {len(came.ids):,} runs, and no number {number:,}")
    return came.ids[number - 1]


def _gone(desk: Desk, told: str) -> str:
    """Say why a link leads nowhere, above the list of runs."""
    safe.report(
        EvaldeskError(
            told, hint="It may have been moved or deleted. Choose a run from the list below."
        )
    )
    run_list.draw(desk)
    return ""
