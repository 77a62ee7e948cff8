"""Traps in criteria about tool calls, told by their keys: they need no evaluator file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.set_view import camel
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join

Warn = Callable[[str, str, str, str], Problem]
"""Takes a code, a pointer, a message and a hint."""

CALLS = camel("tool_calls")
COUNT = camel("tool_calls_count")
ORDER = camel("tool_calls_order")
OUTPUTS = camel("tool_outputs")
REFUSED = ("uipath.arguments_for_args", "uipath.tool_output_not_text")
"""Traps that are errors once the evaluator is known: it refuses such criteria."""

OPERATORS = ("=", "==", "!=", ">", "<", ">=", "<=")


def of_criteria(warn: Warn, criteria: JsonObject, pointer: str) -> Iterator[Problem]:
    """Yield the traps in one evaluator's criteria; ``warn`` makes a warning of them."""
    for key, rule in ((CALLS, _calls), (COUNT, _counts), (OUTPUTS, _outputs), (ORDER, _order)):
        spelled = key.find(criteria)
        if spelled is not None:
            yield from rule(warn, criteria[spelled], join(pointer, spelled))


def sanitised(name: str) -> str:
    """Return a tool's name as UiPath compares it: no spaces, ASCII only, at most 64 characters."""
    return re.sub(r"[^A-Za-z0-9_-]", "", re.sub(r"\s+", "_", name))[:64]


def _calls(warn: Warn, calls: JsonValue, pointer: str) -> Iterator[Problem]:
    yield from _general_first(warn, calls, pointer)
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        if not isinstance(call, dict):
            continue
        where, tool = join(pointer, index), call.get("name")
        if "args" not in call and "arguments" in call:
            yield warn(
                "arguments_for_args",
                join(where, "arguments"),
                f"the expected call of “{tool}” has “arguments”, which UiPath does not read; the "
                "evaluator refuses these criteria and the whole case fails.",
                "Call it “args”.",
            )
        elif call.get("args") == {}:
            yield warn(
                "any_arguments",
                join(where, "args"),
                f"empty args accept any call of “{tool}”, whatever its arguments.",
                "Write the arguments that must be there.",
            )
        yield from _unnamed(warn, tool, join(where, "name"))


def _general_first(warn: Warn, calls: JsonValue, pointer: str) -> Iterator[Problem]:
    """Warn of a call with fewer arguments in front of one of the same tool with more."""
    seen: dict[JsonValue, tuple[int, JsonObject]] = {}
    for index, call in enumerate(calls if isinstance(calls, list) else ()):
        args = call.get("args") if isinstance(call, dict) else None
        tool = call.get("name") if isinstance(call, dict) else None
        if not isinstance(args, dict) or not isinstance(tool, str):
            continue
        first, general = seen.setdefault(tool, (index, args))
        if first != index and general.items() < args.items():
            yield warn(
                "general_call_first",
                join(pointer, first),
                f"this expected call of “{tool}” also fits the calls that a later, more exact one "
                "waits for: UiPath gives each expected call the first that fits, and the later "
                "one may be left with none.",
                "Put the calls with more arguments first.",
            )
            return


def _counts(warn: Warn, counts: JsonValue, pointer: str) -> Iterator[Problem]:
    if not isinstance(counts, dict):
        return
    pairs = {n: p for n, p in counts.items() if isinstance(p, list) and len(p) == 2}
    for tool, (operator, _) in pairs.items():
        if operator not in OPERATORS:
            yield warn(
                "unknown_operator",
                join(pointer, tool, 0),
                f"“{operator}” is no comparison, so the count of “{tool}” ends in an error.",
                "Use one of " + " ".join(OPERATORS) + ".",
            )
        if tool != sanitised(tool):
            yield warn(
                "tool_name_not_found",
                join(pointer, tool),
                f"UiPath looks for “{sanitised(tool)}” instead of “{tool}”, and does not find a "
                "tool that is called with spaces or other characters.",
                "Count a tool whose name has only letters, digits, _ and -.",
            )
    if pairs and len(pairs) == len(counts) and all(_holds_for_none(*p) for p in pairs.values()):
        yield warn(
            "no_call_scores_zero",
            pointer,
            "an agent that calls no tool at all scores 0 here, although no call is what is "
            "expected.",
            "Score this with another evaluator, such as the tool call order with an empty list.",
        )


def _outputs(warn: Warn, outputs: JsonValue, pointer: str) -> Iterator[Problem]:
    for index, item in enumerate(outputs if isinstance(outputs, list) else ()):
        if not isinstance(item, dict):
            continue
        if isinstance(item.get("output", MISSING), (dict, list, int, float)):
            yield warn(
                "tool_output_not_text",
                join(pointer, index, "output"),
                f"the expected output of “{item.get('name')}” must be text; the evaluator refuses "
                "these criteria and the whole case fails.",
                "Write the text that the tool returns. An object is compared as Python writes it.",
            )
        yield from _unnamed(warn, item.get("name"), join(pointer, index, "name"))


def _order(warn: Warn, names: JsonValue, pointer: str) -> Iterator[Problem]:
    for index, name in enumerate(names if isinstance(names, list) else ()):
        yield from _unnamed(warn, name, join(pointer, index))


def _unnamed(warn: Warn, name: JsonValue | Missing, pointer: str) -> Iterator[Problem]:
    if isinstance(name, str) and name and not sanitised(name):
        yield warn(
            "tool_name_vanishes",
            pointer,
            f"UiPath drops every character of “{name}”, so it equals any tool with such a name.",
            "Match the tool by its id.",
        )


def _holds_for_none(operator: JsonValue, count: JsonValue) -> bool:
    """Return whether a comparison is true of no call at all."""
    try:
        wanted = int(str(count))
    except ValueError:
        return False
    holds = {"=": wanted == 0, "==": wanted == 0, "!=": wanted != 0, "<": wanted > 0}
    return {**holds, ">": wanted < 0, "<=": wanted >= 0, ">=": wanted <= 0}.get(
        str(operator), False
    )
