"""Handing on a comparison: its address, and a summary for a pull request."""

from __future__ import annotations

import json

import streamlit as st

from evalcore.compare import Comparison
from evalcore.compare.report import as_data, as_markdown
from evalcore.views.compare import letter
from pages._compare import address
from pages._compare.address import Address
from pages._ui import safe

MOST_CASES = 100_000
"""Cases up to which all of them are handed on as JSON."""


def draw(comparison: Comparison, chosen: int, asked: Address) -> None:
    """Draw the menu Share of the pair that is shown."""
    pair, right = comparison.pairs[chosen], letter(chosen + 1)
    alpha = comparison.alpha(chosen)
    with st.popover("Share", icon=":material/share:"):
        st.caption("The address of this view: runs, filter and open case.")
        safe.code(_url())
        st.caption("A summary of these two runs.")
        name = f"{pair.right.manifest.id}-against-{pair.left.manifest.id}"
        st.download_button(
            "Download Markdown",
            lambda: as_markdown(pair, asked.margin, right, alpha).encode("utf-8", "replace"),
            file_name=f"{name}.md",
            mime="text/markdown",
            key="compare.markdown",
            on_click="ignore",
            icon=":material/download:",
        )
        if pair.counts.total() > MOST_CASES:
            st.caption(
                safe.label(
                    f"More than {MOST_CASES:,} cases: for JSON use evaldesk compare --format json.",
                    500,
                )
            )
            return
        st.download_button(
            "Download JSON",
            lambda: json.dumps(as_data(pair, asked.margin, right, alpha), indent=2).encode(),
            file_name=f"{name}.json",
            mime="application/json",
            key="compare.json",
            on_click="ignore",
            icon=":material/download:",
        )


def _url() -> str:
    base = str(st.context.url or "compare").split("?")[0]
    return f"{base}?{address.link()}"
