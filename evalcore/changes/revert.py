"""Taking back the edit of one field, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.changes.fields import field_by, told, with_field
from evalcore.changes.model import FieldChange
from evalcore.changes.sets import WHOLE, is_opaque, without_turns
from evalcore.drafts.changes import CaseChange, without_cases
from evalcore.errors import FormatError
from evalcore.formats.lenses import style_of
from evalcore.jsontree import MISSING, JsonValue, get, insert, join, put

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.lenses import Field


def can_drop(field: FieldChange) -> bool:
    """Return whether the edit of one field can be taken back by itself.

    A turn that only moved cannot: which of the turns moved is a matter of view.
    """
    return field.name != WHOLE or None in (field.turn or ())


def without_field(
    base: JsonValue,
    tree: JsonValue,
    lens: EvalSetLens,
    field: FieldChange,
    case: CaseChange | None = None,
) -> JsonValue:
    """Return ``tree`` with one field as it is in ``base``; ``case`` is None for the set's own.

    Raises FormatError where the field cannot be taken back by itself.
    """
    if case is None:
        return _of_set(base, tree, lens, field)
    if case.before is None or case.after is None:
        raise FormatError("Only the whole case can be dropped here")
    old = lens.raw_cases(base)[case.before]
    where = join(lens.cases_pointer(tree), case.after)
    new = lens.raw_cases(tree)[case.after]
    return put(tree, where, _of_case(old, new, lens, field))


def _of_set(base: JsonValue, tree: JsonValue, lens: EvalSetLens, field: FieldChange) -> JsonValue:
    a, b = without_cases(base, lens), without_cases(tree, lens)
    result = _object(a, b, lens.set_fields, field)
    cases = get(tree, lens.cases_pointer(tree))
    return put(result, lens.cases_pointer(tree), cases) if isinstance(cases, list) else result


def _of_case(old: JsonValue, new: JsonValue, lens: EvalSetLens, field: FieldChange) -> JsonValue:
    if field.level == "invocation":
        return _of_turn(old, new, lens, field)
    if not isinstance(old, dict) or not isinstance(new, dict) or is_opaque(lens, new):
        return old
    fields = lens.case_fields if lens.has_turns else (*lens.case_fields, *lens.invocation_fields)
    a, b = without_turns(lens, old, new), without_turns(lens, new, old)
    result = _object(a, b, fields, field)
    if b is new:
        return result
    where = lens.invocations_pointer(new)
    turns = get(new, where)
    return result if turns is MISSING else put(result, where, turns)


def _of_turn(old: JsonValue, new: JsonValue, lens: EvalSetLens, field: FieldChange) -> JsonValue:
    before, after = field.turn or (None, None)
    there = join(lens.invocations_pointer(old), before or 0)
    here = join(lens.invocations_pointer(new), after or 0)
    if not can_drop(field):
        raise FormatError("A turn that moved is moved back by its own buttons")
    if before is None:
        return put(new, here, MISSING)
    was = get(old, there)
    if was is MISSING:
        raise FormatError("This turn is gone from the file")
    if after is None:
        where = lens.invocations_pointer(new)
        turns = get(new, where)
        count = len(turns) if isinstance(turns, list) else 0
        return insert(new, join(where, min(before, count)), was)
    now = get(new, here)
    if not isinstance(was, dict) or not isinstance(now, dict):
        return put(new, here, was)
    return put(new, here, _object(was, now, lens.invocation_fields, field))


def _object(
    old: JsonValue, new: JsonValue, fields: tuple[Field, ...], field: FieldChange
) -> JsonValue:
    style = style_of(new, "snake")
    if not field.name:
        return told(fields, old, new, style)
    wanted = field_by(fields, field.name)
    result = with_field(new, wanted, new, old, style)
    if result is None:
        raise FormatError(
            f"{wanted.label} cannot be taken back by itself",
            hint="Drop the edits of the whole case.",
        )
    return result
