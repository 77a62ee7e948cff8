"""``evaldesk check --explain`` and ``--fix``: what a code means, and mending what is safe."""

import json
from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.lint import catalog


def turn(text: str) -> dict:
    reply = {"role": "assistant", "content": f"About {text}."}
    return {"user_content": {"role": "user", "content": text}, "expected_final_response": reply}


@pytest.fixture
def doubled(tmp_path: Path) -> Path:
    """A set with two cases of one id (safe to mend) and a copy (for a person to decide)."""
    path = tmp_path / "graph" / "s.evalset.json"
    path.parent.mkdir()
    cases = [
        {"eval_id": name, "conversation": [turn(text)]}
        for name, text in (("a", "one"), ("a", "two"), ("b", "one"))
    ]
    value = {"eval_set_id": "s", "name": "s", "metadata": {}, "eval_cases": cases}
    path.write_text(json.dumps(value, indent=4) + "\n")
    return path


def test_a_rule_is_explained_with_its_example(capsys):
    assert main(["check", "--explain", "harnest.rubric_without_type"]) == 0
    out = capsys.readouterr().out
    assert "A rubric without a type" in out
    assert "What to do: " in out and "Bad:  " in out and "Good: " in out


def test_every_code_is_listed_and_every_one_can_be_explained(capsys):
    assert main(["check", "--explain"]) == 0
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == [code for rule in catalog.rules() for code in rule.codes]
    for code in listed:
        assert main(["check", "--explain", code]) == 0
        assert catalog.rule(code).title in capsys.readouterr().out


def test_rules_come_as_json_too(capsys):
    assert main(["check", "--explain", "cases.duplicate", "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["codes"] == ["cases.duplicate"] and set(found["examples"]) == {"bad", "good"}


def test_an_unknown_code_is_refused_with_the_nearest_ones(capsys):
    assert main(["check", "--explain", "uipath.mock_hiden"]) == 2
    assert "uipath.mock_hidden" in capsys.readouterr().err


def test_without_a_path_nothing_is_checked(capsys):
    assert main(["check"]) == 2
    assert "Name a file or a folder" in capsys.readouterr().err


def test_fixes_are_made_printed_and_only_the_safe_ones(doubled: Path, capsys):
    before = doubled.read_text()
    assert main(["check", "--fix", str(doubled)]) == 0
    out = capsys.readouterr().out
    assert f"{doubled} fixed tenxgraph.duplicate_case_id Call it “a_2”" in out
    assert "1 fix in 1 file made" in out
    assert "cases.duplicate" in out
    after = json.loads(doubled.read_text())
    assert [case["eval_id"] for case in after["eval_cases"]] == ["a", "a_2", "b"]
    assert doubled.read_text().replace("a_2", "a") == before


def test_what_would_be_fixed_is_shown_and_nothing_is_written(doubled: Path, capsys):
    before = doubled.read_bytes()
    assert main(["check", "--fix", "--diff", str(doubled.parent)]) == 1
    out = capsys.readouterr().out
    assert '-            "eval_id": "a",' in out and '+            "eval_id": "a_2",' in out
    assert "1 fix in 1 file would be made" in out
    assert doubled.read_bytes() == before


def test_nothing_to_fix_leaves_the_file_alone(doubled: Path, capsys):
    main(["check", "--fix", str(doubled)])
    stamp = doubled.stat().st_mtime_ns
    assert main(["check", "--fix", "--diff", str(doubled)]) == 0
    assert main(["check", "--fix", str(doubled)]) == 0
    assert doubled.stat().st_mtime_ns == stamp
    assert "fixed" not in capsys.readouterr().out.splitlines()[-1]


def test_fixes_come_as_json_too(doubled: Path, capsys):
    assert main(["check", "--fix", str(doubled), "--output", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [fix["code"] for fix in found["fixes"]] == ["tenxgraph.duplicate_case_id"]
    assert [p["code"] for p in found["problems"]] == ["cases.duplicate"]


def test_a_diff_without_a_fix_is_refused(doubled: Path, capsys):
    assert main(["check", "--diff", str(doubled)]) == 2
    assert "--fix" in capsys.readouterr().err


def test_a_file_that_cannot_be_read_is_left_to_the_check(tmp_path: Path, capsys):
    broken = tmp_path / "s.evalset.json"
    broken.write_text('{"eval_cases": [')
    assert main(["check", "--fix", str(broken)]) == 2
    assert "file.not_json" in capsys.readouterr().out
    assert broken.read_text() == '{"eval_cases": ['
