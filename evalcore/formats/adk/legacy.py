"""ADK's two old list shapes: read through lenses, and rewritten as a new-style set on request.

``legacy_sets`` lists cases of ``{name, data: [rows], initial_session}``; ``legacy_rows`` is the
rows of a single case. A row has ``query``, ``reference``, ``expected_tool_use`` and
``expected_intermediate_agent_responses``.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from evalcore.errors import FormatError
from evalcore.formats.evalset import EvalSetLens
from evalcore.formats.lenses import At, Editor, Field, Lens, Records, exactly
from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, get, join
from evalcore.model import EvalCase, EvalSet, Invocation, Session, ToolCall

NAME = At(exactly("name"))
SESSION = exactly("initial_session")
_CALL_PARTS: Mapping[str, Lens] = {
    "name": At(exactly("tool_name")),
    "args": At(exactly("tool_input")),
}


def _tool_call(values: Mapping[str, Any], origin: str) -> ToolCall:
    return ToolCall(name=_text(values["name"]) or "", args=values["args"], origin=origin)


ROW_FIELDS = (
    Field("input", "User says", At(exactly("query")), Editor.TEXT, pinned=True),
    Field(
        "tool_calls",
        "Expected tool calls",
        Records(At(exactly("expected_tool_use")), _tool_call, _CALL_PARTS),
        Editor.TOOL_CALLS,
        group="expected",
        blank=(),
        pinned=True,
    ),
    Field(
        "expected_output",
        "Expected reply",
        At(exactly("reference")),
        Editor.TEXT,
        group="expected",
        pinned=True,
    ),
    Field(
        "intermediate_responses",
        "Messages on the way",
        At(exactly("expected_intermediate_agent_responses")),
        Editor.JSON,
        group="more",
    ),
)
CASE_FIELDS = (
    Field("id", "Id", NAME, pinned=True),
    Field("session.app_name", "App", At(SESSION, exactly("app_name")), group="session"),
    Field("session.user_id", "User id", At(SESSION, exactly("user_id")), group="session"),
    Field(
        "session.state",
        "State at the start",
        At(SESSION, exactly("state")),
        Editor.OBJECT,
        group="session",
    ),
)


class LegacySets(EvalSetLens):
    """A list of cases, each with its rows under ``data``."""

    case_fields: ClassVar[tuple[Field, ...]] = CASE_FIELDS
    invocation_fields = ROW_FIELDS
    id_keys = ("name",)
    read_only = True
    format_id = "adk"

    def __init__(self, format_id: str = "adk") -> None:
        self.format_id = format_id

    def cases_pointer(self, value: JsonValue) -> str:
        """Return the pointer of the list, which is the file."""
        return ""

    def invocations_pointer(self, raw_case: JsonValue) -> str:
        """Return the pointer of ``data``."""
        return "/data"

    def read_header(self, value: JsonValue) -> EvalSet:
        """Return a set without id and name: ADK makes them from the file's path."""
        return EvalSet(format_id=self.format_id, read_only=True)

    def read_case(self, raw: JsonValue, origin: str) -> EvalCase:
        """Return a case with its rows as turns; opaque where it has no list of objects."""
        rows = self._rows(raw)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            return EvalCase(origin=origin, id=self.case_id(raw), opaque=True)
        base = origin + self.invocations_pointer(raw)
        return EvalCase(
            origin=origin,
            id=self.case_id(raw),
            session=_session(raw),
            invocations=tuple(_invocation(row, join(base, i)) for i, row in enumerate(rows)),
        )

    def blank_case(self, value: JsonValue, label: str, now: datetime) -> JsonValue:
        """Raise FormatError: old sets get no new cases."""
        raise FormatError("An old-style set gets no new cases")

    def blank_invocation(self, raw_case: JsonValue) -> JsonValue:
        """Raise FormatError: old sets get no new turns."""
        raise FormatError("An old-style set gets no new turns")

    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        """Raise FormatError: new sets are made in the new style."""
        raise FormatError("New sets are made in the new style")

    def modernise(self, value: JsonValue, set_id: str, name: str) -> JsonValue:
        """Return the set as ADK's own converter would, without its random ids and timestamps.

        Members of a case that the old shape does not know are kept; those of a row have no place
        in the new one and are dropped, as ADK drops them.
        """
        cases: JsonArray = [
            self._modern_case(raw, self.case_id(raw) or f"case_{number}")
            for number, raw in enumerate(self.raw_cases(value), 1)
        ]
        return {"eval_set_id": set_id, "name": name or set_id, "eval_cases": cases}

    def _rows(self, raw: JsonValue) -> JsonValue | Missing:
        return get(raw, self.invocations_pointer(raw))

    def _modern_case(self, raw: JsonValue, case_id: str) -> JsonValue:
        rows = self._rows(raw)
        case: JsonObject = {
            "eval_id": case_id,
            "conversation": [modern_row(row) for row in rows] if isinstance(rows, list) else [],
        }
        fields = raw if isinstance(raw, dict) else {}
        session = fields.get("initial_session")
        if isinstance(session, dict) and session:
            case["session_input"] = {"app_name": "", "user_id": "", **session}
        known = ("name", "data", "initial_session")
        extras = {n: v for n, v in fields.items() if n not in known and n not in case}
        return {**case, **extras}


class LegacyRows(LegacySets):
    """The rows of one case, with nothing around them."""

    case_fields = ()

    def raw_cases(self, value: JsonValue) -> JsonArray:
        """Return the file's list as the only case."""
        return [value]

    def case_pointers(self, value: JsonValue) -> list[str]:
        """Return the pointer of the file."""
        return [""]

    def invocations_pointer(self, raw_case: JsonValue) -> str:
        """Return the pointer of the rows: the case is their list."""
        return ""

    def invocation_pointers(self, value: JsonValue, case_pointer: str) -> list[str]:
        """Return the pointer of every row."""
        return [join("", i) for i in range(len(value))] if isinstance(value, list) else []

    def modernise(self, value: JsonValue, set_id: str, name: str) -> JsonValue:
        """Return a set of one case, called like the set, since the file names neither."""
        cases: JsonArray = [self._modern_case(value, name or set_id)]
        return {"eval_set_id": set_id, "name": name or set_id, "eval_cases": cases}


def modern_row(row: JsonValue) -> JsonValue:
    """Return an old row as a turn.

    An absent ``reference`` becomes an empty reply and a null one a part without text, as in ADK.
    """
    fields = row if isinstance(row, dict) else {}
    reference = fields.get("reference", "")
    calls: JsonArray = [
        {"name": use.get("tool_name"), **_renamed(use, "tool_input", "args")}
        for use in _objects(fields.get("expected_tool_use"))
    ]
    messages: JsonArray = [
        [message.get("author"), [_part(message.get("text"))]]
        for message in _objects(fields.get("expected_intermediate_agent_responses"))
    ]
    return {
        "user_content": {"parts": [_part(fields.get("query"))], "role": "user"},
        "final_response": {"parts": [_part(reference)], "role": "model"},
        "intermediate_data": {"tool_uses": calls, "intermediate_responses": messages},
    }


def _part(text: JsonValue) -> JsonObject:
    return {} if text is None else {"text": text}


def _renamed(raw: JsonObject, old: str, new: str) -> JsonObject:
    return {new: raw[old]} if old in raw else {}


def _objects(value: JsonValue) -> list[JsonObject]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _session(raw: JsonValue) -> Session | None:
    session = raw.get("initial_session") if isinstance(raw, dict) else None
    if not isinstance(session, dict):
        return None
    return Session(
        app_name=_text(session.get("app_name")),
        user_id=_text(session.get("user_id")),
        state=session.get("state", MISSING),
    )


def _invocation(row: JsonValue, origin: str) -> Invocation:
    got = {f.name: f.lens.get(row) for f in ROW_FIELDS}
    calls = got["tool_calls"]
    return Invocation(
        origin=origin,
        input=got["input"],
        expected_output=got["expected_output"],
        tool_calls=calls if isinstance(calls, tuple) else (),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def lenses(format_id: str) -> dict[str, EvalSetLens]:
    """Return the lenses of both old shapes by their variant, for a format of ADK's schema."""
    return {"legacy_sets": LegacySets(format_id), "legacy_rows": LegacyRows(format_id)}


LENSES = lenses("adk")
