"""Scoring outputs of any agent with the checks of an eval set: choose, upload, look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.model import EvalSet
from evalcore.scoring import system_of
from evalcore.views import rescore_outputs as outputs
from evalcore.views.rescore_outputs import Recorded
from evalcore.views.words import plural
from evalcore.workspace import Entry
from pages._results import card, look, rescore
from pages._results import rescore_state as bench_state
from pages._ui import bind, problems, safe, state
from pages._ui.desk import Desk

SET = "outputs"
"""The name in the URL of the eval set that outputs are scored with."""
UPLOAD = "rescore.outputs"
MOST_NAMED = 5
NO_RULE = "This system has no rule for passing. Passed means a score of at least your mark."


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that this session holds, and nobody else: it is written nowhere."""

    name: str
    data: bytes

    @property
    def digest(self) -> str:
        """What tells this file from any other."""
        return sha256(self.data).hexdigest()[:16]


def is_open() -> bool:
    """Return whether outputs are looked at instead of a run."""
    return bool(state.remembered(SET))


def way_in(entries: Sequence[Entry]) -> None:
    """Draw the way in, where there is a set to score with."""
    sets = outputs.sets_of(entries)
    if sets:
        bind.button(
            "rescore.outputs.open",
            "Score outputs…",
            lambda: state.remember(SET, sets[0]),
            icon="upload_file",
            help="Score what any agent answered, from a file of plain lines (JSONL).",
        )


def draw(desk: Desk, entries: Sequence[Entry]) -> None:
    """Draw the choice of set and file, then what the outputs come to."""
    bind.show_flashes()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Score outputs of any agent", width="content")
        st.space("stretch")
        bind.button("rescore.outputs.close", "Back to the runs", _close, icon="arrow_back")
    sets, chosen = outputs.sets_of(entries), state.remembered(SET) or ""
    if chosen not in sets:
        st.error(f"There is no eval set {safe.label(chosen)} in this folder.")
        bind.choice("rescore.outputs.set", "Eval set", sets, None, _choose)
        return
    left, right = st.columns(2, gap="medium")
    with left:
        bind.choice("rescore.outputs.set", "Eval set", sets, chosen, _choose)
    with right:
        _uploader()
    with safe.boundary():
        eval_set = _set(
            bench_state.stamp(desk.workspace, desk.workspace.entry(chosen)), desk, chosen
        )
        upload = state.kept(UPLOAD, None)
        if isinstance(upload, Upload):
            _scored(desk, eval_set, chosen, upload)
        else:
            _format(eval_set)


def _uploader() -> None:
    key = "rescore.outputs.file"

    def took() -> None:
        given = st.session_state.get(key)
        state.keep(UPLOAD, Upload(given.name, given.getvalue()) if given else None)

    upload = state.kept(UPLOAD, None)
    st.file_uploader(
        "Outputs (JSONL)" if upload is None else safe.label(f"Outputs: {upload.name}"),
        type=["jsonl", "json", "ndjson", "txt"],
        key=key,
        on_change=took,
        help="One JSON object per line, one line per turn. It is read here and written nowhere.",
    )


def _scored(desk: Desk, eval_set: EvalSet, path: str, upload: Upload) -> None:
    key = (upload.digest, *bench_state.stamp(desk.workspace, desk.workspace.entry(path)))
    try:
        found = _read(key, upload, eval_set)
    except EvaldeskError as error:
        safe.report(error)
        _format(eval_set)
        return
    _told(found)
    if not system_of(eval_set.format_id).has_pass_rule:
        card.pass_mark(NO_RULE)
    with st.expander("How the file is read", expanded=False):
        _format(eval_set)
    rescore.draw_outputs(desk, found.run, upload.name, upload.digest, path, card.mark().value)


def _told(found: Recorded) -> None:
    st.caption(safe.label(found.text))
    if found.unknown:
        named = ", ".join(f"“{name}”" for name in found.unknown[:MOST_NAMED])
        more = len(found.unknown) - MOST_NAMED
        told = f"The set has no case {named}" + (f" and {more:,} more" if more > 0 else "")
        st.warning(safe.label(f"{told}: nothing is expected there.", 600))
    bad = [p for p in found.problems if p.severity == "error"]
    if found.problems:
        title = f"{plural(len(bad), 'line')} could not be used" if bad else "Notes on the file"
        with st.expander(safe.label(title), expanded=bool(bad)):
            problems.problem_list(found.problems[:100], place=True)


def _format(eval_set: EvalSet) -> None:
    """Draw what a file of outputs looks like, with cases of the chosen set."""
    st.text(
        "One line for each turn of a case, in any order. What is left out is not recorded, and "
        "checks that need it are not evaluated. For this set, for example:"
    )
    safe.code(outputs.template(eval_set, outputs.EXAMPLES), "json")
    st.download_button(
        "Download a file to fill in",
        outputs.template(eval_set).encode("utf-8", "replace"),
        file_name="outputs.jsonl",
        mime="application/jsonl",
        key="rescore.outputs.template",
        on_click="ignore",
        icon=":material/download:",
    )
    look.draw(look.table(("key", "what it is", "what it means"), outputs.KEYS, "Keys of a line"))


def _choose(path: str) -> None:
    state.remember(SET, path)


def _close() -> None:
    state.remember(SET, None)
    state.keep(UPLOAD, None)


@st.cache_resource(show_spinner="Reading the eval set…", max_entries=6)
def _set(key: object, _desk: Desk, path: str) -> EvalSet:
    return outputs.open_set(_desk.workspace, path)


@st.cache_resource(show_spinner="Reading the outputs…", max_entries=6)
def _read(key: object, _upload: Upload, _eval_set: EvalSet) -> Recorded:
    return outputs.read(_upload.data, _upload.name, _eval_set)
