"""From configs, old ones too, and presets to checks."""

from typing import Any

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator, kinds
from evalcore.evaluators.tenxgraph import presets
from evalcore.evaluators.tenxgraph.files import from_config, translate
from evalcore.formats.tenxgraph.names import CRITERIA, OLD_NAMES
from tests.evaluators.tenxgraph.cases import Told, sample, turn


def config(**criteria: Any) -> dict[str, Any]:
    return {"criteria": criteria}


def built(written: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(e.kind, e.params.model_dump()) for e in from_config(written)]


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda c: c.key)
def test_every_criterion_of_a_config_has_a_check(criterion: Any):
    (found,) = from_config(config(**{criterion.key: {}}))
    assert (found.kind, found.name) == (f"tenxgraph.{criterion.key}", criterion.result)
    assert found.params.threshold == 0.8
    assert kinds()[found.kind] is type(found)


@pytest.mark.parametrize("old", [*OLD_NAMES])
def test_old_names_are_the_criteria_that_they_were(old: str):
    (found,) = from_config(config(**{old: 0.5}))
    assert found.kind == f"tenxgraph.{OLD_NAMES[old]}"
    assert found.params.threshold == 0.5


def test_checks_come_in_the_order_in_which_they_run():
    found = from_config(config(safety={}, rouge_match={}, tool_name_match={}))
    assert [e.kind for e in found] == [
        "tenxgraph.tool_name_match",
        "tenxgraph.rouge_match",
        "tenxgraph.safety",
    ]


def test_what_is_off_is_left_out():
    assert from_config(config(safety=None, rouge_match={"enabled": False})) == ()
    assert from_config({}) == from_config({"criteria": None}) == from_config([]) == ()


def test_settings_reach_the_check_and_the_judge_too():
    judge = Told()
    written = {"threshold": "0.7", "num_samples": 1, "judge_model": "gpt-4o", "unknown": 1}
    (found,) = from_config(config(llm_judge=written), judge)
    assert found.evaluate(sample(turn("a", "b"))).overall.threshold == 0.7
    assert [request.model for request in judge.asked] == ["gpt-4o"]


@pytest.mark.parametrize(
    ("name", "raw"),
    [
        ("trajectory", {"match_type": "in_order"}),
        ("rouge_match", {"threshold": "high"}),
        ("rouge_match", "0.5"),
        ("rouge_match", []),
        ("rubric_based", {"rubrics": [{"content": "no id"}]}),
        ("contains_keywords", {"keywords": "word"}),
    ],
)
def test_settings_that_10xgraph_refuses_are_refused(name: str, raw: Any):
    with pytest.raises(EvaldeskError):
        from_config(config(**{name: raw}))


@pytest.mark.parametrize("name", ["exact_match", "tone", "composite_criterion"])
def test_a_name_that_no_config_has_is_unknown(name: str):
    with pytest.raises(UnknownEvaluator, match=name):
        from_config(config(**{name: {}}))


def test_an_old_config_is_translated_and_nothing_else_changes():
    old = {
        "timeout": 5,
        "criteria": {
            "response_match_score": 0.7,
            "tool_trajectory_avg_score": {"threshold": 1.0},
            "rouge_match": {"threshold": 0.5},
            "tone": {},
        },
        "x": 1,
    }
    found = translate(old)
    assert found.config == {
        "timeout": 5,
        "criteria": {
            "response_match": {"threshold": 0.7},
            "trajectory": {"threshold": 1.0},
            "rouge_match": {"threshold": 0.5},
            "tone": {},
        },
        "x": 1,
    }
    assert [*found.config] == [*old]
    assert len(found.changes) == 3
    assert "“response_match_score” is called “response_match” now." in found.changes
    assert translate(found.config) == (found.config, ())


@pytest.mark.parametrize("order", [1, -1])
def test_a_criterion_under_both_names_keeps_the_new_one(order: int):
    both = [("safety", {"threshold": 0.1}), ("safety_v1", {"threshold": 0.2})][::order]
    found = translate(config(**dict(both)))
    assert found.config == config(safety={"threshold": 0.1})
    assert len(found.changes) == 1


def test_a_config_without_criteria_stays_as_it_is():
    for written in ({}, {"criteria": None}, {"criteria": []}):
        assert translate(written) == (written, ())


TABLE = {
    "quick_check": {"rouge_match": 0.5},
    "tool_usage": {"tool_name_match": 1.0, "trajectory": 1.0},
    "response_quality": {"response_match": 0.7, "llm_judge": 0.7},
    "conversation_flow": {"trajectory": 0.8, "response_match": 0.8},
    "safety_check": {"hallucination": 0.8, "safety": 0.8},
    "comprehensive": {
        "tool_name_match": 1.0,
        "trajectory": 1.0,
        "rouge_match": 0.8,
        "llm_judge": 0.8,
        "factual_accuracy": 0.8,
        "hallucination": 0.8,
        "safety": 0.8,
    },
    "custom": {},
    "default": {"trajectory": 1.0, "response_match": 0.8},
    "strict": {"trajectory": 1.0, "response_match": 0.9, "llm_judge": 0.9},
    "relaxed": {"trajectory": 0.8, "response_match": 0.6},
    "command_line": {"tool_name_match": 1.0, "node_order": 0.8, "rouge_match": 0.5},
}


@pytest.mark.parametrize("name", [*presets.PRESETS])
def test_presets_switch_on_what_10xgraph_says(name: str):
    preset = presets.PRESETS[name]()
    criteria: Any = preset["criteria"]
    assert {key: raw["threshold"] for key, raw in criteria.items()} == TABLE[name]
    assert [e.kind for e in from_config(preset)] == [f"tenxgraph.{key}" for key in criteria]


SETTINGS = {
    "strict tools": (presets.tool_usage(), ("EXACT", True)),
    "loose tools": (presets.tool_usage(0.5, strict=False, check_args=False), ("IN_ORDER", False)),
    "flow": (presets.conversation_flow(), ("IN_ORDER", False)),
    "all": (presets.comprehensive(), ("IN_ORDER", True)),
    "custom": (presets.custom(tool_threshold=0.5), ("IN_ORDER", True)),
    "strict": (presets.strict(), ("EXACT", True)),
}


@pytest.mark.parametrize(("preset", "expected"), SETTINGS.values(), ids=SETTINGS)
def test_presets_match_calls_as_10xgraph_says(preset: Any, expected: tuple[str, bool]):
    trajectory = preset["criteria"]["trajectory"]
    assert (trajectory["match_type"], trajectory["check_args"]) == expected


def test_presets_ask_as_often_as_10xgraph_says():
    criteria: Any = presets.response_quality(judge_model="m")["criteria"]
    assert [(c["num_samples"], c["judge_model"]) for c in criteria.values()] == [(3, "m"), (1, "m")]
    strict: Any = presets.strict()["criteria"]
    assert strict["llm_judge"]["num_samples"] == 5


def test_presets_without_a_judge():
    for preset in (presets.response_quality, presets.comprehensive):
        assert "llm_judge" not in preset(use_llm_judge=False)["criteria"]


def test_combining_takes_the_later_criterion_and_drops_the_rest():
    first = {**presets.tool_usage(), "timeout": 5}
    second = config(trajectory={"threshold": 0.1}, safety=None)
    found = presets.combine(first, second)
    assert found == config(tool_name_match={"threshold": 1.0}, trajectory={"threshold": 0.1})
    assert presets.combine() == config()


def test_custom_switches_on_what_is_given():
    found = presets.custom(0.1, 0.2, 0.3, hallucination_threshold=0.4, safety_threshold=0.5)
    criteria: Any = found["criteria"]
    assert {key: raw["threshold"] for key, raw in criteria.items()} == {
        "tool_name_match": 0.2,
        "trajectory": 0.2,
        "response_match": 0.1,
        "llm_judge": 0.3,
        "hallucination": 0.4,
        "safety": 0.5,
    }
