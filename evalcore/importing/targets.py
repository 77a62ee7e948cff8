"""What a column can become in a format, and what it most likely is by its name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from evalcore.exporting.columns import HOLDS_OBJECTS, Column, Level, editable, headers, objects_of
from evalcore.exporting.paths import Path, parsed, suffix
from evalcore.formats.lenses import Editor, Field
from evalcore.importing.source import RECORDS, TABLE, WORKBOOK, Source
from evalcore.importing.synonyms import OBJECTS, SYNONYMS
from evalcore.jsontree import JsonObject, JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

As = Literal["auto", "text", "number", "flag", "json"]
AS: Final[Mapping[As, str]] = {
    "auto": "As it looks",
    "text": "Text",
    "number": "Number",
    "flag": "Yes / no",
    "json": "JSON",
}
"""How the values of a column that may be of any kind are read."""

IGNORE: Final = "ignore"
CASE: Final = "case"
TURN: Final = "turn"

Members = tuple[tuple[str, str], ...]
"""Names of values inside of fields, each behind its field, as a project's schemas have them."""

_EXPECTED = re.compile(r"(?:expected|expect|output|ideal)[\s_\-:]+(.+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Target:
    """What a column becomes: nothing, the case's id, the turn's number, or a field.

    ``path`` leads to a member of a field that holds an object. ``as_`` is for values of any kind.
    """

    what: str = IGNORE
    path: Path = ()
    as_: As = "auto"


Mapping_ = tuple[Target, ...]


def field_key(level: Level, field: Field) -> str:
    """Return how a target names a field."""
    return f"{level}:{field.name}"


def choices(lens: EvalSetLens) -> dict[str, str]:
    """Return what a column can become, with the name that people see."""
    names = headers(lens)
    found = {IGNORE: "Not used", CASE: f"Case ({lens.field('case', lens.label_field).label})"}
    if lens.has_turns:
        found[TURN] = "Order of the turns"
    for level, field in _ranked(lens):
        found[field_key(level, field)] = names[level, field.name]
    return found


def field_of(lens: EvalSetLens, target: Target) -> tuple[Level, Field] | None:
    """Return the field that a target is, None for one that is none or is not there."""
    for level, field in editable(lens):
        if field_key(level, field) == target.what:
            return level, field
    return None


def column_of(lens: EvalSetLens, target: Target) -> Column | None:
    """Return the column of a set's table that a target writes."""
    found = field_of(lens, target)
    if found is None:
        return None
    level, field = found
    header = headers(lens)[level, field.name] + suffix(target.path)
    return Column(header, level, field, target.path)


def takes_path(lens: EvalSetLens, target: Target) -> bool:
    """Return whether a target holds an object, a member of which can be meant."""
    found = field_of(lens, target)
    return found is not None and found[1].editor in HOLDS_OBJECTS


def members_of(schemas: Mapping[str, JsonObject]) -> Members:
    """Return the names that a project's schemas have for values inside of fields."""
    found: list[tuple[str, str]] = []
    for field, schema in schemas.items():
        branches = schema.get("anyOf")
        for branch in (schema, *(branches if isinstance(branches, list) else ())):
            named = branch.get("properties") if isinstance(branch, dict) else None
            found += [(field, name) for name in named] if isinstance(named, dict) else []
    return tuple(dict.fromkeys(found))


def chosen_target(
    lens: EvalSetLens, tree: JsonValue, source: Source, index: int, what: str, members: Members
) -> Target:
    """Return what a column becomes that somebody wants to be ``what``, with a name inside it.

    Where a field can be one lone value, only a name that the project knows is put inside.
    """
    known = _member(lens, source.columns[index], members, what)
    return known or _named(lens, tree, source, index, Target(what))


def guessed_mapping(
    lens: EvalSetLens, source: Source, tree: JsonValue = None, members: Members = ()
) -> Mapping_:
    """Return the likeliest target of each column; every field is used once, by its best column.

    ``tree`` is the set that the rows are for: its cases show which names their inputs have.
    """
    found: list[Target] = []
    for index, name in enumerate(source.columns):
        filled = bool(source.samples(index, 1)) or not source.rows
        guess = _guess(lens, name, source.kind, members) if filled else Target()
        found.append(_free(guess, found))
    if not any(t.what == CASE for t in found):
        found = _named_by(lens, source, found)
    named = [_named(lens, tree, source, index, target) for index, target in enumerate(found)]
    for index in _orders(source, found):
        named[index] = found[index]
    return tuple(named)


def _orders(source: Source, found: Sequence[Target]) -> list[int]:
    """Return the columns that only number the turns of cases, whose ids are there several times."""
    ids = [i for i, target in enumerate(found) if target.what == CASE]
    values = [row.values[index] for index in ids for row in source.rows]
    if len({str(value) for value in values}) == len(values):
        return []
    return [i for i, name in enumerate(source.columns) if is_order(name)]


def is_order(column: str) -> bool:
    """Return whether a column numbers the turns of a conversation, by its name."""
    return _word(column) in SYNONYMS[TURN]


def fits(lens: EvalSetLens, mapping: Sequence[Target]) -> bool:
    """Return whether every target of a mapping is one that the format has."""
    return all(t.what in choices(lens) for t in mapping)


def _guess(lens: EvalSetLens, name: str, kind: str, members: Members) -> Target:
    word = _word(name)
    names = headers(lens)
    for level, field in editable(lens):
        if word in (_word(names[level, field.name]), _word(field.name)):
            if field.name == lens.label_field:
                return Target(CASE)
            return Target(field_key(level, field))
    if known := _member(lens, name, members):
        return known
    for what, words in SYNONYMS.items():
        if word in words:
            return _known(lens, what)
    return _inside(lens, name, kind)


def _member(
    lens: EvalSetLens, column: str, members: Members, what: str | None = None
) -> Target | None:
    """Return the member of a field that is called as a column; ``what`` says of which field."""
    for field, name in members:
        target = _known(lens, field)
        is_wanted = what in (None, target.what) and _word(name) == _word(column)
        if is_wanted and takes_path(lens, target):
            return Target(target.what, (name,))
    return None


def _known(lens: EvalSetLens, what: str) -> Target:
    if what in (CASE, TURN):
        return Target(what if what == CASE or lens.has_turns else IGNORE)
    if what == lens.label_field:
        return Target(CASE)
    # A turn's own field comes before a case's of the same name.
    for level, field in sorted(editable(lens), key=lambda found: found[0] == "case"):
        if field.name == what:
            return Target(field_key(level, field))
    return Target()


def _inside(lens: EvalSetLens, name: str, kind: str) -> Target:
    """Return a member of an object, for ``inputs.amount`` or ``Expected decision``."""
    steps = parsed(name.strip()) or ()
    for what, words in OBJECTS.items():
        for length in (2, 1):
            if ".".join(steps[:length]).casefold() in words and len(steps) > length:
                target = _known(lens, what)
                return Target(target.what, steps[length:]) if takes_path(lens, target) else Target()
    expected = _EXPECTED.fullmatch(name.strip()) if kind in (TABLE, WORKBOOK, RECORDS) else None
    target = _known(lens, "expected_output")
    if expected and takes_path(lens, target):
        return Target(target.what, parsed(expected[1]) or (expected[1],))
    return Target()


def _free(guess: Target, taken: Sequence[Target]) -> Target:
    """Return a guess, or nothing where another column has the field already."""
    if guess.path:
        return guess if guess not in taken else Target()
    return Target() if guess.what in {t.what for t in taken} else guess


def _named_by(lens: EvalSetLens, source: Source, found: list[Target]) -> list[Target]:
    """Return the mapping with a column of names, all different, as the case's id."""
    for index, target in enumerate(found):
        if target.what == "case:name":
            values = [v for row in source.rows if isinstance(v := row.values[index], str)]
            if len(set(values)) == len(values) == len(source.rows) and lens.label_field != "id":
                found[index] = Target(CASE)
    return found


def _named(
    lens: EvalSetLens, tree: JsonValue, source: Source, index: int, target: Target
) -> Target:
    """Return a target with the name inside it, where a field holds named values.

    In a table what nothing else takes is one of the inputs.
    """
    name = source.columns[index]
    field = lens.field("invocation", "input")
    if target.what == IGNORE and field.editor in HOLDS_OBJECTS:
        path = parsed(name.strip()) or (name.strip(),)
        is_input = source.kind in (TABLE, WORKBOOK, RECORDS) or path[0] == "vars"
        has_values = bool(source.samples(index, 1)) and not name.startswith("Column ")
        path = path[1:] if path[0] == "vars" and len(path) > 1 else path
        return Target(field_key("invocation", field), path) if is_input and has_values else target
    found = field_of(lens, target)
    if found is None or target.path or not needs_names(found[1]):
        return target
    samples = source.samples(index, 5)
    if all(isinstance(v, dict) or (isinstance(v, str) and v[:1] == "{") for v in samples):
        return target
    return Target(target.what, (_usual_name(lens, tree, found[1], name),))


def needs_names(field: Field) -> bool:
    """Return whether a field must hold an object, so that a lone value needs a name in it."""
    if field.editor in (Editor.OBJECT, Editor.CRITERIA):
        return True
    return field.editor is Editor.FORM and field.name == "input"


def _usual_name(lens: EvalSetLens, tree: JsonValue, field: Field, column: str) -> str:
    """Return the name of a lone value: the one that the set's cases have, else the column's."""
    cases = lens.raw_cases(tree) if tree is not None else []
    objects = [raw for case in cases[:200] for raw in objects_of(lens, case, "invocation")]
    values = [v for raw in objects if isinstance(v := field.lens.get(raw), dict)]
    names: set[str] = {key for value in values for key in value}
    if len(names) == 1:
        return names.pop()
    word = _word(column).replace(" ", "_")
    is_plain = field.name == "expected_output" and word in ("expected_output", "expected", "output")
    return "content" if is_plain else word or field.name


def _ranked(lens: EvalSetLens) -> Iterator[tuple[Level, Field]]:
    groups = ("main", "expected", "checks", "session", "mocks", "more")
    fields = [lf for lf in editable(lens) if lf[1].name != lens.label_field]
    yield from sorted(
        fields, key=lambda lf: (groups.index(lf[1].group), lf[0] == "case", lf[1].name)
    )


def _word(name: str) -> str:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return " ".join(re.sub(r"[^0-9a-zA-ZÀ-ÿ]+", " ", spaced).lower().split())
