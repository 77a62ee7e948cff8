"""UiPath's own verdict on a file, loads or not, and a message that says why."""

import base64
import json
from pathlib import Path

import pytest

from evalcore.errors import DocumentError
from tests.formats.uipath.data import (
    CODED_EVALUATOR,
    CODED_PATH,
    JUDGE_PROMPT,
    LOWCODE_EVALUATOR,
    LOWCODE_PATH,
    PATH_PROMPT,
    Folder,
    check,
    coded_case,
    coded_set,
    codes,
    errors,
    evaluator,
    legacy,
    lowcode_case,
    lowcode_set,
)
from tests.samples import ROOT

VECTORS = ROOT.parent / "shared" / "vectors" / "uipath.json"


def without(value, *names):
    return {k: v for k, v in value.items() if k not in names}


def mocked(strategy):
    return coded_set(coded_case(mockingStrategy=strategy))


SETS = {
    "good": (coded_set(coded_case()), None, ""),
    "version as number": (coded_set(version=1.0), "wrong_version", "“1.0”"),
    "version 2": (coded_set(version="2.0"), "wrong_version", "“2.0”"),
    "version of words": (coded_set(version="new"), "wrong_version", "“new”"),
    "version true": (coded_set(version=True), "wrong_version", "true"),
    "version null": (coded_set(coded_case(), version=None), "no_version", "version is null"),
    "version too low": (coded_set(coded_case(), version="0.9"), "no_version", "“0.9”"),
    "no version": (without(coded_set(coded_case()), "version"), "no_version", "has no version"),
    "no name": (without(coded_set(), "name"), "missing", "“name”"),
    "id of digits": (coded_set(id=7), "wrong_type", "the number 7"),
    "refs null": (coded_set(evaluatorRefs=None), "wrong_type", "(“evaluatorRefs”) must be a list"),
    "refs as text": (
        coded_set(evaluatorRefs="e"),
        "wrong_type",
        "(“evaluatorRefs”) must be a list",
    ),
    "ref of digits": (
        coded_set(evaluatorRefs=[3]),
        "wrong_type",
        "Item 1 of the evaluator refs (“evaluatorRefs”)",
    ),
    "cases null": ({**coded_set(), "evaluations": None}, "wrong_type", "“evaluations”"),
    "no cases": (without(coded_set(), "evaluations"), None, ""),
    "case without criteria": (
        coded_set(without(coded_case(), "evaluationCriterias")),
        "missing",
        "Case “Case c1”: it has no evaluation criterias (“evaluationCriterias”)",
    ),
    "criteria null": (coded_set(coded_case(evaluationCriterias=None)), "wrong_type", "is null"),
    "criteria of text": (
        coded_set(coded_case(evaluationCriterias={"e": "x"})),
        "wrong_type",
        "Case “Case c1”: “e” must be an object",
    ),
    "criteria null for one": (coded_set(coded_case(evaluationCriterias={"e": None})), None, ""),
    "case is a text": (coded_set("x"), "wrong_type", "Item 1 of “evaluations”"),
    "case id of digits": (coded_set(coded_case(id=3)), "wrong_type", "the number 3"),
    "inputs as list": (coded_set(coded_case(inputs=[1])), "wrong_type", "“inputs”"),
    "no inputs": (coded_set(without(coded_case(), "inputs")), "missing", "“inputs”"),
    "expected text": (coded_set(coded_case(expectedOutput="x")), None, ""),
    "expected number": (coded_set(coded_case(expectedOutput=3)), "wrong_type", "an object or text"),
    "mock without type": (mocked({}), "missing", "“type”"),
    "mock null": (mocked(None), None, ""),
    "mock of unknown type": (mocked({"type": "static"}), None, ""),
    "faulty mock": (mocked({"type": "llm"}), None, ""),
    "input mock without prompt": (
        coded_set(coded_case(inputMockingStrategy={})),
        "missing",
        "“prompt”",
    ),
    "memory threshold as number": (
        coded_set(agentMemorySettings=[{"id": "a", "threshold": 0.5}]),
        "wrong_type",
        "“threshold” must be text",
    ),
    "memory switched on": (coded_set(agentMemorySettings=[{"id": "a"}]), None, ""),
    "model without name": (coded_set(modelSettings=[{"id": "a"}]), "missing", "“modelName”"),
    "weights": (coded_set(evaluatorConfigs=["a", {"ref": "b", "weight": 2}]), None, ""),
    "negative weight": (
        coded_set(evaluatorConfigs=[{"ref": "b", "weight": -1}]),
        "wrong_type",
        "“weight” must be a number of at least 0",
    ),
    "config without ref": (coded_set(evaluatorConfigs=[{"weight": 1}]), "missing", "“ref”"),
    "snake case": (
        {
            "version": "1.0",
            "id": "s",
            "name": "S",
            "evaluator_refs": ["e"],
            "evaluations": [
                {"id": "a", "name": "A", "inputs": {}, "evaluation_criterias": {"e": None}}
            ],
        },
        None,
        "",
    ),
    "unknown keys": (coded_set(coded_case(owner="Ana"), team="x"), None, ""),
    "a list": ([1], "not_an_object", "a list with 1 item"),
    "null": (None, "not_an_object", "null"),
    "BOM": (b"\xef\xbb\xbf" + json.dumps(coded_set()).encode(), "byte_order_mark", "byte order"),
    "CRLF": (json.dumps(coded_set(), indent=1).replace("\n", "\r\n").encode(), None, ""),
    "NaN": (json.dumps(coded_set(coded_case(inputs={"x": float("nan")}))).encode(), None, ""),
    "doubled key": (
        b'{"version":"1.0","id":"a","id":"b","name":"S","evaluatorRefs":[],"evaluations":[]}',
        None,
        "",
    ),
    "half a pair": (json.dumps(coded_set(coded_case(inputs={"x": "\ud800"}))).encode(), None, ""),
    "low-code": (lowcode_set(lowcode_case()), None, ""),
    "low-code without file name": (without(lowcode_set(), "fileName"), "missing", "“fileName”"),
    "low-code without times": (without(lowcode_set(), "createdAt"), "missing", "“createdAt”"),
    "low-code case of no set": (
        lowcode_set(without(lowcode_case(), "evalSetId")),
        "missing",
        "Case “late refund”: it has no set id (“evalSetId”)",
    ),
    "low-code expected text": (
        lowcode_set(lowcode_case(expectedOutput="refund")),
        "wrong_type",
        "(“expectedOutput”) must be an object",
    ),
    "low-code batch as text": (lowcode_set(batchSize="10"), None, ""),
    "low-code batch of words": (lowcode_set(batchSize="ten"), "wrong_type", "a whole number"),
    "low-code tools null": (
        lowcode_set(lowcode_case(toolsToSimulate=None)),
        "wrong_type",
        "(“toolsToSimulate”) must be a list",
    ),
    "conversation": (
        lowcode_set(
            lowcode_case(
                conversationalInputs={
                    "conversationHistory": [[{"role": "user", "text": "hi"}]],
                    "currentUserPrompt": {"role": "user", "text": "and now?"},
                }
            )
        ),
        None,
        "",
    ),
    "conversation without prompt": (
        lowcode_set(lowcode_case(conversationalInputs={"conversationHistory": []})),
        "missing",
        "“currentUserPrompt”",
    ),
}


@pytest.mark.parametrize("name", SETS)
def test_an_eval_set_is_refused_where_uipath_refuses_it(name):
    value, code, words = SETS[name]
    lowcode = (isinstance(value, dict) and "fileName" in value) or name.startswith("low-code")
    problems = check(value, LOWCODE_PATH if lowcode else CODED_PATH, Folder())
    assert errors(problems) == ([] if code is None else [code])
    if code is not None:
        found = next(p for p in problems if p.severity == "error")
        assert words in found.message
        assert found.hint and found.line is not None


EVALUATORS = {
    "good": (evaluator(), None, ""),
    "version as number": ({**evaluator(), "version": 1.0}, "wrong_version", "the number 1.0"),
    "no version": (without(evaluator(), "version"), "wrong_version", "missing"),
    "short type": ({**evaluator(), "evaluatorTypeId": "contains"}, "unknown_type", "“contains”"),
    "listed but unloadable": (
        evaluator("llm-judge-output"),
        "unknown_type",
        "uipath-llm-judge-output",
    ),
    "no type": (without(evaluator(), "evaluatorTypeId"), "missing", "“evaluatorTypeId”"),
    "no settings": (without(evaluator(), "evaluatorConfig"), "missing", "“evaluatorConfig”"),
    "settings null": ({**evaluator(), "evaluatorConfig": None}, "wrong_type", "is null"),
    "no id": (without(evaluator(), "id"), "missing", "“id”"),
    "id of digits": (evaluator(evaluator_id=4), "wrong_type", "the number 4"),
    "name on top": ({**evaluator(name=None), "name": "Top"}, None, ""),
    "unknown setting": (evaluator(colour="red"), None, ""),
    "target as number": (evaluator(targetOutputKey=3), "wrong_type", "text or a list"),
    "targets": (evaluator(targetOutputKey=["a", "b"]), None, ""),
    "aggregators": (
        evaluator(classes=["a", "b"], aggregators=[{"type": "recall", "averaging": "micro"}]),
        None,
        "",
    ),
    "aggregators without classes": (
        evaluator(aggregators=[{"type": "recall", "averaging": "micro"}]),
        "aggregators_without_classes",
        "“classes”",
    ),
    "aggregator of unknown type": (
        evaluator(classes=["a"], aggregators=[{"type": "accuracy"}]),
        "unknown_type",
        "“accuracy”",
    ),
    "aggregator of no averaging": (
        evaluator(classes=["a"], aggregators=[{"type": "recall"}]),
        "missing",
        "“averaging”",
    ),
    "aggregators with case": (
        evaluator(caseSensitive=True, classes=["a"], aggregators=[{"type": "confusion_matrix"}]),
        "aggregators_conflict",
        "“caseSensitive”",
    ),
    "aggregators negated": (
        evaluator(negated=True, classes=["a"], aggregators=[{"type": "confusion_matrix"}]),
        "aggregators_conflict",
        "“negated”",
    ),
    "aggregators by lines": (
        evaluator(
            lineByLineEvaluator=True,
            targetOutputKey="a",
            classes=["a"],
            aggregators=[{"type": "confusion_matrix"}],
        ),
        "aggregators_conflict",
        "“lineByLineEvaluator”",
    ),
    "classes alike": (
        evaluator(classes=["a", "A"], aggregators=[{"type": "confusion_matrix"}]),
        "classes_not_distinct",
        "differ",
    ),
    "beta of nothing": (
        evaluator(
            classes=["a"], aggregators=[{"type": "fscore", "averaging": "macro", "fValue": 0}]
        ),
        "f_value_out_of_range",
        "“fValue”",
    ),
    "binary": (evaluator("binary-classification", positiveClass="yes"), None, ""),
    "binary without class": (evaluator("binary-classification"), "missing", "“positiveClass”"),
    "binary with a misspelt metric": (
        evaluator("binary-classification", positiveClass="yes", metricType="fscore"),
        "wrong_type",
        "“f-score”",
    ),
    "multiclass without classes": (evaluator("multiclass-classification"), "missing", "“classes”"),
    "default criteria": (
        evaluator("tool-call-order", defaultEvaluationCriteria={"toolCallsOrder": ["find"]}),
        None,
        "",
    ),
    "faulty default criteria": (
        evaluator("tool-call-count", defaultEvaluationCriteria={"toolCallsCount": {"find": 1}}),
        "wrong_type",
        "“find” must be a list of two",
    ),
    "schema null": ({**evaluator(), "evaluatorSchema": None}, "wrong_type", "“evaluatorSchema”"),
    "schema of the web": ({**evaluator(), "evaluatorSchema": "https://x"}, None, ""),
    "custom without class": (
        {**evaluator(), "evaluatorSchema": "file://mine.py"},
        "no_class",
        "names no class",
    ),
    "custom without file": (
        {**evaluator(), "evaluatorSchema": "file://mine.py:Mine"},
        "no_class_file",
        "“mine.py”",
    ),
    "a list": ([1], "not_an_object", "a list with 1 item"),
    "equals": (legacy(), None, ""),
    "JSON similarity": (legacy(0, 6), None, ""),
    "columns": (legacy(0, 10, targetSubOutputKey="name,age"), None, ""),
    "columns without names": (legacy(0, 10), "missing", "“targetSubOutputKey”"),
    "columns of blanks": (
        legacy(0, 10, targetSubOutputKey=" , "),
        "no_columns",
        "No column to compare",
    ),
    "contains": (legacy(0, 2), "unknown_type", "type 2 (Contains)"),
    "agent scorer": (legacy(2, 5), "unknown_type", "category 2 (Agent scorer)"),
    "type out of range": (legacy(1, 99, prompt="x"), "unknown_type", "the number 99"),
    "type as text": (legacy(0, "1"), "unknown_type", "the text “1”"),
    "no type at all": (without(legacy(), "type"), "missing", "“type”"),
    "judge": (legacy(1, 5, prompt=JUDGE_PROMPT, model="m"), None, ""),
    "judge of another type": (legacy(1, 9, prompt=JUDGE_PROMPT, model="m"), None, ""),
    "judge without prompt": (legacy(1, 5, model="m"), "missing", "“prompt”"),
    "judge on the agent's model": (
        legacy(1, 5, prompt=JUDGE_PROMPT),
        "no_agent_model",
        "agent.json",
    ),
    "trajectory": (legacy(3, 7, prompt=PATH_PROMPT, model="m"), None, ""),
    "trajectory without placeholder": (
        legacy(3, 7, prompt="{{AgentRunHistory}} {{ExpectedBehavior}}", model="m"),
        "placeholder_missing",
        "{{ExpectedAgentBehavior}}",
    ),
    "no times": (without(legacy(), "updatedAt"), "missing", "“updatedAt”"),
    "description null": (legacy(description=None), "wrong_type", "“description”"),
    "nameless": (without(legacy(), "name", "fileName"), None, ""),
}


@pytest.mark.parametrize("name", EVALUATORS)
def test_an_evaluator_is_refused_where_uipath_refuses_it(name):
    value, code, words = EVALUATORS[name]
    coded = isinstance(value, list) or "evaluatorConfig" in value or "evaluatorTypeId" in value
    problems = check(value, CODED_EVALUATOR if coded else LOWCODE_EVALUATOR, Folder())
    assert errors(problems) == ([] if code is None else [code])
    if code is not None:
        found = next(p for p in problems if p.severity == "error")
        assert words in found.message
        assert found.hint


def test_a_custom_evaluator_is_found_in_its_folders():
    value = {**evaluator(), "evaluatorSchema": "file://mine.py:Mine"}
    for place in ("mine.py", "custom/mine.py"):
        assert errors(check(value, CODED_EVALUATOR, Folder({place: MISSING_TEXT}))) == []


MISSING_TEXT = "class Mine: ..."


def test_what_lies_around_a_lone_file_is_not_held_against_it():
    custom = {**evaluator(), "evaluatorSchema": "file://mine.py:Mine"}
    assert errors(check(custom, CODED_EVALUATOR)) == []
    assert errors(check(legacy(1, 5, prompt=JUDGE_PROMPT), LOWCODE_EVALUATOR)) == []
    assert errors(check(coded_set(evaluatorRefs=["e"]), CODED_PATH)) == []


def test_a_judge_takes_the_model_of_the_agent_beside_it():
    agent = Folder({"../../agent.json": {"settings": {"model": "gpt-4.1"}}})
    assert errors(check(legacy(1, 5, prompt=JUDGE_PROMPT), LOWCODE_EVALUATOR, agent)) == []


def test_a_short_type_suggests_the_whole_one():
    for short, whole in (("contains", "uipath-contains"), ("exact-match", "uipath-exact-match")):
        value = {**evaluator(), "evaluatorTypeId": short}
        assert f"“{whole}”" in check(value, CODED_EVALUATOR)[0].hint


def test_how_a_file_is_written_is_told_in_uipaths_terms():
    raw = (
        b'{"version":"1.0","id":"a","id":"b","name":"\\ud800","evaluatorRefs":[],'
        b'"evaluations":[{"id":"c","name":"C","evaluationCriterias":{},'
        b'"inputs":{"x":NaN,"y":1e999,"z":12345678901234567890}}]}'
    )
    found = {p.code: p.severity for p in check(raw, CODED_PATH)}
    assert found["uipath.duplicate_key"] == "warning"
    assert found["uipath.not_a_number"] == "warning"
    assert found["uipath.infinite_number"] == "warning"
    assert found["uipath.half_a_character"] == "warning"
    assert found["uipath.big_integer"] == "info"
    assert not any(code.startswith("json.") for code in found)


def vectors(section):
    if not VECTORS.is_file():
        return [pytest.param(None, marks=pytest.mark.skip(reason="no ../shared/vectors here"))]
    found = json.loads(VECTORS.read_text())[section]
    # One entry has no content: it is about a file that does not exist.
    return [pytest.param(v, id=v["id"]) for v in found if {"file", "raw_base64"} & set(v)]


def data_of(vector) -> bytes:
    if "raw_base64" in vector:
        return base64.b64decode(vector["raw_base64"])
    return json.dumps(vector["file"]).encode()


@pytest.mark.parametrize("folder", ["evaluations", "evals"])
@pytest.mark.parametrize("vector", vectors("malformed_eval_sets"))
def test_the_verdict_on_an_eval_set_is_that_of_the_real_loader(vector, folder):
    try:
        problems = check(data_of(vector), Path(folder, "eval-sets", "x.json"), Folder())
    except DocumentError as error:
        assert not vector["ok"]
        assert error.hint
        return
    assert (errors(problems) == []) is vector["ok"], codes(problems)


@pytest.mark.parametrize("folder", ["evaluations", "evals"])
@pytest.mark.parametrize("vector", vectors("malformed_evaluators"))
def test_the_verdict_on_an_evaluator_is_that_of_the_real_loader(vector, folder):
    problems = check(data_of(vector), Path(folder, "evaluators", "x.json"), Folder())
    assert (errors(problems) == []) is vector["ok"], codes(problems)
