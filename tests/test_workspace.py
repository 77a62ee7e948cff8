import json
import os
import threading
from pathlib import Path

import pytest

from evalcore.drafts import Draft
from evalcore.errors import DocumentError, WorkspaceError
from evalcore.formats.base import Kind, Neighbour
from evalcore.jsontree import MISSING
from evalcore.saving import create
from evalcore.workspace import Workspace, folder
from evalcore.workspace.discovery import inside, is_visible
from tests.samples import REAL, SAMPLES, original_path
from tests.toy import Toy, toy, toy_set, write  # noqa: F401 - the fixture

with_toy = pytest.mark.usefixtures("toy")
needs_modes = pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")


def paths(root: Path) -> list[str]:
    return [entry.path for entry in Workspace(root).entries()]


@with_toy
def test_sets_are_found_by_content_whatever_their_names(tmp_path: Path) -> None:
    write(tmp_path / "b/any name.json", toy_set("one", "a", "b"))
    write(tmp_path / "a.toyset", toy_set("two"))
    write(tmp_path / "package.json", {"name": "x"})
    write(tmp_path / "evals/also-not.json", [1, 2])
    (tmp_path / "notes.txt").write_text(json.dumps(toy_set()))
    first, second = Workspace(tmp_path).entries()
    assert (first.path, first.id, first.name, first.case_count) == ("a.toyset", "two", "Two", 0)
    assert (second.path, second.case_count) == ("b/any name.json", 2)
    assert second.detection is not None and second.detection.format_id == "toy"
    assert second.size == (tmp_path / "b/any name.json").stat().st_size


@with_toy
@pytest.mark.parametrize(
    "hidden",
    [
        ".hidden/x.json",
        ".x.json",
        ".uipath/x.json",
        "app/.uipath/evals/x.json",
        "node_modules/pkg/evals/x.json",
        "a/__pycache__/x.json",
        ".adk/x.json",
        ".adk/other/x.json",
        ".adk/eval_history/deeper/x.json",
        ".adk/eval_history/.x.json",
        ".cache/.adk/eval_history/x.json",
        "env/lib/x.json",
        "web/dist/x.json",
        "web/build/x.json",
    ],
)
def test_hidden_and_tool_folders_are_never_entered(tmp_path: Path, hidden: str) -> None:
    write(tmp_path / hidden, toy_set())
    write(tmp_path / "seen.json", toy_set())
    write(tmp_path / "env/pyvenv.cfg", "")
    write(tmp_path / "web/package.json", {})
    assert paths(tmp_path) == ["seen.json"]


@with_toy
def test_only_the_history_folder_of_an_app_is_seen_although_hidden(tmp_path: Path) -> None:
    write(tmp_path / "app/.adk/eval_history/r.json", {"toy_result": "s"})
    write(tmp_path / ".adk/eval_history/r.json", {"toy_result": "s"})
    assert paths(tmp_path) == [".adk/eval_history/r.json", "app/.adk/eval_history/r.json"]


@with_toy
@pytest.mark.parametrize("root", [".", "app", "app/.adk/eval_history"])
def test_only_results_are_listed_in_the_history_folder(tmp_path: Path, root: str) -> None:
    history = tmp_path / "app/.adk/eval_history"
    write(history / "result.json", {"toy_result": "s"})
    write(history / "set.evalset.json", toy_set())
    write(history / "large.json", toy_set(padding=[{"text": "x" * 40}] * 60_000))
    workspace = Workspace(tmp_path / root)
    assert [e.path.rsplit("/", 1)[-1] for e in workspace.entries()] == ["result.json"]
    below = (history / "set.evalset.json").relative_to(tmp_path / root).as_posix()
    assert workspace.open(below).detection is None


TURNS = [{"user_content": {"parts": [{"text": "Hi"}]}}]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("a.evalset.JSON", {"eval_cases": [{"eval_id": "c", "conversation": TURNS}]}),
        ("a.Json", {"eval_cases": [{"eval_id": "c", "conversation": TURNS}]}),
        ("project.UIPROJ", {"ProjectType": "Agent"}),
    ],
)
def test_an_ending_counts_in_any_case(tmp_path: Path, name: str, value: object) -> None:
    write(tmp_path / name, value)
    assert paths(tmp_path) == [name]


def test_a_broken_file_is_ours_by_its_ending_in_any_case(tmp_path: Path) -> None:
    (tmp_path / "a.EvalSet.JSON").write_text("[")
    (entry,) = Workspace(tmp_path).entries()
    assert entry.error is not None and entry.error.code == "file.not_json"


def test_a_set_may_be_saved_under_an_upper_case_ending(tmp_path: Path) -> None:
    made = create(Workspace(tmp_path), "A.EVALSET.JSON", format_id="adk", set_id="a", name="A")
    assert made.detection is not None and made.detection.format_id == "adk"


@with_toy
def test_a_folder_called_build_is_entered_where_no_project_builds_there(tmp_path: Path) -> None:
    write(tmp_path / "build/x.json", toy_set())
    assert paths(tmp_path) == ["build/x.json"]


@with_toy
def test_a_hidden_root_is_no_reason_to_hide_what_is_in_it(tmp_path: Path) -> None:
    write(tmp_path / ".work/evals/x.json", toy_set())
    assert paths(tmp_path / ".work") == ["evals/x.json"]


@with_toy
def test_links_are_followed_to_files_inside_the_root_only(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    write(outside / "secret.json", toy_set("secret"))
    write(root / "real.json", toy_set())
    write(root / ".uipath/token.json", toy_set("token"))
    (root / "link.json").symlink_to("real.json")
    (root / "out.json").symlink_to(outside / "secret.json")
    (root / "token.json").symlink_to(".uipath/token.json")
    (root / "gone.json").symlink_to("nowhere.json")
    (root / "self.json").symlink_to("self.json")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    (root / ".adk").mkdir()
    (root / ".adk/eval_history").symlink_to(outside)
    assert paths(root) == ["link.json", "real.json"]


@with_toy
@pytest.mark.parametrize(
    "path",
    [
        "../outside/secret.json",
        "a/../../outside/secret.json",
        "/etc/passwd",
        "out.json",
        "folder/secret.json",
        ".hidden/x.json",
        ".uipath/token.json",
        "token.json",
        "node_modules/x.json",
        "",
        ".",
        "..",
        "a\0b.json",
    ],
)
def test_nothing_outside_or_hidden_can_be_opened(tmp_path: Path, path: str) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    write(outside / "secret.json", toy_set())
    for name in (".hidden/x.json", ".uipath/token.json", "node_modules/x.json"):
        write(root / name, toy_set())
    (root / "out.json").symlink_to(outside / "secret.json")
    (root / "token.json").symlink_to(".uipath/token.json")
    (root / "folder").symlink_to(outside)
    workspace = Workspace(root)
    for reach in (workspace.open, workspace.entry, workspace.read, workspace.examine):
        with pytest.raises(WorkspaceError):
            reach(path)
    assert workspace.near("x.json").value(path) is MISSING


@with_toy
def test_a_path_is_normalised_below_the_root(tmp_path: Path) -> None:
    write(tmp_path / "a/x.json", toy_set())
    assert inside(tmp_path, "a/./b/../x.json") == ("a/x.json", tmp_path / "a/x.json")
    assert Workspace(tmp_path).open("./a/x.json").path == "a/x.json"


@with_toy
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "file.not_json"),
        (b'{"a": 1,}', "file.not_json"),
        (b"\xff\xfe{}", "file.not_json"),
        (b'{"a": "\xe9"}', "file.not_json"),
        (b"[" * 5000 + b"]" * 5000, "file.not_json"),
    ],
)
def test_a_broken_file_of_ours_is_a_row_with_its_problem(
    tmp_path: Path, content: bytes, code: str
) -> None:
    write(tmp_path / "good.json", toy_set())
    (tmp_path / "bad.evalset.json").write_bytes(content)
    bad, good = Workspace(tmp_path).entries()
    assert good.path == "good.json" and good.error is None
    assert bad.error is not None and bad.error.code == code and bad.problems == (bad.error,)
    assert bad.error.line == 1 and bad.error.path == "bad.evalset.json"
    assert (bad.detection, bad.case_count, bad.problem_counts["error"]) == (None, None, 1)


@with_toy
@pytest.mark.parametrize(
    ("path", "content", "is_ours"),
    [
        ("x.json", '{"name": ', False),
        ("tsconfig.json", "{ // comment\n}", False),
        ("x.json", '{"eval_cases": [', True),
        ("x.json", '{"toy_hallmark": ', True),
        ("evals/x.json", "{", True),
        ("evaluations/eval-sets/x.json", "{", True),
        ("a/evaluators/x.json", "{", True),
        ("test_config.json", "{", True),
        ("a/x.test.json", "{", True),
    ],
)
def test_broken_json_is_listed_only_if_it_looks_like_ours(
    tmp_path: Path, path: str, content: str, is_ours: bool
) -> None:
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).write_text(content)
    assert paths(tmp_path) == ([path] if is_ours else [])


@with_toy
def test_a_fault_of_a_format_costs_one_row_only(tmp_path: Path) -> None:
    write(tmp_path / "evals/crash.json", {"toy_crash": True})
    write(tmp_path / "evals/good.json", toy_set())
    crash, good = Workspace(tmp_path).entries()
    assert crash.error is not None and "a fault of the toy format" in crash.error.message
    assert good.error is None


@with_toy
def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "evals").mkdir()
    os.mkfifo(tmp_path / "evals/x.json")
    (entry,) = Workspace(tmp_path).entries()
    assert entry.error is not None and "not an ordinary file" in entry.error.message
    with pytest.raises(OSError, match="not an ordinary file"):
        Workspace(tmp_path).read("evals/x.json")


@with_toy
@needs_modes
def test_a_file_that_may_not_be_read_is_a_row_until_it_may(tmp_path: Path) -> None:
    path = write(tmp_path / "evals/x.json", toy_set())
    workspace = Workspace(tmp_path)
    path.chmod(0)
    (entry,) = workspace.entries()
    assert entry.error is not None and entry.error.code == "file.no_permission"
    path.chmod(0o600)
    assert workspace.entries()[0].error is None


@with_toy
def test_a_file_that_is_refused_is_read_again_at_the_next_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "evals/x.json", toy_set())
    workspace = Workspace(tmp_path)

    def refuse(_path: Path) -> bytes:
        raise WorkspaceError("no") from PermissionError(13, "Permission denied")

    with monkeypatch.context() as patched:
        patched.setattr(folder.files, "read_bytes", refuse)
        (entry,) = workspace.entries()
        assert entry.error is not None and entry.error.code == "file.no_permission"
    assert workspace.entries()[0].error is None


@with_toy
def test_a_file_that_vanishes_while_looking_is_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "evals/x.json", toy_set())

    def gone(_path: Path) -> bytes:
        raise WorkspaceError("no") from FileNotFoundError(2, "No such file")

    monkeypatch.setattr(folder.files, "read_bytes", gone)
    (entry,) = Workspace(tmp_path).entries()
    assert entry.error is not None and entry.error.code == "file.missing"


@with_toy
def test_files_are_read_again_only_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "x.json", toy_set("s", "a"))
    write(tmp_path / "y.json", {"other": 1})
    reads: list[str] = []
    real = folder.files.read_bytes
    monkeypatch.setattr(folder.files, "read_bytes", lambda p: reads.append(p.name) or real(p))
    workspace = Workspace(tmp_path)
    before = workspace.entries()
    assert workspace.entries() == before and workspace.entry("x.json") == before[0]
    assert reads == ["x.json", "y.json"]
    write(path, toy_set("s", "a", "b"))
    assert workspace.entries()[0].case_count == 2
    path.unlink()
    assert workspace.entries() == []


@with_toy
def test_problems_follow_the_files_around(tmp_path: Path) -> None:
    write(tmp_path / "x.json", toy_set("s", evaluator="exact"))
    workspace = Workspace(tmp_path)
    (entry,) = workspace.entries()
    (problem,) = entry.problems
    assert (problem.code, problem.path, problem.line) == ("toy.no_evaluator", "x.json", 5)
    evaluator = write(tmp_path / "evaluators/e.json", {"toy_evaluator": "exact"})
    assert workspace.entry("x.json").problems == ()
    write(evaluator, {"toy_evaluator": "renamed"})
    assert workspace.entry("x.json").problem_counts == {"error": 1, "warning": 0, "info": 0}


@with_toy
def test_a_large_file_is_listed_without_checking_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evalcore.workspace.LARGE", 150_000)
    many = toy_set("big", *(f"c{i}" for i in range(3000)))
    write(tmp_path / "big.json", many)
    broken = json.dumps(many)[:-10]
    (tmp_path / "evals").mkdir()
    (tmp_path / "evals/broken.json").write_text(broken)
    (tmp_path / "bom.json").write_bytes(b"\xef\xbb\xbf" + json.dumps(many).encode())
    big, bom, bad = Workspace(tmp_path).entries()
    assert (big.id, big.case_count, big.is_checked, big.problems) == ("big", 3000, False, ())
    assert (bom.case_count, bom.is_checked) == (3000, True)
    assert bad.error is not None and bad.error.code == "file.not_json"


@with_toy
def test_near_sees_siblings_and_parents_but_never_leaves_the_root(tmp_path: Path) -> None:
    root = tmp_path / "root"
    write(tmp_path / "outside.json", {})
    write(root / "sets/x.json", toy_set())
    write(root / "evaluators/b.json", 2)
    write(root / "evaluators/a.json", 1)
    write(root / "evaluators/.hidden.json", 3)
    write(root / "evaluators/deep/c.json", 4)
    (root / "evaluators/out.json").symlink_to(tmp_path / "outside.json")
    (root / "evaluators/loop").symlink_to(root / "evaluators")
    near = Workspace(root).near("sets/x.json")
    assert near.glob("../evaluators/*.json") == ["../evaluators/a.json", "../evaluators/b.json"]
    assert near.glob("../evaluators/**/c.json") == ["../evaluators/deep/c.json"]
    assert near.glob("*.json") == ["x.json"]
    assert near.glob("../../*.json") == [] and near.glob("/etc/*") == []
    assert near.value("../evaluators/a.json") == 1
    for nothing in ("../../outside.json", "../evaluators/out.json", "../evaluators", "gone.json"):
        assert near.value(nothing) is MISSING
    assert near.entries("../evaluators") == (
        Neighbour(".hidden.json"),
        Neighbour("a.json"),
        Neighbour("b.json"),
        Neighbour("deep", is_folder=True),
        Neighbour("loop", is_folder=True, is_link=True),
        Neighbour("out.json", is_link=True),
    )
    assert [n.name for n in near.entries("..")] == ["evaluators", "sets"]
    assert near.entries("../..") == () and near.entries("gone") == ()


@with_toy
def test_formats_recognise_files_by_folders_around_the_root_too(tmp_path: Path) -> None:
    (tmp_path / "agent/evals").mkdir(parents=True)
    assert Workspace(tmp_path / "agent/evals").seen_as("x.json").parts == (
        "agent",
        "evals",
        "x.json",
    )


@with_toy
def test_a_run_belongs_to_the_nearest_of_the_sets_that_have_its_id(tmp_path: Path) -> None:
    for project in ("one", "two", "spare/one"):
        write(tmp_path / project / "evals/eval-sets/x.json", toy_set("mine"))
    run = {"toy_result": "mine"}
    write(tmp_path / "one/out.json", {**run, "at": "2026-01-01T00:00:00+00:00"})
    write(tmp_path / "two/out.json", {**run, "at": "2026-02-01T00:00:00+00:00"})
    write(tmp_path / "runs/out.json", {**run, "at": "2026-03-01T00:00:00+00:00"})
    write(tmp_path / "spare/late.json", {**run, "at": "2026-04-01T00:00:00+00:00"})
    workspace = Workspace(tmp_path)

    def runs(project: str) -> list[str]:
        return [e.path for e in workspace.results_of(f"{project}/evals/eval-sets/x.json")]

    assert runs("one") == ["one/out.json", "runs/out.json"]
    assert runs("two") == ["two/out.json", "runs/out.json"]
    assert runs("spare/one") == ["spare/late.json", "runs/out.json"]


@with_toy
def test_a_set_without_a_twin_has_every_run_that_gives_its_id(tmp_path: Path) -> None:
    write(tmp_path / "one/evals/x.json", toy_set("mine"))
    write(tmp_path / "far/away.json", {"toy_result": "mine", "at": "2026-02-01T00:00:00+00:00"})
    write(tmp_path / "one/near.json", {"toy_result": "mine", "at": "2026-01-01T00:00:00+00:00"})
    found = Workspace(tmp_path).results_of("one/evals/x.json")
    assert [e.path for e in found] == ["one/near.json", "far/away.json"]


@with_toy
def test_evaluators_and_results_of_a_set(tmp_path: Path) -> None:
    write(tmp_path / "evals/x.json", toy_set("mine"))
    write(tmp_path / "evals/evaluators/e.json", {"toy_evaluator": "exact"})
    (tmp_path / "evals/evaluators/broken.json").write_text("{")
    write(tmp_path / "old.json", {"toy_result": "mine", "at": "2026-01-01T00:00:00+00:00"})
    write(tmp_path / "new.json", {"toy_result": "Mine", "at": "2026-02-01T00:00:00+00:00"})
    write(tmp_path / "other.json", {"toy_result": "theirs"})
    workspace = Workspace(tmp_path)
    assert workspace.evaluator_files_of("evals/x.json") == (
        "evals/evaluators/broken.json",
        "evals/evaluators/e.json",
    )
    assert [e.ref for e in workspace.evaluators_of("evals/x.json")] == ["exact"]
    assert [e.path for e in workspace.results_of("evals/x.json")] == ["new.json", "old.json"]
    assert [e.path for e in workspace.eval_sets()] == [
        "evals/evaluators/broken.json",
        "evals/x.json",
    ]
    assert workspace.results()[0].case_count == 2


@with_toy
def test_opening_tells_format_and_revision(tmp_path: Path, toy: Toy) -> None:  # noqa: F811
    path = write(tmp_path / "x.json", toy_set())
    workspace = Workspace(tmp_path)
    opened = workspace.open("x.json")
    assert opened.format is toy and opened.detection is not None
    assert workspace.is_current(opened)
    os.utime(path, ns=(1, 1))
    assert workspace.is_current(opened)
    write(path, toy_set("changed"))
    assert not workspace.is_current(opened)
    path.unlink()
    assert not workspace.is_current(opened)


@with_toy
def test_opening_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(DocumentError):
        Workspace(tmp_path).open("x.json")
    with pytest.raises(WorkspaceError, match="gone"):
        Workspace(tmp_path).open("gone.json")
    with pytest.raises(WorkspaceError, match="no eval file"):
        Workspace(tmp_path).entry(write(tmp_path / "p.json", {}).name)


@with_toy
@pytest.mark.parametrize("root", ["gone", "file"])
def test_a_root_that_is_no_folder_is_refused(tmp_path: Path, root: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceError, match=root):
        Workspace(tmp_path / root)


@with_toy
def test_many_threads_may_look_at_once(tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path / f"{number:02}.json", toy_set(f"s{number}", "a"))
    workspace, seen = Workspace(tmp_path), []
    threads = [threading.Thread(target=lambda: seen.append(workspace.entries())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 8 and all(entries == seen[0] for entries in seen)
    assert len(seen[0]) == 30


@with_toy
@pytest.mark.parametrize(
    ("path", "visible"),
    [
        ("a/b.json", True),
        ("a/.b.json", False),
        ("a/.adk/eval_history/b.json", True),
        (".adk/eval_history/.b.json", False),
        ("a/.adk/eval_history", False),
        ("site-packages/b.json", False),
    ],
)
def test_visibility_by_name(path: str, visible: bool) -> None:
    assert is_visible(path.split("/")) is visible


@pytest.fixture(scope="module")
def real_projects(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the real files where they lie in their projects."""
    if not REAL.is_dir():
        pytest.skip("the real files are not beside this checkout")
    root = tmp_path_factory.mktemp("real")
    for path in REAL.rglob("*.json"):
        target = root / original_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    return root


def test_every_real_eval_set_is_listed_and_opens(real_projects: Path) -> None:
    workspace = Workspace(real_projects)
    named_as_sets = {
        path.relative_to(real_projects).as_posix()
        for pattern in ("eval-sets/*.json", "*.test.json", "*.evalset.json")
        for path in real_projects.rglob(pattern)
    }
    entries = workspace.entries()
    listed = {entry.path for entry in entries if entry.kind is Kind.EVAL_SET}
    assert len(named_as_sets) >= 37 and named_as_sets <= listed
    for entry in entries:
        assert entry.error is None, entry.path
        draft = Draft(workspace.open(entry.path))
        assert draft.rendered() == (real_projects / entry.path).read_bytes()
        if draft.lens is not None:
            assert entry.case_count == len(draft.lens.read(draft.tree).cases)


def test_the_evaluators_of_real_sets_are_found(real_projects: Path) -> None:
    workspace = Workspace(real_projects)
    calculator = "UiPath__uipath-python/packages/uipath/samples/calculator/evaluations"
    found = workspace.evaluator_files_of(f"{calculator}/eval-sets/multi-model.json")
    assert f"{calculator}/evaluators/exact-match.json" in found
    assert not any("/types/" in path for path in found)
    assert len(workspace.evaluators_of(f"{calculator}/eval-sets/multi-model.json")) >= 8
    hello = "google__adk-python/tests/integration/fixture/hello_world_agent"
    assert workspace.evaluator_files_of(f"{hello}/roll_die.test.json") == (
        f"{hello}/test_config.json",
    )


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="there are no samples")
def test_every_sample_is_listed_and_the_broken_ones_say_why() -> None:
    for entry in Workspace(SAMPLES).entries():
        assert (entry.error is not None) == entry.path.startswith("odd/broken/"), entry.path
