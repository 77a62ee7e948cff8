"""Result files of every system become runs, read as a whole or in parts, once."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.errors import DocumentError, EvaldeskError, FormatError, WorkspaceError
from evalcore.formats import by_id
from evalcore.scoring import Choice, Scoring, open_project, score
from evalcore.scoring.project import checks_of, with_run
from evalcore.store import RunQuery, cutting
from evalcore.store.importing import import_file, import_result, record_scored
from evalcore.store.reading import read_results
from evalcore.store.sets import KnownSet
from evalcore.verdicts import PassMark
from evalcore.workspace import Workspace
from tests.samples import SAMPLES
from tests.store.builders import store_in

RESULTS = [entry.path for entry in Workspace(SAMPLES).results()]
ADK = next(path for path in RESULTS if path.startswith("adk/"))
CLAIMS = "uipath_coded/claims_intake/claims-output.json"
HARNEST = "harnest/library_helper/results/eval-run.json"
TRIP = "tenxgraph/trip_planner/eval_reports/trip_planner_v1_20260909_101502.json"


@pytest.fixture
def store(tmp_path):
    return store_in(tmp_path / "runs")


@pytest.fixture(scope="module")
def samples():
    return Workspace(SAMPLES)


def project(folder: Path, name: str) -> Workspace:
    shutil.copytree(SAMPLES / name, folder / "project")
    return Workspace(folder / "project")


def runs_of(workspace: Workspace, path: str):
    opened = workspace.open(path)
    found = opened.format.read_runs(opened.document.value, opened.detection)
    evaluators = workspace.evaluators_of(path)
    return [opened.format.with_evaluators(run, evaluators) for run in found]


@pytest.mark.parametrize("path", RESULTS)
def test_every_sample_becomes_runs_that_hold_all_of_it(store, samples, path):
    wanted = runs_of(samples, path)
    found = import_file(store, samples, path)
    assert len(found) == len(wanted)
    for run, imported in zip(wanted, found, strict=True):
        stored = store.open(imported.id)
        assert [stored.case(n) for n in range(len(run.cases))] == list(run.cases)
        held = stored.manifest
        assert (held.format_id, held.stored_status, held.error) == (
            run.format_id,
            run.stored_status,
            run.error,
        )
        assert held.has_pass_rule is run.has_pass_rule
        assert held.cases.total == len(run.cases)
        assert held.source.path == path
        assert len(held.dataset_scores) == len(run.dataset_scores)


@pytest.mark.parametrize("path", RESULTS)
@pytest.mark.parametrize("window", [50, 100_000])
def test_a_file_read_in_parts_gives_the_same_runs(samples, path, window, monkeypatch):
    monkeypatch.setattr(cutting, "WINDOW", window)
    monkeypatch.setattr(cutting, "BATCH_ITEMS", 2)
    whole, parts = read_results(samples, path), read_results(samples, path, whole_up_to=0)
    assert parts.sha256 == whole.sha256
    assert parts.heads == whole.heads
    assert by_number(parts) == by_number(whole)
    assert max(len(cases) for _, cases in parts.batches()) <= 2


def by_number(file):
    found = {}
    for number, cases in file.batches():
        found.setdefault(number, []).extend(cases)
    return {number: cases for number, cases in found.items() if cases}


def test_the_same_file_twice_is_the_same_run(store, samples):
    first = import_file(store, samples, HARNEST)
    again = import_file(store, samples, HARNEST)
    assert [run.is_new for run in first] == [True, True]
    assert [run.is_new for run in again] == [False, False]
    assert [run.id for run in first] == [run.id for run in again]
    assert import_result(store, samples, HARNEST) == [run.id for run in first]
    assert len(store.runs()) == 2


def test_a_copy_of_a_file_is_the_same_run_and_a_changed_one_another(store, tmp_path):
    workspace = project(tmp_path, "tenxgraph/trip_planner")
    path = "eval_reports/" + TRIP.rsplit("/", 1)[1]
    file = workspace.root / path
    (workspace.root / "eval_reports" / "copy.json").write_bytes(file.read_bytes())
    (first,) = import_result(store, workspace, path)
    assert import_result(store, workspace, "eval_reports/copy.json") == [first]
    file.write_bytes(file.read_bytes() + b"\n")
    assert import_result(store, workspace, path) != [first]


def test_what_is_missing_of_a_file_is_imported(store, samples):
    first, second = import_result(store, samples, HARNEST)
    store.delete(second)
    found = import_file(store, samples, HARNEST)
    assert [(run.id, run.is_new) for run in found] == [(first, False), (second, True)]


def test_importing_again_takes_the_set_as_it_is_now(store, tmp_path):
    workspace = project(tmp_path, "tenxgraph/trip_planner")
    path = "eval_reports/" + TRIP.rsplit("/", 1)[1]
    (first,) = import_file(store, workspace, path)
    changed = workspace.root / "evals" / "trip_planner.evalset.json"
    changed.write_text(changed.read_text().replace('"name": "Rainy', '"name": "Wet'))
    value = json.loads(changed.read_text())
    value["eval_cases"][0]["tags"] = ["brand-new"]
    changed.write_text(json.dumps(value))
    (same,) = import_file(store, workspace, path)
    (again,) = import_file(store, workspace, path, again=True)
    assert (same.is_new, again.is_new) == (False, True)
    assert same.manifest.eval_set.content == first.manifest.eval_set.content
    assert again.manifest.eval_set.content != first.manifest.eval_set.content
    names = [group.name for group in store.open(again.id).slices("tag", RunQuery())]
    assert "brand-new" in names


def test_results_know_the_tags_and_the_metadata_of_their_cases(store, samples):
    (run_id,) = import_result(store, samples, TRIP)
    run = store.open(run_id)
    opened = samples.open("tenxgraph/trip_planner/evals/trip_planner.evalset.json")
    eval_set = opened.format.lens_for(opened.detection).read(opened.document.value)
    tags = {case.id: case.tags for case in eval_set.cases}
    lines = run.page(RunQuery(sort="file")).lines
    assert [line.tags for line in lines] == [tags.get(line.case_id, ()) for line in lines]
    assert any(line.tags for line in lines)
    assert run.manifest.eval_set.path == opened.path
    assert run.manifest.eval_set.cases == len(eval_set.cases)
    assert set(run.manifest.evaluators) >= {metric.key for metric in run.metrics}


def test_results_without_ids_are_those_of_the_cases_that_the_set_names(store, tmp_path):
    workspace = project(tmp_path, "uipath_coded/claims_intake")
    value = json.loads((workspace.root / "claims-output.json").read_text())
    for result in value["evaluationSetResults"]:
        result.pop("agentExecutionOutput", None)
    (workspace.root / "quiet-output.json").write_text(json.dumps(value))
    (quiet,) = import_result(store, workspace, "quiet-output.json")
    opened = workspace.open("evaluations/eval-sets/claims.json")
    ids = {opened.format.eval_sets.case_id(raw) for raw in opened.document.value["evaluations"]}
    lines = store.open(quiet).page(RunQuery()).lines
    assert {line.case_id for line in lines} == {None}
    assert {line.case_key for line in lines} <= ids


def test_the_content_of_a_set_is_its_cases_in_any_order(tmp_path):
    workspace = project(tmp_path, "adk/refund_desk")
    path = "refunds.evalset.json"
    before = KnownSet(workspace, path).facts
    value = json.loads((workspace.root / path).read_text())
    value["eval_cases"].reverse()
    value["name"] = "Another name"
    (workspace.root / path).write_text(json.dumps(value))
    assert KnownSet(workspace, path).facts.content == before.content
    (case,) = (c for c in value["eval_cases"] if c["eval_id"] == "german_customer")
    case["conversation"][0]["user_content"]["parts"][0]["text"] += "?"
    (workspace.root / path).write_text(json.dumps(value))
    assert KnownSet(workspace, path).facts.content != before.content


def test_a_pass_mark_judges_where_the_system_has_no_rule(store, samples):
    (strict,) = import_file(store, samples, CLAIMS, PassMark(1.0))
    assert strict.manifest.pass_mark == 1.0
    (adk,) = import_file(store, samples, ADK, PassMark(1.0))
    assert adk.manifest.pass_mark is None


def test_a_broken_set_costs_its_facts_and_not_the_run(store, tmp_path):
    workspace = project(tmp_path, "adk/refund_desk")
    (workspace.root / "refunds.evalset.json").write_text("{")
    path = ".adk/eval_history/" + ADK.rsplit("/", 1)[1]
    (found,) = import_file(store, workspace, path)
    assert found.manifest.eval_set.id == "refunds"
    assert found.manifest.eval_set.content == ""


def test_recorded_outputs_become_a_run_that_nothing_was_scored_in(store, tmp_path):
    lines = ['{"case_id": "a", "output": "hi"}', "no json", '{"case_id": "a", "output": "ho"}']
    (tmp_path / "out.jsonl").write_text("\n".join(lines))
    workspace = Workspace(tmp_path)
    (found,) = import_file(store, workspace, "out.jsonl")
    assert found.manifest.source.kind == "outputs"
    assert (found.manifest.cases.not_evaluated, found.manifest.repeats) == (2, 2)
    assert found.manifest.cautions == (
        "Line 2 was left out: The line is no JSON: Expecting value, at character 1",
    )
    assert import_file(store, workspace, "out.jsonl")[0].is_new is False


@pytest.mark.parametrize(
    ("name", "data", "error"),
    [
        ("set.json", b'{"eval_cases": []}', FormatError),
        ("plain.json", b'{"a": 1}', FormatError),
        ("broken.json", b'{"eval_case_results": [', DocumentError),
        ("empty.jsonl", b"\n", FormatError),
        ("latin.json", b'{"eval_case_results": ["\xff"]}', DocumentError),
    ],
)
@pytest.mark.parametrize("limit", [0, 10**6])
def test_what_is_no_result_is_refused_and_leaves_no_run(
    store, tmp_path, name, data, error, limit, monkeypatch
):
    monkeypatch.setattr("evalcore.store.reading.WHOLE_UP_TO", limit)
    (tmp_path / name).write_bytes(data)
    with pytest.raises(error):
        import_file(store, Workspace(tmp_path), name)
    assert store.runs() == []


def test_no_file_outside_the_workspace_is_read(store, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out.json").write_text("{}")
    for path in ("../out.json", str(tmp_path / "out.json")):
        with pytest.raises(WorkspaceError):
            import_file(store, Workspace(tmp_path / "in"), path)
    with pytest.raises((OSError, EvaldeskError)):
        import_file(store, Workspace(tmp_path / "in"), "none.json")


def test_a_json_in_a_text_is_read_as_a_whole(tmp_path):
    value = json.loads((SAMPLES / ADK).read_text())
    (tmp_path / "r.evalset_result.json").write_text(json.dumps(json.dumps(value)))
    workspace = Workspace(tmp_path)
    file = read_results(workspace, "r.evalset_result.json", whole_up_to=0)
    assert sum(len(cases) for _, cases in file.batches()) == len(value["eval_case_results"])


def test_repeats_are_counted_over_all_parts(samples, tmp_path, monkeypatch):
    monkeypatch.setattr(cutting, "BATCH_ITEMS", 1)
    value = json.loads((SAMPLES / ADK).read_text())
    value["eval_case_results"] *= 3
    (tmp_path / "r.evalset_result.json").write_text(json.dumps(value))
    workspace = Workspace(tmp_path)
    whole = read_results(workspace, "r.evalset_result.json")
    parts = read_results(workspace, "r.evalset_result.json", whole_up_to=0)
    assert by_number(parts) == by_number(whole)
    assert {case.repeat for case in by_number(parts)[0]} == {0, 1, 2}


def test_the_scale_of_a_column_is_that_of_the_whole_file(tmp_path, monkeypatch):
    monkeypatch.setattr(cutting, "BATCH_ITEMS", 1)
    rows = [{"evaluatorName": "E", "evaluatorId": "e", "result": {"score": n}} for n in (0, 1, 50)]
    results = [{"evaluationName": f"c{n}", "evaluationRunResults": [r]} for n, r in enumerate(rows)]
    value = {"evaluationSetName": "s", "evaluationSetResults": results}
    (tmp_path / "out.json").write_text(json.dumps(value))
    file = read_results(Workspace(tmp_path), "out.json", whole_up_to=0)
    values = [case.invocations[0].scores[0].value for case in by_number(file)[0]]
    assert values == [0.0, 0.01, 0.5]


def scored_sample(samples, path, set_path, mark=None):
    (run,) = runs_of(samples, path)
    known = with_run(open_project(samples, set_path), run)
    checks = checks_of(known, run, Choice())
    return score(run, known.eval_set, checks, Scoring(pass_mark=mark)), checks


def test_a_scored_run_is_kept_once(store, samples):
    set_path = "adk/refund_desk/refunds.evalset.json"
    run, checks = scored_sample(samples, ADK, set_path)
    known = KnownSet(samples, set_path)
    kept = record_scored(store, run, checks, source=ADK, eval_set=known.facts, about=known.about)
    known.start_again()
    again = record_scored(store, run, checks, source=ADK, eval_set=known.facts, about=known.about)
    assert (kept.is_new, again.is_new, again.id) == (True, False, kept.id)
    held = store.open(kept.id)
    assert held.manifest.source.kind == "scored"
    assert [held.case(n) for n in range(len(run.cases))] == list(run.cases)
    assert set(held.manifest.evaluators) == {check.ref for check in checks}
    assert by_id(held.manifest.format_id).label == "Google ADK"


def test_another_pass_mark_is_another_scored_run(store, samples):
    set_path = "uipath_coded/claims_intake/evaluations/eval-sets/claims.json"
    ids = []
    for mark in (0.5, 1.0):
        run, checks = scored_sample(samples, CLAIMS, set_path, mark)
        ids.append(record_scored(store, run, checks, pass_mark=mark).id)
    assert len(set(ids)) == 2
    assert [store.manifest(run_id).pass_mark for run_id in ids] == [0.5, 1.0]
