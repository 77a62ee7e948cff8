"""What a case was expected to do: from the result file, else from the eval set as it is today."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, Invocation, MaybeJson, ToolCall
from evalcore.results import InvocationResult, Run
from evalcore.scoring.choosing import choose_set
from evalcore.scoring.matching import CaseMatcher

__all__ = ["Expected", "Join", "Joiner", "choose_set", "criterion_of", "expected_of"]


@dataclass(frozen=True, slots=True)
class Expected:
    """One turn's expectations; a part that neither file gives is MISSING or None.

    ``from_set`` names the parts (``input``, ``output``, ``tool_calls``, ``node_order``) that the
    result file lacks and the eval set at ``path`` gave.
    """

    input: MaybeJson = MISSING
    output: MaybeJson = MISSING
    tool_calls: tuple[ToolCall, ...] | None = None
    node_order: tuple[str, ...] | None = None
    behavior: str | None = None
    from_set: frozenset[str] = frozenset()
    path: str = ""

    def origin(self, part: str) -> str:
        """Return where a part was found, in words: "" where the result file itself has it."""
        return f"from {self.path}, as it is today" if part in self.from_set else ""


@dataclass(frozen=True, slots=True)
class Join:
    """Which case of an eval set a result belongs to; ``by`` says how that was found."""

    path: str
    index: int
    case: EvalCase
    by: str


class Joiner:
    """Finds the case of an eval set that a result belongs to; reads only the cases it must.

    Ids match as the set's system compares them; the rest as ``CaseMatcher`` says.
    """

    def __init__(
        self,
        run: Run,
        path: str,
        ids: Sequence[str | None],
        read: Callable[[int], EvalCase],
        key: Callable[[str], str] = str,
        format_label: str = "",
    ) -> None:
        """Take the set's case ids, in order, what reads a case, and the key ids compare by."""
        self.path = path
        self.format_label = format_label
        self._read = read
        self._matcher = CaseMatcher(run, ids, lambda index: read(index).name, key)

    def of(self, place: int) -> Join | None:
        """Return the case of the result at a place of the run, None where the set has none."""
        match = self._matcher.of(place)
        if match is None:
            return None
        return Join(self.path, match.place, self._read(match.place), match.by)


def expected_of(turn: InvocationResult, position: int, join: Join | None) -> Expected:
    """Return what was expected of the turn at ``position`` (from 0) of a case.

    What the result file recorded wins over what the eval set says today.
    """
    wanted = _wanted(position, join)
    if join is None or wanted is None:
        return Expected(
            turn.input, turn.expected_output, turn.expected_tool_calls, turn.expected_node_order
        )
    calls, nodes = turn.expected_tool_calls, turn.expected_node_order
    lacking = {
        "input": turn.input is MISSING and wanted.input is not MISSING,
        "output": turn.expected_output is MISSING and wanted.expected_output is not MISSING,
        "tool_calls": calls is None and bool(wanted.tool_calls),
        "node_order": nodes is None and bool(wanted.node_order),
    }
    return Expected(
        input=wanted.input if lacking["input"] else turn.input,
        output=wanted.expected_output if lacking["output"] else turn.expected_output,
        tool_calls=wanted.tool_calls if lacking["tool_calls"] else calls,
        node_order=wanted.node_order if lacking["node_order"] else nodes,
        behavior=wanted.expected_behavior,
        from_set=frozenset(part for part, lacks in lacking.items() if lacks),
        path=join.path,
    )


def criterion_of(evaluator: str, name: str, join: Join | None) -> MaybeJson:
    """Return what a check expects of this very case, from the set; MISSING where it says nothing.

    The check is found by its ref, then by its name, in any letter case.
    """
    if join is None:
        return MISSING
    folded = {key.casefold(): value for key, value in join.case.criteria.items()}
    for key in (evaluator, name):
        if key.casefold() in folded:
            return folded[key.casefold()]
    return MISSING


def _wanted(position: int, join: Join | None) -> Invocation | None:
    if join is None or position >= len(join.case.invocations):
        return None
    return join.case.invocations[position]
