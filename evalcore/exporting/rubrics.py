"""Rubrics as lines to read and write: ``polite (FINAL_RESPONSE_QUALITY): The tone is kind.``.

Descriptions and weights are not in the lines; a rubric keeps its own as long as its id stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from evalcore.errors import FormatError
from evalcore.exporting.cells import (
    LEAVE,
    Cell,
    Keep,
    is_writable,
    marked,
    plain_text,
    read_json,
    special,
    unguard,
    written,
)
from evalcore.jsontree import MISSING, JsonValue
from evalcore.model import Rubric

_LINE = re.compile(r"(?P<id>[^\s:()\[\]{}]+)(?:\s*\((?P<type>[^()\n]+)\))?:\s+(?P<text>\S.*)")
_WHOLE = ("id", "text", "type", "description", "weight")


def rubrics_cell(rubrics: Sequence[Rubric]) -> Cell:
    """Return the cell of some rubrics; JSON where they do not fit into lines."""
    if not rubrics:
        return None
    lines = [_line(rubric) for rubric in rubrics]
    again = [_LINE.fullmatch(line) for line in lines]
    fits = all(
        m and _said(m) == (r.id, r.type, r.text) for m, r in zip(again, rubrics, strict=True)
    )
    if fits and is_writable(text := "\n".join(lines)):
        return written(text)
    return marked(plain_rubrics(rubrics))


def plain_rubrics(rubrics: Sequence[Rubric]) -> list[JsonValue]:
    """Return rubrics as JSON, without what they do not have."""
    return [
        {name: v for name in _WHOLE if (v := getattr(rubric, name)) is not None}
        for rubric in rubrics
    ]


def read_rubrics(cell: Cell, old: Sequence[Rubric]) -> tuple[Rubric, ...] | Keep:
    """Return the rubrics that a cell lists; a line without an id gets the next free one."""
    found = special(cell)
    if found is LEAVE:
        return LEAVE
    text = unguard(cell) if isinstance(cell, str) else plain_text(cell)
    if found is MISSING and text.lstrip()[:1] in ("[", "{"):
        found = read_json(text)
    if found is not MISSING:
        return rubrics_from(found, old)
    return tuple(_paired(_numbered(_lines(text)), old))


def rubrics_from(value: JsonValue, old: Sequence[Rubric] = ()) -> tuple[Rubric, ...]:
    """Return the rubrics in JSON: texts, or objects with a text; raises FormatError otherwise."""
    if value in (None, ""):
        return ()
    listed = value if isinstance(value, list) else [value]
    return tuple(_paired(_numbered(map(_rubric, listed)), old))


def _line(rubric: Rubric) -> str:
    return f"{rubric.id}{f' ({rubric.type})' if rubric.type else ''}: {rubric.text}"


def _said(match: re.Match[str]) -> tuple[str, str | None, str]:
    return match["id"], match["type"], match["text"]


def _lines(text: str) -> Iterator[Rubric]:
    for line in text.split("\n"):
        found = _LINE.fullmatch(line.strip())
        if found:
            yield Rubric(id=found["id"], type=found["type"], text=found["text"])
        elif line.strip():
            yield Rubric(id="", text=line.strip())


def _rubric(item: JsonValue) -> Rubric:
    if isinstance(item, str):
        return Rubric(id="", text=item)
    if not isinstance(item, dict):
        raise FormatError("A rubric is a text", hint="Write one rubric on each line.")
    content = item.get("rubric_content", item.get("rubricContent"))
    inner = content if isinstance(content, dict) else item
    text = inner.get("text", inner.get("text_property", inner.get("textProperty")))
    texts = {name: item.get(name) for name in ("type", "description")}
    own = item.get("id", item.get("rubric_id", item.get("rubricId")))
    weight = item.get("weight")
    return Rubric(
        id=own if isinstance(own, str) else "",
        text=text if isinstance(text, str) else "",
        weight=float(weight) if isinstance(weight, (int, float)) else None,
        **{name: v if isinstance(v, str) else None for name, v in texts.items()},
    )


def _numbered(rubrics: Iterator[Rubric]) -> Iterator[Rubric]:
    listed = list(rubrics)
    taken = {rubric.id for rubric in listed}
    free = (f"r{n}" for n in range(1, 2 * len(listed) + 2) if f"r{n}" not in taken)
    for rubric in listed:
        yield rubric if rubric.id else rubric.model_copy(update={"id": next(free)})


def _paired(new: Iterator[Rubric], old: Sequence[Rubric]) -> Iterator[Rubric]:
    left = list(old)
    for rubric in new:
        twin = next((r for r in left if r.id == rubric.id), None)
        if twin is None:
            yield rubric
            continue
        left.remove(twin)
        said = {n: getattr(rubric, n) for n in _WHOLE if getattr(rubric, n) is not None}
        yield twin.model_copy(update={"type": None, **said})
