"""A precise walk through JSON text: where it breaks the grammar, and which values are a trap.

It is slow next to the C parser, so it only visits text that the parser refused or that is known
to hold something worth a finding. It accepts exactly what ``json.loads`` accepts.
"""

import json
import math
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from evalcore.jsondoc import tokens
from evalcore.jsontree import join

FindingCode = Literal["bom", "duplicate_key", "nan", "infinity", "lone_surrogate", "big_integer"]
SlipKind = Literal[
    "value", "key", "colon", "separator", "extra", "depth", "scalar", "string", "control", "escape"
]

State = Literal["key", "value", "behind"]
"""What a walk starts at: a member's key, a value, or whatever follows a value."""

LARGEST_EXACT_INT: Final = 2**53
"""Programs that keep numbers as 64-bit floats round integers beyond this."""

_NUMBER: Final = re.compile(rb"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_LITERALS: Final = frozenset({b"true", b"false", b"null"})
_UNUSUAL: Final[dict[bytes, FindingCode]] = {
    b"NaN": "nan",
    b"Infinity": "infinity",
    b"-Infinity": "infinity",
}
_STRING_BODY: Final = re.compile(rb'"(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+')
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class Finding(NamedTuple):
    """Something legal but risky at a byte offset."""

    code: FindingCode
    pointer: str
    offset: int


@dataclass(slots=True)
class Frame:
    """An object or array that is open: where it opened and which child is being read."""

    is_object: bool
    start: int
    token: str | int = 0
    seen: set[str] = field(default_factory=set)

    @property
    def closer(self) -> bytes:
        """The bracket that closes it."""
        return b"}" if self.is_object else b"]"


class Slip(Exception):
    """The text stops being JSON at ``offset``, inside the containers ``frames``."""

    def __init__(self, kind: SlipKind, offset: int, frames: list[Frame]) -> None:
        super().__init__(kind, offset)
        self.kind = kind
        self.offset = offset
        self.frames = frames


def has_lone_surrogate(text: str) -> bool:
    """Return whether a decoded string holds half of a surrogate pair."""
    return _SURROGATE.search(text) is not None


def is_big(digits: str) -> bool:
    """Return whether the integer spelled by ``digits`` is beyond what a 64-bit float keeps."""
    return len(digits) > 15 and (len(digits) > 17 or abs(int(digits)) > LARGEST_EXACT_INT)


def decode_string(text: bytes) -> str:
    """Return the value of a well-formed JSON string with its quotes."""
    value: str = json.loads(text.decode())
    return value


class Walker:
    """Walks on from a child inside the containers ``frames``, which it takes over."""

    def __init__(self, data: bytes, frames: list[Frame]) -> None:
        self._data = data
        self._frames = frames

    def walk(self, position: int, end: int, state: State = "value") -> Iterator[Finding]:
        """Yield the findings from ``position`` up to ``end``, in order.

        Raises Slip at the first offset that breaks the grammar. An ``end`` behind the data asks
        for all open containers to be closed and nothing to follow.
        """
        if state == "behind":
            position = self._step(position, end)
        at_key = state == "key" or (state == "behind" and self._in_object())
        while position < end:
            if at_key:
                position = yield from self._key(position)
            if self._opens(position):
                position = tokens.after_space(self._data, position + 1)
            else:
                position = yield from self._leaf(position)
                position = self._step(position, end)
            at_key = self._in_object()

    def _in_object(self) -> bool:
        return bool(self._frames) and self._frames[-1].is_object

    def _key(self, position: int) -> Generator[Finding, None, int]:
        if self._data[position : position + 1] != b'"':
            raise self._slip("key", position)
        end = self._string_end(position)
        frame, key = self._frames[-1], decode_string(self._data[position:end])
        frame.token = key
        if key in frame.seen:
            yield self._finding("duplicate_key", position)
        frame.seen.add(key)
        if has_lone_surrogate(key):
            yield self._finding("lone_surrogate", position)
        colon = tokens.after_space(self._data, end)
        if self._data[colon : colon + 1] != b":":
            raise self._slip("colon", end)
        return tokens.after_space(self._data, colon + 1)

    def _opens(self, position: int) -> bool:
        """Return whether a container with children opens here, and if so step into it."""
        if self._data[position : position + 1] not in (b"[", b"{"):
            return False
        if len(self._frames) == tokens.MAX_DEPTH:
            raise self._slip("depth", position)
        frame = Frame(self._data[position : position + 1] == b"{", position)
        inner = tokens.after_space(self._data, position + 1)
        if self._data[inner : inner + 1] == frame.closer:
            return False
        self._frames.append(frame)
        return True

    def _leaf(self, position: int) -> Generator[Finding, None, int]:
        first = self._data[position : position + 1]
        if first == b'"':
            end = self._string_end(position)
            text = self._data[position:end]
            if b"\\u" in text and has_lone_surrogate(decode_string(text)):
                yield self._finding("lone_surrogate", position)
            return end
        if first in (b"[", b"{"):
            return tokens.after_space(self._data, position + 1) + 1
        match = tokens.scalar(self._data, position)
        if match is None:
            raise self._slip("value", position)
        code = self._scalar_code(match.group(), position)
        if code is not None:
            yield self._finding(code, position)
        return match.end()

    def _scalar_code(self, text: bytes, position: int) -> FindingCode | None:
        if text in _LITERALS:
            return None
        if text in _UNUSUAL:
            return _UNUSUAL[text]
        number = _NUMBER.fullmatch(text)
        if number is None:
            raise self._slip("scalar", position)
        if number.group(1) or number.group(2):
            return "infinity" if math.isinf(float(text)) else None
        return "big_integer" if is_big(text.decode()) else None

    def _string_end(self, position: int) -> int:
        match = _STRING_BODY.match(self._data, position)
        end = match.end() if match else position
        last = self._data[end : end + 1]
        if last == b'"':
            return end + 1
        if last in (b"", b"\n", b"\r"):
            raise self._slip("string", position)
        raise self._slip("escape" if last == b"\\" else "control", end)

    def _step(self, position: int, end: int) -> int:
        """Close what closes behind a value and return where the next child starts, or the end."""
        while True:
            position = tokens.after_space(self._data, position)
            if position >= end or (not self._frames and position == len(self._data)):
                return end
            if not self._frames:
                raise self._slip("extra", position)
            frame, mark = self._frames[-1], self._data[position : position + 1]
            position += 1
            if mark == b",":
                if isinstance(frame.token, int):
                    frame.token += 1
                return tokens.after_space(self._data, position)
            if mark != frame.closer:
                raise self._slip("separator", position - 1)
            self._frames.pop()

    def _finding(self, code: FindingCode, position: int) -> Finding:
        return Finding(code, join("", *(frame.token for frame in self._frames)), position)

    def _slip(self, kind: SlipKind, position: int) -> Slip:
        return Slip(kind, position, self._frames)
