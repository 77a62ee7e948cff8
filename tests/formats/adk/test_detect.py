"""Which files are ADK's."""

from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.formats.base import Kind
from tests.formats.adk.helpers import case, config, eval_set, turn

ROW = {"query": "Hi", "expected_tool_use": [], "reference": "Hello"}
RESULT = {"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": []}
TENX = {
    "eval_set_id": "s",
    "eval_cases": [
        {
            "eval_id": "c",
            "conversation": [
                {
                    "user_content": {"role": "user", "content": "Hi"},
                    "expected_final_response": {"role": "assistant", "content": "Hello"},
                }
            ],
        }
    ],
}


@pytest.mark.parametrize(
    ("name", "value", "kind", "variant"),
    [
        ("x.evalset.json", eval_set(), Kind.EVAL_SET, ""),
        ("anything.json", eval_set(), Kind.EVAL_SET, ""),
        ("roll.test.json", eval_set(), Kind.EVAL_SET, ""),
        ("x.json", eval_set(creation_timestamp=1.5) | {"eval_cases": []}, Kind.EVAL_SET, ""),
        ("x.json", {"evalSetId": "s", "evalCases": [case()]}, Kind.EVAL_SET, ""),
        ("x.json", {"eval_cases": [{"evalId": "c", "conversation": []}]}, Kind.EVAL_SET, ""),
        ("x.json", {"eval_cases": [case("c", tags=[], metadata={})]}, Kind.EVAL_SET, ""),
        ("x.evalset.json", [{"name": "n", "data": [ROW]}], Kind.EVAL_SET, "legacy_sets"),
        ("x.test.json", [ROW], Kind.EVAL_SET, "legacy_rows"),
        ("test_config.json", config(response_match_score=0.8), Kind.CRITERIA, ""),
        ("eval_config.json", config(safety_v1=0.8), Kind.CRITERIA, ""),
        ("my.json", config(hallucinations_v1={"threshold": 1}), Kind.CRITERIA, ""),
        ("my.json", {"criteria": {"mine": 1}, "customMetrics": {}}, Kind.CRITERIA, ""),
        ("x.json", RESULT, Kind.RESULT, ""),
        ("x.json", {"evalSetResultId": "r", "evalCaseResults": []}, Kind.RESULT, ""),
        ("x.json", '{"eval_case_results": []}', Kind.RESULT, "double_encoded"),
    ],
)
def test_adk_is_sure_of_its_own_files(name, value, kind, variant):
    detection = formats.detect(value, PurePath("agent", name))
    assert detection is not None
    assert (detection.format_id, detection.confidence) == ("adk", "sure")
    assert (detection.kind, detection.variant) == (kind, variant)


@pytest.mark.parametrize(
    ("name", "value", "kind"),
    [
        ("x.evalset.json", {}, Kind.EVAL_SET),
        ("x.evalset.json", [], Kind.EVAL_SET),
        ("x.evalset.json", None, Kind.EVAL_SET),
        ("x.evalset.json", {"test_cases": []}, Kind.EVAL_SET),
        ("x.evalset.json", {"eval_set_id": "s", "eval_cases": []}, Kind.EVAL_SET),
        ("test_config.json", {}, Kind.CRITERIA),
        ("test_config.json", {"critera": {"response_match_score": 1}}, Kind.CRITERIA),
        ("x.evalset_result.json", {"a": 1}, Kind.RESULT),
        ("eval/x.json", [{"query": "Hi"}, {"query": "And?"}], Kind.EVAL_SET),
    ],
)
def test_a_name_or_an_empty_set_is_only_a_maybe(name, value, kind):
    detection = formats.by_id("adk").detect(value, PurePath("agent", name))
    assert detection is not None
    assert (detection.kind, detection.confidence) == (kind, "maybe")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("x.evalset.json", TENX),
        ("x.evalset.json", {"eval_set_id": "s", "eval_cases": [], "metadata": {}}),
        ("x.evalset.json", {"eval_cases": [{"eval_id": "c", "tags": [], "metadata": {}}]}),
        ("eval_config.json", config(trajectory={"threshold": 1.0})),
        ("eval_config.json", {"criteria": {"rouge_match": None}, "reporter": {}}),
        ("test_config.json", {"database": "x", "port": 5}),
        ("x.json", {"a": 1}),
        ("x.json", [1, 2]),
        ("package.test.json", {}),
        ("x.json", "eval_case_results"),
        ("x.json", [{"query": "{ me { name } }", "variables": {}}]),
        ("x.json", [{"query": {"match": {}}}]),
        ("x.json", [{"query": "a", "answer": "b"}]),
        ("x.json", [{"name": "x", "data": [1, 2]}]),
    ],
)
def test_adk_leaves_other_files_alone(name, value):
    assert formats.by_id("adk").detect(value, PurePath("agent", name)) is None


def test_turns_decide_when_a_case_has_labels_of_both_systems():
    mixed = eval_set(case("c", turn(), tags=["a"], metadata={"k": 1}), metadata={})
    detection = formats.detect(mixed, PurePath("x.evalset.json"))
    assert detection is not None and detection.format_id == "adk"
