"""A small format for tests of what is above the formats: sets, evaluators and results."""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path, PurePath
from typing import Any

import pytest

from evalcore import formats
from evalcore.errors import Problem
from evalcore.formats.base import Detection, Format, Kind, KnownFile, Surroundings
from evalcore.formats.evalset import EvalSetLens
from evalcore.formats.lenses import At, Field, exactly
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, get, put
from evalcore.model import EvalCase, EvalSet, Evaluator, Invocation
from evalcore.results import CaseResult, Run

NEW_SET = {"toy": "new", "name": "New", "cases": []}


class ToyLens(EvalSetLens):
    """Cases are ``{"id", "q", "a"}``, each its own single turn."""

    set_fields = (Field("id", "Id", At(exactly("toy"))), Field("name", "Name", At(exactly("name"))))
    case_fields = (Field("id", "Id", At(exactly("id"))),)
    invocation_fields = (
        Field("input", "Question", At(exactly("q"))),
        Field("expected_output", "Answer", At(exactly("a"))),
    )
    has_turns = False

    def cases_pointer(self, value: JsonValue) -> str:
        return "/cases"

    def invocations_pointer(self, raw_case: JsonValue) -> str:
        return ""

    def read_case(self, raw: JsonValue, origin: str) -> EvalCase:
        if not isinstance(raw, dict):
            return EvalCase(origin=origin, opaque=True)
        turn = Invocation(origin=origin, input=raw.get("q"), expected_output=raw.get("a"))
        return EvalCase(origin=origin, id=self.case_id(raw), invocations=(turn,))

    def read_header(self, value: JsonValue) -> EvalSet:
        set_id, name = get(value, "/toy"), get(value, "/name")
        return EvalSet(
            format_id="toy",
            id=set_id if isinstance(set_id, str) else None,
            name=name if isinstance(name, str) else None,
        )

    def blank_case(self, value: JsonValue, case_id: str, now: datetime) -> JsonValue:
        return {"id": case_id, "q": "", "a": ""}

    def blank_invocation(self, raw_case: JsonValue) -> JsonValue:
        return {}

    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        return {"toy": set_id, "name": name, "cases": []}

    def touch(self, value: JsonValue, changed: Sequence[int], now: datetime) -> JsonValue:
        value = put(value, "/updatedAt", now.isoformat())
        for index in changed:
            value = put(value, f"/cases/{index}/updatedAt", now.isoformat())
        return value


class OldToyLens(ToyLens):
    """The old shape: a list of questions."""

    read_only = True

    def cases_pointer(self, value: JsonValue) -> str:
        return ""

    def modernise(self, value: JsonValue, set_id: str, name: str) -> JsonValue:
        rows = value if isinstance(value, list) else []
        cases: list[JsonValue] = [{"id": f"c{i}", "q": q, "a": ""} for i, q in enumerate(rows)]
        return {"toy": set_id, "name": name, "cases": cases}


class Toy(Format):
    """Sets are objects with a ``toy``; everything else is told apart by one key as well."""

    id = "toy"
    label = "Toy"
    system = "The toy runner"
    known_files = (KnownFile(Kind.EVAL_SET, "evals/*.json", "Toy set", editable=True),)
    file_names = ("*.toyset",)
    hallmarks = ("toy_hallmark",)

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        keys = {
            "toy": Kind.EVAL_SET,
            "toy_evaluator": Kind.EVALUATOR,
            "toy_result": Kind.RESULT,
            "toy_crash": Kind.EVAL_SET,
        }
        if isinstance(value, list) and value and all(isinstance(row, str) for row in value):
            return Detection("toy", Kind.EVAL_SET, "sure", "a list of questions", "rows")
        for name, kind in keys.items():
            if isinstance(value, dict) and name in value:
                return Detection("toy", kind, "sure", f"it has {name}")
        return None

    def check(
        self, document: JsonDocument, detection: Detection, path: PurePath, near: Surroundings
    ) -> Iterable[Problem]:
        yield from document.problems
        if get(document.value, "/toy_crash"):
            raise ZeroDivisionError("a fault of the toy format")
        cases = get(document.value, "/cases")
        known = [get(near.value(name), "/toy_evaluator") for name in near.glob("evaluators/*.json")]
        wanted = get(document.value, "/evaluator")
        if isinstance(wanted, str) and wanted not in known:
            yield Problem("error", "toy.no_evaluator", f"No evaluator {wanted}", "", "/evaluator")
        for index, case in enumerate(cases if isinstance(cases, list) else ()):
            if isinstance(case, dict) and case.get("a") == "":
                yield Problem("warning", "toy.empty", "No answer", "Write one", f"/cases/{index}/a")

    @property
    def eval_sets(self) -> EvalSetLens:
        return ToyLens()

    def lens_for(self, detection: Detection) -> EvalSetLens:
        return OldToyLens() if detection.variant else ToyLens()

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        return near.glob("evaluators/*.json")

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        ref = str(get(value, "/toy_evaluator"))
        return (Evaluator(ref=ref, name=ref.title(), native_type="toy"),)

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        case = CaseResult(origin="", case_id="a")
        ref = str(get(value, "/toy_result"))
        at = get(value, "/at")
        when = datetime.fromisoformat(at) if isinstance(at, str) else None
        return (Run(format_id="toy", eval_set_id=ref, created_at=when, cases=(case, case)),)


TOY = Toy()


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Toy:
    """Make the toy format the only one."""
    monkeypatch.setattr(formats, "built_in", lambda: (TOY,))
    monkeypatch.setattr(formats, "plugged_in", tuple)
    return TOY


def write(path: Path, value: Any) -> Path:
    """Write a value as an indented JSON file, with its folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n")
    return path


def toy_set(set_id: str = "s", *cases: str, **more: Any) -> dict[str, Any]:
    """Return a set whose cases have these ids, with questions and answers of their own."""
    made = [{"id": c, "q": f"question {c}", "a": f"answer {c}"} for c in cases]
    return {"toy": set_id, "name": set_id.title(), "cases": made, **more}
