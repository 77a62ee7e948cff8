"""Older versions of a file, from git."""

import os
import subprocess
from pathlib import Path

import pytest

from evalcore.errors import WorkspaceError
from evalcore.history import Repository

LONG = "\n".join(f'  "key {n}": {n},' for n in range(40))


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
    clean = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    done = subprocess.run(
        ["git", "-C", str(folder), *who, *arguments],
        check=True,
        capture_output=True,
        env={**clean, "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"},
    )
    return done.stdout.decode().strip()


def commit(folder: Path, name: str, text: str, subject: str) -> str:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)
    git(folder, "add", "--all")
    git(folder, "commit", "-q", "-m", subject)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    return folder


def test_a_file_is_read_as_it_was(repository: Path):
    first = commit(repository, "evals/x.json", f'{{{LONG} "v": 1}}', "Begin")
    commit(repository, "evals/x.json", f'{{{LONG} "v": 2}}', "Go on")
    (repository / "evals/x.json").write_text("{}")
    found = Repository(repository / "evals/x.json")
    assert found.version("HEAD").data.endswith(b'"v": 2}')
    for revision in (first, first[:7], "HEAD~1", "main^", "main~1"):
        assert found.version(revision).data.endswith(b'"v": 1}')
    assert found.version("HEAD").path == "evals/x.json"


def test_the_commits_of_a_file_are_listed_latest_first(repository: Path):
    commit(repository, "x.json", "{}", "Begin: \x1b[31mred `code`")
    commit(repository, "y.json", "{}", "Something else")
    commit(repository, "x.json", "[]", "Über alles")
    found = Repository(repository / "x.json").commits()
    assert [c.subject for c in found] == ["Über alles", "Begin: \x1b[31mred `code`"]
    assert [c.path for c in found] == ["x.json", "x.json"]
    assert found[0].id == git(repository, "rev-parse", "HEAD")
    assert found[0].when.tzinfo is not None
    assert len(Repository(repository / "x.json").commits(limit=1)) == 1


def test_a_renamed_file_is_followed(repository: Path):
    commit(repository, "old name.json", f'{{{LONG} "v": 1}}', "Begin")
    git(repository, "mv", "old name.json", "ü new.json")
    commit(repository, "ü new.json", f'{{{LONG} "v": 2}}', "Rename")
    found = Repository(repository / "ü new.json")
    assert [(c.subject, c.path) for c in found.commits()] == [
        ("Rename", "ü new.json"),
        ("Begin", "old name.json"),
    ]
    old = found.version("HEAD~1")
    assert (old.path, old.data[-7:]) == ("old name.json", b'"v": 1}')


def test_a_file_reached_by_a_link_is_the_file_itself(repository: Path, tmp_path: Path):
    commit(repository, "x.json", '{"v": 1}', "Begin")
    (tmp_path / "link.json").symlink_to(repository / "x.json")
    assert Repository(tmp_path / "link.json").version("HEAD").data == b'{"v": 1}'


def refused(call) -> str:
    with pytest.raises(WorkspaceError) as error:
        call()
    assert error.value.hint
    return error.value.message


def test_what_git_cannot_give_is_said(repository: Path, tmp_path: Path, monkeypatch):
    assert "in no git repository" in refused(lambda: Repository(tmp_path / "x.json"))
    assert "no folder" in refused(lambda: Repository(tmp_path / "none" / "x.json"))
    empty = Repository(repository / "x.json")
    assert empty.commits() == []
    assert "no revision 'HEAD'" in refused(lambda: empty.version("HEAD"))
    commit(repository, "y.json", "{}", "Begin")
    assert "'x.json' was not in 'HEAD'" in refused(lambda: empty.version("HEAD"))
    assert "no revision 'nope'" in refused(lambda: empty.version("nope"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "not installed" in refused(lambda: empty.version("HEAD"))


@pytest.mark.parametrize(
    "revision", ["--help", "-h", "--output=evil", "", ":x.json", "HEAD:y.json"]
)
def test_a_revision_is_never_taken_for_an_option_or_a_path(repository: Path, revision: str):
    commit(repository, "x.json", "{}", "Begin")
    found = Repository(repository / "x.json")
    assert "no revision" in refused(lambda: found.version(revision))
    assert not (repository / "evil").exists()


def test_nothing_that_a_repository_names_is_run(repository: Path):
    commit(repository, "x.json", f'{{{LONG} "v": 1}}', "Begin")
    git(repository, "mv", "x.json", "y.json")
    (repository / ".gitattributes").write_text("*.json diff=evil filter=evil\n")
    commit(repository, "y.json", f'{{{LONG} "v": 2}}', "Rename")
    mark = repository / "ran"
    for key in ("diff.evil.textconv", "diff.evil.command", "core.fsmonitor", "core.pager"):
        git(repository, "config", key, f"touch '{mark}'; cat")
    git(repository, "config", "log.showSignature", "true")
    found = Repository(repository / "y.json")
    found.commits()
    assert found.version("HEAD~1").data.startswith(b"{")
    assert not mark.exists()


def test_what_a_hook_sets_does_not_lead_elsewhere(repository: Path, tmp_path: Path, monkeypatch):
    commit(repository, "x.json", '{"v": 1}', "Begin")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other"))
    assert Repository(repository / "x.json").version("HEAD").data == b'{"v": 1}'
