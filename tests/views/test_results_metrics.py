from datetime import UTC, datetime, timedelta

import pytest

from evalcore.results import PERCENT, UNIT, Verdict
from evalcore.store import RunQuery
from evalcore.verdicts import PassMark
from evalcore.views import metrics
from evalcore.views.metrics import check_lines
from evalcore.views.report_card import report_card, took_text, when
from tests.store.builders import store_in, stored
from tests.views.runs import E, F, N, P, case, score, turn

ALL = RunQuery()


@pytest.fixture
def open_run(tmp_path):
    def opened(*cases, **more):
        return stored(store_in(tmp_path), cases, **more)

    return opened


@pytest.fixture
def line(open_run):
    def only(*cases, **more):
        return check_lines(open_run(*cases, **more), ALL)[0]

    return only


def test_a_check_is_summed_up_over_cases_with_its_denominators(line):
    found = line(
        case("a", P, [score(1.0)]),
        case("b", F, [score(0.4, F)]),
        case("c", E, [score(None, E)]),
        case("d", N, [score(None, N)]),
        case("e", P),
    )
    assert (found.scored, found.total) == (2, 5)
    assert (found.mean_text, found.range_text) == ("0.70", "0.40 – 1.00 on 0–1")
    assert str(found.rate) == "50.0 % (1 of 2)"
    assert found.counts == {P: 1, F: 1, E: 1, N: 1}
    assert (found.thresholds, found.thresholds_text) == ((0.8,), "0.80")


def test_an_error_is_not_a_zero(line):
    found = line(case("a", P, [score(1.0)]), case("b", E, [score(0.0, E)]))
    assert (found.mean_text, found.scored) == ("1.00", 1)


def test_a_case_counts_once_however_many_turns_it_has(line):
    found = line(
        case("a", turns=[turn(score(1.0)), turn(score(0.2, F), index=1)]), case("b", P, [score()])
    )
    assert (found.scored, found.mean_text) == (2, "0.60")


def test_the_interval_of_a_mean_rests_on_cases_and_not_on_their_repeats(line):
    found = line(*(case(name, P, [score(v)]) for name, v in zip("abab", (0, 1, 0, 1), strict=True)))
    assert (found.mean.n, found.mean.method) == (2, "bootstrap, by case")
    assert found.rate.independent == 2


def test_many_cases_have_the_normal_interval(line):
    cases = [case(str(n), P, [score(n % 2 / 1)]) for n in range(metrics.BOOTSTRAP_UP_TO + 2)]
    found = line(*cases)
    assert found.mean.method == "normal, by case"
    assert found.mean.low == pytest.approx(0.4563, abs=1e-3)


def test_one_case_has_a_mean_and_no_interval(line):
    found = line(case("a", P, [score(0.9)]))
    assert (found.mean_text, found.interval_text) == ("0.90", "")


def test_numbers_stand_on_the_checks_own_scale(line):
    fifty = score(0.5, F, native=50.0, scale=PERCENT, threshold=80.0)
    found = line(case("a", F, [fifty]), case("b", F, [fifty]))
    assert (found.mean_text, found.thresholds_text) == ("50", "80")
    assert found.thresholds == (0.8,)
    assert found.range_text == "50 – 50 on 0–100"


def test_scores_on_two_scales_are_shown_as_shares(line):
    mixed = [score(0.5, scale=UNIT), score(0.5, native=50.0, scale=PERCENT)]
    found = line(case("a", P, mixed[:1]), case("b", P, mixed[1:]))
    assert found.mean_text == "0.50"


def test_a_score_never_looks_equal_to_its_threshold(open_run):
    run = open_run(case("a", F, [score(0.7999, F)]))
    metric = run.metrics[0]
    assert metrics.shown(metric, 0.7999, 0.8) == "0.7999"
    assert metrics.shown(metric, 0.8, 0.8) == "0.80"


def test_a_number_that_32_bits_cannot_hold_reads_as_it_was_written():
    import numpy as np

    assert metrics.plain(float(np.float32(0.7))) == 0.7


def test_several_thresholds_are_all_named(line):
    found = line(case("a", P, [score(threshold=0.5)]), case("b", P, [score(threshold=0.75)]))
    assert found.thresholds_text == "0.50, 0.75"


def test_the_users_mark_is_the_threshold_where_the_file_has_none(line):
    plain = score(0.5, None, None, native=50.0, scale=PERCENT)
    found = line(case("a", scores=[plain]), has_pass_rule=False, mark=PassMark(0.9))
    assert (found.thresholds, found.thresholds_text) == ((0.9,), "90")


def test_informational_checks_come_last_and_have_no_verdicts(open_run):
    tokens = score(812.0, None, None, evaluator="tokens", informational=True, scale=None)
    found = check_lines(open_run(case("a", F, [tokens, score(0.1, F)])), ALL)
    assert [each.metric.key for each in found] == ["response", "tokens"]
    assert (found[1].counts, found[1].thresholds) == ({}, ())
    assert found[1].mean_text == "812"


def test_the_check_with_most_trouble_comes_first(open_run):
    good, bad = score(evaluator="good"), score(0.0, F, evaluator="bad")
    found = check_lines(open_run(case("a", F, [good, bad])), ALL)
    assert [each.metric.key for each in found] == ["bad", "good"]


def test_a_filter_narrows_every_number_of_a_check(open_run):
    run = open_run(case("a", P, [score(1.0)]), case("b", F, [score(0.4, F)]))
    (found,) = check_lines(run, RunQuery(mode="failures"))
    assert (found.scored, found.total, found.mean_text) == (1, 1, "0.40")


def test_the_card_counts_what_the_file_holds_and_names_what_is_left_out(open_run):
    cases = [case(f"p{i}", P, [score()]) for i in range(18)]
    cases += [case("f", F, [score(0.1, F)]), case("g", F, [score(0.2, F)])]
    cases += [case("e", E, error="boom"), case("n", N)]
    card = report_card(open_run(*cases))
    assert str(card.rate) == "90.0 % (18 of 20)"
    assert card.rate.interval == pytest.approx((0.6990, 0.9721), abs=5e-5)
    assert card.interval_text == "95 % interval 69.9–97.2 % (Wilson, 20 cases)"
    assert card.scored_text == "20 of 22 scored; 1 error and 1 not evaluated left out"
    assert card.of_all_text == "passed of all 81.8 % (18 of 22)"
    assert (card.total, card.status) == (22, E)


def test_a_run_in_which_all_were_scored_says_so(open_run):
    card = report_card(open_run(case("a", P, [score()]), case("b", P, [score()])))
    assert (card.scored_text, card.of_all_text) == ("all 2 of 2 scored", "")


def test_repeats_are_said_and_the_interval_rests_on_cases(open_run):
    card = report_card(open_run(*(case(name, P, [score()]) for name in "ababab")))
    assert (card.rate.judged, card.rate.independent, card.repeats) == (6, 2, 3)
    assert card.interval_text.endswith("(Wilson, 2 cases)")


def test_pass_hat_k_is_a_dash_where_no_case_ran_so_often(open_run):
    assert report_card(open_run(case("a", P))).hats == ((1, 1.0), (2, None))
    assert report_card(open_run(case("a", P))).hats_text == "pass^1 100.0 %   pass^2 –"


def test_pass_hat_k_is_that_of_the_cases_without_bias(open_run):
    ran = [case("a", P if n < 8 else F) for n in range(10)]
    assert dict(report_card(open_run(*ran)).hats)[5] == pytest.approx(0.22222, abs=1e-5)


def test_an_errored_repeat_is_no_failed_one_in_pass_hat_k(open_run):
    card = report_card(open_run(case("a", P), case("a", P), case("a", E, error="x")))
    assert dict(card.hats) == {1: 1.0, 2: 1.0, 3: None}


def test_flaky_cases_are_counted_once_each(open_run):
    card = report_card(open_run(case("a", P), case("a", F), case("b", P), case("b", P)))
    assert card.flaky == 1


def test_the_smallest_difference_that_can_be_seen_is_told_in_words(open_run):
    card = report_card(open_run(*(case(str(n), P) for n in range(120))))
    assert card.visible_text == "120 cases: a run must differ by about 11 points for it to show"
    assert "too few" in report_card(open_run(case("a", P))).visible_text


def test_a_stored_status_that_the_cases_do_not_give_is_said(open_run):
    card = report_card(open_run(case("a", P, [score()]), stored_status="FAILED"))
    assert card.cautions == ("The file says failed; counting its cases gives passed.",)


@pytest.mark.parametrize("word", ["passed", "completed", ""])
def test_an_agreeing_or_unknown_status_is_no_contradiction(open_run, word):
    assert not report_card(open_run(case("a", P), stored_status=word)).cautions


def test_thresholds_settings_and_versions_are_facts_of_the_card(open_run):
    more = {"versions": {"evaldesk": "1.2"}, "evaluators": {"response": "abcdef0123456789"}}
    facts = dict(report_card(open_run(case("a", P, [score()]), **more)).facts)
    assert facts["response"] == "threshold 0.80 · settings abcdef012345"
    assert facts["Version of evaldesk"] == "1.2"
    assert facts["Content of the set"] == "not at hand"


def test_known_tokens_and_durations_are_told_and_unknown_ones_are_not_zero(open_run):
    known = open_run(case("a", total_tokens=5, duration_s=1.5), case("b"))
    assert took_text(known.manifest) == "1.5 s · 5 tokens"
    assert "not recorded" in took_text(open_run(case("a")).manifest)


def test_a_moment_is_told_in_utc_with_its_age():
    then = datetime(2026, 11, 30, 12, 5, tzinfo=UTC)
    assert when(then, then + timedelta(hours=3)) == "30 Nov 2026, 12:05 UTC, 3 h ago"
    assert when(then, then + timedelta(days=90)) == "30 Nov 2026, 12:05 UTC"
    assert when(then.replace(day=9)) == "9 Nov 2026, 12:05 UTC"
    assert when(None) == "time not recorded"
    assert when(then.replace(tzinfo=None)) == "30 Nov 2026, 12:05 UTC"


def test_the_card_of_an_empty_run_is_no_pass(open_run):
    card = report_card(open_run())
    assert (card.status, card.rate.share, card.total) == (Verdict.NOT_EVALUATED, None, 0)
    assert card.interval_text == "nothing was scored, so there is no rate"


def test_verdicts_of_the_file_that_the_scores_do_not_give_are_counted_and_named(open_run):
    wrong = [case(name, P, [score(0.1, F)]) for name in "abcdefg"]
    fine = [case("x", P, [score()]), case("y", F, [score(0.1, F)]), case("z", P)]
    assert report_card(open_run(*wrong, *fine)).cautions == (
        "7 case results have a verdict in the file that the scores do not give: "
        "a, b, c, d, e and 2 more.",
    )
    assert report_card(open_run(*fine, run_id="fine")).cautions == ()
    assert report_card(open_run(wrong[0], run_id="one")).cautions == (
        "1 case result has a verdict in the file that the scores do not give: a.",
    )
