"""The Re-score tab, run without a browser, on the sample runs of every dialect."""

import json
import shutil

import pytest
from streamlit.testing.v1 import AppTest

from evalcore.store import RunQuery
from evalcore.views.rescore_form import own_kinds
from evalcore.views.rescore_job import JudgeJob
from pages._results import rescore_state
from pages._ui import runs
from pages._ui.desk import open_desk
from tests.pages.conftest import SHELL, words
from tests.pages.reports import addressed
from tests.views.rescored import FLIPS, RUNS, SAMPLES

TAB = "Re-score"
PATIENCE = 30
ODD = "odd/uipath_coded/old-output.json"


@pytest.fixture
def samples(folder, monkeypatch):
    for name in ("EVALDESK_JUDGE_BASE_URL", "EVALDESK_JUDGE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setattr(rescore_state, "AT_ONCE", PATIENCE)
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    return folder


def open_tab(file, **query):
    at = AppTest.from_file(str(SHELL), default_timeout=60)
    at.run()
    at.switch_page("results.py")
    for name, value in {"file": file, **query}.items():
        if value:
            at.query_params[name] = value
    at.session_state["results.shown"] = TAB
    at.run()
    assert not at.exception, at.exception
    return at


def slider(at, ref):
    return next(s for s in at.slider if f" {ref} mark " in s.key)


def button(at, *parts):
    return next(b for b in at.button if all(part in b.label for part in parts))


def lines(at):
    (found,) = [c for c in at.get("bidi_component") if "Scores before and after" in c.proto.json]
    return json.loads(found.proto.json)["rows"]


@pytest.mark.parametrize("name", FLIPS)
def test_another_pass_mark_flips_a_verdict(samples, name):
    ref, mark, told = FLIPS[name]
    at = open_tab(RUNS[name])
    assert "no flips" in words(at)
    slider(at, ref).set_value(mark).run()
    assert told in words(at)
    assert all(row["id"].endswith(ref) for row in lines(at))


def test_the_change_can_be_dropped_at_once(samples):
    ref, mark, _told = FLIPS["adk"]
    at = open_tab(RUNS["adk"])
    slider(at, ref).set_value(mark).run()
    button(at, "Drop").click().run()
    assert "5 passed of 9; no flips" in words(at)
    assert slider(at, ref).value == 0.7


def test_a_setting_of_a_check_changes_what_it_gives(samples):
    at = open_tab(RUNS["adk"])
    (names_only,) = [c for c in at.checkbox if c.key.endswith("score ignore_args")]
    names_only.check().run()
    assert "5 → 6 passed of 9; 1 flip" in words(at)
    assert [row["id"].rpartition(":")[2] for row in lines(at)] == ["tool_trajectory_avg_score"]


def test_a_case_shows_what_would_have_passed(samples):
    at = open_tab(RUNS["adk"], case="refund_over_limit_needs_a_person")
    told = words(at)
    assert "the file says the same" in told
    button(at, "Would pass at 0").click().run()
    assert slider(at, "response_match_score").value == 0.41
    assert "no case flips, 1 score does" in words(at)


def test_without_a_judge_it_is_said_how_to_have_one(samples):
    at = open_tab(RUNS["adk"])
    ask = button(at, "Ask the judge", "36 calls")
    assert ask.disabled
    told = words(at)
    assert "No judge is set up. Judged checks show the scores that the file has." in told
    assert "EVALDESK_JUDGE_BASE_URL=https://host/v1" in "".join(code.value for code in at.code)


def test_a_configured_judge_is_asked_outside_of_the_script(samples, monkeypatch):
    started = []
    monkeypatch.setenv("EVALDESK_JUDGE_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setattr(JudgeJob, "start", lambda self: started.append(self) or self)
    at = open_tab(RUNS["adk"])
    assert "the judge at http://127.0.0.1:9/v1" in words(at)
    button(at, "Ask the judge").click().run()
    (job,) = started
    assert (job.now.stage, job.now.calls) == ("running", 36)
    assert "Cancel" in [b.label for b in at.button]


def test_what_the_author_has_edited_counts_and_is_said(samples):
    ref = "adk/refund_desk/refunds.evalset.json"
    at = open_tab(RUNS["adk"])
    at.switch_page("author.py")
    at.query_params["set"] = ref
    at.query_params["case"] = "refund_within_policy"
    at.run()
    reply = next(a for a in at.text_area if "expected_output" in a.key or "reply" in a.label)
    reply.set_value("Nothing of the kind.").run()
    at.switch_page("results.py")
    at.query_params["file"] = RUNS["adk"]
    at.session_state["results.shown"] = TAB
    at.run()
    told = words(at)
    assert "your unsaved draft" in told
    assert "5 → 4 passed of 9; 1 flip" in told


def test_a_run_that_cannot_be_scored_says_what_is_missing(samples):
    at = open_tab(ODD)
    assert "put the set, and its evaluator files, into the folder" in words(at).replace("\\", "")


def test_a_check_of_ours_is_tried_then_kept_beside_the_set(samples):
    at = open_tab(RUNS["adk"])
    label = own_kinds()["evaldesk.regex"].label
    (menu,) = [m for m in at.get("menu_button") if m.key.startswith("rescore add")]
    menu.click(label).run()
    assert "tried out, not kept yet" in words(at)
    place = samples / "adk/refund_desk/refunds.evalset.evaldesk.json"
    assert not place.exists()
    (pattern,) = [t for t in at.text_input if t.key.endswith(f"{label} pattern")]
    pattern.set_value("(").run()
    assert len(at.error) == 1
    (pattern,) = [t for t in at.text_input if t.key.endswith(f"{label} pattern")]
    assert pattern.value == "."
    pattern.set_value("[0-9]{9}").run()
    assert "5 → 0 passed of 9" in words(at)
    button(at, "Keep").click().run()
    assert json.loads(place.read_text())["checks"] == [
        {"name": label, "kind": "evaldesk.regex", "params": {"pattern": "[0-9]{9}"}}
    ]
    assert "0 passed of 9; no flips" in words(at)
    button(at, "Remove from file").click().run()
    assert "5 passed of 9; no flips" in words(at)


def test_a_check_of_ours_that_cannot_run_says_why_and_can_be_removed(samples):
    place = samples / "adk/refund_desk/refunds.evalset.evaldesk.json"
    broken = {"name": "Number", "kind": "evaldesk.regex", "params": {"pattern": "("}}
    place.write_text(json.dumps({"evaldesk": 1, "checks": [broken]}))
    at = open_tab(RUNS["adk"])
    told = words(at).replace("\\", "")
    assert "It cannot run: " in told
    assert "is no regular expression" in told
    button(at, "Remove from file").click().run()
    assert json.loads(place.read_text())["checks"] == []
    assert "It cannot run" not in words(at)


def test_what_a_rescoring_came_to_can_be_kept_opened_and_compared(samples):
    ref, mark, _told = FLIPS["adk"]
    at = open_tab(RUNS["adk"])
    (first,) = addressed(at, "run").split(",")
    slider(at, ref).set_value(mark).run()
    button(at, "Save as a run").click().run()
    assert "Kept as a run" in words(at)
    store = runs.run_store(open_desk())
    (kept,) = [m for m in store.runs() if m.source.kind == "scored"]
    assert kept.source.path == RUNS["adk"]
    assert kept.eval_set.path == "adk/refund_desk/refunds.evalset.json"
    assert kept.eval_set.content == store.manifest(first).eval_set.content
    assert kept.name.endswith("re-scored (1 change)")
    flipped = store.open(kept.id).verdicts(RunQuery())
    assert flipped != store.open(first).verdicts(RunQuery())
    button(at, "Save as a run").click().run()
    assert "were kept as a run before" in words(at)
    assert len([m for m in store.runs() if m.source.kind == "scored"]) == 1
    assert button(at, "Compare with this run")
    button(at, "Open it").click().run()
    assert addressed(at, "run") == kept.id


def test_a_run_whose_file_is_gone_is_scored_again_from_what_is_kept(samples):
    at = open_tab(RUNS["adk"])
    run_id = addressed(at, "run")
    (samples / RUNS["adk"]).unlink()
    at = open_tab("", run=run_id)
    assert "no flips" in words(at)
