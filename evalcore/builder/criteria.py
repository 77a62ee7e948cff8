"""What UiPath's coded evaluators expect of a case that a program describes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from evalcore.formats._uipath.evaluator_view import EvaluatorView
from evalcore.formats._uipath.kinds import EXPECTED_BEHAVIOR, TOOL_ARGS, TOOL_ORDER, TOOL_OUTPUT
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.model import Evaluator, ToolCall

TOOLS_KIND: Final = "uipath-tool-call-args"
BEHAVIOR_KIND: Final = "uipath-llm-judge-trajectory-similarity"
_READ_TOOLS: Final = (TOOL_ARGS, TOOL_ORDER)


def reads_tools(evaluator: Evaluator) -> bool:
    """Return whether an evaluator compares the calls of tools with those that a case expects."""
    kind = _view(evaluator).coded
    return kind is not None and kind.criteria in _READ_TOOLS


def reads_behavior(evaluator: Evaluator) -> bool:
    """Return whether an evaluator reads the expected behavior of a case."""
    view = _view(evaluator)
    is_judge = view.legacy is not None and "ExpectedAgentBehavior" in json.dumps(view.data)
    return is_judge or (view.coded is not None and view.coded.criteria is EXPECTED_BEHAVIOR)


def criteria_of(
    evaluators: Sequence[Evaluator],
    calls: Sequence[ToolCall],
    behavior: str | None,
    *,
    has_output: bool,
) -> dict[str, JsonValue]:
    """Return the criteria of a case by evaluator, null where the evaluator's own defaults serve.

    An evaluator that is told nothing and has no defaults is left out: naming it would fail the
    whole case.
    """
    found: dict[str, JsonValue] = {}
    for evaluator in evaluators:
        expected = _of(_view(evaluator), calls, behavior, has_output=has_output)
        if expected is not MISSING:
            found[evaluator.ref] = expected
    return found


def _of(
    view: EvaluatorView, calls: Sequence[ToolCall], behavior: str | None, *, has_output: bool
) -> JsonValue | Missing:
    kind = view.coded
    if kind is None:
        return None
    if kind.criteria is EXPECTED_BEHAVIOR and behavior:
        return {"expectedAgentBehavior": behavior}
    if kind.criteria is TOOL_ARGS and calls:
        return {"toolCalls": [_call(call) for call in calls]}
    if kind.criteria is TOOL_ORDER and calls:
        return {"toolCallsOrder": [call.name for call in calls]}
    if kind.criteria is TOOL_OUTPUT and (answers := _answers(calls)):
        return {"toolOutputs": answers}
    serves = kind.takes_expected_output and has_output
    return None if serves or view.default_criteria not in (MISSING, None) else MISSING


def _call(call: ToolCall) -> JsonObject:
    own: JsonObject = {"name": call.name, "args": call.args if call.args is not MISSING else {}}
    return {**own, "id": call.id} if call.id is not None else own


def _answers(calls: Sequence[ToolCall]) -> list[JsonValue]:
    return [{"name": c.name, "output": c.result} for c in calls if isinstance(c.result, str)]


def in_words(turns: Mapping[int, Sequence[ToolCall]], of: int) -> str:
    """Return what tools a case expects as sentences; ``turns`` are by number, from 1."""
    said = []
    for number, calls in turns.items():
        listed = ", then ".join(_told(call) for call in calls)
        said.append(f"{'The agent' if of == 1 else f'In turn {number} the agent'} calls {listed}.")
    return " ".join(said)


def _told(call: ToolCall) -> str:
    told = call.name
    if call.args not in (MISSING, None, {}):
        told += f" with {json.dumps(call.args, ensure_ascii=False)}"
    if call.result is not MISSING:
        told += f", which returns {json.dumps(call.result, ensure_ascii=False)}"
    return told


def _view(evaluator: Evaluator) -> EvaluatorView:
    return EvaluatorView(evaluator.config if isinstance(evaluator.config, dict) else {})
