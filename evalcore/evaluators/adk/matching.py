"""Whether the calls of a run are the expected ones, by ADK's rules.

``RULES`` say it of any items, and which items match. ``is_match`` says only whether calls do, in
loops of its own: most of the time would go into making the items.
"""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.evaluators.adk.items import has_nan, items
from evalcore.evaluators.adk.params import MatchType
from evalcore.evaluators.measures.trajectory import (
    contained_in_any_order,
    contained_in_order,
    equal_throughout,
)
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

RULES = {
    "EXACT": equal_throughout,
    "IN_ORDER": contained_in_order,
    "ANY_ORDER": contained_in_any_order,
}
_ABSENT = (MISSING, None)


def is_match(
    mode: MatchType, wanted: Sequence[ToolCall], made: Sequence[ToolCall], *, by_name: bool
) -> bool:
    """Return whether calls match, by their names alone or by name and arguments.

    Arguments compare as Python compares them, but that a NaN equals nothing, itself included.
    """
    if by_name:
        return RULES[mode](items(wanted, by_name=True), items(made, by_name=True)) is not None
    return _WITH_ARGS[mode](wanted, made) and not has_nan(wanted)


def _equal_throughout(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> bool:
    if len(wanted) != len(made):
        return False
    for want, call in zip(wanted, made, strict=True):
        if want.name != call.name:
            return False
        args, other = want.args, call.args
        if args != other and not (args in _ABSENT and other in _ABSENT):
            return False
    return True


def _contained_in_order(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> bool:
    found, count = 0, len(wanted)
    if not count:
        return True
    name, args = wanted[0].name, wanted[0].args
    for call in made:
        if call.name != name:
            continue
        other = call.args
        if args == other or (args in _ABSENT and other in _ABSENT):
            found += 1
            if found == count:
                return True
            name, args = wanted[found].name, wanted[found].args
    return False


def _contained_in_any_order(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> bool:
    unused = items(made, by_name=False)
    try:
        for item in items(wanted, by_name=False):
            unused.remove(item)
    except ValueError:
        return False
    return True


_WITH_ARGS = {
    "EXACT": _equal_throughout,
    "IN_ORDER": _contained_in_order,
    "ANY_ORDER": _contained_in_any_order,
}
