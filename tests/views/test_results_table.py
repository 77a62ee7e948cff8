import pandas as pd
import pyarrow as pa
import pytest

from evalcore.counting import build
from evalcore.views.results_table import (
    cell_text,
    invocation_count,
    invocation_frame,
)
from tests.views.runs import E, F, N, P, case, run, score, turn


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (score(0.799, F), "✗ 0.799"),
        (score(0.8), "✓ 0.80"),
        (score(None, E), "! error"),
        (score(0.0, E), "! error"),
        (score(None, N), "○ no score"),
        (score(812.0, None, informational=True), "812"),
        (score(0.5, native=50.0, threshold=80.0), "✓ 50"),
    ],
)
def test_a_cell_shows_glyph_and_score_or_why_there_is_none(given, text):
    cell = build(run(case(scores=[given]))).rows[0].cells["response"]
    assert cell_text(cell) == text


def test_a_missing_cell_is_a_dot():
    assert cell_text(None) == "·"


def test_the_invocation_table_has_a_line_per_turn_and_per_whole_case():
    view = build(
        run(
            case("a", F, [score(0.4, F)], [turn(score(0.8)), turn(score(0.0, F), index=1)]),
            case("b", P, [], [turn(score(1.0))]),
            case("c", E, error="boom"),
        )
    )
    frame = invocation_frame(view.by_place, view.metrics)
    assert list(zip(frame["case"], frame["turn"], frame["verdict"], strict=True)) == [
        ("a", "whole case", "✗ failed"),
        ("a", "1", "✓ passed"),
        ("a", "2", "✗ failed"),
        ("b", "1", "✓ passed"),
        ("c", "whole case", "! error"),
    ]
    assert frame["score response"].tolist() == [0.4, 0.8, 0.0, 1.0, pd.NA]
    assert frame["check response"].tolist() == ["✗ 0.40", "✓ 0.80", "✗ 0.00", "✓ 1.00", ""]
    assert invocation_count(view.by_place) == len(frame)


@pytest.mark.parametrize(
    ("whole", "of_turn", "lines"),
    [
        ([score()], [], ["1"]),
        ([], [score()], ["1"]),
        ([score()], [score()], ["1"]),
        ([score()], [score(0.2, F)], ["whole case", "1"]),
    ],
)
def test_a_case_of_one_turn_has_one_line_unless_its_scores_differ(whole, of_turn, lines):
    view = build(run(case("a", P, whole, [turn(*of_turn)])))
    frame = invocation_frame(view.rows, view.metrics)
    assert frame["turn"].tolist() == lines
    assert frame["verdict"].tolist()[0] == "✓ passed"


def test_a_page_of_the_invocation_table_is_a_slice_of_it():
    view = build(run(*(case(str(i), P, [], [turn(score())]) for i in range(30))))
    page = invocation_frame(view.rows, view.metrics, 10, 20)
    assert page["case"].tolist() == [str(i) for i in range(10, 20)]


def test_hostile_text_makes_frames_that_can_be_sent():
    bad = "\ud800 <img src=x> \x00" + "x" * 5000
    view = build(
        run(case(bad, F, [score(0.1, F, evaluator=bad)], [turn(said=bad, actual={"\ud800": 1})]))
    )
    frame = invocation_frame(view.rows, view.metrics)
    assert pa.Table.from_pandas(frame).num_rows >= 1
    assert max(len(str(value)) for value in frame.iloc[0]) <= 200
