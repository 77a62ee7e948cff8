"""What the Compare page looks at, in the URL and in the session.

* ``runs`` ids with commas between them, the first is the baseline; ``against`` the other run of the
  pair that is shown, where there are several; ``outcome`` ``find`` ``check`` ``slice`` (a pair such
  as ``lang=de``) ``diff`` ``sort`` ``page`` filter its cases; ``case`` is the one that is open;
* ``margin`` is in points of a hundred;
* ``view=trends`` with ``set`` shows the runs of a set over time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from evalcore.compare import Outcome, PairQuery
from evalcore.views.compare import CHANGED

FILTERS = ("outcome", "find", "check", "slice", "diff", "page")
OF_RUNS = ("against", "case", *FILTERS)
PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class Address:
    """What is asked for; "" and None stand for no choice. ``margin`` is a share of 1."""

    runs: tuple[str, ...] = ()
    against: str = ""
    outcome: Outcome | None = None
    is_diff_only: bool = False
    find: str = ""
    check: str = ""
    slice: tuple[str, str] | None = None
    sort: str = "worst"
    page: int = 1
    case: str = ""
    margin: float | None = None
    view: Literal["runs", "trends"] = "runs"
    set: str = ""

    @property
    def query(self) -> PairQuery:
        """Return which cases are listed."""
        outcomes = CHANGED if self.is_diff_only else None
        return PairQuery(
            outcomes=outcomes if self.outcome is None else frozenset([self.outcome]),
            text=self.find,
            check=self.check,
            slice=self.slice,
            sort=self.sort,
            limit=PAGE_SIZE,
            offset=(self.page - 1) * PAGE_SIZE,
        )

    @property
    def is_filtered(self) -> bool:
        """Return whether anything but the outcome leaves cases out."""
        return bool(self.find or self.check or self.slice)


def read() -> Address:
    """Return what the URL says, else what this session last looked at."""
    asked = st.query_params.get("runs")
    if asked and asked != st.session_state.get(_slot("runs")):
        # Another comparison: what was filtered in the last one is no wish for this one.
        for name in OF_RUNS:
            st.session_state.pop(_slot(name), None)
    if asked and not st.query_params.get("view"):
        # A link to runs means them, whatever was looked at last.
        st.session_state.pop(_slot("view"), None)
    outcome = _text("outcome")
    pairs = parse_qsl(_text("slice"), keep_blank_values=True)
    return Address(
        runs=tuple(dict.fromkeys(part for part in _text("runs").split(",") if part)),
        against=_text("against"),
        outcome=Outcome(outcome) if outcome in set(Outcome) else None,
        is_diff_only=bool(_text("diff")),
        find=_text("find"),
        check=_text("check"),
        slice=pairs[0] if pairs else None,
        sort="file" if _text("sort") == "file" else "worst",
        page=max(1, _number("page")),
        case=_text("case"),
        margin=_margin(_text("margin")),
        view="trends" if _text("view") == "trends" else "runs",
        set=_text("set"),
    )


def look_at(ids: tuple[str, ...] | list[str]) -> None:
    """Compare these runs, without what was filtered among others."""
    for name in OF_RUNS:
        remember(name, "")
    remember("view", "")
    remember("runs", ",".join(dict.fromkeys(ids)))


def narrow(name: str, value: str) -> None:
    """Set one part; "" takes it away. All but the case lead back to the first page."""
    remember(name, value)
    if name in FILTERS and name != "page":
        remember("page", "")


def clear() -> None:
    """Take the filter away."""
    for name in FILTERS:
        remember(name, "")


def slice_text(name: str, group: str) -> str:
    """Return what ``slice`` is for a group of a slice."""
    return urlencode({name: group}, errors="surrogatepass")


def remember(name: str, value: str) -> None:
    """Note a choice in the URL and in the session; "" forgets it."""
    if value:
        st.session_state[_slot(name)] = value
        if st.query_params.get(name) != value:
            st.query_params[name] = value
    else:
        st.session_state.pop(_slot(name), None)
        st.query_params.pop(name, None)


def link() -> str:
    """Return the parameters of what is shown, for an address that somebody else opens."""
    held = {n: v for n, v in st.query_params.items() if isinstance(v, str)}
    if "view" not in held:
        held.pop("set", None)
    return urlencode(held)


def link_to(**changed: str) -> str:
    """Return the address of this page with some parameters changed; "" takes one away."""
    held = {n: v for n, v in st.query_params.items() if isinstance(v, str)} | changed
    known = {name: value for name, value in held.items() if value}
    return f"compare?{urlencode(known, errors='surrogatepass')}"


def _text(name: str) -> str:
    found: str = st.query_params.get(name) or st.session_state.get(_slot(name)) or ""
    remember(name, found)
    return found


def _number(name: str) -> int:
    text = _text(name)
    return int(text[:9]) if text.isdecimal() and text.isascii() else 0


def _margin(text: str) -> float | None:
    try:
        points = float(text)
    except ValueError:
        return None
    return points / 100 if 0 < points <= 100 else None


def _slot(name: str) -> str:
    return f"comparing {name}"
