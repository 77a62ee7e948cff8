"""Runs whose writer went away, at any byte."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.store import CaseFacts, RunQuery, Status
from evalcore.store.documents import dump
from evalcore.store.manifest import write_manifest
from evalcore.store.recovery import read_journal
from evalcore.store.writer import HEARTBEAT_S, JOURNAL, MANIFEST, journal_line
from tests.store.builders import ANY_CASES, FACTS, case, manifest, score, store_in, stored

LONG_AGO = datetime.now(UTC) - timedelta(hours=1)


@given(st.lists(st.tuples(ANY_CASES, FACTS), max_size=3), st.data())
def test_a_journal_cut_at_any_byte_is_read_up_to_its_last_whole_line(results, data):
    lines = [journal_line(dump(result), facts).encode() for result, facts in results]
    whole = b"".join(lines)
    cut = data.draw(st.integers(0, len(whole)))
    kept = [n for n in range(len(lines) + 1) if len(b"".join(lines[:n])) <= cut][-1]
    found = list(read_journal(whole[:cut].splitlines(keepends=True)))
    assert [repr(result) for result, _ in found] == [repr(result) for result, _ in results[:kept]]
    assert [repr(facts) for _, facts in found] == [repr(facts) for _, facts in results[:kept]]


def test_every_cut_of_one_journal_leaves_a_prefix():
    lines = [journal_line(dump(case(name)), CaseFacts()).encode() for name in "abc"]
    whole = b"".join(lines)
    counts = [
        len(list(read_journal(whole[:cut].splitlines(keepends=True))))
        for cut in range(len(whole) + 1)
    ]
    ends = [0, *(len(b"".join(lines[: n + 1])) for n in range(3))]
    assert counts == [sum(end <= cut for end in ends) - 1 for cut in range(len(whole) + 1)]


@pytest.fixture
def crashed(tmp_path):
    """A store in whose run two of three results were written when its process was killed."""
    store = store_in(tmp_path)
    writer = store.writer(manifest(), lambda _: CaseFacts(("smoke",), {"team": "x"}))
    writer.append(case("a", scores=(score(),)))
    writer.append(case("b", scores=(score(0.0, None, reason="no"),)))
    writer._journal.write('{"origin": "/c/c", "case')
    writer._journal.flush()
    yield store, writer
    writer._let_go()


def silence(store):
    """Let the writer's last sign of life be an hour ago."""
    held = store.manifest("r").model_copy(update={"heartbeat": LONG_AGO, "status": Status.RUNNING})
    store.place.write(f"r/{MANIFEST}", write_manifest(held))


def test_a_run_that_is_being_written_says_so_and_is_not_opened(crashed):
    store, _ = crashed
    assert [run.status for run in store.runs()] == [Status.RUNNING]
    with pytest.raises(EvaldeskError, match="still being written"):
        store.open("r")


def test_a_run_whose_writer_is_gone_is_interrupted_and_can_be_read_as_far_as_it_got(crashed):
    store, _ = crashed
    silence(store)
    assert [run.status for run in store.runs()] == [Status.INTERRUPTED]
    run = store.open("r")
    assert run.manifest.status is Status.INTERRUPTED
    assert [line.case_id for line in run.page(RunQuery(sort="file")).lines] == ["a", "b"]
    assert run.slices("team", RunQuery())[0].total == 2
    assert not store.place.exists(f"r/{JOURNAL}")
    assert store_in(store.place.url).open("r").manifest == run.manifest


def test_a_writer_that_was_only_slow_has_the_last_word(crashed):
    store, writer = crashed
    silence(store)
    store.open("r")
    writer.append(case("c"))
    writer.finish()
    assert [line.case_id for line in store.open("r").page(RunQuery(sort="file")).lines] == [
        "a",
        "b",
        "c",
    ]
    assert store.manifest("r").status is Status.FINISHED


def test_a_crash_while_a_run_is_put_in_order_loses_nothing(crashed, monkeypatch):
    store, _ = crashed
    silence(store)
    monkeypatch.setattr("evalcore.store.tables.Tables.finished", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        store.open("r")
    monkeypatch.undo()
    assert store.open("r").manifest.cases.total == 2


def test_a_run_of_which_nothing_was_kept_says_so(tmp_path):
    store = store_in(tmp_path)
    held = manifest(status=Status.RUNNING, heartbeat=LONG_AGO)
    store.place.write(f"r/{MANIFEST}", write_manifest(held))
    with pytest.raises(EvaldeskError, match="before any result was kept"):
        store.open("r")


def test_a_block_left_by_an_error_leaves_a_run_that_tells_the_error(tmp_path):
    store = store_in(tmp_path)
    with pytest.raises(RuntimeError), store.writer(manifest()) as writer:
        writer.append(case())
        raise RuntimeError("the disk is full")
    found = store.open("r").manifest
    assert (found.status, found.error) == (Status.INTERRUPTED, "RuntimeError: the disk is full")
    assert found.cases.total == 1


def test_a_writer_tells_how_far_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("evalcore.store.writer.HEARTBEAT_S", 0.0)
    store = store_in(tmp_path)
    with store.writer(manifest()) as writer:
        writer.append(case("a", scores=(score(),)))
        seen = store.manifest("r")
        assert (seen.status, seen.cases.passed) == (Status.RUNNING, 1)
        writer.finish()
    assert HEARTBEAT_S > 0


def test_nothing_temporary_is_left(tmp_path):
    store = store_in(tmp_path)
    stored(store, [case()])
    names = sorted(path.name for path in (tmp_path / "r").iterdir())
    assert names == ["cases.parquet", "details.parquet", "run.json", "scores.parquet"]
