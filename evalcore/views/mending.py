"""Mending a draft's problems: one at a time, or all of a kind, each as one step of its history."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from evalcore.errors import FormatError, Problem
from evalcore.jsontree import JsonValue
from evalcore.lint.catalog import known_rule

if TYPE_CHECKING:
    from evalcore.drafts import Draft
    from evalcore.formats.fixes import Fix
    from evalcore.jsondoc import JsonDocument
    from evalcore.lint.linter import Linter

MOST_OF_A_KIND = 20
Found = Callable[[], Iterable[Problem]]


class Mender:
    """What can be done about the problems of one draft; ``found`` returns those it has now."""

    def __init__(self, draft: Draft, linter: Linter, found: Found) -> None:
        self._draft = draft
        self._linter = linter
        self._found = found
        self._known: tuple[int, dict[Problem, Fix | None]] = (-1, {})

    def fix_of(self, problem: Problem) -> Fix | None:
        """Return what would mend a problem that the draft has now, None if nothing is known."""
        revision = self._draft.revision
        if self._known[0] != revision:
            self._known = revision, {}
        known = self._known[1]
        if problem not in known:
            known[problem] = self._linter.fix(self._draft.tree, problem)
        return known[problem]

    def has_safe(self, found: Iterable[Problem]) -> bool:
        """Return whether any problem has a fix that changes nothing of what is tested.

        Of each kind some are looked at: what mends one of them is what mends the others.
        """
        looked: Counter[str] = Counter()
        for problem in found:
            looked[problem.code] += 1
            fix = self.fix_of(problem) if looked[problem.code] <= MOST_OF_A_KIND else None
            if fix is not None and fix.is_safe:
                return True
        return False

    def mend(self, problem: Problem) -> str:
        """Mend one problem and return what was done; raises FormatError if it is gone."""
        told = (problem.code, problem.pointer)
        if not any((p.code, p.pointer) == told for p in self._found()):
            raise FormatError("This problem is gone already", hint="Look at the list again.")
        done: list[str] = []

        def change(tree: JsonValue) -> JsonValue:
            fix = self._linter.fix(tree, problem)
            if fix is not None:
                done.append(fix.label)
            return tree if fix is None else fix.tree

        self._draft.edit(change, f"Fix: {title_of(problem)}")
        if not done:
            raise FormatError("This problem cannot be fixed any more", hint="Look at it again.")
        return done[0]

    def mend_all(self, code: str) -> int:
        """Mend all problems of one code in one step; returns how many were."""
        title = next((title_of(p) for p in self._found() if p.code == code), code)
        return self._mend(lambda p: p.code == code, f"Fix all: {title}", safe_only=False)

    def mend_safe(self) -> int:
        """Make every fix that changes nothing of what is tested; returns how many there were."""
        return self._mend(lambda _problem: True, "Make all safe fixes", safe_only=True)

    def _mend(self, wanted: Callable[[Problem], bool], label: str, *, safe_only: bool) -> int:
        count = 0

        def change(tree: JsonValue) -> JsonValue:
            nonlocal count
            fixed = self._linter.fix_all(tree, self._rendered, wanted, safe_only=safe_only)
            count = len(fixed.done)
            return fixed.tree

        self._draft.edit(change, label)
        return count

    def _rendered(self, tree: JsonValue) -> JsonDocument:
        from evalcore.jsondoc import JsonDocument

        base = self._draft.base.document
        return JsonDocument.parse(base.render(tree, id_keys=self._draft.id_keys))


def title_of(problem: Problem) -> str:
    """Return what a kind of problem is called, its code where that has no explanation."""
    rule = known_rule(problem.code)
    return rule.title if rule is not None else problem.code
