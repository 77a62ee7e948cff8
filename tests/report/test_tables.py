"""CSV and XLSX: a row per case result, texts that no program runs, numbers that stay numbers."""

import csv
import io
from typing import Any

import pytest
from openpyxl import load_workbook

from evalcore.report import xlsx_file
from evalcore.report.texts import sheet_text
from evalcore.store import RunQuery
from tests.report.runs import exported, hostile, many, ordinary, stored


def rows(data: bytes) -> list[dict[str, str]]:
    csv.field_size_limit(10**7)
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def book(data: bytes) -> Any:
    return load_workbook(io.BytesIO(data))


def by_head(sheet: Any) -> list[dict[str, Any]]:
    head, *lines = sheet.iter_rows(values_only=True)
    assert len(set(head)) == len(head)
    return [dict(zip(head, line, strict=True)) for line in lines]


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("\r=1", "\\x0d=1"),
        (" =1", "' =1"),
        ("plain", "plain"),
        ("a\r\nb", "a\nb"),
        ("nul\x00", "nul\\x00"),
        ("half \ud83d", "half \\ud83d"),
        ("", ""),
    ],
)
def test_no_text_is_a_formula_or_a_character_that_sheets_refuse(text: str, cell: str):
    assert sheet_text(text) == cell


def test_a_text_too_long_for_a_cell_is_cut_and_says_how_long_it_was():
    found = sheet_text("y" * 5_000_000)
    assert len(found) <= 32_000
    assert found.endswith("… (cut: 5,000,000 characters; the JSON report has them all)")


def test_a_guarded_text_is_never_longer_than_a_cell():
    assert len(sheet_text("=" + "\x00" * 31_999)) <= 32_000


def test_csv_has_a_row_per_case_result_with_its_scores_and_texts():
    found = rows(exported("csv", ordinary(), RunQuery(sort="file")))
    assert [row["case"] for row in found[:5]] == ["greets", "refunds", "crashes", "idle", "talks"]
    refunds = found[1]
    assert refunds["verdict"] == "failed"
    assert refunds["Words"] == "0.42"
    assert refunds["Words: verdict"] == "failed"
    assert refunds["Words: reason"] == "3 of 7 words Caution: short"
    assert refunds["expected"] == "I refunded 12 EUR"
    assert refunds["tags"] == "smoke, money"
    assert found[2]["error"] == "Timeout after 60 s"
    assert found[2]["Words"] == ""
    assert found[4]["input"] == "[1] one\n[2] two"
    assert [row["repeat"] for row in found[5:]] == ["1", "2", "3"]
    assert {row["flaky"] for row in found[5:]} == {"yes"}


def test_all_that_a_query_selects_is_written_whatever_its_page():
    run = stored(many(2_100))
    found = rows(exported("csv", run, RunQuery(mode="failures", sort="file", limit=3, offset=2)))
    assert [row["case"] for row in found] == [f"case-{n:05}" for n in range(0, 2_100, 7)]


def test_hostile_texts_make_no_formula_in_csv():
    found = rows(exported("csv", hostile()))
    assert len(found) == 8
    texts = [text for row in found for text in row.values()]
    assert [t for t in texts if t.startswith(("=", "+", "@", "\t", "\r"))] == []
    assert {t for t in texts if t.startswith("-")} == {"-0.5", "-3.0"}
    assert max(map(len, texts)) <= 32_000


def test_the_workbook_has_three_sheets_with_their_headers_frozen():
    found = book(exported("xlsx", ordinary()))
    assert found.sheetnames == ["Summary", "Cases", "Turns"]
    assert [sheet.freeze_panes for sheet in found] == ["B2", "B2", "E2"]
    assert all(cell.font.bold for sheet in found for cell in sheet[1] if cell.value)


def test_the_summary_sheet_says_what_the_numbers_are_of():
    lines = list(book(exported("xlsx", ordinary()))["Summary"].iter_rows(values_only=True))
    said = {line[0]: line[1] for line in lines}
    assert said["result"] == "66.7 % (4 of 6) passed"
    assert said["interval"] == "95 % interval 24.5–92.5 % (Wilson)"
    assert said["scored"] == "6 of 8 scored; not in the rate: 1 error, 1 not evaluated"
    assert (said["error"], said["failed"], said["not evaluated"]) == (1, 2, 1)
    assert ("Words", 6, 4, 2, 0, 0) in [line[:6] for line in lines]


def test_a_part_of_a_run_is_called_so():
    data = exported("xlsx", ordinary(), RunQuery(mode="failures"))
    said = dict(line[:2] for line in book(data)["Summary"].iter_rows(values_only=True))
    assert said["what is in this file"] == "3 of the run's 8 case results: only failures and errors"


def test_the_turns_sheet_has_a_row_for_each_turn():
    found = by_head(book(exported("xlsx", ordinary(), RunQuery(sort="file")))["Turns"])
    assert [(row["case"], row["turn"]) for row in found[3:5]] == [("talks", 1), ("talks", 2)]
    refunds = found[1]
    assert refunds["actual tool calls"] == 'find {\n  "order": "A-18"\n}'
    assert refunds["expected nodes"] == "start → pay"
    assert refunds["Words"] == 0.42


def test_hostile_texts_stay_texts_in_a_workbook():
    found = book(exported("xlsx", hostile()))
    kinds = {cell.data_type for sheet in found for line in sheet.iter_rows() for cell in line}
    assert kinds <= {"s", "inlineStr", "n"}
    values = [
        row["=SUM(A1)"] if "=SUM(A1)" in row else row["'=SUM(A1)"]
        for row in by_head(found["Cases"])
    ]
    assert 7 in values


def test_rows_beyond_what_a_sheet_holds_are_counted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(xlsx_file, "MOST_ROWS", 100)
    found = book(exported("xlsx", stored(many(130))))
    assert found["Cases"].max_row == 101
    said = dict(line[:2] for line in found["Summary"].iter_rows(values_only=True))
    assert said["sheet Cases"] == "30 rows more than a sheet holds are left out"
    assert said["failed"] == 19
