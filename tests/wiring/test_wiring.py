"""Which set uses which evaluator, and plans that change both sides, to the byte."""

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from evalcore import files
from evalcore.drafts import DraftStore
from evalcore.errors import ConflictError, FormatError, WorkspaceError
from evalcore.evaluators.uipath.files import CODED_NAMES, from_file, kind_of
from evalcore.formats import check_document, detect
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import put
from evalcore.saving.together import FileChange, HalfWritten, write_together
from evalcore.wiring import WiringReader, apply, create_plan, delete_plan, refs, rename_plan
from evalcore.wiring.blank import LOWCODE_KINDS, coded_evaluator, lowcode_evaluator
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

NOW = datetime(2026, 9, 1, tzinfo=UTC)
CODED = "uipath_coded/claims_intake/evaluations"
DECISION = f"{CODED}/evaluators/decision.json"
CLAIMS, LETTERS = (f"{CODED}/eval-sets/{name}.json" for name in ("claims", "letters"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    root = tmp_path / "work"
    shutil.copytree(SAMPLES, root)
    return Workspace(root)


def wiring_of(workspace, drafts=None):
    return WiringReader(workspace).read(workspace.entries(), drafts)


def planned(workspace, of=DECISION, **to):
    wiring = wiring_of(workspace)
    file = wiring.file(of)
    wanted = {"ref": file.checks[0].ref, "path": file.path, **to}
    return rename_plan(workspace, wiring, file, **wanted)


def content(workspace):
    return {p: p.read_bytes() for p in sorted(workspace.root.rglob("*")) if p.is_file()}


def test_each_dialect_says_which_sets_an_evaluator_scores(workspace):
    wiring = wiring_of(workspace)
    used = {f.path: [(s.path, link) for s, link in wiring.users(f)] for f in wiring.files}
    assert used[DECISION] == [(CLAIMS, "names"), (LETTERS, "names")]
    assert used[f"{CODED}/evaluators/payout.json"] == [(CLAIMS, "names")]
    adk = used["adk/refund_desk/test_config.json"]
    assert {link for _, link in adk} == {"applies"} and len(adk) == 3
    assert {link for _, link in used["tenxgraph/trip_planner/eval_config.json"]} == {"may"}
    lowcode = "uipath_lowcode/SupportTriage/evals/evaluators/evaluator-category.json"
    assert {link for _, link in used[lowcode]} == {"names"}


def test_own_checks_belong_to_the_set_that_they_lie_beside(workspace):
    own = workspace.root / "adk/refund_desk/refunds.evalset.evaldesk.json"
    checks = [{"name": "order id", "kind": "evaldesk.regex", "params": {"pattern": "D-"}}]
    own.write_text(json.dumps({"evaldesk": 1, "checks": checks}))
    wiring = wiring_of(workspace)
    file = wiring.file("adk/refund_desk/refunds.evalset.evaldesk.json")
    assert [c.ref for c in file.checks] == ["order id"]
    assert [s.path for s, _ in wiring.users(file)] == ["adk/refund_desk/refunds.evalset.json"]


def test_unsaved_edits_count(workspace):
    tree = refs.detach(workspace.open(CLAIMS).document.value, "uipath_coded", "DecisionEvaluator")
    wiring = wiring_of(workspace, {CLAIMS: tree})
    file = wiring.file(DECISION)
    assert [s.path for s, _ in wiring.users(file)] == [LETTERS]
    assert [s.path for s in wiring.candidates(file)] == [CLAIMS]


def test_a_file_that_cannot_be_read_is_among_them_with_its_problem(workspace):
    (workspace.root / DECISION).write_text('{"id": ')
    file = wiring_of(workspace).file(DECISION)
    assert file.checks == () and file.error.severity == "error"


def test_refs_that_no_file_answers_to_are_known(workspace):
    (workspace.root / DECISION).unlink()
    wiring = wiring_of(workspace)
    assert wiring.unknown_refs(wiring.set_at(CLAIMS)) == ["DecisionEvaluator"]


def test_a_rename_changes_the_name_everywhere_and_nothing_else(workspace):
    before = content(workspace)
    apply(workspace, planned(workspace, ref="RightDecision"), DraftStore(), "me")
    after = content(workspace)
    touched = {workspace.root / p for p in (DECISION, CLAIMS, LETTERS)}
    assert {p for p in before if before[p] != after[p]} == touched
    for path in touched - {workspace.root / DECISION}:
        assert after[path] == before[path].replace(b'"DecisionEvaluator"', b'"RightDecision"')
    # The name that results use is not the id that sets use.
    old = before[workspace.root / DECISION]
    assert after[workspace.root / DECISION] == old.replace(
        b'"id": "DecisionEvaluator"', b'"id": "RightDecision"'
    )


def test_a_moved_file_leaves_its_old_name(workspace):
    path = DECISION.replace("decision", "right-decision")
    plan = planned(workspace, path=path)
    assert [c.kind for c in plan.changes] == ["moved"]
    data = (workspace.root / DECISION).read_bytes()
    apply(workspace, plan, DraftStore(), "me")
    assert not (workspace.root / DECISION).exists()
    assert (workspace.root / path).read_bytes() == data


def test_a_low_code_file_name_inside_the_file_follows(workspace):
    folder = "uipath_lowcode/SupportTriage/evals/evaluators"
    plan = planned(
        workspace, f"{folder}/evaluator-category.json", path=f"{folder}/evaluator-kind.json"
    )
    apply(workspace, plan, DraftStore(), "me")
    value = json.loads((workspace.root / folder / "evaluator-kind.json").read_bytes())
    assert value["fileName"] == "evaluator-kind.json"


def test_flow_sets_follow_the_name_of_the_file(workspace):
    flow = workspace.root / CODED / "eval-sets" / "flow.json"
    item = {"id": "a", "name": "a", "inputs": {}, "evaluationCriterias": {"decision.json": None}}
    value = {"version": "1.0", "id": "f", "name": "f", "selectedEntrypoint": "main"}
    flow.write_text(
        json.dumps({**value, "evaluatorRefs": ["decision.json"], "evaluations": [item]})
    )
    apply(
        workspace,
        planned(workspace, path=DECISION.replace("decision", "verdict")),
        DraftStore(),
        "me",
    )
    assert json.loads(flow.read_bytes()) == {
        **value,
        "evaluatorRefs": ["verdict.json"],
        "evaluations": [{**item, "evaluationCriterias": {"verdict.json": None}}],
    }


def test_deleting_an_evaluator_takes_it_out_of_every_set(workspace):
    wiring = wiring_of(workspace)
    plan = delete_plan(workspace, wiring, wiring.file(DECISION))
    assert [(c.path, c.kind) for c in plan.changes] == [
        (CLAIMS, "changed"),
        (LETTERS, "changed"),
        (DECISION, "deleted"),
    ]
    assert "of its cases" in plan.changes[0].why
    apply(workspace, plan, DraftStore(), "me")
    assert not (workspace.root / DECISION).exists()
    for path in (CLAIMS, LETTERS):
        assert b"DecisionEvaluator" not in (workspace.root / path).read_bytes()
    value = json.loads((workspace.root / LETTERS).read_bytes())
    assert value["evaluatorConfigs"] == [{"ref": "LetterMentionsEvaluator", "weight": 2.0}]


@pytest.mark.parametrize(
    "to, message",
    [
        ({"ref": " "}, "needs an id"),
        ({"ref": "PayoutEvaluator"}, "has the id"),
        ({}, "called already"),
        ({"path": "elsewhere/decision.json"}, "stay in its folder"),
        ({"path": DECISION[:-5]}, "end in .json"),
    ],
)
def test_a_name_that_cannot_be_is_refused(workspace, to, message):
    with pytest.raises(FormatError, match=message):
        planned(workspace, **to)


def test_a_plan_is_not_applied_to_files_that_have_changed_since(workspace):
    plan = planned(workspace, ref="RightDecision")
    (workspace.root / LETTERS).write_bytes((workspace.root / LETTERS).read_bytes() + b"\n")
    before = content(workspace)
    with pytest.raises(ConflictError, match="letters"):
        apply(workspace, plan, DraftStore(), "me")
    assert content(workspace) == before


def test_a_failure_in_the_middle_is_taken_back(workspace, monkeypatch):
    plan, before = planned(workspace, ref="RightDecision"), content(workspace)
    real = files.write_if_unchanged

    def fails_at_the_last(path, data, expected):
        if path.name == "decision.json":
            raise WorkspaceError("Cannot write: the disk is full.")
        return real(path, data, expected)

    monkeypatch.setattr(files, "write_if_unchanged", fails_at_the_last)
    with pytest.raises(WorkspaceError, match="disk is full") as raised:
        apply(workspace, plan, DraftStore(), "me")
    assert not isinstance(raised.value, HalfWritten)
    assert content(workspace) == before


def test_what_cannot_be_taken_back_is_named(workspace, monkeypatch):
    plan = planned(workspace, ref="RightDecision")
    real, written = files.write_if_unchanged, []

    def fails_then_stays_broken(path, data, expected):
        if path.name == "decision.json" or path.name in written:
            raise WorkspaceError("Cannot write: the disk is full.")
        written.append(path.name)
        return real(path, data, expected)

    monkeypatch.setattr(files, "write_if_unchanged", fails_then_stays_broken)
    with pytest.raises(HalfWritten, match="claims") as raised:
        apply(workspace, plan, DraftStore(), "me")
    assert raised.value.paths == (LETTERS, CLAIMS)
    assert b"RightDecision" in (workspace.root / CLAIMS).read_bytes()


def test_unsaved_edits_follow_a_rename_and_stay_unsaved(workspace):
    store = DraftStore()
    draft = store.open("me", workspace, CLAIMS)
    draft.edit(lambda tree: put(tree, "/name", "Claims of the week"), "rename")
    apply(workspace, planned(workspace, ref="RightDecision"), store, "me")
    assert draft.is_dirty and draft.tree["name"] == "Claims of the week"
    assert refs.attached(draft.tree, "uipath_coded")[0] == "RightDecision"
    saved = json.loads((workspace.root / CLAIMS).read_bytes())
    assert saved["name"] == "Household claims"
    assert draft.rendered().count(b"RightDecision") == (
        (workspace.root / CLAIMS).read_bytes().count(b"RightDecision")
    )
    assert not draft.changed_cases and draft.changed_around


def test_a_set_that_names_it_in_unsaved_edits_only_follows_too(workspace):
    store = DraftStore()
    payout = f"{CODED}/evaluators/payout.json"
    draft = store.open("me", workspace, LETTERS)
    draft.edit(lambda tree: refs.attach(tree, "uipath_coded", "PayoutEvaluator"), "attach")
    plan = planned(workspace, payout, ref="Payout")
    assert LETTERS not in [c.path for c in plan.changes]
    apply(workspace, plan, store, "me")
    assert refs.attached(draft.tree, "uipath_coded")[-1] == "Payout"


def test_attaching_keeps_the_list_that_the_set_uses(workspace):
    letters = workspace.open(LETTERS).document
    more = refs.attach(letters.value, "uipath_coded", "PayoutEvaluator")
    assert more["evaluatorConfigs"][-1] == "PayoutEvaluator" and "evaluatorRefs" not in more
    assert letters.render(refs.detach(more, "uipath_coded", "PayoutEvaluator")) == letters.data


def test_detaching_keeps_what_cases_say_until_asked(workspace):
    tree = workspace.open(CLAIMS).document.value
    without = refs.detach(tree, "uipath_coded", "PayoutEvaluator")
    assert refs.cases_with(without, "PayoutEvaluator") == refs.cases_with(tree, "PayoutEvaluator")
    assert (
        refs.cases_with(refs.without_criteria(without, "PayoutEvaluator"), "PayoutEvaluator") == []
    )


@pytest.mark.parametrize("kind", CODED_NAMES)
def test_a_new_coded_evaluator_loads_and_has_no_errors(workspace, kind):
    tree = coded_evaluator(kind, "Fresh", "Fresh")
    path = f"{CODED}/evaluators/fresh.json"
    (opened,) = apply(
        workspace, create_plan(workspace, path, tree, "uipath_coded"), DraftStore(), "me"
    )
    assert kind_of(tree) == kind and from_file(tree).name == "Fresh"
    found = check_document(
        opened.document, opened.detection, workspace.seen_as(path), workspace.near(path)
    )
    assert [p for p in found if p.severity == "error"] == []


@pytest.mark.parametrize("kind", LOWCODE_KINDS)
def test_a_new_low_code_evaluator_loads_and_has_no_errors(workspace, kind):
    folder = "uipath_lowcode/SupportTriage/evals/evaluators"
    tree = lowcode_evaluator(kind, "fresh.json", "Fresh", NOW)
    plan = create_plan(workspace, f"{folder}/fresh.json", tree, "uipath_lowcode")
    (opened,) = apply(workspace, plan, DraftStore(), "me")
    assert kind_of(tree) == kind and from_file(tree, agent_model="m").name == "Fresh"
    where, near = workspace.seen_as(opened.path), workspace.near(opened.path)
    found = check_document(opened.document, opened.detection, where, near)
    assert [p for p in found if p.severity in ("error", "warning")] == []


def test_a_new_file_never_takes_the_place_of_another(workspace):
    tree = coded_evaluator("uipath-contains", "Fresh", "Fresh")
    plan = create_plan(workspace, DECISION, tree, "uipath_coded")
    with pytest.raises(ConflictError, match="decision"):
        apply(workspace, plan, DraftStore(), "me")


def test_a_file_that_its_system_would_not_find_is_refused(workspace):
    with pytest.raises(FormatError, match="no eval file"):
        create_plan(workspace, "notes/x.json", {"some": "thing"}, "adk")


def test_several_files_are_written_in_order(workspace, tmp_path):
    new = FileChange("fresh/a.json", None, b"{}\n")
    assert [o.path for o in write_together(workspace, [new])] == ["fresh/a.json"]
    assert detect(JsonDocument.parse(b"{}").value, Path("fresh/a.json")) is None


@pytest.fixture
def small(tmp_path: Path) -> Workspace:
    """A coded project of two evaluators, ``one`` in one.json and ``two`` in two.json."""
    folder = tmp_path / "evaluations"
    for name in ("one", "two"):
        value = coded_evaluator("uipath-exact-match", name, name)
        written(folder / "evaluators" / f"{name}.json", {**value, "id": name})
    written(folder / "eval-sets" / "set.json", a_set({"evaluatorRefs": ["one", "two"]}))
    return Workspace(tmp_path)


ONE = "evaluations/evaluators/one.json"


def written(path: Path, value) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def a_set(more, criteria=None):
    case = {"id": "a", "name": "a", "inputs": {}, "evaluationCriterias": criteria or {}}
    return {"version": "1.0", "id": "s", "name": "s", "evaluations": [case], **more}


def set_after(workspace, plan):
    apply(workspace, plan, DraftStore(), "me")
    return json.loads((workspace.root / "evaluations/eval-sets/set.json").read_bytes())


@pytest.mark.parametrize(
    ("to", "named"),
    [
        # Sets of coded agents go by ids: what a file is called is nothing to them.
        ({"ref": "first", "path": "evaluations/evaluators/third.json"}, ["first", "two"]),
        ({"path": "evaluations/evaluators/third.json"}, ["one", "two"]),
        ({"ref": "one.json"}, ["one.json", "two"]),
    ],
)
def test_a_set_follows_the_id_even_where_the_file_is_called_the_same(small, to, named):
    assert set_after(small, planned(small, ONE, **to))["evaluatorRefs"] == named


def test_a_file_called_as_another_evaluator_takes_no_names_from_it(small):
    (small.root / ONE).rename(small.root / "evaluations/evaluators/three.json")
    (small.root / "evaluations/evaluators/two.json").rename(small.root / ONE)
    # Now “two” lies in one.json, and the file moves while sets name “one” of three.json.
    plan = planned(small, ONE, path="evaluations/evaluators/four.json")
    assert set_after(small, plan)["evaluatorRefs"] == ["one", "two"]


def test_an_api_workflow_goes_by_the_file_and_not_by_the_id(small):
    place = small.root / "evaluations/eval-sets/set.json"
    written(place, a_set({"evaluatorRefs": ["one"], "schemaVersion": "1", "target": "x.json"}))
    wiring = wiring_of(small)
    of = wiring.files[0].path
    assert wiring.sets[0].variant == "api_workflow"
    plan = planned(small, of, ref="uno")
    assert [change.path for change in plan.changes] == [of]
    moved = planned(small, of, ref="uno", path=of.replace("one", "uno"))
    apply(small, moved, DraftStore(), "me")
    found = next(small.root.rglob("set.json"))
    assert json.loads(found.read_bytes())["evaluatorRefs"] == ["uno"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (a_set({"evaluatorRefs": ["one", "three"]}), "set names 'three' already"),
        (a_set({"evaluatorRefs": ["one"]}, {"one": None, "three": {"a": 1}}), "Case 1 says"),
    ],
)
def test_a_new_id_that_a_set_has_left_over_is_refused(small, value, message):
    written(small.root / "evaluations/eval-sets/set.json", value)
    with pytest.raises(FormatError, match=message):
        planned(small, ONE, ref="three")


def test_unsaved_edits_that_cannot_follow_stop_the_plan_before_it_writes(small):
    store = DraftStore()
    draft = store.open("me", small, "evaluations/eval-sets/set.json")
    draft.edit(lambda tree: refs.attach(tree, "uipath_coded", "three"), "attach")
    plan, before = planned(small, ONE, ref="three"), content(small)
    with pytest.raises(FormatError, match="already"):
        apply(small, plan, store, "me")
    assert content(small) == before


GUID = "1c9b6f0e-52d4-4a3b-8a63-6f3f0f2b7a10"


def test_a_guid_is_followed_in_every_letter_case(small):
    value = json.loads((small.root / ONE).read_bytes())
    written(small.root / ONE, {**value, "id": GUID})
    criteria = {GUID: None, "two": None}
    more = {"evaluatorRefs": [GUID.upper(), "two"]}
    written(small.root / "evaluations/eval-sets/set.json", a_set(more, criteria))
    after = set_after(small, planned(small, ONE, ref="first"))
    assert after["evaluatorRefs"] == ["first", "two"]
    assert list(after["evaluations"][0]["evaluationCriterias"]) == ["first", "two"]


def test_deleting_one_of_two_files_of_an_id_leaves_the_sets_to_the_other(small):
    shutil.copy(small.root / ONE, small.root / "evaluations/evaluators/copy.json")
    wiring = wiring_of(small)
    plan = delete_plan(small, wiring, wiring.file(ONE))
    assert [change.path for change in plan.changes] == [ONE]
    assert "copy.json has the same id" in plan.notes[0]
    assert set_after(small, plan)["evaluatorRefs"] == ["one", "two"]


def test_deleting_the_last_one_of_a_set_does_not_bring_back_an_unused_list(small):
    place = small.root / "evaluations/eval-sets/set.json"
    written(place, a_set({"evaluatorRefs": ["two"], "evaluatorConfigs": ["one"]}))
    wiring = wiring_of(small)
    after = set_after(small, delete_plan(small, wiring, wiring.file(ONE)))
    assert refs.attached(after, "uipath_coded") == []
