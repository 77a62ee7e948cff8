"""The Results page, run without a browser, on a 10xGraph report whose set lies beside it."""

import json

import pytest

from tests.pages.conftest import words
from tests.pages.reports import RESULTS, addressed, call, check, report, result


def test_a_failing_turn_shows_expected_beside_actual(open_run, reports):
    reports(report(*RESULTS))
    told = words(open_run(case="bad"))
    assert "I refunded <del>24</del> EUR." in told
    assert "I refunded <ins>42</ins> EUR." in told
    assert "from refunds.evalset.json, as it is today" in told
    assert "order: expected &quot;A-17&quot;, got &quot;B-90&quot;" in told


def test_next_walks_through_the_list(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    at.button(key="results.next").click().run()
    assert addressed(at, "case") == "bad"
    at.button(key="results.previous").click().run()
    assert addressed(at, "case") == "crash"
    assert at.button(key="results.previous").disabled


def test_a_case_that_the_filter_leaves_out_stays_open_and_says_so(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(case="good", verdict="failed")
    assert "the filter leaves it out" in words(at)
    at.button(key="results.next").click().run()
    assert addressed(at, "case") == "crash"


def test_scores_and_thresholds_never_look_equal(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(case="bad")
    at.session_state["results.tabs"] = "Scores"
    at.run()
    assert "0.799 of at least 0.80" in words(at)
    assert "rouge_match scored 0.799" in words(at)


def test_raw_shows_the_result_with_its_file_and_line(open_run, reports):
    path = reports(report(*RESULTS))
    at = open_run(case="good")
    at.session_state["results.tabs"] = "Raw"
    at.run()
    assert path in words(at)
    assert ", line 5" in words(at)
    assert any('"eval_id": "good"' in code.value for code in at.code)


def test_a_case_opens_in_author_where_its_set_is_here(open_run, reports):
    reports(report(*RESULTS))
    assert open_run(case="bad").button(key="results.author").label == "Open case"
    keys = [b.key for b in open_run(case="idle").button]
    assert "results.author" not in keys


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/leak)",
        "<img src=https://evil.example/x><script>alert(1)</script>",
        "\ud800 \x00 \x1b[31m \u202e",
        "#2",
        "",
        "x" * 5000,
    ],
)
def test_hostile_text_stays_text(open_run, reports, text):
    hostile = result(text, text, check(text or "c", 0.1), said=text, calls=[call(text, k=text)])
    reports(report(hostile, RESULTS[0], eval_set_name=text))
    at = open_run()
    told = words(at)
    assert "<script>" not in told
    assert "<img" not in told
    for name in ("Scores", "Raw"):
        at.session_state["results.tabs"] = name
        at.run()
        assert not at.exception
    assert "Something went wrong" not in words(at)


@pytest.mark.parametrize("case", ["bad", "without expectation"])
def test_a_long_reply_is_cut_and_can_be_shown_in_full(open_run, reports, case):
    long = "word " * 10_000 + "the end"
    reports(report(result(case, long, check("rouge_match", 0.1))))
    at = open_run()
    assert "the end" not in words(at)
    assert "50\\.0 k characters" in words(at)
    at.toggle[0].set_value(True).run()
    assert "the end" in words(at)


def test_a_file_of_json_within_json_is_unfolded_for_the_raw_view(open_page, folder):
    history = folder / "app" / ".adk" / "eval_history"
    history.mkdir(parents=True)
    inner = {
        "eval_set_result_id": "r",
        "eval_set_id": "refunds",
        "eval_case_results": [
            {
                "eval_set_id": "refunds",
                "eval_id": "simple",
                "final_eval_status": 1,
                "overall_eval_metric_results": [],
                "eval_metric_result_per_invocation": [],
                "session_id": "s",
            }
        ],
        "creation_timestamp": 1796033700.5,
    }
    path = "app/.adk/eval_history/r.evalset_result.json"
    (folder / path).write_text(json.dumps(json.dumps(inner)))
    at = open_page("results", file=path)
    at.session_state["results.tabs"] = "Raw"
    at.run()
    assert '"eval_id": "simple"' in at.code[-1].value
