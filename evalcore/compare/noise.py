"""How much of the change of one case's score may be chance, as its repeats tell."""

from __future__ import annotations

import math

from evalcore.store import StoredRun
from evalcore.store.engine import engine

Z95 = 1.959963984540054


def noise_bands(left: StoredRun, right: StoredRun) -> dict[str, float]:
    """Return, by metric, how far a case's mean may move by chance alone (95 %).

    1.96 · s · √(1/K + 1/L) with s the pooled standard deviation of repeats of one case, K and L
    the repeats of the runs. Metrics without any repeated case are left out: nothing is known.
    """
    inside = [_within(run) for run in (left, right)]
    repeats = max(1, left.manifest.repeats), max(1, right.manifest.repeats)
    bands = {}
    for key in {**inside[0], **inside[1]}:
        squares = sum(found[key][0] for found in inside if key in found)
        freedom = sum(found[key][1] for found in inside if key in found)
        variance = squares / freedom
        bands[key] = Z95 * math.sqrt(variance * (1 / repeats[0] + 1 / repeats[1]))
    return bands


def _within(run: StoredRun) -> dict[str, tuple[float, float]]:
    """Return the sum of squares within cases, and its degrees of freedom, by metric."""
    if run.manifest.repeats == 1 or not run.metrics:
        return {}
    each = ", ".join(
        f"count(m{m.column}) AS n{m.column}, var_samp(m{m.column}) AS s{m.column}"
        for m in run.metrics
    )
    sums = ", ".join(
        f"sum((n{m.column} - 1) * s{m.column}) FILTER (n{m.column} > 1), "
        f"sum(n{m.column} - 1) FILTER (n{m.column} > 1)"
        for m in run.metrics
    )
    with run.table() as table:
        row = engine().rows(f"SELECT {sums} FROM (SELECT {each} FROM {table} GROUP BY case_key)")[0]
    found = zip(run.metrics, row[::2], row[1::2], strict=True)
    return {m.key: (float(squares), float(n)) for m, squares, n in found if n}
