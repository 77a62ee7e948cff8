"""Rules about mocked tools: a mistake in a mock does not stop a run, it lets the real tool run."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.set_shapes import LLM_MOCK, mockito_shape
from evalcore.formats._uipath.set_view import Case, SetView, camel
from evalcore.formats.shapes import describe
from evalcore.jsontree import JsonObject, JsonValue, leaves

STRATEGY = camel("mocking_strategy")
_TOOLS = camel("tools_to_simulate")
_ANY_VALUE = ("mockito.any", "mockito.matchers.Any")


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
    for fault in shape.faults(strategy, case.at(STRATEGY), REPORT):
        yield case.problem(
            "warning",
            "mock_not_used",
            fault.pointer,
            f"this mock is not used, and the real tools run: {fault.message}",
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
    """Warn of mocks that a later, more general one hides: the last match answers."""
    general: set[JsonValue] = set()
    for pointer, behavior in reversed(_behaviors(case)):
        function = behavior.get("function")
        if not isinstance(function, str):
            continue
        if function in general:
            yield case.problem(
                "warning",
                "mock_hidden",
                pointer,
                f"this mock of “{function}” never answers: a later one without arguments takes "
                "every call.",
                "Put the one without arguments first.",
            )
        if behavior.get("arguments") is None:
            general.add(function)


def mockito_arguments(view: SetView, case: Case) -> Iterator[Problem]:
    """Tell that empty arguments match calls without arguments, not any call."""
    for pointer, behavior in _behaviors(case):
        if behavior.get("arguments") == {}:
            yield case.problem(
                "warning",
                "mock_of_bare_calls",
                f"{pointer}/arguments",
                f"empty arguments match only calls of “{behavior.get('function')}” without any.",
                "Leave “arguments” out to match every call.",
            )


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
            if not isinstance(answer, dict) or answer.get("type") != "raise":
                continue
            if "value" in answer and not isinstance(answer["value"], dict):
                yield case.problem(
                    "warning",
                    "mock_raises_no_exception",
                    f"{pointer}/then/{index}/value",
                    "a text cannot be raised; UiPath fails with a TypeError instead.",
                    'Name an exception: {"_target_": "builtins.ValueError"}.',
                )


def mocks_run_no_foreign_code(view: SetView, case: Case) -> Iterator[Problem]:
    """Tell where a mock makes UiPath run Python code that the file names."""
    for pointer, behavior in _behaviors(case):
        for where, leaf in leaves(behavior, pointer):
            if not where.endswith("/_target_") or leaf in _ANY_VALUE:
                continue
            if not str(leaf).startswith("builtins."):
                message = f"UiPath runs the Python code {describe(leaf)} when it reads this mock."
                hint = "Make sure that you trust it."
                yield case.problem("info", "mock_runs_code", where, message, hint)


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
    mocks_run_no_foreign_code,
)
