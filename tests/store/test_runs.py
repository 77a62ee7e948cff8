"""Runs in a store: what is there, what is half there, what is broken, and places of every kind."""

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

from evalcore.errors import EvaldeskError, FormatError, WorkspaceError
from evalcore.jsontree import MISSING
from evalcore.store import (
    Manifest,
    Place,
    RunQuery,
    RunStore,
    Status,
    moment,
    place_of,
    writable_place_of,
)
from evalcore.store.manifest import VERSION, read_manifest, write_manifest
from evalcore.store.place import VARIABLE
from evalcore.workspace import Workspace
from tests.store.builders import E, F, N, P, case, manifest, score, store_in, stored, turn


@pytest.fixture
def store(tmp_path):
    return store_in(tmp_path)


def test_runs_are_listed_newest_first_and_what_cannot_be_read_apart(store, tmp_path):
    for day in (2, 3, 1):
        stored(store, [case()], f"run{day}", started_at=datetime(2026, 9, day, tzinfo=UTC))
    (tmp_path / "empty").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text('{"id": "broken"')
    (tmp_path / "renamed").mkdir()
    (tmp_path / "renamed" / "run.json").write_bytes((tmp_path / "run1/run.json").read_bytes())
    assert [run.id for run in store.runs()] == ["run3", "run2", "run1"]
    told = {broken.id: broken.error for broken in store.broken()}
    assert sorted(told) == ["broken", "empty", "renamed"]
    assert "is no run that Evaldesk wrote" in told["broken"].message
    assert all(error.hint for error in told.values())


def test_a_store_that_is_not_there_yet_holds_no_runs(tmp_path):
    assert store_in(tmp_path / "nowhere").runs() == []


@pytest.mark.parametrize("name", ["", ".hidden", "../up", "a/b", "a\\b", "nul\0", "two\nlines"])
def test_no_name_leads_out_of_the_store(store, name):
    for use in (store.manifest, store.open, store.delete, lambda n: store.writer(manifest(n))):
        with pytest.raises(EvaldeskError, match="no name of a run"):
            use(name)


def test_a_deleted_run_is_gone_for_good(store):
    run = stored(store, [case()])
    store.delete("r")
    assert store.runs() == []
    assert not store.has("r")
    with pytest.raises(EvaldeskError, match="There is no run r"):
        store.delete("r")
    with pytest.raises(EvaldeskError, match="cannot be read"):
        run.case(0)


def test_what_is_left_of_a_broken_run_can_be_deleted(store, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run.json").write_text("{")
    store.delete("broken")
    assert store.broken() == []


def test_a_run_that_another_process_replaces_is_read_anew(store, tmp_path):
    stored(store, [case("a")])
    other = store_in(tmp_path)
    stored(other, [case("b"), case("c")])
    assert store.manifest("r").cases.total == 2
    assert [line.case_id for line in store.open("r").page(RunQuery(sort="file")).lines] == [
        "b",
        "c",
    ]


def test_damaged_tables_are_told_as_such(store, tmp_path):
    run = stored(store, [case()])
    (tmp_path / "r" / "cases.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(EvaldeskError, match="cannot be read") as caught:
        run.page(RunQuery())
    assert "again" in caught.value.hint
    stored(store, [case("b")])
    assert store.open("r").page(RunQuery()).lines[0].case_id == "b"


def test_a_later_version_is_not_guessed_at():
    data = json.dumps({"version": VERSION + 1, "anything": 1}).encode()
    with pytest.raises(FormatError, match="later version"):
        read_manifest(data, "r/run.json")


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"\xff\xfe", b'{"id": 3}', b"[" * 9999])
def test_what_is_no_manifest_is_refused(data):
    with pytest.raises(FormatError, match="is no run that Evaldesk wrote"):
        read_manifest(data, "r/run.json")


@pytest.mark.parametrize("text", ["plain", "schön", "half \ud83d", "\0\x1b[31m"])
def test_a_manifest_is_read_as_it_was_written(text):
    held = manifest(name=text, stored_status=text, evaluators={text: text}, metadata={text: [text]})
    assert read_manifest(write_manifest(held), "run.json") == held


def test_readers_never_see_half_a_run(store, tmp_path):
    """One thread writes runs, and writes them over; another opens what it finds."""
    stop, seen, refused = Event(), [], []

    def read() -> None:
        reader = store_in(tmp_path)
        while not stop.is_set():
            for found in reader.runs():
                try:
                    run = reader.open(found.id)
                    lines = run.page(RunQuery(sort="file", limit=999)).lines
                    seen.append((run.manifest.cases.total, len(lines), lines[0].case_id))
                except EvaldeskError as error:
                    refused.append(str(error))

    reader = Thread(target=read)
    reader.start()
    for number in range(1, 13):
        stored(store, [case(f"n{number}")] * number, f"r{number % 3}")
    stop.set()
    reader.join()
    assert [found for found in seen if not found[0] == found[1] == int(found[2][1:])] == []
    known = ("is still being written", "was replaced meanwhile", "cannot be read", "There is no")
    assert [said for said in refused if not any(word in said for word in known)] == []


def test_a_reader_of_another_process_is_told_that_a_run_is_being_written(store, tmp_path):
    script = (
        "from tests.store.builders import store_in\n"
        f"print([str(r.status) for r in store_in({str(tmp_path)!r}).runs()])"
    )
    with store.writer(manifest()) as writer:
        writer.append(case())
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
        writer.finish()
    assert done.stdout.strip() == "['running']", done.stderr


def test_runs_can_be_kept_in_memory(store):
    place = Place("memory://runs-of-a-test")
    kept = RunStore(place)
    run = stored(kept, [case("a", scores=(score(0.5, F),)), case("b")])
    assert run.page(RunQuery()).lines[0].case_id == "a"
    assert run.page(RunQuery(text="a")).total == 1
    assert run.case(1) == case("b")
    assert [m.id for m in kept.runs()] == ["r"]
    with kept.writer(manifest("half")) as writer:
        writer.append(case())
    assert kept.open("half").manifest.status is Status.INTERRUPTED
    kept.delete("r")
    kept.delete("half")
    assert kept.runs() == []


def test_a_place_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    store = store_in(tmp_path / "file")
    assert store.runs() == []
    with pytest.raises(WorkspaceError, match="Runs cannot be kept at") as caught:
        store.writer(manifest())
    assert VARIABLE in caught.value.hint


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_says_so(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(WorkspaceError, match="Permission denied"):
        store_in(tmp_path / "runs").writer(manifest())


def test_an_address_that_nothing_reads_says_so():
    with pytest.raises(WorkspaceError, match="Runs cannot be kept at"):
        Place("gopher9://x/y")


def test_a_workspace_keeps_its_runs_inside_and_out_of_git(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    place = place_of(Workspace(tmp_path))
    stored(RunStore(place), [case()])
    assert place.root == str(tmp_path / ".evaldesk" / "runs")
    assert (tmp_path / ".evaldesk" / "runs" / ".gitignore").read_text().endswith("*\n")
    assert not (tmp_path / ".evaldesk" / ".gitignore").exists()


def test_the_variable_names_another_place(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "memory://elsewhere")
    assert place_of(Workspace(tmp_path)).protocol == "memory"
    monkeypatch.setenv(VARIABLE, str(tmp_path / "kept"))
    assert place_of(Workspace(tmp_path)).root == str(tmp_path / "kept")


def test_where_nothing_can_be_written_runs_are_kept_in_memory(tmp_path, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    assert writable_place_of(Workspace(tmp_path))[1] is None
    other = tmp_path / "other"
    other.mkdir()
    (other / ".evaldesk").write_text("a file in the way")
    place, why = writable_place_of(Workspace(other))
    assert place.protocol == "memory"
    assert "cannot be kept" in why.message


def test_a_run_says_when_it_ran():
    at = datetime(2026, 9, 1, 12)
    assert moment(manifest(started_at=at)) == at.replace(tzinfo=UTC)
    assert moment(manifest(finished_at=at)) == at.replace(tzinfo=UTC)
    assert moment(manifest()).year == 1


# What no file should hold, and some do.


def test_an_empty_run_is_a_run(store):
    run = stored(store, [])
    assert run.page(RunQuery()).lines == ()
    assert run.numbers(RunQuery()) == ()
    assert run.causes(RunQuery()) == []
    assert run.slice_names() == []
    assert (run.manifest.cases.total, run.manifest.repeats, run.manifest.distinct) == (0, 1, 0)


def test_results_of_one_id_are_repeats_and_results_without_id_go_by_name_or_place(store):
    named = [case("a"), case("a"), case(None, name="x"), case(None, name="x"), case(None)]
    run = stored(store, [*named, case(None)])
    keys = [(line.case_key, line.repeat) for line in run.page(RunQuery(sort="file")).lines]
    assert keys == [
        ("a", 0),
        ("a", 1),
        ("name x", 0),
        ("name x", 1),
        ("place 4", 0),
        ("place 5", 0),
    ]
    assert (run.manifest.distinct, run.manifest.repeats) == (4, 2)


def test_a_reply_of_five_megabytes_is_kept_whole_and_found_by_its_beginning(store):
    reply = "Beginning " + "x" * 5_000_000
    result = case("big", invocations=(turn(actual_output=reply),))
    run = stored(store, [case("small"), result])
    assert run.case(1) == result
    assert [line.case_id for line in run.page(RunQuery(text="beginning")).lines] == ["big"]


def test_characters_that_no_terminal_should_see_are_kept(store):
    odd = "a\0b\x1b[31m\u202e\ud800<script>'\"\\%_"
    result = case(odd, name=odd, scores=(score(0.0, F, ref=odd, reason=odd),), error=odd)
    run = stored(store, [result], name=odd)
    assert repr(run.case(0)) == repr(result)
    (line,) = run.page(RunQuery(text="<SCRIPT>")).lines
    assert line.case_key == odd.replace("\ud800", "\\ud800")
    assert run.page(RunQuery(cases=frozenset([line.case_key]))).total == 1
    assert run.page(RunQuery(text="\ud800")).total == 1
    assert run.page(RunQuery(cause=line.causes[0])).total == 1
    assert run.page(RunQuery(sort=f"metric:{odd}")).total == 1


def test_ids_that_differ_in_half_an_emoji_are_two_cases(store):
    run = stored(store, [case("\ud83d"), case("\ud83e"), case("?")])
    assert run.manifest.distinct == 3
    assert len({line.case_key for line in run.page(RunQuery()).lines}) == 3


def test_a_metric_that_appears_late_has_no_number_before(store, monkeypatch):
    monkeypatch.setattr("evalcore.store.writer.BATCH", 2)
    early = [case(f"e{n}", scores=(score(0.5),)) for n in range(5)]
    late = [case(f"l{n}", scores=(score(0.25, ref="late"),)) for n in range(3)]
    run = stored(store, [*early, case("bare"), *late])
    lines = run.page(RunQuery(sort="file")).lines
    assert [line.values["late"] for line in lines] == [None] * 6 + [0.25] * 3
    assert [line.values["reply"] for line in lines] == [0.5] * 5 + [None] * 4
    assert [line.case_row for line in lines] == list(range(9))


def test_a_run_of_a_hundred_metrics(store):
    held = tuple(score(n / 100, ref=f"metric {n}") for n in range(100))
    run = stored(store, [case("a", scores=held), case("b")])
    numbers = run.numbers(RunQuery(mode="passes"))
    assert [round(n.mean, 6) for n in numbers] == [n / 100 for n in range(100)]
    assert run.page(RunQuery(sort="metric:metric 42")).lines[0].values[
        "metric 99"
    ] == pytest.approx(0.99)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 1e300])
def test_what_is_no_number_for_a_table_is_none_there_and_stays_in_the_result(store, value):
    result = case("a", scores=(score(value, F),))
    run = stored(store, [result])
    assert run.page(RunQuery()).lines[0].values == {"reply": None}
    assert repr(run.case(0)) == repr(result)
    assert run.histogram("reply", RunQuery()) == []


def test_any_number_of_tokens_and_any_duration_are_kept(store):
    run = stored(store, [case("a", total_tokens=10**30, duration_s=float("inf"))])
    assert run.case(0).total_tokens == 10**30
    assert store.manifest("r").tokens == 10**30


def test_an_error_is_no_zero_and_what_was_not_evaluated_no_pass(store):
    results = [case("e", scores=(score(0.0, E),)), case("n", scores=(score(None, N),))]
    run = stored(store, [*results, case("p", scores=(score(0.6, P),))])
    (numbers,) = run.numbers(RunQuery())
    assert (numbers.scored, numbers.mean) == (1, 0.6)
    assert {v: n for v, n in numbers.counts.items() if n} == {E: 1, N: 1, P: 1}


def test_a_turn_is_a_row_of_its_own(store):
    held = case("a", invocations=(turn(score(0.5)), turn(score(1.0), index=1)))
    stored(store, [held, case("b", invocations=(turn(score(0.25, F)),))])
    from evalcore.store.engine import engine

    path = store.place.full("r/scores.parquet")
    rows = engine().rows(f"SELECT row_id, case_id, inv, m0, verdict FROM read_parquet('{path}')")
    assert rows == [(0, "a", 0, 0.5, 3), (1, "a", 1, 1.0, 3), (2, "b", 0, 0.25, 1)]


def test_a_lone_missing_output_is_no_text(store):
    run = stored(store, [case("a", invocations=(turn(actual_output=MISSING),))])
    assert run.page(RunQuery(text="missing")).total == 0


def test_a_place_with_quotes_in_its_name(tmp_path):
    folder = tmp_path / 'it\'s "here" [1] {2}'
    folder.mkdir()
    run = stored(store_in(folder), [case("a")])
    assert run.page(RunQuery(text="a")).total == 1
    assert isinstance(run.manifest, Manifest)
    assert Path(run._place.root) == folder
