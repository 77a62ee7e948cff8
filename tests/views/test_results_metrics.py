from datetime import UTC, datetime, timedelta

import pytest

from evalcore.counting import build
from evalcore.results import PERCENT, UNIT, Verdict
from evalcore.verdicts import PassMark
from evalcore.views.metrics import summarise
from evalcore.views.report_card import report_card, when
from tests.views.runs import E, F, N, P, case, run, score, turn


def summary(*cases, **more):
    return summarise(build(run(*cases, **more)))[0]


def test_a_check_is_summed_up_over_cases_with_its_denominators():
    found = summary(
        case("a", P, [score(1.0)]),
        case("b", F, [score(0.4, F)]),
        case("c", E, [score(None, E)]),
        case("d", N, [score(None, N)]),
        case("e", P),
    )
    assert (len(found.values), found.total, found.skipped) == (2, 5, 1)
    assert (found.mean, found.low, found.high) == (0.7, 0.4, 1.0)
    assert str(found.rate) == "50.0 % (1 of 2)"
    assert found.counts == {P: 1, F: 1, E: 1, N: 1}
    assert found.thresholds == (0.8,)


def test_an_error_is_not_a_zero():
    found = summary(case("a", P, [score(1.0)]), case("b", E, [score(0.0, E)]))
    assert (found.mean, found.values) == (1.0, (1.0,))


def test_a_case_counts_once_however_many_turns_it_has():
    found = summary(
        case("a", turns=[turn(score(1.0)), turn(score(0.2, F))]), case("b", P, [score()])
    )
    assert (found.total, found.values, found.from_turns) == (2, (0.2, 1.0), True)


def test_two_scales_are_never_averaged():
    mixed = [score(0.5, scale=UNIT), score(0.5, native=50.0, scale=PERCENT)]
    found = summary(case("a", P, mixed[:1]), case("b", P, mixed[1:]))
    assert found.is_mixed
    assert (found.mean, found.low, found.high) == (None, None, None)


def test_a_score_that_is_no_number_is_left_out_of_the_mean():
    found = summary(case("a", P, [score(1.0)]), case("b", F, [score(float("nan"), F)]))
    assert (found.mean, found.counts[F]) == (1.0, 1)


def test_several_thresholds_are_all_named():
    found = summary(case("a", P, [score(threshold=0.5)]), case("b", P, [score(threshold=0.75)]))
    assert found.thresholds_text == "0.50, 0.75"


def test_the_users_mark_is_the_threshold_where_the_file_has_none():
    plain = score(0.5, None, None, native=50.0, scale=PERCENT)
    view = build(run(case("a", scores=[plain]), has_pass_rule=False), PassMark(0.9))
    assert summarise(view)[0].thresholds == (90.0,)


def test_informational_checks_come_last_and_have_no_verdicts():
    tokens = score(812.0, None, None, evaluator="tokens", informational=True, scale=None)
    found = summarise(build(run(case("a", F, [tokens, score(0.1, F)]))))
    assert [s.metric.key for s in found] == ["response", "tokens"]
    assert not found[1].counts


def test_the_check_with_most_trouble_comes_first():
    good, bad = score(evaluator="good"), score(0.0, F, evaluator="bad")
    assert [s.metric.key for s in summarise(build(run(case("a", F, [good, bad]))))] == [
        "bad",
        "good",
    ]


def test_the_card_counts_what_the_file_holds_and_names_what_is_left_out():
    cases = [case(f"p{i}", P, [score()]) for i in range(18)]
    cases += [case("f", F, [score(0.1, F)]), case("g", F, [score(0.2, F)])]
    cases += [case("e", E, error="boom"), case("n", N)]
    card = report_card(build(run(*cases)))
    assert str(card.rate) == "90.0 % (18 of 20)"
    assert card.rate.interval == pytest.approx((0.6990, 0.9721), abs=5e-5)
    assert card.left_out == "not in the rate: 1 error, 1 not evaluated"
    assert (card.total, card.status) == (22, E)


def test_repeats_are_said_and_the_interval_rests_on_cases():
    view = build(run(*(case(name, P, [score()]) for name in "ababab")))
    card = report_card(view)
    assert (card.rate.judged, card.rate.independent) == (6, 2)
    assert any("6 results of 2 cases: some ran several times" in c for c in card.cautions)


def test_a_stored_status_that_the_cases_do_not_give_is_said():
    card = report_card(build(run(case("a", P, [score()]), stored_status="FAILED")))
    assert card.disagreements == ("The file says failed; counting its cases gives passed.",)


def test_an_agreeing_or_unknown_status_is_no_contradiction():
    for word in ("passed", "completed", ""):
        assert not report_card(build(run(case("a", P), stored_status=word))).disagreements


def test_a_mark_of_ones_own_is_called_that():
    card = report_card(build(run(case("a"), has_pass_rule=False), PassMark(0.7)))
    assert "0.7 of 1, a mark you set here" in card.mark
    assert report_card(build(run(case("a")))).mark == ""


def test_known_tokens_and_durations_are_added_up_and_unknown_ones_are_not_zero():
    card = report_card(build(run(case("a", total_tokens=5, duration_s=1.5), case("b"))))
    assert (card.tokens, card.duration_s) == (5, 1.5)
    assert report_card(build(run(case("a")))).tokens is None


def test_a_moment_is_told_in_utc_with_its_age():
    then = datetime(2026, 11, 30, 12, 5, tzinfo=UTC)
    assert when(then, then + timedelta(hours=3)) == "30 Nov 2026, 12:05 UTC, 3 h ago"
    assert when(then, then + timedelta(days=90)) == "30 Nov 2026, 12:05 UTC"
    assert when(then.replace(day=9)) == "9 Nov 2026, 12:05 UTC"
    assert when(None) == "time not recorded"
    assert when(then.replace(tzinfo=None)) == "30 Nov 2026, 12:05 UTC"


def test_the_card_of_an_empty_run_is_no_pass():
    card = report_card(build(run()))
    assert (card.status, card.rate.share, card.total) == (Verdict.NOT_EVALUATED, None, 0)
