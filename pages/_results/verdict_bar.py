"""The verdict bar of a result: who was wrong, what it counts as, and what others said of it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from evalcore import counting, verdicts
from evalcore.results import Verdict
from evalcore.review import WORDS, Entry, Finding, Item
from evalcore.store import RunQuery, StoredRun
from evalcore.verdicts import PassMark
from evalcore.views.review_bar import HELP, Said, Subject, entries_of, with_finding
from evalcore.views.review_queue import RunReview
from pages._results import address, make_case, mend, review, said_before
from pages._ui import bind, keys, safe, state
from pages._ui.desk import Desk

LABELS = {
    Finding.AGENT_WRONG: "Agent was wrong",
    Finding.EXPECTATION_WRONG: "Expectation was wrong",
    Finding.JUDGE_WRONG: "Judge was wrong",
    Finding.AMBIGUOUS: "Ambiguous",
}
PICKS = {Verdict.PASSED: "p", Verdict.FAILED: "f"}
WHOLE = "The whole case"
NAMING = "review.naming"
MOST_SEGMENTS = 6
"""Turns up to which each has a button of its own."""


def draw(desk: Desk, run: StoredRun, case_row: int, turn: int | None = None) -> None:
    """Draw the bar of the case result at a place of a run.

    ``turn`` (from 0) is the one that is looked at, None for the whole result; another one can be
    chosen in the bar.
    """
    found = run.page(RunQuery(rows=(case_row,), limit=1)).lines
    if not found:
        return
    mark = PassMark(run.pass_mark) if run.pass_mark is not None else PassMark()
    row = counting.case_row(case_row, run.case(case_row), mark)
    subject = Subject(run.manifest.id, found[0], row, mark)
    held = review.state_of(desk, run)
    item = held.item(case_row, subject.line.case_key, subject.line.repeat)
    said = pending(subject, turn)
    make_case.open_asked(desk, run, subject)
    with st.container(key="verdict-bar", gap="xsmall", border=True), safe.boundary():
        said_before.draw(desk, run, subject, item)
        if _is_folded(subject, item, said):
            _folded(desk, run, subject, held)
            return
        _findings(subject, said)
        _turns(subject, said)
        stages = False
        if not said.is_empty or said.note or not _fails(subject):
            _verdict(subject, said)
            if said.finding is Finding.EXPECTATION_WRONG:
                stages = mend.draw(desk, run, subject, said, partial(_change, subject, said))
            _note(subject, said, item)
        _foot(desk, run, subject, said, held, stages=stages)


def pending(subject: Subject, turn: int | None = None) -> Said:
    """Return what is about to be said of a result, kept until it is saved."""
    found = state.kept(_slot(subject), None)
    return found if isinstance(found, Said) else Said(turn=turn)


def keep(subject: Subject, said: Said) -> None:
    """Keep what is about to be said."""
    state.keep(_slot(subject), said)


def _slot(subject: Subject) -> str:
    return f"review.said {subject.run} {subject.line.case_row}"


def _is_folded(subject: Subject, item: Item, said: Said) -> bool:
    """Return whether the bar is one line: what passed, or is reviewed, asks for nothing."""
    if said != Said(turn=said.turn) or state.kept(f"{_slot(subject)} open", False):
        return False
    return not _fails(subject) or not (item.is_open or item.is_disputed)


def _fails(subject: Subject) -> bool:
    return subject.line.verdict in (Verdict.FAILED, Verdict.ERROR)


def _folded(desk: Desk, run: StoredRun, subject: Subject, held: RunReview) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        bind.button(
            "review.open",
            "Review this result",
            lambda: state.keep(f"{_slot(subject)} open", True),
            icon="rate_review",
            kind="tertiary",
            shortcut="1",
        )
        _who(desk, held, is_asked=False)
        make_case.offer(run, subject)
        _next_button(desk, run, subject)


def _findings(subject: Subject, said: Said) -> None:
    with st.container(horizontal=True, gap="xsmall", key="verdict-picks"):
        for number, (finding, label) in enumerate(LABELS.items(), 1):
            is_on = said.finding is finding
            bind.button(
                f"review.pick {finding}",
                label,
                _pick,
                subject,
                said,
                finding,
                icon="check_circle" if is_on else "",
                kind="primary" if is_on else "secondary",
                help=HELP[finding],
                shortcut=str(number),
            )


def _pick(subject: Subject, drawn: Said, finding: Finding) -> None:
    said = pending(subject, drawn.turn)
    keep(subject, with_finding(subject, said, finding))


def _change(subject: Subject, drawn: Said, **update: object) -> None:
    """Change what is about to be said: as it is by now, for another field may have changed too."""
    keep(subject, replace(pending(subject, drawn.turn), **update))  # type: ignore[arg-type]


def _turns(subject: Subject, said: Said) -> None:
    """Draw the choice of the turn, where there are several."""
    turns = subject.row.turns
    if len(turns) < 2:
        return
    names = {WHOLE: None, **{f"Turn {t.number}": t.number - 1 for t in turns}}
    shown = {name: name for name in names}
    for turn in turns:
        if turn.verdict is not None:
            name = f"Turn {turn.number}"
            shown[name] = f"{name} {verdicts.GLYPHS[turn.verdict]}"
    now = next((name for name, number in names.items() if number == said.turn), WHOLE)

    def commit(name: str) -> None:
        _change(subject, said, turn=names[name], parts=None)

    key = f"review.turn {subject.run} {subject.line.case_row}"
    if len(turns) <= MOST_SEGMENTS:
        bind.segments(key, "What this is about", shown, now, commit)
        return
    with st.container(width=220):
        bind.choice(key, "What this is about", list(names), now, commit, hidden=True)


def _verdict(subject: Subject, said: Said) -> None:
    """Draw what the result counts as: its scored verdict, or another one."""
    original, words = subject.line.verdict, "Counts as"
    if len(subject.row.turns) > 1:
        words = "The case counts as"
    now = said.verdict or original
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(safe.el("span", words, css="ed-muted"), width="content")
        for verdict in dict.fromkeys((original, *PICKS)):
            is_original = verdict is original
            bind.button(
                f"review.count {verdict}",
                verdicts.said(verdict) + (", as scored" if is_original else ""),
                partial(_change, subject, said, verdict=verdict),
                icon="check" if verdict is now else "",
                kind="tertiary",
                shortcut="u" if is_original else PICKS[verdict],
                help="Scores never change. What you count otherwise is shown as an override, "
                "with your name, and can be taken back.",
            )


def _note(subject: Subject, said: Said, item: Item) -> None:
    bind.area(
        f"review.note {subject.run} {subject.line.case_row}",
        "Note",
        said.note,
        lambda text: _change(subject, said, note=text),
        placeholder="Why? A note for whoever reads this later (M)",
        hidden=True,
    )
    if item.is_disputed:
        bind.flag(
            f"review.settles {subject.run} {subject.line.case_row}",
            "This is what we agreed on",
            said.settles,
            lambda on: _change(subject, said, settles=on),
            help="Ends the disagreement. The agreement of reviewers is counted without it.",
        )


def _foot(
    desk: Desk, run: StoredRun, subject: Subject, said: Said, held: RunReview, *, stages: bool
) -> None:
    goes_on = bool(state.kept(review.GO_ON, True))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _who(desk, held, is_asked=not said.is_empty)
        make_case.offer(run, subject)
        _next_button(desk, run, subject)
        st.space("stretch")
        bind.flag(
            "review.go_on",
            "Go on",
            goes_on,
            lambda on: state.keep(review.GO_ON, on),
            help="After saving, show the next failure that nobody reviewed.",
        )
        with st.container(key="verdict-save", width="content"):
            bind.button(
                "review.save",
                ("Save and stage" if stages else "Save") + (" & next" if goes_on else ""),
                lambda: _save(desk, run, subject, goes_on=goes_on),
                kind="secondary" if said.is_empty else "primary",
                help=f"{keys.HAND_ON} does the same, also while you write the note.",
            )


def _who(desk: Desk, held: RunReview, *, is_asked: bool) -> None:
    """Draw who reviews; somebody without a name is asked for one once there is need of it."""
    name = review.me(desk)
    if state.kept(NAMING, False) or (is_asked and not name):
        _name(desk, name, held)
    elif name:
        bind.button(
            "review.rename",
            f"as {name}",
            lambda: state.keep(NAMING, True),
            icon="person",
            kind="tertiary",
            help="Reviews are written down under this name. Press to change it.",
        )


def _name(desk: Desk, name: str, held: RunReview) -> None:
    """Ask who reviews: once, the answer is remembered for this browser."""
    others = [person for person in held.people if person != name]
    with st.container(width=160, key="verdict-name"):
        bind.choice(
            "review.me",
            "Your name",
            others,
            name or None,
            lambda text: _call(desk, text),
            hidden=True,
            open_ended=True,
            placeholder="Your name",
        )


def _call(desk: Desk, name: str) -> None:
    review.people(desk.workspace).call(state.owner(), name)
    state.keep(NAMING, False)


def _next_button(desk: Desk, run: StoredRun, subject: Subject) -> None:
    bind.button(
        "review.next",
        "Next unreviewed",
        lambda: show_next(desk, run, subject.line.case_row),
        icon="arrow_forward",
        kind="tertiary",
        shortcut="n",
        help="Leave this one as it is and show the next failure that waits for a review.",
    )


def show_next(desk: Desk, run: StoredRun, after: int | None) -> None:
    """Show the next result that waits for a review; say so where there is none."""
    found = review.following(desk, run, after)
    if found is None or found.case_row == after:
        left = "Nothing else waits for a review." if found else "All failures are reviewed."
        bind.flash(left)
        return
    address.choose_row(run, found.case_row)


def _save(desk: Desk, run: StoredRun, subject: Subject, *, goes_on: bool) -> None:
    """Write down what is said; the edit of a wrong expectation goes into the draft first."""
    said, name, held = pending(subject), review.me(desk), review.state_of(desk, run)
    entries = entries_of(subject, said, name, held.hash_of(subject.line.case_key))
    if said.finding is Finding.EXPECTATION_WRONG:
        labels = mend.stage(desk, run, subject, said, name)
        entries = [_with_staged(entry, labels) for entry in entries]
    kept = review.book(desk, run).add(*entries)
    state.keep(_slot(subject), None)
    state.keep(f"{_slot(subject)} open", False)
    told = f"Saved: {WORDS[said.finding]}." if said.finding else "Saved."
    if kept.trouble:
        told += f" Kept with the runs, for {kept.trouble[:1].lower()}{kept.trouble[1:]}."
    bind.flash(told)
    if goes_on:
        show_next(desk, run, subject.line.case_row)


def _with_staged(entry: Entry, labels: tuple[str, ...]) -> Entry:
    is_meant = entry.kind == "finding" and bool(labels)
    return entry.model_copy(update={"staged": labels}) if is_meant else entry
