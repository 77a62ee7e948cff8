"""Conversations and empty cells on their way into formats with one turn in a case."""

import json
from datetime import UTC, datetime

import pytest

from evalcore.formats import by_id
from evalcore.importing.building import Grouping, Plan, written
from evalcore.jsontree import JsonValue
from evalcore.views.import_words import preview_frame
from evalcore.views.importing import ImportJob, start
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SAID = [("user", "Hello"), ("assistant", "Hi!"), ("user", "Sun?"), ("assistant", "Yes.")]
MESSAGES = json.dumps([{"messages": [{"role": r, "content": c} for r, c in SAID]}]).encode()
TABLE = b"id,turn,question,expected\na,1,Hello,Hi!\na,2,Sun?,Yes.\n"
FILES = [("talk.json", MESSAGES), ("talk.csv", TABLE)]


def imported(
    to: str, name: str, data: bytes, grouping: Grouping | None = None
) -> tuple[ImportJob, Plan, list[JsonValue]]:
    job = start(name, data, "", [])
    job.grouping = grouping or Grouping()
    lens = by_id(to).eval_sets
    tree = lens.blank_set("s", "s", NOW)
    plan = job.plan(lens, tree)
    cases, problems = written(lens, tree, plan.cases, NOW)
    assert not problems
    return job, plan, cases


@pytest.mark.parametrize(("name", "data"), FILES)
def test_turns_become_a_conversation_where_a_case_may_have_one(name, data):
    _job, plan, (case,) = imported("uipath_lowcode", name, data)
    assert plan.problems == ()
    spoken = case["conversationalInputs"]
    (history,) = spoken["conversationHistory"]
    assert [message["text"] for message in history] == ["Hello", "Hi!"]
    assert spoken["currentUserPrompt"]["text"] == "Sun?"
    (reply,) = case["conversationalExpectedOutput"]["agentResponse"]
    assert reply["text"] == "Yes."


@pytest.mark.parametrize(("name", "data"), FILES)
@pytest.mark.parametrize(
    ("to", "same_id"), [("uipath_coded", "turns"), ("uipath_lowcode", "cases"), ("adk", "cases")]
)
def test_else_each_turn_becomes_a_case_of_its_own_and_that_is_said(name, data, to, same_id):
    _job, plan, cases = imported(to, name, data, Grouping(same_id=same_id))
    assert len(cases) == 2 and plan.left_out == 0
    assert [case.id.partition("_turn_")[2] for case in plan.cases] == ["", "2"]
    (problem,) = plan.problems
    assert problem.severity == "info" and "becomes a case of its own" in problem.message


def test_ids_given_twice_are_a_mistake_where_no_column_tells_of_turns():
    _job, plan, cases = imported("uipath_coded", "x.csv", b"id,question\na,One?\na,Two?\n")
    assert len(cases) == 1
    assert "The id 'a' is in row 2 already" in plan.problems[0].message


def test_the_preview_shows_what_is_said_in_a_conversation():
    job, _plan, _cases = imported("uipath_lowcode", "talk.json", MESSAGES)
    lens = by_id("uipath_lowcode").eval_sets
    tree = lens.blank_set("s", "s", NOW)
    shown, indexes = job.preview(lens, tree)
    text = preview_frame(lens, shown, indexes, job.mapping(lens, tree)).to_csv()
    assert "Hello" in text and "Sun?" in text and "Yes." in text


@pytest.mark.parametrize("to", ["uipath_coded", "uipath_lowcode"])
def test_a_row_without_any_input_is_named_and_left_out(to):
    _job, plan, cases = imported(to, "x.csv", b"question,expected\nOne?,1\n,2\n")
    assert len(cases) == 1
    (problem,) = plan.problems
    assert (problem.row, problem.column, problem.severity) == (3, "question", "error")


def test_rows_that_lack_one_of_several_inputs_are_named_and_used():
    data = b"question,amount\nOne?,1\n,2\nThree?,3\n"
    _job, plan, cases = imported("uipath_coded", "x.csv", data)
    assert len(cases) == 3
    (problem,) = plan.problems
    assert (problem.column, problem.severity) == ("question", "warning")
    assert "Nothing is in row 3" in problem.message


@pytest.mark.parametrize(
    ("pattern", "system"),
    [
        ("adk/**/*.evalset_result.json", "adk"),
        ("harnest/**/*.evalset.json", "harnest"),
        ("uipath_lowcode/**/eval-sets/*.json", "uipath_lowcode"),
        ("tenxgraph/**/eval_reports/*.json", "tenxgraph"),
    ],
)
def test_a_new_set_is_for_the_system_that_wrote_the_file(pattern, system):
    file = sorted(SAMPLES.glob(pattern))[0]
    entries = Workspace(SAMPLES).entries()
    name = file.relative_to(SAMPLES).as_posix()
    assert start(name, file.read_bytes(), "", entries).new.format_id == system


def test_a_session_is_for_adk_whatever_most_sets_here_are():
    session = {
        "id": "s",
        "appName": "desk",
        "userId": "u",
        "events": [
            {"author": "user", "content": {"role": "user", "parts": [{"text": "Hello"}]}},
            {"author": "desk", "content": {"role": "model", "parts": [{"text": "Hi!"}]}},
        ],
    }
    entries = Workspace(SAMPLES / "uipath_coded").entries()
    job = start("session.json", json.dumps(session).encode(), "", entries)
    assert job.new.format_id == "adk"
