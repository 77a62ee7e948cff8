"""Result files coming in: new, changed, broken, dropped, deleted, stopped."""

import json
import os
import shutil

import pytest

from evalcore.errors import EvaldeskError
from evalcore.store import Place, RunStore, place_of
from evalcore.views import run_import
from evalcore.views.dropped_files import dropped_name, file_name
from evalcore.views.run_bin import RunBin
from evalcore.views.run_import import Intake
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

REPORT = "tenxgraph/trip_planner/eval_reports/greetings_20260909_111503.json"
HARNEST = "harnest/library_helper/results/eval-run.json"


@pytest.fixture
def desk(tmp_path):
    """A workspace with two result files and their sets, its store, and its import."""
    root = tmp_path / "work"
    for name in ("tenxgraph", "harnest"):
        shutil.copytree(SAMPLES / name, root / name)
    workspace = Workspace(root)
    store = RunStore(place_of(workspace))
    deleted = RunBin(store)
    intake = Intake(workspace, store, deleted.holds)
    yield workspace, store, intake, deleted
    intake.cancel()
    assert intake.join(30)


def look(workspace, intake):
    intake.look(workspace.entries())
    assert intake.join(60)


def test_every_run_of_every_result_file_comes_in(desk):
    workspace, store, intake, _ = desk
    look(workspace, intake)
    assert len(intake.runs_of(HARNEST).ids) == 2
    assert {m.source.path for m in store.runs()} >= {REPORT, HARNEST}
    assert all(m.eval_set.path for m in store.runs() if m.source.path == HARNEST)
    assert intake.now.stage == "idle"


def test_looking_again_reads_nothing_again(desk, monkeypatch):
    workspace, _, intake, _ = desk
    look(workspace, intake)

    def refuse(*_args, **_named):
        raise AssertionError("read again")

    monkeypatch.setattr(run_import, "import_file", refuse)
    look(workspace, intake)
    assert intake.troubles == []


def test_a_file_that_has_changed_is_a_run_of_its_own(desk):
    workspace, store, intake, _ = desk
    look(workspace, intake)
    (before,) = intake.runs_of(REPORT).ids
    place = workspace.root / REPORT
    value = json.loads(place.read_text())
    value["results"] = value["results"][:1]
    place.write_text(json.dumps(value))
    look(workspace, intake)
    (after,) = intake.runs_of(REPORT).ids
    assert after != before
    assert store.has(before)
    assert store.manifest(after).cases.total == 1


def test_a_broken_file_is_a_trouble_until_it_is_mended(desk):
    workspace, store, intake, _ = desk
    place = workspace.root / "eval_reports" / "cut_result.json"
    place.parent.mkdir()
    place.write_text('{"eval_set_id": "x", "results": [')
    look(workspace, intake)
    (trouble,) = intake.troubles
    assert trouble.path == "eval_reports/cut_result.json"
    assert trouble.problem.line == 1
    assert len(store.runs()) > 0
    shutil.copy(workspace.root / REPORT, place)
    look(workspace, intake)
    assert intake.troubles == []


def test_a_file_that_is_gone_is_forgotten_and_its_run_stays(desk):
    workspace, store, intake, _ = desk
    look(workspace, intake)
    count = len(store.runs())
    (workspace.root / REPORT).unlink()
    look(workspace, intake)
    assert intake.runs_of(REPORT) is None
    assert len(store.runs()) == count


def test_dropped_files_are_kept_beside_the_runs_and_know_their_set(desk):
    workspace, store, intake, _ = desk
    data = (workspace.root / HARNEST).read_bytes()
    shutil.rmtree(workspace.root / "harnest" / "library_helper" / "results")
    intake.drop([("C:\\night\\run.json", data)])
    assert intake.join(60)
    (came,) = intake.dropped()
    assert len(came.ids) == 2
    manifest = store.manifest(came.ids[0])
    assert dropped_name(manifest.source.path) == "run.json"
    assert manifest.eval_set.path == "harnest/library_helper/evals/loans.evalset.json"
    assert (workspace.root / ".evaldesk" / manifest.source.path).read_bytes() == data
    assert intake.dropped() == []


def test_each_dropped_file_has_its_own_error_and_only_good_ones_are_kept(desk):
    workspace, _, intake, _ = desk
    files = [
        ("no.json", b'{"x": 1}'),
        ("torn.json", b'{"results": ['),
        ("outputs.jsonl", b'{"case_id": "a", "output": "hello"}\n'),
        ("empty.jsonl", b""),
    ]
    intake.drop(files)
    assert intake.join(60)
    came = {one.path.rsplit("/", 1)[-1]: one for one in intake.dropped()}
    assert came["outputs.jsonl"].is_new
    for name in ("no.json", "torn.json", "empty.jsonl"):
        assert came[name].path == name
        assert "dropped/" not in came[name].problem.message
    kept = [p.name for p in (workspace.root / ".evaldesk" / "dropped").glob("*/*")]
    assert kept == ["outputs.jsonl"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_drop_on_a_folder_nobody_may_write_to_still_comes_in(desk):
    workspace, _, _, _ = desk
    data = (workspace.root / REPORT).read_bytes()
    workspace.root.chmod(0o500)
    try:
        intake = Intake(workspace, RunStore(Place("memory://drops")))
        intake.drop([("run.json", data)])
        assert intake.join(60)
        assert intake.dropped()[0].ids
    finally:
        workspace.root.chmod(0o700)


def test_deleted_runs_do_not_come_in_by_themselves_again(desk):
    workspace, store, intake, deleted = desk
    look(workspace, intake)
    (run_id,) = intake.runs_of(REPORT).ids
    deleted.put([run_id])
    deleted.empty()
    intake.forget([REPORT])
    look(workspace, intake)
    assert not store.has(run_id)
    assert [came.path for came in intake.set_aside] == [REPORT]
    deleted.let_in(REPORT)
    intake.ask(REPORT, again=True)
    assert intake.join(60)
    assert store.has(run_id)


def test_what_was_stopped_leaves_nothing_half_done_and_can_go_on(desk, monkeypatch):
    workspace, store, _, _ = desk
    real, stops = Intake._appended, []

    def stop_at_the_first(self):
        if not stops:
            stops.append(self)
            self.cancel()
        real(self)

    monkeypatch.setattr(Intake, "_appended", stop_at_the_first)
    stopped = Intake(workspace, store)
    stopped.look(workspace.entries())
    assert stopped.join(60)
    assert stopped.now.stage == "cancelled"
    assert store.runs() == []
    stopped.look(workspace.entries())
    assert stopped.join(1)
    assert store.runs() == []
    stopped.resume()
    look(workspace, stopped)
    assert len(store.runs()) > 2


def test_a_fault_of_ours_in_one_file_is_a_trouble_of_that_file(desk, monkeypatch):
    workspace, store, intake, _ = desk
    real = run_import.import_file

    def faulty(store, workspace, path, **named):
        if path == REPORT:
            raise RuntimeError("oh")
        return real(store, workspace, path, **named)

    monkeypatch.setattr(run_import, "import_file", faulty)
    look(workspace, intake)
    assert [came.path for came in intake.troubles] == [REPORT]
    assert store.runs()


def test_asking_for_a_file_that_is_not_there_is_an_error(desk):
    _, _, intake, _ = desk
    with pytest.raises((EvaldeskError, OSError)):
        intake.ask("no/such.json")
    with pytest.raises(EvaldeskError):
        intake.ask("../outside.json")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("run.json", "run.json"),
        ("C:\\Users\\me\\run.json", "run.json"),
        ("../../etc/passwd", "passwd"),
        ('a<b>:"|?*.json', "a_b______.json"),
        ("...", "results.json"),
        ("x" * 300 + ".json", "x" * 80 + ".json"),
        (".hidden.json", "hidden.json"),
    ],
)
def test_a_dropped_name_becomes_one_that_any_disk_takes(given, kept):
    assert file_name(given) == kept


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("dropped/0a1b2c3d/run.json", "run.json"),
        ("dropped/run.json", None),
        ("results/run.json", None),
        ("", None),
    ],
)
def test_only_dropped_files_have_a_dropped_name(path, name):
    assert dropped_name(path) == name
