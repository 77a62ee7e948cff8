"""``evaldesk.args_subset`` and ``evaldesk.trajectory_f1``: checks of tool calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from evalcore.evaluators.base import Need, Params, Turn, further_calls
from evalcore.evaluators.measures.assignment import best_alignment, matched_pairs
from evalcore.evaluators.measures.sequences import longest_common_subsequence
from evalcore.evaluators.own.base import TurnEvaluator, TurnParams
from evalcore.evaluators.own.values import contains, equal
from evalcore.jsontree import JsonObject
from evalcore.model import ToolCall
from evalcore.results import Score

NONE_EXPECTED = "No calls are expected of this turn."


class SubsetParams(TurnParams):
    """Parameters of the check of arguments."""

    ignore: list[str] = Field(
        default_factory=list, title="Ignore arguments", description="Names that do not count."
    )
    order: Literal["any", "in_order"] = Field(
        "any",
        title="Order of the calls",
        description="in_order: as they are expected, others may lie between.",
    )
    allow_extra: bool = Field(
        True, title="Allow further calls", description="Off: a call that nobody expects fails."
    )


class ArgumentSubset(TurnEvaluator):
    """The share of expected calls for which a call of its own has at least these arguments.

    Objects may have further members, at any depth; lists compare place by place. Calls are
    assigned so that as many as possible match.
    """

    kind = "evaldesk.args_subset"
    label = "Arguments at least"
    help = "Did the tools get at least the expected arguments?"
    needs = frozenset({Need.TOOL_CALLS})
    params_type: ClassVar[type[Params]] = SubsetParams
    params: SubsetParams

    def turn(self, turn: Turn) -> Score:
        """Assign the calls of a turn."""
        wanted = turn.expected.tool_calls if turn.expected else ()
        made = turn.actual.actual_tool_calls or ()
        if not wanted and (self.params.allow_extra or not made):
            return self.score(None, NONE_EXPECTED)
        found = self._found(wanted, made)
        extra = len(made) - len(found)
        if extra and not self.params.allow_extra:
            return self.passing(0.0, f"{extra} calls are not expected, of {_names(made)}.")
        missed = [call.name for i, call in enumerate(wanted) if i not in found]
        reason = f"Not found: {', '.join(missed)}." if missed else "All expected calls were made."
        cautions = [further_calls(extra)] if extra else []
        return self.passing(len(found) / len(wanted) if wanted else 1.0, reason, cautions)

    def _found(self, wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> set[int]:
        if self.params.order == "any":
            return set(matched_pairs(wanted, made, self._match))
        places = longest_common_subsequence(
            range(len(wanted)), made, lambda i, call: self._match(wanted[i], call)
        )
        return set(places)

    def _match(self, expected: ToolCall, actual: ToolCall) -> bool:
        ignored = set(self.params.ignore)
        part = {k: v for k, v in _args(expected).items() if k not in ignored}
        return expected.name == actual.name and contains(_args(actual), part)


class F1Params(TurnParams):
    """Parameters of the alignment of trajectories."""

    arguments: Literal["share", "equal", "ignore"] = Field(
        "share",
        title="Arguments",
        description="share: each call counts by its share of equal arguments. equal: all or "
        "nothing. ignore: names only.",
    )
    threshold: float = Field(
        0.8, ge=0, le=1, title="Pass mark", description="Scores from here on pass (0 to 1)."
    )


class TrajectoryF1(TurnEvaluator):
    """F1 of the best alignment that keeps the order: missing and surplus calls both cost.

    Only calls of one tool are aligned. A pair counts 1 where the arguments do not matter or are
    equal; by share, half for the name and half for the share of arguments that are equal.
    """

    kind = "evaldesk.trajectory_f1"
    label = "Trajectory F1"
    help = "How well do the calls follow the expected ones, surplus calls included?"
    needs = frozenset({Need.TOOL_CALLS})
    params_type: ClassVar[type[Params]] = F1Params
    params: F1Params

    def turn(self, turn: Turn) -> Score:
        """Align the calls of a turn; where none is expected nothing is measured."""
        wanted = turn.expected.tool_calls if turn.expected else ()
        made = turn.actual.actual_tool_calls or ()
        if not wanted:
            caution = ["Calls were made; this check says nothing of them."] if made else []
            return self.score(None, NONE_EXPECTED, cautions=caution)
        total = best_alignment(wanted, made, self._likeness)
        native = 2 * total / (len(wanted) + len(made))
        precision = total / len(made) if made else 0.0
        return self.passing(
            min(1.0, native),
            f"Precision {precision:.3f}, recall {total / len(wanted):.3f}: "
            f"expected {_names(wanted)}; got {_names(made)}.",
        )

    def _likeness(self, expected: ToolCall, actual: ToolCall) -> float:
        if expected.name != actual.name:
            return 0.0
        left, right = _args(expected), _args(actual)
        if self.params.arguments == "ignore" or equal(left, right):
            return 1.0
        if self.params.arguments == "equal":
            return 0.0
        names = left.keys() | right.keys()
        same = sum(k in left and k in right and equal(left[k], right[k]) for k in names)
        return 0.5 + 0.5 * same / len(names)


def _args(call: ToolCall) -> JsonObject:
    return call.args if isinstance(call.args, dict) else {}


def _names(calls: Sequence[ToolCall]) -> str:
    return ", ".join(call.name for call in calls) or "no calls"
