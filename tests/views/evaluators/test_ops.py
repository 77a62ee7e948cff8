"""Checks are added, removed, switched and renamed, and the rest of the file stays as it was."""

import json
from datetime import UTC, datetime

import pytest

from evalcore.errors import FormatError
from evalcore.evaluators.tenxgraph.presets import PRESETS
from evalcore.formats import check_document, detect
from evalcore.formats.tenxgraph.config_checks import is_on
from evalcore.jsondoc import JsonDocument
from evalcore.scoring.sidecar import read_checks
from evalcore.views.evaluators import ops
from evalcore.views.evaluators.create import (
    PRESET_WORDS,
    Wanted,
    families_here,
    kinds_for,
    path_for,
    places_for,
    tree_for,
)
from evalcore.views.evaluators.listing import matching, rows_of
from evalcore.views.evaluators.review import changes_in_words
from evalcore.wiring import WiringReader
from tests.views.evaluators.conftest import ADK, HARNEST, TENXGRAPH, changed_lines

NOW = datetime(2026, 9, 1, tzinfo=UTC)
OWN = {
    "evaldesk": 1,
    "checks": [
        {"name": "order id", "kind": "evaldesk.regex", "params": {"pattern": "D-"}, "note": "x"},
        {"name": "short", "kind": "evaldesk.limits", "params": {"max_seconds": 3.0}},
    ],
    "cases": {"a": {"order id": None, "short": {"max_seconds": 9.0}}, "b": {"order id": {}}},
    "mine": [1.0, 1],
}


@pytest.fixture
def wiring(workspace):
    return WiringReader(workspace).read(workspace.entries())


@pytest.fixture
def own(bench_of):
    return bench_of("refunds.evalset.evaldesk.json", OWN, "evaldesk")


@pytest.mark.parametrize("path", [ADK, HARNEST, TENXGRAPH])
def test_every_check_that_can_be_added_loads(open_bench, path):
    bench = open_bench(path)
    for name in list(ops.addable(bench)):
        ops.add(bench, name)
    document, found = JsonDocument.parse(bench.draft.rendered()), bench.draft.base.detection
    assert not ops.addable(bench)
    errors = [p for p in check_document(document, found, bench_path(path)) if p.severity == "error"]
    assert errors == []
    assert all(check.cls is not None for check in bench.checks if not check.is_custom)


def bench_path(path):
    from pathlib import PurePath

    return PurePath(path)


def test_an_added_check_takes_the_place_of_its_null(open_bench):
    bench = open_bench(TENXGRAPH)
    order = list(bench.tree["criteria"])
    assert ops.add(bench, "safety") == "safety"
    assert list(bench.tree["criteria"]) == order
    assert bench.tree["criteria"]["safety"] == {"threshold": 0.8}
    bench.draft.undo()
    assert bench.draft.rendered() == bench.draft.base.document.data


def test_a_check_is_switched_off_and_on_with_its_settings(open_bench):
    bench = open_bench(TENXGRAPH)
    check = bench.check("rouge_match")
    ops.switch(bench, check, on=False)
    assert changed_lines(bench) == [('"enabled": true,', '"enabled": false,')]
    ops.switch(bench, bench.check("rouge_match"), on=True)
    assert bench.draft.rendered() == bench.draft.base.document.data
    assert bench.check("safety").state == "null"
    ops.switch(bench, bench.check("safety"), on=True)
    assert bench.check("safety").state == "on"


def test_a_number_and_an_object_turn_into_each_other_where_nothing_is_lost(open_bench):
    bench = open_bench(ADK)
    check = bench.check("response_match_score")
    ops.as_object(bench, check, on=True)
    assert bench.tree["criteria"][check.ref] == {"threshold": 0.7}
    ops.as_object(bench, check, on=False)
    assert bench.draft.rendered() == bench.draft.base.document.data
    with pytest.raises(FormatError, match="more than its pass mark"):
        ops.as_object(bench, bench.check("final_response_match_v2"), on=False)


def test_a_custom_metric_is_added_in_the_files_own_spelling_and_removed_whole(open_bench):
    bench = open_bench(HARNEST)
    ops.add_custom(bench, "tone", "harnest.lib.tone.tone")
    assert bench.tree["customMetrics"]["tone"] == {"codeConfig": {"name": "harnest.lib.tone.tone"}}
    assert bench.tree["criteria"]["tone"] == 0.8
    ops.remove(bench, bench.check("tone"))
    assert bench.draft.rendered() == bench.draft.base.document.data


@pytest.mark.parametrize("name, function", [("", "a.b"), ("tone", "nothing"), ("tone", "a b.c")])
def test_a_custom_metric_needs_a_name_and_a_path(open_bench, name, function):
    with pytest.raises(FormatError):
        ops.add_custom(open_bench(ADK), name, function)


def test_a_custom_metric_is_renamed_on_both_sides(open_bench):
    bench = open_bench(HARNEST)
    check = bench.check("no_invented_shelfmark")
    assert ops.can_rename(bench, check) and not ops.can_rename(bench, bench.checks[0])
    ops.rename(bench, check, "real_shelfmark")
    assert [new for _old, new in changed_lines(bench)] == [
        '"real_shelfmark": 1.0',
        '"real_shelfmark": {',
    ]


def test_a_check_of_ours_is_renamed_with_what_cases_say_of_it(own):
    ops.rename(own, own.check("order id"), "order")
    assert own.tree["cases"] == {
        "a": {"order": None, "short": {"max_seconds": 9.0}},
        "b": {"order": {}},
    }
    assert own.tree["checks"][0]["note"] == "x" and own.tree["mine"] == [1.0, 1]
    assert [c.ref for c in read_checks(own.tree)] == ["order", "short"]
    with pytest.raises(FormatError, match="already"):
        ops.rename(own, own.check("order"), "short")


def test_a_check_of_ours_is_removed_with_what_cases_say_of_it(own):
    ops.remove(own, own.check("order id"))
    assert own.tree["cases"] == {"a": {"short": {"max_seconds": 9.0}}, "b": {}}


def test_a_new_check_of_ours_has_a_free_name_and_can_run(own):
    called = ops.add(own, "evaldesk.regex")
    assert called not in ("order id", "short")
    assert all(check.evaluator is not None for check in read_checks(own.tree))


def test_a_check_of_ours_that_cannot_run_has_its_problem(bench_of):
    broken = {"evaldesk": 1, "checks": [{"name": "x", "kind": "evaldesk.regex", "params": {}}]}
    bench = bench_of("s.evaldesk.json", broken, "evaldesk")
    (problem,) = bench.problems_of(bench.check("x"))
    assert problem.pointer == "/checks/0" and "pattern" in problem.message


@pytest.mark.parametrize("preset", [p for p in PRESETS if p != "custom"])
def test_a_preset_takes_the_place_of_the_criteria_alone(open_bench, preset):
    bench = open_bench(TENXGRAPH)
    ops.use_preset(bench, preset)
    on = {name: raw for name, raw in bench.tree["criteria"].items() if is_on(raw)}
    assert on == PRESETS[preset]()["criteria"]
    around = {k: v for k, v in bench.tree.items() if k != "criteria"}
    assert around == {k: v for k, v in bench.draft.base.document.value.items() if k != "criteria"}


def test_a_preset_is_combined_with_what_is_there(open_bench):
    bench = open_bench(TENXGRAPH)
    before = bench.tree["criteria"]
    ops.add_preset(bench, "safety_check")
    after = bench.tree["criteria"]
    assert after["rouge_match"] == before["rouge_match"]
    assert after["safety"] == PRESETS["safety_check"]()["criteria"]["safety"]
    assert after["llm_judge"] is None


def test_every_preset_is_explained():
    assert PRESET_WORDS.keys() == PRESETS.keys()


@pytest.mark.parametrize("preset", PRESETS)
def test_a_new_config_is_known_for_one_of_10xgraph(wiring, preset):
    place = places_for("tenxgraph", wiring)[0]
    wanted = Wanted("tenxgraph", place, presets=(preset,))
    path = path_for(wanted, wiring)
    found = detect(tree_for(wanted, path, NOW), bench_path(path))
    assert (found.format_id, found.kind) == ("tenxgraph", "criteria")


def test_what_is_new_lies_where_its_system_looks(wiring):
    assert set(families_here(wiring)) == {
        "uipath_coded",
        "uipath_lowcode",
        "adk",
        "harnest",
        "tenxgraph",
        "evaldesk",
    }
    coded = next(p for p in places_for("uipath_coded", wiring) if "claims" in p.folder)
    wanted = Wanted("uipath_coded", coded, "Right decision!", "uipath-exact-match")
    path = path_for(wanted, wiring)
    assert path == "uipath_coded/claims_intake/evaluations/evaluators/right_decision.json"
    assert tree_for(wanted, path, NOW)["id"] == "RightDecision"
    taken = Wanted("uipath_coded", coded, "Decision", "uipath-exact-match")
    assert path_for(taken, wiring).endswith("decision-2.json")
    assert len(kinds_for("uipath_coded")) == 13 and len(kinds_for("uipath_lowcode")) == 4
    folders = [p.folder for p in places_for("adk", wiring)]
    assert "adk/refund_desk" not in folders and "odd/adk" in folders
    own = next(p for p in places_for("evaldesk", wiring) if "claims.json" in p.set_path)
    assert path_for(Wanted("evaldesk", own), wiring).endswith("evaluations/claims.evaldesk.json")
    with pytest.raises(FormatError, match="needs a name"):
        tree_for(Wanted("uipath_coded", coded, " ", "uipath-contains"), path, NOW)


def test_the_list_keeps_a_file_with_its_checks(wiring):
    rows = rows_of(wiring)
    named = {row.path: row for row in rows if not row.is_inner}
    assert named[ADK].used == "3 sets" and named[TENXGRAPH].used == "2 sets (may)"
    assert next(r.title for r in rows if r.path == ADK) == "test_config.json"
    assert {r.path for r in matching(rows, "rubrics for the reply")} == {ADK}
    assert len(matching(rows, "refund_desk")) == 5
    assert matching(rows, "no such thing") == []


def test_changes_are_told_by_their_place(open_bench):
    bench = open_bench(ADK)
    ops.add(bench, "safety_v1")
    bench.edit(lambda t: {**t, "criteria": {**t["criteria"], "response_match_score": 0.75}}, "x")
    ops.remove(bench, bench.check("final_response_match_v2"))
    told = changes_in_words(bench)
    assert "± response_match_score: 0.7 → 0.75" in told
    assert "+ safety_v1: 0.9" in told
    assert any(words.startswith("− final_response_match_v2: was") for words in told)
    assert json.loads(bench.draft.rendered())["criteria"]["safety_v1"] == 0.9
