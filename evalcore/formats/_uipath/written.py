"""What the way a file is written means to UiPath."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evalcore.errors import Problem, Severity
from evalcore.jsontree import last_name

_MEANINGS: dict[str, tuple[Severity, str, str, str]] = {
    "json.bom": (
        "error",
        "byte_order_mark",
        "The file starts with an invisible byte order mark (BOM), and UiPath refuses to read it.",
        "Save the file as UTF-8 without BOM.",
    ),
    "json.duplicate_key": (
        "warning",
        "duplicate_key",
        "“{name}” occurs more than once in the same object; UiPath reads only the last one.",
        "Delete or rename all but one of them.",
    ),
    "json.nan": (
        "warning",
        "not_a_number",
        "NaN is no JSON number; UiPath loads it and later turns it into null.",
        "Use a number or null.",
    ),
    "json.infinity": (
        "warning",
        "infinite_number",
        "This number is infinite or too large; UiPath loads it and later turns it into null.",
        "Use a number below 1e308 or null.",
    ),
    "json.lone_surrogate": (
        "warning",
        "half_a_character",
        "This text holds half of a \\u pair. UiPath loads it, but cannot write it out again.",
        "Write the character itself, or both halves of the pair.",
    ),
    "json.big_integer": (
        "info",
        "big_integer",
        "UiPath compares numbers as 64-bit floats, which round an integer this large.",
        "If all digits matter, keep it as text in double quotes.",
    ),
}


def written_problems(problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield a document's problems as UiPath takes them; others stay as they are."""
    for problem in problems:
        meaning = _MEANINGS.get(problem.code)
        if meaning is None:
            yield problem
        else:
            severity, code, message, hint = meaning
            message = message.format(name=last_name(problem.pointer))
            yield replace(
                problem, severity=severity, code=f"uipath.{code}", message=message, hint=hint
            )
