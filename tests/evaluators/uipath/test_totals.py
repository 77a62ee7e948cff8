"""Labels, and what a whole run comes to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators.uipath.aggregators import Labels, confusion
from evalcore.evaluators.uipath.totals import Row, label_numbers, reduced, row_of, totals
from evalcore.jsontree import MISSING
from evalcore.results import Verdict
from tests.evaluators.uipath.data import coded, expecting, legacy, score

PAIRS = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("c", "a"), ("a", "a")]


def rows(pairs, evaluator="e"):
    return [
        Row(f"case {i}", evaluator, float(want == have), {"expected": want, "actual": have})
        for i, (want, have) in enumerate(pairs)
    ]


@pytest.mark.parametrize(
    ("config", "expected", "output", "native"),
    [
        ({}, "Spam", {"l": "SPAM"}, 1),
        ({}, "ham", {"l": "ham"}, 1),
        ({}, "spam", {"l": "ham"}, 0),
        ({"positiveClass": "1"}, "1", {"l": 1}, 0),
        ({"positiveClass": " "}, "ham", {"l": "ham"}, 1),
    ],
)
def test_a_binary_check_takes_any_label(config, expected, output, native):
    check = coded(
        "binary-classification", **{"positiveClass": "spam", "targetOutputKey": "l", **config}
    )
    assert score(check, {"expectedClass": expected}, output).native == native


def test_a_binary_check_without_a_positive_label_scores_nothing():
    with pytest.raises(EvaldeskError, match="positive label is empty"):
        score(coded("binary-classification", positiveClass=""), {"expectedClass": "a"}, "a")


@pytest.mark.parametrize(("expected", "output"), [("z", "a"), ("a", "z"), ("a", "a ")])
def test_a_check_of_several_labels_refuses_others(expected, output):
    check = coded("multiclass-classification", classes=["A", "b"])
    with pytest.raises(EvaldeskError, match="is none of"):
        score(check, {"expectedClass": expected}, output)


def test_labels_that_are_numbers_or_whole_outputs_have_cautions():
    check = coded("binary-classification", positiveClass="1")
    whole = score(check, {"expectedClass": "spam"}, {"l": "spam"})
    assert "Name the field" in whole.cautions[0]
    field = coded("binary-classification", positiveClass="1", targetOutputKey="l")
    assert "the label is “1.0”" in score(field, {"expectedClass": "1"}, {"l": 1}).cautions[0]


@pytest.mark.parametrize(
    ("metric", "binary", "macro", "micro"),
    [
        ("precision", 2 / 3, 4 / 9, 4 / 6),
        ("recall", 2 / 3, 5 / 9, 4 / 6),
        ("f-score", 2 / 3, (2 / 3 + 0.8 + 0) / 3, 4 / 6),
    ],
)
def test_the_number_of_labels_is_not_the_mean(metric, binary, macro, micro):
    one = coded("binary-classification", positiveClass="A", metricType=metric)
    assert reduced(one, rows(PAIRS)) == pytest.approx(binary)
    for averaging, expected in (("macro", macro), ("micro", micro)):
        check = coded(
            "multiclass-classification",
            classes=["a", "B", "c"],
            metricType=metric,
            averaging=averaging,
        )
        assert reduced(check, rows(PAIRS)) == pytest.approx(expected)


def test_the_weight_of_recall_is_squared():
    check = coded("binary-classification", positiveClass="a", metricType="f-score", fValue=2)
    found = reduced(check, rows([("a", "a"), ("a", "b"), ("b", "a"), ("b", "a")]))
    assert found == pytest.approx(5 * (1 / 3) * (1 / 2) / (4 * (1 / 3) + 1 / 2))


@pytest.mark.parametrize("details", ["Exception thrown", MISSING, None, {}, {"expected": 1}])
def test_cases_without_labels_are_left_out(details):
    check = coded("multiclass-classification", classes=["a", "b"], metricType="recall")
    extra = Row("broken", "e", 0.0, details)
    assert reduced(check, [*rows([("a", "a")]), extra]) == reduced(check, rows([("a", "a")]))


def test_nothing_at_all_comes_to_zero():
    for check in (coded("exact-match"), coded("multiclass-classification", classes=[])):
        assert reduced(check, []) == 0
    assert totals([], [coded("exact-match")]).final == 0


def test_a_run_is_the_mean_over_evaluators_of_the_means_over_cases():
    checks = [coded("exact-match", name="x"), coded("contains", name="y")]
    found = totals(
        [
            Row("t", "x", 0.5, None),
            Row("t", "x", 0.0, None),
            Row("u", "x", 0.0, None),
            Row("u", "x", 1.0, None, is_line=True),
            Row("t", "y", 1.0, None),
        ],
        checks,
    )
    assert found.by_evaluator == {"x": 0.125, "y": 1.0}
    assert found.final == 0.5625
    assert "share a name" in found.cautions[0]


def test_weights_count_and_default_to_one():
    checks = [coded("exact-match", name="x"), coded("contains", name="y")]
    both = [Row("t", "x", 1.0, None), Row("t", "y", 0.0, None)]
    assert totals(both, checks, {"x": 3}).final == 0.75
    assert totals(both, checks, {"x": 0, "y": 0}).final == 0


def test_two_scales_are_averaged_and_the_caution_says_so():
    checks = [coded("exact-match", name="x"), legacy(0, 1, name="y")]
    found = totals([Row("t", "x", 1.0, None), Row("t", "y", 100.0, None)], checks)
    assert found.final == 50.5
    assert found.cautions == ("Scores of 0–1 and of 0–100 are averaged together.",)


def test_a_row_of_an_unknown_evaluator_is_refused():
    with pytest.raises(EvaldeskError, match="“nobody” scored “t”"):
        totals([Row("t", "nobody", 1.0, None)], [coded("exact-match", name="x")])


def labelled(*aggregators, **config):
    return coded("exact-match", classes=["Yes", "no"], aggregators=list(aggregators), **config)


MATRIX = {"type": "confusion_matrix"}
ANSWERS = [("yes", "YES"), ("no", "yes"), ("no", "maybe"), ("maybe", "no")]


def test_the_matrix_has_rows_of_given_and_columns_of_expected_labels():
    (found,) = label_numbers(rows(ANSWERS), [labelled(MATRIX)]).values()
    assert found.details["confusionMatrix"] == [[1, 1], [0, 0]]
    assert [found.details[k] for k in ("nTotal", "nScored", "nSkipped")] == [4, 3, 1]
    assert (found.value, found.native, found.informational) == (None, 0.0, True)
    assert "1 cases are left out" in found.cautions[0]
    assert "1 answers are none of the labels" in found.cautions[1]


def test_an_answer_that_is_no_label_is_a_miss_of_the_expected_one():
    (found,) = label_numbers(
        rows(ANSWERS), [labelled({"type": "recall", "averaging": "macro"})]
    ).values()
    assert found.details["perClass"]["no"] == {
        "tp": 0,
        "tn": 1,
        "fp": 0,
        "fn": 2,
        "support": 2,
        "precision": 0.0,
        "recall": 0.0,
        "fScore": 0.0,
    }
    assert (found.native, found.value) == (0.5, 0.5)


def test_keys_tell_more_where_one_kind_is_asked_for_twice():
    check = labelled(
        {"type": "precision", "averaging": "macro"},
        {"type": "precision", "averaging": "macro", "fValue": 7},
        {"type": "recall", "averaging": "macro"},
        {"type": "recall", "averaging": "micro"},
        {"type": "fscore", "averaging": "macro", "fValue": 2},
        {"type": "fscore", "averaging": "macro"},
        MATRIX,
        {**MATRIX, "averaging": "nonsense"},
    )
    assert list(label_numbers([], [check])) == [
        "e::precision",
        "e::recall.macro",
        "e::recall.micro",
        "e::fscore.macro.fb2.0",
        "e::fscore.macro.fb1.0",
        "e::confusion_matrix",
    ]


def test_a_number_of_no_cases_is_not_a_zero():
    (found,) = label_numbers([], [labelled({"type": "recall", "averaging": "macro"})]).values()
    assert (found.value, found.verdict) == (None, Verdict.NOT_EVALUATED)


def test_of_rows_of_one_case_the_first_with_labels_counts():
    check = labelled(MATRIX)
    labels = {"expected": "yes", "actual": "yes"}
    other = {"expected": "no", "actual": "no"}
    found = label_numbers(
        [Row("t", "e", 0.0, None), Row("t", "e", 1.0, labels), Row("t", "e", 1.0, other)], [check]
    )
    assert found["e::confusion_matrix"].details["confusionMatrix"] == [[1, 0], [0, 0]]


@pytest.mark.parametrize(
    "config",
    [
        {"classes": None},
        {"classes": []},
        {"classes": ["a", "A"]},
        {"classes": [" a"]},
        {"classes": [""]},
        {"caseSensitive": True},
        {"negated": True},
        {"lineByLineEvaluator": True},
        {"aggregators": [{"type": "precision"}]},
        {"aggregators": [{"type": "f-score", "averaging": "macro"}]},
        {"aggregators": [{"type": "fscore", "averaging": "macro", "fValue": 0}]},
        {"aggregators": [{"type": "fscore", "averaging": "macro", "fValue": 1001}]},
    ],
)
def test_numbers_over_a_run_need_plain_labels(config):
    with pytest.raises(EvaldeskError):
        coded("exact-match", **{"classes": ["a", "b"], "aggregators": [MATRIX], **config})


def test_labels_alone_need_nothing():
    assert coded("exact-match", classes=["a", "A"], negated=True).params.classes == ["a", "A"]


def test_a_score_is_counted_as_uipath_does():
    right = score(coded("exact-match"), expecting("a"), "a")
    assert row_of("t", right) == Row("t", "e", 1.0, right.details)
    failed = right.model_copy(update={"native": None, "verdict": Verdict.ERROR, "line": 2})
    assert row_of("t", failed) == Row("t", "e", 0.0, right.details, is_line=True)


labels = st.sampled_from(["a", "B", "c", "other"])


@given(st.lists(st.builds(Labels, labels, labels)))
def test_every_scored_case_is_in_the_matrix_or_a_miss(found):
    counted = confusion(["A", "b", "c"], found)
    assert counted.scored == sum(x.expected != "other" for x in found)
    for count in counted.counts():
        assert min(count) >= 0
        assert all(0 <= rate <= 1 for rate in count.rates(2.0))


@given(st.lists(st.builds(Labels, labels, labels)))
def test_swapping_expected_and_given_swaps_precision_and_recall(found):
    known = [x for x in found if "other" not in x]
    swapped = [Labels(x.actual, x.expected) for x in known]
    there = [count.rates(1.0) for count in confusion(["a", "b", "c"], known).counts()]
    back = [count.rates(1.0) for count in confusion(["a", "b", "c"], swapped).counts()]
    assert [(r.precision, r.recall) for r in there] == [(r.recall, r.precision) for r in back]
