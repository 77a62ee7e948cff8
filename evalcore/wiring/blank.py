"""New evaluators, as files that their own systems load."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from evalcore.errors import FormatError
from evalcore.evaluators.uipath import prompts
from evalcore.evaluators.uipath.files import CODED_NAMES
from evalcore.formats._uipath.ids import timestamp
from evalcore.formats._uipath.kinds import CODED_KINDS
from evalcore.formats.evalset import new_guid
from evalcore.jsontree import JsonObject, JsonValue

USUAL_JUDGE = "gpt-4.1-2025-04-14"
LOWCODE_KINDS: Mapping[str, tuple[int, int]] = {
    "uipath.legacy_equals": (0, 1),
    "uipath.legacy_json_similarity": (0, 6),
    "uipath.legacy_llm_judge": (1, 5),
    "uipath.legacy_trajectory_judge": (3, 7),
}
"""Category and type of the low-code evaluators that UiPath's own tools make."""
_PROMPTS = {
    "uipath-llm-judge-output-semantic-similarity": prompts.OUTPUT_PROMPT,
    "uipath-llm-judge-output-strict-json-similarity": prompts.STRICT_PROMPT,
    "uipath-llm-judge-trajectory-similarity": prompts.TRAJECTORY_PROMPT,
    "uipath-llm-judge-trajectory-simulation": prompts.SIMULATION_PROMPT,
}
_REQUIRED: Mapping[str, JsonObject] = {
    "uipath-binary-classification": {"positiveClass": "yes"},
    "uipath-multiclass-classification": {"classes": ["yes", "no"]},
}
_SCALE = "\n\nGive a score from 0 to 100."
LOWCODE_PROMPTS: Mapping[str, str] = {
    "uipath.legacy_llm_judge": prompts.OUTPUT_PROMPT + _SCALE,
    "uipath.legacy_trajectory_judge": """The agent should:
<ExpectedAgentBehavior>
{{ExpectedAgentBehavior}}
</ExpectedAgentBehavior>

It did:
<AgentRunHistory>
{{AgentRunHistory}}
</AgentRunHistory>

How well does what it did match what it should do?"""
    + _SCALE,
}


def coded_evaluator(kind: str, ref: str, name: str, model: str = "") -> JsonObject:
    """Return a coded evaluator's file. Raises FormatError for a kind that UiPath does not have."""
    if kind not in CODED_NAMES:
        raise FormatError(f"UiPath has no evaluator type {kind!r}")
    config: dict[str, Any] = {"name": name, **_REQUIRED.get(kind, {})}
    if CODED_KINDS[kind].sees == "output":
        config["targetOutputKey"] = "*"
    if kind in _PROMPTS:
        config.update(model=model or USUAL_JUDGE, temperature=0.0, prompt=_PROMPTS[kind])
    return {
        "version": "1.0",
        "id": ref,
        "description": "",
        "evaluatorTypeId": kind,
        "evaluatorConfig": config,
    }


def lowcode_evaluator(
    kind: str, file_name: str, name: str, now: datetime, model: str = ""
) -> JsonObject:
    """Return a low-code evaluator's file with an id of its own.

    Raises FormatError for a kind that UiPath's low-code tools do not make.
    """
    pair = LOWCODE_KINDS.get(kind)
    if pair is None:
        raise FormatError(f"Low-code agents have no evaluator {kind!r}")
    judged: JsonObject = {}
    if kind in LOWCODE_PROMPTS:
        judged = {"prompt": LOWCODE_PROMPTS[kind], "model": model or "same-as-agent"}
    return {
        "fileName": file_name,
        "id": new_guid(),
        "name": name,
        "description": "",
        "category": pair[0],
        "type": pair[1],
        **judged,
        "targetOutputKey": "*",
        "createdAt": timestamp(now),
        "updatedAt": timestamp(now),
    }


def adk_config(criteria: Mapping[str, JsonValue]) -> JsonObject:
    """Return a ``test_config.json`` with these criteria."""
    return {"criteria": dict(criteria)}
