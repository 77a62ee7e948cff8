"""What can be done with runs: compare ticked ones, delete them, and bring deleted ones back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.views.run_list import RunRow
from evalcore.views.values import printable
from evalcore.views.words import plural
from pages._results import address
from pages._ui import bind, runs, safe, state
from pages._ui.desk import Desk

TICKED, ASKED, GONE = "runs.ticked", "dialog of the runs", "runs.gone"
FEWEST, MOST = 2, 8
NAMED = 5


def ticked() -> list[str]:
    """Return the ids of the ticked runs, of all pages, in the order of ticking."""
    found: list[str] = state.kept(TICKED, [])
    return found


def tick(on_page: Sequence[str], chosen: Sequence[str]) -> None:
    """Note which runs of a page are ticked; those of other pages stay as they are."""
    rest = [run_id for run_id in ticked() if run_id not in set(on_page) or run_id in chosen]
    state.keep(TICKED, [*rest, *(run_id for run_id in chosen if run_id not in rest)])


def bar(rows: Sequence[RunRow]) -> None:
    """Draw what can be done with the ticked runs, and the undo of a deletion."""
    undo()
    known = {row.id: row for row in rows}
    chosen = [run_id for run_id in ticked() if run_id in known]
    if not chosen:
        return
    count = len(chosen)
    oldest_first = sorted(chosen, key=lambda run_id: known[run_id].when)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(safe.label(f"{plural(count, 'run')} ticked"), width="content")
        bind.button(
            "runs.compare",
            f"Compare {count}" if count >= FEWEST else "Compare",
            compare,
            oldest_first,
            icon="compare_arrows",
            kind="primary",
            disabled=not FEWEST <= count <= MOST,
            help="Tick two to eight runs. The oldest of them is the baseline.",
        )
        bind.button("runs.delete", f"Delete {count}…", ask_delete, chosen, icon="delete")
        bind.button("runs.untick", "Untick all", partial(state.keep, TICKED, []), kind="tertiary")


def compare(ids: Sequence[str]) -> None:
    """Open the comparison of runs; the first is the baseline."""
    state.go("compare", runs=",".join(ids))


def ask_delete(ids: Sequence[str]) -> None:
    """Ask whether runs should go."""
    st.session_state[ASKED] = list(ids)


def close() -> None:
    """Ask no longer."""
    st.session_state.pop(ASKED, None)


def open_asked(desk: Desk) -> None:
    """Draw the question that was asked for, until it is answered."""
    ids = st.session_state.get(ASKED)
    if ids:
        _dialog(desk, ids)


@st.dialog("Delete runs", on_dismiss=close)
def _dialog(desk: Desk, ids: Sequence[str]) -> None:
    listed = ", ".join(_name(desk, run_id) for run_id in ids[:NAMED])
    more = f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else ""
    safe.text(f"Delete {plural(len(ids), 'run')}: {printable(listed)}{more}?")
    st.caption(
        "Undo brings them back, also later from the menu ⋯, until somebody empties the deleted "
        "runs there. Result files of your folder are not touched."
    )
    with st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Keep", key="runs.keep"):
            close()
            st.rerun()
        if st.button("Delete", type="primary", icon=":material/delete:", key="runs.delete.do"):
            try:
                delete(desk, ids)
            except EvaldeskError as error:
                safe.report(error)
                return
            close()
            st.rerun()


def delete(desk: Desk, ids: Sequence[str]) -> None:
    """Delete runs; raises EvaldeskError for one that cannot be."""
    kept = runs.kept(desk)
    try:
        kept.bin.put(ids)
    finally:
        kept.index.touch()
    state.keep(TICKED, [run_id for run_id in ticked() if run_id not in set(ids)])
    state.keep(GONE, list(ids))
    if address.text("run") in set(ids):
        address.look_at("")


def undo() -> None:
    """Draw the undo of the last deletion."""
    ids = state.kept(GONE, [])
    if not ids:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(safe.label(f"✓ {plural(len(ids), 'run')} deleted."), width="content")
        bind.button("runs.undo", "Undo", bring_back, list(ids), icon="undo", kind="tertiary")
        bind.button(
            "runs.undo.close",
            "Dismiss",
            partial(state.keep, GONE, []),
            icon="close",
            kind="tertiary",
        )


def bring_back(ids: Sequence[str]) -> None:
    """Undo the deletion of runs."""
    from pages._ui.desk import open_desk

    kept = runs.kept(open_desk())
    kept.bin.bring_back(ids)
    kept.index.touch()
    state.keep(GONE, [])


def has_deleted(desk: Desk) -> bool:
    """Return whether anything can be brought back."""
    kept = runs.kept(desk)
    return bool(kept.intake.set_aside or kept.bin.deleted())


def more(desk: Desk) -> None:
    """Draw the menu of the list: looking again, deleted runs, where runs are kept."""
    kept = runs.kept(desk)
    deleted = kept.bin.deleted()
    aside = kept.intake.set_aside
    with st.popover("⋯", help="Deleted runs, and where runs are kept"):
        bind.button("runs.again", "Look for new result files", kept.index.touch, icon="refresh")
        if deleted:
            st.markdown("**Deleted runs**")
            for found in deleted[:20]:
                with st.container(horizontal=True, vertical_alignment="center"):
                    safe.show(safe.el("span", found.name or found.id))
                    bind.button(
                        f"runs.back {found.id}",
                        "Bring back",
                        bring_back,
                        [found.id],
                        kind="tertiary",
                    )
            if len(deleted) > 20:
                st.caption(safe.label(f"and {len(deleted) - 20:,} more"))
            bind.button(
                "runs.empty",
                f"Delete {plural(len(deleted), 'run')} for good",
                kept.bin.empty,
                icon="delete_forever",
                help="This cannot be undone; a result file in your folder can come in again.",
            )
        _set_aside(desk, [came.path for came in aside])
        st.caption("Runs are kept at")
        safe.code(kept.store.place.url)


def _set_aside(desk: Desk, paths: Sequence[str]) -> None:
    """Draw the result files that do not come in because their runs were deleted."""
    if not paths:
        return
    st.markdown("**Result files whose runs you deleted**")
    for path in paths[:20]:
        with st.container(horizontal=True, vertical_alignment="center"):
            safe.show(safe.el("span", path))
            bind.button(f"runs.take {path}", "Read again", read_again, desk, path, kind="tertiary")


def read_again(desk: Desk, path: str) -> None:
    """Have a result file come in anew, whatever was deleted; raises EvaldeskError if it is gone."""
    kept = runs.kept(desk)
    try:
        kept.bin.let_in(path)
        kept.intake.ask(path, again=True)
        kept.intake.join(runs.AT_ONCE)
    except OSError as error:
        raise EvaldeskError(f"{path} cannot be read: {error.strerror or error}") from error
    kept.index.touch()


def _name(desk: Desk, run_id: str) -> str:
    try:
        return runs.run_store(desk).manifest(run_id).name or run_id
    except EvaldeskError:
        return run_id
