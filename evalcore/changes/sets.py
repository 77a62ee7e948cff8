"""How two versions of an eval set differ: outside the cases, and case by case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from evalcore.changes.fields import REST, Turn, field_changes
from evalcore.changes.model import CaseDiff, Differences, FieldChange, Line
from evalcore.changes.values import value_lines
from evalcore.drafts.changes import CaseChange, case_changes, without_cases
from evalcore.formats.lenses import style_of
from evalcore.jsontree import MISSING, JsonArray, JsonValue, get, put, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens, Level

UNNAMED = "a case without a name"
WHOLE = "(turn)"
"""The name of the change of a whole turn, which no field has."""


def set_differences(old: JsonValue, new: JsonValue, lens: EvalSetLens) -> Differences:
    """Return how two versions of a set differ."""
    before, after = lens.raw_cases(old), lens.raw_cases(new)
    found = case_changes(before, after, lens.case_id)
    around = around_changes(old, new, lens)
    if not found and not around:
        # Old shapes may hold something that is neither in a case nor around them.
        around = rest_of("set", REST, value_lines(old, new, ()))
    return Differences(around, tuple(case_diff(lens, c, before, after) for c in found))


def case_diff(lens: EvalSetLens, change: CaseChange, old: JsonArray, new: JsonArray) -> CaseDiff:
    """Return what became of one case, in words."""
    before = None if change.before is None else old[change.before]
    after = None if change.after is None else new[change.after]
    was, now = lens.case_label(before), lens.case_label(after)
    is_renamed = change.kind == "changed" and was is not None and now is not None and was != now
    fields: tuple[FieldChange, ...] = ()
    if change.kind == "changed":
        fields = tuple(_case_fields(lens, before, after))
    return CaseDiff(
        change.kind,
        now or was or UNNAMED,
        change.before,
        change.after,
        change.moved,
        was or "" if is_renamed else "",
        _summary(lens, after if change.after is not None else before),
        fields,
    )


def rest_of(
    level: Level, label: str, lines: Iterable[Line], turn: Turn | None = None
) -> tuple[FieldChange, ...]:
    """Return the change of what no field shows; () where there is none."""
    found = tuple(lines)
    return (FieldChange(level, "", label, found, turn),) if found else ()


def turn_pairs(lens: EvalSetLens, before: JsonValue, after: JsonValue) -> tuple[CaseChange, ...]:
    """Return what became of each turn of a case."""
    by_id = next((f.lens for f in lens.invocation_fields if f.name == "invocation_id"), None)

    def id_of(turn: JsonValue) -> str | None:
        found = by_id.get(turn) if by_id is not None and isinstance(turn, dict) else None
        return found if isinstance(found, str) and found else None

    return case_changes(turns_of(lens, before), turns_of(lens, after), id_of)


def turns_of(lens: EvalSetLens, case: JsonValue) -> JsonArray:
    """Return the turns of a case as they stand; [] where there is no list of them."""
    where = lens.invocations_pointer(case) if lens.has_turns and isinstance(case, dict) else ""
    found = get(case, where) if where else MISSING
    return found if isinstance(found, list) else []


def without_turns(lens: EvalSetLens, case: JsonValue, like: JsonValue) -> JsonValue:
    """Return a case with an empty list of turns, if it and ``like`` have one in the same place."""
    where = lens.invocations_pointer(case) if lens.has_turns and isinstance(case, dict) else ""
    both = (get(case, where), get(like, where)) if where else (MISSING, MISSING)
    return put(case, where, []) if all(isinstance(turns, list) for turns in both) else case


def around_changes(old: JsonValue, new: JsonValue, lens: EvalSetLens) -> tuple[FieldChange, ...]:
    """Return what differs outside the cases; () where the file is nothing but cases."""
    where = lens.cases_pointer(new)
    if not where:
        return ()
    a, b = without_cases(old, lens), without_cases(new, lens)
    if get(a, where) == [] and get(b, where) is MISSING:
        a = put(a, where, MISSING)
    if get(b, where) == [] and get(a, where) is MISSING:
        b = put(b, where, MISSING)
    if same(a, b):
        return ()
    return tuple(field_changes(lens.set_fields, a, b, "set", lens.style(new)))


def _case_fields(lens: EvalSetLens, before: JsonValue, after: JsonValue) -> Iterator[FieldChange]:
    if not isinstance(before, dict) or not isinstance(after, dict) or is_opaque(lens, after):
        yield from rest_of("case", "contents", value_lines(before, after, ()))
        return
    style = style_of(after, lens.default_style)
    fields = lens.case_fields
    if not lens.has_turns:
        fields = (*fields, *lens.invocation_fields)
    a, b = without_turns(lens, before, after), without_turns(lens, after, before)
    yield from field_changes(fields, a, b, "case", style)
    if a is not before:
        yield from _turn_changes(lens, before, after)


def _turn_changes(lens: EvalSetLens, before: JsonValue, after: JsonValue) -> Iterator[FieldChange]:
    """Say what became of each turn, by its number in the new order; deleted ones by their old."""
    old, new = turns_of(lens, before), turns_of(lens, after)
    for change in turn_pairs(lens, before, after):
        turn = (change.before, change.after)
        if change.after is None:
            yield _whole(lens, turn, "removed", old[change.before or 0])
        elif change.before is None:
            yield _whole(lens, turn, "added", new[change.after])
        else:
            a, b = old[change.before], new[change.after]
            if change.moved:
                line = Line((), "note", note=f"moved, was turn {change.before + 1}")
                yield FieldChange("invocation", WHOLE, _turn(change.after), (line,), turn)
            if not isinstance(a, dict) or not isinstance(b, dict):
                yield from rest_of("invocation", "contents", value_lines(a, b, ()), turn)
                continue
            style = style_of(b, lens.default_style)
            yield from field_changes(lens.invocation_fields, a, b, "invocation", style, turn)


def _whole(
    lens: EvalSetLens, turn: tuple[int | None, int | None], kind: str, raw: JsonValue
) -> FieldChange:
    number = next(n for n in reversed(turn) if n is not None)
    said = _says(lens, raw)
    line = (
        Line((), "added", after=raw if said is None else said)
        if kind == "added"
        else Line((), "removed", before=raw if said is None else said)
    )
    return FieldChange("invocation", WHOLE, _turn(number), (line,), turn)


def _turn(number: int) -> str:
    return f"turn {number + 1}"


def _says(lens: EvalSetLens, raw: JsonValue) -> str | None:
    """Return what the user says in a turn, None where that is no text."""
    wanted = next((f for f in lens.invocation_fields if f.name == "input"), None)
    found = wanted.lens.get(raw) if wanted is not None and isinstance(raw, dict) else None
    return found if isinstance(found, str) and found else None


def _summary(lens: EvalSetLens, case: JsonValue) -> str:
    turns: Sequence[JsonValue] = turns_of(lens, case) if lens.has_turns else [case]
    return next((said for turn in turns if (said := _says(lens, turn))), "")


def is_opaque(lens: EvalSetLens, case: JsonValue) -> bool:
    """Return whether a case has a shape that its format does not describe."""
    return lens.read_case(case, "").opaque
