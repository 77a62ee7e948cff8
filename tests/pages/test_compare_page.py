"""The Compare page, run without a browser, on runs in the workspace's own store."""

from datetime import UTC, datetime

import pytest

from evalcore.model import ToolCall
from evalcore.results import InvocationResult
from evalcore.review import Entry, Finding, append
from evalcore.store import CaseFacts, SetFacts
from evalcore.workspace import Workspace
from pages._compare.trends import SILENT_CASES, STEADY_CHECKS
from tests.pages.conftest import words
from tests.store.builders import E, F, P, case, score, store_in, stored


def answered(name, verdict, value, reply="It is in Porto.", repeat=0):
    turn = InvocationResult(
        origin="/t",
        index=0,
        input="Where is it?",
        expected_output="It is in Porto.",
        actual_output=reply,
        actual_tool_calls=(ToolCall(name="look_up", args={"reply": reply}),),
        scores=(score(value, verdict), score(value / 2, P, ref="judge")),
    )
    return case(name, verdict=verdict, invocations=(turn,), repeat=repeat)


FACTS = [CaseFacts(("money",), {"lang": "de"}), CaseFacts(("post",), {"lang": "en"})] * 3
VERDICTS = {"base": [P, P, F, F, P, P], "next": [P, F, P, P, P, E], "third": [F, F, F, F, P, P]}


@pytest.fixture
def runs(folder):
    store = store_in(folder / ".evaldesk" / "runs")
    for number, (run_id, verdicts) in enumerate(VERDICTS.items()):
        results = [
            answered(f"c{i}", v, 0.9 if v is P else 0.2, f"Reply {run_id}")
            for i, v in enumerate(verdicts)
        ]
        stored(
            store,
            results,
            run_id,
            FACTS,
            name=f"Run {run_id}",
            eval_set=SetFacts(path="s.evalset.json", id="s", name="Support", content=str(number)),
            started_at=datetime(2026, 11, 1 + number, tzinfo=UTC),
        )
    return folder


def test_the_sentence_and_the_counts_are_those_of_the_runs(runs, open_page):
    at = open_page("compare", runs="base,next")
    said = words(at)
    assert "B fixed 2 and broke 1 of 5 cases; not enough to tell (p = 1.000)." in said
    assert "The set has changed between the runs" in said
    assert "0 only in A, 0 only in B, 1 not comparable" in said


def test_without_a_choice_the_two_newest_runs_of_a_set_are_offered(runs, open_page):
    at = open_page("compare")
    assert "The newest run beside the one before" in [s.value for s in at.subheader]


def test_an_empty_workspace_teaches(folder, open_page):
    said = words(open_page("compare"))
    assert "There are no runs yet" in said
    assert "evaldesk score" in said


def test_another_baseline_turns_the_sentence_round(runs, open_page):
    at = open_page("compare", runs="base,next")
    at.button(key="compare.base next").click().run()
    assert not at.exception
    assert "B fixed 1 and broke 2 of 5 cases" in words(at)


def test_taking_a_run_away_leaves_the_others(runs, open_page):
    at = open_page("compare", runs="base,next,third")
    assert "2 comparisons with one baseline" in words(at).replace("\\", "")
    at.button(key="compare.remove next").click().run()
    assert not at.exception
    assert "B fixed 0 and broke 2 of 6 cases" in words(at)


def test_a_run_that_is_gone_is_told_and_can_be_left_out(runs, open_page):
    at = open_page("compare", runs="base,gone,next")
    assert "There is no run gone" in words(at).replace("\\", "")
    assert "B fixed 2 and broke 1 of 5 cases" in words(at)


def test_a_case_shows_both_answers(runs, open_page):
    said = words(open_page("compare", runs="base,next", case="c1"))
    for part in ("Reply of A", "Reply of B", "<del>base</del>", "<ins>next</ins>", "look_up"):
        assert part in said
    assert "other arguments" in said


@pytest.mark.parametrize("outcome", ["broke", "fixed", "same", "not_comparable", "nonsense"])
def test_an_outcome_can_be_asked_for_after_another(runs, open_page, outcome):
    at = open_page("compare", runs="base,next")
    at.query_params["outcome"] = outcome
    at.run()
    assert "Something went wrong" not in words(at)


def test_a_case_that_neither_run_has_is_told(runs, open_page):
    at = open_page("compare", runs="base,next", case="nobody")
    assert any("Neither run has the case nobody" in w.value for w in at.warning)


def test_a_margin_is_answered(runs, open_page):
    at = open_page("compare", runs="base,third", margin="5")
    assert "no worse by more than 5 points is not shown" in words(at)


def test_a_link_to_runs_leads_there_from_the_trends_too(runs, open_page):
    at = open_page("compare", view="trends")
    assert at.tabs[0].label == "Over time"
    at.query_params.clear()
    at.query_params["runs"] = "base,next"
    at.run()
    assert "B fixed 2 and broke 1 of 5 cases" in words(at)


def test_the_same_run_twice_is_one_run(runs, open_page):
    at = open_page("compare", runs="base,base")
    assert not at.error
    assert "Choose runs" in [s.value for s in at.subheader]


@pytest.mark.parametrize("part", ["Checks", "Slices", "Set-up"])
def test_every_part_opens(runs, open_page, part):
    at = open_page("compare", runs="base,next,third")
    at.session_state["compare.part"] = part
    at.run()
    assert not at.exception, at.exception
    assert "Something went wrong" not in words(at)


@pytest.mark.parametrize(
    "part", ["Over time", "Flaky cases", STEADY_CHECKS, SILENT_CASES, "Judge against people"]
)
def test_every_part_of_the_trends_opens(runs, open_page, part):
    at = open_page("compare", view="trends")
    at.session_state["trends.part"] = part
    at.run()
    assert not at.exception, at.exception
    assert "Something went wrong" not in words(at)


def test_the_judge_is_held_against_the_review_file(runs, open_page):
    (runs / "s.evalset.json").write_text('{"eval_set_id": "s", "eval_cases": []}')
    entries = [
        Entry(case_id="c2", run="base", finding=Finding.JUDGE_WRONG, reviewer="Ana"),
        Entry(case_id="c3", run="base", finding=Finding.AGENT_WRONG, reviewer="Ana"),
        Entry(case_id="c0", run="gone", finding=Finding.AGENT_WRONG, reviewer="Ana"),
    ]
    append(Workspace(runs), "s.evalset.review.jsonl", *entries)
    at = open_page("compare", view="trends")
    at.session_state["trends.part"] = "Judge against people"
    at.run()
    said = words(at).replace("\\", "")
    assert "1 of 2 reviews" in said
    assert "No result that the judge passed was reviewed" in said
    assert "1 because the judge's verdict is not known" in said


HOSTILE = "<script>alert(1)</script> ![x](http://evil/x.png) [l](http://evil)"


def test_hostile_runs_are_shown_as_what_they_are(folder, open_page):
    store = store_in(folder / ".evaldesk" / "runs")
    for run_id, verdict in (("a", P), ("b", F)):
        results = [answered(key, verdict, 0.5, HOSTILE + run_id) for key in (HOSTILE, "#", "")]
        facts = [CaseFacts((HOSTILE,), {HOSTILE: HOSTILE})] * 3
        stored(
            store, results, run_id, facts, name=HOSTILE, eval_set=SetFacts(id=HOSTILE, name=HOSTILE)
        )
    for query in ({"runs": "a,b"}, {"runs": "a,b", "case": HOSTILE}, {"view": "trends"}):
        at = open_page("compare", **query)
        said = words(at)
        assert "Something went wrong" not in said
        assert "<script>" not in said
        assert "![x](http://evil/x.png)" not in "\n".join(
            str(e.value) for kind in ("markdown", "caption") for e in at.get(kind)
        )
