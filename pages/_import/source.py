"""Choosing the file, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from evalcore.errors import EvaldeskError
from evalcore.importing.decoding import ENCODINGS
from evalcore.importing.delimited import DELIMITERS
from evalcore.importing.reading import ENDINGS, LARGEST
from evalcore.importing.source import KINDS, TABLE, WORKBOOK
from evalcore.views.import_words import source_words
from evalcore.views.importing import ImportJob, importable_files, readable, start
from pages._import import jobs
from pages._ui import bind, safe, state
from pages._ui.desk import Desk

UPLOAD = "import.upload"
NONE = "Choose a file…"
WHAT = (
    ("Spreadsheets", "Excel (XLSX), CSV, TSV: one row for each case, or for each turn of a case"),
    ("Conversations", "chat logs of user and assistant, OpenAI-style messages with tool calls"),
    ("Recordings", "ADK sessions and the run results of every system"),
    ("Other tools", "promptfoo tests (YAML), OpenAI Evals (JSONL), any list of JSON objects"),
    ("Your own export", "an edited sheet comes back as changes that you look at one by one"),
)


def choose(desk: Desk, job: ImportJob | None) -> None:
    """Draw the two ways to a file: from this computer, or from the workspace."""
    left, right = st.columns(2, gap="medium", vertical_alignment="top")
    with left:
        st.file_uploader(
            "A file from this computer",
            type=list(ENDINGS),
            key=UPLOAD,
            on_change=bind.act,
            args=(_uploaded, desk),
            max_upload_size=LARGEST // 1_000_000,
        )
    with right:
        files = importable_files(desk.workspace)
        if files:
            bind.choice(
                "import.file",
                "Or a file of this workspace",
                [NONE, *files],
                str(state.kept("import.file", NONE)) if job else NONE,
                lambda path: _chosen(desk, path),
            )


def explain() -> None:
    """Say what can be imported, while nothing is chosen."""
    st.space("small")
    with st.container(border=True, width=820):
        st.subheader("What can be imported", anchor=False)
        for title, text in WHAT:
            safe.show(safe.join(safe.el("strong", title), safe.el("span", f": {text}.")))
        st.caption("Nothing is written before you have reviewed the cases and saved them.")


def recognised(job: ImportJob) -> None:
    """Say what the file was recognised as, and offer to read it in another way."""
    error = readable(job)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        words = source_words(job.source) if error is None else "This cannot be read as it is asked"
        safe.show(
            safe.join(
                safe.el("strong", job.name),
                safe.el("div", words, css="ed-muted"),
            )
        )
        with st.popover("Read it differently", icon=":material/tune:"):
            _options(job)
    for note in job.source.notes if error is None else ():
        st.caption(safe.label(note, 400))


def _options(job: ImportJob) -> None:
    source = job.source if readable(job) is None else None
    kinds = source.kinds if source else ()
    if len(kinds) > 1 and source:
        _choice(job, "kind", "Read as", {k: KINDS[k] for k in kinds}, source.kind)
    if source is None or source.kind in (TABLE, WORKBOOK):
        sheets = {name: name for name in source.sheets} if source else {}
        if len(sheets) > 1 and source:
            _choice(job, "sheet", "Sheet", sheets, source.options.sheet or "")
        header = source.options.header if source else 0
        bind.line(
            "import.header",
            "Row with the names of the columns",
            str(header or 0),
            lambda typed: job.read_as(header=_number(typed)),
            help="0 if no row has names.",
        )
    if source is not None and source.kind == WORKBOOK:
        return
    encoding = source.options.encoding if source else job.options.encoding
    _choice(job, "encoding", "Encoding", ENCODINGS, encoding or "utf-8")
    delimiter = source.options.delimiter if source else None
    if delimiter:
        _choice(job, "delimiter", "Separator", DELIMITERS, delimiter)


def _choice(job: ImportJob, name: str, label: str, options: Mapping[str, str], now: str) -> None:
    words = {text: value for value, text in options.items()}
    shown = options.get(now, now)
    bind.choice(
        f"import.{name}",
        label,
        list(words),
        shown,
        lambda text: job.read_as(**{name: words.get(text, text)}),
    )


def _number(typed: str) -> int:
    from evalcore.errors import FormatError

    if not typed.strip().isdecimal():
        raise FormatError("Write the number of a row, or 0")
    return int(typed)


def _uploaded(desk: Desk) -> None:
    upload = st.session_state.get(UPLOAD)
    if upload is None:
        jobs.begin(None)
        return
    state.keep("import.file", NONE)
    _begin(desk, upload.name, upload.getvalue())


def _chosen(desk: Desk, path: str) -> None:
    if path == NONE:
        return
    _begin(desk, path, desk.workspace.read(path))
    state.keep("import.file", path)


def _begin(desk: Desk, name: str, data: bytes) -> None:
    into = state.remembered("into") or ""
    try:
        jobs.begin(start(name, data, into, desk.workspace.entries()))
    except EvaldeskError:
        jobs.begin(None)
        raise
