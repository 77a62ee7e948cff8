"""A name chosen from those that the project mentions; others may be typed."""

from __future__ import annotations

from typing import Any

from evalcore.views.slots import Slot
from evalcore.views.values import printable
from pages._author.typed import shown
from pages._ui import bind


def name_field(
    slot: Slot,
    label: str,
    value: Any,
    kind: str,
    *,
    help: str = "",
    off: bool = False,
) -> None:
    """Draw the choice of a ``tool`` or a ``node``."""
    now = shown(slot, value)
    text = printable(now) if isinstance(now, str) and now else None
    bind.choice(
        slot.key,
        label or _LABELS.get(kind, "Name"),
        known(slot, kind),
        text,
        lambda typed: slot.commit(typed, lambda _old: typed.strip()),
        help=help,
        hidden=not label,
        disabled=off,
        open_ended=True,
        placeholder=_PLACEHOLDERS.get(kind, "Choose or type a name"),
    )


def known(slot: Slot, kind: str) -> list[str]:
    """Return the names that are offered, those met first in the project first."""
    names = slot.sheet.known_names()
    return [printable(n) for n in (names.nodes if kind == "node" else names.tools)]


def arguments(slot: Slot, tool: str) -> list[str]:
    """Return the names of the arguments that a tool was seen with."""
    return list(slot.sheet.known_names().tools.get(tool, ()))


_LABELS = {"tool": "Tool", "node": "Node"}
_PLACEHOLDERS = {"tool": "Choose a tool or type its name", "node": "Choose a node or type its name"}
