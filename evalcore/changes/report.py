"""Differences as text for a terminal, as Markdown for a review, and as plain data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from evalcore.changes.model import CaseDiff, Differences, FieldChange
from evalcore.changes.words import (
    Said,
    case_words,
    field_label,
    field_lines,
    plain_text,
    shortened,
)
from evalcore.jsontree import MISSING

GLYPHS = {"added": "+", "changed": "~", "removed": "-", "moved": "^"}
SAME = "No differences."
OURS = ("words", "arrow")


def counts(found: Differences) -> str:
    """Return how many cases were added, edited, deleted and moved, in one phrase."""
    names = {"added": "added", "changed": "edited", "removed": "deleted", "moved": "moved"}
    kinds = [case.kind for case in found.cases]
    said = [f"{kinds.count(kind)} {word}" for kind, word in names.items() if kind in kinds]
    parts = [f"{_plural(len(kinds), 'case')} ({', '.join(said)})"] if said else []
    if found.around:
        parts.append("details of the set" if found.is_set else "the file")
    return " and ".join(parts) + " changed" if parts else SAME


def as_text(found: Differences) -> str:
    """Return the differences as lines of plain text."""
    lines = [counts(found) + "."] if found else [SAME]
    if found.around and found.is_set:
        lines += ["", "~ details of the set"]
    for field in found.around:
        lines += (_text(pieces, found.is_set) for pieces in field_lines(field))
    for case in found.cases:
        title = f"{GLYPHS[case.kind]} {shortened(case.title)}: {plain_text(case_words(case))}"
        lines += ["", title]
        if case.summary and case.kind in ("added", "removed"):
            lines.append(f"    {shortened(case.summary)}")
        lines += (_text(pieces) for field in case.fields for pieces in field_lines(field))
    return "\n".join(lines)


def as_markdown(found: Differences, title: str = "") -> str:
    """Return the differences as Markdown; whatever comes from a file stands in code spans.

    So nothing in a file becomes a heading, a link, an image or a mention.
    """
    lines = [f"## Changes in {code(title)}", ""] if title else []
    lines.append(f"{counts(found)}." if found else SAME)
    if found.around:
        lines += ["", "### Details of the set" if found.is_set else "### Changed", ""]
        lines += _bullets(found.around)
    for case in found.cases:
        lines += ["", f"### {code(case.title)}: {_marked(case_words(case))}"]
        if case.summary and case.kind in ("added", "removed"):
            lines += ["", f"> {code(case.summary)}"]
        if case.fields:
            lines += ["", *_bullets(case.fields)]
    return "\n".join(lines)


def as_data(found: Differences) -> dict[str, Any]:
    """Return the differences as plain data for programs; what is absent has no key."""
    return {
        "same": not found,
        "summary": counts(found),
        "around": [_field_data(field) for field in found.around],
        "cases": [_case_data(case) for case in found.cases],
    }


def code(text: str) -> str:
    """Return text as a code span that nothing in it can end."""
    line = shortened(text)
    runs = [len(run) for run in re.findall("`+", line)]
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if line.startswith(("`", " ")) or line.endswith(("`", " ")) or not line else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def _bullets(fields: Sequence[FieldChange]) -> Iterator[str]:
    for field in fields:
        for pieces in field_lines(field):
            yield f"- {_marked(pieces)}"


def _marked(pieces: Sequence[Said]) -> str:
    if any(piece.kind == "same" for piece in pieces):
        return " ".join(filter(None, map(_marked_in_text, pieces)))
    return "".join(p.text if p.kind in OURS else code(p.text) for p in pieces)


def _marked_in_text(piece: Said) -> str:
    text = piece.text.strip()
    if not text or piece.kind in OURS:
        return text
    mark = {"removed": "~~", "added": "**"}.get(piece.kind, "")
    return f"{mark}{code(text)}{mark}"


def _text(pieces: Sequence[Said], is_indented: bool = True) -> str:
    return ("    " if is_indented else "") + plain_text(pieces)


def _case_data(case: CaseDiff) -> dict[str, Any]:
    data: dict[str, Any] = {"kind": case.kind, "case": case.title, "moved": case.is_moved}
    if case.was:
        data["was"] = case.was
    data["before"], data["after"] = case.before, case.after
    data["fields"] = [_field_data(field) for field in case.fields]
    return data


def _field_data(field: FieldChange) -> dict[str, Any]:
    data: dict[str, Any] = {"field": field.name, "label": field_label(field)}
    if field.turn is not None:
        data["turn"] = {"before": field.turn[0], "after": field.turn[1]}
    lines = []
    for line, pieces in zip(field.lines, field_lines(field), strict=True):
        said: dict[str, Any] = {"kind": line.kind, "words": plain_text(pieces)}
        if line.before is not MISSING:
            said["before"] = line.before
        if line.after is not MISSING:
            said["after"] = line.after
        if line.note:
            said["note"] = line.note
        lines.append(said)
    return {**data, "lines": lines}


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun if count == 1 else noun + 's'}"
