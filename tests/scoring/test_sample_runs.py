"""Re-scoring the sample runs gives the scores that their own systems stored."""

import math
from pathlib import Path

import pytest

from evalcore import scoring
from evalcore.cli._places import file_place
from evalcore.results import Verdict
from evalcore.scoring.project import checks_of, with_run
from tests.samples import SAMPLES

ADK = SAMPLES / "adk" / "refund_desk"
HARNEST = SAMPLES / "harnest" / "library_helper"
TRIPS = SAMPLES / "tenxgraph" / "trip_planner"
CLAIMS = SAMPLES / "uipath_coded" / "claims_intake"
TICKETS = SAMPLES / "uipath_lowcode" / "SupportTriage"
RUNS = {
    "adk": (ADK / "refunds.evalset.json", next((ADK / ".adk" / "eval_history").glob("*.json"))),
    "harnest loans": (
        HARNEST / "evals" / "loans.evalset.json",
        HARNEST / "results" / "eval-run.json",
    ),
    "harnest tips": (
        HARNEST / "evals" / "reading-tips.evalset.json",
        HARNEST / "results" / "eval-run.json",
    ),
    "tenxgraph trips": (
        TRIPS / "evals" / "trip_planner.evalset.json",
        TRIPS / "eval_reports" / "trip_planner_v1_20260909_101502.json",
    ),
    "tenxgraph greetings": (
        TRIPS / "evals" / "greetings.evalset.json",
        TRIPS / "eval_reports" / "greetings_20260909_111503.json",
    ),
    "uipath coded": (
        CLAIMS / "evaluations" / "eval-sets" / "claims.json",
        CLAIMS / "claims-output.json",
    ),
    "uipath low-code": (
        TICKETS / "evals" / "eval-sets" / "evaluation-set-default.json",
        TICKETS / "triage-output.json",
    ),
}
COMPUTED = {
    "adk": 6 * (7 + 9),
    "harnest loans": 2 * (5 + 7),
    "harnest tips": 2 * (1 + 1),
    "tenxgraph trips": 4 * 7,
    "tenxgraph greetings": 0,
    "uipath coded": 19,
    "uipath low-code": 12,
}
"""How many stored numbers of each run are computed here; the rest is judged or a project's own."""
EXPLAINED = {"tenxgraph trips": 3, "tenxgraph greetings": 6}
"""10xGraph scores what has no expectation, and what no judge answered; here that is not evaluated.

The numbers are the same.
"""


def rescored(set_path: Path, result_path: Path, expectations="set"):
    place, found = file_place(str(set_path)), file_place(str(result_path))
    opened = found.workspace.open(found.path)
    project = scoring.open_project(place.workspace, place.path)
    runs = opened.format.read_runs(opened.document.value, opened.detection)
    run = scoring.run_of_set(runs, project.eval_set)
    run = opened.format.with_evaluators(run, project.configured)
    project = with_run(project, run)
    checks = checks_of(project, run, scoring.Choice())
    how = scoring.Scoring(pass_mark=1.0, expectations=expectations)
    return run, scoring.score(run, project.eval_set, checks, how), checks


BY_RECORD = [(name, "recorded") for name in RUNS if not name.startswith("tenxgraph")]
"""Files that keep what was expected: a report of 10xGraph does for single-turn cases only."""


@pytest.mark.parametrize(("name", "expectations"), [*((name, "set") for name in RUNS), *BY_RECORD])
def test_every_computed_score_is_the_stored_one(name, expectations):
    run, again, checks = rescored(*RUNS[name], expectations)
    own = {check.ref for check in checks if check.evaluator and not check.is_judged}
    compared = 0
    for c in scoring.compare_with_stored(run, again):
        if not c.evaluator or c.evaluator not in own or c.stored is None:
            continue
        crashed = again.cases[c.place].error is not None
        if crashed or c.stored.native is None:
            assert c.ours is None or c.ours.value is None
            continue
        assert c.ours is not None
        assert math.isclose(c.ours.native, c.stored.native, rel_tol=1e-12, abs_tol=1e-12), c
        compared += 1
    assert compared == COMPUTED[name]


@pytest.mark.parametrize("name", RUNS)
def test_every_difference_from_a_file_is_explained(name):
    run, again, _ = rescored(*RUNS[name])
    differing = [c for c in scoring.compare_with_stored(run, again) if c.kind == "differs"]
    assert len(differing) == EXPLAINED.get(name, 0)
    assert all(c.is_explained and c.explanation for c in differing)


@pytest.mark.parametrize("name", RUNS)
def test_the_verdicts_of_cases_are_those_of_the_files(name):
    run, again, _ = rescored(*RUNS[name])
    for stored, ours in zip(run.cases, again.cases, strict=True):
        if "no criterion judged anything" in " ".join(ours.notes):
            assert name == "tenxgraph greetings" and ours.verdict is Verdict.NOT_EVALUATED
        elif stored.verdict is not None:
            assert ours.verdict is stored.verdict, stored.case_id
        assert ours.stored_status == stored.stored_status


@pytest.mark.parametrize("name", RUNS)
def test_aggregates_count_every_case_that_a_check_was_asked_about(name):
    _, again, _ = rescored(*RUNS[name])
    for found in scoring.aggregates(again):
        if found.informational:
            continue
        assert found.passed + found.failed + len(found.errors) + len(found.not_evaluated) == (
            found.total
        )
        assert f"{found.scored} of {found.total} scored" in found.text


@pytest.mark.parametrize("name", RUNS)
def test_scoring_again_from_memory_gives_the_same_run(name):
    set_path, result_path = RUNS[name]
    run, again, checks = rescored(set_path, result_path)
    place = file_place(str(set_path))
    eval_set = scoring.open_project(place.workspace, place.path).eval_set
    memory, how = scoring.Memory(), scoring.Scoring(pass_mark=1.0)
    once = scoring.score(run, eval_set, checks, how, memory)
    assert scoring.score(run, eval_set, checks, how, memory) == once
    assert scoring.flips(once, again) == ()
