"""The head of an open evaluator: what it is, what is unsaved, and what can be done with it."""

from __future__ import annotations

import streamlit as st

from evalcore.drafts import is_stale
from evalcore.views.evaluators import ops
from evalcore.views.evaluators.bench import Bench, CheckView
from pages._evaluators import dialogs, where
from pages._ui import bind, keys, safe
from pages._ui.desk import Desk


def header(desk: Desk, bench: Bench, check: CheckView | None) -> None:
    """Draw the head."""
    draft = bench.draft
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key="lead-evaluator"
    ):
        safe.show(_title(bench, check), width="stretch")
        if draft.is_dirty:
            safe.show(safe.el("span", "● unsaved", css="ed-unsaved"), width="content")
        bind.button(
            "evaluators.undo",
            "Undo",
            draft.undo,
            icon="undo",
            kind="tertiary",
            disabled=draft.undo_label is None,
            help=draft.undo_label or "Nothing to undo",
        )
        bind.button(
            "evaluators.redo",
            "Redo",
            draft.redo,
            icon="redo",
            kind="tertiary",
            disabled=draft.redo_label is None,
            help=draft.redo_label or "Nothing to redo",
        )
        _more(bench, check)
        if where.view() != "review":
            bind.button(
                "evaluators.review",
                "Review & save",
                where.show_view,
                "review",
                icon="save",
                kind="primary",
                disabled=not draft.is_dirty,
                shortcut=keys.SAVE,
            )
    if draft.is_dirty and is_stale(desk.workspace, draft):
        st.warning(
            "The file was changed by somebody else since you opened it. Your edits are safe; "
            "both are put together when you save.",
            icon=":material/sync_problem:",
        )


def _title(bench: Bench, check: CheckView | None) -> safe.Markup:
    name = check.title if check else bench.path.rpartition("/")[2]
    kind = check.label if check else "Criteria file"
    parts = [
        safe.el("div", name, css="ed-title"),
        safe.el("span", bench.path, css="ed-muted"),
        safe.el("span", kind, css="ed-chip", title=check.native if check else ""),
        safe.el("span", bench.label, css="ed-chip"),
    ]
    return safe.join(*parts)


def _more(bench: Bench, check: CheckView | None) -> None:
    options: dict[str, str] = {}
    if bench.is_single:
        options["rename"] = "Rename id or file…"
    elif check is not None and ops.can_rename(bench, check):
        options["rename"] = "Rename…"
    if check is not None and not bench.is_single:
        options["remove"] = "Remove this check"
    options["delete"] = "Delete the check…" if bench.is_single else "Delete the whole file…"

    def do(name: str) -> None:
        if name == "remove" and check is not None:
            ops.remove(bench, check)
            where.open_check(bench.path)
            bind.flash("Removed. Undo brings it back; the file changes when you save.")
        else:
            dialogs.ask(name, bench.path, check.ref if check else "")

    bind.menu("evaluators.more", "More", options, do)
