"""What UiPath's checks read from the spans of a run: tool calls, and the history for a judge."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Sample
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

UNKNOWN_TIME = "1970-01-01 00:00:00"
"""What stands for the time of a call: result files do not hold it."""


Recorded = tuple[str, str | None, Mapping[str, Any]]
"""A call's name, id and attributes. This is what a Call is, made several times as fast."""


class Call(NamedTuple):
    """One tool call as a check sees it.

    ``attributes`` are those of its span.
    """

    name: str
    id: str | None
    attributes: Mapping[str, Any]

    @property
    def given(self) -> Any:
        """What it got, as recorded; MISSING where nothing is."""
        return self.attributes.get("input.value", MISSING)

    @property
    def answered(self) -> Any:
        """What came back, as recorded; MISSING where nothing is."""
        return self.attributes.get("output.value", MISSING)

    @property
    def label(self) -> str:
        """What the call is counted as: its id, or else its name."""
        return self.name if self.id is None else self.id

    def answer(self) -> str:
        """Return the text that the answer counts as.

        The ``content`` of an object, "" if it has none; any other text as it stands.
        """
        found = self.answered
        if isinstance(found, str):
            try:
                read = json.loads(found)
            except ValueError:
                return found
            found = read if isinstance(read, dict) else found
        if isinstance(found, dict):
            return _content(found.get("content", ""))
        return "" if found is MISSING else str(found)

    def arguments(self) -> dict[str, Any]:
        """Return the arguments: an object, or a text that is one in JSON or in Python, else {}.

        They may hold Python values that JSON has not. Raises EvaldeskError for arguments on which
        UiPath fails.
        """
        found = self.given
        if isinstance(found, str):
            try:
                found = _literal(found)
            except (ValueError, SyntaxError):
                return {}
            except (TypeError, MemoryError, RecursionError) as error:
                raise EvaldeskError(f"The arguments of {self.name} cannot be read") from error
        if not isinstance(found, dict):
            return {}
        if not all(isinstance(name, str) for name in found):
            raise EvaldeskError(f"An argument of {self.name} has a name that is no text")
        return found


def calls_of(sample: Sample) -> list[Call]:
    """Return the calls that were really made, in the order of their spans."""
    return list(map(Call._make, recorded(sample)))


def all_calls(sample: Sample) -> list[Call]:
    """Return every recorded call, those that the platform made up itself included."""
    return list(map(Call._make, recorded(sample, made_up=True)))


def recorded(sample: Sample, *, made_up: bool = False) -> list[Recorded]:
    """Return the recorded calls, those that the platform made up itself only if asked for.

    They are read from the spans where the run has them, and else from the calls that its own
    system recorded.
    """
    found: list[Recorded] = []
    for turn in sample.turns:
        actual = turn.actual
        if actual.trace is MISSING:
            found += map(_as_span, actual.actual_tool_calls or ())
        else:
            found += _from_spans(actual.trace, made_up=made_up)
    return found


def has_spans(sample: Sample) -> bool:
    """Return whether a run recorded anything at all, or does not say."""
    traces = [turn.actual.trace for turn in sample.turns]
    return any(trace is MISSING or bool(trace) for trace in traces)


def history(calls: Sequence[Call]) -> str:
    """Return the calls in the words that UiPath puts before a judge; "" without calls."""
    parts: list[str] = []
    for call in calls:
        parts += [
            f"[{UNKNOWN_TIME}] LLM Response:",
            "  Agent Selected 1 Tool(s):",
            "",
            f"  Tool: {call.name}",
            f"  Arguments: {_shown(call.given)}",
            "",
            f"[{UNKNOWN_TIME}] Tool Call Response - {call.name}:",
            _shown(call.answered).strip(),
            "",
        ]
    return "\n".join(parts)


def _shown(value: Any) -> str:
    return "{}" if value is MISSING else str(value)


def _from_spans(trace: Any, *, made_up: bool) -> list[Recorded]:
    return [
        (str(name), None if (known := found.get("tool.id")) is None else str(known), found)
        for span in (trace if isinstance(trace, list) else ())
        if isinstance(span, dict)
        and isinstance(found := span.get("attributes"), dict)
        and (name := found.get("tool.name"))
        and (made_up or not found.get("tool.synthesized"))
    ]


def _as_span(call: ToolCall) -> Recorded:
    """Return a call that another system recorded, in the shape that UiPath's spans have."""
    args = call.args if isinstance(call.args, dict) else {}
    result = "" if call.result is MISSING else call.result
    span = {
        "input.value": json.dumps(args, ensure_ascii=False),
        "output.value": json.dumps({"content": result}, ensure_ascii=False),
    }
    return call.name, call.id, span


def _literal(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return ast.literal_eval(text)


def _content(value: Any) -> str:
    """Return Python's text of a value; null, 0, false and empty ones become ""."""
    return str(value) if value else ""
