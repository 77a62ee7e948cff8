"""The menu Share, run without a browser: it names and writes what the list shows."""

import json

import pytest

from evalcore.report import ReportKind
from evalcore.store.importing import import_result
from pages._results import share
from pages._ui import runs
from pages._ui.desk import open_desk
from tests.pages.conftest import words
from tests.pages.test_results_page import check, report, result

CASES = ("a", "b", "c", "d")


def written(folder, name, *passed):
    (folder / "eval_reports").mkdir(exist_ok=True)
    found = [
        result(c, f"reply {c}", check("rouge_match", 0.9 if c in passed else 0.2)) for c in CASES
    ]
    path = f"eval_reports/{name}.json"
    (folder / path).write_text(json.dumps(report(*found) | {"note": name}))
    return path


def shared(open_page, **query):
    at = open_page("results", **query)
    at.session_state["results.share"] = True
    at.run()
    assert not at.exception
    return at


def test_all_of_a_run_is_offered_where_nothing_is_filtered(open_page, folder):
    at = shared(open_page, file=written(folder, "one", "a", "b"))
    assert "All 4 case results of this run" in words(at)
    assert {b.label for b in at.get("download_button")} >= {o.label for o in share.OFFERS.values()}


def test_what_is_filtered_is_named(open_page, folder):
    at = shared(open_page, file=written(folder, "one", "a", "b", "c"), mode="failures")
    assert "1 of 4 case results: only failures and errors" in words(at)


def test_what_changed_since_another_run_is_all_that_is_shared(open_page, folder):
    files = written(folder, "one", "a", "b"), written(folder, "two", "a", "c")
    desk = open_desk()
    before, after = (import_result(runs.run_store(desk), desk.workspace, f)[0] for f in files)
    at = shared(open_page, run=after, only=before)
    assert "2 of 4 case results: 2 chosen cases" in words(at)


def test_of_a_filter_that_finds_nothing_no_file_is_made(open_page, folder):
    at = shared(open_page, file=written(folder, "one", "a"), find="nowhere")
    assert "nothing to save" in words(at)
    assert not [b for b in at.get("download_button") if b.label == "CSV"]


@pytest.mark.parametrize("kind", ReportKind)
def test_a_large_report_is_made_beside_the_page(open_page, folder, monkeypatch, kind):
    monkeypatch.setattr(share, "AT_ONCE", 1)
    at = shared(open_page, file=written(folder, "one", "a"))
    at.button(key=f"make {kind.value}").click().run()
    job = at.session_state["kept share.making"]
    job.join(30)
    assert job.now.stage == "ready"
    assert len(job.data()) == job.now.size > 0
    at.run()
    assert "is ready" in words(at)
