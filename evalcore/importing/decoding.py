"""From bytes to text: byte order marks, UTF-16 without one, and what Excel writes on Windows."""

from __future__ import annotations

from typing import Final

from evalcore.errors import FormatError

ENCODINGS: Final = {
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Windows (Western Europe)",
    "iso-8859-15": "Latin-9",
    "mac-roman": "Mac (Western Europe)",
    "cp850": "DOS (Western Europe)",
    "cp1250": "Windows (Central Europe)",
    "cp1251": "Windows (Cyrillic)",
    "shift_jis": "Shift JIS",
    "gb18030": "GB 18030",
}
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)


def decoded(data: bytes, encoding: str | None = None) -> tuple[str, str]:
    """Return the text of some bytes, without a byte order mark, and the encoding it is in.

    Raises FormatError if the bytes are no text in the encoding that was asked for.
    """
    mark, marked = next(((m, e) for m, e in _MARKS if data.startswith(m)), (b"", ""))
    if encoding and encoding != "utf-16":
        return _strictly(data[len(mark) :] if encoding == marked else data, encoding), encoding
    found = marked or _without_mark(data, encoding)
    text = _strictly(data[len(mark) :], found)
    return text, "utf-16" if found.startswith("utf-16") else found


def _without_mark(data: bytes, encoding: str | None) -> str:
    head = data[:4000]
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if encoding == "utf-16" or even + odd > len(head) // 5:
        return "utf-16-be" if even > odd else "utf-16-le"
    for candidate in ("utf-8", "cp1252"):
        try:
            data.decode(candidate)
        except UnicodeDecodeError:
            continue
        return candidate
    return "latin-1"


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        where = f" (byte {error.start + 1:,})" if isinstance(error, UnicodeDecodeError) else ""
        raise FormatError(
            f"The file is no text in {ENCODINGS.get(encoding, encoding)}{where}",
            hint="Choose another encoding.",
        ) from error
