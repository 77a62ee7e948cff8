"""What the computed scores hide is told beside them, and a pass for nothing is none."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators.measures.sequences import longest_common_subsequence
from evalcore.evaluators.measures.sums import summed
from evalcore.evaluators.tenxgraph.traps import best_alignment, best_assignment
from evalcore.jsontree import MISSING
from evalcore.results import Verdict
from tests.evaluators.tenxgraph.cases import call, sample, score, turn

FIND, BOOK, PAY = call("find", film="Alien"), call("book", seats=2), call("pay")

CAUTIONS: dict[str, tuple[str, Any, dict[str, Any], str]] = {
    "free calls": ("trajectory", turn(tools=[FIND], made=[FIND, PAY, PAY]), {}, "2 calls more"),
    "a shift": (
        "trajectory",
        turn(tools=[FIND, BOOK], made=[PAY, FIND, BOOK]),
        {},
        "Aligned better, 2 of 2 would match instead of 0.",
    ),
    "the first is missing": (
        "trajectory",
        turn(tools=[PAY, FIND, BOOK], made=[FIND, BOOK]),
        {"match_type": "IN_ORDER"},
        "Aligned better, 2 of 3 would match instead of 0.",
    ),
    "greedy pairs": (
        "trajectory",
        turn(tools=[call("find"), FIND], made=[FIND, call("find", film="Heat")]),
        {"match_type": "ANY_ORDER", "check_args": True},
        "Paired better, 2 of 2 would match instead of 1.",
    ),
    "arguments ignored": (
        "trajectory",
        turn(tools=[FIND], made=[call("find", film="Heat")]),
        {},
        "Arguments are not compared, and some differ",
    ),
    "arguments differ": (
        "trajectory",
        turn(tools=[FIND], made=[call("find", film="Heat")]),
        {"check_args": True},
        "the expected name and other arguments",
    ),
    "any arguments": (
        "trajectory",
        turn(tools=[PAY], made=[call("pay", eur=999)]),
        {"check_args": True},
        "No arguments are expected of pay",
    ),
    "true is one": (
        "trajectory",
        turn(tools=[call("book", n=[1])], made=[call("book", n=[True])]),
        {"check_args": True},
        "true counts as 1",
    ),
    "further names": ("tool_name_match", turn(tools=[FIND], made=[PAY, FIND]), {}, "1 further"),
    "no tool expected": ("tool_name_match", turn(made=[PAY]), {}, "any call at all scores 0.5"),
    "the start node": (
        "node_order",
        turn(nodes=["MAIN", "TOOL"], visited=["__start__", "MAIN"]),
        {},
        "Runs record __start__ first and never a ToolNode",
    ),
    "word order": (
        "rouge_match",
        turn("man bites dog", "dog bites man"),
        {},
        "in another order or number",
    ),
    "a negation": (
        "rouge_match",
        turn("it is not possible", "it is possible"),
        {},
        "differ in a negation",
    ),
    "signs": ("rouge_match", turn("👎", "👍"), {}, "no words, only signs"),
    "an earlier turn's reply": (
        "rouge_match",
        sample(turn("At eight", "At eight"), turn("Bye")),
        {},
        "The expected reply is that of turn 1, the reply that of turn 2",
    ),
    "a reply that is hidden": (
        "rouge_match",
        sample(turn("At eight", "At eight"), turn("Bye", "")),
        {},
        "hides those of earlier turns",
    ),
    "earlier replies": (
        "rouge_match",
        sample(turn("No", "At eight"), turn("Bye", "Bye")),
        {},
        "Only the last reply is compared",
    ),
    "case": ("exact_match", turn("at eight", "At eight"), {}, "differ in case only"),
    "spaces": ("exact_match", turn("At  eight", "At eight"), {}, "differ in white space only"),
    "form": ("exact_match", turn("cafe\u0301", "caf\u00e9"), {}, "differ in Unicode form only"),
    "nothing expected": ("exact_match", turn("At eight"), {}, "Only an empty reply passes"),
    "inside a word": (
        "contains_keywords",
        turn("Concatenate"),
        {"keywords": ["cat"]},
        "only inside longer words: cat",
    ),
    "twice": ("contains_keywords", turn("a"), {"keywords": ["a", "a"]}, "more than once: a"),
    "empty word": ("contains_keywords", turn("a"), {"keywords": [""]}, "always found"),
    "odd threshold": ("exact_match", turn("a", "a"), {"threshold": 80}, "80 is outside 0–1"),
    "rounding": (
        "exact_match",
        turn("a", "a"),
        {"threshold": 1.0000000001},
        "by rounding alone",
    ),
}


@pytest.mark.parametrize(("name", "case", "config", "words"), CAUTIONS.values(), ids=CAUTIONS)
def test_a_trap_is_told_beside_the_score(name: str, case: Any, config: dict[str, Any], words: str):
    assert any(words in caution for caution in score(name, case, **config).cautions)


PLAIN: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "calls": ("trajectory", turn(tools=[FIND, BOOK], made=[FIND, BOOK]), {"check_args": True}),
    "no arguments to compare": ("trajectory", turn(tools=[PAY], made=[PAY]), {}),
    "whole numbers": (
        "trajectory",
        turn(tools=[call("book", n=1)], made=[call("book", n=1.0)]),
        {"check_args": True},
    ),
    "truth in both": (
        "trajectory",
        turn(tools=[call("book", a=True, b=1)], made=[call("book", b=1, a=True)]),
        {"check_args": True},
    ),
    "names": ("tool_name_match", turn(tools=[FIND], made=[FIND]), {}),
    "nodes": ("node_order", turn(nodes=["__start__", "A"], visited=["__start__", "A"]), {}),
    "words": ("rouge_match", turn("At eight!", "at eight"), {}),
    "text": ("exact_match", turn(" a", "a\n"), {}),
    "keywords": ("contains_keywords", turn("A cat."), {"keywords": ["cat"]}),
}


@pytest.mark.parametrize(("name", "case", "config"), PLAIN.values(), ids=PLAIN)
def test_a_plain_pass_has_no_caution(name: str, case: Any, config: dict[str, Any]):
    found = score(name, case, **config)
    assert (found.native, found.verdict, found.cautions) == (1.0, Verdict.PASSED, ())


REASONS: dict[str, tuple[str, Any, dict[str, Any], str]] = {
    "calls": (
        "trajectory",
        turn(tools=[FIND, BOOK], made=[FIND]),
        {},
        "1 of 2 expected calls matched. Expected ['find', 'book'], got ['find'].",
    ),
    "words": (
        "rouge_match",
        turn("it starts at eight", "at eight"),
        {},
        "2 of the reply's 4 different words are expected, and 2 of the 2 expected ones are there: "
        "F1 0.667.",
    ),
    "keywords": (
        "contains_keywords",
        turn("a"),
        {"keywords": ["a", "b"]},
        "1 of 2 words are there. Missing: ['b'].",
    ),
}


@pytest.mark.parametrize(("name", "case", "config", "reason"), REASONS.values(), ids=REASONS)
def test_the_reason_lets_a_reader_recompute(
    name: str, case: Any, config: dict[str, Any], reason: str
):
    assert score(name, case, **config).reason == reason


FREE: dict[str, tuple[str, Any, dict[str, Any], float]] = {
    "any calls": ("trajectory", turn(made=[PAY]), {"match_type": "ANY_ORDER"}, 1.0),
    "no calls in order": ("trajectory", turn(), {"match_type": "IN_ORDER"}, 1.0),
    "any nodes": ("node_order", turn(visited=["A"]), {"threshold": 1.0}, 1.0),
    "half for a call": ("tool_name_match", turn(made=[PAY]), {"threshold": 0.5}, 0.5),
    "half for a reply": ("rouge_match", turn("At eight"), {"threshold": 0.5}, 0.5),
    "no keywords": ("contains_keywords", turn("x"), {}, 1.0),
    "no threshold to miss": ("trajectory", turn(made=[PAY]), {"threshold": 0.0}, 0.0),
}


@pytest.mark.parametrize(("name", "case", "config", "native"), FREE.values(), ids=FREE)
def test_what_any_run_would_pass_is_not_evaluated(
    name: str, case: Any, config: dict[str, Any], native: float
):
    found = score(name, case, **config)
    assert (found.verdict, found.value, found.native) == (Verdict.NOT_EVALUATED, None, native)
    assert any("10xGraph gives" in caution and "a pass" in caution for caution in found.cautions)


STRICT: dict[str, tuple[str, Any, dict[str, Any], Verdict]] = {
    "no calls, exactly": ("trajectory", turn(), {}, Verdict.PASSED),
    "calls, exactly": ("trajectory", turn(made=[PAY]), {}, Verdict.FAILED),
    "no names": ("tool_name_match", turn(), {"threshold": 1.0}, Verdict.PASSED),
    "names": ("tool_name_match", turn(made=[PAY]), {"threshold": 1.0}, Verdict.FAILED),
    "no reply": ("exact_match", turn(""), {}, Verdict.PASSED),
    "a reply": ("rouge_match", turn("At eight"), {"threshold": 0.6}, Verdict.FAILED),
}


@pytest.mark.parametrize(("name", "case", "config", "verdict"), STRICT.values(), ids=STRICT)
def test_where_nothing_is_expected_and_a_run_could_fail_the_verdict_is_theirs(
    name: str, case: Any, config: dict[str, Any], verdict: Verdict
):
    assert score(name, case, **config).verdict is verdict


@pytest.mark.parametrize(
    ("name", "case"),
    [
        ("trajectory", turn(made=None)),
        ("tool_name_match", turn(made=None)),
        ("node_order", turn(visited=None)),
        ("rouge_match", turn(MISSING, "At eight")),
        ("exact_match", turn(MISSING)),
        ("contains_keywords", sample(turn("a"), turn(MISSING))),
    ],
)
def test_what_was_not_recorded_is_an_error_and_no_zero(name: str, case: Any):
    with pytest.raises(EvaldeskError, match="does not hold"):
        score(name, case, keywords=["a"])


def test_an_output_that_is_no_text_is_compared_as_json():
    assert score("exact_match", turn({"b": 1, "a": "é"}, {"a": "é", "b": 1})).native == 1.0
    assert score("exact_match", turn({"a": 1}, {"a": True})).native == 0.0


def test_a_case_without_turns_has_nothing_to_compare():
    assert score("trajectory", sample()).native == 1.0
    assert score("rouge_match", sample()).native == 1.0


LISTS = st.lists(st.sampled_from("abc"), max_size=8)


@given(LISTS, LISTS)
def test_the_best_alignment_is_the_longest_common_subsequence(left: list[str], right: list[str]):
    longest = longest_common_subsequence(left, right, str.__eq__)
    assert best_alignment(left, right, str.__eq__) == len(longest)


@given(st.lists(st.sets(st.integers(0, 4)), max_size=5))
def test_the_best_assignment_leaves_no_pair_out(options: list[set[int]]):
    def most(index: int, used: frozenset[int]) -> int:
        if index == len(options):
            return 0
        rest = [1 + most(index + 1, used | {o}) for o in options[index] - used]
        return max([most(index + 1, used), *rest])

    found = best_assignment(options, range(5), lambda wanted, item: item in wanted)
    assert found == most(0, frozenset())


def test_sums_carry_what_rounding_loses():
    assert summed([0.1] * 10) == 1.0
    assert summed([1e100, 1.0, -1e100]) == 1.0
    assert summed([]) == 0.0
    assert summed([float("inf"), 1.0]) == float("inf")
