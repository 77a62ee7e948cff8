"""What the system refuses is told in words and leaves with 2; 1 means that a file has errors."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcore.cli import main
from tests.cli.test_commands import ROOT, run_json
from tests.toy import toy, toy_set, write  # noqa: F401 - the fixture

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that may neither be listed nor searched, as mode 000 makes it for all but root."""
    folder = tmp_path / "locked"
    folder.mkdir()
    write(folder / "x.json", toy_set())
    stat, scandir = Path.stat, os.scandir

    def refuse(path: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    def guarded_stat(self: Path, **more: Any) -> os.stat_result:
        return refuse(self) or stat(self, **more) if folder in self.parents else stat(self, **more)

    def guarded_scandir(path: Any = ".") -> Any:
        return refuse(path) if Path(path) == folder else scandir(path)

    monkeypatch.setattr(Path, "stat", guarded_stat)
    monkeypatch.setattr(os, "scandir", guarded_scandir)
    return folder


@pytest.mark.usefixtures("toy")
class TestALockedFolder:
    def test_a_file_in_it_is_a_problem_and_the_others_are_checked(
        self, locked: Path, tmp_path: Path, capsys: Capture
    ) -> None:
        good = write(tmp_path / "good.json", toy_set("s", evaluator="gone"))
        code, report = run_json(capsys, "check", str(locked / "x.json"), str(good))
        assert (code, report["files"]) == (2, 2)
        found = [(p["code"], p["path"]) for p in report["problems"]]
        assert found[0] == ("file.no_permission", str(locked / "x.json"))
        assert found[1] == ("toy.no_evaluator", str(good))

    def test_checking_it_is_not_finding_nothing(self, locked: Path, capsys: Capture) -> None:
        code, report = run_json(capsys, "check", str(locked))
        assert code == 2
        assert [(p["code"], p["path"]) for p in report["problems"]] == [
            ("file.no_permission", str(locked))
        ]

    def test_listing_it_gives_a_row_with_the_problem(self, locked: Path, capsys: Capture) -> None:
        code, listed = run_json(capsys, "list", str(locked))
        assert code == 0
        (row,) = listed["eval_sets"]
        assert row["format"] is None and row["problems"]["error"] == 1


@pytest.mark.parametrize("command", ["check", "list", "show", "serve"])
def test_an_empty_name_is_not_the_current_folder(
    command: str, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "x.json", toy_set())
    monkeypatch.chdir(tmp_path)
    assert main([command, ""]) == 2
    shown = capsys.readouterr()
    assert "There is no" in shown.out + shown.err


def test_a_folder_is_not_shown(tmp_path: Path, capsys: Capture) -> None:
    assert main(["show", str(tmp_path)]) == 2
    assert "This is a folder, not a file." in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
@pytest.mark.parametrize("more", [[], ["--output", "json"]])
def test_output_that_cannot_be_written_is_no_error_of_a_file(
    more: list[str], tmp_path: Path
) -> None:
    write(tmp_path / "x.json", {"other": 1})
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "evalcore.cli", "check", "x.json", *more],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("evaldesk: ") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ("show", "SET"),
        ("convert", "SET", "OUT", "--to", "adk"),
        ("export", "SET", "--to", "csv"),
        ("diff", "SET", "SET"),
        ("score", "SET", "--outputs", "SET"),
    ],
    ids=lambda words: words[0],
)
def test_a_file_that_is_no_json_is_named_with_its_line_and_column(words, tmp_path: Path, capsys):
    broken = tmp_path / "broken.evalset.json"
    broken.write_text('{"eval_set_id": "x",\n  // a remark\n  "eval_cases": []}\n')
    names = {"SET": str(broken), "OUT": str(tmp_path / "out.json")}
    assert main([names.get(word, word) for word in words]) == 2
    said = capsys.readouterr().err
    assert f"{broken}:2:3: " in said and "JSON has no comments" in said
