"""The head of a run's page: what ran, when, of which set; compare, hand on, delete."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from evalcore.store import Manifest, RunQuery, Status, StoredRun
from evalcore.views.run_list import RunRow, set_key, set_label, source_text, system_label, went
from evalcore.views.words import ago, plural
from pages._results import look, run_actions, run_list, share
from pages._results.look import box, span
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

OFFERED = 12
"""How many other runs of the set are offered to compare with."""


def draw(desk: Desk, run: StoredRun, query: RunQuery) -> None:
    """Draw the head; ``query`` is what the list below is narrowed to."""
    manifest = run.manifest
    bind.show_flashes()
    run_actions.open_asked(desk)
    with st.container(horizontal=True, vertical_alignment="center"):
        run_list.back()
        with st.container(width="stretch"):
            look.draw(
                box("title", span("name", _title(manifest)), span("small soft", _facts(manifest)))
            )
        _open_set(desk, manifest)
        _compare(desk, manifest)
        share.draw(desk, run, query)
        _more(desk, manifest)
    if manifest.status is Status.INTERRUPTED:
        told = (
            f"◌ This run was interrupted after {plural(manifest.cases.total, 'result')}: "
            "numbers and lists are of those only."
        )
        look.draw(box("banner", look.paragraph(told)))


def _title(manifest: Manifest) -> str:
    return manifest.name or set_label(manifest)


def _facts(manifest: Manifest) -> str:
    row = RunRow(manifest)
    age = ago(row.when, datetime.now(UTC))
    when = f"{row.when:%d %b %Y, %H:%M} UTC{f', {age}' if age.endswith('ago') else ''}"
    repeats = f"{manifest.repeats} repeats" if manifest.repeats > 1 else ""
    parts = (
        set_label(manifest) if set_label(manifest) != _title(manifest) else "",
        system_label(manifest),
        when if row.when.year > 1 else "",
        repeats,
    )
    return " · ".join(filter(None, parts))


def _open_set(desk: Desk, manifest: Manifest) -> None:
    path = manifest.eval_set.path
    if path:
        bind.button(
            "results.set",
            "Open set",
            lambda: state.go("author", set=path, case=None),
            icon="edit_note",
            help=f"Edit {path}",
        )


def _compare(desk: Desk, manifest: Manifest) -> None:
    with st.popover("Compare with…", icon=":material/compare_arrows:"):
        others = _others(desk, manifest)
        if not others:
            st.caption("There is no other run of this eval set yet. Any runs can be compared from "
                       "the list: tick two to eight.")  # fmt: skip
        for row in others[:OFFERED]:
            ids = sorted((row, RunRow(manifest)), key=lambda r: r.when)
            bind.button(
                f"results.with {row.id}",
                f"{went(row.manifest)} · {row.title} · {row.when:%d %b %Y, %H:%M}",
                run_actions.compare,
                [one.id for one in ids],
                kind="tertiary",
                help="The older of the two is the baseline.",
            )
        if len(others) > OFFERED:
            st.caption(safe.label(f"{len(others) - OFFERED:,} more in the list of runs."))


def _others(desk: Desk, manifest: Manifest) -> list[RunRow]:
    found = runs.listing(desk)
    key = set_key(manifest)
    if found is None or not key:
        return []
    return [r for r in found.rows if r.id != manifest.id and set_key(r.manifest) == key]


def _more(desk: Desk, manifest: Manifest) -> None:
    with st.popover("⋯", help="Import again, delete"):
        if manifest.source.kind != "scored" and not _is_dropped(manifest):
            bind.button(
                "results.again",
                "Import again",
                run_actions.read_again,
                desk,
                manifest.source.path,
                icon="refresh",
                help="Reads the file anew: tags, metadata and checks are then those of today.",
            )
        bind.button(
            "results.delete", "Delete…", run_actions.ask_delete, [manifest.id], icon="delete"
        )
        st.caption("Made from")
        safe.code(source_text(manifest))
        st.caption("Its id, for the command line")
        safe.code(manifest.id)


def _is_dropped(manifest: Manifest) -> bool:
    from evalcore.views.dropped_files import dropped_name

    return dropped_name(manifest.source.path) is not None
