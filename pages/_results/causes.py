"""Why cases failed: what failures have in common, the most frequent first."""

from __future__ import annotations

from evalcore.store import StoredRun
from pages._results import card, filters, held
from pages._results.address import Address
from pages._ui.marks import Panel


def panel(run: StoredRun, asked: Address) -> Panel:
    """Return the causes of the case results that match; a click shows the cases of one."""
    found = held.causes(run, asked.query)
    if not found:
        return Panel("Why cases failed", (card.text("Nothing of this failed."),), grow=1.3)
    most = max(count for _, count in found)
    bars = card.cause_bars(found[:12], most, filters.now(), limit=110)
    more = len(found) - 12
    items = (bars, card.text(f"and {more} more causes")) if more > 0 else (bars,)
    return Panel("Why cases failed", items, "results with it", grow=1.3)
