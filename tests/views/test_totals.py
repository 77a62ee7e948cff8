"""Numbers over all cases, as the pages show them."""

from evalcore.evaluators.uipath.aggregators import Aggregator, Labels, confusion, report
from evalcore.results import Score
from evalcore.views.totals import totals


def scored(kind: str, **more) -> Score:
    found = confusion(
        ["yes", "no"],
        [
            Labels("yes", "yes"),
            Labels("yes", "no"),
            Labels("no", "no"),
            Labels("no", "maybe"),
            None,
        ],
    )
    value, details = report(Aggregator(type=kind, **more), found)
    return Score(f"Decision::{kind}", value=value, native=value, details=details, reason="because")


def test_a_number_says_how_many_cases_it_counts_and_what_each_label_has():
    (total,) = totals([scored("precision", averaging="macro")])
    assert (total.name, total.said, total.counted) == (
        "Decision · precision",
        "0.75",
        "4 of 5 cases",
    )
    assert total.per_class == (
        ("yes", "1.00", "0.50", "0.67", "2"),
        ("no", "0.50", "0.50", "0.50", "2"),
    )
    assert total.matrix is None


def test_a_matrix_has_given_labels_in_rows_and_no_number():
    (total,) = totals([scored("confusion_matrix")])
    assert total.value is None
    assert total.matrix.classes == ("yes", "no")
    assert total.matrix.rows == ((1, 0), (1, 1))


def test_matrices_come_last():
    found = totals([scored("confusion_matrix"), scored("recall", averaging="micro")])
    assert [t.matrix is None for t in found] == [True, False]


def test_details_of_another_shape_are_left_out():
    odd = [
        None,
        [],
        {"perClass": [], "classes": ["a"], "confusionMatrix": [[1, 2]]},
        {"perClass": {"a": 5}},
    ]
    for details in odd:
        (total,) = totals([Score("x", value=0.5, details=details)])
        assert (total.per_class, total.matrix, total.value) == ((), None, 0.5)
