import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.results import PERCENT
from evalcore.store import MetricFilter, RunQuery
from evalcore.views.charts import heat, histogram, histograms, shorten
from tests.store.builders import store_in, stored
from tests.views.runs import E, F, N, P, case, score

ALL = RunQuery()


@pytest.fixture
def open_run(tmp_path):
    def opened(*cases, **more):
        return stored(store_in(tmp_path), cases, **more)

    return opened


def scored(*values, mark=0.8, **more):
    return [
        case(f"c{n}", P if v >= mark else F, [score(v, P if v >= mark else F, mark, **more)])
        for n, v in enumerate(values)
    ]


def of_bin(key, found):
    low = [] if found.low is None else [MetricFilter(key, None, ">=", found.low)]
    high = [] if found.high is None else [MetricFilter(key, None, "<", found.high)]
    return RunQuery(metrics=(*low, *high))


@settings(max_examples=50, deadline=None)
@given(values=st.lists(st.integers(0, 100).map(lambda n: n / 100), min_size=1, max_size=30))
def test_the_filter_of_a_column_finds_just_the_scores_in_it(tmp_path_factory, values):
    run = stored(store_in(tmp_path_factory.mktemp("runs")), scored(*values))
    found = histogram(run, "response", ALL)
    assert sum(b.total for b in found.bins) == len(values)
    for each in found.bins:
        assert run.count(of_bin("response", each)) == each.total


def test_columns_tell_passed_from_the_rest_and_say_their_range(open_run):
    found = histogram(open_run(*scored(0.1, 0.82, 0.84, 1.0)), "response", ALL)
    full = [(b.text, b.passed, b.rest) for b in found.bins if b.total]
    assert full == [("0.10 – 0.15", 0, 1), ("0.80 – 0.85", 2, 0), ("0.95 – 1.00", 1, 0)]
    assert (found.low_text, found.high_text, found.most) == ("0.00", "1.00", 2)


def test_the_threshold_stands_at_its_place_on_the_checks_own_scale(open_run):
    cases = [case("a", F, [score(0.5, F, 80.0, native=50.0, scale=PERCENT)])]
    found = histogram(open_run(*cases), "response", ALL)
    assert found.marks == ((0.8, "80"),)
    assert (found.low_text, found.high_text) == ("0.00", "100")
    assert "threshold 80" in found.alt


def test_a_check_without_a_number_has_no_histogram(open_run):
    run = open_run(case("a", E, [score(None, E)]))
    assert histogram(run, "response", ALL) is None
    assert histogram(run, "unheard of", ALL) is None


def test_a_number_that_is_no_score_has_the_range_of_its_values_and_no_threshold(open_run):
    def tokens(value):
        return score(value, None, None, evaluator="tokens", informational=True, scale=None)

    run = open_run(case("a", P, [tokens(100.0)]), case("b", P, [tokens(300.0)]))
    found = histogram(run, "tokens", ALL)
    assert (found.low_text, found.high_text, found.marks) == ("100", "300", ())
    assert [b.total for b in found.bins if b.total] == [1, 1]


def test_histograms_begin_with_the_check_that_has_most_trouble(open_run):
    good, bad = score(evaluator="good"), score(0.0, F, evaluator="bad")
    found = histograms(open_run(case("a", F, [good, bad])), ALL)
    assert [each.metric.key for each in found] == ["bad", "good"]


def test_the_heatmap_has_cases_worst_first_and_a_cell_per_check(open_run):
    run = open_run(
        case("fine", P, [score(0.9)]),
        case("bad", F, [score(0.1, F)]),
        case("broken", E, [score(None, E)]),
        case("idle", N),
    )
    found = heat(run, ALL)
    assert [(fold.head.case_key, cells[0].text) for fold, cells in found.rows] == [
        ("broken", "!"),
        ("bad", "✗ 0.10"),
        ("idle", "·"),
        ("fine", "✓ 0.90"),
    ]


def test_a_cell_of_repeats_is_their_mean_and_marked_where_they_disagree(open_run):
    run = open_run(case("a", P, [score(1.0)]), case("a", F, [score(0.5, F)], repeat=1))
    ((_, (cell,)),) = heat(run, ALL).rows
    assert (cell.text, cell.value, cell.verdict) == ("~ 0.75", 0.75, F)


def test_pages_of_the_heatmap_follow_each_other(open_run):
    run = open_run(*(case(f"{n:03}", P, [score()]) for n in range(60)))
    first, second = heat(run, ALL, 1), heat(run, ALL, 2)
    assert (len(first.rows), len(second.rows), first.cases) == (50, 10, 60)


def test_labels_are_short_and_on_one_printable_line():
    assert shorten("a\ud800b\n c", 10) == "a\ufffdb c"
    assert len(shorten("x" * 99)) == 30
