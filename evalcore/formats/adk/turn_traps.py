"""What a turn seems to expect and does not: replies, tool calls, recorded events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats.adk.applied import Applied
from evalcore.formats.adk.fields import both, member, objects, place
from evalcore.formats.shapes import Report
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.adk.traps import Case

USER_CONTENT = both("user_content")
FINAL_RESPONSE = both("final_response")
INTERMEDIATE_DATA = both("intermediate_data")
TOOL_USES = both("tool_uses")
EVENTS = both("invocation_events")
PARTS = both("parts")
FUNCTION_CALL = both("function_call")
ARGS = both("args")
CONTENT = both("content")
TEXT = both("text")
THOUGHT = both("thought")
NAME = both("name")


def text_of(content: JsonValue | Missing) -> str:
    """Return the non-empty text parts of a content, one to a line."""
    texts = (member(part, TEXT) for _, part in objects(content, PARTS, ""))
    return "\n".join(text for text in texts if isinstance(text, str) and text)


def calls_of(turn: JsonObject, pointer: str) -> list[tuple[str, JsonObject]]:
    """Return (pointer, call) of the expected tool calls, in either shape."""
    data = member(turn, INTERMEDIATE_DATA)
    base = place(turn, pointer, INTERMEDIATE_DATA)
    calls = list(objects(data, TOOL_USES, base))
    for event_at, event in objects(data, EVENTS, base):
        calls += _calls_in(member(event, CONTENT), place(event, event_at, CONTENT))
    return calls


def reply_traps(cases: Sequence[Case], applied: Applied, report: Report) -> Iterator[Problem]:
    """Yield turns whose missing reply scores 0; one problem for the set if none has a reply."""
    if not applied.compares_replies:
        return
    turns = [turn for case in cases for turn in case.turns]
    silent = [(p, t) for p, t in turns if not text_of(member(t, FINAL_RESPONSE))]
    why = "" if applied.found else " (with no test_config.json, replies are compared by default)"
    hint = "Write the reply, or leave reply comparison out of the criteria."
    if len(silent) == len(turns) > 2:
        yield report.problem(
            "warning",
            "no_expected_replies",
            "",
            f"No turn has an expected reply: comparing replies scores 0 for every case{why}.",
            hint,
        )
        return
    for pointer, turn in silent:
        yield report.problem(
            "warning",
            "no_expected_reply",
            place(turn, pointer, FINAL_RESPONSE),
            f"There is no expected reply: comparing replies scores 0, whatever is said{why}.",
            hint,
        )


def turn_traps(
    turn: JsonObject, pointer: str, applied: Applied, report: Report
) -> Iterator[Problem]:
    """Yield the traps of one turn, but for a missing reply."""
    said = member(turn, USER_CONTENT)
    if isinstance(said, dict) and not any(True for _ in objects(said, PARTS, "")):
        yield report.problem(
            "warning",
            "empty_user_message",
            place(turn, pointer, USER_CONTENT),
            "The user says nothing in this turn.",
            "Write the user's message.",
        )
    yield from _reply_parts(turn, pointer, applied, report)
    yield from _call_traps(turn, pointer, applied, report)


def _reply_parts(
    turn: JsonObject, pointer: str, applied: Applied, report: Report
) -> Iterator[Problem]:
    reply = member(turn, FINAL_RESPONSE)
    where = place(turn, pointer, FINAL_RESPONSE)
    text = text_of(reply)
    if text and "response_match_score" in applied.criteria and not any(map(str.isalnum, text)):
        yield report.problem(
            "warning",
            "reply_without_words",
            where,
            "The expected reply has no letters or digits: “response_match_score” is 0 even for "
            "the same reply.",
        )
    for part_at, part in objects(reply, PARTS, where):
        if isinstance(member(part, FUNCTION_CALL), dict):
            yield report.problem(
                "warning",
                "call_in_reply",
                place(part, part_at, FUNCTION_CALL),
                "A tool call in the expected reply is never compared.",
                "Put it among the expected tool calls.",
            )
        if member(part, THOUGHT) is True and member(part, TEXT):
            yield report.problem(
                "info",
                "thought_in_reply",
                part_at,
                "This thought is compared as a part of the expected reply.",
            )


def _call_traps(
    turn: JsonObject, pointer: str, applied: Applied, report: Report
) -> Iterator[Problem]:
    if not applied.compares_calls:
        return
    for where, call in calls_of(turn, pointer):
        if not member(call, NAME):
            yield report.problem(
                "warning", "call_without_name", where, "This tool call names no tool.", "Name it."
            )
        args = member(call, ARGS)
        if (args is MISSING or args is None) and not applied.ignore_args:
            yield report.problem(
                "warning",
                "call_without_args",
                place(call, where, ARGS),
                "This call has no arguments, which is not the same as an empty object: a call "
                "made with {} does not match it.",
                "Write “args”: {} if the tool takes none.",
            )


def _calls_in(content: JsonValue | Missing, pointer: str) -> Iterator[tuple[str, JsonObject]]:
    for part_at, part in objects(content, PARTS, pointer):
        call = member(part, FUNCTION_CALL)
        if isinstance(call, dict):
            yield place(part, part_at, FUNCTION_CALL), call
