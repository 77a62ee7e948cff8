import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evalcore.cli import _places, main
from evalcore.cli._output import strict, table, visible
from tests.toy import toy, toy_set, write  # noqa: F401 - the fixture

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]


def run_json(capsys: Capture, *argv: str) -> tuple[int, Any]:
    code = main([*argv, "--output", "json"])
    out = capsys.readouterr()
    assert out.out.count("\n") == 1
    return code, json.loads(out.out, parse_constant=lambda name: pytest.fail(name))


def child(*argv: str, cwd: Path, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "evalcore.cli", *argv],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        **more,
    )


@pytest.mark.usefixtures("toy")
class TestCheck:
    @pytest.mark.parametrize(
        ("content", "code"),
        [
            (toy_set("s", "a"), 0),
            ({**toy_set(), "cases": [{"id": "a", "a": ""}]}, 0),
            (toy_set("s", evaluator="gone"), 1),
            ({"other": 1}, 0),
        ],
    )
    def test_exit_code_says_whether_there_are_errors(
        self, tmp_path: Path, capsys: Capture, content: Any, code: int
    ) -> None:
        path = write(tmp_path / "x.json", content)
        assert main(["check", str(path)]) == code
        assert capsys.readouterr().out.splitlines()[-1].startswith("1 file, ")

    @pytest.mark.parametrize("content", [None, b"", b"{", b"\xff", b'{"a": NaN, }'])
    def test_a_missing_or_broken_file_is_listed_and_exits_with_2(
        self, tmp_path: Path, capsys: Capture, content: bytes | None
    ) -> None:
        path = tmp_path / "x.json"
        if content is not None:
            path.write_bytes(content)
        good = write(tmp_path / "good.json", toy_set("s", evaluator="gone"))
        code, report = run_json(capsys, "check", str(path), str(good))
        assert (code, report["files"]) == (2, 2)
        first, second = report["problems"]
        assert first["severity"] == "error" and first["path"] == str(path)
        assert first["code"] == ("file.missing" if content is None else "file.not_json")
        assert first["line"] == (None if content is None else 1)
        assert second["code"] == "toy.no_evaluator"

    def test_a_problem_has_its_place_and_what_to_do(self, tmp_path: Path, capsys: Capture) -> None:
        path = write(tmp_path / "x.json", {**toy_set(), "cases": [{"id": "a", "a": ""}]})
        _code, report = run_json(capsys, "check", str(path))
        assert report == {
            "files": 1,
            "problems": [
                {
                    "severity": "warning",
                    "code": "toy.empty",
                    "path": str(path),
                    "pointer": "/cases/0/a",
                    "line": 7,
                    "column": 12,
                    "message": "No answer",
                    "hint": "Write one",
                }
            ],
        }
        main(["check", str(path)])
        assert capsys.readouterr().out == (
            f"{path}:7:12 warning toy.empty No answer\n    Write one\n"
            "1 file, 0 errors, 1 warning, 0 info\n"
        )

    def test_a_folder_is_searched_and_paths_start_with_its_name(
        self, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path / "proj/evals/a.json", toy_set("s", evaluator="gone"))
        write(tmp_path / "proj/package.json", {})
        write(tmp_path / "proj/node_modules/x.json", toy_set())
        (tmp_path / "proj/broken.json").write_text("{")
        (tmp_path / "proj/evals/broken.json").write_text("{")
        monkeypatch.chdir(tmp_path)
        for given, start in (("proj", "proj/"), ("proj/", "proj/"), ("./proj", "./proj/")):
            code, report = run_json(capsys, "check", given)
            assert (code, report["files"]) == (2, 2)
            found = [problem["path"] for problem in report["problems"]]
            assert found == [f"{start}evals/a.json", f"{start}evals/broken.json"]
        monkeypatch.chdir(tmp_path / "proj")
        _code, report = run_json(capsys, "check", ".")
        assert report["problems"][0]["path"] == "evals/a.json"

    def test_the_files_around_are_seen_from_a_sub_folder_too(
        self, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path / "app/evaluators/e.json", {"toy_evaluator": "exact"})
        write(tmp_path / "app/x.json", toy_set("s", evaluator="exact"))
        monkeypatch.chdir(tmp_path / "app")
        assert main(["check", "x.json"]) == main(["check", "."]) == 0
        (tmp_path / "elsewhere").mkdir()
        (tmp_path / "elsewhere/link.json").symlink_to(tmp_path / "app/x.json")
        assert main(["check", str(tmp_path / "elsewhere/link.json")]) in (0, 1)

    def test_a_link_that_leads_out_of_the_project_is_followed_when_named(
        self, tmp_path: Path, capsys: Capture
    ) -> None:
        write(tmp_path / "app/evaluators/e.json", {"toy_evaluator": "exact"})
        write(tmp_path / "app/x.json", toy_set("s", evaluator="exact"))
        link = tmp_path / "other/a/link.json"
        link.parent.mkdir(parents=True)
        (tmp_path / "other/pyproject.toml").write_text("")
        link.symlink_to(tmp_path / "app/x.json")
        assert main(["check", str(link)]) == 0

    def test_a_named_file_of_no_format_is_said_to_be_so(
        self, tmp_path: Path, capsys: Capture
    ) -> None:
        plain = write(tmp_path / "package.json", {})
        named = write(tmp_path / "x.evalset.json", {})
        code, report = run_json(capsys, "check", str(plain), str(named))
        assert code == 1
        assert [(p["severity"], p["code"]) for p in report["problems"]] == [
            ("info", "file.unknown_format"),
            ("error", "file.unknown_format"),
        ]

    def test_a_folder_without_eval_files_says_so_aside(
        self, tmp_path: Path, capsys: Capture
    ) -> None:
        assert main(["check", str(tmp_path)]) == 0
        out = capsys.readouterr()
        assert "no eval files" in out.err and out.out == "0 files, 0 errors, 0 warnings, 0 info\n"

    def test_a_fault_of_a_format_is_reported_and_the_rest_checked(
        self, tmp_path: Path, capsys: Capture
    ) -> None:
        write(tmp_path / "evals/a.json", {"toy_crash": True})
        write(tmp_path / "evals/b.json", toy_set("s", evaluator="gone"))
        code, report = run_json(capsys, "check", str(tmp_path))
        assert code == 2
        assert [p["code"] for p in report["problems"]] == ["file.unexpected", "toy.no_evaluator"]


@pytest.mark.usefixtures("toy")
class TestList:
    def test_json_has_every_set_with_its_counts(self, tmp_path: Path, capsys: Capture) -> None:
        write(tmp_path / "sub/x.json", {**toy_set("s", "a"), "evaluator": "gone"})
        write(tmp_path / "r.json", {"toy_result": "s"})
        (tmp_path / "bad.evalset.json").write_text("{")
        code, listed = run_json(capsys, "list", str(tmp_path))
        assert code == 0
        assert listed == {
            "eval_sets": [
                {
                    "path": "bad.evalset.json",
                    "format": None,
                    "id": None,
                    "name": "bad.evalset.json",
                    "cases": None,
                    "problems": {"error": 1, "warning": 0, "info": 0},
                },
                {
                    "path": "sub/x.json",
                    "format": "toy",
                    "id": "s",
                    "name": "S",
                    "cases": 1,
                    "problems": {"error": 1, "warning": 0, "info": 0},
                },
            ]
        }

    def test_text_is_an_aligned_table(self, tmp_path: Path, capsys: Capture) -> None:
        write(tmp_path / "a.json", toy_set("one", "a"))
        write(tmp_path / "longer.json", toy_set("two", *"abcdefghijk"))
        main(["list", str(tmp_path)])
        assert capsys.readouterr().out == (
            "PATH         FORMAT  ID   CASES  PROBLEMS\n"
            "a.json       Toy     one      1  none\n"
            "longer.json  Toy     two     11  none\n"
        )

    def test_the_current_folder_is_the_default(
        self, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(tmp_path / "app/evals/a.json", toy_set("one"))
        monkeypatch.chdir(tmp_path / "app")
        _code, listed = run_json(capsys, "list")
        assert [s["path"] for s in listed["eval_sets"]] == ["evals/a.json"]

    def test_a_folder_without_sets_says_so(self, tmp_path: Path, capsys: Capture) -> None:
        assert main(["list", str(tmp_path)]) == 0
        assert "No eval sets" in capsys.readouterr().out


@pytest.mark.usefixtures("toy")
class TestShow:
    def test_json_is_the_canonical_set(self, tmp_path: Path, capsys: Capture) -> None:
        path = tmp_path / "x.json"
        path.write_text(
            '{"toy": "s", "cases": ['
            '{"id": "a\\ud800", "q": NaN, "a": {"x": -Infinity}}, {"id": "b"}]}'
        )
        code, shown = run_json(capsys, "show", str(path))
        assert (code, shown["format"], shown["kind"]) == (0, "toy", "eval_set")
        first, second = shown["eval_set"]["cases"]
        assert first["id"] == "a\ud800" and first["invocations"][0]["input"] == "NaN"
        assert first["invocations"][0]["expected_output"] == {"x": "-Infinity"}
        assert "mocking" not in first and second["invocations"][0]["input"] is None

    def test_text_has_what_is_set_and_keeps_lines(self, tmp_path: Path, capsys: Capture) -> None:
        cases = [{"id": "a", "q": "one\ntwo \x1b[31mred", "a": {"n": [1, 2.5]}}]
        main(["show", str(write(tmp_path / "x.json", {"toy": "s", "cases": cases}))])
        assert capsys.readouterr().out == (
            f"{tmp_path}/x.json: Toy, eval set\n"
            "format_id: toy\n"
            "id: s\n"
            "cases:\n"
            "  - id: a\n"
            "    invocations:\n"
            "      - input:\n"
            "          one\n"
            "          two \\x1b[31mred\n"
            "        expected_output:\n"
            "          n: [1, 2.5]\n"
        )

    @pytest.mark.parametrize(
        ("content", "name"),
        [({"toy_evaluator": "exact"}, "evaluators"), ({"toy_result": "s"}, "runs")],
    )
    def test_evaluators_and_results_are_shown_too(
        self, tmp_path: Path, capsys: Capture, content: Any, name: str
    ) -> None:
        path = write(tmp_path / "x.json", content)
        _code, shown = run_json(capsys, "show", str(path))
        assert len(shown[name]) == 1
        assert main(["show", str(path)]) == 0

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (None, "x.json: There is no such file"),
            (b"{\n\n!", "x.json:3:1: "),
            (b"{}", "no eval file of a known format"),
        ],
    )
    def test_what_cannot_be_shown_is_explained_on_stderr(
        self, tmp_path: Path, capsys: Capture, content: bytes | None, says: str
    ) -> None:
        if content is not None:
            (tmp_path / "x.json").write_bytes(content)
        assert main(["show", str(tmp_path / "x.json")]) == 2
        out = capsys.readouterr()
        assert out.out == "" and says in out.err and "Traceback" not in out.err
        assert out.err.count("\n") == 2


class TestMain:
    @pytest.mark.parametrize("argv", [["list", "gone"], ["serve", "gone"]])
    def test_errors_have_a_hint_and_exit_with_2(self, argv: list[str], capsys: Capture) -> None:
        assert main(argv) == 2
        out = capsys.readouterr()
        assert out.out == ""
        assert out.err == ("evaldesk: There is no folder 'gone'\n    Name a folder that exists.\n")

    @pytest.mark.parametrize("argv", [["nope"], ["show"], ["list", "--output", "yaml"]])
    def test_a_wrong_command_line_exits_with_2(self, argv: list[str], capsys: Capture) -> None:
        with pytest.raises(SystemExit) as stop:
            main(argv)
        assert stop.value.code == 2

    def test_no_command_prints_the_help(self, capsys: Capture) -> None:
        assert main([]) == 2
        assert "commands:" in capsys.readouterr().err

    @pytest.mark.parametrize("command", ["serve", "list", "check", "show"])
    def test_help_explains_the_command_and_its_exit_codes(
        self, command: str, capsys: Capture
    ) -> None:
        with pytest.raises(SystemExit) as stop:
            main([command, "--help"])
        text = capsys.readouterr().out
        assert stop.value.code == 0 and "exit codes:" in text and "--output" in text
        assert len(text) > 600

    def test_version(self, capsys: Capture) -> None:
        with pytest.raises(SystemExit) as stop:
            main(["--version"])
        assert stop.value.code == 0 and capsys.readouterr().out.startswith("evaldesk")

    def test_ctrl_c_is_quiet(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        def stop(_given: str) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr("evalcore.cli.listing.folder_place", stop)
        assert main(["list"]) == 130
        assert capsys.readouterr() == ("", "")

    def test_a_reader_that_leaves_is_no_error(self, tmp_path: Path) -> None:
        for number in range(300):
            (tmp_path / f"{'long name ' * 12}{number}.evalset.json").write_text("{")
        with subprocess.Popen(
            [sys.executable, "-m", "evalcore.cli", "check", str(tmp_path)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None and process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
            assert process.wait(60) == 141

    def test_text_from_files_cannot_steer_the_terminal(self, tmp_path: Path) -> None:
        name = "evil\x1b]0;title\x07\u202e.evalset.json"
        (tmp_path / name).write_text('{"\x1b[2J": }', encoding="utf-8")
        for command in ("check", "list"):
            for output in ("text", "json"):
                shown = child(command, ".", "--output", output, cwd=tmp_path).stdout
                assert "evil" in shown
                assert not set(shown) & {"\x1b", "\x07", "\u202e"}

    @pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
    def test_any_terminal_encoding_will_do(self, tmp_path: Path, encoding: str) -> None:
        (tmp_path / "Grüße 你好 \udcff.evalset.json").write_text("{")
        env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": encoding}
        done = subprocess.run(
            [sys.executable, "-m", "evalcore.cli", "list", str(tmp_path)],
            env=env,
            capture_output=True,
            check=False,
            timeout=60,
        )
        assert done.returncode == 0 and done.stderr == b""
        assert b"\\udcff" in done.stdout


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain äöü 你好 😀", "plain äöü 你好 😀"),
        ("a\tb\nc\r", "a\\tb\\nc\\r"),
        ("\x1b[31m\x00\x7f\x9b", "\\x1b[31m\\x00\\x7f\\x9b"),
        ("\u202e\u2066\u2028\ud800", "\\u202e\\u2066\\u2028\\ud800"),
    ],
)
def test_what_steers_a_terminal_is_escaped(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_wide_characters_keep_columns_aligned() -> None:
    lines = table(("A", "B"), [("你好", "x"), ("abcd", "y"), ("e\u0301", "z")]).splitlines()
    assert lines == ["A     B", "你好  x", "abcd  y", "e\u0301     z"]


def test_numbers_that_json_has_not_become_their_names() -> None:
    value = {"a": [float("nan"), float("inf"), (-float("inf"),), 1.5, 10**30]}
    assert strict(value) == {"a": ["NaN", "Infinity", ["-Infinity"], 1.5, 10**30]}


@pytest.mark.parametrize(
    ("given", "mark", "root"),
    [
        ("p/evaluations/eval-sets/x.json", None, "p"),
        ("p/a/b/c/x.json", "p/pyproject.toml", "p"),
        ("p/a/b/c/x.json", None, "p/a"),
        ("p/.work/a/x.json", None, "p/.work"),
        ("p/.work/x.json", "p/pyproject.toml", "p/.work"),
    ],
)
def test_the_workspace_of_a_file_is_its_project(
    tmp_path: Path, given: str, mark: str | None, root: str
) -> None:
    write(tmp_path / given, {})
    if mark:
        write(tmp_path / mark, {})
    place = _places.file_place(str(tmp_path / given))
    assert place.workspace.root == tmp_path / root
    assert place.workspace.root / place.path == tmp_path / given
