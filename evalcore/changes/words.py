"""Lines in words: values short enough to read, texts as the words around what changed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from evalcore.changes.model import CaseDiff, FieldChange, Line
from evalcore.changes.values import spelled
from evalcore.explain.text_diff import Piece, diff_words
from evalcore.jsontree import MISSING, JsonValue, Missing

SHORT = 30
"""Characters up to which two texts are shown whole, side by side."""
LONG = 100
"""Characters up to which a value is shown."""
CONTEXT = 28
MAX_PIECES = 24
WORDS = {"added": "added", "changed": "edited", "removed": "deleted", "moved": "moved"}
_LOOKS_LIKE_JSON = re.compile(r"-?\d[\d.eE+-]*|true|false|null|NaN|-?Infinity|[\[{\"].*|\s.*|.*\s")
_STEERS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_LINE_END = re.compile("\r\n|\r|\n")
_NOTHING: dict[str, str] = {'""': "empty text", "[]": "empty list", "{}": "no values"}

PieceKind = Literal["words", "name", "same", "removed", "added", "arrow"]


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch of a line. Only *words* and *arrow* are ours; all else comes from the files."""

    kind: PieceKind
    text: str


def line_words(line: Line) -> tuple[Said, ...]:
    """Return a line in pieces, first where it is, then what changed there."""
    what = tuple(_what(line))
    is_running = line.is_item or any(piece.kind == "same" for piece in what)
    gap = (Said("words", ": " if is_running else " "),) if line.where else ()
    return (*_where(line), *gap, *what)


def field_label(field: FieldChange) -> str:
    """Return what a field is called, with its turn."""
    if field.turn is None or field.label.startswith("turn "):
        return field.label
    number = next(n for n in reversed(field.turn) if n is not None)
    return f"turn {number + 1}: {field.label}"


def field_lines(field: FieldChange) -> Iterator[tuple[Said, ...]]:
    """Yield the lines of a field, each with the field's name or turn in front."""
    prefix = field_label(field)
    for line in field.lines:
        own = line.where[0].words if line.where else ""
        if own and own == field.label:
            turn = prefix.removesuffix(field.label)
            yield _joined((Said("words", turn), *line_words(line)))
        else:
            shown = prefix if not field.name or field.name == "(turn)" else _turn_only(field)
            yield _joined((Said("words", f"{shown}: " if shown else ""), *line_words(line)))


def case_words(case: CaseDiff) -> tuple[Said, ...]:
    """Return what became of a case, without its name."""
    what = WORDS[case.kind] + (" and moved" if case.is_moved and case.kind == "changed" else "")
    if case.was:
        return Said("words", f"{what}, renamed from "), Said("name", shortened(case.was))
    if case.kind == "moved" and case.before is not None and case.after is not None:
        return (Said("words", f"moved from place {case.before + 1} to {case.after + 1}"),)
    return (Said("words", what),)


def plain_text(pieces: Sequence[Said], arrow: str = "->") -> str:
    """Return pieces as one line of plain text; changed words stand in ``[-…-]`` and ``{+…+}``."""
    marks = {"removed": "[-{}-]", "added": "{{+{}+}}", "arrow": arrow}
    is_excerpt = any(p.kind == "same" for p in pieces)
    shown = []
    for piece in pieces:
        mark = marks.get(piece.kind, "{}")
        if piece.kind in ("removed", "added") and not is_excerpt:
            mark = "{}"
        shown.append(mark.format(piece.text))
    return "".join(shown)


def shown(value: JsonValue | Missing, limit: int = LONG, *, quoted: bool = False) -> str:
    """Return a value for reading: texts as they are where nothing else looks like them.

    What is longer than ``limit`` is cut, and says how long it is.
    """
    if value is MISSING:
        return "absent"
    if not isinstance(value, str):
        text = _escaped(spelled(value))
        return _NOTHING.get(text) or shortened(text, limit)
    if not value:
        return _NOTHING['""']
    is_odd = _LOOKS_LIKE_JSON.fullmatch(value) or value in _NOTHING.values() or "\n" in value
    if quoted or (is_odd and len(value) <= limit):
        return shortened(_escaped(json.dumps(value, ensure_ascii=False)), limit)
    return shortened(_escaped(value), limit)


def shortened(text: str, limit: int = LONG) -> str:
    """Return a text on one line, its middle cut out if it is longer than ``limit``."""
    line = _LINE_END.sub(" ⏎ ", text)
    if len(line) <= limit:
        return line
    tail = min(20, limit // 4)
    return f"{line[: limit - tail - 1]}…{line[-tail:]} ({len(line):,} characters)"


def both(old: JsonValue, new: JsonValue) -> tuple[str, str]:
    """Return two values so that they never look the same."""
    is_mixed = isinstance(old, str) != isinstance(new, str)
    a, b = shown(old, quoted=is_mixed), shown(new, quoted=is_mixed)
    if a != b:
        return a, b
    full = [json.dumps(v) if isinstance(v, str) else spelled(v) for v in (old, new)]
    start = next((i for i, (x, y) in enumerate(zip(*full, strict=False)) if x != y), 0)
    start = max(0, start - CONTEXT)
    return tuple(_around(text, start) for text in full)  # type: ignore[return-value]


def excerpt(old: str, new: str) -> tuple[Said, ...] | None:
    """Return what changed between two texts with some words around it.

    None where they have too little in common for that to be easier to read than both texts.
    """
    found = diff_words(old, new)
    common = sum(len(p.text) for p in found.expected if p.kind == "same")
    if common * 2 < min(len(old), len(new)) or found.is_space_only:
        return None
    woven = list(_woven(found.expected, found.actual))
    cut = [_cut(piece, at == 0, at == len(woven) - 1) for at, piece in enumerate(woven)]
    changed = (a for a in pairwise(cut) if {a[0].kind, a[1].kind} == {"removed", "added"})
    if any(old_piece.text == new_piece.text for old_piece, new_piece in changed):
        # Long words that differ in the middle look the same when that is cut out.
        return None
    if len(cut) > MAX_PIECES:
        left = sum(p.kind != "same" for p in woven[MAX_PIECES:])
        return (*cut[:MAX_PIECES], Said("words", f" … and {left} more changes"))
    return tuple(cut)


def _joined(pieces: Sequence[Said]) -> tuple[Said, ...]:
    """Return pieces with neighbouring words of ours made one."""
    joined: list[Said] = []
    for piece in pieces:
        if joined and piece.kind == "words" == joined[-1].kind:
            joined[-1] = Said("words", joined[-1].text + piece.text)
        elif piece.text:
            joined.append(piece)
    return tuple(joined)


def _where(line: Line) -> Iterator[Said]:
    for number, step in enumerate(line.where):
        if number:
            yield Said("words", ": ")
        if step.words:
            yield Said("words", f"{step.words} " if step.name else step.words)
        if step.name:
            yield Said("name", shortened(_escaped(step.name)))


def _what(line: Line) -> Iterator[Said]:
    if line.kind == "note":
        yield Said("words", line.note)
        if line.after is not MISSING:
            yield Said("words", ": ")
            yield Said("name", shown(line.after, 2 * LONG))
    elif line.kind == "added":
        text = shown(line.after)
        yield Said("words", "+ " if line.is_item else _verb("added", text))
        yield Said("added", text)
    elif line.kind == "removed":
        text = shown(line.before)
        yield Said("words", "- " if line.is_item else _verb("removed", text))
        yield Said("removed", text)
    else:
        yield from _change(line.before, line.after)


def _verb(verb: str, text: str) -> str:
    """Return what happened to a value; what is empty is not read as what was added."""
    return f"{verb}: " if text in _NOTHING.values() else f"{verb} "


def _change(old: JsonValue | Missing, new: JsonValue | Missing) -> Iterator[Said]:
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > SHORT:
        found = excerpt(old, new)
        if found is not None:
            yield from found
            return
    a, b = both(None if old is MISSING else old, None if new is MISSING else new)
    yield Said("removed", a)
    yield Said("words", " ")
    yield Said("arrow", "→")
    yield Said("words", " ")
    yield Said("added", b)


def _turn_only(field: FieldChange) -> str:
    return field_label(field).removesuffix(field.label).removesuffix(": ")


def _woven(old: Sequence[Piece], new: Sequence[Piece]) -> Iterator[Piece]:
    """Yield the pieces of both sides in one order; what is the same comes once."""
    right = list(new)
    for piece in old:
        if piece.kind == "removed":
            yield piece
            continue
        while right and right[0].kind == "added":
            yield right.pop(0)
        yield right.pop(0)
    yield from right


def _cut(piece: Piece, is_first: bool, is_last: bool) -> Said:
    text = shortened(_escaped(piece.text), 10**9) if piece.kind == "same" else piece.text
    if piece.kind != "same":
        return Said(piece.kind, shortened(_escaped(text)))
    if len(text) <= 2 * CONTEXT or (len(text) <= CONTEXT and (is_first or is_last)):
        return Said("same", text)
    head = "" if is_first else _head(text)
    tail = "" if is_last else _tail(text)
    return Said("same", f"{head}…{tail}")


def _head(text: str) -> str:
    cut = text[:CONTEXT]
    return cut[: cut.rfind(" ") + 1] or cut


def _tail(text: str) -> str:
    cut = text[-CONTEXT:]
    return cut[cut.find(" ") :] if " " in cut else cut


def _around(text: str, start: int) -> str:
    cut = text[start : start + LONG]
    return ("…" if start else "") + cut + ("…" if start + LONG < len(text) else "")


def _escaped(text: str) -> str:
    """Return text with what cannot be seen, or steers a terminal, spelled out; line ends stay."""
    return _STEERS.sub(_spelled_out, text)


def _spelled_out(found: re.Match[str]) -> str:
    character = found.group()
    if character in "\n\r":
        return character
    return "\\t" if character == "\t" else f"\\u{ord(character):04x}"
