"""Deleting runs, and bringing them back."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.results import CaseResult, Verdict
from evalcore.store import Manifest, Place, RunStore, Source
from evalcore.views.run_bin import INDEX, RunBin

ID = "0123456789abcdef-1"


@pytest.fixture(params=["disk", "memory"])
def store(request, tmp_path):
    url = str(tmp_path / "runs") if request.param == "disk" else f"memory://bin{tmp_path.name}"
    found = RunStore(Place(url))
    write(found, ID)
    yield found
    found.place.delete("")


def write(store, run_id):
    source = Source(kind="result_file", path="results/a.json")
    with store.writer(Manifest(id=run_id, name="night", source=source, format_id="adk")) as writer:
        writer.append(CaseResult(origin="", case_id="a", verdict=Verdict.PASSED))
        writer.finish()


def test_a_deleted_run_is_gone_from_the_list_and_comes_back_whole(store):
    deleted = RunBin(store)
    before = store.manifest(ID)
    deleted.put([ID])
    assert store.runs() == []
    assert [(d.id, d.name, d.source) for d in deleted.deleted()] == [
        (ID, "night", "results/a.json")
    ]
    assert deleted.holds(ID[:16])
    deleted.bring_back([ID])
    assert store.manifest(ID) == before
    assert store.open(ID).case(0).case_id == "a"
    assert deleted.deleted() == []
    assert not deleted.holds(ID[:16])


def test_an_emptied_bin_remembers_what_was_deleted(store):
    deleted = RunBin(store)
    deleted.put([ID])
    deleted.empty()
    assert deleted.deleted() == []
    assert deleted.holds(ID[:16])
    deleted.let_in("results/a.json")
    assert not deleted.holds(ID[:16])
    assert store.runs() == []


def test_a_run_that_came_in_again_can_be_deleted_again(store):
    deleted = RunBin(store)
    deleted.put([ID])
    write(store, ID)
    deleted.put([ID])
    assert store.runs() == []
    assert len(deleted.deleted()) == 1


def test_deleting_a_run_that_is_not_there_is_an_error(store):
    with pytest.raises(EvaldeskError):
        RunBin(store).put(["no-such-run"])


def test_a_broken_run_can_be_deleted(store):
    store.place.write(f"{ID}/run.json", b"{")
    deleted = RunBin(store)
    deleted.put([ID])
    assert store.broken() == []
    assert deleted.deleted()[0].name == ID


def test_a_broken_list_of_deleted_runs_still_brings_them_back(store):
    deleted = RunBin(store)
    deleted.put([ID])
    store.place.write(INDEX, b"[{]")
    assert [d.id for d in deleted.deleted()] == [ID]
    deleted.bring_back([ID])
    assert store.has(ID)
