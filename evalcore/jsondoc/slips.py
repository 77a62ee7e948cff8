"""Says in plain words why a file is not JSON, where, and what to do about it."""

import re
from typing import Final

from evalcore.errors import DocumentError
from evalcore.jsondoc.advice import describe
from evalcore.jsondoc.brackets import Account
from evalcore.jsondoc.lines import BOM, LineIndex
from evalcore.jsondoc.walk import Frame, Slip, State, Walker

_EXCERPT: Final = 80
# JSON starts with an ASCII character, and most often with two of them.
_ZEROS: Final = {
    b"\1\0": "UTF-16",
    b"\0\1": "UTF-16",
    b"\1\0\1\0": "UTF-16",
    b"\0\1\0\1": "UTF-16",
    b"\1\0\0\0": "UTF-32",
    b"\0\0\0\1": "UTF-32",
}
_CONFLICT: Final = re.compile(rb"^(?:<<<<<<<|=======|>>>>>>>)(?=[ \r\n]|\Z)", re.MULTILINE)


def explain(data: bytes, position: int, state: State, frames: list[Frame]) -> DocumentError:
    """Return the error that a reader meets from ``position`` on, inside the open ``frames``.

    Only for data that is known to be broken behind that position.
    """
    account = _not_text(data) or _merge_conflict(data)
    if account is None:
        account = describe(data, _find_slip(data, position, state, frames))
    lines = LineIndex(data)
    line, column = lines.position(account.offset)
    excerpt = _excerpt(lines.line_text(account.offset), column)
    return DocumentError(
        account.message, line=line, column=column, excerpt=excerpt, hint=account.hint
    )


def _find_slip(data: bytes, position: int, state: State, frames: list[Frame]) -> Slip:
    try:
        for _ in Walker(data, frames).walk(position, len(data) + 1, state):
            pass
    except Slip as slip:
        return slip
    raise AssertionError(f"refused, but well-formed from offset {position} on")


def _excerpt(line: bytes, column: int) -> str:
    text = line.removeprefix(BOM).decode("utf-8", "replace")
    start = max(0, min(column - 1 - _EXCERPT // 2, len(text) - _EXCERPT))
    shown = text[start : start + _EXCERPT].replace("\t", " ").strip()
    return "".join(character if character.isprintable() else "\ufffd" for character in shown)


def _not_text(data: bytes) -> Account | None:
    hint = "Save the file again with the encoding UTF-8."
    wide = _wide_encoding(data)
    if wide:
        return Account(f"The file is saved as {wide}, not as UTF-8.", hint, 0)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        byte = data[error.start]
        message = (
            f"The file is not UTF-8 text: byte {error.start} (0x{byte:02X}) does not belong there."
        )
        return Account(message, hint, error.start)
    return None


def _merge_conflict(data: bytes) -> Account | None:
    # A line inside a text cannot start like this: line ends in texts are written \n.
    marker = _CONFLICT.search(data)
    if marker is None:
        return None
    return Account(
        "The file holds an unresolved merge conflict.",
        "Choose one of the two versions between the <<<<<<<, ======= and >>>>>>> lines and delete "
        "those lines.",
        marker.start(),
    )


def _wide_encoding(data: bytes) -> str | None:
    """Return the encoding that a mark or the zero bytes of the first characters give away."""
    head = data[:4]
    if head in (b"\xff\xfe\0\0", b"\0\0\xfe\xff"):
        return "UTF-32"
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    return _ZEROS.get(bytes(byte > 0 for byte in head))
