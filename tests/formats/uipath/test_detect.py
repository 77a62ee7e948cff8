"""Which files are UiPath's, and whose."""

from pathlib import Path

import pytest

from evalcore import formats
from tests.formats.uipath.data import (
    coded_case,
    coded_set,
    detect,
    entry_points,
    evaluator,
    legacy,
    lowcode_case,
    lowcode_set,
)

CODED, LOWCODE = "uipath_coded", "uipath_lowcode"
RESULT = {"evaluationSetName": "Refunds", "evaluationSetResults": []}
UNVERSIONED = {k: v for k, v in coded_set(coded_case()).items() if k != "version"}

SHAPES = {
    "coded set": (coded_set(coded_case()), "x/a.json", CODED, "eval_set", "sure", ""),
    "coded set in evals/": (coded_set(), "evals/eval-sets/a.json", CODED, "eval_set", "sure", ""),
    "snake-case set": (
        {"version": "1.0", "id": "s", "name": "S", "evaluator_refs": [], "evaluations": []},
        "x/a.json",
        CODED,
        "eval_set",
        "sure",
        "",
    ),
    "only a list of evaluations": (
        {"version": "1.0", "id": "s", "name": "S", "evaluations": []},
        "x/a.json",
        CODED,
        "eval_set",
        "maybe",
        "",
    ),
    "coded set without version": (UNVERSIONED, "x/a.json", CODED, "eval_set", "sure", "no_version"),
    "unversioned set in evals/": (
        {"id": "s", "name": "S", "evaluatorRefs": [], "evaluations": []},
        "evals/eval-sets/a.json",
        LOWCODE,
        "eval_set",
        "sure",
        "",
    ),
    "low-code set": (lowcode_set(lowcode_case()), "x/a.json", LOWCODE, "eval_set", "sure", ""),
    "low-code set in evaluations/": (
        lowcode_set(lowcode_case(evaluationCriterias={"e": None})),
        "evaluations/eval-sets/a.json",
        LOWCODE,
        "eval_set",
        "sure",
        "",
    ),
    "Flow set": (
        coded_set(coded_case(simulations=[])),
        "evals/eval-sets/a.json",
        CODED,
        "eval_set",
        "sure",
        "flow",
    ),
    "Flow set by its entry point": (
        coded_set(selectedEntrypoint="main"),
        "x/a.json",
        CODED,
        "eval_set",
        "sure",
        "flow",
    ),
    "API workflow set": (
        {"schemaVersion": 1, "id": "s", "name": "S", "evaluatorRefs": [], "evaluations": []},
        "evals/Orders/eval-sets/a.json",
        CODED,
        "eval_set",
        "sure",
        "api_workflow",
    ),
    "misnamed cases": (
        {"version": "1.0", "id": "s", "name": "S", "testCases": []},
        "x/a.json",
        CODED,
        "eval_set",
        "maybe",
        "",
    ),
    "a list among sets": ([1], "evaluations/eval-sets/a.json", CODED, "eval_set", "maybe", ""),
    "null among low-code sets": (None, "evals/eval-sets/a.json", LOWCODE, "eval_set", "maybe", ""),
    "coded evaluator": (evaluator(), "x/a.json", CODED, "evaluator", "sure", ""),
    "coded evaluator of no version": (
        {"id": "e", "evaluatorTypeId": "5", "evaluatorConfig": {}, "version": ""},
        "x/a.json",
        CODED,
        "evaluator",
        "sure",
        "",
    ),
    "custom evaluator": (
        {"version": "1.0", "id": "e", "evaluatorSchema": "file://a.py:A"},
        "x/a.json",
        CODED,
        "evaluator",
        "sure",
        "",
    ),
    "low-code evaluator": (
        legacy(),
        "evaluations/evaluators/a.json",
        LOWCODE,
        "evaluator",
        "sure",
        "",
    ),
    "bare low-code evaluator": (
        {"id": "e", "category": 0, "type": 1},
        "evals/evaluators/a.json",
        LOWCODE,
        "evaluator",
        "sure",
        "",
    ),
    "low-code evaluator without its usual keys": (
        {"category": 0, "type": 1, "fileName": "e.json", "createdAt": "", "updatedAt": ""},
        "x/a.json",
        LOWCODE,
        "evaluator",
        "sure",
        "",
    ),
    "a list among evaluators": ([1], "evals/evaluators/a.json", LOWCODE, "evaluator", "maybe", ""),
    "result": (RESULT, "out.json", CODED, "result", "sure", ""),
    "verbose result": (
        {
            **RESULT,
            "evaluationSetResults": [
                {"evaluationName": "a", "agentExecutionOutput": {"result": 1}}
            ],
        },
        "out.json",
        CODED,
        "result",
        "sure",
        "verbose",
    ),
    "entry points": (entry_points(), "entry-points.json", CODED, "project", "sure", ""),
    "low-code entry points": (
        {"entryPoints": [{"filePath": "/content/agent.json"}]},
        "entry-points.json",
        LOWCODE,
        "project",
        "sure",
        "",
    ),
    "agent": (
        {"settings": {"model": "m"}, "inputSchema": {}, "type": "lowCode"},
        "agent.json",
        LOWCODE,
        "project",
        "sure",
        "",
    ),
    "functions": (
        {"functions": {"main": "main.py:main"}},
        "uipath.json",
        CODED,
        "project",
        "sure",
        "",
    ),
    "simulation": (
        {"enabled": True, "toolsToSimulate": []},
        "simulation.json",
        CODED,
        "project",
        "sure",
        "",
    ),
    "low-code project": (
        {"ProjectType": "Agent", "Name": "Refunds"},
        "project.uiproj",
        LOWCODE,
        "project",
        "sure",
        "",
    ),
    "schema of a custom evaluator": (
        {"evaluatorTypeId": "A", "evaluatorConfigSchema": {}},
        "evaluations/evaluators/custom/types/a-types.json",
        CODED,
        "project",
        "sure",
        "",
    ),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_is_recognised(name):
    value, path, format_id, kind, confidence, variant = SHAPES[name]
    found = detect(value, path)
    assert found is not None
    assert (found.format_id, found.kind, found.confidence) == (format_id, kind, confidence)
    assert found.variant == variant
    assert found.reason


FOREIGN = {
    "nothing": {},
    "load error": {},
    "package": {"name": "web", "version": "1.0.0", "type": "module"},
    "settings": {"category": "x", "type": "y"},
    "ADK set": {"eval_set_id": "a", "eval_cases": [], "evaluations": []},
    "a list": [1, 2],
    "text": "x",
    "number": 3,
    "other evaluations": {"evaluations": [1], "title": "Survey"},
    "a survey": {"id": "s", "name": "S", "evaluations": [{"grade": 1}]},
    "a product": {"id": 7, "category": "phone", "type": "smart", "model": "X1"},
    "a numbered product": {"id": 7, "category": 1, "type": 2, "model": "X1"},
    "a numbered record": {"category": 1, "type": 2, "createdAt": "2026-01-01T00:00:00Z"},
    "an agent card": {"name": "A", "settings": {}, "skills": []},
}


@pytest.mark.parametrize("name", FOREIGN)
def test_other_files_are_left_alone(name):
    assert not (found := detect(FOREIGN[name], "src/a.json")) or found.format_id == "adk"


@pytest.mark.parametrize("name", SHAPES)
def test_the_two_formats_never_claim_the_same_file(name):
    value, path, *_ = SHAPES[name]
    claims = [formats.by_id(i).detect(value, Path(path)) for i in (CODED, LOWCODE)]
    assert sum(claim is not None for claim in claims) == 1
