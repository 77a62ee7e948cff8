"""A judge is held against what people said, and no rate is corrected on half of the evidence."""

import pytest

from evalcore.compare import judge_reports, labels_of
from evalcore.compare.judging import Label
from evalcore.results import Verdict
from evalcore.review import Entry, Finding
from evalcore.stats import corrected_rate
from evalcore.store import MetricSummary, VerdictCounts
from tests.store.builders import manifest

P, F, E = Verdict.PASSED, Verdict.FAILED, Verdict.ERROR


def entry(case_id="a", **more):
    return Entry(**{"case_id": case_id, "run": "r", "reviewer": "Ana", **more})


def labelled(*entries, judge=None):
    found = labels_of(entries, lambda _: judge)
    return [(x.check, x.judge_passed, x.person_passed) for x in found.found], dict(found.left_out)


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({"finding": Finding.AGENT_WRONG, "original": F}, ("", False, False)),
        ({"finding": Finding.AGENT_WRONG, "original": P}, ("", True, False)),
        ({"finding": Finding.JUDGE_WRONG, "original": F}, ("", False, True)),
        ({"finding": Finding.JUDGE_WRONG, "original": P}, ("", True, False)),
        ({"kind": "override", "verdict": P, "original": F}, ("", False, True)),
        (
            {"kind": "override", "verdict": F, "original": F, "evaluator": "judge"},
            ("judge", False, False),
        ),
    ],
)
def test_what_a_review_says_of_the_judge(said, wanted):
    assert labelled(entry(**said)) == ([wanted], {})


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"finding": Finding.EXPECTATION_WRONG, "original": F}, "the expectation was wrong"),
        ({"finding": Finding.AMBIGUOUS, "original": F}, "ambiguous"),
        ({"finding": Finding.AGENT_WRONG}, "the judge's verdict is not known"),
        ({"finding": Finding.AGENT_WRONG, "original": E}, "the judge's verdict is not known"),
        ({"kind": "override", "verdict": E, "original": F}, "neither passed nor failed"),
    ],
)
def test_what_says_nothing_of_the_judge_is_left_out_and_counted(said, why):
    assert labelled(entry(**said)) == ([], {why: 1})


def test_the_run_says_what_the_judge_said_where_the_review_does_not():
    assert labelled(entry(finding=Finding.AGENT_WRONG), judge=F) == ([("", False, False)], {})


def test_the_newest_word_counts_and_an_override_above_a_finding():
    first = entry(finding=Finding.AGENT_WRONG, original=F)
    second = entry(finding=Finding.JUDGE_WRONG, original=F)
    override = entry(kind="override", verdict=P, original=F)
    assert labelled(first, second)[0] == [("", False, True)]
    assert labelled(second, first)[0] == [("", False, False)]
    assert labelled(override, first)[0] == [("", False, True)]
    assert len(labelled(first, entry("b", finding=Finding.AGENT_WRONG, original=F))[0]) == 2


def labels(pp, pf, fp, ff, check="", run="r"):
    table = ((True, True, pp), (True, False, pf), (False, True, fp), (False, False, ff))
    return [Label(check, run, judge, person) for judge, person, n in table for _ in range(n)]


def run_of(passed, failed, run_id="r", **more):
    counts = VerdictCounts(passed=passed, failed=failed)
    return manifest(run_id, cases=counts, distinct=passed + failed, **more)


def test_a_sample_of_all_results_gives_the_plain_rogan_gladen_rate():
    # 80 of 100 are passed, and so are 80 of the 100 that were reviewed.
    run = run_of(80, 20)
    (report,) = judge_reports(labels(76, 4, 2, 18), [run], run)
    sensitivity, specificity = 76 / 78, 18 / 22
    assert report.sensitivity == pytest.approx(sensitivity)
    assert report.specificity == pytest.approx(specificity)
    assert report.corrected.estimate == pytest.approx(corrected_rate(0.8, sensitivity, specificity))
    assert report.corrected.estimate == pytest.approx(0.78)
    assert report.corrected.low < 0.78 < report.corrected.high
    assert report.agreement.rate == 0.94


def test_reviewing_mostly_failures_does_not_bend_the_rate():
    run = run_of(80, 20)
    (all_alike,) = judge_reports(labels(76, 4, 2, 18), [run], run)
    (failures_first,) = judge_reports(labels(19, 1, 2, 18), [run], run)
    assert failures_first.corrected.estimate == pytest.approx(all_alike.corrected.estimate)
    assert failures_first.corrected.high - failures_first.corrected.low > (
        all_alike.corrected.high - all_alike.corrected.low
    )


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ((0, 0, 2, 18), "No result that the judge passed was reviewed"),
        ((19, 1, 0, 0), "No result that the judge failed was reviewed"),
        ((5, 0, 5, 0), "Reviewers let no result fail"),
        ((0, 5, 0, 5), "Reviewers let no result pass"),
        ((2, 18, 18, 2), "no better than chance"),
    ],
)
def test_without_the_evidence_there_is_no_corrected_rate(table, why):
    run = run_of(50, 50)
    (report,) = judge_reports(labels(*table), [run], run)
    assert report.corrected is None
    assert why in report.why


def test_a_check_is_corrected_by_its_own_counts_and_another_run_by_the_same_power():
    metric = MetricSummary(
        key="j", label="Judge", column=0, counts=VerdictCounts(passed=60, failed=40)
    )
    old = run_of(1, 99, "old", metrics=(metric,))
    newest = run_of(1, 99, "new", metrics=(metric.model_copy(update={"counts": old.cases}),))
    (report,) = judge_reports(labels(30, 0, 1, 20, "j", "old"), [old, newest], newest)
    assert report.judged_rate == 0.01
    assert report.sensitivity == pytest.approx(0.6 / (0.6 + 0.4 / 21))
    assert report.specificity == 1.0
    assert report.corrected.estimate == pytest.approx(0.01 / report.sensitivity)
