"""What ADK's loader accepts as ``test_config.json``, and what each metric makes of its criterion.

The loader reads a criterion as a threshold or as an object that has one; the rest of the object is
read by the metric when it runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalcore.errors import Problem
from evalcore.formats.adk.fields import TEXT, both, model, snake_model, some
from evalcore.formats.adk.genai import GENERATION
from evalcore.formats.adk.metrics import MATCH_TYPES, Criterion, match_type
from evalcore.formats.adk.schema import HARNEST as HARNEST_SETS
from evalcore.formats.adk.schema import LATEST as LATEST_SETS
from evalcore.formats.lenses import exactly
from evalcore.formats.shapes import (
    Flag,
    Listing,
    Mapped,
    Number,
    Object,
    Report,
    Shape,
    Text,
    closest,
    may,
    needs,
)
from evalcore.jsontree import JsonValue, join

SIMULATORS = ("llm_backed", "llm_audio")
PLACEHOLDERS = ("stop_signal", "conversation_plan", "conversation_history")
THRESHOLD = exactly("threshold")
_INCLUDES = both("include_intermediate_responses_in_final")


@dataclass(frozen=True, slots=True)
class ConfigSchema:
    """The shapes of one ADK release; ``criteria`` are what the metrics read, by their kind."""

    config: Object
    criteria: Mapping[Criterion, Object]


CRITERION = Object("The criterion", [needs(THRESHOLD, Number()), may(_INCLUDES, Flag())], "keep")
"""A criterion as files are loaded: an object with a threshold, whatever else it has."""


class Threshold(Shape):
    """A number, or an object with a threshold."""

    expected = "a number, or an object with a “threshold”"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is neither."""
        if isinstance(value, dict):
            yield from CRITERION.faults(value, pointer, report)
        elif any(Number().faults(value, pointer, report)):
            yield self.wrong(value, pointer, report)


class MatchType(Shape):
    """A trajectory match type by name or number."""

    expected = f"one of {', '.join(MATCH_TYPES)}"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what names no match type."""
        if match_type(value) is None:
            yield self.wrong(value, pointer, report)

    def instead(self, value: JsonValue) -> str:
        """Return the match type that is spelled almost so."""
        return (closest(value, MATCH_TYPES) or "") if isinstance(value, str) else ""


class Simulator(Shape):
    """The settings of the simulated user; a missing ``type`` means ``llm_backed``."""

    expected = "an object"
    _object = Object(
        "The simulated user",
        [
            may(both("type"), some(Text(*SIMULATORS))),
            may(both("model"), Text()),
            may(both("model_configuration"), GENERATION),
            may(both("max_allowed_invocations"), Number(whole=True)),
            may(both("custom_instructions"), TEXT),
            may(both("include_function_calls"), Flag()),
        ],
        "keep",
    )

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse wrong settings, and instructions without their placeholders."""
        yield from self._object.faults(value, pointer, report)
        name = both("custom_instructions").find(value)
        text = value[name] if name and isinstance(value, dict) else None
        missing = [p for p in PLACEHOLDERS if isinstance(text, str) and not _has(text, p)]
        if missing and name:
            yield report.problem(
                "error",
                "missing_placeholder",
                join(pointer, name),
                f"The instructions lack {', '.join('{{ ' + p + ' }}' for p in missing)}.",
                f"{report.system} refuses the file: put every placeholder in, in double braces.",
            )


def _has(text: str, placeholder: str) -> bool:
    import re

    return bool(re.search(r"\{\{[^{}]*\b" + placeholder + r"\b[^{}]*\}\}", text))


def _schema(rubric: Object, *, extras: bool) -> ConfigSchema:
    live = model("The live settings", "drop", timeout_seconds=Number(whole=True))
    config = model(
        "The configuration",
        "drop",
        criteria=Mapped(Threshold()),
        custom_metrics=some(Mapped(_custom_metric(extras=extras))),
        user_simulator_config=some(Simulator()),
        live_model_config=some(live),
    )
    return ConfigSchema(config, _criteria(rubric, extras=extras))


def _custom_metric(*, extras: bool) -> Object:
    interval = model(
        "An interval",
        min_value_=Number(),
        max_value_=Number(),
        open_at_min=Flag(),
        open_at_max=Flag(),
    )
    informative = {"requires_threshold": Flag()} if extras else {}
    metric_info = model(
        "The metric's info",
        metric_name_=Text(),
        metric_value_info_=model("The metric's values", interval=some(interval)),
        description=TEXT,
        **informative,
    )
    return model(
        "The custom metric",
        "drop",
        code_config_=snake_model("The code config", name_=Text()),
        metric_info=some(metric_info),
        description=Text(),
    )


def _criteria(rubric: Object, *, extras: bool) -> Mapping[Criterion, Object]:
    judge = model(
        "The judge's options",
        judge_model=Text(),
        judge_model_config=some(GENERATION),
        num_samples=Number(whole=True, least=1),
        parallelism_limit=Number(whole=True, least=1),
    )
    ignore_args = {"ignore_args": Flag()} if extras else {}
    intermediate = {"evaluate_intermediate_nl_responses": Flag()}
    return {
        "plain": _criterion(),
        "trajectory": _criterion(match_type=MatchType(), **ignore_args),
        "judge": _criterion(judge_model_options=judge),
        "rubrics": _criterion(judge_model_options=judge, rubrics=Listing(rubric)),
        "hallucinations": _criterion(judge_model_options=judge, **intermediate),
        "simulator": _criterion(judge_model_options=judge, stop_signal=Text()),
    }


def _criterion(**members: Shape) -> Object:
    return model(
        "The criterion",
        "drop",
        threshold_=Number(),
        include_intermediate_responses_in_final=Flag(),
        **members,
    )


LATEST = _schema(LATEST_SETS.rubric, extras=True)
HARNEST = _schema(HARNEST_SETS.rubric, extras=False)
