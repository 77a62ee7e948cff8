"""ADK's ``EvalSet`` files, through lenses.

Everything below the set may be spelled in snake_case or camelCase. Where an object has both, ADK
reads the camelCase one (run on 2.8 and 2.13; when it saves, it writes both under one name, and the
other one wins at the next load). ADK itself loads the set's own keys in snake_case only, but files
with camelCase ones exist and are read here.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from evalcore.formats.adk.content import ContentText, intermediate_texts, other_parts
from evalcore.formats.adk.editable import (
    CASE_FIELDS,
    CONVERSATION,
    EVAL_CASES,
    FINAL_RESPONSE,
    INVOCATION_FIELDS,
    SCENARIO,
    SESSION,
    SET_FIELDS,
    USER_CONTENT,
)
from evalcore.formats.adk.events import RECORD, schema_of
from evalcore.formats.adk.fields import both
from evalcore.formats.evalset import EvalSetLens, stem_of
from evalcore.formats.lenses import At, records_of, style_of
from evalcore.formats.mocks import MockSupport
from evalcore.formats.names import NameMark
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get
from evalcore.model import EvalCase, EvalSet, Invocation, Rubric, Scenario, Session, ToolCall


class AdkEvalSets(EvalSetLens):
    """Eval sets as ADK and its web UI write them."""

    set_fields = SET_FIELDS
    case_fields = CASE_FIELDS
    invocation_fields = INVOCATION_FIELDS
    id_keys = ("evalId", "eval_id")
    has_simulated_users = True
    run_record = RECORD
    mocks = MockSupport(
        instead=(
            "Every turn calls the agent's real tools. To keep them away from real systems, let the "
            "agent that is evaluated use other tools.",
            "What the tools read can be given: the state of a case's session is there before its "
            "first turn.",
            "The user can be simulated: a case may have a first message and a plan instead of "
            "turns.",
        ),
    )
    name_marks = (
        NameMark("tool", ("function_call", "functionCall"), "object", args=("args",)),
        NameMark("tool", ("tool_uses", "toolUses"), args=("args",)),
        NameMark(
            "tool",
            ("function_declarations", "functionDeclarations"),
            args=("parameters/properties", "parameters_json_schema/properties"),
        ),
        NameMark("tool", ("expected_tool_use",), name="tool_name", args=("tool_input",)),
    )
    format_id = "adk"

    def cases_pointer(self, value: JsonValue) -> str:
        """Return the pointer of ``eval_cases``."""
        return At(EVAL_CASES).where(value)

    def invocations_pointer(self, raw_case: JsonValue) -> str:
        """Return the pointer of ``conversation``."""
        return At(CONVERSATION).where(raw_case)

    def read_header(self, value: JsonValue) -> EvalSet:
        """Return the set's id, name and description; what is no text is left out."""
        names = ("id", "name", "description")
        texts = {n: _text(self.field("set", n).lens.get(value)) for n in names}
        return EvalSet(format_id=self.format_id, read_only=self.read_only, **texts)

    def read_case(self, raw: JsonValue, origin: str) -> EvalCase:
        """Return a case with its turns; opaque if it is no object or its turns are no list."""
        turns = At(CONVERSATION).get(raw)
        if not isinstance(raw, dict) or not (turns is MISSING or turns is None or _objects(turns)):
            return EvalCase(origin=origin, id=self.case_id(raw), opaque=True)
        got = {f.name: f.lens.get(raw) for f in self.case_fields}
        pointers = self.invocation_pointers(raw, "")
        return EvalCase(
            origin=origin,
            id=self.case_id(raw),
            name=_text(got["name"]),
            tags=_texts(got["tags"]),
            invocations=tuple(read_invocation(get(raw, p), origin + p) for p in pointers),
            session=_session(raw, got),
            scenario=_scenario(raw, got),
            rubrics=_rubrics(got["rubrics"]),
            expected_state=got["expected_state"],
        )

    def blank_case(self, value: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case of one empty turn, with the app and user of the set's first case."""
        camel = self.style(value) == "camel"
        case: JsonObject = {
            "evalId" if camel else "eval_id": label,
            "conversation": [self.blank_invocation({"userContent": {}} if camel else {})],
        }
        cases = self.raw_cases(value)
        session = At(SESSION).get(cases[0]) if cases else MISSING
        if isinstance(session, dict):
            names = (*both("app_name").spellings, *both("user_id").spellings)
            kept: JsonObject = {n: v for n, v in session.items() if n in names}
            case[SESSION.choose(cases[0], "snake")] = kept
        return case

    def run_schema(self, name: str, event: JsonValue) -> Mapping[str, Any]:
        """Return the schema of an event's model, tokens or grounding."""
        return schema_of(name, event)

    def with_turns(self, raw: JsonValue) -> JsonValue:
        """Return a case whose user says what is written, instead of being simulated."""
        rest = At(SCENARIO).put(raw, MISSING, "snake")
        if isinstance(At(CONVERSATION).get(rest), list):
            return rest
        turns: JsonValue = [self.blank_invocation(rest)]
        return At(CONVERSATION).put(rest, turns, style_of(raw, self.default_style))

    def with_simulated_user(self, raw: JsonValue) -> JsonValue:
        """Return a case with a simulated user, who starts as the user of the first turn did."""
        at, style = At(CONVERSATION), style_of(raw, self.default_style)
        turns = at.get(raw)
        first = turns[0] if isinstance(turns, list) and turns else None
        said = ContentText(USER_CONTENT, "user").get(first)
        start, plan = both("starting_prompt"), both("conversation_plan")
        scenario: JsonObject = {
            start.choose({}, style): said if isinstance(said, str) else "",
            plan.choose({}, style): "",
        }
        rest = at.put(raw, MISSING, style)
        return At(SCENARIO).put(rest, scenario, style)

    def copy_case(self, raw: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case under a new id, in the spelling of its own keys."""
        return At(both("eval_id")).put(raw, label, style_of(raw, self.default_style))

    def blank_invocation(self, raw_case: JsonValue) -> JsonValue:
        """Return a turn in which the user says nothing yet."""
        turns = At(CONVERSATION).get(raw_case)
        like = turns[0] if isinstance(turns, list) and turns else raw_case
        style = style_of(like, self.default_style)
        content = ContentText(USER_CONTENT, "user")
        name = USER_CONTENT.choose({}, style)
        first = content.at.get(like)
        ordered = isinstance(first, dict) and next(iter(first), "") == "role"
        parts: JsonObject = {"parts": [{"text": ""}]}
        return {name: {"role": "user", **parts} if ordered else {**parts, "role": "user"}}

    def as_new_file(self, value: JsonValue, file_name: str, *, is_copy: bool) -> JsonValue:
        """Return the set with the file's name as its id, if it is a copy.

        ADK's results go by the id, and its web UI by the file's name.
        """
        lens = self.field("set", "id").lens
        if not is_copy or not isinstance(lens.get(value), str):
            return value
        return lens.put(value, stem_of(file_name), "snake")

    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        """Return a set with its id and name and no cases."""
        return {
            "eval_set_id": set_id,
            "name": name,
            "eval_cases": [],
            "creation_timestamp": now.timestamp(),
        }


def read_invocation(raw: JsonValue | Missing, origin: str) -> Invocation:
    """Return one turn; used for cases and for both sides of results."""
    value = None if raw is MISSING else raw
    got = {f.name: f.lens.get(value) for f in INVOCATION_FIELDS}
    calls = got["tool_calls"]
    kinds = [
        *other_parts(At(USER_CONTENT).get(value)),
        *other_parts(At(FINAL_RESPONSE).get(value)),
    ]
    return Invocation(
        origin=origin,
        input=got["input"],
        expected_output=got["expected_output"],
        tool_calls=records_of(ToolCall, calls),
        intermediate_responses=tuple(intermediate_texts(value)),
        rubrics=_rubrics(got["rubrics"]),
        notes=tuple(sorted({f"has {kind}" for kind in kinds if kind != "thought"})),
    )


def _session(raw: JsonValue, got: dict[str, Any]) -> Session | None:
    if not isinstance(At(SESSION).get(raw), dict):
        return None
    return Session(
        app_name=_text(got["session.app_name"]),
        user_id=_text(got["session.user_id"]),
        session_id=_text(got["session.session_id"]),
        state=got["session.state"],
    )


def _scenario(raw: JsonValue, got: dict[str, Any]) -> Scenario | None:
    if not isinstance(At(SCENARIO).get(raw), dict):
        return None
    return Scenario(
        starting_prompt=_text(got["scenario.starting_prompt"]) or "",
        plan=_text(got["scenario.plan"]) or "",
        persona=got["scenario.persona"],
    )


def _rubrics(found: Any) -> tuple[Rubric, ...]:
    return records_of(Rubric, found)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(v for v in value if isinstance(v, str)) if isinstance(value, list) else ()


def _objects(value: JsonValue | Missing) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


LENS = AdkEvalSets()
