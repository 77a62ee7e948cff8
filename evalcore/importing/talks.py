"""Conversations of several turns for formats with one turn in a case.

Where the format has conversations, the turns become one, of which the last turn is tested; else
each turn becomes a case of its own. These are the choices of *Convert* as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from evalcore.convert import portable, uipath_talk
from evalcore.exporting.paths import put_at
from evalcore.importing.targets import is_order
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.exporting.columns import Column
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.lenses import Spelling
    from evalcore.importing.source import Source

FIELDS: Final = (uipath_talk.INPUT, uipath_talk.OUTPUT)
_SPOKEN: Final = ("input", "expected_output")


def tells_turns(source: Source) -> bool:
    """Return whether rows with one id are the turns of a conversation, and no mistake."""
    return any(map(is_order, source.columns))


def has_conversations(lens: EvalSetLens) -> bool:
    """Return whether a case of one turn may have a conversation before it."""
    return any(field.name == uipath_talk.INPUT for field in lens.invocation_fields)


def conversed(
    raw: JsonValue, lens: EvalSetLens, turns: Sequence[Mapping[Column, Any]], style: Spelling
) -> JsonValue:
    """Return a case with turns as its conversation, and all else that they say in its fields."""
    spoken = portable.Case(0, "", turns=[_turn(turn) for turn in turns])
    out = portable.Out()
    uipath_talk.pack(spoken, len(turns) - 1, out)
    for name, value in out.values.items():
        raw = lens.field("invocation", name).lens.put(raw, value, style)
    for column, value in _others(turns).items():
        raw = column.put(raw, value, style)
    return raw


def _turn(values: Mapping[Column, Any]) -> portable.Turn:
    return portable.Turn(
        {name: portable.Item(said, ()) for name in _SPOKEN if (said := _said(values, name))}
    )


def _said(values: Mapping[Column, Any], name: str) -> Any:
    said: Any = None
    for column, value in values.items():
        if column.field.name == name and value is not None:
            said = put_at(said if isinstance(said, dict) else {}, column.path, value)
    return said


def _others(turns: Sequence[Mapping[Column, Any]]) -> dict[Column, Any]:
    """Return what turns say besides what is spoken; texts of several turns are put together."""
    found: dict[Column, Any] = {}
    for turn in turns:
        for column, value in turn.items():
            if column.field.name in _SPOKEN:
                continue
            before = found.get(column)
            both = isinstance(before, str) and isinstance(value, str) and value not in before
            found[column] = f"{before}\n{value}" if both else value
    return found
