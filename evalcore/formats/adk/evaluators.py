"""Criteria files as evaluators: one for each criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from evalcore.formats.adk.applied import CRITERIA, CUSTOM_METRICS, MATCH_TYPE, threshold_of
from evalcore.formats.adk.content import rubrics_at
from evalcore.formats.adk.fields import both, member, place
from evalcore.formats.adk.metrics import (
    DEFAULT_JUDGE,
    METRICS,
    VERTEX_JUDGE,
    Metric,
    match_type,
)
from evalcore.formats.lenses import records_of
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join
from evalcore.model import Evaluator, Rubric

JUDGE_OPTIONS = both("judge_model_options")
JUDGE_MODEL = both("judge_model")
RUBRICS = rubrics_at(both("rubrics"))


@dataclass(frozen=True, slots=True)
class Defaults:
    """What a system fills in: the judge's model, and a match type that replaces the file's."""

    judge: str = DEFAULT_JUDGE
    match: str | None = None


def read_evaluators(value: JsonValue, defaults: Defaults | None = None) -> tuple[Evaluator, ...]:
    """Return the evaluators of a criteria file in its order.

    ``native_type`` is the metric's name, ``custom`` for a function of the project. ``config`` is
    the criterion as written; for a custom metric it holds that as ``criterion`` beside the metric's
    description, with the path of its function, which is never imported.
    """
    criteria = member(value, CRITERIA)
    customs = member(value, CUSTOM_METRICS)
    base = place(value, "", CRITERIA)
    custom_metrics = customs if isinstance(customs, dict) else {}
    return tuple(
        _evaluator(name, criterion, join(base, name), custom_metrics, defaults or Defaults())
        for name, criterion in (criteria.items() if isinstance(criteria, dict) else ())
    )


def _evaluator(
    name: str, criterion: JsonValue, origin: str, customs: JsonObject, defaults: Defaults
) -> Evaluator:
    metric = None if name in customs else METRICS.get(name)
    if metric is None:
        return _custom(name, criterion, origin, customs.get(name, MISSING))
    rubrics: Any = RUBRICS.get(criterion)
    return Evaluator(
        ref=name,
        name=metric.title,
        native_type=name,
        threshold=threshold_of(criterion),
        match_mode=_match_mode(metric, criterion, defaults),
        is_judged=metric.backend != "local",
        judge=_judge(metric, criterion, defaults),
        rubrics=records_of(Rubric, rubrics),
        config=criterion,
        origin=origin,
    )


def _custom(name: str, criterion: JsonValue, origin: str, custom: JsonValue | Missing) -> Evaluator:
    description = member(custom, both("description"))
    config: JsonValue = criterion
    if custom is not MISSING:
        config = {"criterion": criterion, "custom_metric": custom}
    return Evaluator(
        ref=name,
        name=name,
        native_type="custom",
        description=description if isinstance(description, str) else "",
        threshold=threshold_of(criterion),
        config=config,
        origin=origin,
    )


def _match_mode(metric: Metric, criterion: JsonValue, defaults: Defaults) -> str | None:
    if metric.criterion != "trajectory":
        return None
    written = member(criterion, MATCH_TYPE)
    return defaults.match or ("EXACT" if written is MISSING else match_type(written))


def _judge(metric: Metric, criterion: JsonValue, defaults: Defaults) -> str | None:
    if metric.backend == "local":
        return None
    if metric.backend == "vertex":
        return VERTEX_JUDGE
    authored = member(member(criterion, JUDGE_OPTIONS), JUDGE_MODEL)
    return authored if isinstance(authored, str) else defaults.judge
