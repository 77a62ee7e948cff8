"""A new case out of what an agent was asked and did, in a set of any format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from evalcore.builder import Case, Turn
from evalcore.builder.cases import write_case
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.review.staging import CRITERIA, fitted, fresh

if TYPE_CHECKING:
    from datetime import datetime

    from evalcore.formats.evalset import EvalSetLens
    from evalcore.model import MaybeJson
    from evalcore.results import InvocationResult

SOURCE = "source"
"""The name in a case's metadata under which it is said where the case comes from."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """One turn to be taken over: what the agent was asked, and what it did then."""

    asked: MaybeJson
    turn: InvocationResult


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a new case should be.

    ``keep`` makes what happened the expectation, else nothing is expected yet. ``origin`` says
    where the case comes from, as pairs for a file, ``told`` in one sentence. ``more`` are further
    fields of the case, such as the session's state, ``criteria`` those of a case whose checks the
    new one should have; what the format has no place for is left out of both.
    """

    turns: Sequence[Recorded]
    label: str
    keep: bool = True
    tags: Sequence[str] = ()
    origin: Mapping[str, JsonValue] = field(default_factory=dict)
    told: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)
    criteria: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Made:
    """The set with its new cases, what those are called, and what found no place in the format."""

    tree: JsonValue
    labels: tuple[str, ...]
    left_out: tuple[str, ...]


def with_cases(lens: EvalSetLens, tree: JsonValue, wanted: Wanted, now: datetime) -> Made:
    """Return a set with the wanted case at its end: one for each turn where a case has just one.

    Raises FormatError where a label is missing or taken, or a turn does not say what was asked.
    """
    if not wanted.turns:
        raise FormatError("A case needs a turn", hint="Choose at least one.")
    for number, recorded in enumerate(wanted.turns, 1):
        if recorded.asked is MISSING:
            raise FormatError(
                f"Turn {number} of this result does not say what the agent was asked",
                hint="Put the eval set of the run into the workspace, or choose other turns.",
            )
    label = wanted.label.strip()
    if not label:
        raise FormatError("A case needs a name", hint="Write one, such as refund_over_limit.")
    groups = [wanted.turns] if lens.has_turns else [[turn] for turn in wanted.turns]
    names = [label] if len(groups) == 1 else [f"{label}_{n}" for n in range(1, len(groups) + 1)]
    for turns, name in zip(groups, names, strict=True):
        case = _case(lens, tree, replace(wanted, turns=turns))
        grown = lens.add_case(tree, name, now)
        raw = write_case(lens, tree, case, name, now)
        tree = lens.put_case(grown, len(lens.raw_cases(grown)) - 1, raw)
    return Made(tree, tuple(names), left_out(lens, wanted))


def left_out(lens: EvalSetLens, wanted: Wanted) -> tuple[str, ...]:
    """Return what of the turns has no place in a format, in words."""
    has = {f.name for f in (*lens.case_fields, *lens.invocation_fields)}
    turns = [recorded.turn for recorded in wanted.turns] if wanted.keep else []
    met = any(lens.criteria_met(wanted.criteria, turn) for turn in turns)
    found = {
        "the tool calls": "tool_calls" not in has
        and not met
        and any(turn.actual_tool_calls for turn in turns),
        "the nodes visited": "node_order" not in has and any(turn.node_visits for turn in turns),
        "the tags": "tags" not in has and bool(wanted.tags),
        "where it comes from": home_of(lens) == "" and bool(wanted.origin),
    }
    return tuple(words for words, is_lost in found.items() if is_lost)


def home_of(lens: EvalSetLens) -> str:
    """Return the field in which a format keeps where a case comes from, "" where it has none."""
    names = [f.name for f in lens.case_fields if not f.read_only]
    return next((name for name in ("metadata", "description") if name in names), "")


def _case(lens: EvalSetLens, tree: JsonValue, wanted: Wanted) -> Case:
    """Return the case as a program would describe it, without what the format cannot hold."""
    fields = {f.name for f in lens.case_fields if not f.read_only}
    more = {name: value for name, value in wanted.more.items() if name in fields}
    if home_of(lens) == "metadata" and wanted.origin:
        more["metadata"] = {SOURCE: dict(wanted.origin)}
    if home_of(lens) == "description" and wanted.told:
        more["description"] = wanted.told
    if wanted.keep and CRITERIA in fields:
        met: dict[str, JsonValue] = {}
        for recorded in wanted.turns:
            met |= lens.criteria_met(wanted.criteria, recorded.turn)
        more |= {CRITERIA: met} if met else {}
    tags = tuple(wanted.tags) if "tags" in fields else ()
    turns = tuple(_turn(lens, recorded, keep=wanted.keep) for recorded in wanted.turns)
    return Case(turns, tags=tags, more=more)


def _turn(lens: EvalSetLens, recorded: Recorded, *, keep: bool) -> Turn:
    names = {f.name: f for f in lens.invocation_fields}
    done = recorded.turn
    asked = fitted(names["input"].editor, _known(recorded.asked))
    if not keep:
        return Turn(asked)
    calls = done.actual_tool_calls if "tool_calls" in names else ()
    return Turn(
        query=asked,
        expected=fitted(names["expected_output"].editor, _known(done.actual_output)),
        tools=tuple(fresh(call) for call in calls or ()),
        node_order=tuple(done.node_visits or ()) if "node_order" in names else (),
    )


def _known(value: JsonValue | Missing) -> JsonValue:
    return None if value is MISSING else value
