import pytest

from evalcore.compare import compare
from evalcore.store import MetricFilter, RunQuery
from evalcore.views.run_page import (
    Baseline,
    around,
    change_of,
    columns_offered,
    columns_shown,
    found_text,
    modes,
    narrowed,
    page_of,
    plain_cell,
    state_of,
    title_of,
    why,
)
from tests.store.builders import store_in, stored
from tests.views.runs import E, F, N, P, case, score, turn

ALL = RunQuery()


@pytest.fixture
def open_run(tmp_path):
    def opened(*cases, run_id="r", **more):
        return stored(store_in(tmp_path), cases, run_id, **more)

    return opened


def graded(name, value, mark=0.5, **more):
    verdict = P if value >= mark else F
    return case(name, verdict, [score(value, verdict, mark)], **more)


def names(page):
    return [fold.head.case_key for fold in page.folds]


def test_a_line_of_one_result_says_its_verdict_and_why(open_run):
    run = open_run(case("a", F, [score(0.1, F, reason="expected 3, got 2")]))
    (fold,) = page_of(run, ALL).folds
    came = state_of(fold)
    assert (title_of(fold), came.text, came.strip) == ("a", "✗ failed", "")
    assert why(fold) == "response: expected # got #"


def test_a_pass_just_above_its_threshold_says_so(open_run):
    (fold,) = page_of(open_run(graded("a", 0.51)), ALL).folds
    assert state_of(fold).text == "✓ passed, near"


@pytest.mark.parametrize(
    ("verdicts", "text", "strip"),
    [
        ((P, P, P, F, P), "~ 4 of 5", "●●●○●"),
        ((P, P), "✓ 2 of 2", "●●"),
        ((F, F), "✗ 0 of 2", "○○"),
        ((P, E, N), "! 1 of 3", "●!·"),
        ((E, E), "! 0 of 2", "!!"),
        ((P,) * 20, "✓ 20 of 20", ""),
    ],
)
def test_repeats_fold_into_a_strip_with_a_dot_for_each(open_run, verdicts, text, strip):
    (fold,) = page_of(open_run(*(case("a", v) for v in verdicts)), ALL).folds
    assert (state_of(fold).text, state_of(fold).strip) == (text, strip)


def test_a_bare_guid_gives_way_to_the_name(open_run):
    guid = "C0FFEE00-0000-4000-8000-00000000000A"
    run = open_run(case(guid, P, name="Late parcel"), case("", P), case(None, P, name="x"))
    assert [title_of(f) for f in page_of(run, RunQuery(sort="file")).folds] == [
        "Late parcel",
        "result 2",
        "x",
    ]


def test_modes_count_what_the_rest_of_the_filter_leaves(open_run):
    run = open_run(case("a", P), case("b", F), case("c", E, error="x"), case("d", N))
    assert modes(run, ALL) == {
        "all": "All 4",
        "failures": "✗ Failures 2",
        "errors": "! Errors 1",
        "passes": "✓ Passes 1",
        "not_evaluated": "○ Not evaluated 1",
    }
    assert modes(run, RunQuery(mode="errors", text="x"))["passes"] == "✓ Passes 0"


def test_a_mode_that_is_on_is_offered_even_if_it_finds_nothing(open_run):
    assert "flaky" in modes(open_run(case("a", P)), RunQuery(mode="flaky"))


def test_the_list_says_how_many_of_how_many_it_is(open_run):
    run = open_run(case("a", P), case("b", F), case("b", P))
    assert found_text(page_of(run, ALL), run) == "all 2 cases, 3 results"
    some = page_of(run, RunQuery(mode="failures"))
    assert found_text(some, run) == "1 of 2 cases match, 1 of 3 results"
    run = open_run(case("a", P), case("b", F))
    assert found_text(page_of(run, RunQuery(mode="errors")), run) == "0 of 2 cases match"


def test_columns_are_the_two_checks_with_most_trouble_until_somebody_chooses(open_run):
    held = [score(evaluator="fine"), score(0, F, evaluator="bad"), score(evaluator="also fine")]
    run = open_run(case("a", F, held))
    assert columns_shown(run, ALL, None, None) == ["verdict", "metric:fine", "metric:bad"]
    assert columns_shown(run, ALL, None, ["metric:also fine", "gone"]) == ["metric:also fine"]
    about = RunQuery(metrics=(MetricFilter("also fine"),))
    assert "metric:also fine" in columns_shown(run, about, None, ["verdict"])


def test_columns_in_which_nothing_stands_are_not_offered(open_run):
    bare, full = open_run(case("a", P)), open_run(case("a", P, duration_s=1.0, total_tokens=4))
    assert "duration" not in columns_offered(bare, None)
    assert {"duration", "tokens"} <= set(columns_offered(full, None))


def test_plain_columns_show_means_over_repeats(open_run):
    run = open_run(
        case("a", P, duration_s=1.0, total_tokens=10, turns=[turn()]),
        case("a", P, duration_s=3.0, total_tokens=30, turns=[turn(), turn(index=1)]),
    )
    (fold,) = page_of(run, ALL).folds
    shown = [plain_cell(fold, c) for c in ("duration", "tokens", "turns", "tags")]
    assert shown == ["2.0 s", "20", "2", ""]


@pytest.fixture
def pair(open_run):
    old = open_run(
        graded("fell", 0.4), graded("fell far", 0.45), graded("fixed", 0.1), graded("same", 0.9),
        graded("broke", 0.9), graded("gone", 0.9), run_id="old",
    )  # fmt: skip
    new = open_run(
        graded("fell", 0.3), graded("fell far", 0.1), graded("fixed", 0.9), graded("same", 0.9),
        graded("broke", 0.45), graded("new", 0.2), run_id="new",
    )  # fmt: skip
    return new, compare(old, new)


def test_with_a_baseline_what_fell_most_comes_first_within_failures_and_passes(pair):
    run, compared = pair
    found = page_of(run, ALL, Baseline(compared))
    assert names(found) == ["broke", "fell far", "fell", "new", "same", "fixed"]
    assert change_of(found.folds[0]) == ("▼ −0.45", "broke")
    assert change_of(found.folds[3])[0] == "+"


def test_only_what_changed_leaves_the_rest_out_and_puts_what_broke_first(pair):
    run, compared = pair
    baseline = Baseline(compared, only=True)
    found = page_of(run, ALL, baseline)
    assert names(found) == ["broke", "fixed"]
    assert found.cases == 2
    assert narrowed(run, ALL, baseline).cases == {"broke", "fixed"}
    assert narrowed(run, ALL, Baseline(compared)) == ALL
    places = [fold.at for fold in found.folds]
    assert around(run, ALL, places[1], baseline) == (places[0], None)


def test_changed_cases_can_be_narrowed_further(pair):
    run, compared = pair
    found = page_of(run, RunQuery(mode="passes"), Baseline(compared, only=True))
    assert (names(found), found.cases) == (["fixed"], 1)


def test_repeats_are_held_against_a_baseline_as_one_case(open_run):
    old = open_run(case("a", P), case("a", P), case("b", F), case("b", F), run_id="old")
    new = open_run(case("a", F), case("a", F), case("b", F), case("b", F), run_id="new")
    found = page_of(new, ALL, Baseline(compare(old, new), only=True))
    assert names(found) == ["a"]
    assert len(found.folds[0].lines) == 2
