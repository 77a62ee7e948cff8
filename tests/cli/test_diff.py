"""``evaldesk diff``: words, exit codes, and errors that say what to do."""

import json
from pathlib import Path

import pytest

from evalcore.cli import main
from tests.test_history import commit, git
from tests.views.builders import case, turn


def a_set(reply: str = "ok", **more: object) -> str:
    value = {"eval_set_id": "s", "eval_cases": [case("a", turn("hi", reply))], **more}
    return json.dumps(value, indent=2)


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["diff", *map(str, arguments)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    old, new = tmp_path / "a.evalset.json", tmp_path / "b.evalset.json"
    old.write_text(a_set("It costs 40 EUR."))
    new.write_text(a_set("It costs 45 EUR."))
    return old, new


def test_two_files_are_compared_in_words(pair, capsys):
    code, out, err = ran(capsys, *pair)
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "1 case (1 edited) changed.",
        "",
        "~ a: edited",
        "    turn 1: expected reply It costs 40 EUR. -> It costs 45 EUR.",
    ]


def test_no_differences_is_0_and_says_so(pair, capsys):
    old, _new = pair
    assert ran(capsys, old, old) == (0, "No differences.\n", "")
    again = old.with_name("c.evalset.json")
    again.write_text(old.read_text().replace("  ", "    "))
    code, out, _err = ran(capsys, old, again)
    assert (code, out) == (
        0,
        "No differences in what the files say; they are written differently.\n",
    )


def test_markdown_and_json(pair, capsys):
    code, out, _err = ran(capsys, *pair, "--format", "md")
    assert code == 1
    assert "### `a`: edited" in out and "- turn 1: expected reply `It costs 40 EUR.` → `It" in out
    code, out, _err = ran(capsys, *pair, "--format", "json")
    data = json.loads(out)
    assert (code, data["same"], data["cases"][0]["case"]) == (1, False, "a")
    assert ran(capsys, *pair, "--output", "json")[1] == out


def test_a_file_is_compared_with_what_git_has_of_it(tmp_path: Path, capsys):
    git(tmp_path, "init", "-q")
    commit(tmp_path, "old.evalset.json", a_set("one"), "Begin")
    git(tmp_path, "mv", "old.evalset.json", "new.evalset.json")
    commit(tmp_path, "new.evalset.json", a_set("two"), "Rename")
    file = tmp_path / "new.evalset.json"
    assert ran(capsys, file, "--against", "HEAD")[0] == 0
    code, out, _err = ran(capsys, file, "--against", "HEAD~1")
    assert (code, out.splitlines()[-1]) == (1, "    turn 1: expected reply one -> two")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["{a}"], "Name two files"),
        (["{a}", "{b}", "--against", "HEAD"], "Name two files"),
        (["{a}", "--against", "HEAD"], "in no git repository"),
        (["{a}", "{none}"], "none.json"),
        (["{a}", "{broken}"], "ends"),
        (["{a}", "{other}"], "is an eval set of"),
    ],
)
def test_trouble_is_2_and_says_what_to_do(pair, capsys, arguments: list[str], said: str):
    folder = pair[0].parent
    (folder / "broken.json").write_text('{"a": ')
    (folder / "other.json").write_text(
        '{"id": "1", "name": "b", "version": "1.0", "evaluatorRefs": [], "evaluations": []}'
    )
    names = {n: folder / f"{n}.json" for n in ("none", "broken", "other")}
    names |= {"a": pair[0], "b": pair[1]}
    code, out, err = ran(capsys, *(word.format(**names) for word in arguments))
    assert (code, out) == (2, "")
    assert said in err and "Traceback" not in err


def test_what_steers_a_terminal_is_spelled_out(tmp_path: Path, capsys):
    old, new = tmp_path / "a.evalset.json", tmp_path / "b.evalset.json"
    old.write_text(a_set("ok"))
    new.write_text(a_set("\x1b[31mred\u202e", **{"\x1b]0;x": 1}))
    for shape in ("text", "md", "json"):
        out = ran(capsys, old, new, "--format", shape)[1]
        assert "\x1b" not in out and "\u202e" not in out
