"""The criteria of a 10xGraph config as evaluators."""

from __future__ import annotations

from evalcore.formats.tenxgraph.config_checks import is_on
from evalcore.formats.tenxgraph.names import (
    BY_KEY,
    DEFAULT_JUDGE,
    DEFAULT_THRESHOLD,
    MATCH_TYPES,
    Criterion,
    named,
)
from evalcore.formats.tenxgraph.report_facts import as_number, as_text
from evalcore.jsontree import MISSING, JsonValue, get, join
from evalcore.model import Evaluator, Rubric


def read_evaluators(value: JsonValue) -> tuple[Evaluator, ...]:
    """Return the criteria that a config mentions, in the order in which 10xGraph runs them.

    Their ``ref`` is the name that results use, their ``native_type`` the config key. Old names are
    read as the criteria that they were. A criterion set to null is off and left out; one with
    ``enabled: false`` is there, and its ``config`` says so.
    """
    found = get(value, "/criteria")
    criteria = found if isinstance(found, dict) else {}
    order = list(BY_KEY)
    known = [(name, criterion) for name in criteria if (criterion := named(name))]
    known.sort(key=lambda pair: order.index(pair[1].key) if pair[1].key in order else len(order))
    strange = [(name, Criterion("", name, name, "")) for name in criteria if not named(name)]
    return tuple(
        _evaluator(name, criterion, criteria[name])
        for name, criterion in (*known, *strange)
        if criteria[name] is not None
    )


def threshold_of(raw: JsonValue) -> float | None:
    """Return a criterion's threshold; 0.8 where none is written, None where it is no number.

    A bare number instead of an object, as other systems and older releases write it, counts.
    """
    written = raw.get("threshold", DEFAULT_THRESHOLD) if isinstance(raw, dict) else raw
    return as_number(written)


def _evaluator(name: str, criterion: Criterion, raw: JsonValue) -> Evaluator:
    judge = get(raw, "/judge_model") if isinstance(raw, dict) else MISSING
    off = "" if is_on(raw) or not isinstance(raw, dict) else " Switched off."
    return Evaluator(
        ref=criterion.result,
        name=criterion.label,
        native_type=criterion.key or name,
        description=criterion.description + off,
        threshold=threshold_of(raw),
        match_mode=_match_mode(criterion, raw),
        is_judged=criterion.judged,
        judge=(as_text(judge) or DEFAULT_JUDGE) if criterion.judged else None,
        rubrics=_rubrics(raw),
        config=raw,
        origin=join("/criteria", name),
    )


def _match_mode(criterion: Criterion, raw: JsonValue) -> str | None:
    if "match_type" not in criterion.reads:
        return None
    written = get(raw, "/match_type")
    return written if isinstance(written, str) else MATCH_TYPES[0]


def _rubrics(raw: JsonValue) -> tuple[Rubric, ...]:
    """Return the rubrics, whose origins are relative to the criterion."""
    found = get(raw, "/rubrics")
    return tuple(
        Rubric(
            id=as_text(rubric.get("rubric_id")),
            text=as_text(rubric.get("content")),
            weight=as_number(rubric.get("weight", 1.0)),
            origin=join("/rubrics", index),
        )
        for index, rubric in enumerate(found if isinstance(found, list) else ())
        if isinstance(rubric, dict)
    )
