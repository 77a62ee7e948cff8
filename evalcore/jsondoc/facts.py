"""How a file is written, as far as new text has to look the same."""

import re
from dataclasses import dataclass
from typing import Final

from evalcore.jsondoc.lines import BOM, spans_lines

DEFAULT_INDENT: Final = "  "
# As much of a file as is looked at for its line ends and indentation.
_SAMPLE: Final = 1 << 20
_INDENTED_LINE: Final = re.compile(rb"[\r\n]([ \t]+)[^ \t\r\n]")
_FIRST_COLON: Final = re.compile(rb'\{\s*+"[^"\\]*+(?:\\.[^"\\]*+)*+"([ \t]*+:[ \t]*+)', re.DOTALL)
_ESCAPED_NON_ASCII: Final = re.compile(rb"(?<!\\)(?:\\\\)*+\\u(?!00[0-7])")


@dataclass(frozen=True, slots=True)
class FileFacts:
    r"""The habits of a file.

    ``newline`` is the most frequent line end, "\n" where there is none. ``indent`` is one step of
    indentation, None for a document on one line, two spaces for one that is empty or a scalar.
    ``colon`` stands between a name and its value. ``escapes_non_ascii`` is true if characters
    outside ASCII occur only as ``\u`` escapes.
    """

    bom: bool
    newline: str
    indent: str | None
    colon: str
    escapes_non_ascii: bool
    final_newline: bool

    @property
    def comma(self) -> str:
        """What stands between two values on one line; writers space it like the colon."""
        return ", " if self.colon.endswith((" ", "\t")) else ","


def detect(data: bytes, start: int, end: int) -> FileFacts:
    """Return the facts of a well-formed file whose root value is ``data[start:end]``."""
    colon = _FIRST_COLON.search(data, start, end)
    return FileFacts(
        bom=data.startswith(BOM),
        newline=_newline(data),
        indent=_indent(data, start, end),
        colon=colon.group(1).decode() if colon else ": ",
        escapes_non_ascii=data.removeprefix(BOM).isascii()
        and _ESCAPED_NON_ASCII.search(data) is not None,
        final_newline=data.endswith((b"\n", b"\r")),
    )


def _newline(data: bytes) -> str:
    sample = data[:_SAMPLE]
    pairs = sample.count(b"\r\n")
    counts = {
        "\n": sample.count(b"\n") - pairs,
        "\r\n": pairs,
        "\r": sample.count(b"\r") - pairs,
    }
    return max(counts, key=counts.__getitem__)


def _indent(data: bytes, start: int, end: int) -> str | None:
    indented = _INDENTED_LINE.search(data, start, min(end, start + _SAMPLE))
    if indented:
        return indented.group(1).decode()
    if spans_lines(data, start, end):
        return ""
    # A lone scalar or empty container says nothing about how a larger document would look.
    has_children = data[start : start + 1] in (b"[", b"{") and data[start + 1 : end - 1].strip()
    return None if has_children else DEFAULT_INDENT
