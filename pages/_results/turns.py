"""Every turn of the case results that pass the filter."""

from __future__ import annotations

from dataclasses import replace

from evalcore.store import RunQuery, StoredRun
from pages._results import overview, whole


def draw(run: StoredRun, query: RunQuery) -> None:
    """Draw the tab Every turn of a run."""
    counted = whole.counted(run)
    wanted = {line.case_row for line in run.page(replace(query, limit=whole.MOST, offset=0)).lines}
    overview.draw_turns(counted, [row for row in counted.view.rows if row.place in wanted])
