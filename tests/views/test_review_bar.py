"""What is said of a result, and the edits it leads to, also where nothing is as it should be."""

import shutil
from pathlib import Path

import pytest

from evalcore import counting
from evalcore.drafts import DraftStore
from evalcore.errors import EvaldeskError, FormatError
from evalcore.lint.linter import Linter
from evalcore.report import joins_of
from evalcore.results import CaseResult, InvocationResult, Score, Verdict
from evalcore.review import Finding, hashes
from evalcore.store import Place, RunQuery, RunStore
from evalcore.store.importing import import_result
from evalcore.verdicts import PassMark
from evalcore.views.make_case import Plan, Source, add, lines_of, preview, suggested
from evalcore.views.review_bar import (
    Said,
    Subject,
    entries_of,
    mended_fields,
    mending,
    place_in,
    stage,
    undo_of,
    with_finding,
)
from evalcore.views.sheet import Sheet
from evalcore.workspace import Workspace
from tests.report import hostile_files
from tests.report.hostile_files import SYSTEMS, source
from tests.samples import SAMPLES

SETS = (
    "adk/refund_desk/refunds.evalset.json",
    "harnest/library_helper/evals/loans.evalset.json",
    "tenxgraph/trip_planner/evals/trip_planner.evalset.json",
    "uipath_coded/claims_intake/evaluations/eval-sets/claims.json",
    "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json",
)
RUNS = {
    "adk": "adk/refund_desk/.adk/eval_history/"
    "refund_desk_refunds_1789030391.3945727.evalset_result.json",
    "tenxgraph": "tenxgraph/trip_planner/eval_reports/trip_planner_v1_20260909_101502.json",
    "coded": "uipath_coded/claims_intake/claims-output.json",
    "lowcode": "uipath_lowcode/SupportTriage/triage-output.json",
    "harnest": "harnest/library_helper/results/eval-run.json",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    for name in {Path(path).parts[0] for path in SETS}:
        shutil.copytree(SAMPLES / name, tmp_path / "w" / name)
    return Workspace(tmp_path / "w")


def sheet_of(workspace: Workspace, path: str) -> Sheet:
    draft = DraftStore().open("me", workspace, path)
    return Sheet(draft, draft.lens, Linter(draft.base.detection, path, lambda: None))


def opened(workspace: Workspace, path: str):
    store = RunStore(Place(str(workspace.root / ".evaldesk" / "runs")))
    return store.open(import_result(store, workspace, path)[0])


def subjects(run):
    for line in run.page(RunQuery(limit=10_000)).lines:
        row = counting.case_row(line.case_row, run.case(line.case_row), PassMark())
        yield Subject(run.manifest.id, line, row, PassMark())


def subject_of(run, case: str) -> Subject:
    return next(s for s in subjects(run) if s.line.case_key == case)


@pytest.mark.parametrize(
    ("system", "case", "parts"),
    [
        ("adk", "german_customer", {"reply"}),
        ("adk", "refund_over_limit_needs_a_person", {"reply", "tool_calls"}),
        ("harnest", "pay_fees", {"tool_calls"}),
        ("tenxgraph", "window_seat", {"reply", "tool_calls", "node_order"}),
        ("tenxgraph", "pets_on_board", {"reply"}),
        ("coded", "test-4-too-expensive", {"check DecisionEvaluator", "check PayoutEvaluator"}),
        ("lowcode", "d4ea65d0-03d7-4684-9f85-58a628518867", {"reply"}),
    ],
)
def test_an_expectation_can_be_mended_in_every_system(workspace, system, case, parts):
    run = opened(workspace, RUNS[system])
    subject = subject_of(run, case)
    sheet = sheet_of(workspace, run.manifest.eval_set.path)
    found = mending(sheet, subject, None)
    assert {part.name for part in found.parts} >= parts
    assert found.chosen(None)
    assert mended_fields(sheet.lens, sheet.tree, found, found.parts)
    before = hashes(sheet.lens, sheet.tree)
    assert stage(sheet, found, found.parts, "ada")
    after = hashes(sheet.lens, sheet.tree)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == {sheet.lens.join_key(case)}
    assert not mending(sheet, subject, None).parts
    assert not stage(sheet, found, found.parts, "ada")


@pytest.mark.parametrize("system", SYSTEMS)
def test_hostile_results_are_mended_and_made_cases_of_or_it_is_said_why_not(workspace, system):
    folder = workspace.root
    project = Path(*source(system).relative_to(SAMPLES).parts[:2])
    shutil.rmtree(folder / project)
    shutil.copytree(SAMPLES / project, folder / project)
    run = opened(workspace, hostile_files.write(system, folder))
    sheets = [sheet_of(workspace, path) for path in SETS]
    own, made = run.manifest.eval_set.path, 0
    sheet = sheet_of(workspace, own)
    for number, subject in enumerate(subjects(run)):
        found = mending(sheet, subject, None)
        assert bool(found.why) is not bool(
            mended_fields(sheet.lens, sheet.tree, found, found.parts)
        )
        material, into = Source(subject, run.manifest), sheets[number % len(sheets)]
        turns = tuple(material.turn_words())
        label = suggested(material, into, turns)
        try:
            new = preview(material, Plan(into.draft.path, label, turns, tags=("x",)), into)
        except EvaldeskError as error:
            assert error.hint
            continue
        made += 1
        assert len(lines_of(into, new)) == len(new.labels)
    assert made or system.startswith("uipath")


def row(*verdicts: Verdict) -> Subject:
    turns = tuple(
        InvocationResult(origin="", index=n, scores=(Score("x", verdict=v),))
        for n, v in enumerate(verdicts)
    )
    case = CaseResult(origin="", case_id="a", invocations=turns)
    made = counting.case_row(0, case, PassMark())
    line = type("Line", (), {"case_key": "a", "repeat": 0, "verdict": made.verdict})()
    return Subject("r1", line, made, PassMark())


FAILED, PASSED = Verdict.FAILED, Verdict.PASSED


def test_a_wrong_judge_turns_the_verdict_round_unless_another_turn_failed_too():
    one, two = row(PASSED, FAILED), row(FAILED, FAILED)
    judged = Finding.JUDGE_WRONG
    assert with_finding(one, Said(turn=1), judged).verdict is PASSED
    assert with_finding(two, Said(turn=1), judged).verdict is None
    assert with_finding(two, Said(), judged).verdict is PASSED
    assert with_finding(row(PASSED), Said(), judged).verdict is FAILED
    chosen = with_finding(one, Said(turn=1), judged)
    assert with_finding(one, chosen, judged) == Said(turn=1)
    assert with_finding(one, chosen, Finding.AMBIGUOUS).verdict is None


def test_a_finding_is_about_its_turn_and_an_override_about_the_whole_result():
    subject = row(PASSED, FAILED)
    said = with_finding(subject, Said(note=" why ", turn=1), Finding.JUDGE_WRONG)
    finding, override = entries_of(subject, said, "ada", "hash")
    assert (finding.invocation, finding.original, finding.note) == (1, FAILED, "why")
    assert (override.invocation, override.original, override.verdict) == (None, FAILED, PASSED)
    assert finding.case_hash == override.case_hash == "hash"
    assert finding.id != override.id
    back = undo_of(override, "bob")
    assert (back.kind, back.undoes, back.reviewer) == ("undo", override.id, "bob")


@pytest.mark.parametrize(
    ("said", "name", "told"),
    [(Said(), "ada", "Nothing is chosen"), (Said(Finding.AMBIGUOUS), " ", "needs your name")],
)
def test_what_is_not_said_or_by_nobody_is_not_written(said, name, told):
    with pytest.raises(FormatError, match=told):
        entries_of(row(FAILED), said, name, "")


def test_the_same_verdict_is_no_override():
    (only,) = entries_of(row(FAILED), Said(Finding.AMBIGUOUS, verdict=FAILED), "ada", "")
    assert only.kind == "finding"


def test_a_new_case_of_a_coded_agent_keeps_the_checks_of_its_own(workspace):
    run = opened(workspace, RUNS["coded"])
    subject = subject_of(run, "test-2-bicycle-theft")
    path = run.manifest.eval_set.path
    sheet = sheet_of(workspace, path)
    made = Source(subject, run.manifest, joins_of(workspace, run.manifest)(subject.line))
    names = add(made, Plan(path, "again", (0,)), sheet)
    assert names == ("again",)
    case = sheet.lens.read(sheet.tree).cases[-1]
    assert set(case.criteria) == {"DecisionEvaluator", "PayoutEvaluator", "ToolOrderEvaluator"}
    assert case.invocations[0].input["policy"] == "HH-3310"
    assert place_in(sheet.lens, sheet.tree, "again") == len(sheet.cases) - 1
