"""UiPath's mocks as forms see them: where their parts lie, and which components are simulated."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from evalcore.formats._uipath.set_view import camel
from evalcore.formats._uipath.tool_names import ToolNames
from evalcore.formats.lenses import At, Key, exactly
from evalcore.formats.mocks import SimulatedPart, StrategyForm
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

TOOLS = ToolNames(At(camel("tools_to_simulate")))
SIMULATION_FILE: Final = "simulation.json"
_ARGUMENTS = exactly("arguments")

MODEL: Final[dict[str, Any]] = {
    "type": "object",
    "title": "Model",
    "properties": {
        "model": {
            "type": "string",
            "title": "Name of the model",
            "description": "Such as gpt-4.1-mini-2025-04-14.",
        },
        "temperature": {"type": "number", "description": "0 answers the same way each time."},
        "topP": {"type": "number", "title": "Top p"},
        "topK": {"type": "integer", "title": "Top k"},
        "frequencyPenalty": {"type": "number"},
        "presencePenalty": {"type": "number"},
        "maxTokens": {"type": "integer", "title": "Most tokens of an answer"},
    },
    "required": ["model"],
}

INPUT_MOCKING: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "prompt": {
            "type": "string",
            "x-multiline": True,
            "title": "What the inputs should be like",
            "description": "A model makes the inputs from this and from the agent's input schema.",
        },
        "model": {
            **MODEL,
            "description": "Which model makes them up. Without it: the agent's own.",
        },
    },
    "required": ["prompt"],
}

COMPONENTS: Final[dict[str, Any]] = {
    "type": "array",
    "items": {
        "type": "object",
        "title": "Component",
        "properties": {
            "componentId": {"type": "string", "title": "Component"},
            "componentType": {"type": "string", "title": "Its type"},
            "strategy": {"type": "string", "description": "Such as Llm or Static."},
            "instructions": {"type": "string", "x-multiline": True},
            "mockValue": {"description": "What a static one gives back."},
        },
        "additionalProperties": True,
        "required": ["componentId"],
    },
}

FORM: Final = StrategyForm(
    kinds={"rules": "mockito", "model": "llm"},
    blanks={
        "rules": {"type": "mockito", "config": []},
        "model": {"type": "llm", "prompt": "", "toolsToSimulate": []},
    },
    effects={"return": "return", "raise": "raise"},
    strategy={
        "kind": At(exactly("type")),
        "rules": At(Key(("config", "behaviors"))),
        "prompt": At(exactly("prompt")),
        "tools": TOOLS,
        "model": At(exactly("model")),
    },
    rule={
        "function": At(exactly("function")),
        "arguments": At(_ARGUMENTS),
        "args": At(_ARGUMENTS, exactly("args")),
        "named": At(_ARGUMENTS, exactly("kwargs")),
        "answers": At(exactly("then")),
    },
    answer={"effect": At(exactly("type")), "value": At(exactly("value"))},
    model_schema=MODEL,
)


def simulated_parts(value: JsonValue | Missing) -> tuple[SimulatedPart, ...]:
    """Return the components in ``simulations`` of a Flow case or in a ``simulation.json``."""
    listed = value
    if isinstance(value, dict):
        listed = value.get("components", value.get("toolsToSimulate", MISSING))
    found = (_part(item, value) for item in (listed if isinstance(listed, list) else ()))
    return tuple(part for part in found if part is not None)


_STRATEGIES = {0: "made up by a model", 1: "by rules", 2: "always the same"}
_WORDS = {"llm": "made up by a model", "mockito": "by rules", "static": "always the same"}
_OPERATORS = {0: "=", 6: "contains"}


def _part(item: JsonValue, whole: JsonValue | Missing) -> SimulatedPart | None:
    if isinstance(item, str):
        item = {"name": item}
    if not isinstance(item, dict):
        return None
    around = whole if isinstance(whole, dict) else {}
    return SimulatedPart(
        name=_first(item, "componentId", "name") or "without a name",
        kind=_first(item, "componentType"),
        how=_how(item, around),
        instructions=_first(item, "simulationInstruction", "instructions", "simulationInstructions")
        or _first(around, "instructions"),
        answers=tuple(_answers(item)),
    )


def _how(item: JsonObject, around: JsonObject) -> str:
    found = item.get("simulationStrategy", item.get("strategy", MISSING))
    if isinstance(found, int):
        return _STRATEGIES.get(found, f"by strategy {found}")
    if isinstance(found, str):
        return _WORDS.get(found.lower(), found)
    return _WORDS["llm"] if "toolsToSimulate" in around else ""


def _answers(item: JsonObject) -> Iterator[tuple[str, JsonValue]]:
    rules = item.get("behaviors")
    for rule in rules if isinstance(rules, list) else ():
        when = rule.get("when") if isinstance(rule, dict) else None
        conditions = [_condition(c) for c in (when if isinstance(when, list) else ())]
        then = rule.get("then") if isinstance(rule, dict) else None
        for answer in then if isinstance(then, list) else ():
            if isinstance(answer, dict):
                yield " and ".join(conditions), answer.get("value")
    if item.get("mockValue") is not None:
        yield "", item["mockValue"]


def _condition(item: JsonValue) -> str:
    if not isinstance(item, dict):
        return str(item)
    operator = item.get("op")
    word = (
        _OPERATORS.get(operator, f"(comparison {operator})")
        if isinstance(operator, int)
        else (str(operator))
    )
    return f"{item.get('field')} {word} {item.get('value')}"


def _first(item: JsonObject, *names: str) -> str:
    """Return the first text under one of several names, "" if there is none."""
    found = (item.get(name) for name in names)
    return next((text for text in found if isinstance(text, str) and text), "")
