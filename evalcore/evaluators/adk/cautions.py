"""What ADK's computed scores hide, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evalcore.evaluators.adk.params import TrajectoryParams
from evalcore.evaluators.measures.rouge import adk_tokens
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

TRANSFER = "transfer_to_agent"
_NEGATION = re.compile(r"\b(?:not|no|never|cannot)\b|n['’]t\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")


def calls_cautions(
    expected: Sequence[ToolCall],
    actual: Sequence[ToolCall],
    params: TrajectoryParams,
    *,
    passed: bool,
) -> list[str]:
    """Return what there is to say of a comparison of tool calls."""
    if params.match_type != "EXACT" and not expected:
        return ["Nothing is expected here, so any calls pass."] if actual else []
    if params.ignore_args:
        return []
    pairs = [
        (want, have)
        for want in expected
        for have in actual
        if want.name == have.name and (want.args is not have.args)
    ]
    if passed:
        return _equal_by_chance(pairs)
    return [*_nearly_equal(pairs), *_transfers(expected, actual)]


def text_cautions(expected: str, actual: str, score: float, *, passed: bool) -> list[str]:
    """Return what there is to say of a comparison of the words of two replies."""
    if not expected.strip():
        return ["The expected reply is empty: that scores 0 against anything, an empty reply too."]
    if score == 0:
        if not adk_tokens(expected):
            return ["The expected reply has no words, only signs: that scores 0 against anything."]
        return []
    if score == 1:
        return _same_words(expected, actual)
    if passed and bool(_NEGATION.search(expected)) != bool(_NEGATION.search(actual)):
        return ["Only one of the replies says “not”: words are counted, not what they mean."]
    return []


def arguments(call: ToolCall) -> object:
    """Return a call's arguments as ADK compares them: absent and null are alike, {} is not."""
    return None if call.args is MISSING else call.args


def has_nan(value: object) -> bool:
    """Return whether a value is or holds a NaN, which equals nothing, itself included."""
    if isinstance(value, dict):
        return any(map(has_nan, value.values()))
    if isinstance(value, list):
        return any(map(has_nan, value))
    return value != value


def _equal_by_chance(pairs: Sequence[tuple[ToolCall, ToolCall]]) -> list[str]:
    for want, have in pairs:
        left, right = arguments(want), arguments(have)
        if left == right and _truths(left) != _truths(right):
            return ["true and 1 count as equal, and so do false and 0."]
    return []


def _nearly_equal(pairs: Sequence[tuple[ToolCall, ToolCall]]) -> list[str]:
    cautions = []
    for want, have in pairs:
        left, right = arguments(want), arguments(have)
        if left == right:
            continue
        if left in (None, {}) and right in (None, {}):
            cautions.append(f"{want.name}: no arguments and {{}} do not count as equal.")
        elif _as_texts(left) == _as_texts(right):
            cautions.append(f"{want.name}: only the types differ, as in 1 and “1”.")
    return list(dict.fromkeys(cautions))


def _transfers(expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> list[str]:
    wanted = sum(call.name == TRANSFER for call in expected)
    made = sum(call.name == TRANSFER for call in actual)
    rest = [[c.name for c in calls if c.name != TRANSFER] for calls in (expected, actual)]
    if wanted != made and rest[0] == rest[1]:
        return [f"Handing over to another agent counts as a call ({TRANSFER})."]
    return []


def _same_words(expected: str, actual: str) -> list[str]:
    if adk_tokens(expected) != adk_tokens(actual):
        return ["The same words in another order score 1."]
    left, right = _WORD.findall(expected.lower()), _WORD.findall(actual.lower())
    if expected.isascii() and actual.isascii() and left != right:
        pair = next((a, b) for a, b in zip(left, right, strict=False) if a != b)
        return [f"“{pair[0]}” and “{pair[1]}” have one stem and count as the same word."]
    return []


def _truths(value: object) -> object:
    """Return the values with true and false told apart from numbers, for comparing only."""
    if isinstance(value, dict):
        return {key: _truths(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_truths(item) for item in value]
    return (value, isinstance(value, bool))


def _as_texts(value: object) -> object:
    """Return the values with numbers as the text that spells them, for comparing only."""
    if isinstance(value, dict):
        return {key: _as_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_texts(item) for item in value]
    return str(value).lower()
