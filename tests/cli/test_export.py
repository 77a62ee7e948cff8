"""``evaldesk export``: files for spreadsheets and programs."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from openpyxl import load_workbook

from evalcore.cli import main
from tests.samples import SAMPLES

SET = str(SAMPLES / "adk" / "refund_desk" / "refunds.evalset.json")
NO_SET = str(SAMPLES / "adk" / "refund_desk" / "test_config.json")


def test_a_workbook_has_locked_ids_a_frozen_header_and_open_cells(tmp_path: Path, capsys):
    target = tmp_path / "refunds.xlsx"
    assert main(["export", SET, "--to", "xlsx", "--file", str(target)]) == 0
    assert capsys.readouterr().out == f"{target}: 9 cases\n"
    sheet = load_workbook(BytesIO(target.read_bytes())).active
    assert sheet.freeze_panes == "C2" and sheet.protection.sheet
    head = [cell.value for cell in sheet[1]]
    assert head[:5] == ["Case id", "Turn", "User says", "Expected tool calls", "Expected reply"]
    assert sheet["A2"].protection.locked and not sheet["C2"].protection.locked
    assert sheet.column_dimensions["C"].width > 20


def test_choices_are_drop_downs(tmp_path: Path):
    source = SAMPLES / "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json"
    target = tmp_path / "x.xlsx"
    assert main(["export", str(source), "--to", "xlsx", "--file", str(target)]) == 0
    sheet = load_workbook(BytesIO(target.read_bytes())).active
    rules = [rule.formula1 for rule in sheet.data_validations.dataValidation]
    assert '"TRUE,FALSE"' in rules


def test_lines_go_to_stdout(capfdbinary):
    assert main(["export", SET, "--to", "jsonl", "--file", "-"]) == 0
    lines = capfdbinary.readouterr().out.splitlines()
    assert len(lines) == 9
    assert json.loads(lines[0])["case_id"] == "refund_within_policy"


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path, capsys):
    target = tmp_path / "x.csv"
    target.write_text("mine")
    assert main(["export", SET, "--to", "csv", "--file", str(target)]) == 2
    assert target.read_text() == "mine" and "--force" in capsys.readouterr().err
    assert main(["export", SET, "--to", "csv", "--file", str(target), "--force"]) == 0
    assert target.read_bytes().startswith(b"\xef\xbb\xbfCase id,Turn,")


@pytest.mark.parametrize("kind", ["csv", "xlsx", "jsonl"])
def test_what_is_no_set_is_refused(kind: str, tmp_path: Path, capsys):
    target = tmp_path / "x"
    assert main(["export", NO_SET, "--to", kind, "--file", str(target)]) == 2
    assert "no eval set" in capsys.readouterr().err and not target.exists()


def test_the_name_of_the_file_follows_the_set(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["export", SET, "--to", "csv", "--output", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["file"] == "refunds.csv"
    assert (tmp_path / "refunds.csv").exists()
