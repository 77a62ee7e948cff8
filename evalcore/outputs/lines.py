"""One line of recorded outputs: what it must hold, and what is wrong where it does not."""

from __future__ import annotations

import json
from dataclasses import dataclass

from evalcore.jsontree import MISSING, JsonObject, JsonValue
from evalcore.model import ToolCall
from evalcore.results import InvocationResult, ModelCall

KEYS = (
    "case_id",
    "invocation",
    "output",
    "tool_calls",
    "node_visits",
    "duration_s",
    "tokens",
    "error",
    "repeat",
)
CALL_KEYS = ("name", "args", "id", "result")
MOST_TURNS = 1_000
"""A turn or repeat numbered higher than this is taken for a mistake."""


@dataclass(frozen=True, slots=True)
class Line:
    """One usable line. ``repeat`` is None where the line does not say."""

    number: int
    case_id: str
    invocation: int
    repeat: int | None
    result: InvocationResult
    tokens: int | None


class Unusable(Exception):
    """A line that cannot be used."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint


def line_of(number: int, raw: bytes) -> tuple[Line, set[str]]:
    """Return a line and its unknown keys; raises Unusable for one that cannot be used."""
    found = _parsed(raw)
    invocation = _index(found, "invocation") or 0
    into, out = _tokens(found)
    result = InvocationResult(
        origin=f"/{number}",
        index=invocation,
        actual_output=found.get("output", MISSING),
        actual_tool_calls=_calls(found),
        node_visits=_texts(found, "node_visits"),
        duration_s=_amount(found, "duration_s"),
        model_calls=None
        if out is None
        else (ModelCall(prompt_tokens=into, candidates_tokens=out),),
        error=_error(found),
    )
    line = Line(
        number=number,
        case_id=_case_id(found),
        invocation=invocation,
        repeat=_index(found, "repeat"),
        tokens=None if into is None and out is None else (into or 0) + (out or 0),
        result=result,
    )
    return line, found.keys() - set(KEYS)


def _parsed(raw: bytes) -> JsonObject:
    try:
        found = json.loads(raw.decode("utf-8", "strict"))
    except UnicodeDecodeError as error:
        raise Unusable(
            "not_utf8", f"Byte {error.start + 1} of the line is no UTF-8", "Save the file as UTF-8."
        ) from error
    except json.JSONDecodeError as error:
        raise Unusable(
            "not_json",
            f"The line is no JSON: {error.msg}, at character {error.colno}",
            "Write one whole JSON object per line.",
        ) from error
    except RecursionError as error:
        raise Unusable("not_json", "The line is nested too deeply") from error
    if not isinstance(found, dict):
        raise Unusable(
            "not_an_object", "The line is no JSON object", 'Write {"case_id": …, "output": …}.'
        )
    return found


def _case_id(found: JsonObject) -> str:
    case_id = found.get("case_id")
    if isinstance(case_id, int) and not isinstance(case_id, bool):
        return str(case_id)
    if not isinstance(case_id, str) or not case_id:
        raise Unusable(
            "no_case_id",
            "“case_id” is missing or no text",
            "Name the case of the eval set that was run.",
        )
    return case_id


def _index(found: JsonObject, name: str) -> int | None:
    value = found.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < MOST_TURNS:
        raise _wrong(name, "a whole number from 0")
    return value


def _amount(found: JsonObject, name: str) -> float | None:
    value = found.get(name)
    if value is None:
        return None
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 <= float(str(value)) < float("inf"):
        raise _wrong(name, "a number from 0")
    return float(str(value))


def _tokens(found: JsonObject) -> tuple[int | None, int | None]:
    """Return tokens in and out; the first is the total where the second is None."""
    value = found.get("tokens")
    if value is None:
        return None, None
    if isinstance(value, dict) and value.keys() == {"input", "output"}:
        return _count(value["input"]), _count(value["output"])
    return _count(value), None


def _count(value: JsonValue) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _wrong("tokens", 'a whole number, or {"input": …, "output": …}')
    return value


def _error(found: JsonObject) -> str | None:
    value = found.get("error")
    if value is not None and not isinstance(value, str):
        raise _wrong("error", "a text")
    return None if value is None else value or "The turn failed without a message."


def _texts(found: JsonObject, name: str) -> tuple[str, ...] | None:
    value = found.get(name)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise _wrong(name, "a list of texts")
    return tuple(str(item) for item in value)


def _calls(found: JsonObject) -> tuple[ToolCall, ...] | None:
    value = found.get("tool_calls")
    if value is None:
        return None
    if not isinstance(value, list):
        raise _wrong("tool_calls", "a list of objects")
    return tuple(_call(item, number) for number, item in enumerate(value, 1))


def _call(item: JsonValue, number: int) -> ToolCall:
    where = f"tool_calls, call {number}"
    if not isinstance(item, dict) or not isinstance(item.get("name"), str) or not item["name"]:
        raise _wrong(where, "an object with a name")
    strange = item.keys() - set(CALL_KEYS)
    if strange:
        raise _wrong(where, f"an object of {', '.join(CALL_KEYS)}, without “{min(strange)}”")
    args, call_id = item.get("args", MISSING), item.get("id")
    if args is not MISSING and args is not None and not isinstance(args, dict):
        raise _wrong(f"{where}: args", "an object")
    if call_id is not None and not isinstance(call_id, str):
        raise _wrong(f"{where}: id", "a text")
    return ToolCall(
        name=str(item["name"]), args=args, id=call_id, result=item.get("result", MISSING)
    )


def _wrong(name: str, wanted: str) -> Unusable:
    return Unusable("wrong_type", f"“{name}” is not {wanted}")
