"""What was said of a result before: findings, other verdicts, disagreements; each can be undone."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from evalcore import verdicts
from evalcore.review import Entry, Item
from evalcore.store import StoredRun
from evalcore.views.review_bar import Subject, undo_of
from evalcore.views.review_queue import finding_words, who_when
from evalcore.views.words import plural
from pages._results import look, mend, review
from pages._results.look import box, span
from pages._ui import bind, safe, state
from pages._ui.desk import Desk
from pages._ui.safe import Markup, el, join

SHOWN = 4


def draw(desk: Desk, run: StoredRun, subject: Subject, item: Item) -> None:
    """Draw what stands; nothing where nobody said anything."""
    if not item.entries:
        return
    name = review.me(desk)
    shown = [entry for entry in item.entries if _is_shown(entry, item, name)]
    hidden = len(item.entries) - len(shown)
    if hidden:
        st.caption(
            safe.label(f"{plural(hidden, 'review')} by others, hidden until you have said yours.")
        )
    if item.is_disputed and not hidden:
        look.draw(
            box("banner", look.paragraph("≠ Reviewers see this differently. Settle it together: "
                "choose what you agreed on, tick it as such, and save."))
        )  # fmt: skip
    is_all = state.kept(f"review.all {run.manifest.id} {item.case_row}", False)
    for entry in shown if is_all else shown[:SHOWN]:
        _entry(desk, run, entry, item)
    if len(shown) > SHOWN and not is_all:
        bind.button(
            "review.more",
            f"Show {plural(len(shown) - SHOWN, 'earlier review')}",
            lambda: state.keep(f"review.all {run.manifest.id} {item.case_row}", True),
            kind="tertiary",
        )


def _is_shown(entry: Entry, item: Item, name: str) -> bool:
    """Return whether the reviewer may see it: whoever judges blind says theirs first."""
    is_blind = bool(state.kept(review.BLIND, False))
    return not is_blind or entry.reviewer == name or item.is_by(name)


def _entry(desk: Desk, run: StoredRun, entry: Entry, item: Item) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(width="stretch"):
            look.draw(box("said", *_words(entry, item)))
        path = run.manifest.eval_set.path
        if entry.staged and mend.is_unsaved(desk, path):
            mend.way(path, f"review.way {entry.id}")
        bind.button(
            f"review.undo {entry.id}",
            "Undo",
            lambda: review.book(desk, run).add(undo_of(entry, review.me(desk))),
            icon="undo",
            kind="tertiary",
            help="Take it back. That it was said, and taken back, stays in the review file.",
        )


def _words(entry: Entry, item: Item) -> list[Markup]:
    turn = "" if entry.invocation is None else f" · turn {entry.invocation + 1}"
    who = span("soft", f" · {who_when(entry, datetime.now(UTC))}{turn}")
    if entry.kind == "override":
        told = join(
            el("del", verdicts.said(entry.original)),
            " → ",
            span("strong", verdicts.said(entry.verdict)),
            span("soft", " override; the scores are as they were"),
        )
    else:
        settled = "✓ settled: " if entry.settles else "✎ "
        told = span("strong", settled + finding_words(entry))
    lines = [join(told, who)]
    if entry.note:
        lines.append(box("quote", entry.note))
    if entry.staged:
        lines.append(box("note", "Staged in the draft: " + ", ".join(entry.staged)))
    if entry.kind == "finding" and _is_older(entry, item):
        lines.append(
            box("note warn", "↺ Judged by an older expectation: the case was changed since.")
        )
    return lines


def _is_older(entry: Entry, item: Item) -> bool:
    """Return whether an entry is of the same older version as the newest, which is out of date."""
    newest = item.entry
    return item.is_stale and newest is not None and entry.at <= newest.at
