"""Rows out of files that a format knows: eval sets, run results, recorded sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalcore import formats
from evalcore.exporting.calls import plain_calls
from evalcore.exporting.jsonl_file import json_columns
from evalcore.exporting.table import turns_of
from evalcore.formats.adk.sessions import read_session
from evalcore.importing.source import Items
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.base import Detection
    from evalcore.results import CaseResult, InvocationResult


def add_eval_set(items: Items, value: JsonValue, detection: Detection) -> None:
    """Add the turns of an eval set, with its fields by their names here."""
    lens = formats.by_id(detection.format_id).lens_for(detection)
    columns = json_columns(lens)
    for number, pointer in enumerate(lens.case_pointers(value), 1):
        case = lens.raw_cases(value)[number - 1] if not lens.read_only else _at(value, pointer)
        if lens.read_case(case, "").opaque:
            items.refuse(number, "The case has a shape that its format does not describe")
            continue
        turns = turns_of(lens, case) or [None]
        label = lens.case_label(case) or lens.case_id(case)
        for index, turn in enumerate(turns):
            row: dict[str, JsonValue | Missing] = {"id": label or f"case_{number}"}
            row |= {"turn": index + 1} if lens.has_turns else {}
            for column in columns:
                raw = case if column.level == "case" else turn
                if isinstance(raw, dict) and (column.level == "invocation" or not index):
                    row[column.field.name] = column.plain(raw)
            if lens.label_field != "id":
                row.pop(lens.label_field, None)
            items.add(number, row)


def add_runs(items: Items, value: JsonValue, detection: Detection) -> None:
    """Add the turns of recorded runs: what was expected where the file says it, and what came."""
    runs = formats.by_id(detection.format_id).read_runs(value, detection)
    number = 0
    seen: set[str] = set()
    for run in runs:
        for case in run.cases:
            number += 1
            name = case.case_id or case.name or f"case_{number}"
            if case.repeat or name in seen:
                items.note("A repeated result of a case was left out")
                continue
            seen.add(name)
            if not case.invocations:
                items.refuse(number, f"The result of {name} has no turns")
            for turn in case.invocations:
                items.add(number, _result_row(name, case, turn))


def add_session(items: Items, number: int, session: JsonObject) -> None:
    """Add the turns of a recorded session."""
    case = read_session(session)
    if not case.invocations:
        items.refuse(number, "Nobody speaks as the user in this session")
    of = case.session
    shared: dict[str, JsonValue | Missing] = {}
    if of is not None:
        shared = {"session.app_name": of.app_name, "session.user_id": of.user_id}
        shared = {n: MISSING if v is None else v for n, v in shared.items()}
        shared["session.state"] = of.state
    for index, turn in enumerate(case.invocations):
        on_the_way: JsonValue = list(turn.intermediate_responses)
        row: dict[str, JsonValue | Missing] = {
            "id": case.id or f"session_{number}",
            "turn": index + 1,
            "input": turn.input,
            "expected_output": turn.expected_output,
            "tool_calls": plain_calls(turn.tool_calls) if turn.tool_calls else MISSING,
            "intermediate_responses": on_the_way if on_the_way else MISSING,
        }
        items.add(number, {**row, **shared})
        shared = {}


def _result_row(
    name: str, case: CaseResult, turn: InvocationResult
) -> dict[str, JsonValue | Missing]:
    named = case.name if case.name and case.name != name else MISSING
    return {
        "id": name,
        "turn": turn.index + 1,
        "name": named,
        "input": turn.input,
        "expected_output": turn.expected_output,
        "actual_output": turn.actual_output,
        "expected_tool_calls": _calls(turn.expected_tool_calls),
        "actual_tool_calls": _calls(turn.actual_tool_calls),
        "expected_node_order": _names(turn.expected_node_order),
        "actual_node_order": _names(turn.node_visits),
    }


def _calls(calls: Sequence[object] | None) -> JsonValue | Missing:
    from evalcore.model import ToolCall

    found = [call for call in calls or () if isinstance(call, ToolCall)]
    return plain_calls(found) if found else MISSING


def _names(names: Sequence[str] | None) -> JsonValue | Missing:
    return list(names) if names else MISSING


def _at(value: JsonValue, pointer: str) -> JsonValue:
    from evalcore.jsontree import get

    found = get(value, pointer)
    return None if found is MISSING else found
