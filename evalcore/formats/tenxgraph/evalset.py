"""10xGraph's ``EvalSet`` files, through lenses. Keys have one spelling, in snake_case."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from evalcore.formats.evalset import EvalSetLens, id_for_copy
from evalcore.formats.lenses import records_of
from evalcore.formats.mocks import MockSupport
from evalcore.formats.names import NameMark
from evalcore.formats.tenxgraph.content import new_message
from evalcore.formats.tenxgraph.editable import CASE_FIELDS, INVOCATION_FIELDS, SET_FIELDS
from evalcore.formats.tenxgraph.messages import other_blocks
from evalcore.formats.tenxgraph.recognise import FORMAT_ID
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get
from evalcore.model import EvalCase, EvalSet, Invocation, Session, ToolCall


class TenxGraphEvalSets(EvalSetLens):
    """Eval sets as 10xGraph's builder and its models write them."""

    set_fields = SET_FIELDS
    case_fields = CASE_FIELDS
    invocation_fields = INVOCATION_FIELDS
    id_keys = ("eval_id",)
    mocks = MockSupport(
        instead=(
            "The graph and its tools really run: “mock_mode” in the config is never read.",
            "Simulated users are made in Python code; no case can ask for one, and the config's "
            "“user_simulator_config” is never read.",
            "To keep tools away from real systems, build the graph that is evaluated with other "
            "tools.",
        ),
    )
    name_marks = (
        NameMark(
            "tool",
            ("expected_tool_trajectory", "actual_trajectory", "tool_calls", "actual_tool_calls"),
            args=("args",),
            kind_key="step_type",
        ),
        NameMark("node", ("expected_node_order", "actual_node_order", "node_visits"), "texts"),
    )

    def cases_pointer(self, value: JsonValue) -> str:
        """Return the pointer of ``eval_cases``."""
        return "/eval_cases"

    def invocations_pointer(self, raw_case: JsonValue) -> str:
        """Return the pointer of ``conversation``."""
        return "/conversation"

    def read_header(self, value: JsonValue) -> EvalSet:
        """Return the set's id, name and description; what is no text is left out."""
        texts = {name: _text(get(value, at)) for name, at in _HEADER.items()}
        return EvalSet(format_id=FORMAT_ID, **texts)

    def read_case(self, raw: JsonValue, origin: str) -> EvalCase:
        """Return a case with its turns; opaque if it is no object or its turns are no list."""
        turns = get(raw, "/conversation")
        if not isinstance(raw, dict) or not (turns is MISSING or turns is None or _objects(turns)):
            return EvalCase(origin=origin, id=self.case_id(raw), opaque=True)
        pointers = self.invocation_pointers(raw, "")
        return EvalCase(
            origin=origin,
            id=self.case_id(raw),
            name=_text(raw.get("name")),
            description=_text(raw.get("description")),
            tags=_texts(raw.get("tags")),
            invocations=tuple(read_invocation(get(raw, p), origin + p) for p in pointers),
            session=_session(raw.get("session_input")),
            metadata=raw.get("metadata", MISSING),
        )

    def blank_case(self, value: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case of one empty turn, as spelled out as the set's first case.

        In a new set it is as 10xGraph saves it: every key, in its order.
        """
        cases = self.raw_cases(value)
        case: JsonObject = {"eval_id": label}
        if cases and get(cases[0], "/session_input") is MISSING:
            return {**case, "conversation": [self.blank_invocation(cases[0])]}
        session: JsonObject = {"app_name": "", "user_id": "test_user", "state": {}, "config": {}}
        return {
            **case,
            "name": "",
            "description": "",
            "conversation": [self.blank_invocation({"session_input": session})],
            "session_input": session,
            "tags": [],
            "metadata": {},
        }

    def blank_invocation(self, raw_case: JsonValue) -> JsonValue:
        """Return a turn in which the user says nothing yet, without an invented id.

        It is as spelled out as the case's first turn or, where it has none, as the case.
        """
        first = get(raw_case, "/conversation/0")
        mark = "/expected_node_order" if first is not MISSING else "/session_input"
        like = first if first is not MISSING else raw_case
        if get(like, mark) is MISSING:
            plain = get(like, "/user_content/metadata") is MISSING
            return {"user_content": new_message("user", "", full=not plain)}
        return {
            "user_content": new_message("user", "", full=True),
            "expected_tool_trajectory": [],
            "expected_node_order": [],
            "expected_intermediate_responses": [],
            "expected_final_response": None,
        }

    def as_new_file(self, value: JsonValue, file_name: str, *, is_copy: bool) -> JsonValue:
        """Return the set with an id of its own, if it is a copy: reports go by it."""
        lens = self.field("set", "id").lens
        old = lens.get(value)
        if not is_copy or not isinstance(old, str):
            return value
        return lens.put(value, id_for_copy(old, file_name), "snake")

    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        """Return a set with its id and name and no cases, as 10xGraph saves it."""
        return {
            "eval_set_id": set_id,
            "name": name,
            "description": "",
            "eval_cases": [],
            "metadata": {},
        }


_HEADER = {"id": "/eval_set_id", "name": "/name", "description": "/description"}


def read_invocation(raw: JsonValue | Missing, origin: str) -> Invocation:
    """Return one turn of a case."""
    value = None if raw is MISSING else raw
    got = {f.name: f.lens.get(value) for f in INVOCATION_FIELDS}
    calls = got["tool_calls"]
    kinds = other_blocks(get(value, "/user_content"))
    kinds += other_blocks(get(value, "/expected_final_response"))
    return Invocation(
        origin=origin,
        input=got["input"],
        expected_output=got["expected_output"],
        tool_calls=records_of(ToolCall, calls),
        node_order=_texts(got["node_order"]),
        intermediate_responses=_texts(got["intermediate_responses"]),
        notes=tuple(sorted({f"has {kind}" for kind in kinds})),
    )


def _session(raw: JsonValue) -> Session | None:
    if not isinstance(raw, dict):
        return None
    return Session(
        app_name=_text(raw.get("app_name")),
        user_id=_text(raw.get("user_id")),
        state=raw.get("state", MISSING),
        config=raw.get("config", MISSING),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _objects(value: JsonValue | Missing) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


LENS = TenxGraphEvalSets()
