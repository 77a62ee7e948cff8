"""Handing on a comparison: its address, and a summary for a pull request."""

from __future__ import annotations

import json

import streamlit as st

from evalcore.compare import Pair
from evalcore.compare.report import as_data, as_markdown
from pages._compare import address
from pages._compare.address import Address
from pages._ui import safe


def draw(pair: Pair, right: str, asked: Address) -> None:
    """Draw the menu Share of the pair that is shown."""
    with st.popover("Share", icon=":material/share:"):
        st.caption("The address of this view: runs, filter and open case.")
        safe.code(_url())
        st.caption("A summary of these two runs.")
        name = f"{pair.right.manifest.id}-against-{pair.left.manifest.id}"
        st.download_button(
            "Download Markdown",
            lambda: as_markdown(pair, asked.margin, right).encode("utf-8", "replace"),
            file_name=f"{name}.md",
            mime="text/markdown",
            key="compare.markdown",
            on_click="ignore",
            icon=":material/download:",
        )
        st.download_button(
            "Download JSON",
            lambda: json.dumps(as_data(pair, asked.margin, right), indent=2).encode(),
            file_name=f"{name}.json",
            mime="application/json",
            key="compare.json",
            on_click="ignore",
            icon=":material/download:",
        )


def _url() -> str:
    base = str(st.context.url or "compare").split("?")[0]
    return f"{base}?{address.link()}"
