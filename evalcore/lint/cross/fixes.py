"""What mends a problem that any system's files can have."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.errors import Problem
from evalcore.formats.fixes import Fix, Fixer, Site, removed
from evalcore.jsontree import JsonValue


def _without_copy(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    return removed(tree, problem.pointer, what="this case")


ACROSS: Mapping[str, Fixer] = {"duplicate": _without_copy, "near_duplicate": _without_copy}
