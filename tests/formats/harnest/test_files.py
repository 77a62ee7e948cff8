"""Which files are Harnest's, what runs otherwise than written, and the criteria as evaluators."""

from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.formats.base import Kind
from tests.formats.adk.helpers import (
    Nearby,
    beside,
    calls,
    case,
    config,
    eval_set,
    found,
    rubric,
    turn,
)

SET = PurePath("agent/evals/s.evalset.json")
CONFIG = PurePath("agent/evals/test_config.json")
TURN = "/eval_cases/0/conversation/0"
LEGACY = [{"name": "n", "data": [{"query": "q", "reference": "r"}]}]
ENVELOPE = {"kind": "EvalRunResult", "evalSetResults": []}


@pytest.mark.parametrize(
    ("path", "value", "kind", "variant"),
    [
        (SET, eval_set(), Kind.EVAL_SET, ""),
        (SET, {"eval_set_id": "s", "eval_cases": []}, Kind.EVAL_SET, ""),
        (SET, {}, Kind.EVAL_SET, "odd"),
        (SET, LEGACY, Kind.EVAL_SET, "legacy_sets"),
        (PurePath("evals/_s.evalset.json"), eval_set(), Kind.EVAL_SET, ""),
        (CONFIG, config(safety_v1=1), Kind.CRITERIA, ""),
        (CONFIG, {}, Kind.CRITERIA, ""),
        (PurePath("evals/_test_config.json"), config(safety_v1=1), Kind.CRITERIA, ""),
        (PurePath("anywhere/run.json"), ENVELOPE, Kind.RESULT, ""),
    ],
)
def test_harnest_alone_is_sure_of_its_own_files(path, value, kind, variant):
    detection = formats.detect(value, path)
    assert detection is not None
    assert (detection.format_id, detection.confidence) == ("harnest", "sure")
    assert (detection.kind, detection.variant) == (kind, variant)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (PurePath("agent/s.evalset.json"), eval_set()),
        (PurePath("agent/evals/deep/s.evalset.json"), eval_set()),
        (PurePath("agent/evals/s.test.json"), eval_set()),
        (PurePath("agent/evals/s.json"), eval_set()),
        (PurePath("agent/test_config.json"), config(safety_v1=1)),
        (PurePath("agent/evals/eval_config.json"), config(safety_v1=1)),
    ],
)
def test_the_same_schema_elsewhere_is_adks(path, value):
    detection = formats.detect(value, path)
    assert detection is not None
    assert (detection.format_id, detection.confidence) == ("adk", "sure")
    assert formats.by_id("harnest").detect(value, path) is None


def test_another_systems_set_in_the_folder_is_not_claimed():
    value = {"eval_cases": [{"conversation": [{"user_content": {"content": "Hi"}}]}]}
    assert formats.by_id("harnest").detect(value, SET) is None


@pytest.mark.parametrize("value", [[], None, {"database": "x"}])
def test_whatever_is_called_test_config_in_the_folder_may_be_its_config(value):
    detection = formats.detect(value, CONFIG)
    assert detection is not None
    assert (detection.format_id, detection.kind, detection.confidence) == (
        "harnest",
        Kind.CRITERIA,
        "maybe",
    )


def test_another_systems_config_in_the_folder_is_not_claimed():
    assert formats.by_id("harnest").detect(config(trajectory={"threshold": 1}), CONFIG) is None


def test_old_lists_are_read_only_and_keep_the_formats_name():
    harnest = formats.by_id("harnest")
    lens = harnest.lens_for(formats.detect(LEGACY, SET))
    assert lens.read_only and lens.read(LEGACY).format_id == "harnest"
    assert harnest.eval_sets.read(eval_set()).format_id == "harnest"


LINTS = {
    "that no tool is called": (
        eval_set(case("c", turn(intermediateData={"toolUses": []}))),
        SET,
        beside(tool_trajectory_avg_score=1.0),
        "info",
        "no_call_not_enforced",
        f"{TURN}/intermediateData/toolUses",
    ),
    "the scaffold's tool": (
        eval_set(
            case("c", turn(intermediate_data=calls({"name": "replace_with_your_tool", "args": {}})))
        ),
        SET,
        None,
        "warning",
        "placeholder_tool",
        f"{TURN}/intermediate_data/tool_uses/0/name",
    ),
    "untyped rubric": (
        eval_set(case(rubrics=[rubric("r", None)])),
        SET,
        None,
        "warning",
        "rubric_without_type",
        "/eval_cases/0/rubrics/0",
    ),
    "no reply": (
        eval_set(case("c", turn(reply=None))),
        SET,
        None,
        "warning",
        "no_expected_reply",
        TURN,
    ),
    "any order": (
        config(tool_trajectory_avg_score={"threshold": 1, "matchType": "ANY_ORDER"}),
        CONFIG,
        None,
        "warning",
        "match_type_ignored",
        "/criteria/tool_trajectory_avg_score/matchType",
    ),
    "exact": (
        config(tool_trajectory_avg_score={"threshold": 1, "match_type": 0}),
        CONFIG,
        None,
        "warning",
        "match_type_ignored",
        "/criteria/tool_trajectory_avg_score/match_type",
    ),
    "no match type at all": (
        config(tool_trajectory_avg_score={"threshold": 1, "matchType": "BOGUS"}),
        CONFIG,
        None,
        "info",
        "match_type_ignored",
        "/criteria/tool_trajectory_avg_score/matchType",
    ),
    "arguments not compared": (
        config(tool_trajectory_avg_score={"threshold": 1, "ignoreArgs": True}),
        CONFIG,
        None,
        "warning",
        "option_dropped",
        "/criteria/tool_trajectory_avg_score/ignoreArgs",
    ),
    "live": (
        config(safety_v1=1) | {"liveModelConfig": {"timeoutSeconds": 5}},
        CONFIG,
        None,
        "info",
        "live_settings",
        "/liveModelConfig",
    ),
    "mistyped criteria": (
        {"critera": {"safety_v1": 1}},
        CONFIG,
        None,
        "warning",
        "unknown_key",
        "/critera",
    ),
}


@pytest.mark.parametrize("name", LINTS)
def test_what_runs_otherwise_than_written_is_reported(name):
    value, path, near, severity, code, pointer = LINTS[name]
    assert (severity, f"harnest.{code}", pointer) in found(value, path, near)


def test_a_bogus_match_type_does_not_fail_the_metric_here():
    value = config(tool_trajectory_avg_score={"threshold": 1, "matchType": "BOGUS"})
    assert "harnest.criterion_fails" not in {c for _, c, _ in found(value, CONFIG)}


def test_the_default_order_is_not_worth_a_word():
    value = config(tool_trajectory_avg_score={"threshold": 1, "matchType": "IN_ORDER"})
    assert found(value, CONFIG) == []


@pytest.mark.parametrize("code", ["case_id_with_slash", "config_by_path_only", "set_id_differs"])
def test_traps_of_adks_own_tools_are_not_harnests(code):
    value = eval_set(case("a/b:c"))
    near = beside(response_match_score=1)
    assert f"harnest.{code}" not in {c for _, c, _ in found(value, SET, near)}


def test_criteria_are_read_as_the_default_policy_runs_them():
    harnest = formats.by_id("harnest")
    value = config(
        tool_trajectory_avg_score={"threshold": 1, "matchType": "ANY_ORDER"},
        final_response_match_v2=0.8,
    )
    calls_, reply = harnest.read_evaluators(value, harnest.detect(value, CONFIG))
    assert (calls_.match_mode, calls_.judge) == ("IN_ORDER", None)
    assert (reply.is_judged, reply.judge) == (True, "the project's model")


def test_the_folders_config_applies_to_its_sets():
    harnest = formats.by_id("harnest")
    assert harnest.evaluator_files(SET, Nearby({"test_config.json": {}})) == ("test_config.json",)
    assert harnest.evaluator_files(SET, Nearby()) == ()
