"""What says nothing any more, and what cannot be relied on: checks and cases over several runs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evalcore.compare import CaseStory, Steadiness, address_of, steadiness, steady_checks
from evalcore.compare.steadiness import MOST_RUNS
from evalcore.errors import EvaldeskError
from evalcore.store import Manifest, StoredRun
from evalcore.views.compare import run_when
from evalcore.views.results_table import short
from evalcore.views.words import plural
from pages._results import card
from pages._ui import runs, safe, state
from pages._ui.desk import Desk
from pages._ui.rows import Column, Piece, Row, Tone, cell, link, rows

LONGEST = 1000
"""Characters of a sentence of ours."""
MOST_RESULTS = 2_000_000
"""How much is looked at, from the newest run on."""


def checks(found: Sequence[Manifest]) -> None:
    """Draw the checks that said the same of every result."""
    silent = steady_checks(found)
    looked = plural(len(found), "run")
    if not silent:
        st.success(safe.label(f"Every check passed some results and failed others in {looked}."))
        return
    st.caption(
        safe.label(
            f"Over {looked}. A check that never fails is either not needed or not strict enough; "
            "one that always fails may be broken. The last column is what this does not rule out.",
            LONGEST,
        )
    )
    rows(
        "trends.checks",
        "Checks that always say the same",
        [
            Column("Check"),
            Column("Says", "130px"),
            Column("Results", "110px", "right"),
            Column("Runs", "80px", "right"),
            Column("Still possible (95 %)", "210px", "right"),
        ],
        [
            Row(
                check.key,
                f"{check.label} {check.kind}",
                (
                    cell(Piece(short(check.label, 80), strong=True)),
                    cell(Piece(*_kind(check.kind))),
                    cell(f"{check.results:,}"),
                    cell(f"{check.runs:,}"),
                    cell(_bound(check.kind, check.bound.high, check.bound.n)),
                ),
            )
            for check in silent
        ],
        on_open=partial(_see_check, found[-1].id),
    )


def _kind(kind: str) -> tuple[str, Tone]:
    return ("✓ never fails", "ok") if kind == "never fails" else ("✗ always fails", "error")


def _bound(kind: str, high: float | None, cases: int) -> str:
    word = "fail" if kind == "never fails" else "pass"
    return f"up to {100 * (high or 0):.1f} % {word} ({plural(cases, 'case')})"


def _see_check(run_id: str, key: str) -> None:
    state.go("results", run=run_id, check=key, case=None)


def flaky(desk: Desk, found: Sequence[Manifest]) -> None:
    """Draw the cases whose verdict does not hold."""
    opened = _opened(desk, found)
    told = _steadiness(opened)
    if told is None:
        return
    st.caption(
        safe.label(
            f"{plural(told.flaky_total, 'case')} of {told.cases:,}, over {_looked(opened)}: "
            "repeats of one run disagree (~), or the verdict changed and changed back. "
            "Oldest run left; ● passed, ○ failed, ~ some of both, · not judged.",
            LONGEST,
        )
    )
    if not told.flaky:
        st.success("No case flakes in these runs. With few runs and repeats, that is no proof.")
        return
    newest = opened[-1].manifest.id
    rows(
        "trends.flaky",
        "Flaky cases",
        [
            Column("Case"),
            Column("Over the runs", "clamp(160px, 26vw, 380px)"),
            Column("Changed", "90px", "right"),
            Column("Mixed runs", "100px", "right"),
        ],
        [_story(story, newest) for story in told.flaky],
        on_open=lambda name: state.go("results", run=newest, case=name, repeat=None),
        height="640px",
    )
    if told.flaky_total > len(told.flaky):
        st.caption(safe.label(f"The {len(told.flaky)} that changed most."))


def _story(story: CaseStory, newest: str) -> Row:
    dots = "".join(_dot(of) for of in story.runs)
    passed = sum(1 for of in story.runs if of is not None and 2 * of[0] > of[1])
    judged = sum(1 for of in story.runs if of is not None)
    name = address_of(story.case_key)
    return Row(
        name,
        f"{story.case_key}, passed {passed} of {judged} runs",
        (
            cell(Piece(short(story.case_key, 120), strong=True)),
            cell(dots, below=[Piece(f"passed {passed} of {plural(judged, 'run')}", "muted")]),
            cell(f"{story.flips}×"),
            cell(f"{story.mixed}"),
        ),
        link("results", run=newest, case=name),
    )


def _dot(of: tuple[int, int] | None) -> str:
    if of is None:
        return "·"
    if 0 < of[0] < of[1]:
        return "~"
    return "●" if of[0] else "○"


def cases(desk: Desk, found: Sequence[Manifest]) -> None:
    """Draw the cases that tell no two runs apart."""
    opened = _opened(desk, found)
    told = _steadiness(opened)
    if told is None:
        return
    if len(opened) < 2:
        st.info("This takes two runs of the set.")
        return
    silent = told.passed + told.failed
    st.caption(
        safe.label(
            f"{plural(silent, 'case')} of {told.cases:,} came out the same in {_looked(opened)}, "
            "so their verdicts tell no two of them apart. That is fine for a guard against "
            "relapse; for measuring progress, harder cases say more. Scores may still differ.",
            LONGEST,
        )
    )
    newest = opened[-1].manifest.id
    left, right = st.columns(2, gap="medium")
    for column, title, count, keys in (
        (left, "Always failed", told.failed, told.failed_keys),
        (right, "Always passed", told.passed, told.passed_keys),
    ):
        with column:
            st.subheader(safe.label(f"{title}: {count:,}"), anchor=False)
            _keys(f"trends.{title}", title, keys, count, newest)


def _keys(key: str, title: str, names: Sequence[str], count: int, newest: str) -> None:
    if not names:
        st.caption("None.")
        return
    rows(
        key,
        title,
        [Column("Case")],
        [
            Row(
                address_of(name),
                name,
                (cell(short(name, 120)),),
                link("results", run=newest, case=address_of(name)),
            )
            for name in names
        ],
        on_open=lambda name: state.go("results", run=newest, case=name, repeat=None),
        height="480px",
    )
    if count > len(names):
        st.caption(safe.label(f"The first {len(names):,} of {count:,} by name."))


def _opened(desk: Desk, found: Sequence[Manifest]) -> list[StoredRun]:
    """Return the newest runs, as many as can be looked at at once, the oldest first."""
    opened: list[StoredRun] = []
    results = 0
    for manifest in reversed(found):
        results += manifest.cases.total
        if opened and (len(opened) == MOST_RUNS or results > MOST_RESULTS):
            break
        try:
            opened.append(runs.opened(desk, manifest.id, card.mark()))
        except EvaldeskError as error:
            safe.report(error)
    return list(reversed(opened))


def _looked(opened: Sequence[StoredRun]) -> str:
    if len(opened) == 1:
        return "the newest run"
    since = run_when(opened[0].manifest)
    return f"the newest {len(opened)} runs" + (f" (since {since} UTC)" if since else "")


def _steadiness(opened: Sequence[StoredRun]) -> Steadiness | None:
    if not opened:
        st.info("None of these runs can be read.")
        return None
    return _held(tuple(run.key for run in opened), tuple(opened))


@st.cache_resource(show_spinner="Looking at the cases of these runs…", max_entries=16)
def _held(key: tuple[tuple[str, ...], ...], _runs: tuple[StoredRun, ...]) -> Steadiness:
    return steadiness(_runs)
