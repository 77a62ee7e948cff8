"""Mending problems: a fix takes a tree and returns a new one, and says in words what it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, put, same, split

if TYPE_CHECKING:
    from evalcore.errors import Problem
    from evalcore.formats.base import Detection, Surroundings


@dataclass(frozen=True, slots=True)
class Fix:
    """What mends one problem: ``label`` says what it does, ``tree`` is the file with it done.

    ``is_safe`` fixes only say better what the file says already, or add what must be there; any
    other changes what is tested or drops something, and is for a person to decide. A fix that
    ``shifts`` gives other items of a list other places.
    """

    label: str
    tree: JsonValue
    is_safe: bool = True
    shifts: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """The file that has a problem."""

    detection: Detection
    path: PurePath
    near: Surroundings


Fixer = Callable[[JsonValue, "Problem", Site], "Fix | None"]
"""Returns the fix of a problem in a tree, None where it cannot be mended without knowing more."""


def renamed(tree: JsonValue, pointer: str, name: str, *, is_safe: bool = True) -> Fix | None:
    """Return the fix that gives a member another name, in its place; None if that is taken."""
    parent, old = pointer.rpartition("/")[0], split(pointer)[-1]
    held = get(tree, parent)
    if not isinstance(held, dict) or name in held or old not in held or not name:
        return None
    written: JsonObject = {(name if key == old else key): item for key, item in held.items()}
    return Fix(f"Rename it to “{name}”", put(tree, parent, written), is_safe)


def removed(tree: JsonValue, pointer: str, *, is_safe: bool = False, what: str = "") -> Fix | None:
    """Return the fix that takes a member or an item away; None if it is not there."""
    if not pointer or get(tree, pointer) is MISSING:
        return None
    name = split(pointer)[-1]
    thing = what or ("this item" if name.isdecimal() else f"“{name}”")
    return Fix(f"Remove {thing}", put(tree, pointer, MISSING), is_safe, name.isdecimal())


def written(
    tree: JsonValue, pointer: str, value: JsonValue, label: str, *, is_safe: bool = True
) -> Fix | None:
    """Return the fix that puts a value at a place; None if it is there already."""
    try:
        new = put(tree, pointer, value)
    except KeyError:
        return None
    return None if same(get(tree, pointer), value) else Fix(label, new, is_safe)


def as_wanted(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Put the text that is wanted at the problem's place."""
    if not problem.wanted:
        return None
    label = f"Write “{problem.wanted}”"
    return written(tree, problem.pointer, problem.wanted, label)


def called_as_wanted(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Give the member at the problem's place the name that is wanted."""
    return renamed(tree, problem.pointer, problem.wanted) if problem.wanted else None


def without(*, is_safe: bool = False) -> Fixer:
    """Return a fixer that takes away what is at the problem's place."""
    return lambda tree, problem, site: removed(tree, problem.pointer, is_safe=is_safe)


def constant(value: JsonValue, label: str, *, is_safe: bool = True) -> Fixer:
    """Return a fixer that writes one value at the problem's place."""
    return lambda tree, problem, site: written(tree, problem.pointer, value, label, is_safe=is_safe)


def hundredth(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Divide a percentage by a hundred: 80 is meant as 0.8."""
    found = get(tree, problem.pointer)
    if isinstance(found, bool) or not isinstance(found, (int, float)) or not 1 < found <= 100:
        return None
    meant = found / 100
    return written(tree, problem.pointer, meant, f"Write {meant:g} instead of {found:g}")


def fresh(wanted: str, taken: Collection[JsonValue]) -> str:
    """Return a name that is not taken: the wanted one, or it with the first free number."""
    stem = re.sub(r"_\d+$", "", wanted) or wanted
    name, number = wanted, 2
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    return name


def known_fixes(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Return the fix of what any system's loader may find: wrong names and wrong kinds."""
    fixer = _ANY.get(problem.code.partition(".")[2])
    return fixer(tree, problem, site) if fixer is not None else None


def _unknown_key(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if problem.wanted:
        return renamed(tree, problem.pointer, problem.wanted)
    return removed(tree, problem.pointer) if problem.severity == "error" else None


def _both_spellings(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    parent, name = problem.pointer.rpartition("/")[0], split(problem.pointer)[-1]
    held = get(tree, parent)
    if not isinstance(held, dict):
        return None
    twin = next((key for key in held if key != name and _folded(key) == _folded(name)), None)
    if twin is None:
        return None
    return removed(tree, problem.pointer, is_safe=same(held[twin], held.get(name, MISSING)))


def _folded(name: str) -> str:
    return name.replace("_", "").lower()


_NULL = constant(None, "Write null", is_safe=False)
_ANY: Mapping[str, Fixer] = {
    "unknown_key": _unknown_key,
    "both_spellings": _both_spellings,
    "wrong_type": as_wanted,
    "nan": _NULL,
    "infinity": _NULL,
    "not_a_number": _NULL,
    "infinite_number": _NULL,
}
ANY_SYSTEM = frozenset(_ANY)
"""The names of the problems, without their prefix, that ``known_fixes`` may mend."""


def first_of(items: Iterable[str]) -> str | None:
    """Return the only item, None if there is none or a choice."""
    found = list(dict.fromkeys(items))
    return found[0] if len(found) == 1 else None
