"""The address of a case result, and the files that it and its case are from."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.jsontree import MISSING, JsonValue, get
from evalcore.store import StoredRun
from evalcore.views.case_page import CasePage
from evalcore.views.expectations import Join
from evalcore.views.values import as_text
from evalcore.workspace import Workspace
from pages._results import address, look
from pages._results.look import box, span
from pages._ui.desk import Desk
from pages._ui.safe import Markup

HERE = Path(__file__).resolve().parent
LARGEST = 5_000_000
"""Bytes of a file up to which the line of a case in it is looked up."""


def copy(run: StoredRun, page: CasePage) -> None:
    """Draw a button that copies the address of this very result."""
    case, repeat = address.of(page.line)
    extra = {"run": run.manifest.id, "case": case, "repeat": str(repeat) if repeat > 1 else ""}
    st.components.v2.component(
        "evaldesk_case_link",
        html='<div class="share"></div>\n',
        css=(HERE / "share.css").read_text("utf-8"),
        js=(HERE / "link.js").read_text("utf-8"),
    )(
        key="case link",
        data={"label": "Copy link", "done": "Copied", "help": "To this result.", "extra": extra},
    )


def sources(run: StoredRun, page: CasePage, join: Join | None) -> None:
    """Draw which files this is from."""
    lines = [_place("Result", run.manifest.source.path, page.row.case.origin)]
    if join is not None:
        lines.append(_place("Case", join.path, join.case.origin))
    look.draw(*lines)


def numbered(desk: Desk, run: StoredRun, page: CasePage, join: Join | None) -> str:
    """Draw the same with the lines in the files, as far as the files are there and not huge.

    Returns how the result is written in its file, "" where that is not the file it was read from.
    """
    source, origin = run.manifest.source, page.row.case.origin
    written, digest, at = _found(desk.workspace, source.path, origin)
    lines = [_place("Result", source.path, origin, at)]
    if join is not None:
        _, _, line = _found(desk.workspace, join.path, join.case.origin)
        lines.append(_place("Case", join.path, join.case.origin, line))
    look.draw(*lines)
    return written if digest == source.sha256 else ""


def _place(what: str, path: str, origin: str, line: int | None = None) -> Markup:
    where = f"{path}, line {line:,}" if line else path
    return box("small", span("soft", f"{what} "), span("mono", where), span("soft", f" {origin}"))


def _found(workspace: Workspace, path: str, origin: str) -> tuple[str, str, int | None]:
    """Return what stands at a place of a file, the digest of the file, and the line."""
    try:
        entry = workspace.entry(path)
        if entry.size > LARGEST:
            return "", "", None
        key = (str(workspace.root), path, entry.modified_ns, entry.size)
        return _read(key, origin, workspace)
    except (EvaldeskError, OSError):
        # The file is gone or broken by now; what was read of it is in the run.
        return "", "", None


@st.cache_data(show_spinner=False, max_entries=128)
def _read(
    key: tuple[str, str, int, int], origin: str, _workspace: Workspace
) -> tuple[str, str, int | None]:
    document = _workspace.open(key[1]).document
    digest = hashlib.sha256(document.data).hexdigest()
    try:
        return document.text(origin), digest, document.position(origin).line
    except (LookupError, ValueError):
        # Files whose JSON stands inside a text have no lines for what is in it.
        return _inside(document.value, origin), digest, None


def _inside(value: JsonValue, origin: str) -> str:
    """Return what stands at a place of the JSON inside a text, at most twice deep; "" for none."""
    for _ in range(2):
        if isinstance(value, str):
            try:
                value = json.loads(value)
            except ValueError:
                return ""
    found = get(value, origin)
    return "" if found is MISSING else as_text(found)
