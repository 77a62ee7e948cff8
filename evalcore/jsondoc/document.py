"""A JSON file that is edited by value and written back without a byte of it disturbed."""

from collections.abc import Sequence
from functools import cached_property
from typing import Final

from evalcore.errors import Problem, Severity
from evalcore.jsondoc.collector import gc_paused
from evalcore.jsondoc.editor import Change, Editor
from evalcore.jsondoc.facts import DEFAULT_INDENT, FileFacts, detect
from evalcore.jsondoc.layout import apply
from evalcore.jsondoc.lines import LineIndex, Position
from evalcore.jsondoc.printer import Style
from evalcore.jsondoc.reader import PIECE_SIZE, Reading, read
from evalcore.jsondoc.spans import Child, SpanIndex
from evalcore.jsondoc.walk import Finding, FindingCode
from evalcore.jsontree import JsonValue, array_index, last_name, split

DEFAULT_ID_KEYS: Final = (
    "id",
    "evalId",
    "eval_id",
    "invocationId",
    "invocation_id",
    "rubricId",
    "rubric_id",
    "name",
)
"""Keys that tell items of a list apart, the first one that an item has."""

_PROBLEMS: Final[dict[FindingCode, tuple[Severity, str, str]]] = {
    "bom": (
        "info",
        "The file starts with an invisible byte order mark (BOM).",
        "Save the file as UTF-8 without BOM.",
    ),
    "duplicate_key": (
        "warning",
        "“{name}” occurs more than once in the same object; only the last value counts.",
        "Delete or rename all but one of them.",
    ),
    "nan": (
        "warning",
        "NaN is not standard JSON; other programs may refuse the file.",
        "Use a number or null.",
    ),
    "infinity": (
        "warning",
        "This number is infinite or too large to keep; other programs may refuse the file.",
        "Use a number below 1e308 or null.",
    ),
    "lone_surrogate": (
        "warning",
        "This text holds half of a \\u pair, which is no character.",
        "Write the character itself, or both halves of the pair.",
    ),
    "big_integer": (
        "info",
        "Programs that keep numbers as 64-bit floats round an integer this large.",
        "If all digits matter, keep it as text in double quotes.",
    ),
}


class JsonDocument:
    """The bytes of a JSON file and the value they hold.

    ``value`` is what ``json.loads`` returns, to be treated as immutable: pass an edited copy to
    `render`. Of several members with one key the last one counts.
    """

    def __init__(self, data: bytes, reading: Reading) -> None:
        self.data = data
        self.value = reading.value
        self._findings = reading.findings
        self._index = SpanIndex(data, reading.extents)
        self._start = reading.start
        self._end = reading.end
        self._lines = LineIndex(data)

    @classmethod
    def parse(cls, data: bytes, *, piece_size: int = PIECE_SIZE) -> "JsonDocument":
        """Return the document in ``data``: UTF-8, with or without a byte order mark.

        Opens all that Python's ``json`` opens from such a file. Raises DocumentError for anything
        else, and for nesting deeper than 200 levels. Larger files are read in pieces of about
        ``piece_size`` bytes.
        """
        return cls(data, read(data, piece_size))

    @cached_property
    def problems(self) -> tuple[Problem, ...]:
        """What other programs may refuse or misread, in the order of the file.

        At most 100 of each code ``json.bom``, ``json.duplicate_key``, ``json.nan``,
        ``json.infinity`` (numbers that overflow included), ``json.lone_surrogate`` and
        ``json.big_integer`` (beyond 2**53).
        """
        return tuple(self._problem(finding) for finding in self._findings)

    @cached_property
    def facts(self) -> FileFacts:
        """How the file is written."""
        return detect(self.data, self._start, self._end)

    def render(self, new_value: JsonValue, *, id_keys: Sequence[str] = DEFAULT_ID_KEYS) -> bytes:
        """Return the file with ``new_value`` in place of ``value``.

        Only the spans that differ are written anew, in the style of the text around them; equal
        means `jsontree.same`. Items of arrays are recognised by identity, by the first of
        ``id_keys`` that they have, or by their value, so that moved items keep their text.
        Parsing the result gives exactly ``new_value``, with one exception: two halves of a
        surrogate pair next to each other in a string, which JSON can only spell as one character.

        Raises EvaldeskError if the new value nests deeper than 200 levels, TypeError if it holds
        anything that is no JSON value.
        """
        if new_value is self.value:
            return self.data
        spreads = self.facts.indent is not None
        change = Change(self._start, self._end, self.value, new_value, 0, spreads)
        editor = Editor(self._index, self._lines, self._style(), id_keys)
        with gc_paused():
            splices = editor.splices(change)
        return apply(self.data, 0, len(self.data), splices) if splices else self.data

    def share(self, value: JsonValue) -> None:
        """Hold ``value``, which must be the `same`, in place of the value that was read.

        Edits of ``value`` are then found by identity, as those of the value that was read were.
        """
        self.value = value

    def span(self, pointer: str) -> tuple[int, int]:
        """Return the byte offsets of the value at a JSON pointer.

        Raises KeyError if there is none.
        """
        tokens = split(pointer)
        start, end, known = self._find(tokens)
        if known < len(tokens):
            raise KeyError(pointer)
        return start, end

    def position(self, pointer: str) -> Position:
        """Return the place of the value at a JSON pointer, or of the innermost one on its way."""
        start, _, _ = self._find(split(pointer))
        return self._lines.position(start)

    def text(self, pointer: str) -> str:
        """Return a value as it is written in the file.

        Raises KeyError if there is none at the pointer.
        """
        start, end = self.span(pointer)
        return self.data[start:end].decode()

    def _find(self, tokens: Sequence[str]) -> tuple[int, int, int]:
        """Return the span of the innermost value on a path and the number of tokens to it."""
        start, end = self._start, self._end
        for number, token in enumerate(tokens):
            child = self._child(start, token)
            if child is None:
                return start, end, number
            start, end = child.value, child.end
        return start, end, len(tokens)

    def _child(self, start: int, token: str) -> Child | None:
        if self.data[start : start + 1] not in (b"[", b"{"):
            return None
        container = self._index.container(start)
        if container.is_object:
            numbers = container.occurrences(token)
            return container.child(numbers[-1]) if numbers else None
        number = array_index(token)
        if number is None or number >= len(container):
            return None
        return container.child(number)

    def _problem(self, finding: Finding) -> Problem:
        severity, message, hint = _PROBLEMS[finding.code]
        message = message.format(name=last_name(finding.pointer))
        line, column = self._lines.position(finding.offset)
        return Problem(
            severity, f"json.{finding.code}", message, hint, finding.pointer, line, column
        )

    def _style(self) -> Style:
        facts = self.facts
        indent = DEFAULT_INDENT if facts.indent is None else facts.indent
        return Style(facts.newline, indent, facts.comma, facts.colon, facts.escapes_non_ascii)
