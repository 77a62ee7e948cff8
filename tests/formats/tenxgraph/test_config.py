"""10xGraph configs: what they hide, and the evaluators in them."""

import json
from pathlib import Path

import pytest

from evalcore.errors import FormatError
from evalcore.formats.base import Detection, Kind
from evalcore.formats.tenxgraph import FORMAT
from evalcore.formats.tenxgraph.names import BY_KEY, CRITERIA, named
from tests.formats.tenxgraph.data import codes, problems

CONFIG = Detection("tenxgraph", Kind.CRITERIA, "sure", "the test says so")


def config(**criteria) -> dict:
    return {"criteria": criteria}


def traps(value) -> set[tuple[str, str, str]]:
    return codes(value, Kind.CRITERIA)


def test_a_config_that_does_what_it_says_has_no_problems():
    assert (
        traps(config(tool_name_match={"threshold": 1.0}, rouge_match={"threshold": 0.5})) == set()
    )


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, ("warning", "no_criteria", "")),
        (config(rouge_match=None), ("warning", "no_criteria", "/criteria")),
        (config(rouge_match={"enabled": False}), ("warning", "no_criteria", "/criteria")),
        (
            config(rouge_match={"enabled": False}),
            ("info", "criterion_off", "/criteria/rouge_match/enabled"),
        ),
        (
            config(rouge_match={"enabled": "no"}),
            ("info", "criterion_off", "/criteria/rouge_match/enabled"),
        ),
        (
            config(safety={"threshold": 80}),
            ("warning", "threshold_out_of_range", "/criteria/safety/threshold"),
        ),
        (
            config(safety={"threshold": -1}),
            ("warning", "threshold_out_of_range", "/criteria/safety/threshold"),
        ),
        (
            config(safety={"threshold": float("nan")}),
            ("warning", "threshold_out_of_range", "/criteria/safety/threshold"),
        ),
        (config(trajectory={}), ("info", "threshold_default", "/criteria/trajectory")),
        (config(rouge_match={}), ("info", "threshold_default", "/criteria/rouge_match")),
        (
            config(safety={"num_samples": 0}),
            ("warning", "no_samples", "/criteria/safety/num_samples"),
        ),
        (
            config(safety={"judge_model": "claude-opus"}),
            ("warning", "judge_never_asked", "/criteria/safety/judge_model"),
        ),
        (config(contains_keywords={}), ("warning", "no_keywords", "/criteria/contains_keywords")),
        (config(rubric_based={}), ("warning", "no_rubrics", "/criteria/rubric_based")),
        (
            config(rubric_based={"rubrics": [{"rubric_id": "a", "content": "b", "weight": 2}]}),
            ("warning", "weight_not_used", "/criteria/rubric_based/rubrics/0/weight"),
        ),
        (
            config(trajectory={"threshold": 1}),
            ("info", "extra_calls_are_free", "/criteria/trajectory"),
        ),
        (
            config(trajectory={"check_args": True}),
            ("info", "empty_args_match_anything", "/criteria/trajectory/check_args"),
        ),
        (
            config(rouge_match={"keywords": ["a"]}),
            ("info", "setting_not_read", "/criteria/rouge_match/keywords"),
        ),
        (
            config(response_match={}, llm_judge={}),
            ("info", "same_question_twice", "/criteria/llm_judge"),
        ),
        (
            config(simulation_goals={}),
            ("info", "goals_without_simulation", "/criteria/simulation_goals"),
        ),
        ({"timeout": 5}, ("warning", "setting_not_enforced", "/timeout")),
        ({"parallel": True}, ("warning", "setting_not_enforced", "/parallel")),
        ({"mock_mode": True}, ("warning", "setting_not_enforced", "/mock_mode")),
        ({"max_concurency": 2}, ("warning", "unknown_key", "/max_concurency")),
        (config(safety={"model": "x"}), ("warning", "unknown_key", "/criteria/safety/model")),
    ],
)
def test_a_trap_is_reported_where_it_is(value, expected):
    assert expected in traps(value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (config(trajectory={"match_type": "IN_ORDER"}), "extra_calls_are_free"),
        (config(simulation_goals={"num_samples": 0}), "no_samples"),
        (config(rouge_match={"keywords": [], "match_type": "EXACT"}), "setting_not_read"),
        (config(rouge_match={"threshold": 1}), "threshold"),
        (config(rouge_match={"threshold": 0}), "threshold"),
        ({"timeout": 300.0, "parallel": False, "max_concurrency": 4}, "setting_not_enforced"),
    ],
)
def test_what_is_no_trap_is_not_reported(value, code):
    assert [c for _, c, _ in traps(value) if code in c] == []


def test_a_threshold_in_percent_gets_its_share_as_the_hint():
    value = config(safety={"threshold": 80})
    (found,) = [p for p in problems(value, Kind.CRITERIA) if p.severity == "warning"]
    assert found.hint == "Did you mean 0.8?"


def test_a_threshold_in_a_project_file_has_no_effect():
    found = codes({"agent": "a:b", "evaluation": {"threshold": 0.9}}, Kind.PROJECT)
    assert ("info", "threshold_without_effect", "/evaluation/threshold") in found


def evaluators(value):
    return FORMAT.read_evaluators(value, CONFIG)


def test_each_criterion_is_read_with_the_name_that_results_use():
    read = evaluators({"criteria": {c.key: {} for c in reversed(CRITERIA)}})
    assert [(e.native_type, e.ref) for e in read] == [(c.key, c.result) for c in CRITERIA]
    assert [e.native_type for e in read if e.is_judged] == [c.key for c in CRITERIA if c.judged]
    assert all(e.threshold == 0.8 for e in read)
    assert all(e.name and e.description for e in read)


def test_what_a_criterion_says_is_kept():
    rubric = {"rubric_id": "polite", "content": "Is polite.", "weight": 2.0}
    raw = {"threshold": "0.7", "judge_model": "gpt-x", "rubrics": [rubric]}
    (found,) = evaluators(config(rubric_based=raw))
    assert (found.threshold, found.judge, found.match_mode) == (0.7, "gpt-x", None)
    assert [(r.id, r.text, r.weight, r.origin) for r in found.rubrics] == [
        ("polite", "Is polite.", 2.0, "/rubrics/0")
    ]
    assert found.config == raw and found.origin == "/criteria/rubric_based"


@pytest.mark.parametrize(
    ("raw", "mode"), [({}, "EXACT"), ({"match_type": "ANY_ORDER"}, "ANY_ORDER")]
)
def test_only_ordered_criteria_have_a_match_mode(raw, mode):
    read = evaluators(config(trajectory=raw, node_order=raw, rouge_match=raw))
    assert [e.match_mode for e in read] == [mode, mode, None]


def test_a_criterion_that_is_null_is_left_out_and_a_disabled_one_is_marked():
    (found,) = evaluators(config(safety=None, rouge_match={"enabled": False}))
    assert found.native_type == "rouge_match"
    assert found.config == {"enabled": False} and "Switched off" in found.description


def test_old_names_and_bare_numbers_are_read_as_what_they_meant():
    old = config(tool_trajectory_avg_score=1.0, hallucinations_v1={"threshold": 0.6}, my_own={})
    read = [(e.native_type, e.ref, e.threshold) for e in evaluators(old)]
    assert read == [
        ("trajectory", "tool_trajectory_avg_score", 1.0),
        ("hallucination", "hallucinations_v1", 0.6),
        ("my_own", "my_own", 0.8),
    ]


def test_only_configs_hold_evaluators():
    with pytest.raises(FormatError, match="config files"):
        FORMAT.read_evaluators({}, Detection("tenxgraph", Kind.EVAL_SET, "sure", "x"))


def test_every_name_of_a_criterion_leads_to_it():
    for criterion in CRITERIA:
        for name in (criterion.key, criterion.result, *criterion.older):
            assert named(name) is criterion
    assert named("nothing_like_it") is None


def test_names_agree_with_the_vectors_of_the_real_package():
    path = Path(__file__).parents[4] / "shared" / "vectors" / "tenxgraph.json"
    if not path.exists():
        pytest.skip("the vectors of the real package are not here")
    vectors = json.loads(path.read_text())["vectors"]
    seen = {(v["criterion"], v["reported_name"]) for v in vectors if v["criterion"] in BY_KEY}
    assert seen and all(BY_KEY[key].result == name for key, name in seen)
