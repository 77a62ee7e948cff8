"""One file under the eye of all rules: its problems while it is edited, and what mends them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError, Problem
from evalcore.formats import by_id, detect
from evalcore.formats.base import Detection, Kind, Surroundings
from evalcore.formats.fixes import Fix, Site, known_fixes
from evalcore.formats.memo import Memo
from evalcore.formats.repeats import one_by_one
from evalcore.jsontree import JsonValue, same, split
from evalcore.lint.checking import lint_quickly
from evalcore.lint.cross.fixes import ACROSS

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument

Rendered = Callable[[JsonValue], "JsonDocument"]
"""Returns the document that a tree would be written as."""
_ROUNDS = 20
_EDITABLE = (Kind.EVAL_SET, Kind.EVALUATOR, Kind.CRITERIA)


@dataclass(frozen=True, slots=True)
class Mended:
    """One problem that was mended: where it was, and what was done about it."""

    code: str
    pointer: str
    label: str


@dataclass(frozen=True, slots=True)
class Fixed:
    """What fixing many problems made of a tree, and each of the fixes in order."""

    tree: JsonValue
    done: tuple[Mended, ...]


class Linter:
    """The rules, applied to one file again and again.

    ``near`` returns what lies around the file now. Not for several threads at once.
    """

    def __init__(
        self,
        detection: Detection | None,
        path: PurePath,
        near: Callable[[], Surroundings],
    ) -> None:
        self.detection = detection
        self.path = path
        self._near = near
        self._memo = Memo()

    def problems(self, document: JsonDocument, *, similar: bool = True) -> list[Problem]:
        """Return the problems of a document, worst first, without lines.

        Only cases that are not the same objects as last time are checked again.
        """
        with self._memo.in_use():
            seen = self._seen_as(document.value)
            return lint_quickly(document, seen, self.path, self._near(), similar=similar)

    def fix(self, tree: JsonValue, problem: Problem) -> Fix | None:
        """Return what mends a problem of a tree, None where that needs a person."""
        if self.detection is None or self.detection.kind not in _EDITABLE:
            return None
        return self._fix(tree, problem, Site(self.detection, self.path, self._near()))

    def fix_all(
        self,
        tree: JsonValue,
        rendered: Rendered,
        wanted: Callable[[Problem], bool],
        *,
        safe_only: bool = False,
    ) -> Fixed:
        """Mend all problems that are ``wanted`` and can be, also those that come to light by it.

        A fix that does not make its problem go away is not tried again.
        """
        done: list[Mended] = []
        tried: set[tuple[str, str, str]] = set()
        for _ in range(_ROUNDS):
            found = [p for p in self._one_by_one(rendered(tree)) if wanted(p)]
            before = len(done)
            in_order = sorted((p for p in found if _told(p) not in tried), key=_place)
            tried.update(map(_told, in_order))
            # What shifts places waits, and goes from the end of the file to its beginning.
            for shifts, waiting in ((False, in_order), (True, reversed(in_order))):
                for problem in waiting:
                    fix = self.fix(tree, problem)
                    if fix is None or fix.shifts is not shifts or same(fix.tree, tree):
                        continue
                    if fix.is_safe or not safe_only:
                        tree = fix.tree
                        done.append(Mended(problem.code, problem.pointer, fix.label))
            if len(done) == before:
                break
        return Fixed(tree, tuple(done))

    def _one_by_one(self, document: JsonDocument) -> list[Problem]:
        with one_by_one():
            seen = self._seen_as(document.value)
            return lint_quickly(document, seen, self.path, self._near(), similar=False)

    def _seen_as(self, value: JsonValue) -> Detection | None:
        """Return what a tree is: an edit may change its shape, but not whose file it is."""
        known = self.detection
        found = detect(value, self.path) if known is not None else None
        if known is None or found is None or found.format_id != known.format_id:
            return known
        return found if found.kind is known.kind else known

    def _fix(self, tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
        prefix, _, name = problem.code.partition(".")
        fixers = ACROSS if prefix in ("cases", "text") else by_id(site.detection.format_id).fixes
        fixer = fixers.get(name)
        found = None
        try:
            found = fixer(tree, problem, site) if fixer is not None else None
            if found is None and prefix not in ("cases", "text"):
                found = known_fixes(tree, problem, site)
        except (KeyError, IndexError, ValueError, EvaldeskError):
            # The problem is not of this tree: it was edited since it was checked.
            return None
        return found


def _told(problem: Problem) -> tuple[str, str, str]:
    return problem.code, problem.pointer, problem.message


def _place(problem: Problem) -> tuple[tuple[int, int, str], ...]:
    """Return what sorts problems by their place: items of lists by number."""
    return tuple(
        (0, int(token), "") if token.isdecimal() and len(token) < 18 else (1, 0, token)
        for token in split(problem.pointer)
    )
