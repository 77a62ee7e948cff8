"""Markdown for a pull request: honest numbers, causes, and nothing from a file that renders."""

import re

import pytest

from evalcore.report.texts import markdown_cell, markdown_code
from evalcore.results import CaseResult, Verdict
from evalcore.stats import rate_interval
from evalcore.store import RunQuery
from tests.report.runs import (
    ERROR,
    FAILED,
    NASTY,
    PASSED,
    case,
    exported,
    hostile,
    many,
    ordinary,
    score,
    stored,
    turn,
)


def text(run, query: RunQuery | None = None) -> str:
    return exported("md", run, query).decode()


def without_code(markdown: str) -> str:
    """Return what stands outside of code spans, as CommonMark finds them."""
    return re.sub(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", "CODE", markdown)


def test_the_summary_says_how_many_of_how_many_and_how_sure():
    assert text(ordinary()).splitlines()[:4] == [
        "## ! `Refunds`: 66.7 % (4 of 6) passed",
        "",
        "95 % interval 24.5–92.5 % (Wilson). 6 of 8 scored; not in the rate: 1 error, "
        "1 not evaluated.",
        "",
    ]


def test_the_interval_is_wilsons():
    cases = [case(f"c{n}", PASSED if n < 18 else FAILED) for n in range(20)]
    found = rate_interval(18, 20)
    assert found.low is not None and found.high is not None
    shown = f"{found.low * 100:.1f}–{found.high * 100:.1f} % ({found.method})"
    assert shown == "69.9–97.2 % (Wilson)"
    assert f"95 % interval {shown}. 20 of 20 scored." in text(stored(cases))


def test_failures_are_grouped_by_cause_and_the_worst_cases_named():
    found = text(ordinary())
    assert "### Why (1 error, 2 failed)\n\n- 2 × `Words: # of # words`\n" in found
    assert "- 1 × `missing tool call: refund`" in found
    assert found.index("- ! `crashes`: `error: Timeout after # s`") < found.index("- ✗ `refunds`")
    assert "- ✗ `flips (repeat 2)`" in found


def test_a_part_of_a_run_is_called_so():
    found = text(ordinary(), RunQuery(mode="failures"))
    assert "This is a part: `3 of the run's 8 case results: only failures and errors`" in found


def test_a_run_without_failures_names_none():
    found = text(stored([case("a", PASSED)]))
    assert "###" not in found
    assert found.startswith("## ✓ `Refunds`: 100 % (1 of 1) passed\n")


def test_nothing_from_a_file_renders():
    rest = without_code(text(hostile()))
    assert not re.search(r"<\w|\]\(|!\[|@|https?:|javascript|\x1b|\x00", rest)
    table = [line for line in rest.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {8}


@pytest.mark.parametrize(
    "nasty", [NASTY, "`", "``", "a`b``c", "|", "\\|", " ", "", "\n\n# x", "\u2028"]
)
def test_any_text_is_one_code_span(nasty: str):
    assert without_code(markdown_code(nasty)) == "CODE"
    assert "\n" not in markdown_code(nasty)
    assert "|" not in markdown_cell(nasty)


def test_a_large_run_is_still_a_page():
    words = ("red", "green", "blue")
    cases = []
    for n in range(42):
        why = f"too {words[n % 3]} " * 500
        checks = [score(f"check {k}", 0.1, FAILED, reason=why) for k in range(60)]
        cases.append(case(f"c{n}" * 200, FAILED, turn("a", "b", "c", *checks)))
    found = text(stored(cases))
    assert len(found) < 20_000
    assert "and 40 more checks." in found
    assert "- and further causes" in found
    assert "- and 32 more" in found


def test_many_results_are_counted_with_separated_thousands():
    assert "2,100 of 2,100 scored" in text(stored(many(2_100)))


def test_a_file_that_contradicts_itself_is_told_on():
    from evalcore.results import Run

    run = stored(
        [CaseResult(origin="", case_id="a", verdict=Verdict.FAILED)],
        run=Run(format_id="adk", stored_status="passed"),
    )
    assert "> Caution: The result file says passed; counting its cases gives failed." in text(run)


def test_a_run_of_errors_only_has_no_rate():
    found = text(stored([case("a", ERROR)]))
    assert found.startswith("## ! `Refunds`: nothing was scored\n")
    assert (
        "Nothing was judged, so there is no rate. 0 of 1 scored; not in the rate: 1 error." in found
    )
