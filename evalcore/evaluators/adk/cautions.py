"""What ADK's computed scores hide, in words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evalcore.evaluators.adk.items import Item
from evalcore.evaluators.adk.params import MatchType
from evalcore.evaluators.measures.rouge import adk_tokens
from evalcore.formats.adk.score_traps import ANY_CALLS, EMPTY_REFERENCE

TRANSFER = "transfer_to_agent"
MANY_WORDS = 0.75
"""From this score on two replies have nearly the same words, and a “not” makes the difference."""
_NEGATION = re.compile(r"\b(?:not|never|cannot)\b|n['’]t\b")
_PARTS_OF_NEGATIONS = ("not", "never", "n't", "n’t")
_WORD = re.compile(r"[^\W_]+")


def calls_cautions(
    expected: Sequence[Item],
    actual: Sequence[Item],
    matched: Sequence[Item] | None,
    match_type: MatchType,
) -> list[str]:
    """Return what there is to say of a comparison; ``matched`` is None if it failed."""
    if matched is None:
        return [*_nearly_equal(expected, actual), *_transfers(expected, actual)]
    if not expected and actual and match_type != "EXACT":
        return [ANY_CALLS]
    if _truths(list(expected)) != _truths(list(matched)):
        return ["true and 1 count as equal, and so do false and 0."]
    return []


def text_cautions(expected: str, actual: str, score: float, *, passed: bool) -> list[str]:
    """Return what there is to say of a comparison of the words of two replies."""
    if not expected.strip():
        return [EMPTY_REFERENCE]
    if score == 0:
        if not adk_tokens(expected):
            return ["The expected reply has no words, only signs: that scores 0 against anything."]
        return []
    if score == 1:
        return _same_words(expected, actual)
    if passed and score >= MANY_WORDS and _negates(expected) != _negates(actual):
        return ["Only one of the replies says “not”: words are counted, not what they mean."]
    return []


def _nearly_equal(expected: Sequence[Item], actual: Sequence[Item]) -> list[str]:
    by_name: dict[str, list[object]] = {}
    for name, args in actual:
        by_name.setdefault(name, []).append(args)
    cautions = []
    for name, args in expected:
        made = by_name.get(name, [])
        if not made or args in made:
            continue
        if args in (None, {}) and (None in made or {} in made):
            cautions.append(f"{name}: no arguments and {{}} do not count as equal.")
        elif _as_texts(args) in map(_as_texts, made):
            cautions.append(f"{name}: only the types differ, as in 1 and “1”.")
    return list(dict.fromkeys(cautions))


def _transfers(expected: Sequence[Item], actual: Sequence[Item]) -> list[str]:
    wanted, made = [name for name, _ in expected], [name for name, _ in actual]
    if wanted.count(TRANSFER) == made.count(TRANSFER):
        return []
    rest = [[name for name in names if name != TRANSFER] for names in (wanted, made)]
    if rest[0] == rest[1]:
        return [f"Handing over to another agent counts as a call ({TRANSFER})."]
    return []


def _negates(text: str) -> bool:
    lowered = text.lower()
    # Looking for the parts first is quicker than the pattern, and most texts have none.
    return any(part in lowered for part in _PARTS_OF_NEGATIONS) and bool(_NEGATION.search(lowered))


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
    if isinstance(value, (list, tuple)):
        return [_truths(item) for item in value]
    return (value, isinstance(value, bool))


def _as_texts(value: object) -> object:
    """Return the values with numbers as the text that spells them, for comparing only."""
    if isinstance(value, dict):
        return {key: _as_texts(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_texts(item) for item in value]
    return str(value).lower()
