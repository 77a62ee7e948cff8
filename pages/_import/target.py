"""Where the cases go: into a new set, or into one that is there."""

from __future__ import annotations

import streamlit as st

from evalcore.formats.base import Kind
from evalcore.views.importing import ImportJob, place_of
from evalcore.views.library import set_title
from evalcore.views.newset import choosable_formats
from evalcore.workspace import Entry
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

WAYS = {"new": "A new set", "into": "A set that is there"}


def draw(desk: Desk, job: ImportJob) -> None:
    """Draw the choice."""
    entries = desk.workspace.entries()
    sets = _sets(entries, job)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        safe.show(safe.el("strong", "Add the cases to"), width="content")
        if sets:
            bind.segments(
                "import.way",
                "Add to",
                WAYS,
                "into" if job.into else "new",
                lambda way: _way(job, way, list(sets)),
            )
    if job.into:
        titles = {f"{title} – {path}": path for path, title in sets.items()}
        now = next((t for t, path in titles.items() if path == job.into), job.into)
        bind.choice(
            "import.into",
            "Set",
            list(titles),
            now,
            lambda title: _into(job, titles.get(title, job.into)),
            hidden=True,
        )
    else:
        _new(job, entries)


def _sets(entries: list[Entry], job: ImportJob) -> dict[str, str]:
    found = {
        e.path: set_title(e)
        for e in entries
        if e.detection is not None and e.detection.kind is Kind.EVAL_SET and e.error is None
    }
    return found | ({job.into: job.into} if job.into and job.into not in found else {})


def _new(job: ImportJob, entries: list[Entry]) -> None:
    formats = choosable_formats()
    labels = {f.label: name for name, f in formats.items()}
    left, middle, right = st.columns([3, 4, 5], gap="small")
    with left:
        bind.choice(
            "import.format",
            "Format",
            list(labels),
            formats[job.new.format_id].label,
            lambda label: setattr(job.new, "format_id", labels[label]),
            help="The system that will run this set.",
        )
    with middle:
        bind.line(
            "import.name",
            "Name",
            job.new.name,
            lambda text: setattr(job.new, "name", text),
            help="What people call the set.",
        )
    with right:
        bind.line(
            "import.path",
            "File",
            job.new.path,
            lambda text: setattr(job.new, "path", text),
            placeholder=place_of(job, entries),
            help="Where the set will be stored in this workspace. Leave it empty to take the "
            "suggestion. The file is made when you save.",
        )


def _way(job: ImportJob, way: str, sets: list[str]) -> None:
    _into(job, "" if way == "new" else (state.remembered("into") or sets[0]))


def _into(job: ImportJob, path: str) -> None:
    job.into = path
    job.dropped.clear()
    job.taken.clear()
