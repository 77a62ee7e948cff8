"""Rules about mocked tools: a mistake in a mock does not stop a run, it lets the real tool run."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath import mock_order
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.mock_values import (
    ANY,
    ANY_NAMES,
    EXCEPTIONS,
    MEANT_AS_ANY,
    TARGET,
    built_in,
    exception_name,
    fault,
    is_any,
    is_built,
    raised,
    shown,
)
from evalcore.formats._uipath.set_shapes import LLM_MOCK, mockito_shape
from evalcore.formats._uipath.set_view import CRITERIA, Case, SetView, camel
from evalcore.formats._uipath.tool_rules import CALLS, COUNT, ORDER
from evalcore.formats.shapes import closest, describe
from evalcore.jsontree import JsonObject, JsonValue, join, leaves

STRATEGY = camel("mocking_strategy")
_TOOLS = camel("tools_to_simulate")


def mocks_are_understood(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn where UiPath loads a strategy that it then cannot use."""
    strategy = _typed_strategy(case)
    if strategy is None:
        return
    kind, known = strategy["type"], ("llm", "mockito")
    if kind not in known:
        lowered = str(kind).lower()
        hint = f'Write "{lowered}".' if lowered in known else 'Write "llm" or "mockito".'
        message = f"UiPath does not know the mock type “{kind}”; the real tools run."
        yield case.problem("warning", "unknown_mock_type", case.at(STRATEGY, "type"), message, hint)
        return
    shape = LLM_MOCK if kind == "llm" else mockito_shape(strategy)
    for found in shape.faults(strategy, case.at(STRATEGY), REPORT):
        yield case.problem(
            "warning",
            "mock_not_used",
            found.pointer,
            f"this mock is not used, and the real tools run: {found.message}",
            "Correct it; UiPath loads a faulty mock without complaint.",
        )


def llm_mocks_name_tools(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of a simulation that simulates nothing."""
    strategy = _typed_strategy(case)
    if strategy is None or strategy["type"] != "llm":
        return
    name = _TOOLS.find(strategy)
    if name is not None and strategy[name] == []:
        yield case.problem(
            "warning",
            "no_tool_simulated",
            case.at(STRATEGY, name),
            "no tool is listed, so nothing is simulated and the real tools run.",
            'List the tools, such as [{"name": "search"}].',
        )


def mockito_lists_are_not_doubled(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn where one of two lists of mocks is not read."""
    strategy = _typed_strategy(case)
    if strategy and strategy["type"] == "mockito" and {"config", "behaviors"} <= set(strategy):
        yield case.problem(
            "warning",
            "behaviors_not_read",
            case.at(STRATEGY, "behaviors"),
            "the mocks under “behaviors” are not read, because “config” is there as well.",
            "Keep one list, called “config”.",
        )


def mockito_order(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of mocks that a later one hides, as it takes all their calls: the last match answers."""
    behaviors = _behaviors(case)
    found = mock_order.hidden([behavior for _, behavior in behaviors])
    for index, (by, is_general) in sorted(found.items(), reverse=True):
        pointer, behavior = behaviors[index]
        why = "a later one without arguments takes every call."
        if not is_general:
            why = f"mock {by + 1}, which is later, takes the same calls."
        hint = "Put the one without arguments first." if is_general else "Put the other one first."
        message = f"this mock of “{behavior.get('function')}” never answers: {why}"
        yield case.problem("warning", "mock_hidden", pointer, message, hint)


def mockito_arguments(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of arguments that fit other calls than they seem to."""
    for pointer, behavior in _behaviors(case):
        arguments, function = behavior.get("arguments"), behavior.get("function")
        if arguments == {}:
            yield case.problem(
                "warning",
                "mock_of_bare_calls",
                f"{pointer}/arguments",
                f"empty arguments match only calls of “{function}” without any.",
                "Leave “arguments” out to match every call.",
            )
        for where, value in _given(arguments, f"{pointer}/arguments"):
            yield from _argument(case, where, value)


def _argument(case: Case, pointer: str, value: JsonValue) -> Iterator[Problem]:
    if isinstance(value, str) and value in MEANT_AS_ANY:
        yield case.problem(
            "warning",
            "mock_any_as_text",
            pointer,
            f"this argument must be the very text “{value}”; it does not stand for any value.",
            f"Write {json.dumps(ANY)} for any value.",
        )
    if not is_built(value) and any(map(is_any, built_in(value))):
        yield case.problem(
            "warning",
            "mock_any_inside",
            pointer,
            "“any value” stands inside a value, where it is equal to nothing: the mock never "
            "answers.",
            "Accept any value for the whole argument, or write out what it must be.",
        )


def _given(arguments: JsonValue, pointer: str) -> Iterator[tuple[str, JsonValue]]:
    """Yield each argument of a mock with its pointer."""
    held = arguments if isinstance(arguments, dict) else {}
    by_position, by_name = held.get("args"), held.get("kwargs")
    for index, value in enumerate(by_position if isinstance(by_position, list) else ()):
        yield join(pointer, "args", index), value
    for name, value in (by_name if isinstance(by_name, dict) else {}).items():
        yield join(pointer, "kwargs", name), value


def mockito_answers(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of answers that are not what they seem."""
    for pointer, behavior in _behaviors(case):
        then = behavior.get("then")
        if then == []:
            yield case.problem(
                "warning",
                "mock_without_answer",
                f"{pointer}/then",
                f"the mock of “{behavior.get('function')}” has no answer, so it returns null.",
                "Add what it should return.",
            )
        for index, answer in enumerate(then if isinstance(then, list) else ()):
            if isinstance(answer, dict) and answer.get("type") == "raise" and "value" in answer:
                yield from _raised(case, f"{pointer}/then/{index}/value", answer["value"])


def _raised(case: Case, pointer: str, value: JsonValue) -> Iterator[Problem]:
    seen, cause = raised(value)
    if exception_name(value) is None:
        yield case.problem(
            "warning",
            "mock_raises_no_exception",
            pointer,
            f"{_kind(value)} cannot be raised; UiPath fails with a TypeError instead.",
            'Name an exception: {"_target_": "builtins.ValueError"}.',
        )
    elif cause:
        yield case.problem(
            "info",
            "mock_exception_wrapped",
            pointer,
            f"the agent does not see {cause} but {seen} around it, so “except {cause}” in the "
            "agent does not catch it.",
            "Only NotImplementedError reaches the agent as it is.",
        )


def _kind(value: JsonValue) -> str:
    if is_built(value):
        return str(shown(value))
    return "a text" if isinstance(value, str) else describe(value)


def mocks_can_be_built(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn of one object that cannot be built, which switches off every mock of the case."""
    for pointer, behavior in _behaviors(case):
        arguments = behavior.get("arguments")
        named = arguments.get("kwargs") if isinstance(arguments, dict) else None
        if is_built(named):
            yield _not_built(
                case, f"{pointer}/arguments/kwargs", "“kwargs” must be an object of names"
            )
        for where, built in _objects(behavior, pointer):
            why = "" if built is named else fault(built)
            if why:
                yield _not_built(case, where, why, _meant(built))


def _not_built(case: Case, pointer: str, why: str, wanted: str = "") -> Problem:
    return case.problem(
        "warning",
        "mock_not_built",
        pointer,
        f"UiPath cannot build this value ({why}), so it uses none of the case's mocks and the real "
        "tools run.",
        f"Write “{wanted}”." if wanted else "Correct it, or write a plain value.",
        wanted,
    )


def _meant(built: JsonObject) -> str:
    """Return the name that was meant where it is an exception of Python's own, else ""."""
    name = str(built[TARGET]).rpartition(".")[2]
    known = closest(name, list(EXCEPTIONS))
    return f"builtins.{known}" if known and known != str(built[TARGET]).partition(".")[2] else ""


def _objects(value: JsonValue, pointer: str) -> Iterator[tuple[str, JsonObject]]:
    """Yield the outermost objects inside a value that UiPath would build, with their pointers."""
    if isinstance(value, dict) and TARGET in value:
        yield pointer, value
        return
    items = value.items() if isinstance(value, dict) else ()
    listed = enumerate(value) if isinstance(value, list) else ()
    for name, item in (*items, *listed):
        yield from _objects(item, join(pointer, name))


def mocks_run_no_foreign_code(view: SetView, case: Case) -> Iterator[Problem]:
    """Tell where a mock makes UiPath run Python code that the file names."""
    for pointer, behavior in _behaviors(case):
        for where, leaf in leaves(behavior, pointer):
            if not where.endswith(f"/{TARGET}") or leaf in ANY_NAMES:
                continue
            if isinstance(leaf, str) and "." in leaf and not leaf.startswith("builtins."):
                message = f"UiPath runs the Python code {describe(leaf)} when it reads this mock."
                hint = "Make sure that you trust it."
                yield case.problem("info", "mock_runs_code", where, message, hint)


def mocks_name_tools_as_they_are(view: SetView, case: Case) -> Iterator[Problem]:
    """Warn where a mock names a tool almost as the case's criteria do: then the real one runs."""
    known = list(dict.fromkeys(_expected_tools(case)))
    by_fold = {_folded(name): name for name in known}
    for pointer, name in _mocked(case):
        meant = by_fold.get(_folded(name), name)
        if meant != name and name not in known:
            yield case.problem(
                "warning",
                "mock_of_other_tool",
                pointer,
                f"“{name}” is mocked, but the criteria call the tool “{meant}”: names must be the "
                "same to the letter, or the real tool runs.",
                f"Write “{meant}”.",
                meant,
            )


def _mocked(case: Case) -> Iterator[tuple[str, str]]:
    """Yield every name that a mock or a simulation is for, with its pointer."""
    strategy = _typed_strategy(case) or {}
    simulated = _TOOLS.find(strategy)
    listed = strategy.get(simulated) if simulated else None
    named = [(p, b, "function") for p, b in _behaviors(case)]
    for index, tool in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(tool, dict):
            named.append((case.at(STRATEGY, str(simulated), index), tool, "name"))
    for pointer, holder, key in named:
        name = holder.get(key)
        if isinstance(name, str):
            yield join(pointer, key), name


def _expected_tools(case: Case) -> Iterator[str]:
    """Yield the names of tools that the case's criteria expect to be called."""
    criteria = case.get(CRITERIA)
    for held in criteria.values() if isinstance(criteria, dict) else ():
        own = held if isinstance(held, dict) else {}
        counts, order, calls = (own.get(key.find(own) or "") for key in (COUNT, ORDER, CALLS))
        names: list[JsonValue] = list(counts) if isinstance(counts, dict) else []
        names += order if isinstance(order, list) else ()
        called = calls if isinstance(calls, list) else ()
        names += [call.get("name") for call in called if isinstance(call, dict)]
        yield from (name for name in names if isinstance(name, str))


def _folded(tool: str) -> str:
    return "".join(letter for letter in tool.casefold() if letter.isalnum())


def _typed_strategy(case: Case) -> JsonObject | None:
    found = case.get(STRATEGY)
    return found if isinstance(found, dict) and isinstance(found.get("type"), str) else None


def _behaviors(case: Case) -> list[tuple[str, JsonObject]]:
    """Return the mockito mocks that UiPath reads, with their pointers."""
    strategy = _typed_strategy(case)
    if strategy is None or strategy["type"] != "mockito":
        return []
    name = "config" if "config" in strategy else "behaviors"
    listed = strategy.get(name)
    return [
        (case.at(STRATEGY, name, index), item)
        for index, item in enumerate(listed if isinstance(listed, list) else ())
        if isinstance(item, dict)
    ]


RULES: tuple[Callable[[SetView, Case], Iterator[Problem]], ...] = (
    mocks_are_understood,
    llm_mocks_name_tools,
    mockito_lists_are_not_doubled,
    mockito_order,
    mockito_arguments,
    mockito_answers,
    mocks_can_be_built,
    mocks_run_no_foreign_code,
    mocks_name_tools_as_they_are,
)
