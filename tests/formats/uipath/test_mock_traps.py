"""Mocks that UiPath loads and cannot use: then the real tools run."""

import pytest

from tests.formats.uipath.data import CODED_PATH, Folder, check, coded_case, coded_set, codes


def strategies(**case):
    value = coded_set(coded_case(**case, evaluationCriterias={"e": None}), evaluatorRefs=["e"])
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
    assert found[0].severity == ("info" if code == "mock_runs_code" else "warning")
    assert found[0].pointer.startswith("/evaluations/0/mockingStrategy")
    assert found[0].hint


GOOD = {
    "mocks": mockito(
        mock(),
        mock(arguments={"args": ["x"], "kwargs": {"n": {"_target_": "mockito.any"}}}),
        mock("book", then=[{"type": "raise", "value": {"_target_": "builtins.ValueError"}}]),
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
