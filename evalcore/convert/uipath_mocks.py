"""How tools and inputs are made up: the switches of low-code sets and the strategies of coded ones.

Only what takes effect is translated: low-code switches that are off say nothing, and instructions
behind one that is off would start to act.
"""

from __future__ import annotations

from typing import Any

from evalcore.convert.portable import Case, Item, Move, Out
from evalcore.jsontree import JsonObject, join

SWITCH = "The switch became a strategy."
STRATEGY_TO_SWITCH = "The strategy became a switch."
TOOLS, WORDS, ON = "tools_to_simulate", "simulation_instructions", "simulate_tools"
INPUT_ON, INPUT_WORDS = "simulate_input", "input_generation_instructions"
STRATEGY, INPUT_STRATEGY = "mocking", "input_mocking"


def to_strategies(case: Case, out: Out) -> None:
    """Write low-code switches as strategies."""
    items = case.items
    if ON in items and items[ON].value is True:
        value: JsonObject = {"type": "llm", "prompt": "", "toolsToSimulate": []}
        moves: list[Move] = [m._replace(how=SWITCH) for m in items[ON].moves]
        if WORDS in items and isinstance(items[WORDS].value, str):
            value["prompt"] = items[WORDS].value
            moves += items[WORDS].within(None, "/prompt").moves
        if TOOLS in items and _are_texts(items[TOOLS].value):
            value["toolsToSimulate"] = [{"name": name} for name in items[TOOLS].value]
            moves += _each(items[TOOLS], "/toolsToSimulate", "/name")
        out.give(STRATEGY, Item(value, tuple(moves)))
    words = items.get(INPUT_WORDS)
    if INPUT_ON in items and items[INPUT_ON].value is True and words and words.value:
        given = words.within({"prompt": words.value}, "/prompt")
        out.give(INPUT_STRATEGY, given.told_by(*_sources(items[INPUT_ON]), how=SWITCH))


def to_switches(case: Case, out: Out) -> None:
    """Write strategies of coded sets as low-code switches."""
    mocking, inputs = case.items.get(STRATEGY), case.items.get(INPUT_STRATEGY)
    strategy = mocking.value if mocking is not None else None
    if mocking is not None and isinstance(strategy, dict) and strategy.get("type") == "llm":
        out.give(ON, Item(True, mocking.member("type").explained(STRATEGY_TO_SWITCH).moves))
        if isinstance(strategy.get("prompt"), str):
            out.give(WORDS, mocking.member("prompt"))
        tools = _names(mocking, strategy.get("toolsToSimulate"))
        if tools is not None:
            out.give(TOOLS, tools)
    made = inputs.value if inputs is not None else None
    if inputs is not None and isinstance(made, dict) and isinstance(made.get("prompt"), str):
        out.give(INPUT_ON, Item(True, ()))
        out.give(INPUT_WORDS, inputs.member("prompt"))


def _names(mocking: Item, tools: Any) -> Item | None:
    if not isinstance(tools, list):
        return None
    if not all(isinstance(t, dict) and isinstance(t.get("name"), str) for t in tools):
        return None
    moves: list[Move] = []
    for index in range(len(tools)):
        name = mocking.member("toolsToSimulate", index, "name")
        moves += name.within(None, join("", index)).moves
    if not tools:
        moves += mocking.member("toolsToSimulate").moves
    return Item([tool["name"] for tool in tools], tuple(moves))


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _each(item: Item, before: str, after: str) -> list[Move]:
    if not item.value:
        return list(item.within(None, before).moves)
    return [
        m
        for index in range(len(item.value))
        for m in item.member(index).within(None, f"{join(before, index)}{after}").moves
    ]


def _sources(item: Item) -> list[Any]:
    return [m.source for m in item.moves]
