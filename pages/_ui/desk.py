"""The one workspace and the one store of drafts that all sessions of this server share."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from evalcore.drafts import DraftStore
from evalcore.workspace import Workspace

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Desk:
    """What is open on this server."""

    workspace: Workspace
    drafts: DraftStore


def workspace_folder() -> Path:
    """Return the folder to open: ``EVALDESK_WORKSPACE``, else the samples, else the current one."""
    named = os.environ.get("EVALDESK_WORKSPACE", "")
    if named:
        return Path(named).expanduser()
    samples = ROOT / "sample_evals"
    return samples if samples.is_dir() else Path.cwd()


def open_desk() -> Desk:
    """Return the desk of the workspace folder; raises WorkspaceError if there is none."""
    return _open(str(workspace_folder().resolve()))


@st.cache_resource(show_spinner=False, max_entries=8)
def _open(folder: str) -> Desk:
    return Desk(Workspace(Path(folder)), DraftStore())
