"""What can be done to whole cases and turns; each is one undoable step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonValue, get, put
from evalcore.views.sheet import Sheet, now
from evalcore.views.words import plural


def add_case(sheet: Sheet, wanted: str = "new_case", after: str | None = None) -> str:
    """Add an empty case behind another one, or at the end; returns its handle."""
    index = len(sheet.cases) if after is None else sheet.index_of(after) + 1

    def change(tree: JsonValue) -> JsonValue:
        name = sheet.lens.fresh_case_id(tree, _named(wanted))
        return sheet.lens.add_case(tree, name, now(), index)

    sheet.edit(change, "Add a case")
    return sheet.name_at(index)


def duplicate_case(sheet: Sheet, case: str) -> str:
    """Copy a case under a new id, right behind it; returns the copy's handle."""
    index = sheet.index_of(case)

    def change(tree: JsonValue) -> JsonValue:
        own = sheet.lens.case_label(sheet.lens.raw_cases(tree)[index]) or "case"
        name = sheet.lens.fresh_case_id(tree, f"{own}_copy")
        return sheet.lens.duplicate_case(tree, index, name, now())

    sheet.edit(change, f"Duplicate {sheet.title(case)}")
    return sheet.name_at(index + 1)


def delete_cases(sheet: Sheet, cases: Sequence[str]) -> str | None:
    """Delete cases; returns the handle of the case that is left nearest to the first of them."""
    indexes = sheet.indexes_of(cases)
    if not indexes:
        return None
    label = (
        f"Delete {sheet.title(sheet.name_at(indexes[0]))}"
        if len(indexes) == 1
        else f"Delete {plural(len(indexes), 'case')}"
    )
    sheet.edit(lambda tree: sheet.lens.delete_cases(tree, indexes), label)
    left = sheet.names()
    return left[min(indexes[0], len(left) - 1)] if left else None


def move_case(sheet: Sheet, case: str, step: int) -> bool:
    """Move a case up (-1) or down (+1); False at either end."""
    index = sheet.index_of(case)
    target = index + step
    if not 0 <= target < len(sheet.cases):
        return False
    return sheet.edit(
        lambda tree: sheet.lens.move_case(tree, index, target), f"Move {sheet.title(case)}"
    )


def rename_case(sheet: Sheet, case: str, name: str) -> bool:
    """Give a case another id; raises FormatError for an empty id or one that is taken."""
    index = sheet.index_of(case)
    return sheet.edit(
        lambda tree: sheet.lens.rename_case(tree, index, _named(name)),
        f"Rename {sheet.title(case)}",
    )


def add_turn(sheet: Sheet, case: str, after: str | None = None) -> str:
    """Add an empty turn behind another one, or at the end of a case; returns its handle."""
    turns = sheet.turns(case)
    index = len(turns) if after is None else turns.index(after) + 1
    sheet.edit(
        lambda tree: sheet.lens.add_invocation(tree, sheet.pointer((case,), tree), index),
        f"Add a turn to {sheet.title(case)}",
    )
    return sheet.turns(case)[index]


def duplicate_turn(sheet: Sheet, case: str, turn: str) -> str:
    """Copy a turn, right behind it; returns the copy's handle."""
    index = sheet.turns(case).index(turn)
    sheet.edit(
        lambda tree: sheet.lens.duplicate_invocation(tree, sheet.pointer((case, turn), tree)),
        f"Duplicate a turn of {sheet.title(case)}",
    )
    return sheet.turns(case)[index + 1]


def delete_turn(sheet: Sheet, case: str, turn: str) -> bool:
    """Delete a turn."""
    return sheet.edit(
        lambda tree: sheet.lens.delete_invocation(tree, sheet.pointer((case, turn), tree)),
        f"Delete a turn of {sheet.title(case)}",
    )


def move_turn(sheet: Sheet, case: str, turn: str, step: int) -> bool:
    """Move a turn up (-1) or down (+1)."""
    return sheet.edit(
        lambda tree: sheet.lens.move_invocation(tree, sheet.pointer((case, turn), tree), step),
        f"Move a turn of {sheet.title(case)}",
    )


def is_simulated(sheet: Sheet, case: str) -> bool:
    """Return whether a case has a simulated user instead of turns."""
    if not sheet.lens.has_simulated_users or sheet.turns(case):
        return False
    raw = sheet.raw((case,))
    found = (f for f in sheet.lens.case_fields if f.name.startswith("scenario."))
    return any(f.lens.get(raw) is not MISSING for f in found)


def use_simulated_user(sheet: Sheet, case: str) -> bool:
    """Let a model play the user of a case; its turns go."""
    return _reshape(sheet, case, sheet.lens.with_simulated_user, "Simulate the user of")


def use_turns(sheet: Sheet, case: str) -> bool:
    """Write down what the user of a case says; the plan of the simulated one goes."""
    return _reshape(sheet, case, sheet.lens.with_turns, "Write the turns of")


def _reshape(sheet: Sheet, case: str, change: Callable[[JsonValue], JsonValue], label: str) -> bool:
    def whole(tree: JsonValue) -> JsonValue:
        pointer = sheet.pointer((case,), tree)
        raw = get(tree, pointer)
        return tree if raw is MISSING else put(tree, pointer, change(raw))

    return sheet.edit(whole, f"{label} {sheet.title(case)}")


def _named(name: str) -> str:
    if not name.strip():
        raise FormatError("A case needs a name", hint="Write one, such as refund_over_limit.")
    return name.strip()
