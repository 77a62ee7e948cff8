"""Metric results as scores."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.formats.adk.applied import threshold_of
from evalcore.formats.adk.fields import both, member, objects
from evalcore.formats.adk.metrics import METRICS, Metric
from evalcore.formats.adk.result_checks import (
    EVAL_STATUS,
    METRIC_NAME,
    SCORE,
    THRESHOLD,
    number_of,
)
from evalcore.formats.adk.status import status_of
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.results import UNIT, Scale, Score, Verdict

DETAILS = both("details")
RUBRIC_SCORES = both("rubric_scores")
TOKEN_USAGE = both("token_usage_details")
TOTAL_TOKENS = both("total_tokens")
LAST_TURN = "Judged once for the whole conversation, on its last turn."
AGGREGATED = "This is an aggregated score"
"""How the words begin that ADK writes for every rubric of a case: those of its turns say more."""
UNSCORED = "Not evaluated; the reason is only in the log of the run."


def read_score(raw: JsonObject, pointer: str, *, is_last_turn: bool = True) -> Score:
    """Return a metric's result as a score.

    A score on a scale that the file does not tell (custom metrics) has a ``value`` only where the
    number lies within 0 to 1.
    """
    name = _text(member(raw, METRIC_NAME))
    metric = METRICS.get(name)
    status = status_of(member(raw, EVAL_STATUS))
    native = number_of(member(raw, SCORE))
    scale = _scale(metric, native)
    verdict = Verdict(status) if status not in (None, "informational") else None
    informational = status == "informational" or (metric is not None and metric.informational)
    return Score(
        evaluator=name,
        evaluator_name=metric.title if metric else name,
        value=scale.normalise(native) if scale and native is not None else None,
        native=native,
        scale=scale,
        verdict=None if informational else verdict,
        threshold=_threshold(raw),
        reason=_reason(raw, metric, verdict, is_last_turn=is_last_turn),
        details=member(raw, DETAILS),
        informational=informational,
        origin=pointer,
    )


def total_tokens(scores: Iterator[Score]) -> int | None:
    """Return the tokens that turns used together, None where no turn reports any."""
    counts = [
        number_of(member(member(score.details, TOKEN_USAGE), TOTAL_TOKENS))
        for score in scores
        if score.evaluator == "token_usage_v1"
    ]
    known = [count for count in counts if count is not None]
    return round(sum(known)) if known else None


def _scale(metric: Metric | None, native: float | None) -> Scale | None:
    if metric is not None:
        if metric.lowest is None or metric.highest is None:
            return None
        return Scale(metric.lowest, metric.highest)
    return UNIT if native is not None and 0 <= native <= 1 else None


def _threshold(raw: JsonObject) -> float | None:
    own = number_of(member(raw, THRESHOLD))
    return threshold_of(member(raw, both("criterion"))) if own is None else own


def _reason(
    raw: JsonObject, metric: Metric | None, verdict: Verdict | None, *, is_last_turn: bool
) -> str:
    rubrics = "\n".join(_rubric_lines(member(raw, DETAILS)))
    if rubrics:
        return rubrics
    if verdict is not Verdict.NOT_EVALUATED:
        return ""
    return LAST_TURN if metric and metric.last_turn_only and not is_last_turn else UNSCORED


def _rubric_lines(details: JsonValue | Missing) -> Iterator[str]:
    """Yield "id: yes/no/no answer" with the judge's words, for each rubric score."""
    for _, raw in objects(details, RUBRIC_SCORES, ""):
        score = number_of(member(raw, SCORE))
        answer = {1.0: "yes", 0.0: "no", None: "no answer"}.get(score, f"{score}")
        said = member(raw, both("rationale"))
        told = isinstance(said, str) and said and not said.startswith(AGGREGATED)
        words = f" ({said})" if told else ""
        yield f"{_text(member(raw, both('rubric_id')))}: {answer}{words}"


def _text(value: JsonValue | Missing) -> str:
    return (
        value if isinstance(value, str) else "" if value is MISSING or value is None else f"{value}"
    )
