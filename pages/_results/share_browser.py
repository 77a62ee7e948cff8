"""What only the browser can hand on: the address it shows, and its charts as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from evalcore.store import Manifest
from evalcore.views.pictures import Picture
from evalcore.views.values import printable

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


def pictures(name: str, drawn: Sequence[Picture], none: str = "There is no chart here.") -> None:
    """Draw a list of pictures and of the charts on the page, each to be saved as PNG and as SVG.

    ``name`` begins the files' names; ``none`` is what is said where there is nothing to save.
    """
    held = [{"name": printable(each.name), "svg": each.svg} for each in drawn]
    _component("evaldesk_charts", {"name": printable(name), "none": none, "pictures": held})


def _component(name: str, data: dict[str, object]) -> None:
    st.components.v2.component(
        name,
        html='<div class="share"></div>\n',
        css=(HERE / "share.css").read_text("utf-8"),
        js=(HERE / f"{name.removeprefix('evaldesk_')}.js").read_text("utf-8"),
    )(key=name.replace("_", " "), data=data)
