"""The fields of 10xGraph's eval sets, cases and turns. Keys have one spelling, in snake_case."""

from __future__ import annotations

from evalcore.formats.lenses import At, Editor, Field, Within, exactly
from evalcore.formats.tenxgraph.content import MessageText, MessageTexts, tool_calls_at


def _at(*names: str) -> At:
    return At(*(exactly(name) for name in names))


SET_FIELDS = (
    Field(
        "id",
        "Id",
        _at("eval_set_id"),
        pinned=True,
        help="What reports call this set. Without it every load makes a new one.",
    ),
    Field("name", "Name", _at("name"), help="A name for people."),
    Field("description", "Description", _at("description"), Editor.TEXT),
    Field(
        "metadata",
        "Metadata",
        _at("metadata"),
        Editor.OBJECT,
        group="more",
        blank={},
        help="Notes of your own. No check reads them.",
    ),
)

CASE_FIELDS = (
    Field(
        "id",
        "Id",
        _at("eval_id"),
        pinned=True,
        help="What reports call this case. Without it every load makes a new one.",
    ),
    Field("name", "Name", _at("name"), help="A name for people, shown in reports."),
    Field(
        "description",
        "Description",
        _at("description"),
        Editor.TEXT,
        group="more",
        help="A note for people. It is not copied to reports.",
    ),
    Field(
        "tags",
        "Tags",
        _at("tags"),
        Editor.TAGS,
        group="more",
        blank=[],
        help="Labels to find cases by. A run does not select by them.",
    ),
    Field(
        "session.app_name",
        "App",
        _at("session_input", "app_name"),
        group="session",
        help="A note for people: 10xGraph never uses it.",
    ),
    Field(
        "session.user_id",
        "User id",
        _at("session_input", "user_id"),
        group="session",
        blank="test_user",
        help="The user of the run; it wins over a user id in the run config.",
    ),
    Field(
        "session.state",
        "State at the start",
        _at("session_input", "state"),
        Editor.OBJECT,
        group="session",
        blank={},
        help="Kept in the file, but 10xGraph never gives it to the agent.",
    ),
    Field(
        "session.config",
        "Run config",
        _at("session_input", "config"),
        Editor.OBJECT,
        group="session",
        blank={},
        help="Settings handed to the graph, such as recursion_limit.",
    ),
    Field(
        "metadata",
        "Metadata",
        _at("metadata"),
        Editor.OBJECT,
        group="more",
        blank={},
        help="Copied to the report. Judges read “context” (groundedness) and “reference_facts” "
        "(factual accuracy).",
    ),
)


def _role(name: str, label: str, message: str) -> Field:
    return Field(
        name,
        label,
        Within(exactly(message), exactly("role")),
        group="more",
        help="Who speaks, such as “user” or “assistant”. Any word is accepted.",
    )


def _notes(name: str, label: str, message: str) -> Field:
    return Field(
        name,
        label,
        Within(exactly(message), exactly("metadata")),
        Editor.OBJECT,
        group="more",
        blank={},
        help="Notes of your own on this message. No check reads them.",
    )


INVOCATION_FIELDS = (
    Field(
        "input",
        "User says",
        MessageText("user_content", "user"),
        Editor.TEXT,
        pinned=True,
        help="Only the text is sent; images and other blocks stay in the file.",
    ),
    Field(
        "tool_calls",
        "Expected tool calls",
        tool_calls_at("expected_tool_trajectory"),
        Editor.TOOL_CALLS,
        group="expected",
        blank=(),
        pinned=True,
        extra={"parts": "id result"},
        help="The tools the agent should call. No arguments means any; call id and result are "
        "never compared.",
    ),
    Field(
        "expected_output",
        "Expected reply",
        MessageText("expected_final_response", "assistant"),
        Editor.TEXT,
        group="expected",
        pinned=True,
        help="The reply to compare with; only the last one of a case is. Empty expects nothing.",
    ),
    Field(
        "node_order",
        "Expected nodes",
        _at("expected_node_order"),
        Editor.NAMES,
        group="expected",
        blank=[],
        extra={"names": "node"},
        help="Graph nodes in the order of their visits: “__start__” first in each turn, never a "
        "tool node.",
    ),
    Field(
        "intermediate_responses",
        "Messages on the way",
        MessageTexts("expected_intermediate_responses", "assistant"),
        Editor.MESSAGES,
        group="more",
        blank=[],
        help="Each with who says it and notes of your own. Kept in the file; no check reads them.",
    ),
    Field(
        "invocation_id",
        "Turn id",
        _at("invocation_id"),
        group="more",
        help="Kept in the file; nothing reads it.",
    ),
    _role("input_role", "Role of the user's message", "user_content"),
    _notes("input_metadata", "Metadata of the user's message", "user_content"),
    _role("expected_output_role", "Role of the expected reply", "expected_final_response"),
    _notes("expected_output_metadata", "Metadata of the expected reply", "expected_final_response"),
)
