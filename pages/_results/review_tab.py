"""The tab Review of a run: a queue beside the result, its progress, and how reviewers agree."""

from __future__ import annotations

import streamlit as st

from evalcore.results import Verdict
from evalcore.review import Dispute
from evalcore.stats import Agreement
from evalcore.store import RunQuery, StoredRun
from evalcore.verdicts import counted
from evalcore.views.review_queue import (
    SHORT,
    RunReview,
    agreement_words,
    pairs_of,
    progress_words,
)
from evalcore.views.words import plural
from pages._results import address, detail, look, mend, queue, review
from pages._results.look import box, span
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

DISPUTES_SHOWN = 20


def draw(desk: Desk, run: StoredRun) -> None:
    """Draw the tab."""
    held = review.state_of(desk, run)
    _head(run, held)
    mend.waiting(desk, run)
    left, right = st.columns([8, 15], gap="medium")
    current = _current(desk, run, held)
    with left, safe.boundary():
        places = queue.draw(desk, run, held, current)
        _agreement(run, held)
        _file(desk, run, held)
    with right, st.container(border=True):
        if current is None:
            st.caption("What you choose on the left is shown here.")
            return
        with safe.boundary():
            detail.draw(desk, run, current, RunQuery(rows=places or (current,)))


def _current(desk: Desk, run: StoredRun, held: RunReview) -> int | None:
    """Return the result that the address names, else the first of the queue."""
    asked = address.find(run, address.read())
    if asked is not None:
        return asked
    found = held.select(review.which(), review.me(desk))
    return found[0].case_row if found else None


def _head(run: StoredRun, held: RunReview) -> None:
    total = len(held.items)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        with st.container(width="stretch"):
            look.draw(box("title", span("name", progress_words(held)), *_found(held)))
        bind.flag(
            "review.blind",
            "Judge blind",
            bool(state.kept(review.BLIND, False)),
            lambda on: state.keep(review.BLIND, on),
            help="Hides what others found until you have said yours, so that the agreement of two "
            "reviewers means something.",
        )
    if total:
        st.progress(value=held.done / total)
    if held.overrides:
        st.caption(safe.label(_with_overrides(run, held), 400))


def _found(held: RunReview) -> list[safe.Markup]:
    return [
        span("small soft", f"{SHORT[finding]} {count:,}")
        for finding, count in held.findings().most_common()
    ]


def _with_overrides(run: StoredRun, held: RunReview) -> str:
    scored = run.verdicts(RunQuery())
    other = held.overridden(scored)
    words = ", ".join(counted(verdict, other[verdict]) for verdict in Verdict if other[verdict])
    original = ", ".join(counted(v, scored[v]) for v in Verdict if scored[v])
    return (
        f"As scored: {original}. With {plural(held.overrides, 'override')}: {words}. "
        "Scores and rates on this page are as scored."
    )


def _agreement(run: StoredRun, held: RunReview) -> None:
    pairs = pairs_of(held)
    if not pairs and not held.disputes:
        return
    st.markdown("**Two reviewers**")
    for first, second, agreed in pairs[:6]:
        look.draw(box("note", agreement_words(agreed, first, second)))
        _table(first, second, agreed)
    if held.disputes:
        _disputes(run, held.disputes)


def _table(first: str, second: str, agreed: Agreement) -> None:
    """Draw which findings of the one met which of the other."""
    used = [f for f in SHORT if any(f in pair for pair in agreed.table)]
    if len(used) < 2:
        return
    head = (f"{first} ↓  {second} →", *(SHORT[f] for f in used))
    lines = [(SHORT[a], *(f"{agreed.table.get((a, b), 0) or '·'}" for b in used)) for a in used]
    look.draw(look.table(head, lines, "Findings of two reviewers"))


def _disputes(run: StoredRun, found: tuple[Dispute, ...]) -> None:
    st.caption(safe.label(f"{plural(len(found), 'disagreement')} to settle:"))
    for number, dispute in enumerate(found[:DISPUTES_SHOWN]):
        _run, case_id, repeat, turn = dispute.about
        told = "; ".join(
            f"{name}: {SHORT[entry.finding]}"
            for name, entry in dispute.findings.items()
            if entry.finding is not None
        )
        where = "" if turn is None else f", turn {turn + 1}"
        bind.button(
            f"review.dispute {number}",
            f"≠ {case_id}{where}",
            address.choose,
            case_id,
            repeat + 1,
            kind="tertiary",
            help=told,
        )


def _file(desk: Desk, run: StoredRun, held: RunReview) -> None:
    """Say where reviews are kept, and what could not be read."""
    book = review.book(desk, run)
    for problem in held.reviews.problems[:5]:
        st.warning(safe.label(f"{problem.message} {problem.hint}", 400), icon=":material/warning:")
    where = book.path or f"{book.store.url}/{book.spare}"
    told = f"Reviews are kept in {where}"
    if not book.path:
        told += ", because the eval set is not in this workspace"
    st.caption(safe.label(f"{told}. It is only added to, so that what two people say merges.", 400))
