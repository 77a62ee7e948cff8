"""How each check of a run did, as charts and in numbers."""

from __future__ import annotations

from evalcore.store import StoredRun
from pages._results import overview, whole
from pages._results.address import Address


def draw_charts(run: StoredRun, asked: Address) -> None:
    """Draw the Checks tab of a run; ``asked.query`` is the filter that a click adds to."""
    overview.draw_checks(whole.counted(run))
