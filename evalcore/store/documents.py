"""A case result as JSON text, from which the same case result can be read again."""

from __future__ import annotations

import json
from typing import Any

from evalcore.jsondoc.numbers import parse_int
from evalcore.jsondoc.printer import Style, print_value
from evalcore.jsontree import MISSING
from evalcore.model import Model
from evalcore.results import CaseResult, Scale, Score, Verdict

_ONE_LINE = Style("", "", ",", ":", True)
_DEEPEST = 1_000
SCORE_DEFAULTS: dict[str, Any] = {
    "evaluator_name": "",
    "value": None,
    "native": None,
    "verdict": None,
    "threshold": None,
    "reason": "",
    "cautions": (),
    "details": MISSING,
    "informational": False,
    "line": None,
    "duration_s": None,
    "origin": "",
}


def dump(case: CaseResult) -> str:
    """Return a case result as one line of JSON; what has its default value is left out.

    NaN and infinities are written as Python's ``json`` does, halves of broken emoji as escapes.
    """
    found = plain(case)
    try:
        return json.dumps(found, separators=(",", ":"))
    except ValueError:
        # An integer of more digits than Python converts at once.
        return print_value(found, _ONE_LINE, None, _DEEPEST)


def load(text: str) -> CaseResult:
    """Return the case result that ``dump`` wrote; raises ValueError for any other text."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError:
        raise
    except ValueError:
        found = json.loads(text, parse_int=parse_int)
    try:
        for holder in (found, *found.get("invocations", ())):
            holder["scores"] = tuple(revived(score) for score in holder.get("scores", ()))
    except (AttributeError, TypeError) as error:
        raise ValueError(f"This is no case result: {error}") from error
    return CaseResult.model_validate(found)


def plain(value: Any) -> Any:
    """Return a model as JSON values, without what is missing or has its default value."""
    if isinstance(value, Score):
        return _plain_score(value)
    if isinstance(value, Model):
        found = {}
        for name, field in type(value).model_fields.items():
            held = getattr(value, name)
            if held is MISSING or (not field.is_required() and _is_default(held, field.default)):
                continue
            found[name] = plain(held)
        return found
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def revived(score: Any) -> Score:
    """Return the score that ``plain`` took apart; raises ValueError for anything else."""
    if not isinstance(score, dict) or "evaluator" not in score:
        raise ValueError("A score is an object with an evaluator")
    held = dict(score)
    scale, verdict = held.pop("scale", None), held.pop("verdict", None)
    held["cautions"] = tuple(held.get("cautions", ()))
    return Score(
        scale=None if scale is None else Scale(*scale),
        verdict=None if verdict is None else Verdict(verdict),
        **held,
    )


def _plain_score(score: Score) -> dict[str, Any]:
    found: dict[str, Any] = {"evaluator": score.evaluator}
    for name, default in SCORE_DEFAULTS.items():
        held = getattr(score, name)
        if not _is_default(held, default):
            found[name] = list(held) if isinstance(held, tuple) else held
    if score.scale is not None:
        found["scale"] = list(score.scale)
    return found


def _is_default(held: Any, default: Any) -> bool:
    return held is default or (type(held) is type(default) and held == default)


def utf8(text: str) -> str:
    r"""Return text that UTF-8 can hold: halves of broken emoji become ``\ud83d`` and the like."""
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
