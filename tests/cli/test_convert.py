"""``evaldesk convert``: a report, a file, and an exit code that stops a lossy conversion."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.cli import main
from tests.samples import SAMPLES

SOURCE = SAMPLES / "adk" / "refund_desk" / "refunds.evalset.json"
HARNEST = "evals/refunds.evalset.json"


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(SOURCE, tmp_path / "refunds.evalset.json")
    monkeypatch.chdir(tmp_path)


def convert(*words: str) -> int:
    return main(["convert", "refunds.evalset.json", *words])


def test_a_conversion_without_loss_is_written_and_loads(capsys: pytest.CaptureFixture[str]):
    assert convert(HARNEST, "--to", "harnest") == 0
    out = capsys.readouterr().out
    assert "Google ADK → Harnest: 9 cases become 9 cases." in out
    assert out.endswith(f"\nWritten to {HARNEST}.\n")
    assert main(["check", HARNEST]) == 0


def test_a_lossy_conversion_writes_nothing_and_leaves_with_3(capsys: pytest.CaptureFixture[str]):
    assert convert("tests/refunds.json", "--to", "tenxgraph") == 3
    out = capsys.readouterr().out
    assert not Path("tests").exists()
    assert "\nLost\n" in out
    assert "Nothing is written, as values would be lost." in out


def test_allowing_the_loss_writes_the_file(capsys: pytest.CaptureFixture[str]):
    assert convert("tests/refunds.json", "--to", "tenxgraph", "--allow-loss") == 0
    assert len(json.loads(Path("tests/refunds.json").read_bytes())["eval_cases"]) == 9
    assert "\nLost\n" in capsys.readouterr().out


def test_carrying_keeps_the_rest_and_says_where(capsys: pytest.CaptureFixture[str]):
    assert convert("tests/refunds.json", "--to", "tenxgraph", "--carry") == 0
    out = capsys.readouterr().out
    assert "\nLost\n" not in out and "10xGraph keeps “metadata”" in out
    cases = json.loads(Path("tests/refunds.json").read_bytes())["eval_cases"]
    assert "carried_from_adk" in cases[0]["metadata"]


def test_the_report_for_programs_has_every_value_with_both_pointers(
    capsys: pytest.CaptureFixture[str],
):
    assert convert("tests/refunds.json", "--to", "tenxgraph", "--output", "json") == 3
    report = json.loads(capsys.readouterr().out)
    assert report["lossy"] is True and report["written"] is None
    assert report["cases"] == {"before": 9, "after": 9}
    assert sum(report["counts"].values()) == len(report["values"])
    kept = next(v for v in report["values"] if v["status"] == "kept")
    assert kept["pointer"] == "/eval_set_id" and kept["target"] == "/eval_set_id"


def test_turns_can_become_cases():
    path = "agent/evaluations/eval-sets/refunds.json"
    assert convert(path, "--to", "uipath_coded", "--split-turns", "--allow-loss") == 0
    names = [c["id"] for c in json.loads(Path(path).read_bytes())["evaluations"]]
    assert "where_is_my_parcel_turn_2" in names


def test_a_file_that_is_there_is_replaced_only_by_force(capsys: pytest.CaptureFixture[str]):
    Path("evals").mkdir()
    Path(HARNEST).write_text("mine")
    assert convert(HARNEST, "--to", "harnest") == 2
    assert "is there already" in capsys.readouterr().err
    assert Path(HARNEST).read_text() == "mine"
    assert convert(HARNEST, "--to", "harnest", "--force") == 0
    assert json.loads(Path(HARNEST).read_bytes())["eval_set_id"] == "refunds"


def test_force_keeps_the_file_where_values_would_be_lost():
    Path("old.json").write_text("mine")
    assert convert("old.json", "--to", "tenxgraph", "--force") == 3
    assert Path("old.json").read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("refunds.evalset.json", "--to", "adk", "--force"), "same file"),
        (("here/refunds.evalset.json", "--to", "harnest"), "would not take"),
        (("new.json", "--to", "excel"), "Unknown format"),
        (("new.txt", "--to", "tenxgraph", "--allow-loss"), "does not end in .json"),
    ],
)
def test_what_cannot_be_done_is_refused_with_2(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
):
    before = Path("refunds.evalset.json").read_bytes()
    assert convert(*words) == 2
    assert said in capsys.readouterr().err
    assert Path("refunds.evalset.json").read_bytes() == before
    assert [p.name for p in Path().iterdir()] == ["refunds.evalset.json"]


def test_what_is_no_eval_set_is_refused(capsys: pytest.CaptureFixture[str]):
    shutil.copy(SOURCE.with_name("test_config.json"), "test_config.json")
    assert main(["convert", "test_config.json", "x.json", "--to", "adk"]) == 2
    assert "is no eval set" in capsys.readouterr().err


def test_control_characters_of_a_file_do_not_reach_the_terminal(
    capsys: pytest.CaptureFixture[str],
):
    value = json.loads(SOURCE.read_bytes())
    value["eval_cases"][0]["session_input"]["session_id"] = "\x1b[31mred"
    Path("red.evalset.json").write_text(json.dumps(value))
    main(["convert", "red.evalset.json", "x.json", "--to", "tenxgraph"])
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\\x1b[31mred" in out
