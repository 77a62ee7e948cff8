"""Whether a mock's arguments are those of a call, and if not, what differs first.

Each must be there and equal, as Python compares: by position where the mock has it by position, by
name where by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evalcore.formats._uipath.mock_values import built_in, is_any, is_built, shown
from evalcore.mocking.answers import Call

LONGEST = 60
CODE = "Whether this rule answers depends on Python code that the file names."


def misfit(args: Sequence[Any], named: Mapping[str, Any], call: Call) -> str | None:
    """Return why a mock with these arguments is not for a call, "" where it is.

    None where that depends on code.
    """
    differs = _shape(args, named, call)
    if differs:
        return differs
    is_known = True
    for name, wanted, given in _pairs(args, named, call):
        equal = _equal(wanted, given)
        if equal is False:
            return f"{name} is {_said(given)}; the rule wants {_said(wanted)}."
        is_known = is_known and equal is not None
    return "" if is_known else None


def _pairs(
    args: Sequence[Any], named: Mapping[str, Any], call: Call
) -> Iterator[tuple[str, Any, Any]]:
    for place, (wanted, given) in enumerate(zip(args, call.args, strict=True), 1):
        yield f"Argument {place}", wanted, given
    for name, wanted in named.items():
        yield f"“{name}”", wanted, call.named[name]


def _shape(args: Sequence[Any], named: Mapping[str, Any], call: Call) -> str:
    """Return how the number of arguments or their names differ, "" where they do not."""
    if not args and not named and (call.args or call.named):
        return "The rule is for calls without arguments only."
    missing = [name for name in named if name not in call.named]
    extra = [name for name in call.named if name not in named]
    if len(args) != len(call.args):
        by_other = missing if len(call.args) > len(args) else extra
        beside = " By position and by name are different things." if by_other else ""
        return f"The rule wants {_count(len(args))} by position, the call has {len(call.args)}." + (
            beside
        )
    if missing:
        return f"The rule wants {_names(missing)} by name, which the call does not have."
    return f"The call has {_names(extra)} by name, which the rule does not want." if extra else ""


def _count(number: int) -> str:
    return f"{number} argument" if number == 1 else f"{number} arguments"


def _names(names: Sequence[str]) -> str:
    return " and ".join(f"“{name}”" for name in names)


def _equal(wanted: Any, given: Any) -> bool | None:
    if is_built(wanted):
        return True if is_any(wanted) else None
    built = list(built_in(wanted))
    if not built:
        return bool(wanted == given)
    # Inside a value, even "any" is an object of its own, and equal to nothing.
    return False if all(map(is_any, built)) else None


def _said(value: Any) -> str:
    text = json.dumps(shown(value), ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
