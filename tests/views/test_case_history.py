"""One case over the runs of its set: what became of it, and which run broke it."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from evalcore.store import CaseFacts, Manifest, Place, RunStore, SetFacts, Source
from evalcore.store.sightings import sighting
from evalcore.verdicts import PassMark
from evalcore.views.case_history import history
from tests.views.runs import E, F, N, P, case, score

DAY = datetime(2026, 10, 1, tzinfo=UTC)


class Shelf:
    """Runs of one set, a day apart."""

    def __init__(self):
        self.store = RunStore(Place(f"memory://history-{uuid4().hex}"))
        self.made = 0

    def add(self, *verdicts, content="one", name="a", of="seats.evalset.json"):
        day = self.made
        self.made += 1
        manifest = Manifest(
            id=f"run-{day}",
            name=f"Run {day}",
            source=Source(kind="result_file", path=f"r{day}.json", sha256=f"{day:064x}"),
            format_id="adk",
            eval_set=SetFacts(path=of),
            started_at=DAY + timedelta(days=day),
        )
        facts = CaseFacts(content=content)
        with self.store.writer(manifest, lambda _: facts) as writer:
            for number, verdict in enumerate(verdicts):
                made = case(name, verdict=verdict, scores=[score(verdict=verdict)], repeat=number)
                writer.append(made)
            writer.finish()
        return f"run-{day}"

    def of(self, run_id, most=50, key="a"):
        this = self.store.open(run_id)
        return history(this, key, self.store.runs(), self.store.open, most)


@pytest.fixture
def shelf():
    return Shelf()


@pytest.mark.parametrize(
    ("verdicts", "broken", "told"),
    [
        ([P, P, F, F], 2, "Broken since Run 2 of 03 Oct 2026: 2 runs with a failure."),
        ([P, F, P, E], 3, "Broken since Run 3 of 04 Oct 2026: 1 run with a failure."),
        ([F, P, P], None, "It passed in 2 of 3 runs, and in the newest one."),
        ([F, F], None, "It never passed in 2 runs."),
        ([P, P, P], None, "It passed in all 3 runs."),
        ([P, F, N], 1, "Broken since Run 1 of 02 Oct 2026: 1 run with a failure."),
        ([P], None, "No other run here has this case."),
    ],
)
def test_the_run_that_broke_a_case_is_the_one_after_its_last_pass(shelf, verdicts, broken, told):
    last = [shelf.add(verdict) for verdict in verdicts][-1]
    found = shelf.of(last)
    assert found.first_broken == broken
    assert found.told == told


def test_a_case_that_changed_is_marked_in_the_run_where_it_did(shelf):
    for content in ("one", "one", "two", "two"):
        last = shelf.add(F if content == "two" else P, content=content)
    found = shelf.of(last)
    assert [point.changed for point in found.points] == [False, False, True, False]
    assert found.told.endswith("What is expected changed with that run.")


def test_a_run_that_does_not_know_its_set_hides_no_change(shelf):
    for content in ("one", "", "two"):
        last = shelf.add(P, content=content)
    assert [point.changed for point in shelf.of(last).points] == [False, False, True]


def test_runs_of_other_sets_are_left_out_and_runs_without_the_case_say_so(shelf):
    shelf.add(P, of="other.evalset.json")
    shelf.add(P, name="another")
    last = shelf.add(P)
    found = shelf.of(last)
    assert [point.seen is None for point in found.points] == [True, False]
    assert [point.is_this for point in found.points] == [False, True]


def test_only_the_newest_runs_are_looked_at(shelf):
    for _ in range(6):
        last = shelf.add(P)
    found = shelf.of(last, most=3)
    assert [point.manifest.id for point in found.points] == ["run-3", "run-4", "run-5"]
    assert found.older == 3


def test_a_run_that_is_gone_is_told_and_the_others_stay(shelf):
    shelf.add(P)
    last = shelf.add(P)
    manifests = shelf.store.runs()
    this = shelf.store.open(last)
    shelf.store.delete("run-0")
    found = history(this, "a", manifests, shelf.store.open)
    assert "There is no run run-0" in found.points[0].trouble
    assert found.points[1].seen is not None


def test_repeats_are_seen_in_their_order_and_flaky_ones_as_such(shelf):
    run = shelf.store.open(shelf.add(P, F, P))
    seen = sighting(run, "a")
    assert seen.verdicts == (P, F, P)
    assert seen.is_flaky
    assert sighting(run, "nobody") is None


def test_a_pass_mark_of_the_user_decides_where_the_system_has_no_rule():
    store = RunStore(Place(f"memory://history-{uuid4().hex}"))
    source = Source(kind="result_file", path="r.json", sha256="0" * 64)
    manifest = Manifest(id="r", source=source, format_id="uipath_coded", has_pass_rule=False)
    with store.writer(manifest) as writer:
        writer.append(case("a", scores=[score(0.6, None, None)]))
        writer.finish()
    assert sighting(store.open("r", PassMark(0.5)), "a").verdicts == (P,)
    assert sighting(store.open("r", PassMark(0.7)), "a").verdicts == (F,)
