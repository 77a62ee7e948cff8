"""Choosing a run of the workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from evalcore import verdicts
from evalcore.results import Verdict
from evalcore.views.run_files import RunSummary
from evalcore.views.words import plural
from pages._results import address
from pages._ui import bind


def pick(
    lines: Sequence[RunSummary], file: str, run: int, beside: Callable[[], None]
) -> RunSummary | None:
    """Draw the choice of runs and return the chosen one: that of the address, else the newest.

    None if the address names a file that holds no run here; the choice is drawn all the same.
    ``beside`` draws what else there is to choose.
    """
    chosen = _named(lines, file, run) if file else lines[0]
    labels = _labels(lines)
    by_label = dict(zip(labels, lines, strict=True))
    now = labels[lines.index(chosen)] if chosen else None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        bind.choice(
            "results.run", "Run", labels, now, lambda label: _open(by_label, label), hidden=True
        )
        beside()
    return chosen


def _open(by_label: dict[str, RunSummary], label: str) -> None:
    line = by_label.get(label)
    if line is not None:
        address.look_at(line.path, line.number)


def _named(lines: Sequence[RunSummary], file: str, run: int) -> RunSummary | None:
    of_file = [line for line in lines if line.path == file]
    return next((line for line in of_file if line.number == run), of_file[0] if of_file else None)


def _labels(lines: Sequence[RunSummary]) -> list[str]:
    """Return a text for every run, all different."""
    labels: list[str] = []
    taken: set[str] = set()
    for line in lines:
        text = " · ".join(filter(None, (_moment(line), line.set_name or line.name, _came_to(line))))
        where = line.path if line.siblings == 1 else f"{line.path} (run {line.number})"
        label = f"{text} · {where}"
        taken.add(label)
        labels.append(label)
    return labels


def _moment(line: RunSummary) -> str:
    if line.problem is not None:
        return "! cannot be read"
    return f"{line.moment:%d %b %Y %H:%M}" if line.created_at else f"{line.moment:%d %b %Y}"


def _came_to(line: RunSummary) -> str:
    if line.problem is not None:
        return ""
    if line.counts is None:
        return plural(line.total, "case result")
    bad = [
        f"{verdicts.GLYPHS[v]} {line.counts[v]}"
        for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED)
        if line.counts[v]
    ]
    return "  ".join([f"✓ {line.counts[Verdict.PASSED]} of {line.total}", *bad])
