"""From an evaluator's file to the check that it configures."""

from __future__ import annotations

from typing import Any

from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator, build
from evalcore.evaluators.base import Evaluator
from evalcore.jsontree import JsonObject
from evalcore.judges import Judge

DETERMINISTIC = {
    1: "uipath.legacy_equals",
    6: "uipath.legacy_json_similarity",
    10: "uipath.legacy_csv_columns",
}
CODED_NAMES = {
    "uipath-exact-match": "ExactMatchEvaluator",
    "uipath-contains": "ContainsEvaluator",
    "uipath-json-similarity": "JsonSimilarityEvaluator",
    "uipath-tool-call-order": "ToolCallOrderEvaluator",
    "uipath-tool-call-args": "ToolCallArgsEvaluator",
    "uipath-tool-call-count": "ToolCallCountEvaluator",
    "uipath-tool-call-output": "ToolCallOutputEvaluator",
    "uipath-binary-classification": "BinaryClassificationEvaluator",
    "uipath-multiclass-classification": "MulticlassClassificationEvaluator",
    "uipath-llm-judge-output-semantic-similarity": "LLMJudgeOutputEvaluator",
    "uipath-llm-judge-output-strict-json-similarity": "LLMJudgeStrictJSONSimilarityOutputEvaluator",
    "uipath-llm-judge-trajectory-similarity": "LLMJudgeTrajectoryEvaluator",
    "uipath-llm-judge-trajectory-simulation": "LLMJudgeTrajectorySimulationEvaluator",
}
"""What UiPath calls a coded evaluator whose file gives no name."""


def is_coded(file: JsonObject) -> bool:
    """Return whether UiPath reads a file as a coded evaluator."""
    return file.get("version") == "1.0"


def kind_of(file: JsonObject) -> str | None:
    """Return the kind of check that a file configures, None where there is none here.

    Of a low-code evaluator the category decides first: 1 is a judge and 3 a judge of behaviour,
    whatever the type.
    """
    if is_coded(file):
        kind = file.get("evaluatorTypeId")
        custom = str(file.get("evaluatorSchema") or "").startswith("file://")
        return kind if isinstance(kind, str) and kind in CODED_NAMES and not custom else None
    category, number = file.get("category"), file.get("type")
    if category == 0 and isinstance(number, (int, float)):
        return DETERMINISTIC.get(int(number)) if number == int(number) else None
    return {1: "uipath.legacy_llm_judge", 3: "uipath.legacy_trajectory_judge"}.get(
        category if isinstance(category, int) else -1
    )


def from_file(file: JsonObject, judge: Judge | None = None, agent_model: str = "") -> Evaluator:
    """Return the check that a file configures; ``agent_model`` is what same-as-agent stands for.

    Its name is the one that results have. Raises UnknownEvaluator for a check that is not computed
    here, EvaldeskError for parameters that UiPath refuses too.
    """
    kind = kind_of(file)
    if kind is None:
        raise UnknownEvaluator("No check of this kind can be computed here")
    if not is_coded(file):
        name = file.get("name")
        return build(kind, {**file, "agentModel": agent_model}, _text(name) or kind, judge)
    config: Any = file.get("evaluatorConfig")
    if not isinstance(config, dict):
        raise EvaldeskError("The evaluator has no configuration", hint="Add an evaluatorConfig.")
    name = file.get("name") or config.get("name") or CODED_NAMES[kind]
    return build(kind, config, _text(name), judge)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
