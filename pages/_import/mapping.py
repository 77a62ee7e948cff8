"""What each column becomes: a row of choices for each, changed with a live preview below."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from evalcore.exporting.paths import parsed, suffix
from evalcore.importing.building import Grouping
from evalcore.importing.source import Source
from evalcore.importing.talks import has_conversations, tells_turns
from evalcore.importing.targets import AS, CASE, IGNORE, Target, choices, takes_path
from evalcore.jsontree import MISSING, JsonValue
from evalcore.views.caselist import page_of
from evalcore.views.import_words import sample_words
from evalcore.views.importing import ImportJob
from pages._ui import bind, safe, state
from pages._ui.pager import pager

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

COLUMNS_SHOWN = 25
INNER = ("Name inside", "Read as")
WIDTHS = (4, 4, 3, 2)
HEADS = {
    "Column in the file": "",
    "Becomes": "The part of a case that the cells of this column fill.",
    "Name inside": "Where that part holds several values by name: the name of this one. "
    "A name in a name is written with a dot, customer.plan.",
    "Read as": "Whether a cell such as 42 or yes is a number, a yes or no, or just text.",
}


def draw(job: ImportJob, lens: EvalSetLens, tree: JsonValue) -> None:
    """Draw the columns and how rows become cases."""
    source, mapping = job.columns(), job.mapping(lens, tree)
    used = sum(target.what != IGNORE for target in mapping)
    safe.show(
        safe.join(
            safe.el("strong", "What the columns become"),
            safe.el("span", f" {used:,} of {len(mapping):,} used", css="ed-muted"),
        )
    )
    options = choices(lens)
    page = page_of(range(len(mapping)), state.kept("import.columns", None) or 1, size=COLUMNS_SHOWN)
    inside = any(takes_path(lens, mapping[index]) for index in page.indexes)
    for head, text in zip(st.columns(WIDTHS, gap="small"), HEADS, strict=True):
        if inside or text not in INNER:
            head.caption(safe.label(text), help=HEADS[text] or None)
    for index in page.indexes:
        _column(job, lens, tree, source, index, mapping[index], options)
    pager("import.columns", page)
    _grouping(job, lens, source, mapping)


def _column(
    job: ImportJob,
    lens: EvalSetLens,
    tree: JsonValue,
    source: Source,
    index: int,
    target: Target,
    options: dict[str, str],
) -> None:
    name = source.columns[index]
    key = f"import.column {index}"

    def choose(new: Target) -> None:
        job.choose(lens, tree, name, new)

    cells = st.columns(WIDTHS, gap="small", vertical_alignment="center")
    with cells[0]:
        words = sample_words(source, index) or "empty"
        safe.show(safe.join(safe.el("strong", name), safe.el("div", words, css="ed-muted")))
    with cells[1]:
        labels = {label: what for what, label in options.items()}
        bind.choice(
            f"{key} target",
            f"{name} becomes",
            list(labels),
            options.get(target.what, options[IGNORE]),
            lambda label: job.choose_field(lens, tree, index, labels.get(label, IGNORE)),
            hidden=True,
        )
    if not takes_path(lens, target):
        return
    with cells[2]:
        bind.line(
            f"{key} path",
            f"Name inside of {options[target.what]}",
            suffix(target.path).removeprefix("."),
            lambda text: choose(replace(target, path=parsed(text.strip()) or ())),
            placeholder="the whole of it",
            hidden=True,
        )
    with cells[3]:
        kinds = {label: kind for kind, label in AS.items()}
        bind.choice(
            f"{key} as",
            f"{name} is read as",
            list(kinds),
            AS[target.as_],
            lambda label: choose(replace(target, as_=kinds[label])),
            hidden=True,
        )


def _grouping(
    job: ImportJob, lens: EvalSetLens, source: Source, mapping: tuple[Target, ...]
) -> None:
    """Draw how rows become cases, where that is a question."""
    at = next((i for i, target in enumerate(mapping) if target.what == CASE), None)
    if at is None:
        st.caption("No column is the case's id: each row is a case, named by its first words.")
        return
    values = [row.values[at] for row in source.rows]
    there = [v for v in values if v is not MISSING]
    with st.container(horizontal=True, gap="medium"):
        if len({str(v) for v in there}) < len(there) and lens.has_turns:
            bind.flag(
                "import.same",
                "Rows with the same id are turns of one case",
                job.grouping.same_id == "turns",
                lambda on: _group(job, same_id="turns" if on else "cases"),
            )
        elif len({str(v) for v in there}) < len(there) and tells_turns(source):
            _turns(job, lens)
        if len(there) < len(values):
            bind.flag(
                "import.above",
                "A row without an id belongs to the case above it",
                job.grouping.no_id == "above",
                lambda on: _group(job, no_id="above" if on else "new"),
            )
        if job.into:
            bind.flag(
                "import.taken",
                "Rename cases whose id is in the set already",
                job.grouping.taken == "rename",
                lambda on: _group(job, taken="rename" if on else "skip"),
                help="Otherwise they are left out.",
            )


def _turns(job: ImportJob, lens: EvalSetLens) -> None:
    """Draw what turns become where a case has one."""
    if has_conversations(lens):
        bind.flag(
            "import.talk",
            "Turns become one case with its conversation",
            job.grouping.same_id == "turns",
            lambda on: _group(job, same_id="turns" if on else "cases"),
            help="The last turn is tested. Otherwise each turn becomes a case of its own.",
        )
    else:
        st.caption("Cases of this format have one turn, so each turn becomes a case of its own.")


def _group(job: ImportJob, **changes: object) -> None:
    new: Grouping = replace(job.grouping, **changes)  # type: ignore[arg-type]
    job.grouping = new
