"""Expected tool calls lined up with the calls that were made, and visited nodes likewise."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from evalcore.explain.json_diff import Change, diff_json
from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson, ToolCall

MAX_CELLS = 40_000
"""Longer differing stretches than about 200 by 200 calls are lined up by name alone."""


class Match(StrEnum):
    """What became of an expected call, or why a call was made."""

    MATCHED = "matched"
    ARGUMENTS = "arguments"
    MOVED = "moved"
    MISSING = "missing"
    EXTRA = "extra"


@dataclass(frozen=True, slots=True)
class Pair:
    """One row of the comparison; steps count from 1, None on a side that has no call.

    ``changes`` are the differing arguments: one Change per place, with both values.
    """

    match: Match
    expected: ToolCall | None = None
    actual: ToolCall | None = None
    expected_step: int | None = None
    actual_step: int | None = None
    changes: tuple[Change, ...] = ()
    is_moved: bool = False


def align(expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> tuple[Pair, ...]:
    """Return the cheapest way to turn the expected calls into the actual ones.

    Only calls of one name are ever paired; among those, the ones with most equal arguments. A call
    that is missing in one place and made in another becomes one row that ``is_moved``. An expected
    call that says nothing about arguments accepts any.
    """
    keys = {id(c): _key(c) for c in (*expected, *actual)}

    def same(a: ToolCall, b: ToolCall) -> bool:
        return a.name == b.name and (_says_nothing(a) or keys[id(a)] == keys[id(b)])

    steps = _edit_path(expected, actual, same)
    pairs = [_pair(expected, actual, i, j) for i, j in steps]
    return tuple(_join_moved(pairs, same))


def align_names(
    expected: Sequence[str], actual: Sequence[str]
) -> tuple[tuple[str | None, str | None], ...]:
    """Return two orders of names side by side; a name that stands alone has None beside it."""
    rows: list[tuple[str | None, str | None]] = []
    for tag, a0, a1, b0, b1 in SequenceMatcher(
        None, expected, actual, autojunk=len(expected) * len(actual) > MAX_CELLS
    ).get_opcodes():
        if tag == "equal":
            rows.extend(zip(expected[a0:a1], actual[b0:b1], strict=True))
            continue
        rows.extend((name, None) for name in expected[a0:a1])
        rows.extend((None, name) for name in actual[b0:b1])
    return tuple(rows)


_Same = Callable[[ToolCall, ToolCall], bool]
_Step = tuple[int | None, int | None]


def _says_nothing(call: ToolCall) -> bool:
    return call.args is MISSING or call.args is None


def _key(call: ToolCall) -> str:
    return json.dumps(None if call.args is MISSING else call.args, sort_keys=True)


def _edit_path(a: Sequence[ToolCall], b: Sequence[ToolCall], same: _Same) -> list[_Step]:
    head, tail = 0, 0
    limit = min(len(a), len(b))
    while head < limit and same(a[head], b[head]):
        head += 1
    while tail < limit - head and same(a[-1 - tail], b[-1 - tail]):
        tail += 1
    middle_a, middle_b = a[head : len(a) - tail], b[head : len(b) - tail]
    way = _cheapest if len(middle_a) * len(middle_b) <= MAX_CELLS else _by_name
    steps: list[_Step] = [(i, i) for i in range(head)]
    for i, j in way(middle_a, middle_b, same):
        steps.append((None if i is None else i + head, None if j is None else j + head))
    steps += [(len(a) - k, len(b) - k) for k in range(tail, 0, -1)]
    return steps


def _cheapest(a: Sequence[ToolCall], b: Sequence[ToolCall], same: _Same) -> list[_Step]:
    """Walk the table of least costs, filled from the end so that the way reads forwards."""
    rows, columns = len(a), len(b)
    cost = [[float(columns - j + rows - i) for j in range(columns + 1)] for i in range(rows + 1)]
    link = [[_cost(x, y, same) for y in b] for x in a]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            cost[i][j] = min(
                cost[i + 1][j + 1] + link[i][j], cost[i + 1][j] + 1, cost[i][j + 1] + 1
            )
    steps: list[_Step] = []
    i = j = 0
    while i < rows or j < columns:
        if i < rows and j < columns and cost[i][j] == cost[i + 1][j + 1] + link[i][j]:
            steps.append((i, j))
            i, j = i + 1, j + 1
        elif i < rows and (j == columns or cost[i][j] == cost[i + 1][j] + 1):
            steps.append((i, None))
            i += 1
        else:
            steps.append((None, j))
            j += 1
    return steps


def _cost(a: ToolCall, b: ToolCall, same: _Same) -> float:
    """Return 0 for equal calls, up to 1 by share of differing arguments, over 2 for other names."""
    if a.name != b.name:
        return 3.0
    if same(a, b):
        return 0.0
    left, right = a.args, b.args
    if not isinstance(left, dict) or not isinstance(right, dict):
        return 1.0
    names = left.keys() | right.keys()
    equal = sum(1 for n in names if n in left and n in right and left[n] == right[n])
    return 0.5 + 0.5 * (1 - equal / len(names)) if names else 0.5


def _by_name(a: Sequence[ToolCall], b: Sequence[ToolCall], same: _Same) -> list[_Step]:
    steps: list[_Step] = []
    names = [c.name for c in a], [c.name for c in b]
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, *names, autojunk=True).get_opcodes():
        if tag == "equal":
            steps += zip(range(a0, a1), range(b0, b1), strict=True)
        else:
            steps += [(i, None) for i in range(a0, a1)]
            steps += [(None, j) for j in range(b0, b1)]
    return steps


def _pair(
    expected: Sequence[ToolCall], actual: Sequence[ToolCall], i: int | None, j: int | None
) -> Pair:
    a = None if i is None else expected[i]
    b = None if j is None else actual[j]
    step_a, step_b = (None if i is None else i + 1), (None if j is None else j + 1)
    if a is None or b is None:
        return Pair(Match.EXTRA if a is None else Match.MISSING, a, b, step_a, step_b)
    changes = _argument_changes(a.args, b.args)
    return Pair(Match.ARGUMENTS if changes else Match.MATCHED, a, b, step_a, step_b, changes)


def _argument_changes(expected: MaybeJson, actual: MaybeJson) -> tuple[Change, ...]:
    if expected is MISSING or expected is None:
        return ()
    got = {} if actual is MISSING and isinstance(expected, dict) else actual
    return tuple(c for c in diff_json(expected, got).changes if not c.is_harmless)


def _join_moved(pairs: list[Pair], same: _Same) -> list[Pair]:
    """Return the pairs with each missing call joined to an extra one of its name, if there is one.

    Calls with equal arguments are joined first.
    """
    spare: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.match is Match.EXTRA and pair.actual is not None:
            spare.setdefault(pair.actual.name, []).append(pair)
    partner: dict[int, Pair] = {}
    for with_equal_arguments in (True, False):
        for pair in pairs:
            if pair.match is Match.MISSING and id(pair) not in partner:
                _find_partner(pair, spare, same if with_equal_arguments else None, partner)
    used = {id(other) for other in partner.values()}
    return [
        _joined(pair, partner[id(pair)]) if id(pair) in partner else pair
        for pair in pairs
        if id(pair) not in used
    ]


def _find_partner(
    pair: Pair, spare: dict[str, list[Pair]], same: _Same | None, partner: dict[int, Pair]
) -> None:
    wanted = pair.expected
    others = spare.get(wanted.name, []) if wanted is not None else []
    for place, other in enumerate(others):
        if wanted and other.actual and (same is None or same(wanted, other.actual)):
            partner[id(pair)] = others.pop(place)
            return


def _joined(pair: Pair, other: Pair) -> Pair:
    wanted, made = pair.expected, other.actual
    changes = _argument_changes(wanted.args, made.args) if wanted and made else ()
    return replace(
        pair,
        match=Match.ARGUMENTS if changes else Match.MOVED,
        actual=made,
        actual_step=other.actual_step,
        changes=changes,
        is_moved=True,
    )
