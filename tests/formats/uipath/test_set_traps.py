"""What UiPath loads and reads otherwise: one table row per rule about sets and their cases."""

import pytest

from tests.formats.uipath.data import (
    CODED_PATH,
    JUDGE_PROMPT,
    LOWCODE_PATH,
    PATH_PROMPT,
    Folder,
    check,
    coded_case,
    coded_set,
    codes,
    entry_points,
    evaluator,
    legacy,
    lowcode_case,
    lowcode_set,
    scored_set,
)

GUID = "0C5E8F7A-1D7B-4D57-8F0E-6B1F4F3C2D10"
WARNING, ERROR, INFO = "warning", "error", "info"
PLAIN = evaluator()


def in_folder(value, path=CODED_PATH, **files):
    """Return what to check: a set and the evaluators ``name=evaluator`` beside it."""
    return value, path, Folder({f"../evaluators/{n}.json": v for n, v in files.items()})


def scored(criteria, evaluator_=None, **case):
    value, folder = scored_set(criteria, evaluator_, **case)
    return value, CODED_PATH, folder


def called(*calls):
    return scored({"toolCalls": list(calls)})


def low(value, **files):
    return in_folder(value, LOWCODE_PATH, **files)


def with_entry(value, inputs=None, outputs=None, required=(), path=CODED_PATH, **files):
    folder = {f"../evaluators/{n}.json": v for n, v in files.items()}
    folder["../../entry-points.json"] = entry_points(inputs, outputs, required)
    return value, path, Folder(folder)


def expecting(expected, *, target="*", kind="exact-match", outputs=None):
    value, folder = scored_set(
        {"expectedOutput": expected}, evaluator(kind, targetOutputKey=target)
    )
    if outputs is not None:
        folder.files["../../entry-points.json"] = entry_points({}, outputs)
    return value, CODED_PATH, folder


TRAPS = {
    "cases under evaluationItems": (
        in_folder({"version": "1.0", "id": "s", "name": "S", "evaluationItems": [{"id": "a"}]}),
        WARNING,
        "cases_under_wrong_key",
    ),
    "cases under testCases": (
        low({**lowcode_set(), "testCases": [{}]}),
        WARNING,
        "cases_under_wrong_key",
    ),
    "no list of cases": (
        in_folder({"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": []}),
        WARNING,
        "no_cases",
    ),
    "no cases": (in_folder(coded_set()), INFO, "no_cases"),
    "no evaluators": (in_folder(coded_set(coded_case())), WARNING, "no_evaluators"),
    "same id": (in_folder(coded_set(coded_case(), coded_case(name="B"))), WARNING, "duplicate_id"),
    "same GUID in other case": (
        in_folder(coded_set(coded_case(GUID), coded_case(GUID.lower(), name="B"))),
        WARNING,
        "duplicate_id",
    ),
    "same name": (
        in_folder(coded_set(coded_case("a", name="N"), coded_case("b", name="N"))),
        WARNING,
        "duplicate_name",
    ),
    "GUID in upper case": (in_folder(coded_set(coded_case(GUID))), INFO, "guid_in_upper_case"),
    "unknown ref": (in_folder(coded_set(evaluatorRefs=["x"]), e=PLAIN), ERROR, "unknown_evaluator"),
    "unknown ref of a low-code set": (
        low(lowcode_set(evaluatorRefs=["x"]), e=legacy()),
        ERROR,
        "unknown_evaluator",
    ),
    "unknown ref of a Flow set": (
        in_folder(coded_set(selectedEntrypoint="main", evaluatorRefs=["x"]), e=PLAIN),
        WARNING,
        "unknown_evaluator",
    ),
    "ref in other case": (
        in_folder(coded_set(evaluatorRefs=["E"]), e=PLAIN),
        ERROR,
        "unknown_evaluator",
    ),
    "two files, one id": (
        in_folder(coded_set(evaluatorRefs=["e"]), a=PLAIN, b=PLAIN),
        WARNING,
        "evaluator_id_twice",
    ),
    "broken file beside": (
        (coded_set(), CODED_PATH, Folder({"../evaluators/a.json": [1]})),
        ERROR,
        "broken_evaluator_file",
    ),
    "ref twice": (in_folder(coded_set(evaluatorRefs=["e", "e"])), INFO, "ref_twice"),
    "configs hide refs": (
        in_folder(coded_set(evaluatorRefs=["a"], evaluatorConfigs=["b"])),
        WARNING,
        "refs_not_read",
    ),
    "weights": (
        in_folder(coded_set(evaluatorConfigs=[{"ref": "a", "weight": 2}])),
        INFO,
        "weights_not_used",
    ),
    "configs of a low-code set": (
        low(lowcode_set(evaluatorConfigs=["e"])),
        WARNING,
        "configs_not_read",
    ),
    "evaluator without criteria": (
        in_folder(coded_set(coded_case(), evaluatorRefs=["e"])),
        WARNING,
        "evaluator_never_used",
    ),
    "evaluator with some criteria": (
        in_folder(
            coded_set(
                coded_case("a", evaluationCriterias={"e": None}),
                coded_case("b", evaluationCriterias={"f": None}),
                evaluatorRefs=["e", "f"],
            )
        ),
        INFO,
        "evaluators_skip_cases",
    ),
    "case without criteria": (
        in_folder(coded_set(coded_case(), evaluatorRefs=["e"])),
        WARNING,
        "nothing_scored",
    ),
    "criteria for an evaluator that is not listed": (
        in_folder(coded_set(coded_case(evaluationCriterias={"x": None}), evaluatorRefs=["e"])),
        WARNING,
        "criteria_not_read",
    ),
    "criteria null without default": (scored(None, PLAIN), ERROR, "criteria_missing"),
    "criteria empty without default": (scored({}, PLAIN), ERROR, "criteria_missing"),
    "criteria of another evaluator": (
        scored({"searchText": "x"}, PLAIN),
        ERROR,
        "criteria_refused",
    ),
    "expected output null": (scored({"expectedOutput": None}, PLAIN), ERROR, "criteria_refused"),
    "arguments instead of args": (
        scored(
            {"toolCalls": [{"name": "find", "arguments": {"q": 1}}]}, evaluator("tool-call-args")
        ),
        ERROR,
        "criteria_refused",
    ),
    "arguments, evaluator unknown": (
        called({"name": "find", "arguments": {"q": 1}}),
        WARNING,
        "arguments_for_args",
    ),
    "low-code criteria without behaviour": (
        scored({"expectedOutput": {"a": 1}}, legacy()),
        ERROR,
        "criteria_refused",
    ),
    "empty args": (called({"name": "find", "args": {}}), WARNING, "any_arguments"),
    "name without ASCII": (
        called({"name": "地図", "args": {"q": 1}}),
        WARNING,
        "tool_name_vanishes",
    ),
    "no call expected": (
        scored({"toolCallsCount": {"find": ["=", 0]}}),
        WARNING,
        "no_call_scores_zero",
    ),
    "at most a few calls": (
        scored({"toolCallsCount": {"find": ["<", 3]}}),
        WARNING,
        "no_call_scores_zero",
    ),
    "unknown comparison": (
        scored({"toolCallsCount": {"find": ["~", 1]}}),
        WARNING,
        "unknown_operator",
    ),
    "counted tool with a space": (
        scored({"toolCallsCount": {"web search": [">", 0]}}),
        WARNING,
        "tool_name_not_found",
    ),
    "tool output as object": (
        scored({"toolOutputs": [{"name": "find", "output": {"a": 1}}]}),
        WARNING,
        "tool_output_not_text",
    ),
    "empty search text": (scored({"searchText": ""}), WARNING, "matches_anything"),
    "empty expected JSON": (expecting({}, kind="json-similarity"), WARNING, "matches_anything"),
    "class that is not listed": (
        scored({"expectedClass": "c"}, evaluator("multiclass-classification", classes=["a", "b"])),
        WARNING,
        "class_not_listed",
    ),
    "JSON as text": (expecting('{"a": 1}'), WARNING, "json_as_text"),
    "target that is not expected": (
        expecting({"a": 1}, target="b"),
        WARNING,
        "target_not_expected",
    ),
    "inner target that is not expected": (
        expecting({"a": [1]}, target="a[1]"),
        WARNING,
        "target_not_expected",
    ),
    "number as text, output unknown": (expecting({"a": "8"}), INFO, "number_as_text"),
    "number as text": (
        expecting({"a": "8"}, target="a", outputs={"a": "number"}),
        WARNING,
        "number_as_text",
    ),
    "number as text for the case": (
        scored(None, evaluator(targetOutputKey="a"), expectedOutput={"a": "8"}),
        INFO,
        "number_as_text",
    ),
    "part of the output": (
        expecting({"a": 1}, outputs={"a": "integer", "b": "string"}),
        WARNING,
        "part_of_output",
    ),
    "key that is not in the output": (
        expecting({"a": 1, "z": 1}, outputs={"a": "integer"}),
        WARNING,
        "unknown_output",
    ),
    "low-code key in a coded set": (
        in_folder(coded_set(coded_case(simulateTools=True))),
        WARNING,
        "lowcode_key",
    ),
    "misspelt key": (
        in_folder(coded_set(coded_case(expectedOutputs={}))),
        WARNING,
        "unknown_key",
    ),
    "unknown key": (in_folder(coded_set(coded_case(owner="Ana"))), INFO, "unknown_key"),
    "input that the agent does not take": (
        with_entry(coded_set(coded_case(inputs={"ordr": 1})), {"order": "string"}),
        WARNING,
        "unknown_input",
    ),
    "input that is missing": (
        with_entry(coded_set(coded_case()), {"order": "string"}, required=["order"]),
        WARNING,
        "missing_input",
    ),
    "case of another set": (
        low(lowcode_set(lowcode_case(evalSetId="another"))),
        WARNING,
        "other_set_id",
    ),
    "nothing expected": (
        low(lowcode_set(lowcode_case(expectedOutput={}, expectedAgentBehavior=""))),
        WARNING,
        "nothing_expected",
    ),
    "judge without expected output": (
        low(
            lowcode_set(lowcode_case(expectedOutput={})),
            e=legacy(1, 5, prompt=JUDGE_PROMPT, model="m"),
        ),
        WARNING,
        "judge_expects_nothing",
    ),
    "judge without expected behaviour": (
        low(
            lowcode_set(lowcode_case(expectedAgentBehavior=" ")),
            e=legacy(3, 7, prompt=PATH_PROMPT, model="m"),
        ),
        WARNING,
        "judge_expects_nothing",
    ),
    "equals on a key that nobody has": (
        low(lowcode_set(lowcode_case()), e=legacy(targetOutputKey="result")),
        WARNING,
        "target_not_expected",
    ),
    "inputs not made up": (
        low(lowcode_set(lowcode_case(simulateInput=True))),
        WARNING,
        "input_not_simulated",
    ),
    "no tool to simulate": (
        low(lowcode_set(lowcode_case(simulateTools=True, toolsToSimulate=[]))),
        WARNING,
        "no_tool_simulated",
    ),
    "simulation switched off": (
        low(lowcode_set(lowcode_case(simulateTools=False, toolsToSimulate=[{"name": "find"}]))),
        WARNING,
        "simulation_is_off",
    ),
    "coded key in a low-code set": (
        low(lowcode_set(lowcode_case(mockingStrategy={"type": "llm"}))),
        WARNING,
        "coded_key",
    ),
    "criteria in a low-code set": (
        low(lowcode_set(lowcode_case(evaluationCriterias={"e": {"expectedOutput": {}}}))),
        WARNING,
        "coded_key",
    ),
    "unknown source": (low(lowcode_set(lowcode_case(source="me"))), INFO, "unknown_source"),
    "line flag on a set": (
        low(lowcode_set(lineByLineEvaluation=True)),
        WARNING,
        "line_flag_on_set",
    ),
    "another file name": (low(lowcode_set(fileName="old.json")), INFO, "file_name_differs"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_told(name):
    (value, path, folder), severity, code = TRAPS[name]
    found = [p for p in check(value, path, folder) if p.code == f"uipath.{code}"]
    assert found, codes(check(value, path, folder))
    assert {p.severity for p in found} == {severity}
    assert all(p.message and p.line is not None for p in found)
    assert all(p.hint for p in found) or severity == INFO


QUIET = {
    "default criteria": scored(None, evaluator(defaultEvaluationCriteria={"expectedOutput": "x"})),
    "the case's own expectation": scored(None, PLAIN, expectedOutput={"a": 1}),
    "the case's own expectation beside another key": scored(
        {"note": 1}, PLAIN, expectedOutput={"a": 1}
    ),
    "criteria in snake case": scored({"expected_output": {"a": 1}}, PLAIN),
    "low-code criteria": scored(
        {"expectedOutput": {"a": 1}, "expectedAgentBehavior": ""}, legacy()
    ),
    "custom evaluator": scored({"x": 1}, {**PLAIN, "evaluatorSchema": "file://a.py:A"}),
    "some calls": scored({"toolCallsCount": {"find": ["=", 0], "book": [">", 0]}}),
    "args": called({"name": "find", "args": {"q": 1}}),
    "number as text where the output is text": expecting(
        {"a": "8"}, target="a", outputs={"a": "string"}
    ),
    "number": expecting({"a": 8}, target="a"),
    "number outside of the target": expecting({"a": 1, "id": "8"}, target="a"),
    "text": expecting("eight"),
    "JSON text for a key": expecting('{"a": 1}', target="a"),
    "whole output": expecting({"a": 1}, outputs={"a": "integer"}),
    "Flow ref by file name": in_folder(
        coded_set(
            coded_case(evaluationCriterias={"check.json": None}),
            selectedEntrypoint="main",
            evaluatorRefs=["check.json"],
        ),
        check=evaluator(evaluator_id="uuid"),
    ),
    "API workflow ref by base name": in_folder(
        {
            "schemaVersion": 1,
            "version": "2",
            "id": "s",
            "name": "S",
            "evaluatorRefs": ["check"],
            "evaluations": [{"id": "a", "name": "A", "expectedOutput": [1]}],
        },
        check=evaluator(evaluator_id="uuid"),
    ),
    "made-up inputs": with_entry(
        coded_set(
            coded_case(inputMockingStrategy={"prompt": "p"}, evaluationCriterias={"e": None}),
            evaluatorRefs=["e"],
        ),
        {"order": "string"},
        required=["order"],
    ),
    "kept extras": in_folder(
        coded_set(
            coded_case(description="d", tags=["a"], evaluationCriterias={"e": None}),
            evaluatorRefs=["e"],
            description="d",
        )
    ),
    "low-code": low(lowcode_set(lowcode_case(source="manual")), e=legacy()),
    "low-code criteria that ask for nothing else": low(
        lowcode_set(lowcode_case(evaluationCriterias={"e": None})), e=legacy()
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_means_what_it_says_is_left_alone(name):
    value, path, folder = QUIET[name]
    assert codes(check(value, path, folder)) == []


def test_an_unknown_ref_suggests_the_id_that_was_meant():
    folder = Folder({"../evaluators/exact.json": evaluator(evaluator_id="exact-answer")})
    for written in ("exact", "exact.json", "EXACT-ANSWER", "Check", "exact-anser"):
        problems = check(coded_set(evaluatorRefs=[written]), CODED_PATH, folder)
        found = next(p for p in problems if p.code == "uipath.unknown_evaluator")
        assert "“exact-answer”" in found.hint, written


def test_problems_name_the_case_and_point_into_it():
    value, folder = scored_set({"toolCalls": [{"name": "find", "args": {}}]})
    found = next(p for p in check(value, CODED_PATH, folder) if p.code == "uipath.any_arguments")
    assert found.message.startswith("Case “Case c1”: ")
    assert found.pointer == "/evaluations/0/evaluationCriterias/e/toolCalls/0/args"
