"""Reviewing results on the page, without a browser: findings, overrides, drafts, two reviewers."""

import json
import os
import shutil

import pytest

from pages._results.review import people
from pages._results.verdict_bar import NAMING
from pages._ui.desk import open_desk
from tests.pages.conftest import words
from tests.pages.reports import RESULTS, call, check, eval_set, report, result, shown

FILE = "refunds.evalset.review.jsonl"


@pytest.fixture
def review(open_run, reports):
    """Open the tab Review of a run with two failures: crash, then bad."""
    reports(report(*RESULTS))

    def opened(**query):
        return tab(open_run(**query))

    return opened


def tab(at, name="Review"):
    at.session_state["results.shown"] = name
    return sound(at.run())


def sound(at):
    assert not at.exception, at.exception
    assert "Something went wrong" not in words(at)
    return at


def press(at, key):
    return sound(at.button(key=key).click().run())


def as_named(at, name):
    """Give the name as the box does; a box that takes any text cannot be typed into here."""
    people(open_desk().workspace).call("local", name)
    at.session_state[f"kept {NAMING}"] = False
    return sound(at.run())


def pick(at, finding, name="ada"):
    at = press(at, f"review.pick {finding}")
    return as_named(at, name) if any(s.key == "review.me" for s in at.selectbox) else at


def plain(at):
    return words(at).replace("\\", "")


def said(folder, file=FILE):
    return [json.loads(line) for line in (folder / file).read_text("ascii").splitlines()]


def test_the_name_is_asked_once_and_saving_goes_on_to_the_next(review, folder):
    at = review()
    assert "0 of 2 failures reviewed" in plain(at)
    assert not any(s.key == "review.me" for s in at.selectbox)
    at = press(pick(at, "agent_wrong"), "review.save")
    assert at.query_params["case"] == "bad"
    assert "1 of 2 failures reviewed (ada 1)" in plain(at)
    at = press(press(at, "review.pick ambiguous"), "review.save")
    assert "2 of 2 failures reviewed (ada 2)" in plain(at)
    assert [(e["case_id"], e["finding"], e["reviewer"]) for e in said(folder)] == [
        ("crash", "agent_wrong", "ada"),
        ("bad", "ambiguous", "ada"),
    ]
    assert all(e["case_hash"] and e["original"] for e in said(folder))


def test_without_a_name_nothing_is_written_and_the_choice_stays(review, folder):
    at = press(review(), "review.pick agent_wrong")
    at = press(at, "review.save")
    assert "A review needs your name" in "".join(e.value for e in at.error)
    assert not (folder / FILE).exists()
    assert at.button(key="review.pick agent_wrong").proto.type == "primary"


def test_choosing_again_takes_the_choice_back(review):
    at = press(review(), "review.pick agent_wrong")
    at = press(at, "review.pick agent_wrong")
    assert at.button(key="review.pick agent_wrong").proto.type == "secondary"
    at = press(at, "review.save")
    assert "Nothing is chosen yet" in "".join(e.value for e in at.error)


def test_an_override_is_shown_as_one_and_changes_no_count_of_the_run(review, folder):
    at = pick(review(case="bad"), "judge_wrong")
    at.checkbox(key="review.go_on").uncheck().run()
    at = press(at, "review.save")
    told = plain(at)
    assert "As scored: 1 passed, 1 failed, 1 error, 1 not evaluated." in told
    assert "With 1 override: 2 passed, 1 error, 1 not evaluated." in told
    assert '<del>✗ failed</del> → <span class="strong">✓ passed</span>' in told
    assert "50.0 %" in shown(at)
    override = next(e for e in said(folder) if e.get("kind") == "override")
    assert (override["original"], override["verdict"]) == ("failed", "passed")
    at = press(at, f"review.undo {override['id']}")
    assert "With 1 override" not in plain(at)
    assert said(folder)[-1]["undoes"] == override["id"]
    assert len(said(folder)) == 3


def test_a_wrong_expectation_goes_into_the_draft_and_the_file_stays(review, folder):
    before = (folder / "refunds.evalset.json").read_bytes()
    at = pick(review(case="bad"), "expectation_wrong")
    assert "Saving stages this edit in your draft of refunds.evalset.json" in plain(at)
    keys = [c.key for c in at.checkbox if c.key.startswith("review.part")]
    assert [k.rpartition(" ")[2] for k in keys] == ["reply", "tool_calls"]
    reply = next(c for c in at.checkbox if c.key.endswith(" reply"))
    calls = next(c for c in at.checkbox if c.key.endswith(" tool_calls"))
    assert (reply.value, calls.value) == (True, False)
    calls.check().run()
    at.checkbox(key="review.go_on").uncheck().run()
    at = press(at, "review.save")
    assert (folder / "refunds.evalset.json").read_bytes() == before
    draft = open_desk().drafts.get("local", open_desk().workspace, "refunds.evalset.json")
    turn = draft.tree["eval_cases"][0]["conversation"][0]
    assert turn["expected_final_response"]["content"] == "I refunded 42 EUR."
    assert turn["expected_tool_trajectory"][0]["args"] == {"order": "B-90"}
    assert draft.undo_label == "Expect what the agent did in bad (review by ada)"
    assert draft.tree["eval_cases"][1:] == eval_set()["eval_cases"][1:]
    assert said(folder)[0]["staged"] == ["Expected reply", "Expected tool calls"]
    at = press(at, "review.to_author")
    assert at.query_params["view"] == "review"


def test_what_a_case_expects_already_is_not_staged(review, folder, open_run):
    at = pick(review(case="crash"), "expectation_wrong")
    assert "Your review is kept all the same." in plain(at)
    at = press(at, "review.save")
    assert "staged" not in said(folder)[0]


def test_once_the_case_changed_what_was_said_is_shown_as_older(review, folder):
    at = pick(review(case="bad"), "agent_wrong")
    at.checkbox(key="review.go_on").uncheck().run()
    at = press(at, "review.save")
    assert "older expectation" not in plain(at)
    value = eval_set()
    value["eval_cases"][0]["conversation"][0]["expected_final_response"]["content"] = "Other."
    (folder / "refunds.evalset.json").write_text(json.dumps(value))
    at = sound(at.run())
    told = plain(at)
    assert "Judged by an older expectation: the case was changed since." in told
    assert "0 of 2 failures reviewed" in told


def test_two_reviewers_who_differ_settle_it(review, folder):
    at = pick(review(case="bad"), "agent_wrong")
    at.checkbox(key="review.go_on").uncheck().run()
    at = press(at, "review.save")
    at = press(at, "review.rename")
    at = as_named(at, "bob")
    at = press(press(press(at, "review.open"), "review.pick ambiguous"), "review.save")
    told = plain(at)
    assert "Reviewers see this differently" in told
    assert "ada and bob agree on 0 of 1" in told
    assert [b.label for b in at.button if b.key == "review.dispute 0"] == ["≠ bad"]
    at = press(at, "review.pick ambiguous")
    next(c for c in at.checkbox if c.key.startswith("review.settles")).check().run()
    at = press(at, "review.save")
    assert "Reviewers see this differently" not in plain(at)
    assert said(folder)[-1]["settles"] is True


def test_who_judges_blind_does_not_see_what_others_said(review):
    at = pick(review(case="bad"), "agent_wrong")
    at.checkbox(key="review.go_on").uncheck().run()
    at = press(at, "review.save")
    at.checkbox(key="review.blind").check().run()
    at = as_named(press(at, "review.rename"), "bob")
    told = plain(at)
    assert "1 review by others, hidden until you have said yours." in told
    assert "agent was wrong · ada" not in told


def test_a_run_without_its_set_keeps_reviews_with_the_runs(folder, open_run):
    (folder / "eval_reports").mkdir()
    value = report(*RESULTS, set_id="somewhere-else")
    (folder / "eval_reports" / "r.json").write_text(json.dumps(value))
    at = pick(tab(open_run()), "agent_wrong")
    assert "because the eval set is not in this workspace" in plain(at)
    at = press(at, "review.save")
    (kept,) = (folder / ".evaldesk" / "runs" / ".reviews").glob("*.review.jsonl")
    assert json.loads(kept.read_text())["case_id"] == "crash"
    assert "1 of 2 failures reviewed" in plain(at)
    at = pick(at, "expectation_wrong")
    assert "The eval set of this run is not in this workspace." in plain(at)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_read_only_folder_says_so_and_the_review_is_kept(review, folder):
    at = pick(review(), "agent_wrong")
    folder.chmod(0o555)
    try:
        at = press(at, "review.save")
    finally:
        folder.chmod(0o755)
    assert "1 of 2 failures reviewed" in plain(at)


def test_a_file_of_reviews_that_cannot_be_written_says_so_and_nothing_is_lost(review, folder):
    at = pick(review(), "agent_wrong")
    (folder / FILE).mkdir()
    at = press(at, "review.save")
    (kept,) = (folder / ".evaldesk" / "runs" / ".reviews").glob("*.review.jsonl")
    assert json.loads(kept.read_text())["finding"] == "agent_wrong"
    assert "1 of 2 failures reviewed" in plain(at)


def test_the_list_marks_what_is_reviewed_and_what_waits(review):
    at = press(pick(review(case="bad"), "agent_wrong"), "review.save")
    at = tab(at, "Cases")
    (found,) = [c for c in at.get("bidi_component") if "Case results" in c.proto.json]
    lines = {row["name"].partition(",")[0]: row for row in json.loads(found.proto.json)["rows"]}
    glyphs = {name: row["cells"][0]["line"][0]["text"] for name, row in lines.items()}
    assert (glyphs["bad"], glyphs["crash"], glyphs["good"]) == ("✎", "↺", "good")


def test_what_passed_asks_for_nothing_until_somebody_opens_it(review, folder):
    at = review(case="good")
    assert not any(b.key.startswith("review.pick") for b in at.button)
    at = press(at, "review.open")
    at = press(pick(at, "judge_wrong"), "review.save")
    override = next(e for e in said(folder) if e.get("kind") == "override")
    assert (override["original"], override["verdict"]) == ("passed", "failed")


def test_the_turn_that_failed_is_what_a_finding_is_about(folder, open_run, reports):
    turns = result("talk", "Bye", check("rouge_match", 0.1), calls=[call("refund", order="A-17")])
    reports(report(turns))
    at = press(pick(tab(open_run(case="talk")), "agent_wrong"), "review.save")
    assert "invocation" not in said(folder)[0]
    assert "1 of 1 failure reviewed" in plain(at)


def test_a_case_is_made_in_the_draft_of_a_set_of_another_system(review, folder):
    other = folder / "other.evalset.json"
    other.write_text(json.dumps({"eval_set_id": "other", "name": "Other", "eval_cases": [
        {"eval_id": "a", "conversation": [
            {"user_content": {"parts": [{"text": "x"}], "role": "user"}}]}]}))  # fmt: skip
    at = press(review(case="bad"), "review.make")
    at.selectbox(key="make.path").set_value("other.evalset.json").run()
    at.text_input(key="make.label other.evalset.json").set_value("from_bad").run()
    assert "Left out, because this format has no place for it: where it comes from." in plain(at)
    at = press(at, "make.add")
    draft = open_desk().drafts.get("local", open_desk().workspace, "other.evalset.json")
    made = draft.lens.read(draft.tree).cases[1]
    assert made.id == "from_bad"
    assert (made.invocations[0].input, made.invocations[0].expected_output) == (
        "Refund A-17",
        "I refunded 42 EUR.",
    )
    assert made.invocations[0].tool_calls[0].args == {"order": "B-90"}
    assert [p.name for p in folder.glob("*.evalset.json")].count("other.evalset.json") == 1
    assert "from_bad" not in other.read_text()


def test_a_case_of_the_same_system_says_where_it_comes_from(review):
    at = press(review(case="bad"), "review.make")
    at.radio(key="make.keep").set_value(False).run()
    at = press(at, "make.open")
    draft = open_desk().drafts.get("local", open_desk().workspace, "refunds.evalset.json")
    made = draft.tree["eval_cases"][-1]
    assert made["eval_id"] == "bad_again"
    assert made["metadata"]["source"]["case"] == "bad"
    assert made["metadata"]["source"]["file"].startswith("eval_reports/")
    assert draft.lens.read(draft.tree).cases[-1].invocations[0].tool_calls in (None, ())


def test_lines_that_are_no_reviews_are_told_and_the_others_count(review, folder):
    at = press(pick(review(), "agent_wrong"), "review.save")
    path = folder / FILE
    path.write_text("<<<<<<< HEAD\n" + path.read_text())
    shutil.copystat(path, path)
    at = sound(at.run())
    assert "Line 1 is no review that Evaldesk wrote" in plain(at)
    assert "1 of 2 failures reviewed" in plain(at)
