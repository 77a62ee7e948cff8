"""Which cases of a comparison are wanted, and in which order, as SQL with parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256

from evalcore.compare.joining import Joined
from evalcore.compare.outcomes import EPSILON, NUMBERS, Outcome
from evalcore.errors import EvaldeskError
from evalcore.store import MetricSummary, RunQuery, StoredRun
from evalcore.store.documents import utf8
from evalcore.store.query import group_sql

MOST_FOUND = 20_000
"""Cases that words in their answers lead to; a search that finds more is no search."""
ORDERS = {
    "worst": "outcome, delta, l_row NULLS LAST, r_row",
    "file": "l_row NULLS LAST, r_row",
}
HASHED = "#"
"""Begins the address of a case whose key is too long or too odd for a link."""
LONGEST_KEY = 200
Shared = Sequence[tuple[MetricSummary, MetricSummary]]


@dataclass(frozen=True, slots=True)
class PairQuery:
    """Which cases are wanted; None for all outcomes.

    Every word of ``text`` must occur in the case's key, or somewhere in one of its results.
    ``check`` is a metric's key: only cases whose score changed there, the largest drop first.
    ``slice`` is the name of a slice and its group. ``sort`` is worst or file, the order of the left
    run with cases of the right one at the end.
    """

    outcomes: frozenset[Outcome] | None = None
    text: str = ""
    check: str = ""
    slice: tuple[str, str] | None = None
    cases: frozenset[str] | None = None
    sort: str = "worst"
    limit: int = 100
    offset: int = 0

    @property
    def is_open(self) -> bool:
        """Return whether every case is wanted."""
        return replace(self, sort="worst", limit=100, offset=0) == PairQuery()


def address_of(case_key: str) -> str:
    """Return what a case is called in a link: its key, else the beginning of the key's hash."""
    is_plain = case_key.isprintable() and len(case_key) <= LONGEST_KEY
    if case_key and is_plain and not case_key.startswith(HASHED):
        return case_key
    return HASHED + sha256(case_key.encode("utf-8", "backslashreplace")).hexdigest()[:24]


@dataclass(slots=True)
class Asked:
    """What to select from, with the parameters of its condition."""

    source: str
    where: str = "TRUE"
    order: str = ORDERS["worst"]
    parameters: list[object] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Return source and condition."""
        return f"FROM {self.source} WHERE {self.where}"


def asked(
    query: PairQuery, tables: Joined, shared: Shared, left: StoredRun, right: StoredRun
) -> Asked:
    """Return what a query selects from; raises EvaldeskError for a check they do not share."""
    found = Asked(tables.pairs, order=ORDERS[query.sort])
    if query.check:
        a, b = _shared(query.check, shared)
        step = f"r.m{b.column} - l.m{a.column}"
        found.source = (
            f"{tables.pairs} JOIN (SELECT l.case_row AS place, {step} AS step FROM {tables.both} "
            f"WHERE abs({step}) > {EPSILON}) ON place = l_row"
        )
        found.order = found.order if query.sort == "file" else f"step, {found.order}"
    parts = ["TRUE"]
    for text, parameters in _parts(query, tables, left, right):
        parts.append(text)
        found.parameters += parameters
    found.where = " AND ".join(parts)
    return found


def _shared(key: str, shared: Shared) -> tuple[MetricSummary, MetricSummary]:
    for a, b in shared:
        if a.key == key:
            return a, b
    raise EvaldeskError(
        f"The runs have no check {key!r} in common", hint="Choose one from the table of checks."
    )


def _parts(
    query: PairQuery, tables: Joined, left: StoredRun, right: StoredRun
) -> Iterator[tuple[str, list[object]]]:
    if query.outcomes is not None:
        numbers = sorted(NUMBERS[outcome] for outcome in query.outcomes)
        yield "outcome IN (SELECT unnest(?::UTINYINT[]))", [numbers]
    if query.cases is not None:
        yield _keyed("case_key IN (SELECT unnest(?::VARCHAR[]))", tables, [sorted(query.cases)])
    if query.slice is not None:
        yield _in_slice(query.slice, tables)
    words = utf8(query.text.lower()).split()
    if words:
        named = " AND ".join("contains(lower(case_key), ?)" for _ in words)
        held = "case_key IN (SELECT unnest(?::VARCHAR[]))"
        found = _found(query.text, left) | _found(query.text, right)
        yield _keyed(f"(({named}) OR {held})", tables, [*words, sorted(found)])


def _keyed(condition: str, tables: Joined, parameters: list[object]) -> tuple[str, list[object]]:
    """Return a condition on the key of a case, whichever side has it."""
    return (
        f"(l_row IN (SELECT case_row FROM {tables.left} WHERE {condition}) "
        f"OR r_row IN (SELECT case_row FROM {tables.right} WHERE {condition}))",
        [*parameters, *parameters],
    )


def _in_slice(wanted: tuple[str, str], tables: Joined) -> tuple[str, list[object]]:
    """Return the condition that either side says the case is of a group."""
    group, value = group_sql(wanted[0]), utf8(wanted[1])
    inside = f"list_contains({group.text}, ?)"
    return (
        f"(l_row IN (SELECT c.case_row FROM {tables.left_results} c WHERE {inside}) "
        f"OR r_row IN (SELECT c.case_row FROM {tables.right_results} c WHERE {inside}))",
        [*group.parameters, value] * 2,
    )


@lru_cache(maxsize=32)
def _found(text: str, run: StoredRun) -> frozenset[str]:
    sql = f"SELECT DISTINCT c.case_key FROM {{cases}} c WHERE {{where}} LIMIT {MOST_FOUND}"
    return frozenset(key for (key,) in run.ask(sql, [], RunQuery(text=text)))
