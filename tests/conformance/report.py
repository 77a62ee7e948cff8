"""Runs the cases of a vectors file and counts those that agree.

A system is a module with ``SYSTEM``, its name; ``recognises(file)``; and ``SECTIONS``, which maps
the name of a list in the file to a function that raises ``Mismatch`` for a case that disagrees.
"""

import json
import math
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

SYSTEMS = ("uipath", "adk", "tenxgraph")
TOLERANCE = 1e-9

Row = dict[str, Any]
Check = Callable[[Row], None]


class Mismatch(AssertionError):
    """Our answer is not the recorded one."""


class Section(NamedTuple):
    """The cases of one section: how many there are, and what is wrong with those that disagree."""

    system: str
    name: str
    total: int
    failures: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.system} {self.name}: {self.total - len(self.failures)}/{self.total}"


def run(path: Path) -> list[Section]:
    """Check every section of a file. Raises ValueError for a file of no known system."""
    file = json.loads(path.read_text(encoding="utf-8"))
    for module in modules():
        if module.recognises(file):
            return list(_sections(module.SYSTEM, module.SECTIONS, file))
    raise ValueError(f"{path}: these are no vectors of a system that is known here")


def modules() -> Iterator[ModuleType]:
    for name in SYSTEMS:
        full = f"{__package__}.{name}"
        if find_spec(full):
            yield import_module(full)


def unchecked(path: Path) -> list[str]:
    """Return the lists in a file that no function checks."""
    file = json.loads(path.read_text(encoding="utf-8"))
    known = {name for module in modules() if module.recognises(file) for name in module.SECTIONS}
    return [name for name, rows in file.items() if isinstance(rows, list) and name not in known]


def _sections(system: str, checks: Mapping[str, Check], file: Row) -> Iterator[Section]:
    for name, check in checks.items():
        rows = file.get(name)
        if isinstance(rows, list):
            failures = tuple(filter(None, (failure(check, row, i) for i, row in enumerate(rows))))
            yield Section(system, name, len(rows), failures)


def failure(check: Check, row: Row, index: int) -> str:
    """Return what is wrong with a case, "" for nothing; an unexpected error is wrong too."""
    try:
        check(row)
    except Exception as error:
        what = str(error) if isinstance(error, Mismatch) else f"{type(error).__name__}: {error}"
        return f"{row.get('id', index)}: {what}"
    return ""


def same(what: str, ours: Any, theirs: Any) -> None:
    """Compare two values, kinds of values apart, numbers with a tolerance."""
    if not alike(ours, theirs):
        raise Mismatch(f"{what}: ours {ours!r}, theirs {theirs!r}")


def alike(ours: Any, theirs: Any) -> bool:
    if isinstance(ours, bool) or isinstance(theirs, bool):
        return ours is theirs
    if isinstance(ours, (int, float)) and isinstance(theirs, (int, float)):
        both_nan = math.isnan(ours) and math.isnan(theirs)
        return both_nan or math.isclose(ours, theirs, rel_tol=0, abs_tol=TOLERANCE)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(alike(ours[k], theirs[k]) for k in ours)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        return len(ours) == len(theirs) and all(map(alike, ours, theirs))
    return type(ours) is type(theirs) and ours == theirs
