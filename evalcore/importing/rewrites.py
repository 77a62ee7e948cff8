"""What spreadsheet programs make of texts that they take for numbers, dates or a yes or no.

They do so when a CSV file is opened, without a word: ``007`` comes back as ``7``, ``1-2`` as
``02-Jan``, a number of twenty digits as ``1.23457E+19``.
"""

from __future__ import annotations

import math
import re
from typing import Final

_MONTHS: Final = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_MONEY = re.compile(r"[\s$€£¥%]")
_THOUSANDS = re.compile(r"(?<=\d)[,'\u2019\u00a0\u202f](?=\d{3}(?!\d))")
_WORD = re.compile(r"[^\W\d_]+")
_PART = re.compile(r"\d+|[^\W\d_]+")
_DATED = re.compile(r"[\d\s.,:/\-]*")
_OTHER_WORDS: Final = frozenset({"am", "pm", "t", "z"})
_MOST = 40
"""How long a text may be that a program takes for something else."""


def is_rewritten(old: str, new: str) -> bool:
    """Return whether ``new`` is ``old`` as a spreadsheet program writes it, not a person.

    Texts of the same shape with other numbers in them are an edit.
    """
    old, new = old.strip(), new.strip()
    if old == new or not old or not new or max(len(old), len(new)) > _MOST:
        return False
    if old.casefold() == new.casefold():
        return old.casefold() in ("true", "false")
    return _same_number(old, new) or _same_date(old, new)


def _same_number(old: str, new: str) -> bool:
    if not any(mark.isdigit() for mark in old):
        return False
    return any(_close(a, b, new) for a in _readings(old) for b in _readings(new))


def _close(old: float, new: float, written: str) -> bool:
    if old == new:
        return True
    # In scientific notation only some of the digits are written.
    return "E+" in written.upper() and math.isclose(old, new, rel_tol=5e-6)


def _readings(text: str) -> list[float]:
    """Return the numbers that a text may stand for: a comma is of the decimals, or of thousands."""
    bare = _MONEY.sub("", text)
    spelled = {_THOUSANDS.sub("", bare), bare, bare.replace(",", ".")}
    found = (float(s) for s in spelled if _NUMBER.fullmatch(s))
    return [number for number in found if math.isfinite(number)]


def _same_date(old: str, new: str) -> bool:
    if not (_is_dated(old) and _is_dated(new)):
        return False
    left, right = _numbers(old), _numbers(new)
    if len(left) < 2:
        return False
    if _shape(old) == _shape(new):
        return left == right
    return sorted(n % 100 for n in left) == sorted(n % 100 for n in right)


def _is_dated(text: str) -> bool:
    words = [word.lower() for word in _WORD.findall(text)]
    known = all(word[:3] in _MONTHS or word in _OTHER_WORDS for word in words)
    return known and _DATED.fullmatch(_WORD.sub("", text)) is not None


def _numbers(text: str) -> list[int]:
    """Return the numbers in a date, months by their number."""
    parts = (part.lower() for part in _PART.findall(text))
    found = (int(p) if p.isdecimal() else _month(p) for p in parts)
    return [number for number in found if number is not None]


def _month(word: str) -> int | None:
    return _MONTHS.index(word[:3]) + 1 if word[:3] in _MONTHS else None


def _shape(text: str) -> str:
    return _PART.sub(lambda part: "0" if part[0].isdecimal() else "a", text)
