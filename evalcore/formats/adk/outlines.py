"""ADK's cases in outline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evalcore.formats.adk.fields import member, place
from evalcore.formats.adk.schema import SCENARIO
from evalcore.formats.adk.traps import EVAL_ID, SESSION, Case, cases_of
from evalcore.formats.adk.turn_traps import (
    ARGS,
    FINAL_RESPONSE,
    NAME,
    PARTS,
    USER_CONTENT,
    calls_of,
    text_of,
)
from evalcore.formats.lenses import Key
from evalcore.formats.outlines import Exchange, Outline, Placed
from evalcore.jsontree import MISSING, JsonObject, JsonValue


def outlines(value: JsonValue) -> Iterator[Outline]:
    """Yield the cases of a set of the new shape."""
    for case in cases_of(value):
        found = (_held(case, name) for name in (SESSION, SCENARIO))
        yield Outline(
            case.pointer,
            _label(case),
            tuple(_exchange(turn, pointer) for pointer, turn in case.turns),
            tuple(placed for placed in found if placed is not None),
        )


def _exchange(turn: JsonObject, pointer: str) -> Exchange:
    said = _content(turn, pointer, USER_CONTENT)
    expected: dict[str, Placed] = {}
    reply = _content(turn, pointer, FINAL_RESPONSE)
    if reply is not None and reply.value:
        expected["reply"] = replace(reply, value=text_of(member(turn, FINAL_RESPONSE)))
    calls = calls_of(turn, pointer)
    if calls:
        listed: list[JsonValue] = [[_known(call, NAME), _known(call, ARGS)] for _, call in calls]
        expected["calls"] = Placed(calls[0][0], listed)
    return Exchange((said,) if said else (), expected)


def _content(turn: JsonObject, pointer: str, name: Key) -> Placed | None:
    parts = member(member(turn, name), PARTS)
    return None if parts is MISSING else Placed(place(turn, pointer, name), parts)


def _held(case: Case, name: Key) -> Placed | None:
    found = member(case.raw, name)
    return Placed(place(case.raw, case.pointer, name), found) if found is not MISSING else None


def _known(raw: JsonObject, name: Key) -> JsonValue:
    found = member(raw, name)
    return None if found is MISSING else found


def _label(case: Case) -> str:
    case_id = member(case.raw, EVAL_ID)
    return case_id if isinstance(case_id, str) and case_id else f"number {_number(case.pointer)}"


def _number(pointer: str) -> int:
    return int(pointer.rpartition("/")[2]) + 1
