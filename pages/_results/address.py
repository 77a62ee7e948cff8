"""What the Results page looks at: file, run, case and filter, in the URL and in the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from evalcore.counting import CaseRow
from evalcore.results import Verdict
from evalcore.views.results import Filter
from evalcore.views.values import is_printable
from pages._ui import state

PLACE = "#"
"""Begins the address of a case result that only its place in the file tells from others."""


@dataclass(frozen=True, slots=True)
class Address:
    """The names are those of the URL. ``run`` counts from 1; "" and 0 stand for no choice."""

    file: str
    run: int
    case: str
    wanted: Filter


def read() -> Address:
    """Return what the URL says, else what this session last looked at."""
    verdict = state.remembered("verdict") or ""
    return Address(
        file=state.remembered("file") or "",
        run=_number(state.remembered("run")),
        case=state.remembered("case") or "",
        wanted=Filter(
            text=state.remembered("find") or "",
            verdict=Verdict(verdict) if verdict in set(Verdict) else None,
            metric=state.remembered("check") or "",
        ),
    )


def look_at(file: str, run: int) -> None:
    """Open a run, without what was chosen in another one."""
    state.remember("file", file)
    state.remember("run", str(run) if run > 1 else None)
    for name in ("case", "find", "verdict", "check"):
        state.remember(name, None)
    state.keep("results.page", None)


def settle(file: str, run: int) -> None:
    """Write the run that is shown into the address, so that a copied link keeps it."""
    state.remember("file", file)
    state.remember("run", str(run) if run > 1 else None)


def narrow(name: str, value: str) -> None:
    """Set one part of the filter: ``find``, ``verdict`` or ``check``; "" takes it away."""
    state.remember(name, value if is_printable(value) else None)
    state.keep("results.page", None)


def clear() -> None:
    """Take the whole filter away."""
    for name in ("find", "verdict", "check"):
        narrow(name, "")


def choose(case: str) -> None:
    """Show a case result, on the page of the list that it is on."""
    state.remember("case", case)
    state.keep("results.page", None)


def of(row: CaseRow) -> str:
    """Return a case result's address: its id where that names it alone, else its place."""
    name = row.case.case_id or ""
    plain = name.isprintable() and len(name) <= 200 and is_printable(name)
    if row.ids == 1 and name and plain and not name.startswith(PLACE):
        return name
    return f"{PLACE}{row.place + 1}"


def find(rows: Any, case: str) -> CaseRow | None:
    """Return the row with an address, None if it is not among ``rows``.

    The bare id of a case that ran several times means its first result.
    """
    return next((r for r in rows if of(r) == case), None) or next(
        (r for r in rows if case and r.case.case_id == case), None
    )


def _number(text: str | None) -> int:
    return max(1, int(text)) if text and text.isdecimal() and text.isascii() else 1


def query() -> dict[str, str]:
    """Return the present query, to build a link that differs from it in one thing."""
    return {name: value for name, value in st.query_params.items() if isinstance(value, str)}
