"""What a 10xGraph config hides: bounds out of range, judges never asked, settings never read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from evalcore.errors import Problem
from evalcore.formats.tenxgraph.names import (
    BY_KEY,
    DEFAULT_JUDGE,
    DEFAULT_THRESHOLD,
    Criterion,
    named,
)
from evalcore.formats.tenxgraph.schema import REPORT
from evalcore.jsontree import JsonObject, JsonValue, join

CRITERION_DEFAULTS: Final[Mapping[str, JsonValue]] = {
    "match_type": "EXACT",
    "judge_model": DEFAULT_JUDGE,
    "num_samples": 3,
    "rubrics": [],
    "keywords": [],
    "check_args": False,
    "api_style": "responses",
}
_NEVER_READ: Final[Mapping[str, tuple[JsonValue, str]]] = {
    "parallel": (False, "whoever starts the run decides"),
    "max_concurrency": (4, "whoever starts the run decides"),
    "timeout": (300.0, "a case may take as long as it likes"),
    "verbose": (False, "nothing reads it"),
    "mock_mode": (False, "the agent and its tools really run"),
    "user_simulator_config": (None, "nothing reads it"),
}


def hidden_traps(value: JsonValue) -> Iterator[Problem]:
    """Yield every problem of a config that 10xGraph loads without a word."""
    if not isinstance(value, dict):
        return
    found = value.get("criteria", {})
    criteria = found if isinstance(found, dict) else {}
    yield from _nothing_checked(criteria)
    yield from _twice_the_same(criteria)
    for name, raw in criteria.items():
        criterion = named(name)
        if criterion is not None and isinstance(raw, dict):
            yield from _criterion(criterion, raw, join("/criteria", name))
    yield from _settings(value)


def is_on(raw: JsonValue) -> bool:
    """Return whether a criterion of a config runs: it is there and not switched off."""
    off = ("false", "0", "0.0", "f", "n", "no", "off")
    return isinstance(raw, dict) and str(raw.get("enabled", True)).lower() not in off


def _nothing_checked(criteria: JsonObject) -> Iterator[Problem]:
    if not any(is_on(raw) for raw in criteria.values()):
        yield REPORT.problem(
            "warning",
            "no_criteria",
            "/criteria" if criteria else "",
            "No criterion is switched on: every case passes.",
            f"Add one of: {', '.join(BY_KEY)}.",
        )


def _twice_the_same(criteria: JsonObject) -> Iterator[Problem]:
    if is_on(criteria.get("response_match")) and is_on(criteria.get("llm_judge")):
        yield REPORT.problem(
            "info",
            "same_question_twice",
            "/criteria/llm_judge",
            "“Response match” (response_match) and “Judge” (llm_judge) ask the judge the same "
            "question.",
            "Keep one of them.",
        )


def _criterion(criterion: Criterion, raw: JsonObject, pointer: str) -> Iterator[Problem]:
    label = f"“{criterion.label}” ({criterion.key or criterion.result})"
    if not is_on(raw):
        yield REPORT.problem(
            "info",
            "criterion_off",
            join(pointer, "enabled"),
            f"{label} is switched off: it does not run, though 10xGraph lists it as active.",
        )
        return
    yield from _threshold(criterion, raw, pointer, label)
    yield from _unread_settings(criterion, raw, pointer, label)
    if criterion.judged:
        yield from _judge(criterion, raw, pointer, label)
    yield from _by_kind(criterion, raw, pointer, label)


def _threshold(
    criterion: Criterion, raw: JsonObject, pointer: str, label: str
) -> Iterator[Problem]:
    written = raw.get("threshold")
    number = _number(written)
    if "threshold" not in raw:
        if criterion.factory != DEFAULT_THRESHOLD:
            yield REPORT.problem(
                "info",
                "threshold_default",
                pointer,
                f"{label} has no threshold and gets {DEFAULT_THRESHOLD:g}, not the "
                f"{criterion.factory:g} that 10xGraph's own helper gives it.",
                f"Write the threshold, such as {criterion.factory:g}.",
            )
    elif number is not None and not 0 <= number <= 1:
        effect = "every case passes it" if number < 0 else "no case can pass it"
        meant = f"{number / 100:g}" if 1 < number <= 100 else ""
        hint = f"Did you mean {meant}?" if meant else "Use a number from 0 to 1."
        yield REPORT.problem(
            "warning",
            "threshold_out_of_range",
            join(pointer, "threshold"),
            f"{label} has the threshold {written}, but scores go from 0 to 1: {effect}.",
            hint,
            meant,
        )


def _unread_settings(
    criterion: Criterion, raw: JsonObject, pointer: str, label: str
) -> Iterator[Problem]:
    for name, default in CRITERION_DEFAULTS.items():
        if name in raw and name not in criterion.reads and raw[name] != default:
            yield REPORT.problem(
                "info",
                "setting_not_read",
                join(pointer, name),
                f"{label} does not read “{name}”.",
                "Remove it, or use a criterion that reads it.",
            )


def _judge(criterion: Criterion, raw: JsonObject, pointer: str, label: str) -> Iterator[Problem]:
    model = raw.get("judge_model", DEFAULT_JUDGE)
    if isinstance(model, str) and model.startswith(
        ("claude-", "claude/", "anthropic.", "anthropic/")
    ):
        yield REPORT.problem(
            "warning",
            "judge_never_asked",
            join(pointer, "judge_model"),
            f"{label} is to be judged by {model}, but 10xGraph never calls Claude judges and "
            "gives 0.5 to every reply.",
            "Choose a Gemini or OpenAI model.",
        )
    samples = _number(raw.get("num_samples"))
    if "num_samples" in criterion.reads and samples is not None and samples < 1:
        yield REPORT.problem(
            "warning",
            "no_samples",
            join(pointer, "num_samples"),
            f"{label} asks the judge {raw.get('num_samples')} times: it always fails, with "
            "“All LLM samples failed”.",
            "Ask at least once.",
        )
    yield from _mean(criterion, raw, pointer, label)


def _mean(criterion: Criterion, raw: JsonObject, pointer: str, label: str) -> Iterator[Problem]:
    """Warn of a threshold that judges who all give exactly it do not reach: sums are rounded."""
    threshold = _number(raw.get("threshold", DEFAULT_THRESHOLD))
    samples = _number(raw.get("num_samples", 3)) if "num_samples" in criterion.reads else 1
    if threshold is None or samples is None or not 1 <= samples <= 100:
        return
    mean = sum([threshold] * int(samples)) / int(samples)
    if 0 < threshold - mean < 1e-9:
        yield REPORT.problem(
            "warning",
            "mean_misses_threshold",
            join(pointer, "threshold"),
            f"{label} fails if each of {int(samples)} judges gives exactly {threshold:g}: their "
            f"mean is rounded to {mean!r}.",
            f"Write a threshold a little lower, such as {threshold - 0.001:g}.",
            f"{threshold - 0.001:g}",
        )


def _by_kind(criterion: Criterion, raw: JsonObject, pointer: str, label: str) -> Iterator[Problem]:
    if criterion.key == "trajectory":
        yield from _trajectory(raw, pointer, label)
    elif criterion.key == "contains_keywords" and not raw.get("keywords"):
        yield _always_one("no_keywords", pointer, label, "has no keywords", "Add keywords.")
    elif criterion.key == "rubric_based" and not raw.get("rubrics"):
        yield _always_one("no_rubrics", pointer, label, "has no rubrics", "Add rubrics.")
    elif criterion.key == "rubric_based":
        yield from _weights(raw, pointer)
    elif criterion.key == "simulation_goals":
        yield REPORT.problem(
            "info",
            "goals_without_simulation",
            pointer,
            f"{label} is made for simulated users; here it takes the last expected reply for "
            "the list of goals.",
        )


def _trajectory(raw: JsonObject, pointer: str, label: str) -> Iterator[Problem]:
    if raw.get("match_type", "EXACT") == "EXACT":
        yield REPORT.problem(
            "info",
            "extra_calls_are_free",
            pointer,
            f"{label} in exact order does not punish extra calls after the expected ones.",
        )
    if raw.get("check_args") is True:
        yield REPORT.problem(
            "info",
            "empty_args_match_anything",
            join(pointer, "check_args"),
            f"{label} compares arguments, but an expected call with no arguments accepts any.",
        )


def _weights(raw: JsonObject, pointer: str) -> Iterator[Problem]:
    rubrics = raw.get("rubrics")
    for index, rubric in enumerate(rubrics if isinstance(rubrics, list) else ()):
        weight = rubric.get("weight", 1.0) if isinstance(rubric, dict) else 1.0
        if _number(weight) not in (None, 1.0):
            yield REPORT.problem(
                "warning",
                "weight_not_used",
                join(pointer, "rubrics", index, "weight"),
                "10xGraph never uses the weight of a rubric: the judge gives one overall score.",
                "Say in the rubric's text how much it matters.",
            )


def _always_one(code: str, pointer: str, label: str, what: str, hint: str) -> Problem:
    return REPORT.problem(
        "warning", code, pointer, f"{label} {what}: it gives 1.0 to every reply.", hint
    )


def _settings(value: JsonObject) -> Iterator[Problem]:
    for name, (default, effect) in _NEVER_READ.items():
        if name in value and value[name] != default:
            yield REPORT.problem(
                "warning",
                "setting_not_enforced",
                join("", name),
                f"The setting “{name}” has no effect in a config: {effect}.",
                "Remove it, so that nobody relies on it.",
            )


def _number(value: JsonValue) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None
