"""Scores by line: which lines there are, what each is compared with, and what they come to."""

import pytest

from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.judges import JudgeError
from evalcore.results import UNIT, Verdict
from tests.evaluators.uipath.data import Answers, coded, expecting, legacy, outcome


def lines(expected, actual, kind="exact-match", **config):
    check = coded(kind, **{"targetOutputKey": "t", "lineByLineEvaluator": True, **config})
    return outcome(check, expecting(expected), actual)


@pytest.mark.parametrize(
    ("expected", "actual", "scores", "config"),
    [
        ("a\nb", "A\nx", [1, 0], {}),
        ("a\n\n \nb\n", "a\nb", [1, 1], {}),
        ("a\nb", "a\r\nb", [0, 1], {}),
        ("a", "a\nb\nc", [1, 0, 0], {}),
        ("a;b", "a;c", [1, 0], {"lineDelimiter": ";"}),
        ("a\nb", "a\nc", [0, 1], {"negated": True}),
        ("7.0", 7, [1], {}),
    ],
)
def test_lines_are_paired_by_place_and_averaged(expected, actual, scores, config):
    found = lines({"t": expected}, {"t": actual}, **config)
    assert [line.native for line in found.lines] == scores
    assert [line.line for line in found.lines] == list(range(1, len(scores) + 1))
    assert found.overall.native == pytest.approx(sum(scores) / len(scores))
    assert found.overall.line is None


def test_lines_that_end_in_another_way_are_named():
    (caution,) = lines({"t": "a\nb"}, {"t": "a\r\nb"}).overall.cautions
    assert caution == "Lines that differ only in how they end, CRLF or LF: 1."
    assert lines({"t": "a\nb"}, {"t": "x\r\nb"}).overall.cautions == ()


@pytest.mark.parametrize(("key", "is_told"), [("a.t", True), ("a", False), ("*", False)])
def test_a_low_code_path_is_said_to_split_all_of_the_output(key, is_told):
    check = legacy(0, 1, targetOutputKey=key, lineByLineEvaluation=True)
    value = {"a": {"t": "x"}}
    found = outcome(check, {"expectedOutput": value, "expectedAgentBehavior": ""}, value).overall
    assert any("no plain field" in text for text in found.cautions) is is_told


def test_no_lines_on_either_side_score_zero_and_say_so():
    found = lines({"t": " "}, {"t": ""})
    assert (found.overall.native, found.lines) == (0, ())
    assert "no lines" in found.overall.cautions[0]


def test_lines_under_a_path_are_errors_that_count_as_zero():
    found = lines({"a": {"t": "x\ny"}}, {"a": {"t": "x\ny"}}, targetOutputKey="a.t")
    assert [line.verdict for line in found.lines] == [Verdict.ERROR, Verdict.ERROR]
    assert [line.native for line in found.lines] == [None, None]
    assert found.overall.native == 0
    assert "2 of 2 lines have no score" in found.overall.cautions[0]


def test_a_list_of_fields_is_never_split():
    found = lines({"t": "a\nb"}, {"t": "a\nb"}, targetOutputKey=["t"])
    assert (found.overall.native, found.lines) == (1, ())


def test_an_object_is_one_line_of_python_text():
    found = lines({"t": "a\nb"}, {"t": "a\nb"}, targetOutputKey="*")
    assert [line.native for line in found.lines] == [1]


def test_contains_looks_for_all_of_the_text_in_every_line():
    check = coded("contains", targetOutputKey="t", lineByLineEvaluator=True)
    found = outcome(check, {"searchText": "ok"}, {"t": "ok 1\nno\nOK 2"})
    assert [line.native for line in found.lines] == [1, 0, 1]
    split = outcome(check, {"searchText": "a\nb"}, {"t": "a\nb"})
    assert [line.native for line in split.lines] == [0, 0]


@pytest.mark.parametrize(
    ("expected", "actual", "config"),
    [
        ({"u": "a"}, {"t": "a"}, {"targetOutputKey": "u"}),
        ("no JSON", {"t": "a"}, {}),
        ({"t": "a"}, {"t": "a"}, {"lineDelimiter": ""}),
        ({"t": "a"}, {"t": "a"}, {"targetOutputKey": "."}),
    ],
)
def test_what_cannot_be_split_fails_the_case(expected, actual, config):
    with pytest.raises(CriteriaError):
        lines(expected, actual, **config)


def test_labels_by_line_fail_the_case():
    check = coded("binary-classification", positiveClass="a", lineByLineEvaluator=True)
    with pytest.raises(CriteriaError):
        outcome(check, {"expectedClass": "a"}, "a")


def test_an_unusable_answer_of_a_judge_counts_as_zero_for_its_line():
    config = {"targetOutputKey": "t", "lineByLineEvaluator": True, "prompt": "p", "model": "m"}
    kind = "llm-judge-output-semantic-similarity"
    found = outcome(coded(kind, Answers(None), **config), expecting({"t": "a"}), {"t": "a"})
    assert (found.overall.native, found.lines[0].verdict) == (0, Verdict.ERROR)


def test_a_judge_that_gives_no_answer_leaves_no_total_behind():
    class Silent:
        def ask(self, request):
            raise JudgeError("nobody is there")

    config = {"targetOutputKey": "t", "lineByLineEvaluator": True, "model": "m"}
    kind = "llm-judge-output-semantic-similarity"
    with pytest.raises(JudgeError, match="nobody"):
        outcome(coded(kind, Silent(), **config), expecting({"t": "a\nb"}), {"t": "a\nb"})


def test_low_code_lines_are_on_0_to_100_and_right_or_wrong_totals_on_0_to_1():
    both = {"expectedOutput": {"t": "abcd\nx"}, "expectedAgentBehavior": ""}
    config = {"targetOutputKey": "t", "lineByLineEvaluation": True}
    equals = outcome(legacy(0, 1, **config), both, {"t": "abcd\ny"})
    assert [line.native for line in equals.lines] == [100, 0]
    assert (equals.overall.native, equals.overall.scale, equals.overall.value) == (0.5, UNIT, 0.5)
    assert "0–1" in equals.overall.cautions[-1]
    similar = outcome(legacy(0, 6, **config), both, {"t": "abcx\nx"})
    assert (similar.overall.native, similar.overall.value) == (87.5, 0.875)


def test_low_code_lines_take_the_key_for_a_plain_name():
    both = {"expectedOutput": {"a": {"t": "x\ny"}}, "expectedAgentBehavior": ""}
    check = legacy(0, 1, targetOutputKey="a.t", lineByLineEvaluation=True)
    found = outcome(check, both, {"a": {"t": "x\nz"}})
    assert [line.native for line in found.lines] == [100]
    assert "is missing" in found.lines[0].cautions[0]
