"""Changes in words: what became of each case, and each field whose edit can be dropped."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.changes.words import Said
from evalcore.drafts import CaseChange, Draft
from evalcore.views.changes import CaseView, ChangesView, FieldView, drop_field
from evalcore.views.words import plural
from pages._ui import bind, safe

TAGS = {"removed": "del", "added": "ins", "name": "b", "words": "span", "arrow": "span"}


def changes_in_words(found: ChangesView, draft: Draft | None = None) -> None:
    """Draw all changes; with the draft that they are of, each of them can be dropped."""
    if found.around:
        with st.container(border=True, gap="xsmall", key="change around"):
            _head("±", "Details of the set", "edited", draft, None)
            for number, field in enumerate(found.around):
                _field(field, draft, None, f"around {number}")
    for number, case in enumerate(found.cases):
        with st.container(border=True, gap="xsmall", key=f"change {number}"):
            _case(case, draft, number)
    if found.more:
        st.caption(safe.label(f"and {plural(found.more, 'more case')}"))


def _case(case: CaseView, draft: Draft | None, number: int) -> None:
    _head(case.glyph, case.title, case.what, draft, case.change, number)
    if case.summary:
        safe.show(safe.el("div", case.summary, css="ed-muted ed-clip"))
    for at, field in enumerate(case.fields):
        _field(field, draft, case.change, f"{number} {at}")


def _head(
    glyph: str,
    title: str,
    what: str,
    draft: Draft | None,
    change: CaseChange | None,
    number: int = 0,
) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        safe.show(
            safe.join(
                safe.el("strong", f"{glyph} {title}", css="ed-fact"),
                safe.el("span", f" {what}", css="ed-muted"),
            )
        )
        if draft is None:
            return
        if change is None:
            bind.button("drop around", "Drop", draft.revert_around, icon="undo", kind="tertiary")
            return
        bind.button(
            f"drop {number} {title}",
            "Drop all" if change.kind == "changed" else "Drop",
            draft.revert_case,
            change,
            icon="undo",
            kind="tertiary",
            help="Go back to what the file has for this case",
        )


def fields_in_words(fields: Sequence[FieldView], key: str) -> None:
    """Draw changed fields that are only to be read."""
    for number, field in enumerate(fields):
        _field(field, None, None, f"{key} {number}")


def _field(field: FieldView, draft: Draft | None, change: CaseChange | None, key: str) -> None:
    with st.container(
        horizontal=True, vertical_alignment="center", gap="xsmall", key=f"one line {key}"
    ):
        lines = [safe.el("li", *_line(line)) for line in field.lines]
        if field.more:
            lines.append(safe.el("li", f"and {plural(field.more, 'more change')}", css="ed-muted"))
        safe.show(safe.el("ul", *lines, css="ed-changes"))
        if draft is not None and field.is_droppable:
            name = f"Drop the edit of {field.label}"
            bind.button(
                f"bin field {key} {field.key}",
                name,
                drop_field,
                draft,
                change,
                field.key,
                icon="undo",
                kind="tertiary",
                help=name,
            )


def _line(pieces: Sequence[Said]) -> list[safe.Markup | str]:
    return [
        safe.el(TAGS[piece.kind], piece.text) if piece.kind in TAGS else piece.text
        for piece in pieces
    ]
