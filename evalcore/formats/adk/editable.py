"""The fields of ADK's eval sets, cases and turns, and of its conversation scenarios."""

from __future__ import annotations

from typing import Any

from evalcore.formats.adk import said
from evalcore.formats.adk.calls import ExpectedCalls, ToolResults
from evalcore.formats.adk.content import ROLE, ContentText, rubrics_at
from evalcore.formats.adk.fields import both
from evalcore.formats.lenses import At, Editor, Field, Key, Within, exactly, key

EVAL_CASES = key("eval_cases")
CONVERSATION = both("conversation")
SESSION = both("session_input")
SCENARIO = both("conversation_scenario")
USER_CONTENT = both("user_content")
FINAL_RESPONSE = both("final_response")
CREATED = both("creation_timestamp")
MOMENT = {"unit": "moment"}

PERSONAS = ("EXPERT", "NOVICE", "EVALUATOR")
RUBRIC_TYPES = ("FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", "TRAJECTORY_QUALITY")

_LONG = {"type": "string", "x-multiline": True}
_TEXTS = {"type": "array", "items": {"type": "string"}}
_BEHAVIOR = {
    "type": "object",
    "title": "Behaviour",
    "properties": {
        "name": {"type": "string"},
        "description": {**_LONG, "description": "What it is, for people."},
        "behavior_instructions": {
            **_TEXTS,
            "title": "What the simulated user does",
            "description": "One instruction each.",
        },
        "violation_rubrics": {
            **_TEXTS,
            "title": "What would break it",
            "description": "Statements by which a judge sees that the user left the role.",
        },
    },
    "required": ["name", "description", "behavior_instructions", "violation_rubrics"],
}
PERSONA_SCHEMA: dict[str, Any] = {
    "anyOf": [
        {"title": "A known persona", "type": "string", "enum": list(PERSONAS)},
        {
            "title": "A persona of your own",
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "A short name for it."},
                "description": {**_LONG, "description": "Who this user is."},
                "behaviors": {"type": "array", "title": "Behaviours", "items": _BEHAVIOR},
            },
            "required": ["id", "description", "behaviors"],
        },
    ]
}
_ANSWER = {
    "type": "object",
    "title": "Answer",
    "properties": {
        "name": {"type": "string", "title": "Tool", "x-names": "tool"},
        "id": {
            "type": ["string", "null"],
            "title": "Call id",
            "description": "The id of the call that this answers.",
        },
        "response": {"type": ["object", "null"], "title": "Answer", "additionalProperties": True},
    },
}
_AGENT = {
    "type": "object",
    "title": "Agent",
    "properties": {
        "name": {"type": "string"},
        "instructions": _LONG,
        "tool_declarations": {"type": "array", "items": {}},
    },
    "required": ["name"],
}

SET_FIELDS = (
    Field(
        "id", "Id", At(key("eval_set_id")), pinned=True, help="What runs and results call this set."
    ),
    Field("name", "Name", At(exactly("name")), help="A name for people."),
    Field("description", "Description", At(exactly("description")), Editor.TEXT),
    Field(
        "created_at",
        "Created",
        At(key("creation_timestamp")),
        Editor.NUMBER,
        group="more",
        blank=0.0,
        extra=MOMENT,
        help="When the set was made. Nothing reads it.",
    ),
)


def _session(name: str) -> At:
    return At(SESSION, both(name), prune=True)


def _scenario(name: str) -> At:
    return At(SCENARIO, both(name), prune=True)


CASE_FIELDS = (
    Field("id", "Id", At(both("eval_id")), pinned=True, help="What results call this case."),
    Field(
        "name",
        "Name",
        At(exactly("name")),
        group="more",
        help="A name for people. ADK keeps it and does not read it.",
    ),
    Field(
        "tags",
        "Tags",
        At(exactly("tags")),
        Editor.TAGS,
        group="more",
        blank=[],
        help="Labels to find cases by. ADK keeps them and does not read them.",
    ),
    Field(
        "scenario.starting_prompt",
        "The simulated user starts with",
        _scenario("starting_prompt"),
        Editor.TEXT,
        group="mocks",
        help="What a simulated user says first. A case has turns or a simulated user, not both.",
    ),
    Field(
        "scenario.plan",
        "Plan of the simulated user",
        _scenario("conversation_plan"),
        Editor.TEXT,
        group="mocks",
        help="What the simulated user wants and how it goes on.",
    ),
    Field(
        "scenario.persona",
        "Persona of the simulated user",
        _scenario("user_persona"),
        Editor.FORM,
        group="mocks",
        blank="NOVICE",
        schema=PERSONA_SCHEMA,
        help="What kind of person the simulated user is: one that ADK knows by name, or your own.",
    ),
    Field(
        "session.app_name",
        "App",
        _session("app_name"),
        group="session",
        help="The agent's folder. Results show the session only if this is its name.",
    ),
    Field("session.user_id", "User id", _session("user_id"), group="session", blank="user"),
    Field(
        "session.session_id",
        "Session id",
        _session("session_id"),
        group="session",
        help="Pins the session; an existing one is used again, without the state below.",
    ),
    Field(
        "session.state",
        "State at the start",
        _session("state"),
        Editor.OBJECT,
        group="session",
        blank={},
        help="Values in the session before the first turn.",
    ),
    Field(
        "rubrics",
        "Rubrics for every turn",
        rubrics_at(both("rubrics")),
        Editor.RUBRICS,
        group="checks",
        blank=(),
        choices=RUBRIC_TYPES,
        help="Statements that a judge checks. Each needs a type, or ADK ignores it.",
    ),
    Field(
        "expected_state",
        "Expected state at the end",
        At(both("final_session_state")),
        Editor.OBJECT,
        group="more",
        blank={},
        help="Kept by ADK; none of its checks reads it.",
    ),
    Field(
        "created_at",
        "Created",
        At(CREATED),
        Editor.NUMBER,
        group="more",
        blank=0.0,
        extra=MOMENT,
        help="When the case was made. Nothing reads it.",
    ),
)


def _role(name: str, label: str, content: Key) -> Field:
    return Field(
        name,
        label,
        Within(content, ROLE),
        group="more",
        help="Who speaks: “user” or “model”. ADK's checks do not read it.",
    )


def _seconds(name: str, label: str, help_: str) -> Field:
    return Field(name, label, At(both(name)), Editor.NUMBER, group="more", blank=0.0, help=help_)


INVOCATION_FIELDS = (
    Field("input", "User says", ContentText(USER_CONTENT, "user"), Editor.TEXT, pinned=True),
    Field(
        "tool_calls",
        "Expected tool calls",
        ExpectedCalls(),
        Editor.TOOL_CALLS,
        group="expected",
        blank=(),
        pinned=True,
        extra={"parts": "id"},
        help="The tools the agent should call, in order, with these arguments.",
    ),
    Field(
        "expected_output",
        "Expected reply",
        ContentText(FINAL_RESPONSE, "model"),
        Editor.TEXT,
        group="expected",
        pinned=True,
        help="The answer to compare with. Empty scores 0 against anything.",
    ),
    Field(
        "rubrics",
        "Rubrics for this turn",
        rubrics_at(both("rubrics")),
        Editor.RUBRICS,
        group="checks",
        blank=(),
        choices=RUBRIC_TYPES,
        help="Statements that a judge checks. Each needs a type, or ADK ignores it.",
    ),
    Field(
        "intermediate_responses",
        "Messages on the way",
        said.SaidOnTheWay(),
        Editor.FORM,
        group="more",
        blank=[],
        schema=said.SCHEMA,
        help="What is said before the final reply. Only checks told to include it read it.",
    ),
    Field(
        "tool_results",
        "Answers of the tools",
        ToolResults(),
        Editor.FORM,
        group="more",
        blank=[],
        schema={"type": "array", "items": _ANSWER},
        help="What the tools gave back. A judge may read it; no other check does.",
    ),
    Field("invocation_id", "Turn id", At(both("invocation_id")), group="more"),
    _role("input_role", "Role of the user's message", USER_CONTENT),
    _role("expected_output_role", "Role of the expected reply", FINAL_RESPONSE),
    Field(
        "creation_timestamp",
        "Created",
        At(both("creation_timestamp")),
        Editor.NUMBER,
        group="more",
        blank=0.0,
        extra=MOMENT,
        help="When the turn was recorded.",
    ),
    _seconds("duration", "Took (seconds)", "Written by a run: how long the whole turn took."),
    _seconds("model_duration", "Model took (seconds)", "Written by a run: the models' share."),
    _seconds("tool_duration", "Tools took (seconds)", "Written by a run: the tools' share."),
    Field(
        "app_details",
        "Agents of the run",
        At(both("app_details")),
        Editor.FORM,
        group="more",
        blank={"agent_details": {}},
        schema={
            "type": "object",
            "properties": {
                "agent_details": {"type": "object", "additionalProperties": _AGENT},
            },
        },
        help="Written by a run: the agents' instructions and tools. Judges read it.",
    ),
)
