"""The page of one case result, run without a browser: its tabs, its repeats, its history."""

import json

import pytest

from tests.pages.conftest import words
from tests.pages.reports import RESULTS, addressed, call, check, eval_set, report, result

EVAL = "<script>alert(1)</script> ![pic](http://evil.test/x.png) \x00\x1b[31m"


@pytest.fixture
def reports(folder):
    def write(*made):
        (folder / "refunds.evalset.json").write_text(json.dumps(eval_set()))
        (folder / "eval_reports").mkdir(exist_ok=True)
        for number, each in enumerate(made):
            path = f"eval_reports/refunds_2026112{number}_101500.json"
            (folder / path).write_text(json.dumps(each))
        return path

    return write


@pytest.fixture
def open_case(open_page):
    def opened(path, case="", tab="", **query):
        at = open_page("results", file=path, case=case, **query)
        if tab:
            at.session_state["results.tabs"] = tab
            at.run()
        assert not at.exception, at.exception
        return at

    return opened


def test_every_tab_of_a_failed_case_opens(reports, open_case):
    path = reports(report(*RESULTS))
    for tab, told in (
        ("Conversation", "I refunded"),
        ("Scores", "0.799 of at least 0.80"),
        ("Trace", "no events were recorded"),
        ("History", "No other run here has this case"),
        ("Raw", '"eval_id": "bad"'),
    ):
        at = open_case(path, "bad", tab)
        assert told in words(at).replace("\\", ""), tab


def test_the_history_names_the_run_that_broke_the_case(reports, open_case):
    fine = result("bad", "I refunded 24 EUR.", check("rouge_match", 0.95))
    runs = [report(fine, timestamp=1796033700.5 + day, metadata={"day": day}) for day in range(2)]
    wrong = result("bad", "No.", check("rouge_match", 0.1))
    path = reports(*runs, report(wrong, timestamp=1796133700.5))
    assert "Broken since" in words(open_case(path, "bad", "History"))


def test_repeats_have_a_dot_each_and_their_answers_are_counted(reports, open_case):
    said = ["yes", "no", "yes"]
    path = reports(report(*(result("same", text, check("rouge_match", 0.9)) for text in said)))
    at = open_case(path, "same")
    dots = [b for b in at.button if (b.key or "").startswith("results.repeat ")]
    assert [dot.label for dot in dots] == ["●", "●", "●"]
    at.button(key="results.answers").click().run()
    assert "2 passed" in words(at)
    dots[1].click().run()
    assert {n: addressed(at, n) for n in ("case", "repeat")} == {"case": "same", "repeat": "2"}


def test_identical_repeats_are_warned_about(reports, open_case):
    path = reports(report(*(result("same", "yes", check("rouge_match", 0.9)) for _ in range(3))))
    assert "the very same answer" in words(open_case(path, "same"))


def test_what_is_hostile_is_shown_as_it_stands_in_every_tab(reports, open_case):
    made = result(EVAL, EVAL, check(EVAL, 7.0), said=EVAL, calls=[call(EVAL, **{EVAL: EVAL})])
    path = reports(report(made))
    for tab in ("Conversation", "Scores", "Trace", "History", "Raw"):
        at = open_case(path, "", tab)
        html = "\n".join(str(e.value) for e in at.get("html"))
        assert "<script" not in html
        assert "<img" not in html
        assert "Something went wrong in Evaldesk itself" not in words(at)
