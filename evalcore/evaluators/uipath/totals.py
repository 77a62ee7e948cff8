"""What UiPath makes of a whole run: a number per evaluator, one over all, and numbers of labels.

None of it is in a result file but the numbers of labels; the console and Studio Web show the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator
from evalcore.evaluators.uipath.aggregators import Aggregator, confusion, keyed, labels_of, report
from evalcore.evaluators.uipath.classes import Classification
from evalcore.evaluators.uipath.outputs import ExactMatch
from evalcore.jsontree import JsonValue, Missing
from evalcore.results import UNIT, Score, Verdict

CaseName = str
EvaluatorName = str


class Row(NamedTuple):
    """One evaluator's answer for one case, with the names that join them in a result file.

    ``score`` is as written, 0.0 for an error, as UiPath counts it.
    """

    case: CaseName
    evaluator: EvaluatorName
    score: float
    details: JsonValue | Missing
    is_line: bool = False


class Totals(NamedTuple):
    """What a run comes to. ``cautions`` say where the numbers mislead."""

    final: float
    by_evaluator: Mapping[EvaluatorName, float]
    cautions: tuple[str, ...] = ()


def row_of(case: CaseName, score: Score) -> Row:
    """Return a score as UiPath counts it: an error as 0, a line not at all."""
    return Row(case, score.evaluator, score.native or 0.0, score.details, score.line is not None)


def totals(
    rows: Iterable[Row],
    evaluators: Sequence[Evaluator],
    weights: Mapping[EvaluatorName, float] | None = None,
) -> Totals:
    """Return the numbers of a run.

    Rows of cases with the same name are averaged first, then each evaluator is reduced to one
    number, then the evaluators' numbers are averaged, each with weight 1 unless told otherwise: an
    evaluator without rows does not count. Raises EvaldeskError for a row of an unknown evaluator.
    """
    known = {evaluator.name: evaluator for evaluator in evaluators}
    columns: dict[EvaluatorName, dict[CaseName, list[Row]]] = {}
    for row in rows:
        if row.is_line:
            continue
        if row.evaluator not in known:
            raise EvaldeskError(
                f"The evaluator “{row.evaluator}” scored “{row.case}”, and is none of "
                f"{sorted(known)}"
            )
        columns.setdefault(row.evaluator, {}).setdefault(row.case, []).append(row)
    found = {
        name: reduced(known[name], [_merged(same) for same in cases.values()])
        for name, cases in columns.items()
    }
    weight = {name: (weights or {}).get(name, 1.0) for name in found}
    whole = sum(weight.values())
    final = sum(found[name] * weight[name] for name in found) / whole if whole > 0 else 0.0
    return Totals(final, found, tuple(_cautions([known[name] for name in found], columns)))


def reduced(evaluator: Evaluator, rows: Sequence[Row]) -> float:
    """Return an evaluator's number: the mean, or what its labels come to; 0 without rows."""
    if not rows:
        return 0.0
    if isinstance(evaluator, Classification):
        return evaluator.set_score([labels_of(row.details) for row in rows])
    return sum(row.score for row in rows) / len(rows)


def label_numbers(rows: Iterable[Row], evaluators: Sequence[Evaluator]) -> dict[str, Score]:
    """Return the numbers over a run that exact matches are configured to give, by key.

    Of rows with the same case and evaluator, the first that has labels counts. A confusion matrix
    has no value, and 0.0 as its native number.
    """
    columns: dict[EvaluatorName, dict[CaseName, Row]] = {}
    for row in rows:
        if row.is_line:
            continue
        cases = columns.setdefault(row.evaluator, {})
        kept = cases.get(row.case)
        if kept is None or (labels_of(row.details) and not labels_of(kept.details)):
            cases[row.case] = row
    found: dict[str, Score] = {}
    for evaluator in evaluators:
        if isinstance(evaluator, ExactMatch) and evaluator.params.aggregators:
            own = list(columns.get(evaluator.name, {}).values())
            for key, spec in keyed(evaluator.name, evaluator.params.aggregators).items():
                found[key] = _number(key, spec, evaluator.params.classes or [], own)
    return found


def _number(key: str, spec: Aggregator, classes: Sequence[str], rows: Sequence[Row]) -> Score:
    counted = confusion(classes, [labels_of(row.details) for row in rows])
    number, details = report(spec, counted)
    native = float(number)
    is_number = spec.type != "confusion_matrix"
    skipped = counted.total - counted.scored
    cautions = [f"{skipped} cases are left out: their labels are not known."] if skipped else []
    if sum(counted.misses):
        cautions.append(
            f"{sum(counted.misses)} answers are none of the labels, and count as misses."
        )
    return Score(
        evaluator=key,
        value=native if is_number and counted.scored else None,
        native=native,
        scale=UNIT if is_number else None,
        verdict=None if counted.scored else Verdict.NOT_EVALUATED,
        reason=f"{counted.scored} of {counted.total} cases are counted.",
        cautions=tuple(cautions),
        details=details,
        informational=not is_number,
    )


def _merged(same: Sequence[Row]) -> Row:
    """Return one row for several of one case and evaluator: the mean, with the first's details."""
    if len(same) == 1:
        return same[0]
    return same[0]._replace(score=sum(row.score for row in same) / len(same))


def _cautions(
    evaluators: Sequence[Evaluator],
    columns: Mapping[EvaluatorName, Mapping[CaseName, Sequence[Row]]],
) -> list[str]:
    cautions = []
    if len({evaluator.scale for evaluator in evaluators}) > 1:
        cautions.append("Scores of 0–1 and of 0–100 are averaged together.")
    merged = {case for cases in columns.values() for case, rows in cases.items() if len(rows) > 1}
    if merged:
        cautions.append(
            f"Cases or evaluators share a name, and are averaged into one: {sorted(merged)}."
        )
    if any(isinstance(evaluator, Classification) for evaluator in evaluators):
        cautions.append("The number of a check of labels is not the mean of its cases.")
    return cautions
