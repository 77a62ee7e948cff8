"""What saving a file of evaluators would change, in words."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.jsontree import MISSING, JsonValue, Missing, join, same, split
from evalcore.views.evaluators.bench import Bench
from evalcore.views.values import plain
from evalcore.views.words import first_words

_DEEP = 4
_ROOTS = {"evaluatorConfig": "", "criteria": "", "checks": "check"}


def changes_in_words(bench: Bench) -> list[str]:
    """Return each place that differs from the opened file: its name, before and after."""
    base = bench.draft.base.document.value
    return [_words(*found) for found in differences(base, bench.tree)]


def differences(
    old: JsonValue | Missing, new: JsonValue | Missing, pointer: str = ""
) -> Iterator[tuple[str, JsonValue | Missing, JsonValue | Missing]]:
    """Yield the deepest places in which two trees differ, with what each side has there.

    Lists of different length differ as a whole, and so does what lies deeper than a few levels.
    """
    if old is not MISSING and new is not MISSING and same(old, new):
        return
    deep = len(split(pointer)) >= _DEEP
    if isinstance(old, dict) and isinstance(new, dict) and not deep:
        names = dict.fromkeys([*old, *new])
        inner = [
            place
            for name in names
            for place in differences(
                old.get(name, MISSING), new.get(name, MISSING), join(pointer, name)
            )
        ]
        yield from inner or [(pointer, "another order", "this order")]
        return
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and not deep:
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from differences(left, right, join(pointer, index))
        return
    yield pointer, old, new


def _words(pointer: str, old: JsonValue | Missing, new: JsonValue | Missing) -> str:
    steps = [_ROOTS.get(step, step) for step in split(pointer)]
    name = " › ".join(filter(None, steps)) or "The file"
    if old is MISSING:
        return f"+ {name}: {_short(new)}"
    if new is MISSING:
        return f"− {name}: was {_short(old)}"
    return f"± {name}: {_short(old)} → {_short(new)}"


def _short(value: JsonValue | Missing) -> str:
    if value is MISSING:
        return "nothing"
    return first_words(plain(value), 90) or "(empty text)"
