"""What is wrong with one value, in words, by its schema."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator

from evalcore.jsontree import JsonValue
from evalcore.views.schema import Spec


def faults(spec: Spec, value: JsonValue) -> Iterator[str]:
    """Yield, in words, what is wrong with one value; its members are not looked at."""
    if not spec.accepts(value):
        yield f"This should be {spec.words}."
        return
    spec = spec.chosen(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _out_of_range(spec, value)
    if isinstance(value, str):
        yield from _wrong_text(spec, value)
    if isinstance(value, list):
        yield from _wrong_length(spec, value)


def _out_of_range(spec: Spec, value: float) -> Iterator[str]:
    tests: dict[str, Callable[[float, float], bool]] = {
        "minimum": operator.lt,
        "exclusiveMinimum": operator.le,
        "maximum": operator.gt,
        "exclusiveMaximum": operator.ge,
    }
    for name, is_outside in tests.items():
        limit = spec.schema.get(name)
        if isinstance(limit, (int, float)) and is_outside(value, limit):
            yield f"The number should be {spec.limits}."
            return


def _wrong_text(spec: Spec, value: str) -> Iterator[str]:
    longest, shortest = spec.schema.get("maxLength"), spec.schema.get("minLength")
    if isinstance(longest, int) and len(value) > longest:
        yield f"The text has {len(value):,} characters and should have at most {longest:,}."
    if isinstance(shortest, int) and len(value) < shortest:
        yield f"The text should have at least {shortest:,} characters."
    pattern = spec.schema.get("pattern")
    if isinstance(pattern, str) and not _matches(pattern, value):
        yield f"The text should look like {pattern}."


def _wrong_length(spec: Spec, value: list[JsonValue]) -> Iterator[str]:
    most, least = spec.schema.get("maxItems"), spec.schema.get("minItems")
    if isinstance(most, int) and len(value) > most:
        yield f"There should be at most {most:,} items."
    if isinstance(least, int) and len(value) < least:
        yield f"There should be at least {least:,} items."


def _matches(pattern: str, value: str) -> bool:
    # Only short texts: a pattern out of a file must not keep the page waiting.
    if len(value) > 200 or len(pattern) > 200:
        return True
    try:
        return re.search(pattern, value) is not None
    except re.error:
        return True
