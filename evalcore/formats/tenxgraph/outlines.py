"""10xGraph's cases in outline."""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.formats.outlines import Exchange, Outline, Placed
from evalcore.formats.tenxgraph.messages import text_of
from evalcore.formats.tenxgraph.set_checks import Turn, cases_of
from evalcore.jsontree import JsonValue, join


def outlines(value: JsonValue) -> Iterator[Outline]:
    """Yield the cases of a set."""
    for case in cases_of(value) if isinstance(value, dict) else ():
        session = case.raw.get("session_input")
        around = (Placed(join(case.pointer, "session_input"), session),) if session else ()
        name = case.raw.get("eval_id") or case.raw.get("name")
        label = name if isinstance(name, str) else f"number {case.pointer.rpartition('/')[2]}"
        yield Outline(case.pointer, label, tuple(map(_exchange, case.turns)), around)


def _exchange(turn: Turn) -> Exchange:
    user = turn.raw.get("user_content")
    content = user.get("content") if isinstance(user, dict) else None
    expected: dict[str, Placed] = {}
    if turn.reply is not None:
        at = join(turn.pointer, "expected_final_response")
        expected["reply"] = Placed(at, text_of(turn.reply))
    calls: list[JsonValue] = [
        [call.get("name"), call.get("args", {})]
        for call in turn.items("expected_tool_trajectory")
        if isinstance(call, dict)
    ]
    for name, found in (
        ("expected_tool_trajectory", calls),
        ("expected_node_order", turn.items("expected_node_order")),
    ):
        if found:
            expected[name] = Placed(join(turn.pointer, name), found)
    return Exchange((Placed(join(turn.pointer, "user_content"), content),), expected)
