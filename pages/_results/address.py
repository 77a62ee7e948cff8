"""What the Results page looks at: run, case and filter, in the URL and in the session.

The parameters of the page:

* ``run`` a run's id; old links give ``file`` (a path) and a number of a run in it, from 1;
* ``mode`` ``find`` ``cause`` ``sort`` ``page`` as ``RunQuery`` has them (the page counts from 1);
* ``check`` a check's key, with ``verdict`` what it said, with ``score`` such as ``>=0.5`` or
  ``>=0.5,<0.55``;
* ``tag`` tags with commas between them, ``slice`` pairs such as ``lang=de&tier=gold``;
* ``base`` the id of another run to hold this one against, ``only`` the same, and only the cases
  that came out otherwise there;
* ``case`` a case's key with ``repeat`` from 1, or ``#`` and the place in the run, from 1.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field, replace
from typing import get_args
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from evalcore.results import Verdict
from evalcore.store import CaseLine, Manifest, MetricFilter, RunQuery, StoredRun
from evalcore.store.query import Comparison, Mode, Order
from evalcore.views.values import is_printable

PLACE = "#"
"""Begins the address of a case result that only its place in the run tells from others."""
FILTERS = ("mode", "find", "check", "verdict", "score", "cause", "tag", "slice", "only")
NAMES = ("run", "file", "case", "repeat", "base", "sort", "page", *FILTERS)
LIST_NAMES = ("named", "of", "system", "leaf")
"""The parameters of the list of runs: a text, an eval set's key, a format's id, a page."""
SEEN = "results looked at"
PAGE_SIZE = 100
_SCORE = re.compile(r"(<=|>=|<|>|=)\s*(-?\d+(?:\.\d+)?)")
_OLD_VERDICTS: dict[str, Mode] = {
    "failed": "failures",
    "error": "errors",
    "passed": "passes",
    "not_evaluated": "not_evaluated",
}


@dataclass(frozen=True, slots=True)
class Address:
    """``run`` is a run's id; ``file`` and ``number`` are those of an old link.

    "" and 0 stand for no choice. ``query`` holds the filter, the order and the page of the list,
    but for ``only``, which needs the other run to be opened.
    """

    run: str = ""
    file: str = ""
    number: int = 0
    case: str = ""
    repeat: int = 0
    only: str = ""
    query: RunQuery = field(default_factory=RunQuery)

    def query_for(self, manifest: Manifest) -> RunQuery:
        """Return the query without what this run does not have: its checks may be other ones."""
        known = {metric.key for metric in manifest.metrics}
        query = self.query
        metrics = tuple(m for m in query.metrics if m.key in known)
        by_metric = query.sort.startswith("metric:")
        lost = by_metric and query.sort.removeprefix("metric:") not in known
        return replace(query, metrics=metrics, sort="worst" if lost else query.sort)


def read() -> Address:
    """Return what the URL says, else what this session last looked at."""
    run, file = text("run"), text("file")
    is_old = run.isdecimal() and run.isascii()
    return Address(
        run="" if is_old else run,
        file=file,
        number=max(1, int(run[:9])) if is_old else 1,
        case=text("case"),
        repeat=_number("repeat"),
        only=text("only"),
        query=_query(),
    )


def look_at(run: str) -> None:
    """Open a run, without what was chosen in another one; "" opens the list of runs."""
    for name in NAMES:
        _put(name, "")
    _put("run", run)


def settle(run: str) -> None:
    """Write the run that is shown into the address, in place of an old link's file and number."""
    _put("file", "")
    _put("run", run)


def narrow(name: str, value: str) -> None:
    """Set one part of the filter, the order or the page; "" takes it away.

    A filter that changes leads back to the first page; so does ``sort``. What hangs on ``check``
    goes with it.
    """
    _put(name, value if is_printable(value) else "")
    if name in NAMES and name != "page":
        _put("page", "")
    if name == "check":
        _put("verdict", "")
        _put("score", "")


def clear() -> None:
    """Take the whole filter away; the order stays."""
    for name in FILTERS:
        narrow(name, "")


def choose(case: str, repeat: int = 0) -> None:
    """Show a case result: by its key and repeat (from 1), or by the text that ``of`` gives."""
    _put("case", case)
    _put("repeat", str(repeat) if repeat > 1 else "")


def choose_row(run: StoredRun, case_row: int) -> None:
    """Show the case result at a place of a run."""
    found = run.page(RunQuery(rows=(case_row,), limit=1)).lines
    if found:
        choose(*of(found[0]))


def of(line: CaseLine) -> tuple[str, int]:
    """Return a case result's address: its key with its repeat from 1, else its place."""
    key = line.case_key
    plain = key.isprintable() and len(key) <= 200 and is_printable(key)
    if plain and not key.startswith((PLACE, "place ")):
        return key, line.repeat + 1
    return f"{PLACE}{line.case_row + 1}", 1


def find(run: StoredRun, asked: Address) -> int | None:
    """Return the place of the case result that is asked for, None where the run has none such."""
    if not asked.case:
        return None
    if asked.case.startswith(PLACE):
        number = asked.case.removeprefix(PLACE)
        is_number = number.isdecimal() and number.isascii()
        place = int(number[:12]) - 1 if is_number else -1
        return place if 0 <= place < run.manifest.cases.total else None
    found = run.repeats(asked.case)
    wanted = max(asked.repeat, 1) - 1
    same = next((line for line in found if line.repeat == wanted), None)
    chosen = same or (found[0] if found else None)
    return None if chosen is None else chosen.case_row


def query_params() -> dict[str, str]:
    """Return the present parameters, to build a link that differs from it in one thing."""
    return {name: value for name, value in st.query_params.items() if isinstance(value, str)}


def _query() -> RunQuery:
    mode, verdict, sort = text("mode"), text("verdict"), text("sort")
    is_order = _is_order(sort.removeprefix("-"))
    check, page = text("check"), max(1, _number("page"))
    if not mode and not check:
        mode = _OLD_VERDICTS.get(verdict, "")
    return RunQuery(
        mode=_mode(mode),
        text=text("find"),
        metrics=_metrics(check, verdict, text("score")),
        tags=_tags(text("tag")),
        slices=tuple(parse_qsl(text("slice"), keep_blank_values=True)),
        cause=text("cause") or None,
        sort=sort.removeprefix("-") if is_order else "worst",
        descending=is_order and sort.startswith("-"),
        limit=PAGE_SIZE,
        offset=(page - 1) * PAGE_SIZE,
    )


def tags_text(tags: tuple[str, ...]) -> str:
    """Return what ``tag`` is for some tags; a tag that holds a comma stands in quotes."""
    return ",".join('"' + t.replace('"', '""') + '"' if set(t) & set(',"') else t for t in tags)


def slices_text(slices: tuple[tuple[str, str], ...]) -> str:
    """Return what ``slice`` is for some pairs of a slice and its group."""
    return urlencode(slices, errors="surrogatepass")


def score_text(comparison: Comparison, value: float) -> str:
    """Return what ``score`` is for one side of a number on 0–1."""
    return f"{comparison}{value:.12g}"


def _mode(text: str) -> Mode:
    known: tuple[Mode, ...] = get_args(Mode)
    return next((mode for mode in known if mode == text), "all")


def _is_order(text: str) -> bool:
    return text in get_args(Order) or text.startswith("metric:")


def _metrics(check: str, verdict: str, score: str) -> tuple[MetricFilter, ...]:
    if not check:
        return ()
    said = Verdict(verdict) if verdict in set(Verdict) else None
    sides = [side for part in score.split(",") if (side := _SCORE.fullmatch(part)) is not None]
    ranges = tuple(MetricFilter(check, None, _sign(side[1]), float(side[2])) for side in sides)
    if said is None and ranges:
        return ranges
    return (MetricFilter(check, said), *ranges)


def _sign(text: str) -> Comparison:
    known: tuple[Comparison, ...] = get_args(Comparison)
    return next(sign for sign in known if sign == text)


def _tags(text: str) -> tuple[str, ...]:
    found = next(csv.reader([text.replace("\r", " ").replace("\n", " ")]), []) if text else []
    return tuple(tag for tag in found if tag)


def text(name: str) -> str:
    """Return one of the page's parameters, "" where nothing is chosen."""
    return _held().get(name, "")


def _held() -> dict[str, str]:
    """Return what the URL says; where it says nothing, what this session last looked at.

    A menu click drops the URL, and a link to another run must not bring the filter of this one:
    either all of it counts or nothing.
    """
    said = st.query_params.to_dict()
    now = {name: value for name in (*NAMES, *LIST_NAMES) if (value := said.get(name))}
    if not now:
        held: dict[str, str] = st.session_state.get(SEEN, {})
        for name, value in held.items():
            st.query_params[name] = value
        return dict(held)
    st.session_state[SEEN] = now
    return now


def _put(name: str, value: str) -> None:
    """Note a choice in the URL and in the session; "" takes it away."""
    held = {n: v for n, v in _held().items() if n != name}
    if value:
        held[name] = value
        if st.query_params.get(name) != value:
            st.query_params[name] = value
    else:
        st.query_params.pop(name, None)
    st.session_state[SEEN] = held


def _number(name: str) -> int:
    found = text(name)
    return int(found[:9]) if found.isdecimal() and found.isascii() else 0
