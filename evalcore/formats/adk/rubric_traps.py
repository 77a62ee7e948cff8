"""Rubrics that no judge will see, or that stop a run: in cases, turns and criteria together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evalcore.errors import Problem
from evalcore.formats.adk.applied import RUBRIC_ID, RUBRICS, Applied
from evalcore.formats.adk.fields import both, member, objects, place
from evalcore.formats.adk.metrics import RUBRIC_TYPES, Metric
from evalcore.formats.shapes import Report, closest
from evalcore.jsontree import MISSING, JsonObject

TYPE = both("type")
TEXT_OF_RUBRIC = (both("rubric_content"), both("text_property"))

Turns = Sequence[tuple[str, JsonObject]]
Placed = tuple[str, JsonObject]


def rubric_traps(
    case: JsonObject, pointer: str, turns: Turns, applied: Applied, report: Report
) -> Iterator[Problem]:
    """Yield the traps of the rubrics of one case and its turns."""
    shared = list(objects(case, RUBRICS, pointer))
    per_turn = [list(objects(turn, RUBRICS, at)) for at, turn in turns]
    for rubric in (*shared, *(r for rubrics in per_turn for r in rubrics)):
        yield from _type_traps(rubric, report)
        yield from text_traps(rubric, report)
    yield from _repeated(shared, per_turn, report)
    for metric in applied.metrics():
        if metric.rubric_type is not None:
            yield from _metric_traps(metric, pointer, shared, per_turn, applied, report)
    if applied.found:
        yield from _unjudged((*shared, *(r for rs in per_turn for r in rs)), applied, report)


def text_traps(rubric: Placed, report: Report) -> Iterator[Problem]:
    """Yield a problem if a rubric states nothing."""
    pointer, raw = rubric
    content = member(raw, TEXT_OF_RUBRIC[0])
    if isinstance(content, dict) and not member(content, TEXT_OF_RUBRIC[1]):
        yield report.problem(
            "warning",
            "rubric_without_text",
            place(raw, pointer, *TEXT_OF_RUBRIC),
            "The rubric states nothing that a judge could check.",
            "Write one statement that is true or false of the reply.",
        )


def _type_traps(rubric: Placed, report: Report) -> Iterator[Problem]:
    pointer, raw = rubric
    kind = member(raw, TYPE)
    if kind is MISSING or kind is None:
        yield report.problem(
            "warning",
            "rubric_without_type",
            pointer,
            f"The rubric {_named(raw)} has no type: {report.system} ignores it.",
            f"Set its type to {', '.join(RUBRIC_TYPES)}.",
        )
    elif isinstance(kind, str) and kind not in RUBRIC_TYPES:
        guess = closest(kind, RUBRIC_TYPES)
        yield report.problem(
            "warning",
            "rubric_type_unknown",
            place(raw, pointer, TYPE),
            f"No metric takes rubrics of the type “{kind}”: {report.system} ignores this one.",
            f"Did you mean {guess}?" if guess else f"Use {', '.join(RUBRIC_TYPES)}.",
            guess or "",
        )


def _repeated(
    shared: Sequence[Placed], per_turn: Sequence[Sequence[Placed]], report: Report
) -> Iterator[Problem]:
    """Ids must differ within what one turn ends up with; the case's rubrics go to every turn."""
    told: set[str] = set()
    for rubrics in per_turn or [()]:
        seen: set[str] = set()
        for pointer, raw in (*shared, *rubrics):
            rubric_id = member(raw, RUBRIC_ID)
            if isinstance(rubric_id, str) and rubric_id in seen and pointer not in told:
                told.add(pointer)
                yield report.problem(
                    "error",
                    "rubric_id_twice",
                    place(raw, pointer, RUBRIC_ID),
                    f"The rubric id “{rubric_id}” occurs twice for one turn: the case's rubrics "
                    "and the turn's count together.",
                    f"{report.system} stops the whole run. Rename one of them.",
                )
            if isinstance(rubric_id, str):
                seen.add(rubric_id)


def _metric_traps(
    metric: Metric,
    pointer: str,
    shared: Sequence[Placed],
    per_turn: Sequence[Sequence[Placed]],
    applied: Applied,
    report: Report,
) -> Iterator[Problem]:
    own = applied.rubric_ids(metric)
    for where, raw in (*shared, *(r for rubrics in per_turn for r in rubrics)):
        rubric_id = member(raw, RUBRIC_ID)
        if rubric_id in own and member(raw, TYPE) == metric.rubric_type:
            yield report.problem(
                "warning",
                "rubric_id_in_criteria",
                place(raw, where, RUBRIC_ID),
                f"test_config.json has a rubric “{rubric_id}” too: {metric.called} is not "
                "evaluated for this case.",
                "Rename one of them.",
            )
    per_turn_ids = [_ids(metric, (*shared, *rubrics)) for rubrics in per_turn]
    if not own and not any(per_turn_ids) and not _ids(metric, shared):
        yield report.problem(
            "warning",
            "no_rubrics_for_metric",
            pointer,
            f"{metric.called} has no rubrics here: it is not evaluated for this case.",
            f"Add rubrics of the type {metric.rubric_type} to the case, or rubrics to the "
            "criterion.",
        )
    elif len({tuple(ids) for ids in per_turn_ids}) > 1 and not metric.last_turn_only:
        yield from _last_turn_wins(metric, pointer, own, per_turn_ids, report)


def _last_turn_wins(
    metric: Metric,
    pointer: str,
    own: Sequence[str],
    per_turn_ids: Sequence[Sequence[str]],
    report: Report,
) -> Iterator[Problem]:
    if per_turn_ids[-1] or own:
        effect = "only those of the last turn are read from the judge's answers"
    else:
        effect = "and as the last turn has none, the metric is not evaluated at all"
    yield report.problem(
        "warning",
        "rubrics_differ_by_turn",
        pointer,
        f"The turns have different rubrics for {metric.called}: {effect}.",
        "Give all turns the same rubrics, or make a case of each turn.",
    )


def _unjudged(rubrics: Sequence[Placed], applied: Applied, report: Report) -> Iterator[Problem]:
    judged = {metric.rubric_type for metric in applied.metrics()}
    for pointer, raw in rubrics:
        kind = member(raw, TYPE)
        if kind in RUBRIC_TYPES and kind not in judged:
            yield report.problem(
                "info",
                "rubric_not_judged",
                pointer,
                f"No criterion in test_config.json uses rubrics of the type {kind}: a rubric of "
                "this type is never judged.",
            )


def _ids(metric: Metric, rubrics: Sequence[Placed]) -> list[str]:
    return [
        str(member(raw, RUBRIC_ID)) for _, raw in rubrics if member(raw, TYPE) == metric.rubric_type
    ]


def _named(raw: JsonObject) -> str:
    rubric_id = member(raw, RUBRIC_ID)
    return f"“{rubric_id}”" if isinstance(rubric_id, str) else "here"
