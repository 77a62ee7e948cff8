"""Reading the ``--output-file`` of ``uipath eval``, old and new, verbose or not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from evalcore.formats._uipath.result_rows import THROWN, Item, Row, items, number_of
from evalcore.formats._uipath.scales import Sample, detail_object, scale_by_file, scale_of
from evalcore.formats._uipath.score_traps import dataset_cautions, with_cautions
from evalcore.formats._uipath.spans import entry_input, eval_id, tool_calls
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join
from evalcore.model import Evaluator
from evalcore.results import UNIT, CaseResult, InvocationResult, Run, Scale, Score, Verdict

Column = tuple[str, bool]
"""An evaluator's ordinary scores, or its scores of single lines."""

CRASHED = "The case failed before it could be scored, so this evaluator did not run."


def read_runs(
    value: JsonValue, format_id: str, scales: Mapping[Column, Scale | None] | None = None
) -> tuple[Run, ...]:
    """Return the one run of a result file, () for a file that holds none.

    UiPath has no pass rule: a verdict is given only where there is no score to judge. ``scales``
    are those of the columns, where ``value`` is not the whole file.
    """
    if not isinstance(value, dict):
        return ()
    found = items(value)
    scales = _scales(found) if scales is None else scales
    name = value.get("evaluationSetName")
    return (
        Run(
            format_id=format_id,
            name=name if isinstance(name, str) else "",
            eval_set_name=name if isinstance(name, str) else None,
            cases=tuple(_case(item, scales) for item in found),
            dataset_scores=_dataset(value.get("datasetEvaluatorResults")),
            has_pass_rule=False,
        ),
    )


def with_evaluators(run: Run, evaluators: Sequence[Evaluator]) -> Run:
    """Return a run whose scores have the scales that the evaluators' own files give them."""
    known = {evaluator.ref: evaluator for evaluator in evaluators}
    cases = tuple(
        case.model_copy(
            update={
                "invocations": tuple(
                    turn.model_copy(
                        update={"scores": tuple(_rescaled(s, known) for s in turn.scores)}
                    )
                    for turn in case.invocations
                )
            }
        )
        for case in run.cases
    )
    return run.model_copy(update={"cases": cases})


def _scales(found: Sequence[Item]) -> Mapping[Column, Scale | None]:
    columns: dict[Column, list[Sample]] = {}
    for column, sample in samples(found):
        columns.setdefault(column, []).append(sample)
    return {column: scale_of(held) for column, held in columns.items()}


def samples(found: Iterable[Item]) -> Iterator[tuple[Column, Sample]]:
    """Yield the numbers of some cases, each with its column."""
    for item in found:
        for row in item.rows:
            if row.score is not None and not (row.is_crash or row.is_error):
                yield (row.evaluator, row.is_line), Sample(row.score, row.details)


def _case(item: Item, scales: Mapping[Column, Scale | None]) -> CaseResult:
    rows = item.rows
    finished = {row.evaluator for row in rows if not row.is_crash}
    doubled = [row for row in rows if row.is_crash and row.evaluator in finished]
    scores = tuple(_score(row, scales) for row in rows if row not in doubled)
    verdict, error = _state(item, scores, crashed=any(row.is_crash for row in rows))
    spans, base = get(item.execution, "/trace/spans"), f"{item.origin}/agentExecutionOutput"
    took = item.execution.get("execution_time")
    invocation = InvocationResult(
        origin=item.origin,
        index=0,
        input=entry_input(spans),
        actual_output=item.outcome.get("output", MISSING) if item.outcome else MISSING,
        actual_tool_calls=None if spans is MISSING else tool_calls(spans, f"{base}/trace/spans"),
        trace=spans,
        scores=scores,
        duration_s=number_of(took),
        error=error,
    )
    return CaseResult(
        origin=item.origin,
        case_id=eval_id(spans),
        name=item.name,
        verdict=verdict,
        stored_status=item.status,
        invocations=(invocation,),
        error=error,
        duration_s=invocation.duration_s,
        notes=_notes(doubled, scores),
    )


def _state(
    item: Item, scores: Sequence[Score], *, crashed: bool
) -> tuple[Verdict | None, str | None]:
    """Return a case's verdict and its error: the file's five states in our words."""
    if item.status == "suspended":
        return Verdict.NOT_EVALUATED, None
    if crashed or item.status == "faulted":
        return Verdict.ERROR, _error_text(item)
    whole = [score for score in scores if score.line is None]
    if not whole:
        return Verdict.NOT_EVALUATED, None
    if all(score.verdict is Verdict.ERROR for score in whole):
        return Verdict.ERROR, "No evaluator could score this case."
    return None, None


def _error_text(item: Item) -> str:
    """Return what a failed case says, without the traceback below it."""
    found = item.outcome.get("error")
    error = found if isinstance(found, dict) else {}
    # Whatever an agent raises gets this code, and a title that only speaks of a shutdown.
    title = "" if error.get("code") == "RUNTIME_SHUTDOWN_ERROR" else error.get("title")
    detail = error.get("detail")
    said = detail.partition("\nTraceback")[0].strip() if isinstance(detail, str) else ""
    text = ": ".join(part for part in (title, said) if isinstance(part, str) and part)
    if text:
        return text
    if item.status == "successful":
        return (
            "The agent answered, but the case failed while it was scored: most often the criteria "
            "of one evaluator cannot be used."
        )
    return "The case failed and the file does not say why; a run with --verbose would."


def _notes(doubled: Sequence[Row], scores: Sequence[Score]) -> tuple[str, ...]:
    notes = []
    if doubled:
        names = ", ".join(row.evaluator_name for row in doubled)
        notes.append(
            f"{names} had finished before the case failed. The file lists a second 0 for each, "
            "which UiPath averages with the first; it is left out here."
        )
    failed = [s.evaluator_name for s in scores if s.verdict is Verdict.ERROR and s.line is None]
    if failed and len(failed) < sum(1 for s in scores if s.line is None):
        notes.append(f"{', '.join(failed)} ended in an error; UiPath counts that as 0.")
    return tuple(notes)


def _score(row: Row, scales: Mapping[Column, Scale | None]) -> Score:
    scale = scales.get((row.evaluator, row.is_line), UNIT)
    native, verdict, reason, value = row.score, None, _justification(row.details), None
    if row.is_crash:
        verdict, reason = Verdict.ERROR, CRASHED
    elif row.is_error:
        verdict, reason = Verdict.ERROR, _thrown(str(row.details))
    elif native is None or math.isnan(native):
        verdict, reason = Verdict.ERROR, reason or "The file holds no number for this score."
    elif scale is not None:
        value = scale.normalise(native)
    score = Score(
        evaluator=row.evaluator,
        evaluator_name=row.evaluator_name,
        value=value,
        native=native,
        scale=scale,
        verdict=verdict,
        reason=reason,
        details=row.details,
        line=row.line,
        duration_s=row.duration,
        origin=row.origin,
    )
    return with_cautions(score)


def _rescaled(score: Score, known: Mapping[str, Evaluator]) -> Score:
    evaluator = known.get(score.evaluator)
    if evaluator is None or score.verdict is Verdict.ERROR or score.native is None:
        return score
    by_lines = "line by line" in (evaluator.match_mode or "")
    is_line = score.line is not None
    scale = scale_by_file(evaluator.native_type, by_lines=by_lines, line=is_line)
    plain = scale_by_file(evaluator.native_type, by_lines=False, line=is_line)
    value = scale.normalise(score.native)
    known_now = score.model_copy(update={"scale": scale, "value": value})
    return with_cautions(known_now, is_share=scale != plain)


def _justification(details: JsonValue | object) -> str:
    if isinstance(details, str) and not detail_object(details):
        return details
    found = detail_object(details if isinstance(details, (str, dict)) else None)
    text = found.get("justification")
    return text if isinstance(text, str) else ""


def _thrown(details: str) -> str:
    """Return what an evaluator said when it failed, without the traceback below it."""
    text = details.removeprefix(THROWN).removeprefix(":").partition("\nTraceback")[0].strip()
    return text or "The evaluator failed."


def _dataset(value: JsonValue) -> tuple[Score, ...]:
    """Return the scores over the whole set; a confusion matrix has only a placeholder of 0."""
    found = []
    for key, result in value.items() if isinstance(value, dict) else ():
        raw: JsonObject = {"evaluatorId": key, "result": result}
        row = Row(raw, join("/datasetEvaluatorResults", key))
        metric = detail_object(row.details).get("metric", key.rpartition("::")[2])
        matrix = metric == "confusion_matrix"
        cautions = dataset_cautions(detail_object(row.details), is_matrix=matrix)
        scored = row.score is not None and not matrix and not row.is_error
        score = Score(
            evaluator=key,
            evaluator_name=key,
            value=UNIT.normalise(row.score) if scored and row.score is not None else None,
            native=row.score,
            verdict=Verdict.ERROR if row.is_error else None,
            reason=_thrown(str(row.details)) if row.is_error else "",
            details=row.details,
            informational=matrix,
            duration_s=row.duration,
            origin=row.origin,
        )
        found.append(score.model_copy(update={"cautions": cautions}) if cautions else score)
    return tuple(found)
