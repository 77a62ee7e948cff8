"""A case result as it stands in its file, or as the run keeps it, with its file and line."""

from __future__ import annotations

import json

import streamlit as st

from evalcore.store import StoredRun
from evalcore.store.documents import dump
from evalcore.views import numbers
from evalcore.views.case_page import CasePage
from evalcore.views.expectations import Join
from evalcore.views.turn_detail import SHOWN
from evalcore.views.values import as_text
from pages._results import links
from pages._ui import safe
from pages._ui.desk import Desk


def draw(desk: Desk, run: StoredRun, page: CasePage, join: Join | None) -> None:
    """Draw the JSON of a case result; a long one is cut and downloadable."""
    text = links.numbered(desk, run, page, join)
    if not text:
        st.caption(
            "As the run keeps it: its file is not here any more, was changed, or is a large one."
        )
        text = _kept(page)
    text = _outdented(text)
    is_cut = len(text) > SHOWN
    with st.container(horizontal=True, vertical_alignment="center"):
        if is_cut:
            size = numbers.size(len(text))
            st.caption(safe.label(f"The first {numbers.count(SHOWN)} of {size} characters."))
        st.download_button(
            "Download all of it" if is_cut else "Download",
            text.encode("utf-8", "replace"),
            file_name="case-result.json",
            mime="application/json",
            key="results.raw",
            on_click="ignore",
            icon=":material/download:",
            type="tertiary",
        )
    safe.code(text[:SHOWN], "json" if not is_cut else None)


def _kept(page: CasePage) -> str:
    document = dump(page.row.case)
    try:
        return as_text(json.loads(document))
    except ValueError:
        # A number of more digits than Python reads at once.
        return document


def _outdented(text: str) -> str:
    """Return what was cut out of a file as if it stood alone: by the indent of its last line."""
    last = text.rpartition("\n")[2]
    indent = last[: len(last) - len(last.lstrip())]
    return text.replace("\n" + indent, "\n") if indent else text
