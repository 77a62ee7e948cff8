"""The Import page and the export dialog, run without a browser."""

import csv
import io

import pytest

from evalcore.views.importing import ImportJob
from pages._import import jobs
from tests.pages.conftest import words

TABLE = b"id;question;answer\nc1;Why?;So.\nc2;;Nothing\nc1;And?;Yes.\n"


@pytest.fixture(autouse=True)
def nothing_imported():
    jobs.all_jobs.cache_clear()


def upload(at, name: str, data: bytes):
    at.file_uploader(key="import.upload").upload(name, data).run()
    assert not at.exception, at.exception
    return at


def in_format(at, label: str):
    at.selectbox(key="import.format").select(label).run()
    assert not at.exception, at.exception
    return at


def add(at):
    at.button(key="import.add").click().run()
    assert not at.exception, at.exception
    return at


def test_an_empty_page_says_what_can_be_imported(open_page):
    at = open_page("import_cases")
    assert "What can be imported" in [s.value for s in at.subheader]


def test_a_table_becomes_a_draft_and_no_file(open_page, folder):
    at = in_format(upload(open_page("import_cases"), "refund cases.csv", TABLE), "Google ADK")
    said = words(at)
    assert "semicolon" in said and "3 rows, 3 columns" in said
    assert "1 case to add" in said and "1 row left out" in said
    assert "Row 3, column question" in said
    assert at.text_input(key="import.name").value == "refund cases"
    add(at)
    assert list(folder.rglob("*.json")) == []
    assert "Review changes" in [s.value for s in at.subheader]
    assert "c1" in words(at)


def test_a_column_can_become_something_else_and_the_preview_follows(open_page, folder):
    at = in_format(upload(open_page("import_cases"), "x.csv", TABLE), "Google ADK")
    chosen = at.selectbox(key="import.column 2 target")
    assert chosen.value == "Expected reply"
    chosen.select("Not used").run()
    (frame,) = (d.value for d in at.dataframe)
    assert "Expected reply" not in frame.columns and list(frame["User says"]) == ["Why?", "And?"]
    at.checkbox(key="import.same").uncheck().run()
    assert "is in row 2 already" in words(at)


def test_cases_are_added_to_a_set_that_is_there(open_page, refunds_file):
    before = refunds_file.read_bytes()
    at = open_page("import_cases", into="refunds.evalset.json")
    add(upload(at, "x.csv", TABLE))
    assert refunds_file.read_bytes() == before
    assert "1 unsaved edit" in words(at)


def test_an_id_that_is_taken_is_named_and_can_be_renamed(open_page, refunds_file):
    at = open_page("import_cases", into="refunds.evalset.json")
    upload(at, "x.csv", b"id,question\nsimple,Q\n")
    assert "has a case called" in words(at)
    assert at.button(key="import.add").disabled
    at.checkbox(key="import.taken").check().run()
    assert not at.button(key="import.add").disabled


def test_a_file_that_cannot_be_read_says_so_and_the_page_stays(open_page, folder):
    at = upload(open_page("import_cases"), "x.xlsx", b"PK\x03\x04 broken")
    assert "damaged" in words(at).replace("\\", "")
    assert at.file_uploader(key="import.upload") is not None


def test_the_file_stays_chosen_through_a_page_switch(open_page, folder):
    at = upload(open_page("import_cases"), "x.csv", TABLE)
    at.switch_page("library.py").run()
    at.switch_page("import_cases.py").run()
    assert "semicolon" in words(at)


def test_an_edited_export_comes_back_as_changes(open_page, refunds_file):
    at = open_page("author", set="refunds.evalset.json")
    at.session_state["dialog of the author"] = ("export", ())
    at.session_state["kept export.kind"] = "csv"
    at.run()
    assert not at.exception, at.exception
    data = at.session_state["exported"][1]
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    rows[1][2] = "Money back, please."
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    at.session_state["dialog of the author"] = ("", ())
    at.switch_page("import_cases.py").run()
    upload(at, "refunds.csv", text.getvalue().encode())
    assert "1 field changed in 1 case" in words(at)
    before = refunds_file.read_bytes()
    at.button(key="import.apply").click().run()
    assert not at.exception, at.exception
    assert refunds_file.read_bytes() == before
    assert "1 unsaved edit" in words(at)


def test_names_of_columns_with_markup_in_them_are_shown_as_they_are(open_page, folder):
    data = b"id,![x](http://evil.example/a.png),<b>q</b>\nc1,x,y\n"
    at = upload(open_page("import_cases"), "![x](http://evil.example/b.png).csv", data)
    for element in (*at.markdown, *at.caption):
        assert "![x](" not in element.value


def test_a_job_makes_a_plan_once_for_the_same_choices(folder):
    from evalcore.views.importing import blank_set, start

    job = start("x.csv", TABLE, "", [])
    assert isinstance(job, ImportJob)
    lens, tree = blank_set(job.new.format_id)
    assert job.plan(lens, tree) is job.plan(lens, tree)


def test_a_file_of_the_workspace_can_be_chosen(open_page, folder):
    (folder / "logs").mkdir()
    (folder / "logs" / "chat.jsonl").write_text('{"user": "Hi", "assistant": "Hello"}\n' * 2)
    at = open_page("import_cases")
    at.selectbox(key="import.file").select("logs/chat.jsonl").run()
    assert not at.exception, at.exception
    assert "Records, one for each line: 2 lines" in words(at)
    at.selectbox(key="import.kind").select("Chat log, one conversation").run()
    in_format(at, "Google ADK")
    assert "1 case to add" in words(at)


def test_a_sheet_of_another_set_says_so(open_page, refunds_file, folder):
    other = folder / "other.evalset.json"
    other.write_bytes(refunds_file.read_bytes())
    from evalcore.exporting import ExportKind, exported
    from pages._ui.desk import open_desk

    opened = open_desk().workspace.open("refunds.evalset.json")
    lens = opened.format.lens_for(opened.detection)
    data = exported(ExportKind.CSV, lens, opened.document.value, "refunds.evalset.json")
    at = open_page("import_cases", into="other.evalset.json")
    upload(at, "x.csv", data)
    assert "exported from refunds" in words(at).replace("\\", "")
    assert at.button(key="import.apply").disabled
