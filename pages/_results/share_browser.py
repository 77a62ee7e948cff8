"""What only the browser can hand on: the address it shows, and its charts as pictures."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from evalcore.store import Manifest

HERE = Path(__file__).resolve().parent


def link(manifest: Manifest) -> None:
    """Draw a button that copies the address: the run, its set, its case and its filter."""
    _component(
        "evaldesk_link",
        {
            "label": "Copy link",
            "done": "Copied",
            "help": "Leads to this run with this filter and this case.",
            "extra": {"set": manifest.eval_set.path, "file": manifest.source.path},
        },
    )


def charts(manifest: Manifest, none: str = "Open the tab Checks to save its charts.") -> None:
    """Draw the charts that the page shows, each with buttons that save it as PNG and as SVG.

    ``none`` is what is said where the page shows no chart.
    """
    _component("evaldesk_charts", {"name": manifest.name or manifest.id, "none": none})


def _component(name: str, data: dict[str, object]) -> None:
    st.components.v2.component(
        name,
        html='<div class="share"></div>\n',
        css=(HERE / "share.css").read_text("utf-8"),
        js=(HERE / f"{name.removeprefix('evaldesk_')}.js").read_text("utf-8"),
    )(key=name.replace("_", " "), data=data)
