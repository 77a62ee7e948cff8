"""A cell says what a case says of a check, and an edit changes that and nothing else."""

import json

import pytest

from evalcore.jsontree import MISSING, put
from evalcore.views.evaluators.matrix import (
    cell_of,
    columns_of,
    has_criteria,
    home_of,
    settings_for,
    start_of,
    why_none,
)
from evalcore.views.evaluators.settings import views_of
from evalcore.wiring import WiringReader, refs
from tests.views.builders import open_sheet
from tests.views.evaluators.conftest import CODED
from tests.views.evaluators.test_ops import OWN

CLAIMS = f"{CODED}/eval-sets/claims.json"
LETTERS = f"{CODED}/eval-sets/letters.json"


@pytest.fixture
def opened(workspace, samples):
    def of(path):
        sheet = open_sheet(samples, path)
        wiring = WiringReader(workspace).read(workspace.entries())
        found = wiring.set_at(path)
        return sheet, {c.ref: c for c in columns_of(wiring, found, sheet)}

    return of


def named(sheet, case_id):
    return next(
        n for n, raw in zip(sheet.names(), sheet.cases, strict=True) if raw["id"] == case_id
    )


def saved_lines(sheet):
    before = sheet.draft.base.document.data.decode().splitlines()
    after = sheet.draft.rendered().decode().splitlines()
    return [line.strip() for line in after if line not in before]


def test_columns_stand_in_the_sets_order(opened):
    _sheet, columns = opened(CLAIMS)
    assert list(columns) == json.loads(_sheet.draft.base.document.data)["evaluatorRefs"]
    assert all(column.model is not None for column in columns.values())


def test_a_cell_tells_own_values_defaults_and_nothing_apart(opened):
    sheet, columns = opened(LETTERS)
    first, second, _third = sheet.names()
    letter, decision = columns["LetterMentionsEvaluator"], columns["DecisionEvaluator"]
    assert cell_of(letter, sheet, first, None).state == "own"
    assert cell_of(letter, sheet, first, None).text == "thank you"
    assert cell_of(decision, sheet, first, None).state == "empty"
    assert cell_of(decision, sheet, second, None).state == "absent"
    home_of(decision, sheet, second, None).change(lambda _old: None, "default")
    assert cell_of(decision, sheet, second, None).state == "null"


def test_an_edited_cell_changes_its_own_line(opened):
    sheet, columns = opened(CLAIMS)
    case = named(sheet, "test-2-bicycle-theft")
    home = home_of(columns["LetterMentionsEvaluator"], sheet, case, None)
    (text,), _rest = views_of(home, settings_for(columns["LetterMentionsEvaluator"]))
    assert text.value == "police report"
    text.write("the police report")
    assert saved_lines(sheet) == ['"searchText": "the police report"']
    assert [c.id for c in sheet.draft.changed_cases] == ["test-2-bicycle-theft"]


def test_a_cell_is_taken_out_and_undone(opened):
    sheet, columns = opened(CLAIMS)
    case = named(sheet, "test-1-water-damage")
    home = home_of(columns["DecisionEvaluator"], sheet, case, None)
    home.change(lambda _old: MISSING, "nothing")
    assert home.read() is MISSING
    sheet.draft.undo()
    assert sheet.draft.rendered() == sheet.draft.base.document.data


def test_a_cell_finds_its_case_after_another_is_gone(opened):
    sheet, columns = opened(CLAIMS)
    home = home_of(columns["LetterMentionsEvaluator"], sheet, sheet.names()[1], None)
    sheet.edit(lambda tree: sheet.lens.delete_cases(tree, [0]), "delete")
    assert home.read() == {"searchText": "police report"}


@pytest.mark.parametrize(
    "ref, start",
    [
        ("LetterMentionsEvaluator", {"searchText": ""}),
        ("ToolOrderEvaluator", {"toolCallsOrder": []}),
        ("ToolArgsEvaluator", {"toolCalls": []}),
        ("DecisionEvaluator", {"expectedOutput": {}}),
        ("TrajectoryJudgeEvaluator", {"expectedAgentBehavior": ""}),
    ],
)
def test_values_of_its_own_begin_with_what_the_check_must_have(opened, ref, start):
    _sheet, columns = opened(CLAIMS)
    assert start_of(columns[ref]) == start


def test_values_of_its_own_begin_with_the_checks_default(workspace, samples, tmp_path):
    path = f"{CODED}/evaluators/letter.json"
    default = {"searchText": "thank you"}
    tree = put(
        workspace.open(path).document.value, "/evaluatorConfig/defaultEvaluationCriteria", default
    )
    wiring = WiringReader(workspace).read(workspace.entries(), {path: tree})
    sheet = open_sheet(samples, LETTERS)
    columns = columns_of(wiring, wiring.set_at(LETTERS), sheet)
    assert start_of(columns[0]) == default


def test_what_cases_mention_and_the_set_does_not_is_marked(workspace, samples):
    sheet = open_sheet(samples, CLAIMS)
    sheet.edit(lambda tree: refs.detach(tree, "uipath_coded", "PayoutEvaluator"), "detach")
    wiring = WiringReader(workspace).read(workspace.entries(), {CLAIMS: sheet.tree})
    columns = {c.ref: c for c in columns_of(wiring, wiring.set_at(CLAIMS), sheet)}
    assert not columns["PayoutEvaluator"].is_attached
    assert columns["DecisionEvaluator"].is_attached


@pytest.mark.parametrize(
    "path",
    [
        "adk/refund_desk/refunds.evalset.json",
        "harnest/library_helper/evals/loans.evalset.json",
        "tenxgraph/trip_planner/evals/trip_planner.evalset.json",
        "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json",
    ],
)
def test_where_cases_say_nothing_the_cell_leads_to_the_file(opened, path):
    sheet, columns = opened(path)
    format_id = sheet.draft.base.detection.format_id
    assert columns and not has_criteria(format_id) and why_none(format_id)
    for column in columns.values():
        assert cell_of(column, sheet, sheet.names()[0], None).state == "file"
        assert column.file and home_of(column, sheet, sheet.names()[0], None) is None


def test_checks_of_ours_differ_from_case_to_case(workspace, samples, bench_of):
    path = "adk/refund_desk/refunds.evalset.json"
    sheet = open_sheet(samples, path)
    first = sheet.lens.case_id(sheet.cases[0])
    own = bench_of(
        "refunds.evalset.evaldesk.json", {**OWN, "cases": {first: {"order id": None}}}, "evaldesk"
    )
    drafts = {"adk/refund_desk/refunds.evalset.evaldesk.json": own.tree}
    wiring = WiringReader(workspace).read(workspace.entries(), drafts)
    columns = {c.ref: c for c in columns_of(wiring, wiring.set_at(path), sheet)}
    column, case = columns["order id"], sheet.names()[0]
    assert cell_of(column, sheet, case, own).text == "off"
    assert cell_of(column, sheet, sheet.names()[1], own).text == "as set"
    home = home_of(column, sheet, case, own)
    home.change(lambda _old: start_of(column), "own")
    views = {v.setting.name: v for v in views_of(home, settings_for(column))[0]}
    assert not views["pattern"].setting.is_required
    views["ignore_case"].write(True)
    assert own.tree["cases"] == {first: {"order id": {"ignore_case": True}}}


def test_short_texts_of_cells_say_what_matters(opened):
    sheet, columns = opened(CLAIMS)
    case = named(sheet, "test-1-water-damage")
    words = {ref: cell_of(column, sheet, case, None).text for ref, column in columns.items()}
    assert words["DecisionEvaluator"] == "approve"
    assert words["ToolOrderEvaluator"] == "lookup_policy, estimate_damage"
    assert words["PayoutEvaluator"].startswith("decision: approve")
