"""Checks made of checks."""

from typing import Any

import pytest

from evalcore.errors import EvaldeskError
from evalcore.judges import JudgeError
from evalcore.results import Verdict
from tests.evaluators.tenxgraph.cases import Told, check, sample, score, turn

EXACT = {"criterion": "exact_match", "config": {"threshold": 1.0}}
WORDS = {"criterion": "rouge_match", "config": {"threshold": 0.9}}
HALF = turn("at eight sharp today", "at eight")
"""Word overlap 2/3, no exact match."""


@pytest.mark.parametrize(("all_of", "native"), [(True, 0.0), (False, 2 / 3)])
def test_a_composite_is_its_worst_or_its_best(all_of: bool, native: float):
    found = score("composite", HALF, parts=[EXACT, WORDS], require_all=all_of, threshold=0.5)
    assert found.native == pytest.approx(native)
    assert "exact_match: 0; rouge_match: 0.666667" in found.reason


def test_the_pass_marks_of_the_parts_do_not_count_and_that_is_told():
    passed = score("composite", HALF, parts=[WORDS], threshold=0.5)
    assert passed.verdict is Verdict.PASSED
    assert any("Below their own pass marks" in c and "rouge_match" in c for c in passed.cautions)
    loose = {"criterion": "rouge_match", "config": {"threshold": 0.5}}
    failed = score("composite", HALF, parts=[loose], threshold=0.8)
    assert failed.verdict is Verdict.FAILED
    assert any("passes its own pass mark" in caution for caution in failed.cautions)


@pytest.mark.parametrize(
    ("weights", "native", "words"),
    [
        ((1, 3), 0.5, ""),
        ((0, 0), 0.0, "come to 0 or less"),
        ((-1, 1), 0.0, "come to 0 or less"),
        ((-1, 3), 1.0, "negative weight"),
    ],
)
def test_weights(weights: tuple[float, float], native: float, words: str):
    parts = [{**part, "weight": w} for part, w in zip([EXACT, WORDS], weights, strict=True)]
    found = score("weighted", HALF, parts=parts)
    assert found.native == pytest.approx(native)
    assert words in " ".join(found.cautions)


def test_the_cautions_of_the_parts_are_told():
    found = score("composite", turn("b a", "a b"), parts=[WORDS])
    assert any(c.startswith("rouge_match: The same words") for c in found.cautions)


def test_parts_that_evaluate_nothing_evaluate_nothing_together():
    loose = {"criterion": "rouge_match", "config": {"threshold": 0.5}}
    found = score("composite", turn("x"), parts=[loose], threshold=0.5)
    assert (found.verdict, found.native) == (Verdict.NOT_EVALUATED, 0.5)
    mixed = score("composite", turn("x"), parts=[loose, EXACT], require_all=False, threshold=0.5)
    assert mixed.verdict is Verdict.PASSED


def test_nothing_combined_is_0_as_in_10xgraph():
    for name in ("composite", "weighted"):
        found = score(name, HALF, parts=[])
        assert (found.native, found.verdict) == (0.0, Verdict.FAILED)


def test_the_error_of_a_part_is_an_error_and_no_zero():
    parts = [EXACT, {"criterion": "safety"}]
    with pytest.raises(JudgeError):
        score("composite", HALF, parts=parts, require_all=False)


def test_judges_inside_are_asked_and_counted():
    judge = Told({"score": 1.0})
    inner = {"criterion": "composite_criterion", "config": {"parts": [{"criterion": "safety_v1"}]}}
    whole = check("weighted", judge, parts=[{"criterion": "llm_judge"}, inner, EXACT])
    assert whole.calls(sample(HALF)) == 6
    whole.evaluate(sample(HALF))
    assert len(judge.asked) == 6


@pytest.mark.parametrize("name", ["nonsense", "", "simulation_completed"])
def test_a_part_that_is_no_check_is_refused(name: str):
    with pytest.raises(EvaldeskError, match="no check called"):
        check("composite", parts=[{"criterion": name}])


def test_settings_of_a_part_are_refused_as_elsewhere():
    parts: list[Any] = [{"criterion": "rouge_match", "config": {"threshold": "high"}}]
    with pytest.raises(EvaldeskError, match="threshold"):
        check("composite", parts=parts)
