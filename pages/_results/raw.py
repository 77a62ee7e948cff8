"""A case result as it stands in its file."""

from __future__ import annotations

import streamlit as st

from evalcore.counting import CaseRow
from evalcore.jsontree import MISSING
from evalcore.views import numbers
from evalcore.views.run_files import RunFile
from evalcore.views.turn_detail import SHOWN
from evalcore.views.values import as_text
from pages._results import look
from pages._results.look import box, span
from pages._ui import safe


def draw(row: CaseRow, file: RunFile) -> None:
    """Draw the JSON of a case result with its file and line; a long one is cut and downloadable."""
    value = file.raw(row.case.origin)
    if value is MISSING:
        st.caption("The place of this result in its file is not known.")
        return
    line = file.line(row.case.origin)
    text = as_text(value)
    look.draw(box("small", span("mono", file.path), span("soft", f", line {line}" if line else "")))
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
