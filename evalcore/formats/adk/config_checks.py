"""Checks of criteria files: what the loader refuses, what fails at run time, what has no effect."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import PurePath

from evalcore.errors import Problem
from evalcore.formats.adk.applied import (
    CONFIG,
    CRITERIA,
    CUSTOM_METRICS,
    RUBRIC_ID,
    RUBRICS,
    threshold_of,
)
from evalcore.formats.adk.config_schema import THRESHOLD, ConfigSchema
from evalcore.formats.adk.fields import both, member, objects, place
from evalcore.formats.adk.metrics import METRICS, Metric
from evalcore.formats.adk.rubric_traps import text_traps
from evalcore.formats.shapes import Report, closest
from evalcore.jsontree import MISSING, JsonObject, JsonValue, join

JUDGE_OPTIONS = both("judge_model_options")
INCLUDES = both("include_intermediate_responses_in_final")
_OTHER_MODELS = ("gpt-", "o1", "o3", "o4-", "mistral-", "llama", "qwen", "deepseek-", "command-")
_USES_INCLUDES = ("final_response_match_v2", "rubric_based_final_response_quality_v1")


def check_config(
    value: JsonValue, schema: ConfigSchema, path: PurePath, report: Report
) -> Iterator[Problem]:
    """Yield the problems of a criteria file, in the order of its criteria."""
    yield from schema.config.faults(value, "", report)
    if not isinstance(value, dict):
        return
    yield from _place_traps(path, report)
    yield from _empty(value, report)
    criteria, custom = member(value, CRITERIA), member(value, CUSTOM_METRICS)
    entries = criteria if isinstance(criteria, dict) else {}
    customs = custom if isinstance(custom, dict) else {}
    base = place(value, "", CRITERIA)
    for name, criterion in entries.items():
        pointer = join(base, name)
        metric = METRICS.get(name)
        if metric is None or name in customs:
            yield from _custom_traps(name, metric, pointer, customs, report)
        else:
            yield from _metric_traps(metric, criterion, pointer, schema, report)
        yield from _threshold_traps(criterion, pointer, None if name in customs else metric, report)
    yield from _unused_customs(value, entries, customs, report)


def _place_traps(path: PurePath, report: Report) -> Iterator[Problem]:
    if path.name != CONFIG and report.prefix == "adk" and fnmatchcase(path.name, "*.json"):
        yield report.problem(
            "info",
            "config_not_picked_up",
            "",
            f"ADK looks for {CONFIG} only; this file must be named on the command line.",
            f"Pass it with --config_file_path {path.name}.",
        )


def _empty(value: JsonObject, report: Report) -> Iterator[Problem]:
    criteria = member(value, CRITERIA)
    if criteria is MISSING or criteria == {}:
        yield report.problem(
            "warning",
            "no_criteria",
            place(value, "", CRITERIA),
            "There are no criteria: nothing can pass, and every case counts as not evaluated.",
            "Add criteria, or delete the file so that the default ones apply.",
        )


def _custom_traps(
    name: str, metric: Metric | None, pointer: str, customs: JsonObject, report: Report
) -> Iterator[Problem]:
    if metric is not None:
        yield report.problem(
            "info",
            "custom_replaces_built_in",
            pointer,
            f"The custom metric “{name}” takes the place of the built-in one.",
        )
    elif name not in customs:
        guess = closest(name, [*METRICS, *customs])
        yield report.problem(
            "warning",
            "unknown_metric",
            pointer,
            f"{report.system} has no metric “{name}”: it is not evaluated.",
            f"Did you mean “{guess}”?" if guess else "Describe it under “custom_metrics”.",
            guess or "",
        )


def _metric_traps(
    metric: Metric, criterion: JsonValue, pointer: str, schema: ConfigSchema, report: Report
) -> Iterator[Problem]:
    if metric.informational:
        yield report.problem(
            "warning",
            "measured_anyway",
            pointer,
            f"{metric.called} is measured in every run and takes no threshold: with one it is "
            "not evaluated.",
            "Remove it from the criteria.",
        )
        return
    if isinstance(criterion, dict):
        yield from _criterion_faults(metric, criterion, pointer, schema, report)
        yield from _rubric_faults(metric, criterion, pointer, report)
        yield from _judge_traps(metric, criterion, pointer, report)
        if metric.name not in _USES_INCLUDES and member(criterion, INCLUDES) is True:
            yield report.problem(
                "info",
                "option_without_effect",
                place(criterion, pointer, INCLUDES),
                f"{metric.called} never looks at replies on the way.",
            )
    if metric.backend == "vertex":
        yield report.problem(
            "info",
            "metric_needs_cloud",
            pointer,
            f"{metric.called} asks Google's cloud: without credentials it is not evaluated.",
            "Set GOOGLE_API_KEY, or GOOGLE_CLOUD_PROJECT and GOOGLE_CLOUD_LOCATION, for the run.",
        )
    if metric.criterion == "rubrics" and not any(objects(criterion, RUBRICS, pointer)):
        yield report.problem(
            "info",
            "no_rubrics",
            pointer,
            f"{metric.called} has no rubrics here: every case needs some of the type "
            f"{metric.rubric_type}, or it is not evaluated.",
        )


def _judge_traps(
    metric: Metric, criterion: JsonObject, pointer: str, report: Report
) -> Iterator[Problem]:
    model = member(member(criterion, JUDGE_OPTIONS), both("judge_model"))
    if isinstance(model, str) and report.prefix == "adk" and model.startswith(_OTHER_MODELS):
        yield report.problem(
            "warning",
            "judge_without_provider",
            place(criterion, pointer, JUDGE_OPTIONS, both("judge_model")),
            f"ADK finds no model “{model}” under that name alone: {metric.called} is not "
            "evaluated.",
            "Put the provider in front, as LiteLLM wants it: openai/gpt-4o.",
        )


def _criterion_faults(
    metric: Metric, criterion: JsonObject, pointer: str, schema: ConfigSchema, report: Report
) -> Iterator[Problem]:
    """Yield what the metric refuses when it runs, and the members that it never reads."""
    loader = {p.pointer for p in schema.config.faults({"criteria": {"x": criterion}}, "", report)}
    for problem in schema.criteria[metric.criterion].faults(criterion, pointer, report):
        if "/criteria/x" + problem.pointer.removeprefix(pointer) in loader:
            continue
        if problem.code == f"{report.prefix}.unknown_key" and problem.severity != "error":
            yield replace(
                problem,
                severity="warning",
                code=f"{report.prefix}.option_unknown",
                message=f"{problem.message.split(':')[0]} for {metric.called}: it has no effect.",
            )
        elif problem.severity == "error":
            yield replace(
                problem,
                severity="warning",
                code=f"{report.prefix}.criterion_fails",
                hint=f"The file loads, but {metric.called} is not evaluated.",
            )
        else:
            yield problem


def _rubric_faults(
    metric: Metric, criterion: JsonObject, pointer: str, report: Report
) -> Iterator[Problem]:
    seen: set[JsonValue] = set()
    for where, rubric in objects(criterion, RUBRICS, pointer):
        yield from text_traps((where, rubric), report)
        rubric_id = member(rubric, RUBRIC_ID)
        if isinstance(rubric_id, str) and rubric_id in seen:
            yield report.problem(
                "warning",
                "rubric_id_twice_in_criterion",
                place(rubric, where, RUBRIC_ID),
                f"The rubric id “{rubric_id}” occurs twice: {metric.called} is not evaluated.",
                "Rename one of them.",
            )
        seen.add(rubric_id if isinstance(rubric_id, str) else None)
    samples = member(member(criterion, JUDGE_OPTIONS), both("num_samples"))
    if metric.criterion == "hallucinations" and samples is not MISSING:
        yield report.problem(
            "info",
            "option_without_effect",
            place(criterion, pointer, JUDGE_OPTIONS, both("num_samples")),
            f"{metric.called} asks its judge once, whatever the number of samples.",
        )


def _threshold_traps(
    criterion: JsonValue, pointer: str, metric: Metric | None, report: Report
) -> Iterator[Problem]:
    threshold = criterion
    if isinstance(criterion, dict):
        threshold = criterion.get("threshold")
        pointer = place(criterion, pointer, THRESHOLD)
    if threshold is True or threshold is False:
        yield report.problem(
            "info",
            "threshold_is_flag",
            pointer,
            f"As a threshold, {str(threshold).lower()} counts as {float(threshold)}.",
        )
    number = threshold_of(threshold)
    if number is None:
        return
    if number != number:
        yield report.problem(
            "warning", "threshold_never", pointer, "No score reaches NaN: nothing can pass."
        )
    elif metric is not None and metric.lowest is not None and metric.highest is not None:
        yield from _range_traps(number, metric.lowest, metric.highest, metric, pointer, report)


def _range_traps(
    number: float, lowest: float, highest: float, metric: Metric, pointer: str, report: Report
) -> Iterator[Problem]:
    scores = f"{metric.called} scores {lowest:g} to {highest:g}"
    if number > highest:
        yield report.problem(
            "warning",
            "threshold_never",
            pointer,
            f"{scores}, so nothing can pass at {number:g}.",
            f"Use a threshold of at most {highest:g}.",
        )
    elif number <= lowest and (number < lowest or lowest == 0):
        yield report.problem(
            "warning",
            "threshold_always",
            pointer,
            f"{scores}, so everything passes at {number:g}.",
            f"Use a threshold above {lowest:g}.",
        )
    elif metric.criterion == "trajectory" and number < highest:
        yield report.problem(
            "info",
            "threshold_of_all_or_nothing",
            pointer,
            f"Each turn scores 0 or 1 here; at {number:g} a case passes when that share of its "
            "turns matches.",
        )


def _unused_customs(
    value: JsonObject, entries: JsonObject, customs: JsonObject, report: Report
) -> Iterator[Problem]:
    base = place(value, "", CUSTOM_METRICS)
    for name in customs:
        if name not in entries:
            yield report.problem(
                "warning",
                "custom_metric_unused",
                join(base, name),
                f"The custom metric “{name}” never runs, because the criteria do not name it.",
                "Add it to the criteria with a threshold.",
            )
