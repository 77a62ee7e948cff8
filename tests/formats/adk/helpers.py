"""Small eval sets, their surroundings, and the problems that a format finds in them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import PurePath

from evalcore import formats
from evalcore.errors import Problem
from evalcore.formats.base import Neighbour
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonObject, JsonValue

SET_PATH = PurePath("agent/s.evalset.json")
CONFIG_PATH = PurePath("agent/test_config.json")
RESULT_PATH = PurePath("agent/.adk/eval_history/s.evalset_result.json")


class Nearby:
    """Surroundings made of JSON files beside the file and of listed entries by folder."""

    def __init__(
        self,
        files: Mapping[str, JsonValue] | None = None,
        entries: Mapping[str, Sequence[Neighbour]] | None = None,
    ) -> None:
        self.files = files or {}
        self.listed = entries or {}

    def glob(self, pattern: str) -> Sequence[str]:
        return sorted(name for name in self.files if fnmatchcase(name, pattern))

    def value(self, path: str):
        return self.files.get(path, MISSING)

    def entries(self, folder: str = "") -> Sequence[Neighbour]:
        return self.listed.get(folder, ())


def turn(user: str = "Hello", reply: str | None = "Good day", **more: JsonValue) -> JsonObject:
    made: JsonObject = {"user_content": {"parts": [{"text": user}], "role": "user"}}
    if reply is not None:
        made["final_response"] = {"parts": [{"text": reply}], "role": "model"}
    return {**made, **more}


def case(eval_id: str = "c1", *turns: JsonValue, **more: JsonValue) -> JsonObject:
    return {"eval_id": eval_id, "conversation": list(turns or (turn(),)), **more}


def eval_set(*cases: JsonValue, **more: JsonValue) -> JsonObject:
    return {"eval_set_id": "s", "eval_cases": list(cases or (case(),)), **more}


def calls(*uses: JsonValue) -> JsonObject:
    return {"tool_uses": list(uses)}


def rubric(rubric_id: str = "r", kind: str | None = "FINAL_RESPONSE_QUALITY") -> JsonObject:
    made: JsonObject = {"rubric_id": rubric_id, "rubric_content": {"text_property": "Is polite."}}
    return made if kind is None else {**made, "type": kind}


def config(**criteria: JsonValue) -> JsonObject:
    return {"criteria": criteria}


def beside(**criteria: JsonValue) -> Nearby:
    return Nearby({"test_config.json": config(**criteria)})


def document(value: JsonValue | bytes) -> JsonDocument:
    return JsonDocument.parse(value if isinstance(value, bytes) else json.dumps(value).encode())


def problems(
    value: JsonValue | bytes, path: PurePath = SET_PATH, near: Nearby | None = None
) -> list[Problem]:
    """Return what the format that recognises a file finds in it."""
    parsed = document(value)
    detection = formats.detect(parsed.value, path)
    assert detection is not None, f"{path} is not recognised"
    return formats.check_document(parsed, detection, path, near)


def found(
    value: JsonValue | bytes, path: PurePath = SET_PATH, near: Nearby | None = None
) -> list[tuple[str, str, str]]:
    """Return (severity, code, pointer) of every problem."""
    return [(p.severity, p.code, p.pointer) for p in problems(value, path, near)]


def errors(
    value: JsonValue | bytes, path: PurePath = SET_PATH, near: Nearby | None = None
) -> list[tuple[str, str]]:
    """Return (code, pointer) of the errors."""
    return [(p.code, p.pointer) for p in problems(value, path, near) if p.severity == "error"]
