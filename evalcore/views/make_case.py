"""A new case from a result: into which sets it can go, what it would hold, what is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.jsontree import MISSING, JsonValue
from evalcore.model import EvalCase, MaybeJson
from evalcore.review import Made, Recorded, Wanted, with_cases
from evalcore.store import Manifest
from evalcore.views.expectations import Join, expected_of
from evalcore.views.newset import slug
from evalcore.views.review_bar import Subject
from evalcore.views.sheet import Sheet, now
from evalcore.views.values import as_text
from evalcore.views.words import first_words
from evalcore.workspace import Entry

SESSION = ("session.app_name", "session.user_id", "session.state", "session.config")
LABEL_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Target:
    """An eval set that a case can be put into."""

    path: str
    words: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What somebody wants of a new case. ``turns`` count from 0."""

    path: str
    label: str
    turns: tuple[int, ...]
    keep: bool = True
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """A result that a case is made from, and the case of the set that it is a result of."""

    subject: Subject
    manifest: Manifest
    join: Join | None = field(default=None, repr=False)

    def turn_words(self) -> dict[int, str]:
        """Return every turn that can be taken over, by its number from 0, as it begins."""
        return {
            turn.number - 1: f"Turn {turn.number}: {self._begins(turn.number - 1)}"
            for turn in self.subject.row.turns
        }

    def recorded(self, numbers: Sequence[int]) -> list[Recorded]:
        """Return turns to be taken over; what was asked may come from the run's set."""
        turns = {turn.number - 1: turn.turn for turn in self.subject.row.turns}
        return [
            Recorded(expected_of(turns[n], n, self.join).input, turns[n])
            for n in sorted(numbers)
            if n in turns
        ]

    def wanted(self, plan: Plan, into: Sheet) -> Wanted:
        """Return the case that a plan describes, for a set."""
        return Wanted(
            turns=self.recorded(plan.turns),
            label=plan.label,
            keep=plan.keep,
            tags=plan.tags,
            origin=self._origin(plan),
            told=self._told(plan),
            more=self._session(),
            criteria=self._criteria(into),
        )

    def _begins(self, number: int) -> str:
        asked = self.recorded([number])[0].asked
        if asked is MISSING:
            return "what was asked is not recorded"
        return first_words(asked if isinstance(asked, str) else as_text(asked, indent=None), 70)

    def _origin(self, plan: Plan) -> dict[str, JsonValue]:
        line, source = self.subject.line, self.manifest.source
        found: dict[str, JsonValue] = {"run": self.manifest.id, "case": line.case_key}
        found |= {"file": source.path} if source.path else {}
        found |= {"repeat": line.repeat + 1} if line.repeat else {}
        return {**found, "turns": [number + 1 for number in sorted(plan.turns)]}

    def _told(self, plan: Plan) -> str:
        numbers = ", ".join(str(number + 1) for number in sorted(plan.turns))
        turn = f"turn {numbers} of " if len(self.subject.row.turns) > 1 else ""
        run = self.manifest.source.path or self.manifest.name or self.manifest.id
        return f"Made from {turn}{self.subject.line.case_key} in {run}."

    def _session(self) -> dict[str, Any]:
        """Return how the conversation of the first case began, for one that is made of it."""
        session = None if self.join is None else self.join.case.session
        if session is None:
            return {}
        held = {
            "session.app_name": session.app_name,
            "session.user_id": session.user_id,
            "session.state": session.state,
        }
        return {name: value for name, value in held.items() if value not in (None, MISSING)}

    def _criteria(self, into: Sheet) -> Mapping[str, JsonValue]:
        """Return criteria of the case's own set, else of the first case of the one it goes into."""
        if self.join is not None and self.join.path == into.draft.path:
            return self.join.case.criteria
        first = into.cases[0] if into.cases else None
        return {} if first is None else into.lens.read_case(first, "").criteria


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that a new case would hold."""

    what: str
    text: str


def lines_of(sheet: Sheet, made: Made) -> list[tuple[str, tuple[Line, ...]]]:
    """Return the new cases by name, each with what it would hold."""
    raw = sheet.lens.raw_cases(made.tree)[-len(made.labels) :]
    cases = [sheet.lens.read_case(case, "") for case in raw]
    return [(n, tuple(_held(case))) for n, case in zip(made.labels, cases, strict=True)]


def _held(case: EvalCase) -> Iterator[Line]:
    is_alone = len(case.invocations) == 1
    for number, turn in enumerate(case.invocations, 1):
        before = "" if is_alone else f"Turn {number}: "
        yield Line(f"{before}asked", _text(turn.input))
        if turn.expected_output not in (MISSING, None, "", {}):
            yield Line(f"{before}expected reply", _text(turn.expected_output))
        if turn.tool_calls:
            calls = ", ".join(call.name for call in turn.tool_calls)
            yield Line(f"{before}expected tool calls", calls)
        if turn.node_order:
            yield Line(f"{before}expected nodes", " → ".join(turn.node_order))
    for ref, criterion in case.criteria.items():
        yield Line(f"{ref} expects", _text(criterion))


def _text(value: MaybeJson) -> str:
    if value is MISSING:
        return "nothing"
    return first_words(value if isinstance(value, str) else as_text(value, indent=None), 160)


def targets(entries: Sequence[Entry], own: str) -> list[Target]:
    """Return the sets of a workspace that a case can go into, that of the run first."""
    sets = [e for e in entries if e.kind is Kind.EVAL_SET and e.detection is not None]
    ordered = sorted(sets, key=lambda e: (e.path != own, e.path))
    return [Target(e.path, e.path + (", the run’s own" if e.path == own else "")) for e in ordered]


def suggested(source: Source, sheet: Sheet, turns: Sequence[int]) -> str:
    """Return a name for the case that is free in a set."""
    count = len(source.subject.row.turns)
    part = f"_turn_{turns[0] + 1}" if count > 1 and len(turns) == 1 else "_again"
    base = source.subject.row.label
    if not base.isprintable() or len(base) > LABEL_LENGTH:
        base = slug(base[:LABEL_LENGTH]) or "case"
    return sheet.lens.fresh_case_id(sheet.tree, f"{base}{part}")


def preview(source: Source, plan: Plan, sheet: Sheet) -> Made:
    """Return what the set would be. Raises FormatError where the case cannot be made."""
    if sheet.lens.read_only:
        raise FormatError(
            "This set is in an old shape that can be read but not edited",
            hint="Choose another set, or save this one as a new-style set first.",
        )
    return with_cases(sheet.lens, sheet.tree, source.wanted(plan, sheet), now())


def add(source: Source, plan: Plan, sheet: Sheet) -> tuple[str, ...]:
    """Put the case into the set's draft, as one step; returns what its cases are called."""
    made = preview(source, plan, sheet)
    names = ", ".join(made.labels)

    def change(tree: JsonValue) -> JsonValue:
        return with_cases(sheet.lens, tree, source.wanted(plan, sheet), now()).tree

    sheet.edit(change, f"Make {names} from a result of {source.subject.row.label}")
    return made.labels
