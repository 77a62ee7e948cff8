"""What would have passed: the smallest changes under which a failed check does, each tried."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Final

from evalcore.evaluators.base import Sample
from evalcore.explain.changes import Variant, variants
from evalcore.results import Score, Verdict
from evalcore.scoring.checks import Check
from evalcore.scoring.running import Poisoned, evaluate

MOST: Final = 3
MOST_PAIRS: Final = 40


@dataclass(frozen=True, slots=True)
class Counterfactual:
    """One change that turns a failure into a pass: ``would pass with order ignored``.

    ``settings`` are the check's parameters that it changes, {} where it changes what is compared.
    """

    text: str
    settings: dict[str, Any]


def counterfactuals(
    check: Check, sample: Sample, score: Score | None = None, mark: float | None = None
) -> tuple[Counterfactual, ...]:
    """Return at most three changes under which a failed check passes, the smallest first.

    Every one was tried by running the check again, and none holds another: a change that is not
    needed is never named. Of a judged check only the pass mark is changed, with ``score`` what the
    judge said. ``mark`` is the user's pass mark on 0–1 for a check that has none. () for a check
    that passes, is not evaluated or ends in an error.
    """
    if check.is_judged or check.evaluator is None:
        found = score
        smaller: list[Variant] = []
    else:
        found = _run(check, sample)
        failed = found is not None and _fails(found, mark)
        smaller = _smallest(check, sample, mark) if failed else []
    if found is None or not _fails(found, mark):
        return ()
    told = [Counterfactual(f"would pass {v.words}", v.settings) for v in smaller]
    lower = _lower_mark(found, mark)
    if lower is None or not _passes_at(check, sample, lower):
        return tuple(told[:MOST])
    at = Counterfactual(f"would pass at {lower:g}", {"threshold": lower})
    return (*told[: MOST - 1], at)


def _smallest(check: Check, sample: Sample, mark: float | None) -> list[Variant]:
    """Return the single changes that do, then the pairs of which neither half does."""
    if check.evaluator is None:
        return []
    single = list(variants(check.evaluator, sample))
    passing = [v for v in single if _passes(_changed(check, sample, v), mark)]
    found = [*passing, *_pairs(check, sample, mark, single, passing)]
    return [v for v in found if not any(o.parts < v.parts for o in found)]


def _pairs(
    check: Check,
    sample: Sample,
    mark: float | None,
    single: Sequence[Variant],
    passing: Sequence[Variant],
) -> list[Variant]:
    rest = [v for v in single if v not in passing]
    found: list[Variant] = []
    tried = 0
    for first, second in combinations(rest, 2):
        both = first & second
        if _is_needless(both, first, second, [*passing, *found]):
            continue
        tried += 1
        if tried > MOST_PAIRS:
            break
        if _passes(_changed(check, sample, both), mark):
            found.append(both)
    return found


def _is_needless(both: Variant, first: Variant, second: Variant, known: Sequence[Variant]) -> bool:
    """Return whether a pair says nothing new: one half holds the other, or a known change."""
    if first.parts <= second.parts or second.parts <= first.parts:
        return True
    if set(first.settings) & set(second.settings):
        return True
    return any(other.parts <= both.parts for other in known)


def _changed(check: Check, sample: Sample, variant: Variant) -> Score | None:
    if check.evaluator is None:
        return None
    params = check.evaluator.params.model_copy(update=variant.settings)
    evaluator = type(check.evaluator)(params, check.evaluator.name)
    changed = variant.change(sample) if variant.change is not None else sample
    return _run(replace(check, evaluator=evaluator), changed)


def _passes_at(check: Check, sample: Sample, mark: float) -> bool:
    """Return whether a check passes at another pass mark; some checks then say nothing at all."""
    if check.is_judged or check.evaluator is None or check.mark is None:
        return True
    return _passes(_changed(check, sample, Variant("", frozenset(), {"threshold": mark})), None)


def _run(check: Check, sample: Sample) -> Score | None:
    try:
        return evaluate(check, sample).overall
    except Poisoned:
        return None


def _passes(score: Score | None, mark: float | None) -> bool:
    if score is None:
        return False
    if score.verdict is not None or mark is None:
        return score.verdict is Verdict.PASSED
    return score.value is not None and score.value >= mark


def _fails(score: Score, mark: float | None) -> bool:
    if score.verdict is not None or mark is None:
        return score.verdict is Verdict.FAILED
    return score.value is not None and score.value < mark


def _lower_mark(score: Score, mark: float | None) -> float | None:
    """Return the nearest round pass mark that the score reaches, None where that says nothing.

    Round is two decimals on a scale to 1, and whole numbers on one to 100.
    """
    native, scale = score.native, score.scale
    if native is None or scale is None or not math.isfinite(native) or scale.best <= scale.worst:
        return None
    step = 100 if scale.best - scale.worst <= 10 else 1
    lower = math.floor(native * step) / step
    if (lower + 1 / step) <= native:
        lower += 1 / step
    return lower if scale.worst < lower <= native else None
