"""Tool calls as lines that people can read and write: ``issue_refund(order_id="A-17", amount=5)``.

Ids and results of calls are not in the lines. A call that stays, or only changes its arguments,
keeps them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from evalcore.errors import FormatError
from evalcore.exporting.cells import (
    LEAVE,
    Cell,
    Keep,
    dump,
    guessed,
    is_writable,
    marked,
    read_json,
    special,
    unguard,
    written,
)
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.model import ToolCall

_NAME = re.compile(r"[^\s()\[\]{}=,;:\"'<>]+")
_PLAIN_KEY = re.compile(r"[A-Za-z_][\w.\-]*")
_HINT = 'Write one call on each line, such as lookup_order(order_id="A-17").'
_ARGUMENTS = ("arguments", "tool_input", "input", "parameters")
_WORDS: dict[str, JsonValue] = {"True": True, "False": False, "None": None}


def calls_cell(calls: Sequence[ToolCall] | Missing) -> Cell:
    """Return the cell of some tool calls; JSON where they do not fit into lines."""
    if calls is MISSING or not calls:
        return None
    lines = [_line(call) for call in calls]
    text = "\n".join(line or "" for line in lines)
    if None in lines or not is_writable(text):
        return marked(plain_calls(calls))
    return written(text)


def plain_calls(calls: Sequence[ToolCall]) -> list[JsonValue]:
    """Return calls as JSON, without what they do not have."""
    return [
        {
            name: value
            for name, value in (
                ("name", call.name),
                ("args", call.args),
                ("id", call.id),
                ("result", call.result),
            )
            if value is not MISSING and not (value is None and name in ("id", "result"))
        }
        for call in calls
    ]


def read_calls(cell: Cell, old: Sequence[ToolCall] | Missing) -> tuple[ToolCall, ...] | Keep:
    """Return the calls that a cell lists, each with what the old call it stands for has besides.

    Raises FormatError that says which line cannot be read.
    """
    found = special(cell)
    if found is LEAVE:
        return LEAVE
    text = unguard(cell) if isinstance(cell, str) else str(cell)
    if found is not MISSING or text.lstrip()[:1] in ("[", "{"):
        return calls_from(found if found is not MISSING else read_json(text), old)
    return paired([] if old is MISSING else old, list(_lines(text)))


def calls_from(value: JsonValue, old: Sequence[ToolCall] | Missing = ()) -> tuple[ToolCall, ...]:
    """Return the calls in JSON, as any of the systems writes them.

    A list of names, of ``{name, args}``, ``{tool_name, tool_input}`` or OpenAI's
    ``{function: {name, arguments}}``. Raises FormatError for anything else.
    """
    if value in (None, ""):
        return ()
    listed = value if isinstance(value, list) else [value]
    return paired([] if old is MISSING else old, [_call(item) for item in listed])


def paired(old: Sequence[ToolCall], new: Sequence[ToolCall]) -> tuple[ToolCall, ...]:
    """Return new calls with the ids, results and places of the old ones that they stand for."""
    result: list[ToolCall] = []
    keys = [[_key(call) for call in calls] for calls in (old, new)]
    matcher = SequenceMatcher(None, keys[0], keys[1], autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind == "equal":
            result += old[start:stop]
            continue
        left = list(old[start:stop])
        for call in new[first:last]:
            twin = next((c for c in left if c.name == call.name), None)
            if twin is None and len(left) == last - first == 1:
                twin = left[0]
            if twin is not None:
                left.remove(twin)
            result.append(_as(twin, call))
    return tuple(result)


def _as(twin: ToolCall | None, call: ToolCall) -> ToolCall:
    if twin is None:
        return call
    said = {"name": call.name, "args": call.args}
    said |= {"id": call.id} if call.id is not None else {}
    said |= {"result": call.result} if call.result is not MISSING else {}
    return twin.model_copy(update=said)


def _key(call: ToolCall) -> str:
    args = "" if call.args is MISSING else dump(call.args)
    own = "" if call.origin else dump([call.id, None if call.result is MISSING else call.result])
    return f"{call.name}({args})" if own in ("", "[null, null]") else f"{call.name}({args}){own}"


def _line(call: ToolCall) -> str | None:
    """Return a call as a line, None if a line cannot say it."""
    if not _NAME.fullmatch(call.name) or call.name != call.name.strip():
        return None
    if call.args is MISSING:
        return call.name
    if not isinstance(call.args, dict):
        return None
    said = (f"{_key_text(name)}={dump(value)}" for name, value in call.args.items())
    return f"{call.name}({', '.join(said)})"


def _key_text(name: str) -> str:
    return name if _PLAIN_KEY.fullmatch(name) else dump(name)


def _lines(text: str) -> Iterator[ToolCall]:
    for number, line in enumerate(text.split("\n"), 1):
        rest = line.strip().rstrip(";,")
        if not rest:
            continue
        if "(" not in rest:
            yield from (ToolCall(name=name) for name in re.split(r"\s*(?:[,;>→]|->)\s*", rest))
            continue
        try:
            yield _Line(rest).call()
        except FormatError as error:
            raise FormatError(f"Line {number}: {error.message}", hint=_HINT) from error


class _Line:
    """Reads one call of the form ``name(key=value, …)``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def call(self) -> ToolCall:
        name = _NAME.match(self.text)
        if name is None:
            raise FormatError("a line starts with the name of a tool")
        self.at = name.end()
        self._expect("(")
        args: JsonObject = {}
        while not self._skip(")"):
            if args:
                self._expect(",")
            key = self._argument_name()
            self._expect("=")
            args[key] = self._value()
        if self.text[self.at :].strip():
            raise FormatError(f"there is something after the call of {name.group()}")
        return ToolCall(name=name.group(), args=args)

    def _argument_name(self) -> str:
        self._spaces()
        if self.text[self.at : self.at + 1] == '"':
            found = self._json()
            if isinstance(found, str):
                return found
        plain = _PLAIN_KEY.match(self.text, self.at)
        if plain is None:
            raise FormatError("between the brackets stand name=value, with commas between them")
        self.at = plain.end()
        return plain.group()

    def _value(self) -> JsonValue:
        self._spaces()
        found = self._json()
        if found is not MISSING:
            return found
        bare = re.compile(r"[^,)]*").match(self.text, self.at)
        word = bare.group().strip() if bare else ""
        if not word or word[0] in "\"'[{":
            raise FormatError(f"the value at character {self.at + 1} is not finished")
        self.at += len(bare.group()) if bare else 0
        return _WORDS[word] if word in _WORDS else guessed(word)

    def _json(self) -> JsonValue | Missing:
        try:
            value, end = json.JSONDecoder().raw_decode(self.text, self.at)
        except (ValueError, RecursionError):
            return MISSING
        after = self.text[end : end + 1]
        if after and after not in " \t,)=":
            return MISSING
        self.at = end
        found: JsonValue = value
        return found

    def _spaces(self) -> None:
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1

    def _skip(self, mark: str) -> bool:
        self._spaces()
        found = self.text.startswith(mark, self.at)
        self.at += len(mark) if found else 0
        return found

    def _expect(self, mark: str) -> None:
        if not self._skip(mark):
            raise FormatError(f"a {mark} is missing at character {self.at + 1}")


def _call(item: JsonValue) -> ToolCall:
    if isinstance(item, str) and item:
        return ToolCall(name=item)
    if not isinstance(item, dict):
        raise FormatError("A tool call has a name and arguments", hint=_HINT)
    function = item.get("function", item.get("functionCall", item.get("function_call")))
    of: Mapping[str, JsonValue] = function if isinstance(function, dict) else item
    name = _first(of, "name", "tool_name", "toolName", "tool", "function")
    if not isinstance(name, str):
        raise FormatError("A tool call needs a name", hint=_HINT)
    call_id = _first(item, "id", "call_id", "tool_call_id")
    return ToolCall(
        name=name,
        args=of["args"] if "args" in of else _arguments(_first(of, *_ARGUMENTS)),
        id=call_id if isinstance(call_id, str) else None,
        result=_first(item, "result", "output", "mock_tool_output"),
    )


def _arguments(found: JsonValue | Missing) -> JsonValue | Missing:
    """Return arguments; OpenAI writes the object as a text."""
    if isinstance(found, str):
        try:
            return read_json(found) if found.strip() else {}
        except FormatError:
            return found
    return found


def _first(of: Mapping[str, JsonValue], *names: str) -> JsonValue | Missing:
    return next((of[name] for name in names if name in of), MISSING)
