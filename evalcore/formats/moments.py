"""Moments that a file has as seconds since 1970, read and written as a date and time in UTC."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from evalcore.errors import FormatError

if TYPE_CHECKING:
    from evalcore.formats.lenses import Field

MARK: Final = "unit", "moment"
"""What the ``extra`` of a field says that holds one."""
UNIT: Final = " (seconds since 1970)"
"""What such a number is called where it is shown as the file has it."""
HINT: Final = "Write a date and a time in UTC, such as 2026-12-01 14:30."
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TYPED = re.compile(
    r"(\d{4})-(\d\d?)-(\d\d?)(?:[T ]+(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?"
    r" *(?:Z|UTC|([+-])(\d\d):?(\d\d))?",
    re.IGNORECASE,
)


def is_moment(field: Field) -> bool:
    """Return whether a field holds seconds since 1970."""
    return field.extra.get(MARK[0]) == MARK[1]


def moment_text(value: Any) -> str | None:
    """Return seconds since 1970 as a date and time, None for what is no time of a calendar."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        return None
    try:
        at = _EPOCH + timedelta(seconds=value)
    except OverflowError:
        return None
    text = at.strftime("%Y-%m-%d %H:%M:%S").rjust(19, "0")
    return f"{text}.{at.microsecond:06}".rstrip("0") if at.microsecond else text


def read_moment(typed: str, old: Any = None) -> int | float:
    """Return the seconds since 1970 that a typed date and time are.

    ``old`` is returned where it is shown as just that text, so that its number keeps its spelling.
    Without a time it is midnight, without an offset UTC. Raises FormatError for anything else.
    """
    text = typed.strip()
    if isinstance(old, (int, float)) and moment_text(old) == text:
        return old
    found = _TYPED.fullmatch(text)
    try:
        seconds = (_moment(found) - _EPOCH) / timedelta(seconds=1) if found else None
    except (ValueError, OverflowError):
        seconds = None
    if seconds is None:
        raise FormatError(f"{text!r} is no date and time", hint=HINT)
    return int(seconds) if isinstance(old, int) and seconds == int(seconds) else seconds


def _moment(found: re.Match[str]) -> datetime:
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    micro = int((found[7] or "").ljust(6, "0"))
    at = datetime(year, month, day, hour, minute, second, micro, tzinfo=UTC)
    offset = timedelta(hours=int(found[9] or 0), minutes=int(found[10] or 0))
    return at + offset if found[8] == "-" else at - offset
