"""The list of runs: rates, changes, filters, and how a set stands."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import WorkspaceError
from evalcore.results import Verdict
from evalcore.store import Manifest, Place, RunStore, SetFacts, Source, Status, VerdictCounts
from evalcore.views.run_index import RunIndex, listing
from evalcore.views.run_list import (
    RunFilter,
    change_of,
    counts_text,
    interval_text,
    latest_of,
    matching,
    rate_of,
    rows_of,
    set_label,
    source_text,
    spark,
    system_label,
    went,
)

START = datetime(2026, 11, 1, tzinfo=UTC)


def run(number=0, passed=8, failed=2, path="refunds.evalset.json", **more):
    counts = VerdictCounts(passed=passed, failed=failed, **more.pop("counts", {}))
    known = {
        "id": f"run-{number}",
        "name": f"night {number}",
        "source": Source(kind="result_file", path=f"results/{number}.json"),
        "format_id": "adk",
        "eval_set": SetFacts(path=path, id="refunds", name="Refunds"),
        "cases": counts,
        "distinct": counts.total,
        "started_at": START + timedelta(hours=number),
    }
    return Manifest(**{**known, **more})


def newest_first(*runs):
    return rows_of(sorted(runs, key=lambda m: m.started_at, reverse=True))


@pytest.mark.parametrize(
    ("counts", "told", "stands_out"),
    [
        ({}, "✗ 80.0 % (8 of 10)", "2 failed"),
        ({"failed": 0}, "✓ 100 % (8 of 8)", ""),
        ({"failed": 0, "counts": {"error": 1}}, "✗ 100 % (8 of 8)", "1 error"),
        ({"passed": 0, "failed": 0, "counts": {"error": 2}}, "! error", "2 errors"),
        (
            {"passed": 0, "failed": 0, "counts": {"not_evaluated": 3}},
            "○ not evaluated",
            "3 not evaluated",
        ),
    ],
)
def test_a_run_is_told_with_glyph_rate_and_counts(counts, told, stands_out):
    found = run(**counts)
    assert went(found) == told
    assert counts_text(found) == stands_out


def test_the_interval_rests_on_cases_not_on_their_repeats():
    once = run(passed=8, failed=2)
    often = run(passed=40, failed=10, distinct=10, repeats=5)
    assert interval_text(rate_of(often)) == interval_text(rate_of(once))
    assert interval_text(rate_of(once)) == "95 %: 49.0–94.3 %"


def test_nothing_judged_has_no_interval():
    assert interval_text(rate_of(run(passed=0, failed=0, counts={"error": 1}))) == ""


def test_each_run_is_held_against_the_one_before_of_its_set_and_system():
    other_set = run(2, path="orders.evalset.json")
    other_system = run(3, format_id="harnest")
    rows = newest_first(run(1), other_set, other_system, run(4))
    assert [row.before.id if row.before else None for row in rows] == ["run-1", None, None, None]


def test_a_run_that_judged_nothing_or_was_interrupted_is_no_measure():
    idle = run(2, passed=0, failed=0, counts={"not_evaluated": 9})
    cut = run(3, status=Status.INTERRUPTED)
    rows = newest_first(run(1), idle, cut, run(4))
    assert rows[0].before.id == "run-1"
    assert rows[2].change is None


def test_a_run_is_not_held_against_what_was_re_scored_but_that_is_held_against_it():
    scored = Source(kind="scored", path="results/2.json")
    again = run(2, 5, 5, id="a-scored", source=scored)
    rows = newest_first(run(1), run(2), again, run(3))
    found = {row.id: row.before.id if row.before else None for row in rows}
    assert found == {"run-3": "run-2", "a-scored": "run-2", "run-2": "run-1", "run-1": None}
    assert latest_of(rows)["refunds.evalset.json"].id == "run-3"
    assert latest_of(newest_first(run(2), again))["refunds.evalset.json"].id == "run-2"


def test_runs_that_are_only_scored_here_are_held_against_each_other():
    source = Source(kind="scored", path="outputs.jsonl")
    rows = newest_first(run(1, source=source), run(2, source=source))
    assert rows[0].before.id == "run-1"
    assert latest_of(rows)["refunds.evalset.json"].id == "run-2"


@pytest.mark.parametrize(
    ("before", "after", "text", "note"),
    [
        ((8, 2), (9, 1), "▲ 10.0 points", "may be chance"),
        ((50, 50), (90, 10), "▲ 40.0 points", "better"),
        ((90, 10), (50, 50), "▼ 40.0 points", "worse"),
        ((4, 1), (8, 2), "= the same", ""),
    ],
)
def test_a_change_claims_no_more_than_the_counts_bear(before, after, text, note):
    change = change_of(run(1, *before), run(2, *after))
    assert (change.text, change.note) == (text, note)


@given(st.tuples(*[st.integers(0, 200)] * 4).filter(lambda n: n[0] + n[1] and n[2] + n[3]))
def test_a_change_turned_round_is_the_same_change_the_other_way(counts):
    there = change_of(run(1, *counts[:2]), run(2, *counts[2:]))
    back = change_of(run(1, *counts[2:]), run(2, *counts[:2]))
    assert there.points == pytest.approx(-back.points)
    assert there.is_sure is back.is_sure


@pytest.mark.parametrize(
    ("wanted", "ids"),
    [
        (RunFilter(), ["run-3", "run-2", "run-1"]),
        (RunFilter("NIGHT 2"), ["run-2"]),
        (RunFilter("orders"), ["run-3"]),
        (RunFilter("results/1.json"), ["run-1"]),
        (RunFilter("night orders"), ["run-3"]),
        (RunFilter(eval_set="refunds.evalset.json"), ["run-2", "run-1"]),
        (RunFilter(system="harnest"), ["run-2"]),
        (RunFilter("no such thing"), []),
    ],
)
def test_runs_are_found_by_text_set_and_system(wanted, ids):
    third = run(3, path="orders.evalset.json", eval_set=SetFacts(path="orders.evalset.json"))
    rows = newest_first(run(1), run(2, format_id="harnest"), third)
    assert [row.id for row in matching(rows, wanted)] == ids
    assert wanted.is_on is (wanted != RunFilter())


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (Source(kind="result_file", path="a/b.json"), "a/b.json"),
        (Source(kind="result_file", path="a.json", number=2, of=3), "a.json (run 2 of 3)"),
        (Source(kind="result_file", path="dropped/0a1b2c3d/b.json"), "b.json, dropped here"),
        (Source(kind="scored", path="o.jsonl"), "o.jsonl, scored here"),
        (Source(kind="scored"), "scored here"),
    ],
)
def test_the_source_of_a_run_is_told_in_words(source, text):
    assert source_text(run(source=source)) == text


@pytest.mark.parametrize(
    ("facts", "label"),
    [
        (SetFacts(path="a/refunds.evalset.json", name="Refunds"), "Refunds"),
        (SetFacts(path="a/refunds.evalset.json"), "refunds"),
        (SetFacts(id="r-1"), "r-1"),
        (SetFacts(), "(no set named)"),
    ],
)
def test_a_set_goes_by_its_name_else_its_file_else_its_id(facts, label):
    assert set_label(run(eval_set=facts)) == label


def test_a_system_that_is_unknown_here_goes_by_its_id():
    assert system_label(run()) == "Google ADK"
    assert system_label(run(format_id="of-a-plugin")) == "of-a-plugin"


def test_a_set_stands_by_its_newest_run_that_judged_anything():
    idle = run(3, passed=0, failed=0, counts={"error": 1})
    last = latest_of(newest_first(run(1, 0, 10), run(2, 10, 0), idle))
    assert list(last) == ["refunds.evalset.json"]
    found = last["refunds.evalset.json"]
    assert (found.id, found.went, found.verdict) == ("run-2", "✓ 100 % (10 of 10)", Verdict.PASSED)
    assert found.spark == "▁█"


def test_bars_share_one_scale_and_a_single_one_says_nothing():
    assert spark([0.0, 0.5, 1.0]) == "▁▅█"
    assert spark([0.4]) == ""


def keep(folder, manifest):
    from evalcore.store.manifest import write_manifest

    (folder / manifest.id).mkdir(parents=True, exist_ok=True)
    (folder / manifest.id / "run.json").write_bytes(write_manifest(manifest))


def test_a_broken_folder_costs_no_other_run(tmp_path):
    keep(tmp_path, run(1))
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "run.json").write_text('{"id": ')
    found = listing(RunStore(Place(str(tmp_path))))
    assert [row.id for row in found.rows] == ["run-1"]
    assert [broken.id for broken in found.broken] == ["torn"]


def test_an_index_that_is_touched_sees_what_is_new(tmp_path):
    keep(tmp_path, run(1))
    index = RunIndex(RunStore(Place(str(tmp_path))))
    assert len(index.read(30).rows) == 1
    keep(tmp_path, run(2))
    index.touch()
    assert len(index.read(30).rows) == 2


def test_a_place_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    index = RunIndex(RunStore(Place(str(tmp_path))))

    def refuse(_self):
        raise WorkspaceError("no", hint="ask")

    monkeypatch.setattr(Place, "folders", refuse)
    found = index.read(30)
    assert found.rows == ()
    assert str(found.error) == "no"
