"""The list of runs and the way into one, run without a browser."""

import json
import re
import shutil

import pytest

from evalcore.store import Place, RunStore
from evalcore.store.place import VARIABLE
from pages._results import address
from pages._ui import runs
from pages._ui.desk import open_desk
from tests.pages.conftest import words
from tests.pages.reports import RESULTS, addressed, report, result
from tests.samples import SAMPLES

REPORTS = "eval_reports"


def table(at, label="Runs"):
    found = [json.loads(e.proto.json) for e in at.get("bidi_component") if e.proto.json]
    (one,) = [value for value in found if value.get("label") == label]
    return one


def lines(at):
    return [line(row) for row in table(at)["rows"]]


def line(row):
    said = [
        " ".join(piece["text"] for piece in (*cell["line"], *cell["below"]))
        for cell in row["cells"]
    ]
    return " | ".join(said)


def markup(at):
    """What a page says that a browser reads as HTML or Markdown."""
    return "\n".join(str(e.value) for kind in ("html", "markdown", "caption") for e in at.get(kind))


def button(at, key):
    return next(b for b in at.button if b.key == key)


def tick(at, *ids):
    at.session_state["kept runs.ticked"] = list(ids)
    return at.run()


def test_an_empty_folder_names_three_ways_to_a_first_run(open_page):
    at = open_page("results")
    assert "No runs yet" in [s.value for s in at.subheader]
    told = words(at)
    assert "Drop result files here" in told
    assert ".adk/eval_history/" in told
    assert "--eval-output" in told
    assert "evaldesk import" in told
    assert len(at.get("file_uploader")) == 1


def test_opening_the_list_of_an_empty_folder_writes_nothing(open_page, folder):
    open_page("results")
    assert list(folder.iterdir()) == []


def test_a_run_is_a_line_with_rate_interval_counts_set_and_source(open_page, reports):
    reports(report(*RESULTS))
    (only,) = lines(open_page("results"))
    for part in ("✗ 50.0 % (1 of 2)", "95 %: 9.5–90.5 %", "! 1", "○ 1", "Refunds", "10xGraph"):
        assert part in only
    assert f"{REPORTS}/refunds_20261129_101500.json" in only


def test_the_newest_run_comes_first_and_says_how_it_stands_to_the_last(open_page, reports):
    reports(report(RESULTS[0], timestamp=1700000000.0), "old_report.json")
    reports(report(RESULTS[1]))
    newest, oldest = lines(open_page("results"))
    assert "▼ 100.0 points" in newest
    assert "may be chance" in newest
    assert "old_report" in oldest
    assert "points" not in oldest


def test_a_line_opens_its_run_and_the_way_back_leads_to_the_list(open_page, reports):
    reports(report(*RESULTS))
    at = open_page("results")
    run_id = table(at)["rows"][0]["id"]
    assert table(at)["rows"][0]["href"] == f"results?run={run_id}"
    at = open_page("results", run=run_id)
    assert "Refunds" in words(at)
    button(at, "results.runs").click().run()
    assert len(lines(at)) == 1
    assert "run" not in at.query_params


@pytest.mark.parametrize("number", ["", "1", "2", "nonsense"])
def test_an_old_link_still_opens_its_run(open_page, folder, number):
    shutil.copytree(SAMPLES / "harnest", folder / "harnest")
    query = {"run": number} if number else {}
    at = open_page("results", file="harnest/library_helper/results/eval-run.json", **query)
    if number == "nonsense":
        assert "There is no run nonsense" in words(at)
        return
    store = runs.run_store(open_desk())
    found = store.manifest(addressed(at, "run"))
    assert found.source.number == (int(number) if number else 1)
    assert "file" not in at.query_params


def test_an_old_link_to_a_run_that_its_file_does_not_hold_says_so_above_the_list(
    open_page, reports
):
    path = reports(report(*RESULTS))
    at = open_page("results", file=path, run="7")
    assert "holds 1 runs, and no number 7" in words(at).replace("\\", "")
    assert len(lines(at)) == 1


def test_a_file_that_is_gone_is_said_and_the_list_stays(open_page, reports):
    reports(report(*RESULTS))
    at = open_page("results", file=f"{REPORTS}/gone.json")
    assert "There is no result file" in words(at)
    assert len(lines(at)) == 1


def test_a_broken_file_is_told_with_its_problem_and_costs_no_run(open_page, reports):
    reports(report(*RESULTS))
    broken = reports('{"eval_set_id": "x", "results": [', "cut_off_result.json")
    at = open_page("results")
    assert len(lines(at)) == 1
    told = words(at)
    assert "cut_off_result.json" in told
    assert "The file ends before" in told
    assert "The file ends before" in words(open_page("results", file=broken))


def test_a_file_that_changes_comes_in_anew_beside_its_old_run(open_page, reports):
    reports(report(*RESULTS))
    assert len(lines(open_page("results"))) == 1
    reports(report(RESULTS[0]))
    assert len(lines(open_page("results"))) == 2


def test_runs_are_found_by_text_set_and_system(open_page, reports):
    reports(report(RESULTS[0]))
    reports(report(RESULTS[1], set_id="orders", eval_set_name="Orders"), "orders_report.json")
    at = open_page("results", named="orders")
    assert len(lines(at)) == 1
    at.text_input(key="runs.named").input("no such thing").run()
    assert "0 of 2 runs match" in words(at)
    button(at, "runs.clear").click().run()
    assert len(lines(at)) == 2
    at.selectbox(key="runs.of").set_value("Orders").run()
    assert len(lines(at)) == 1
    assert addressed(at, "of") == "orders"


def test_the_list_of_many_runs_is_leafed_through(open_page, folder, monkeypatch):
    monkeypatch.setenv(VARIABLE, f"memory://many{folder.parent.name}")
    store = RunStore(Place(f"memory://many{folder.parent.name}"))
    from tests.views.test_run_list import run

    for number in range(130):
        from evalcore.store.manifest import write_manifest

        store.place.write(f"run-{number}/run.json", write_manifest(run(number)))
    at = open_page("results")
    assert len(lines(at)) == 100
    assert "of 130" in words(at).replace("\\", "")
    at = open_page("results", leaf="2")
    assert len(lines(at)) == 30


def test_two_ticked_runs_can_be_compared_the_oldest_as_baseline(open_page, reports):
    reports(report(RESULTS[0], timestamp=1700000000.0), "old_report.json")
    reports(report(RESULTS[1]))
    at = open_page("results")
    newest, oldest = [row["id"] for row in table(at)["rows"]]
    assert "runs.compare" not in [b.key for b in at.button]
    tick(at, newest)
    assert button(at, "runs.compare").disabled
    tick(at, newest, oldest)
    assert not button(at, "runs.compare").disabled
    assert table(at)["ticked"] == [newest, oldest]
    button(at, "runs.compare").click().run()
    assert addressed(at, "runs") == f"{oldest},{newest}"


def test_a_deleted_run_asks_first_and_can_be_undone(open_page, reports):
    reports(report(*RESULTS))
    at = open_page("results")
    (row,) = table(at)["rows"]
    tick(at, row["id"])
    button(at, "runs.delete").click().run()
    assert "Delete 1 run:" in words(at)
    button(at, "runs.keep").click().run()
    assert len(lines(at)) == 1
    button(at, "runs.delete").click().run()
    button(at, "runs.delete.do").click().run()
    assert "1 run deleted" in words(at)
    button(at, "runs.undo").click().run()
    assert [r["id"] for r in table(at)["rows"]] == [row["id"]]


def test_a_deleted_run_stays_deleted_though_its_file_is_still_there(open_page, reports):
    path = reports(report(*RESULTS))
    at = open_page("results")
    (row,) = table(at)["rows"]
    runs.kept(open_desk()).bin.put([row["id"]])
    runs.kept(open_desk()).index.touch()
    runs.kept(open_desk()).intake.forget([path])
    at = open_page("results")
    assert "No runs yet" in [s.value for s in at.subheader]
    assert path in words(at)
    button(at, f"runs.take {path}").click().run()
    assert len(lines(at)) == 1


def drop(at, *files):
    runs.kept(open_desk()).intake.drop(files)
    assert runs.kept(open_desk()).intake.join(60)
    return at.run()


def test_a_single_dropped_file_opens_its_run(open_page, folder):
    at = open_page("results")
    drop(at, ("mine.json", json.dumps(report(*RESULTS)).encode()))
    manifest = runs.run_store(open_desk()).manifest(addressed(at, "run"))
    assert manifest.source.path.endswith("/mine.json")
    button(at, "results.runs").click().run()
    assert "mine.json, dropped here" in lines(at)[0]


def test_several_dropped_files_are_lines_and_each_bad_one_says_why(open_page, folder):
    at = open_page("results")
    other = json.dumps(report(RESULTS[0], timestamp=5.5)).encode()
    drop(
        at,
        ("one.json", json.dumps(report(*RESULTS)).encode()),
        ("two.json", other),
        ("bad.json", b"[1,"),
    )
    assert len(lines(at)) == 2
    told = words(at)
    assert "bad.json" in told
    assert "1 dropped file" in told
    button(at, "runs.upload.seen").click().run()
    assert "bad.json" not in words(at)


def test_runs_in_memory_are_said_to_be_so(open_page, reports, monkeypatch):
    monkeypatch.setenv(VARIABLE, "no-such-protocol://runs")
    reports(report(*RESULTS))
    at = open_page("results")
    assert "kept in memory until the server stops" in words(at)
    assert len(lines(at)) == 1


def test_runs_are_kept_where_the_environment_says(open_page, reports, folder, monkeypatch):
    elsewhere = folder.parent / "elsewhere"
    monkeypatch.setenv(VARIABLE, str(elsewhere))
    reports(report(*RESULTS))
    (row,) = table(open_page("results"))["rows"]
    assert (elsewhere / row["id"] / "run.json").is_file()
    assert not (folder / ".evaldesk").exists()


def test_a_run_that_is_being_written_or_was_left_says_so(open_page, reports, folder):
    from evalcore.results import CaseResult, Verdict
    from evalcore.store import Manifest, Source

    reports(report(*RESULTS))
    open_page("results")
    kept = runs.kept(open_desk())
    known = {"source": Source(kind="scored"), "format_id": "adk"}
    case = CaseResult(origin="", case_id="a", verdict=Verdict.PASSED)
    with kept.store.writer(Manifest(id="left", name="left", **known)) as left:
        left.append(case)
    writer = kept.store.writer(Manifest(id="now", name="now", **known))
    kept.index.touch()
    found = lines(open_page("results"))
    assert any("◌ interrupted" in text and "1 result so far" in text for text in found)
    assert any("◔ running" in text for text in found)
    assert "is still being written" in words(open_page("results", run="now"))
    assert "was interrupted after 1 result" in words(open_page("results", run="left"))
    writer.finish()


def test_a_kept_run_that_is_broken_is_told_and_can_be_deleted(open_page, reports):
    reports(report(*RESULTS))
    open_page("results")
    kept = runs.kept(open_desk())
    kept.store.place.write("torn/run.json", b"{")
    kept.index.touch()
    at = open_page("results")
    assert "torn/run.json is no run that Evaldesk wrote" in words(at)
    button(at, "runs.broken torn").click().run()
    button(at, "runs.delete.do").click().run()
    assert "torn/run.json" not in words(at)


def test_a_link_to_another_run_brings_no_filter_along(open_page, reports):
    reports(report(RESULTS[0], timestamp=1700000000.0), "old_report.json")
    reports(report(*RESULTS))
    newest, oldest = [row["id"] for row in table(open_page("results"))["rows"]]
    at = open_page("results", run=newest, mode="failures", find="refund")
    at.query_params.clear()
    at.query_params["run"] = oldest
    at.run()
    assert "mode" not in at.query_params
    assert "find" not in at.query_params


def test_a_menu_click_comes_back_to_what_was_looked_at(open_page, reports):
    reports(report(*RESULTS))
    (row,) = table(open_page("results"))["rows"]
    at = open_page("results", run=row["id"], mode="errors")
    at.query_params.clear()
    at.run()
    assert addressed(at, "run") == row["id"]
    assert addressed(at, "mode") == "errors"


def test_the_library_says_how_the_last_run_of_a_set_went(open_page, reports):
    reports(report(RESULTS[0], timestamp=1700000000.0), "old_report.json")
    reports(report(*RESULTS))
    open_page("results")
    at = open_page()
    (row,) = table(at, "Eval sets")["rows"]
    assert "✗ 50.0 % (1 of 2)" in line(row)
    assert "█▅" in line(row)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"mode": "failures"}, {"mode": "failures"}),
        ({"mode": "nonsense"}, {"mode": "all"}),
        ({"verdict": "failed"}, {"mode": "failures"}),
        ({"tag": 'a,"b,c"'}, {"tags": ("a", "b,c")}),
        ({"slice": "lang=de&tier=gold"}, {"slices": (("lang", "de"), ("tier", "gold"))}),
        ({"sort": "-name"}, {"sort": "name", "descending": True}),
        ({"sort": "-edited"}, {"sort": "worst", "descending": False}),
        ({"page": "3"}, {"offset": 200}),
        ({"page": "-1"}, {"offset": 0}),
        ({"cause": "no tool"}, {"cause": "no tool"}),
    ],
)
def test_the_address_is_a_query(query, expected, monkeypatch):
    monkeypatch.setattr(address, "text", lambda name: query.get(name, ""))
    found = address.read().query
    assert {name: getattr(found, name) for name in expected} == expected


@pytest.mark.parametrize("tags", [("a",), ("a", "b,c"), ('say "hi"', "x"), ()])
def test_tags_are_read_back_as_they_were_written(tags, monkeypatch):
    written = address.tags_text(tags)
    monkeypatch.setattr(address, "text", lambda name: written if name == "tag" else "")
    assert address.read().query.tags == tags


def test_repeats_of_a_case_each_have_an_address(open_page, reports):
    again = result("good", "Another try.")
    path = reports(report(RESULTS[0], again))
    open_page("results", file=path)
    store = runs.run_store(open_desk())
    run = store.open(store.runs()[0].id)
    for case_row in (0, 1):
        (shown,) = [ln for ln in run.repeats("good") if ln.case_row == case_row]
        key, repeat = address.of(shown)
        assert address.find(run, address.Address(case=key, repeat=repeat)) == case_row
    assert address.find(run, address.Address(case="#2")) == 1
    assert address.find(run, address.Address(case="#3")) is None
    assert address.find(run, address.Address(case="no such case")) is None


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/leak)",
        "<img src=https://evil.example/x><script>alert(1)</script>",
        "\ud800 \x00 \x1b[31m \u202e",
        ":material/delete: [a](javascript:alert(1))",
    ],
)
def test_hostile_names_stay_text_in_the_list_the_head_and_the_dialog(open_page, reports, text):
    reports(report(RESULTS[0], eval_set_name=text, set_id=text, timestamp=1700000000.0))
    reports(report(*RESULTS, eval_set_name=text, set_id=text), "second_report.json")
    at = open_page("results")
    newest, _oldest = [row["id"] for row in table(at)["rows"]]
    tick(at, newest)
    button(at, "runs.delete").click().run()
    assert not at.exception
    assert not re.search("<script>|<img", markup(at))
    at = open_page("results", run=newest)
    assert not at.exception
    assert not re.search("<script>|<img", markup(at))
    assert "Something went wrong" not in words(at)
    for made in at.button:
        assert "](" not in made.label.replace("\\]\\(", "").replace("\\](", "")
