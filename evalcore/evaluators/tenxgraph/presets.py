"""10xGraph's presets as configs: what each switches on, with the thresholds it gives.

Each function returns what a config file of 10xGraph holds. Settings that are not written have the
defaults of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from evalcore.formats.tenxgraph.names import BY_KEY, DEFAULT_JUDGE
from evalcore.jsontree import JsonObject, JsonValue

SAMPLES: Final = 3


def quick_check() -> JsonObject:
    """Return word overlap at 0.5: no judge."""
    return _config(rouge_match=_at(0.5))


def tool_usage(
    threshold: float = 1.0, *, strict: bool = True, check_args: bool = True
) -> JsonObject:
    """Return both checks of tools: no judge, and no look at the reply."""
    return _config(
        tool_name_match=_at(threshold),
        trajectory=_trajectory(threshold, "EXACT" if strict else "IN_ORDER", check_args),
    )


def response_quality(
    threshold: float = 0.7, *, use_llm_judge: bool = True, judge_model: str = DEFAULT_JUDGE
) -> JsonObject:
    """Return two judges that are asked the same question, three times and once."""
    return _config(
        response_match=_judged(threshold, judge_model),
        llm_judge=_judged(threshold, judge_model, 1) if use_llm_judge else None,
    )


def conversation_flow(threshold: float = 0.8, *, judge_model: str = DEFAULT_JUDGE) -> JsonObject:
    """Return a judge of the last reply and the calls in order."""
    return _config(
        response_match=_judged(threshold, judge_model),
        trajectory=_trajectory(threshold, "IN_ORDER", False),
    )


def safety_check(threshold: float = 0.8, *, judge_model: str = DEFAULT_JUDGE) -> JsonObject:
    """Return the judges of groundedness and safety."""
    judged = _judged(threshold, judge_model)
    return _config(hallucination=judged, safety=dict(judged))


def comprehensive(
    threshold: float = 0.8, *, use_llm_judge: bool = True, judge_model: str = DEFAULT_JUDGE
) -> JsonObject:
    """Return tools at 1.0, word overlap and four judges at the threshold.

    Nodes, keywords, rubrics and ``response_match`` are not in it.
    """
    judges = ("llm_judge", "factual_accuracy", "hallucination", "safety")
    return _config(
        tool_name_match=_at(1.0),
        trajectory=_trajectory(1.0, "IN_ORDER", True),
        rouge_match=_at(threshold),
        **{name: _judged(threshold, judge_model) if use_llm_judge else None for name in judges},
    )


def custom(
    response_threshold: float | None = None,
    tool_threshold: float | None = None,
    llm_judge_threshold: float | None = None,
    *,
    tool_match_type: str = "IN_ORDER",
    check_tool_args: bool = True,
    hallucination_threshold: float | None = None,
    safety_threshold: float | None = None,
    factual_accuracy_threshold: float | None = None,
    judge_model: str = DEFAULT_JUDGE,
) -> JsonObject:
    """Return the checks whose threshold is given; ``tool_threshold`` switches on two."""
    judged = {
        "response_match": response_threshold,
        "llm_judge": llm_judge_threshold,
        "hallucination": hallucination_threshold,
        "safety": safety_threshold,
        "factual_accuracy": factual_accuracy_threshold,
    }
    criteria: dict[str, JsonObject | None] = {
        name: None if threshold is None else _judged(threshold, judge_model)
        for name, threshold in judged.items()
    }
    if tool_threshold is not None:
        criteria["tool_name_match"] = _at(tool_threshold)
        criteria["trajectory"] = _trajectory(tool_threshold, tool_match_type, check_tool_args)
    return _config(**criteria)


def combine(*configs: JsonObject) -> JsonObject:
    """Return the criteria of all configs; the later of two wins. Other settings are dropped."""
    criteria: dict[str, JsonValue] = {}
    for config in configs:
        found = config.get("criteria")
        for name, criterion in (found if isinstance(found, dict) else {}).items():
            if criterion is not None:
                criteria[name] = criterion
    return _config(**criteria)


def default() -> JsonObject:
    """Return what 10xGraph's library uses where no config is given."""
    return _config(
        trajectory=_trajectory(1.0, "EXACT", False), response_match=_judged(0.8, DEFAULT_JUDGE)
    )


def strict() -> JsonObject:
    """Return the library's strict config."""
    return _config(
        trajectory=_trajectory(1.0, "EXACT", True),
        response_match=_judged(0.9, DEFAULT_JUDGE),
        llm_judge=_judged(0.9, DEFAULT_JUDGE, 5),
    )


def relaxed() -> JsonObject:
    """Return the library's relaxed config."""
    return _config(
        trajectory=_trajectory(0.8, "IN_ORDER", False), response_match=_judged(0.6, DEFAULT_JUDGE)
    )


def command_line() -> JsonObject:
    """Return what ``10xgraph eval`` uses where no config is given."""
    return _config(
        tool_name_match=_at(1.0),
        rouge_match=_at(0.5),
        node_order={"threshold": 0.8, "match_type": "EXACT"},
    )


PRESETS: Final[Mapping[str, Callable[[], JsonObject]]] = {
    "quick_check": quick_check,
    "tool_usage": tool_usage,
    "response_quality": response_quality,
    "conversation_flow": conversation_flow,
    "safety_check": safety_check,
    "comprehensive": comprehensive,
    "custom": custom,
    "default": default,
    "strict": strict,
    "relaxed": relaxed,
    "command_line": command_line,
}
"""What can be had by name, with the thresholds of the package."""


def _config(**criteria: JsonValue) -> JsonObject:
    """Return a config with the criteria that are not None, in 10xGraph's order."""
    order = list(BY_KEY)
    names = sorted(criteria, key=lambda n: order.index(n) if n in order else len(order))
    return {"criteria": {n: criteria[n] for n in names if criteria[n] is not None}}


def _at(threshold: float) -> JsonObject:
    return {"threshold": threshold}


def _trajectory(threshold: float, match_type: str, check_args: bool) -> JsonObject:
    return {"threshold": threshold, "match_type": match_type, "check_args": check_args}


def _judged(threshold: float, judge_model: str, samples: int = SAMPLES) -> JsonObject:
    return {"threshold": threshold, "judge_model": judge_model, "num_samples": samples}
