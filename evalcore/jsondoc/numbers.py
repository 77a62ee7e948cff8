"""Integers of any length: Python refuses to convert more than a few thousand digits at once.

The limit guards against quadratic conversions; splitting the digits in halves avoids those without
touching the interpreter's settings, which belong to the whole process.
"""

from typing import Final

# The lowest limit an interpreter can be set to is 640 digits.
_DIGITS: Final = 600
_SMALL: Final = 10**_DIGITS


def parse_int(text: str) -> int:
    """Return the integer that a JSON number without fraction or exponent spells."""
    if len(text) <= _DIGITS:
        return int(text)
    if text.startswith("-"):
        return -_parse_digits(text[1:])
    return _parse_digits(text)


def print_int(value: int) -> str:
    """Return the decimal digits of an integer."""
    if -_SMALL < value < _SMALL:
        return int.__repr__(value)
    sign, value = ("-", -value) if value < 0 else ("", int(value))
    # log10(2) is a little less than 31/100.
    width = value.bit_length() * 31 // 100 + 1
    return sign + _print_digits(value, width).lstrip("0")


def _parse_digits(text: str) -> int:
    if len(text) <= _DIGITS:
        return int(text)
    low = len(text) // 2
    scale: int = 10**low
    return _parse_digits(text[:-low]) * scale + _parse_digits(text[-low:])


def _print_digits(value: int, width: int) -> str:
    if width <= _DIGITS:
        return str(value).zfill(width)
    low = width // 2
    head, tail = divmod(value, 10**low)
    return _print_digits(head, width - low) + _print_digits(tail, low)
