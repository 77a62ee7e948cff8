"""Sheets over small eval sets, for the tests of what the pages show."""

from __future__ import annotations

import json
from pathlib import Path

from evalcore.drafts import Draft
from evalcore.lint.linter import Linter
from evalcore.views.sheet import Sheet
from evalcore.workspace import Workspace


def turn(says: str, reply: str = "ok", *calls: tuple[str, dict]) -> dict:
    return {
        "user_content": {"parts": [{"text": says}], "role": "user"},
        "final_response": {"parts": [{"text": reply}], "role": "model"},
        "intermediate_data": {"tool_uses": [{"name": n, "args": a} for n, a in calls]},
    }


def case(name: str, *turns: dict, **more: object) -> dict:
    return {"eval_id": name, "conversation": list(turns or [turn(f"hello from {name}")]), **more}


def sheet_of(folder: Path, *cases: object) -> Sheet:
    value = {"eval_set_id": "s", "eval_cases": list(cases)}
    path = folder / "s.evalset.json"
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return open_sheet(folder, path.name)


def open_sheet(folder: Path, path: str) -> Sheet:
    workspace = Workspace(folder)
    draft = Draft(workspace.open(path))
    assert draft.lens is not None

    seen_as, detection = workspace.seen_as(path), draft.base.detection
    linter = Linter(detection, seen_as, lambda: workspace.near(path))
    return Sheet(draft, draft.lens, linter)


def ids(sheet: Sheet) -> list[str | None]:
    return [sheet.lens.case_id(raw) for raw in sheet.cases]
