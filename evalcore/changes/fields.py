"""What differs between two versions of one object, field by field, in the fields' own words.

A field's change is put into the old version as the field's own lens would; what still differs then
is shown by no field and is said by its keys. So nothing that differs is left unsaid.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from evalcore.changes.model import FieldChange, Line, Where
from evalcore.changes.values import Place, reordered, sources_of, value_lines
from evalcore.errors import EvaldeskError, FormatError
from evalcore.formats.evalset import Level
from evalcore.formats.lenses import Editor, Field, Records, Spelling
from evalcore.formats.moments import is_moment, moment_text
from evalcore.jsontree import MISSING, JsonValue, Missing, get, put, same, split
from evalcore.model import Model, ToolCall

Turn = tuple[int | None, int | None]
REST = "other parts"
ITEMS = {Editor.TOOL_CALLS: "tool call", Editor.RUBRICS: "rubric"}


def field_changes(
    fields: Sequence[Field],
    before: JsonValue,
    after: JsonValue,
    level: Level,
    style: Spelling,
    turn: Turn | None = None,
) -> Iterator[FieldChange]:
    """Yield the fields in which two versions of an object differ, and then all else."""
    for field in _differing(fields, before, after):
        lines = tuple(_lines(field, before, after))
        if lines:
            yield FieldChange(level, field.name, lowered(field.label), lines, turn)
    rest = tuple(value_lines(told(fields, before, after, style), after, ()))
    if rest:
        yield FieldChange(level, "", REST, rest, turn)


def told(
    fields: Sequence[Field], before: JsonValue, after: JsonValue, style: Spelling
) -> JsonValue:
    """Return ``before`` with all that the fields show of ``after``: the rest is as it was."""
    made = before
    for field in _differing(fields, before, after):
        found = with_field(made, field, before, after, style)
        made = made if found is None else found
    return made


def with_field(
    made: JsonValue, field: Field, before: JsonValue, after: JsonValue, style: Spelling
) -> JsonValue | None:
    """Return ``made``, which has the field as ``before`` has it, with the field of ``after``.

    None where the field's lens has no place for it there.
    """
    new = _got(field, after)
    try:
        if _is_list_of_records(new) or _is_list_of_records(_got(field, before)):
            return _with_region(made, field, before, after)
        result = field.lens.put(made, new, style)
    except (EvaldeskError, LookupError, TypeError, ValueError):
        return None
    return result if same(_plain(_got(field, result)), _plain(new)) else None


def field_by(fields: Sequence[Field], name: str) -> Field:
    """Return the field of a name; raises FormatError if there is none."""
    found = next((field for field in fields if field.name == name), None)
    if found is None:
        raise FormatError(f"There is no field {name!r} here")
    return found


def _differing(fields: Sequence[Field], before: JsonValue, after: JsonValue) -> Iterator[Field]:
    for field in fields:
        if not same(_plain(_got(field, before)), _plain(_got(field, after))):
            yield field


def lowered(label: str) -> str:
    """Return a label for the middle of a sentence; abbreviations stay as they are."""
    return label if label[:2].isupper() else label[:1].lower() + label[1:]


def _got(field: Field, raw: JsonValue) -> Any:
    return field.lens.get(raw) if isinstance(raw, dict) else MISSING


def _lines(field: Field, before: JsonValue, after: JsonValue) -> Iterator[Line]:
    old, new = _got(field, before), _got(field, after)
    if _is_list_of_records(old) or _is_list_of_records(new):
        yield from _records(field, before, after, _models(old), _models(new))
    else:
        yield from value_lines(*_said(field, old, new), (Where(lowered(field.label)),))


def _said(field: Field, old: Any, new: Any) -> tuple[Any, Any]:
    """Return two values as a field shows them: moments as dates, where those tell them apart."""
    if not is_moment(field):
        return _plain(old), _plain(new)
    texts = moment_text(old), moment_text(new)
    if texts[0] == texts[1]:
        return _plain(old), _plain(new)
    return texts[0] or _plain(old), texts[1] or _plain(new)


def _with_region(made: JsonValue, field: Field, before: JsonValue, after: JsonValue) -> JsonValue:
    there, here = field.lens.where(after), field.lens.where(before)
    if here != there and get(made, here) is not MISSING and split(here):
        made = put(made, here, MISSING)
    value = get(after, there)
    if value is MISSING and get(made, there) is MISSING:
        return made
    return put(made, there, value)


def _records(
    field: Field,
    before: JsonValue,
    after: JsonValue,
    old: Sequence[Model],
    new: Sequence[Model],
) -> Iterator[Line]:
    noun = ITEMS.get(field.editor, lowered(field.label))
    a, b = ([_Item(model, raw) for model in found] for found, raw in ((old, before), (new, after)))
    found = sources_of([i.keyed for i in a], [i.keyed for i in b], ("name",))
    sources = [
        (None if at is None or _is_another(a[at], item) else at, stays)
        for item, (at, stays) in zip(b, found, strict=True)
    ]
    kept = {source for source, _stays in sources}
    for number, item in enumerate(a):
        if number not in kept:
            yield from _whole(field, noun, item, "removed")
    for item, (source, _stays) in zip(b, sources, strict=True):
        if source is None:
            yield from _whole(field, noun, item, "added")
        else:
            yield from _item_lines(noun, a[source], item)
    if any(source is not None and not stays for source, stays in sources):
        yield reordered((Where(lowered(field.label)),), [item.name for item in b])
    yield from _around(field, before, after, a, b)


class _Item:
    """One record of a list, as its format sees it and as it stands in the file."""

    def __init__(self, model: Model, holder: JsonValue) -> None:
        self.model = model
        self.origin: str = getattr(model, "origin", "")
        found = get(holder, self.origin) if self.origin else MISSING
        self.raw: JsonValue = _plain_model(model) if found is MISSING else found
        names = (getattr(model, key, None) for key in ("name", "id", "text"))
        self.name = next((n for n in names if isinstance(n, str) and n), "without a name")

    @property
    def keyed(self) -> JsonValue:
        return {"name": self.name, "raw": self.raw}

    @property
    def rest(self) -> JsonValue:
        """Return what a call passes; all of any other record."""
        args = getattr(self.model, "args", MISSING)
        return self.raw if args is MISSING or args is None else args


def _whole(
    field: Field, noun: str, item: _Item, kind: Literal["added", "removed"]
) -> Iterator[Line]:
    """Yield what a record says that came or went: its text first, then each of its other parts."""
    place: Place = (Where(noun, item.name),)
    text = getattr(item.model, "text", None)
    lens = field.lens
    if not isinstance(text, str) or not isinstance(lens, Records):
        yield _one_sided(place, item.rest, kind)
        return
    yield _one_sided(place, text, kind)
    rest: JsonValue = item.raw
    for name, part in lens.parts.items():
        held = part.get(item.raw)
        if name not in ("text", "id") and held is not MISSING:
            yield _one_sided((*place, Where(name)), _plain(held), kind)
        if held is not MISSING and (name != "id" or held == item.name):
            rest = part.put(rest, MISSING, "snake")
    left = _pruned(rest)
    for key, value in _dict({} if left is MISSING else left).items():
        yield _one_sided((*place, Where("", key)), value, kind)


def _one_sided(place: Place, value: Any, kind: Literal["added", "removed"]) -> Line:
    if kind == "added":
        return Line(place, "added", after=value)
    return Line(place, "removed", before=value)


def _is_another(old: _Item, new: _Item) -> bool:
    """Return whether two records in one place share neither their name nor the rest."""
    return old.name != new.name and not same(old.rest, new.rest)


def _item_lines(noun: str, old: _Item, new: _Item) -> Iterator[Line]:
    place: Place = (Where(noun, old.name),)
    args = [getattr(item.model, "args", MISSING) for item in (old, new)]
    keys = [_key_of(item.raw, found) for item, found in zip((old, new), args, strict=True)]
    if not isinstance(old.model, ToolCall) or keys[0] is None or keys[0] != keys[1]:
        yield from value_lines(old.raw, new.raw, place)
        return
    before, after = ({k: v for k, v in _dict(i.raw).items() if k != keys[0]} for i in (old, new))
    yield from value_lines(before, after, place)
    if isinstance(args[0], dict) and isinstance(args[1], dict):
        for name in (*args[0], *(k for k in args[1] if k not in args[0])):
            passed = (args[0].get(name, MISSING), args[1].get(name, MISSING))
            yield from value_lines(*passed, (*place, Where("argument", name)))
        if list(args[0]) != list(args[1]) and set(args[0]) == set(args[1]):
            yield reordered((*place, Where("arguments")), list(args[1]))
    else:
        yield from value_lines(args[0], args[1], (*place, Where("arguments")))


def _around(
    field: Field, before: JsonValue, after: JsonValue, a: list[_Item], b: list[_Item]
) -> Iterator[Line]:
    """Yield what differs in the field's part of the file beside the records themselves."""
    old, new = (
        _without(raw, field.lens.where(raw), items) for raw, items in ((before, a), (after, b))
    )
    yield from value_lines(old, new, (Where(lowered(field.label)),))


def _without(raw: JsonValue, where: str, items: list[_Item]) -> JsonValue | Missing:
    origins = sorted((i.origin for i in items if i.origin), key=_order, reverse=True)
    for origin in origins:
        if get(raw, origin) is not MISSING:
            raw = put(raw, origin, MISSING)
    return _pruned(get(raw, where)) if not where or get(raw, where) is not MISSING else []


def _order(pointer: str) -> list[tuple[int, str]]:
    return [(int(t) if t.isdecimal() and t.isascii() else -1, t) for t in split(pointer)]


def _pruned(value: JsonValue | Missing) -> JsonValue | Missing:
    """Return a value without the containers that taking the records out has emptied."""
    if isinstance(value, dict):
        kept = {key: _pruned(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in ({}, [])}  # type: ignore[misc]
    if isinstance(value, list):
        return [item for item in map(_pruned, value) if item not in ({}, [])]  # type: ignore[misc]
    return value


def _key_of(raw: JsonValue, value: object) -> str | None:
    """Return the key under which an object holds just this value, None if it does not."""
    return next((k for k, v in _dict(raw).items() if v is value and isinstance(v, dict)), None)


def _dict(raw: JsonValue) -> dict[str, JsonValue]:
    return raw if isinstance(raw, dict) else {}


def _is_list_of_records(value: object) -> bool:
    return isinstance(value, tuple) and any(getattr(item, "origin", "") for item in value)


def _models(value: object) -> Sequence[Model]:
    return [v for v in value if isinstance(v, Model)] if isinstance(value, tuple) else []


def _plain(value: Any) -> Any:
    """Return what a lens gives as JSON: records without where they came from."""
    if isinstance(value, Model):
        return _plain_model(value)
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def _plain_model(model: Model) -> JsonValue:
    found = {name: getattr(model, name) for name in type(model).model_fields if name != "origin"}
    return {k: _plain(v) for k, v in found.items() if v is not None and v is not MISSING}
