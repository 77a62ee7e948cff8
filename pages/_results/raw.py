"""A case result as it stands in its file."""

from __future__ import annotations

import json

import streamlit as st

from evalcore.counting import CaseRow
from evalcore.store.documents import dump
from evalcore.views import numbers
from evalcore.views.turn_detail import SHOWN
from evalcore.views.values import as_text
from pages._results import look
from pages._results.look import box, span
from pages._ui import safe


def draw(row: CaseRow, path: str) -> None:
    """Draw the JSON of a case result with its file and line; a long one is cut and downloadable."""
    text = as_text(json.loads(dump(row.case)))
    look.draw(box("small", span("mono", path), span("soft", f" {row.case.origin}")))
    cut = len(text) > SHOWN
    if cut:
        with st.container(horizontal=True, vertical_alignment="center"):
            size = numbers.size(len(text))
            st.caption(safe.label(f"The first {numbers.count(SHOWN)} of {size} characters."))
            st.download_button(
                "Download all of it",
                text.encode("utf-8", "replace"),
                file_name="case-result.json",
                mime="application/json",
                key="results.raw",
                on_click="ignore",
                icon=":material/download:",
                type="tertiary",
            )
    safe.code(text[:SHOWN], "json" if not cut else None)
