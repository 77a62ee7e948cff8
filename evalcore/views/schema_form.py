"""An object as a form that its schema draws: a row for each member, and what does not fit.

What does not fit is told at the member, with the edits that mend it. Nothing that a value holds is
left out: members that the schema does not know have rows too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.views import parts
from evalcore.views.schema import Shape, Spec
from evalcore.views.schema_faults import faults
from evalcore.views.values import ValueKind, converted

Change = Callable[[JsonObject], JsonObject]

DEPTH = 10
"""Groups inside groups that are drawn as forms; what lies deeper is JSON text."""
_KINDS = {
    Shape.TEXT: ValueKind.TEXT,
    Shape.NUMBER: ValueKind.NUMBER,
    Shape.WHOLE: ValueKind.NUMBER,
    Shape.FLAG: ValueKind.FLAG,
    Shape.LIST: ValueKind.LIST,
    Shape.GROUP: ValueKind.GROUP,
}


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit of the object that mends one fault; ``label`` is what its button says."""

    label: str
    change: Change


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not fit about a member, and how to mend it. ``is_grave``: a run may fail on it."""

    message: str
    fixes: tuple[Fix, ...] = ()
    is_grave: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One member. ``is_known`` members are in the schema; others are only in the file."""

    name: str
    label: str
    help: str
    spec: Spec
    value: JsonValue | Missing
    faults: tuple[Fault, ...] = ()
    is_required: bool = False
    is_known: bool = True


def rows(spec: Spec, value: JsonValue | Missing, noun: str = "value") -> list[Row]:
    """Return a row for each member of the schema, in its order, then those only in the file."""
    members, required, held = spec.members, spec.required, _object(value)
    known = [
        Row(
            name,
            label_of(name, member),
            help_of(name, member),
            member,
            held.get(name, MISSING),
            tuple(_member_faults(name, member, held, name in required, noun)),
            name in required,
        )
        for name, member in members.items()
    ]
    others = spec.others
    absent = [n for n in members if n not in held]
    unknown = [
        Row(
            name,
            name,
            "",
            others or Spec({}, spec.root),
            inner,
            tuple(_unknown_faults(name, absent, noun)) if others is None and members else (),
            is_known=False,
        )
        for name, inner in held.items()
        if name not in members
    ]
    return known + unknown


def count_faults(spec: Spec, value: JsonValue | Missing, depth: int = DEPTH) -> int:
    """Return how many members, at any depth, do not fit."""
    spec = spec.chosen(value)
    if isinstance(value, list) and depth:
        return sum(count_faults(spec.item(i), item, depth - 1) for i, item in enumerate(value))
    if not isinstance(value, dict) or spec.shape is not Shape.GROUP or not depth:
        return 0
    found = rows(spec, value)
    inner = (count_faults(row.spec, row.value, depth - 1) for row in found)
    return sum(bool(row.faults) for row in found) + sum(inner)


def label_of(name: str, spec: Spec) -> str:
    """Return what people call a member: its title where that says more, else its name in words."""
    said = words_of(name)
    title = spec.title
    plain = re.sub(r"\W|_", "", title).lower() == re.sub(r"\W|_", "", name).lower()
    return title if title and not plain and "$ref" not in title else said


def words_of(name: str) -> str:
    """Return a name of code in words: ``expectedOutput`` and ``expected_output`` alike."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        return name[:1].upper() + name[1:] if " " in name else name
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_+", " ", name).strip()
    words = [w if w.isupper() and len(w) > 1 else w.lower() for w in spaced.split()]
    line = " ".join(words)
    return line[:1].upper() + line[1:]


def help_of(name: str, spec: Spec) -> str:
    """Return what is said of a member, with its name in the file where its label is another."""
    named = f"In the file: {name}." if label_of(name, spec) != name else ""
    return " ".join(part for part in (spec.help, named) if part)


def _member_faults(
    name: str, spec: Spec, held: JsonObject, is_required: bool, noun: str
) -> Iterator[Fault]:
    if name not in held:
        if is_required:
            yield Fault(
                f"Needed, and not in the file: the {noun} “{name}”.",
                (Fix(f"Add the missing {noun}", _adding(name, spec)),),
            )
        return
    value = held[name]
    for message in faults(spec, value):
        made = _mended(spec, value)
        words = _only(spec).words
        fixes = () if made is MISSING else (Fix(f"Make it {words}", _setting(name, made)),)
        yield Fault(message, fixes)


def _unknown_faults(name: str, absent: list[str], noun: str) -> Iterator[Fault]:
    guess = closest(name, absent)
    renames = (Fix(f"Rename it to “{guess}”", _renaming(name, guess)),) if guess else ()
    yield Fault(
        f"There is no {noun} called “{name}” in the schema.",
        (*renames, Fix("Remove it", lambda old: parts.without_member(old, name))),
    )


def _adding(name: str, spec: Spec) -> Change:
    return lambda old: old if name in old else parts.with_member(old, name, spec.blank())


def _setting(name: str, value: JsonValue) -> Change:
    return lambda old: parts.with_member(old, name, value)


def _renaming(name: str, new: str) -> Change:
    return lambda old: parts.renamed(old, name, new)


def _only(spec: Spec) -> Spec:
    return spec.alternatives[0] if spec.alternatives else spec


def _mended(spec: Spec, value: JsonValue) -> JsonValue | Missing:
    """Return a value turned into what is asked for, MISSING where nothing sensible would be left.

    A number out of a text that holds none would be an invention, and so would a group.
    """
    kind = _KINDS.get(_only(spec).shape)
    if kind is None or spec.accepts(value):
        return MISSING
    if kind is ValueKind.FLAG:
        return _FLAGS.get(str(value).lower(), MISSING)
    if kind is ValueKind.GROUP and not isinstance(value, str):
        return MISSING
    made = converted(value, kind)
    invented = kind is ValueKind.NUMBER and made == 0 and value not in (False, "0", "0.0")
    return made if spec.accepts(made) and not invented else MISSING


_FLAGS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


def _object(value: JsonValue | Missing) -> JsonObject:
    return value if isinstance(value, dict) else {}
