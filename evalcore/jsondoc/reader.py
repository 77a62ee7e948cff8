"""From bytes to values: C parsing in pieces, with a precise look at the pieces that need one.

A file is cut at whole values into pieces of at most ``piece_size`` bytes, so that a single emoji
does not blow up the text of a large file to four bytes a character, and so that a trap or an error
is looked for near where it is. A small file is one piece.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Final, NamedTuple, NoReturn, cast

from evalcore.jsondoc import tokens
from evalcore.jsondoc.collector import gc_paused
from evalcore.jsondoc.lines import BOM
from evalcore.jsondoc.numbers import parse_int
from evalcore.jsondoc.slips import explain
from evalcore.jsondoc.walk import (
    Finding,
    FindingCode,
    Frame,
    State,
    Walker,
    decode_string,
    has_lone_surrogate,
    is_big,
)
from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, join

PIECE_SIZE: Final = 1 << 18
"""Bytes decoded at once: large enough for C speed, small enough to search again in a blink."""

FINDINGS_PER_CODE: Final = 100
"""More findings of one code in one file are not listed; a hundred places make the point."""

_SURROGATE_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_SURROGATE_HALF = re.compile(rb"\\u[dD][89a-fA-F]")
_BRACKETS_TO_ROUND = bytes.maketrans(b"[{]}", b"(())")
_NO_STRUCTURE = bytes(byte for byte in range(256) if byte not in b'"[{]}')


class Extent(NamedTuple):
    """Where a container of more than one piece ends, and where some of its children start.

    ``offsets[i]`` is the start of the child number ``numbers[i]``; ``size`` is the number of
    children as written, repeated keys included.
    """

    end: int
    size: int
    numbers: list[int]
    offsets: list[int]


class Reading(NamedTuple):
    """What a file holds; ``extents`` by the offset at which the container starts."""

    value: JsonValue
    start: int
    end: int
    findings: list[Finding]
    extents: dict[int, Extent]


def read(data: bytes, piece_size: int = PIECE_SIZE) -> Reading:
    """Return the value of a JSON file in UTF-8, with or without a byte order mark.

    Raises DocumentError where the bytes are not JSON or nest deeper than ``tokens.MAX_DEPTH``.
    """
    with gc_paused():
        return _Reader(data, piece_size).read()


def nesting(piece: bytes) -> int:
    """Return how many containers are open at the deepest place of a well-formed JSON text."""
    bare = piece.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = bare.translate(_BRACKETS_TO_ROUND, _NO_STRUCTURE)
    # Dropping neighbouring quotes joins strings, which leaves the inside in and the outside out.
    brackets = b"".join(marks.replace(b'""', b"").split(b'"')[::2])
    depth = 0
    while brackets and depth <= tokens.MAX_DEPTH:
        brackets = brackets.replace(b"()", b"")
        depth += 1
    return depth


class _Reader:
    def __init__(self, data: bytes, piece_size: int) -> None:
        self._data = data
        self._piece_size = piece_size
        self._frames: list[Frame] = []
        self._extents: dict[int, Extent] = {}
        self._findings: list[Finding] = []
        self._listed: Counter[FindingCode] = Counter()
        self._suspicions: set[FindingCode] = set()
        decoder = json.JSONDecoder(
            object_pairs_hook=self._on_object,
            parse_float=self._on_float,
            parse_int=self._on_int,
            parse_constant=self._on_constant,
        )
        # Not in the type stubs, though public: raw_decode without an exception to rebuild.
        self._scan_once: Callable[[str, int], tuple[JsonValue, int]] = vars(decoder)["scan_once"]

    def read(self) -> Reading:
        has_bom = self._data.startswith(BOM)
        if has_bom:
            self._list(Finding("bom", "", 0))
        start = tokens.after_space(self._data, len(BOM) if has_bom else 0)
        value, end = self._value(start)
        if tokens.after_space(self._data, end) < len(self._data):
            self._fail(end, "behind")
        return Reading(value, start, end, self._findings, self._extents)

    def _value(self, start: int) -> tuple[JsonValue, int]:
        end = tokens.skip(self._data, start, start + self._piece_size)
        first = self._data[start : start + 1]
        if end < 0 and first == b"[":
            return self._array(start)
        if end < 0 and first == b"{":
            return self._object(start)
        if end < 0:
            end = tokens.skip(self._data, start)
        if end < 0:
            self._fail(start)
        piece = self._data[start:end]
        self._check_depth(piece, start, len(self._frames), len(piece) // 2)
        return self._decode(piece, start, end), end

    def _array(self, start: int) -> tuple[JsonArray, int]:
        frame = self._open(False, start)
        items: JsonArray = []
        numbers, offsets = [], []
        position = tokens.after_space(self._data, start + 1)
        while self._data[position : position + 1] != b"]" or items:
            frame.token = len(items)
            numbers.append(len(items))
            offsets.append(position)
            end = self._run_end(position)
            if end > position:
                items += self._run(position, end)
                position = end
                continue
            value, position = self._value(position)
            items.append(value)
            more = tokens.comma(self._data, position)
            if more is None:
                break
            position = more.end()
        end = self._close(b"]", position)
        self._extents[start] = Extent(end, len(items), numbers, offsets)
        return items, end

    def _run_end(self, position: int) -> int:
        match = tokens.run(self._data, position, position + self._piece_size)
        # The piece may be cut off within the space before the next item.
        return tokens.after_space(self._data, match.end()) if match else position

    def _run(self, start: int, end: int) -> JsonArray:
        """Return the items of ``data[start:end]``, each of which has its comma behind it."""
        piece = b"[" + self._data[start : self._data.rindex(b",", start, end)] + b"]"
        # The brackets around the run stand for those of the array, which is a frame already.
        self._check_depth(piece, start, len(self._frames) - 1, tokens.PATTERN_DEPTH + 1)
        return cast(JsonArray, self._decode(piece, start, end))

    def _object(self, start: int) -> tuple[JsonObject, int]:
        frame = self._open(True, start)
        members: JsonObject = {}
        count, first = 0, tokens.after_space(self._data, start + 1)
        position = first
        while self._data[position : position + 1] != b"}" or count:
            value_start = self._member_key(position, frame, members)
            members[cast(str, frame.token)], position = self._value(value_start)
            count += 1
            more = tokens.comma(self._data, position)
            if more is None:
                break
            position = more.end()
        end = self._close(b"}", position)
        self._extents[start] = Extent(end, count, [0], [first])
        return members, end

    def _member_key(self, position: int, frame: Frame, members: JsonObject) -> int:
        """Read a key into the frame and return where its value starts."""
        match = tokens.string(self._data, position)
        colon = match and tokens.colon(self._data, match.end())
        if match is None or colon is None:
            self._fail(position, "key")
        try:
            key = decode_string(match.group())
        except ValueError:
            self._fail(position, "key")
        frame.token = key
        if key in members:
            self._list(self._finding("duplicate_key", position))
        if has_lone_surrogate(key):
            self._list(self._finding("lone_surrogate", position))
        return colon.end()

    def _open(self, is_object: bool, start: int) -> Frame:
        frame = Frame(is_object, start)
        if len(self._frames) == tokens.MAX_DEPTH:
            self._fail(start)
        self._frames.append(frame)
        return frame

    def _close(self, bracket: bytes, position: int) -> int:
        """Leave the innermost container at its closing bracket and return the offset behind it."""
        position = tokens.after_space(self._data, position)
        if self._data[position : position + 1] != bracket:
            self._fail(position, "behind")
        self._frames.pop()
        return position + 1

    def _check_depth(self, piece: bytes, start: int, outside: int, bound: int) -> None:
        """Refuse too deep a piece; its brackets are only counted if ``bound`` is not enough."""
        room = tokens.MAX_DEPTH - outside
        if bound > room and nesting(piece) > room:
            self._fail(start)

    def _decode(self, piece: bytes, start: int, end: int) -> JsonValue:
        value = self._scan(piece)
        if value is MISSING:
            self._fail(start)
        if b"\\u" in piece and _SURROGATE_HALF.search(_SURROGATE_PAIR.sub(b"", piece)):
            self._suspicions.add("lone_surrogate")
        if self._suspicions:
            self._locate(start, end)
        return value

    def _scan(self, piece: bytes) -> JsonValue | Missing:
        try:
            text = piece.decode()
            value, end = self._scan_once(text, 0)
        except (ValueError, StopIteration):
            return MISSING
        return value if end == len(text) else MISSING

    def _locate(self, start: int, end: int) -> None:
        """List the findings of the children in ``data[start:end]``, unless there are enough."""
        suspicions, self._suspicions = self._suspicions, set()
        if all(self._listed[code] == FINDINGS_PER_CODE for code in suspicions):
            return
        frames = [Frame(frame.is_object, frame.start, frame.token) for frame in self._frames]
        for finding in Walker(self._data, frames).walk(start, end):
            self._list(finding)

    def _list(self, finding: Finding) -> None:
        if self._listed[finding.code] < FINDINGS_PER_CODE:
            self._listed[finding.code] += 1
            self._findings.append(finding)

    def _finding(self, code: FindingCode, position: int) -> Finding:
        return Finding(code, join("", *(frame.token for frame in self._frames)), position)

    def _fail(self, position: int, state: State = "value") -> NoReturn:
        """Raise the error that the walk from ``position`` on finds."""
        raise explain(self._data, position, state, self._frames)

    # The C scanner calls these; all they do beside converting is to note that there is something
    # to look for, as they are not told where they are.

    def _on_object(self, pairs: list[tuple[str, JsonValue]]) -> JsonObject:
        members = dict(pairs)
        if len(members) != len(pairs):
            self._suspicions.add("duplicate_key")
        return members

    def _on_float(self, text: str) -> float:
        value = float(text)
        if math.isinf(value):
            self._suspicions.add("infinity")
        return value

    def _on_int(self, text: str) -> int:
        if len(text) <= 15:
            return int(text)
        if is_big(text):
            self._suspicions.add("big_integer")
        return parse_int(text)

    def _on_constant(self, text: str) -> float:
        self._suspicions.add("nan" if text == "NaN" else "infinity")
        return float(text)
