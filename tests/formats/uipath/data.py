"""UiPath files made up for the tests, and folders to put them in."""

import json
from fnmatch import fnmatchcase
from pathlib import Path

from evalcore import formats
from evalcore.formats.base import Alone, Detection
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING

CODED_PATH = Path("evaluations/eval-sets/refunds.json")
LOWCODE_PATH = Path("evals/eval-sets/refunds.json")
CODED_EVALUATOR = Path("evaluations/evaluators/check.json")
LOWCODE_EVALUATOR = Path("evals/evaluators/check.json")
RESULT_PATH = Path("results/refunds.json")

SET_GUID = "5f0c1a52-8a53-4b0e-9c62-0f9de2a1b7c4"
CASE_GUID = "0c5e8f7a-1d7b-4d57-8f0e-6b1f4f3c2d10"


class Folder(Alone):
    """Surroundings that hold the given files; paths are relative to the file that is checked."""

    def __init__(self, files=None):
        self.files = {"self.json": {}, **(files or {})}

    def glob(self, pattern):
        depth = pattern.count("/")
        fitting = (p for p in self.files if p.count("/") == depth and fnmatchcase(p, pattern))
        return sorted(fitting)

    def value(self, path):
        return self.files.get(path, MISSING)


def detect(value, path) -> Detection | None:
    return formats.detect(value, Path(path))


def check(value, path, near=None):
    """Return the problems of a file, which may be given as its bytes."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    document = JsonDocument.parse(data)
    detection = detect(document.value, path)
    assert detection is not None
    return formats.check_document(document, detection, Path(path), near or Alone())


def codes(problems) -> list[str]:
    return [p.code.removeprefix("uipath.") for p in problems]


def errors(problems) -> list[str]:
    return codes(p for p in problems if p.severity == "error")


def coded_case(case_id="c1", **more) -> dict:
    case = {"id": case_id, "name": f"Case {case_id}", "inputs": {}, "evaluationCriterias": {}}
    return {**case, **more}


def coded_set(*cases, **more) -> dict:
    fields = {"version": "1.0", "id": "refunds", "name": "Refunds", "evaluatorRefs": []}
    return {**fields, **more, "evaluations": list(cases)}


def scored_set(criteria, evaluator=None, **case) -> tuple[dict, Folder]:
    """Return a set of one case with criteria for the evaluator ``e``, and its folder."""
    value = coded_set(coded_case(evaluationCriterias={"e": criteria}, **case), evaluatorRefs=["e"])
    files = {} if evaluator is None else {"../evaluators/e.json": evaluator}
    return value, Folder(files)


def lowcode_case(**more) -> dict:
    return {
        "id": CASE_GUID,
        "name": "late refund",
        "inputs": {"order": "A-17"},
        "expectedOutput": {"decision": "refund"},
        "expectedAgentBehavior": "Looks the order up, then refunds it.",
        "evalSetId": SET_GUID,
        "createdAt": "2026-03-01T09:00:00.000Z",
        "updatedAt": "2026-03-01T09:00:00.000Z",
        **more,
    }


def lowcode_set(*cases, **more) -> dict:
    return {
        "fileName": "refunds.json",
        "id": SET_GUID,
        "name": "Refunds",
        "evaluatorRefs": ["e"],
        "evaluations": list(cases),
        "createdAt": "2026-03-01T09:00:00.000Z",
        "updatedAt": "2026-03-01T09:00:00.000Z",
        **more,
    }


def evaluator(kind="exact-match", evaluator_id="e", **config) -> dict:
    return {
        "version": "1.0",
        "id": evaluator_id,
        "evaluatorTypeId": f"uipath-{kind}",
        "evaluatorConfig": {"name": "Check", **config},
    }


def legacy(category=0, type_=1, **more) -> dict:
    return {
        "fileName": "check.json",
        "id": "e",
        "name": "Check",
        "description": "",
        "category": category,
        "type": type_,
        "targetOutputKey": "*",
        "createdAt": "2026-03-01T09:00:00.000Z",
        "updatedAt": "2026-03-01T09:00:00.000Z",
        **more,
    }


JUDGE_PROMPT = "Compare {{ActualOutput}} with {{ExpectedOutput}} and score it from 0 to 100."
PATH_PROMPT = "Did {{AgentRunHistory}} follow {{ExpectedAgentBehavior}}? Score 0-100."


def entry_points(inputs=None, outputs=None, required=()) -> dict:
    """Return entry points; ``inputs`` and ``outputs`` map names to JSON types."""

    def schema(members, needed):
        properties = {name: {"type": kind} for name, kind in members.items()}
        return {"type": "object", "properties": properties, "required": list(needed)}

    entry = {"filePath": "main", "type": "function", "uniqueId": CASE_GUID}
    entry["input"] = schema(inputs or {}, required)
    entry["output"] = schema(outputs or {}, (outputs or {}).keys())
    return {"$schema": "https://cloud.uipath.com/draft/2024-12/entry-point", "entryPoints": [entry]}
