"""A case beside what it was held against; a case with parameters of its own; outputs brought."""

import json

import pytest

from evalcore.errors import EvaldeskError
from evalcore.jsondoc import JsonDocument
from evalcore.results import Verdict
from evalcore.scoring import read_checks
from evalcore.views import rescore_outputs as outputs
from evalcore.views import rescore_own
from evalcore.views.rescore import Plan, Trial, gather
from evalcore.views.rescore_board import Board
from evalcore.views.rescore_case import DRAFT, expected_by, row_of
from evalcore.views.rescore_form import fields_for_case, usable_for_case
from evalcore.views.rescore_lines import flip_lines
from evalcore.views.turn_detail import turn_detail
from evalcore.workspace import Workspace
from tests.scoring import builders
from tests.views.rescored import SAMPLES, board

SET = "adk/refund_desk/refunds.evalset.json"
LIMIT = Trial("Fast", "evaldesk.limits", {"max_seconds": 60.0})
CASE = "refund_within_policy"


def place_of(of, case_id):
    return next(n for n, c in enumerate(of.material.run.cases) if c.case_id == case_id)


def test_a_case_is_shown_beside_the_expectations_that_it_was_scored_by():
    of = board("adk")
    cases = list(of.material.eval_set.cases)
    at = next(n for n, case in enumerate(cases) if case.id == CASE)
    turn = cases[at].invocations[0].model_copy(update={"expected_output": "Something else."})
    cases[at] = cases[at].model_copy(update={"invocations": (turn, *cases[at].invocations[1:])})
    draft = of.material.eval_set.model_copy(update={"cases": tuple(cases)})
    outcome, place = of.outcome(Plan(), draft), place_of(of, CASE)
    for scored, path, said in (
        (outcome.after, DRAFT, "Something else."),
        (outcome.before, SET, of.material.run.cases[place].invocations[0].expected_output),
    ):
        row = row_of(of, scored, place, of.one(scored, place))
        detail = turn_detail(row.turns[0], expected_by(of, scored, place))
        assert (detail.expected.path, detail.reply.expected, row.place) == (path, said, place)


def test_without_a_set_a_case_is_beside_what_the_run_recorded():
    name = "odd/adk/.adk/eval_history/harbour_desk_tide_desk_1750000000.25.evalset_result.json"
    of = board(name)
    scored = of.outcome(Plan()).after
    row = row_of(of, scored, 1, of.one(scored, 1))
    assert expected_by(of, scored, 1) is None
    recorded = of.material.run.cases[1].invocations[0].expected_output
    assert row.turns[0].turn.expected_output == recorded


def test_a_case_of_the_set_that_was_not_run_has_no_turns():
    of = board("adk")
    cases = (*of.material.eval_set.cases, builders.case("late", builders.wanted("x")))
    draft = of.material.eval_set.model_copy(update={"cases": cases})
    scored = of.outcome(Plan(), draft).after
    last = len(scored.run.cases) - 1
    assert row_of(of, scored, last, of.one(scored, last)).turns == ()
    assert expected_by(of, scored, last) is None


def test_one_case_goes_by_parameters_of_its_own():
    plan = Plan().with_trial(LIMIT).with_case("Fast", CASE, {"max_seconds": 0.001}, {})
    (line,) = [line for line in flip_lines(board("adk").outcome(plan)) if line.title == CASE]
    assert line.case_after is Verdict.FAILED
    assert plan.changes == 2


def test_a_check_that_is_not_run_on_a_case_does_not_fail_it():
    slow = Trial("Fast", "evaldesk.limits", {"max_seconds": 0.001})
    of = board("adk")
    failed = of.outcome(Plan().with_trial(slow)).after
    spared = of.outcome(Plan().with_trial(slow).with_case("Fast", CASE, None, {})).after
    place = place_of(of, CASE)
    assert failed.run.cases[place].verdict is Verdict.FAILED
    assert spared.run.cases[place].verdict is Verdict.PASSED


@pytest.mark.parametrize(
    ("own", "filed", "kept"),
    [
        ({"max_seconds": 1}, {}, {"Fast": {"c": {"max_seconds": 1}}}),
        ({}, {}, {}),
        ({"max_seconds": 1}, {"max_seconds": 1}, {}),
        (None, {}, {"Fast": {"c": None}}),
        ({}, {"max_seconds": 1}, {"Fast": {"c": {}}}),
    ],
)
def test_a_plan_holds_of_a_case_only_what_differs_from_the_file(own, filed, kept):
    assert Plan().with_case("Fast", "c", own, filed).cases == kept


def test_what_a_plan_says_of_cases_goes_with_its_check():
    plan = Plan().with_trial(LIMIT).with_case("Fast", "c", None, {})
    assert plan.without_trial("Fast").is_empty
    assert plan.unchanged("Fast") == Plan().with_trial(LIMIT)


def test_the_form_of_a_case_has_the_pass_mark_too_and_refuses_what_cannot_be():
    (check,) = read_checks(
        {
            "evaldesk": 1,
            "checks": [{"name": "n", "kind": "evaldesk.regex", "params": {"pattern": "x"}}],
        }
    )
    fields = {field.name: field for field in fields_for_case(check, {"pattern": "y"})}
    assert (fields["pattern"].value, fields["pattern"].filed) == ("y", "x")
    assert not fields["threshold"].is_changed
    usable_for_case(check, {"pattern": "y"})
    with pytest.raises(EvaldeskError, match="no regular expression"):
        usable_for_case(check, {"pattern": "("})


def test_parameters_of_cases_are_kept_beside_the_set_and_taken_back(tmp_path):
    of = builders.eval_set(builders.case("c", builders.wanted("x")))
    (tmp_path / "s.evalset.json").write_text('{"eval_set_id": "s", "eval_cases": []}')
    workspace = Workspace(tmp_path)
    project = rescore_own_project(of)
    (check,) = read_checks({"evaldesk": 1, "checks": [{"name": "n", "kind": "evaldesk.limits",
                                                       "params": {"max_seconds": 5}}]})  # fmt: skip
    rescore_own.keep(workspace, project, check, {"c": {"max_seconds": 1}, "d": None})
    place = tmp_path / rescore_own.place_of(project)
    assert JsonDocument.parse(place.read_bytes()).value["cases"] == {
        "c": {"n": {"max_seconds": 1}},
        "d": {"n": None},
    }
    rescore_own.keep(workspace, project, check, {"c": {}})
    assert JsonDocument.parse(place.read_bytes()).value["cases"]["d"] == {"n": None}
    assert "n" not in JsonDocument.parse(place.read_bytes()).value["cases"]["c"]


def rescore_own_project(of):
    from evalcore.scoring import Project

    return Project("s.evalset.json", of, ())


def test_outputs_say_what_they_hold_for_a_set_and_what_they_lack():
    of = outputs.open_set(Workspace(SAMPLES), SET)
    lines = [{"case_id": CASE, "output": "No."}, {"case_id": "nobody", "output": "x"}]
    data = "".join(f"{json.dumps(line)}\n" for line in lines) + "no line\n"
    found = outputs.read(data.encode(), "mine.jsonl", of)
    assert found.text == "2 case results with 2 turns; 8 cases of the set without a line."
    assert found.unknown == ("nobody",)
    assert [problem.line for problem in found.problems] == [3]


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "mine.jsonl holds no outputs: the file is empty"),
        (b"\n[1]\n", "mine.jsonl holds no outputs: line 2"),
        ("{}".encode("utf-16"), "mine.jsonl holds no outputs: The file is UTF-16"),
    ],
)
def test_a_file_without_any_outputs_says_why(data, told):
    of = outputs.open_set(Workspace(SAMPLES), SET)
    with pytest.raises(EvaldeskError) as caught:
        outputs.read(data, "mine.jsonl", of)
    assert caught.value.message.startswith(told)
    assert caught.value.hint


@pytest.mark.parametrize("path", outputs.sets_of(Workspace(SAMPLES).entries()))
def test_the_file_to_fill_in_is_read_back_with_a_line_for_every_turn(path):
    of = outputs.open_set(Workspace(SAMPLES), path)
    if not any(case.id or case.name for case in of.cases):
        pytest.skip("a set without ids or names of cases")
    found = outputs.read(outputs.template(of).encode("utf-8", "replace"), "outputs.jsonl", of)
    assert found.problems == ()
    twice = len(of.cases) - len({case.id or case.name for case in of.cases})
    assert (found.unknown, found.missing) == ((), twice)


def test_outputs_are_scored_with_the_checks_of_the_set():
    workspace = Workspace(SAMPLES)
    of = outputs.open_set(workspace, SET)
    line = {"case_id": CASE, "output": "No.", "tool_calls": []}
    found = outputs.read(json.dumps(line).encode(), "mine.jsonl", of)
    scored = Board(gather(workspace, found.run, "", SET, 0.8)).outcome(Plan()).after
    assert scored.run.cases[0].verdict is Verdict.FAILED
    assert len(scored.run.cases) == len(of.cases)
