"""Runs over time: intervals that are never too narrow, and breaks where there is no value."""

from datetime import UTC, datetime

import pytest

from evalcore.store import MetricSummary, SetFacts, Status, VerdictCounts
from evalcore.views.run_index import Listing
from evalcore.views.run_list import rows_of
from evalcore.views.trends import (
    metric_points,
    metrics_of,
    rate_points,
    sets_of,
    trend_alt,
    trend_figure,
)
from tests.store.builders import manifest


def run_of(number, passed, failed, content="1", **more):
    return manifest(
        f"r{number}",
        eval_set=SetFacts(path="a.json", name="A", content=content),
        cases=VerdictCounts(passed=passed, failed=failed),
        started_at=datetime(2026, 11, 1 + number, tzinfo=UTC),
        **{"distinct": passed + failed, **more},
    )


def metric(mean, scored=20, **more):
    low, high = more.pop("ends", (0.0, 1.0))
    return MetricSummary(
        key="m", label="Match", column=0, mean=mean, scored=scored, low=low, high=high, **more
    )


def test_the_interval_of_a_rate_is_wilson_by_cases():
    (point,) = rate_points([run_of(0, 18, 2)])
    assert point.value == 0.9
    assert (point.low, point.high) == (
        pytest.approx(0.6990, abs=1e-4),
        pytest.approx(0.9721, abs=1e-4),
    )


def test_repeats_do_not_narrow_it():
    once, often = rate_points([run_of(0, 18, 2), run_of(1, 180, 20, distinct=20)])
    assert (once.low, once.high) == (pytest.approx(often.low), pytest.approx(often.high))


def test_a_run_without_a_rate_breaks_the_line():
    points = rate_points([run_of(0, 5, 5), run_of(1, 0, 0), run_of(2, 5, 5)])
    assert points[1].value is None
    figure = trend_figure(points, 200, is_rate=True)
    line = figure.data[-1]
    assert list(line.y) == [0.5, None, 0.5]
    assert line.connectgaps is False


def test_a_changed_set_is_marked():
    points = rate_points([run_of(0, 5, 5), run_of(1, 5, 5, content="2"), run_of(2, 5, 5, "2")])
    assert [point.is_other_set for point in points] == [False, True, False]
    symbols = trend_figure(points, 200, is_rate=True).data[-1].marker.symbol
    assert list(symbols) == ["circle", "diamond", "circle"]


def test_the_interval_of_a_mean_holds_any_scores_of_that_mean_within_0_and_1():
    (point,) = metric_points([run_of(0, 10, 10, metrics=(metric(0.9),))], "m")
    assert (point.low, point.high) == (
        pytest.approx(0.6990, abs=1e-4),
        pytest.approx(0.9721, abs=1e-4),
    )


@pytest.mark.parametrize("ends", [(-1.0, 1.0), (0.0, 7.0)])
def test_scores_outside_0_and_1_have_no_interval(ends):
    (point,) = metric_points([run_of(0, 1, 1, metrics=(metric(0.5, ends=ends),))], "m")
    assert (point.value, point.low, point.high) == (0.5, None, None)


def test_a_run_without_the_metric_has_no_point():
    points = metric_points([run_of(0, 1, 1), run_of(1, 1, 1, metrics=(metric(0.5),))], "m")
    assert [point.value for point in points] == [None, 0.5]
    assert metrics_of([run_of(0, 1, 1), run_of(1, 1, 1, metrics=(metric(0.5),))]) == {"m": "Match"}


def test_sets_are_told_apart_and_running_runs_left_out():
    runs = [run_of(n, 1, 1) for n in range(3)]
    other = run_of(5, 1, 1).model_copy(update={"id": "o", "eval_set": SetFacts(id="b")})
    running = run_of(6, 1, 1, status=Status.RUNNING)
    found = sets_of(Listing(rows_of([running, other, *reversed(runs)])))
    assert [(s.label, [run.id for run in s.runs]) for s in found] == [
        ("b", ["o"]),
        ("A", ["r0", "r1", "r2"]),
    ]


def test_hostile_names_cannot_become_markup_in_a_chart():
    points = rate_points([run_of(0, 1, 1, name="<b>x</b><a href='http://evil'>")])
    text = trend_figure(points, 200, is_rate=True).data[-1].text[0]
    assert "<b>" not in text
    assert "<a" not in text


def test_a_trend_is_told_in_words():
    points = rate_points([run_of(0, 5, 5), run_of(1, 9, 1)])
    assert trend_alt("Pass rate", points).startswith("Pass rate over 2 runs, from 1 Nov 2026")
    assert trend_alt("Pass rate", rate_points([run_of(0, 0, 0)])) == "Pass rate: no values."
