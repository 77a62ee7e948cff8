"""Mocks that UiPath loads and cannot use: then the real tools run."""

import pytest

from tests.formats.uipath.data import (
    CODED_PATH,
    LOWCODE_PATH,
    Folder,
    check,
    coded_case,
    coded_set,
    codes,
    lowcode_case,
    lowcode_set,
)

ANY = {"_target_": "mockito.any"}


def built(target, **values):
    return {"_target_": target, **values}


def strategies(criteria=None, **case):
    criterias = criteria or {"e": None}
    value = coded_set(coded_case(**case, evaluationCriterias=criterias), evaluatorRefs=["e"])
    return value, CODED_PATH, Folder()


def mockito(*behaviors, name="config", **more):
    return strategies(mockingStrategy={"type": "mockito", name: list(behaviors), **more})


def mock(function="find", **more):
    return {"function": function, "then": [{"type": "return", "value": 1}], **more}


MOCKS = {
    "llm without tools": (
        strategies(mockingStrategy={"type": "llm", "prompt": "p"}),
        "mock_not_used",
    ),
    "llm with tools as text": (
        strategies(mockingStrategy={"type": "llm", "prompt": "p", "toolsToSimulate": ["find"]}),
        "mock_not_used",
    ),
    "llm with the model as text": (
        strategies(
            mockingStrategy={
                "type": "llm",
                "prompt": "p",
                "toolsToSimulate": [{"name": "find"}],
                "model": "gpt",
            }
        ),
        "mock_not_used",
    ),
    "llm with no tool": (
        strategies(mockingStrategy={"type": "llm", "prompt": "p", "toolsToSimulate": []}),
        "no_tool_simulated",
    ),
    "LLM in capitals": (strategies(mockingStrategy={"type": "LLM"}), "unknown_mock_type"),
    "static": (strategies(mockingStrategy={"type": "static"}), "unknown_mock_type"),
    "mockito without mocks": (strategies(mockingStrategy={"type": "mockito"}), "mock_not_used"),
    "answer of another type": (mockito(mock(then=[{"type": "call", "value": 1}])), "mock_not_used"),
    "answer without value": (mockito(mock(then=[{"type": "return"}])), "mock_not_used"),
    "args as object": (mockito(mock(arguments={"args": {"a": 1}})), "mock_not_used"),
    "no answer": (mockito(mock(then=[])), "mock_without_answer"),
    "two lists": (mockito(mock(), behaviors=[mock()]), "behaviors_not_read"),
    "general after special": (mockito(mock(arguments={"args": [1]}), mock()), "mock_hidden"),
    "two general ones": (mockito(mock(), mock()), "mock_hidden"),
    "empty arguments": (mockito(mock(arguments={})), "mock_of_bare_calls"),
    "text that is raised": (
        mockito(mock(then=[{"type": "raise", "value": "ValueError"}])),
        "mock_raises_no_exception",
    ),
    "object that is raised": (
        mockito(mock(then=[{"type": "raise", "value": {"message": "boom"}}])),
        "mock_raises_no_exception",
    ),
    "class that is no exception": (
        mockito(mock(then=[{"type": "raise", "value": built("builtins.dict")}])),
        "mock_raises_no_exception",
    ),
    "exception that is wrapped": (
        mockito(mock(then=[{"type": "raise", "value": built("builtins.ValueError")}])),
        "mock_exception_wrapped",
    ),
    "two for the same calls": (
        mockito(mock(arguments={"args": [1]}), mock(arguments={"args": [True], "kwargs": {}})),
        "mock_hidden",
    ),
    "any value after one value": (
        mockito(mock(arguments={"kwargs": {"a": 1}}), mock(arguments={"kwargs": {"a": ANY}})),
        "mock_hidden",
    ),
    "any value after any value": (
        mockito(
            mock(arguments={"args": [ANY, 2]}),
            mock(arguments={"args": [built("mockito.matchers.Any"), ANY]}),
        ),
        "mock_hidden",
    ),
    "any value as text": (mockito(mock(arguments={"args": ["mockito.any"]})), "mock_any_as_text"),
    "a star": (mockito(mock(arguments={"kwargs": {"a": "*"}})), "mock_any_as_text"),
    "any value inside": (mockito(mock(arguments={"args": [[ANY]]})), "mock_any_inside"),
    "exception with a text": (
        mockito(
            mock(then=[{"type": "raise", "value": built("builtins.NotImplementedError", text="x")}])
        ),
        "mock_not_built",
    ),
    "no such exception": (
        mockito(mock(then=[{"type": "raise", "value": built("builtins.ValueErorr")}])),
        "mock_not_built",
    ),
    "name without a module": (mockito(mock(arguments={"args": [built("any")]})), "mock_not_built"),
    "any for all names": (mockito(mock(arguments={"kwargs": ANY})), "mock_not_built"),
    "tool spelled otherwise": (
        strategies(
            mockingStrategy={"type": "mockito", "config": [mock("Find")]},
            criteria={"e": {"toolCallsOrder": ["find"]}},
        ),
        "mock_of_other_tool",
    ),
    "simulated tool spelled otherwise": (
        strategies(
            mockingStrategy={
                "type": "llm",
                "prompt": "p",
                "toolsToSimulate": [{"name": "look-up"}],
            },
            criteria={"e": {"toolCalls": [{"name": "look_up", "args": {"a": 1}}]}},
        ),
        "mock_of_other_tool",
    ),
    "code from the file": (
        mockito(mock(arguments={"args": [{"_target_": "os.system"}]})),
        "mock_runs_code",
    ),
}


@pytest.mark.parametrize("name", MOCKS)
def test_a_mock_that_lets_the_real_tool_run_is_told(name):
    (value, path, folder), code = MOCKS[name]
    found = [p for p in check(value, path, folder) if p.code == f"uipath.{code}"]
    assert len(found) == 1
    is_note = code in ("mock_runs_code", "mock_exception_wrapped")
    assert found[0].severity == ("info" if is_note else "warning")
    assert found[0].pointer.startswith("/evaluations/0/mockingStrategy")
    assert found[0].hint


GOOD = {
    "mocks": mockito(
        mock(),
        mock(arguments={"args": ["x"], "kwargs": {"n": {"_target_": "mockito.any"}}}),
        mock(
            "book", then=[{"type": "raise", "value": {"_target_": "builtins.NotImplementedError"}}]
        ),
    ),
    "from the general to the special": mockito(
        mock(),
        mock(arguments={"kwargs": {"a": ANY}}),
        mock(arguments={"kwargs": {"a": 1}}),
        mock(arguments={"args": [1]}),
        mock(arguments={"kwargs": {"b": ANY}}),
        mock("book", arguments={"kwargs": {"a": 1}}),
    ),
    "another tool than any that is expected": strategies(
        mockingStrategy={"type": "mockito", "config": [mock("find_all")]},
        criteria={"e": {"toolCallsOrder": ["find"]}},
    ),
    "mocks called behaviors": mockito(mock(), name="behaviors"),
    "simulated by a model": strategies(
        mockingStrategy={"type": "llm", "prompt": "p", "toolsToSimulate": [{"name": "find"}]}
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_mock_that_works_is_left_alone(name):
    value, path, folder = GOOD[name]
    assert codes(check(value, path, folder)) == []


SIMULATIONS = {
    "tool instructions of a simulation that is off": (
        {"simulateTools": False, "simulationInstructions": "Be kind."},
        ["uipath.instructions_not_read"],
    ),
    "input instructions without the switch": (
        {"inputGenerationInstructions": "Be kind."},
        ["uipath.instructions_not_read"],
    ),
    "tools and instructions, and all is off": (
        {"toolsToSimulate": [{"name": "find"}], "simulationInstructions": "Be kind."},
        ["uipath.simulation_is_off"],
    ),
    "blank instructions": ({"simulationInstructions": " ", "simulateInput": None}, []),
    "all that is needed": (
        {
            "simulateTools": True,
            "toolsToSimulate": [{"name": "find"}],
            "simulationInstructions": "Be kind.",
            "simulateInput": True,
            "inputGenerationInstructions": "A customer.",
        },
        [],
    ),
}


@pytest.mark.parametrize("name", SIMULATIONS)
def test_a_low_code_simulation_that_does_nothing_is_told(name):
    more, expected = SIMULATIONS[name]
    found = codes(check(lowcode_set(lowcode_case(**more)), LOWCODE_PATH, Folder()))
    about = [c for c in found if "simul" in c or "instructions" in c]
    assert about == [code.removeprefix("uipath.") for code in expected]
