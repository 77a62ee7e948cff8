"""What makes two runs less comparable than they look is said once, and nothing else is."""

import pytest

from evalcore.compare import compare
from evalcore.store import SetFacts
from tests.store.builders import F, P, case, score, store_in, stored

PLAIN = {"eval_set": SetFacts(id="s", content="1"), "evaluators": {"reply": "1"}}


def told(folder, left=None, right=None, left_cases=None, right_cases=None):
    store = store_in(folder)
    usual = [case("a", scores=(score(0.9, P, threshold=0.8),))]
    a = stored(store, left_cases or usual, "a", **{**PLAIN, **(left or {})})
    b = stored(store, right_cases or usual, "b", **{**PLAIN, **(right or {})})
    return [(banner.about, banner.message) for banner in compare(a, b).banners]


def test_runs_that_differ_in_nothing_have_no_banner(tmp_path):
    assert told(tmp_path) == []


@pytest.mark.parametrize(
    ("right", "about", "said"),
    [
        ({"format_id": "tenxgraph"}, "system", "different systems"),
        ({"eval_set": SetFacts(id="t", content="1")}, "set", "different sets: s and t"),
        ({"eval_set": SetFacts(id="s", content="2")}, "set", "The set has changed"),
        ({"evaluators": {"reply": "2"}}, "evaluator", "reply is configured differently"),
    ],
)
def test_each_difference_is_told(tmp_path, right, about, said):
    ((found, message),) = told(tmp_path, right=right)
    assert found == about
    assert said in message


@pytest.mark.parametrize(
    "right",
    [{"eval_set": SetFacts(id="s")}, {"evaluators": {}}, {"evaluators": {"reply": ""}}],
)
def test_what_is_not_known_is_no_difference(tmp_path, right):
    assert told(tmp_path, right=right) == []


def test_other_thresholds_are_told(tmp_path):
    other = [case("a", scores=(score(0.9, P, threshold=0.5),))]
    ((about, message),) = told(tmp_path, right_cases=other)
    assert (about, message) == (
        "threshold",
        "reply passes at 0.8 in the left run and at 0.5 in the right one.",
    )


def test_checks_of_one_side_are_named(tmp_path):
    more = [case("a", scores=(score(0.9, P, threshold=0.8), score(1.0, ref="calls")))]
    assert told(tmp_path, right_cases=more) == [("evaluator", "Only in the right run: calls.")]


def test_other_numbers_of_repeats_are_told(tmp_path):
    twice = [case("a", scores=(score(0.9, v, threshold=0.8),)) for v in (P, F)]
    ((about, message),) = told(tmp_path, right_cases=twice)
    assert about == "repeats"
    assert message.startswith("Repeats differ: 1 on the left, 2 on the right")


def test_a_run_that_did_not_finish_says_so(tmp_path):
    store = store_in(tmp_path)
    with store.writer(stored(store, [case("a")], "a").manifest.model_copy(update={"id": "b"})) as w:
        w.append(case("a"))
    found = compare(store.open("a"), store.open("b")).banners
    assert [banner.message for banner in found] == ["The right run did not finish."]
