"""UiPath's coded checks of the tool calls that a run's trace recorded."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Need, Outcome, Params, Sample
from evalcore.evaluators.measures.sequences import longest_common_subsequence
from evalcore.evaluators.uipath.base import CodedEvaluator, CodedParams, Criteria
from evalcore.jsontree import MISSING, JsonValue
from evalcore.model import ToolCall
from evalcore.results import Score

LONGEST_NAME = 64


class StrictParams(CodedParams):
    """Parameters of every check of tool calls."""

    strict: bool = Field(False, title="All or nothing", description="Anything less scores 0.")


class ArgsParams(StrictParams):
    """Parameters of the check of arguments."""

    subset: bool = Field(
        False, title="Subset", description="Read by UiPath, and without any effect there."
    )


class ExpectedOrder(Criteria):
    """Names of tools in the order in which they should be called."""

    tool_calls_order: list[str]


class ExpectedCall(Criteria):
    """A tool with the arguments that it should get."""

    name: str
    args: dict[str, Any]
    id: str | None = None


class ExpectedCalls(Criteria):
    """Tools with the arguments that they should get."""

    tool_calls: list[ExpectedCall]


class ExpectedCounts(Criteria):
    """How often each tool should be called: an operator and a number."""

    tool_calls_count: dict[str, tuple[str, int]]


class ExpectedResult(Criteria):
    """A tool with what it should answer."""

    name: str
    output: str
    id: str | None = None


class ExpectedResults(Criteria):
    """Tools with what they should answer."""

    tool_outputs: list[ExpectedResult]


class ToolEvaluator(CodedEvaluator):
    """A check of the tool calls in a trace."""

    needs = frozenset({Need.TOOL_CALLS})
    params: StrictParams
    params_type: ClassVar[type[Params]] = StrictParams

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the calls of the run; without any on one side, only none on both is right."""
        wanted = self.wanted(self.criteria(sample))
        made = [call for turn in sample.turns for call in turn.actual.actual_tool_calls or ()]
        if wanted and made:
            return Outcome(overall=self.compare(wanted, made))
        score = 1.0 if not wanted and not made else 0.0
        caution = "Without any call this scores 0, even where 0 calls are expected."
        return Outcome(
            overall=self.score(
                score,
                "No calls are expected, and none were made."
                if score
                else "Calls are expected and none were made, or the other way round.",
                cautions=[caution] if wanted and self.may_expect_none else (),
            )
        )

    may_expect_none: ClassVar[bool] = False

    def wanted(self, criteria: Any) -> Any:
        """Return what a criterion expects, falsy for nothing."""
        raise TypeError(f"{type(self).__name__} does not say what it expects")

    def compare(self, wanted: Any, made: Sequence[ToolCall]) -> Score:
        """Return the score where calls are expected and calls were made."""
        raise TypeError(f"{type(self).__name__} does not say how it compares")

    def share(self, hits: Sequence[bool], reason: str, cautions: Sequence[str] = ()) -> Score:
        """Return the share of hits; all or nothing where strict."""
        share = sum(hits) / len(hits)
        native = float(all(hits)) if self.params.strict else share
        return self.score(native, reason, cautions=cautions)


class ToolCallOrder(ToolEvaluator):
    """``uipath-tool-call-order``: how much of the expected order the calls contain."""

    kind = "uipath-tool-call-order"
    label = "Tool call order"
    help = "Were the tools called in this order? Further calls in between are free."
    criteria_type: ClassVar[type[Criteria]] = ExpectedOrder

    def wanted(self, criteria: Any) -> Any:
        """Return the names."""
        return criteria.tool_calls_order

    def compare(self, wanted: Any, made: Sequence[ToolCall]) -> Score:
        """Take the longest common subsequence, or every place where strict."""
        if self.params.strict:
            same = len(wanted) == len(made) and all(map(is_call_of, wanted, made))
            return self.score(float(same), f"Expected {wanted}, got {labels(made)}.")
        common = longest_common_subsequence(wanted, made, is_call_of)
        extra = len(made) - len(common)
        return self.score(
            len(common) / len(wanted),
            f"{len(common)} of {len(wanted)} calls are in order: {common}.",
            cautions=[f"{extra} further calls are free."] if extra else (),
            details={"expected": str(wanted), "actual": str(labels(made)), "lcs": common},
        )


class ToolCallArgs(ToolEvaluator):
    """``uipath-tool-call-args``: the share of expected calls made with these arguments."""

    kind = "uipath-tool-call-args"
    label = "Tool call arguments"
    help = "Did the tools get these arguments? Order and further arguments do not count."
    params_type: ClassVar[type[Params]] = ArgsParams
    criteria_type: ClassVar[type[Criteria]] = ExpectedCalls

    def wanted(self, criteria: Any) -> Any:
        """Return the expected calls."""
        return criteria.tool_calls

    def compare(self, wanted: Any, made: Sequence[ToolCall]) -> Score:
        """Give each expected call the first unused one that has its arguments."""
        unused, hits = list(made), []
        for call in wanted:
            index = next((i for i, other in enumerate(unused) if _has_args(call, other)), None)
            hits.append(index is not None)
            if index is not None:
                del unused[index]
        missed = [call.name for call, hit in zip(wanted, hits, strict=True) if not hit]
        vacuous = [call.name for call in wanted if not call.args]
        return self.share(
            hits,
            f"Not found: {missed}." if missed else "All expected calls were made.",
            [f"{name}: no arguments are stated, so any will do." for name in vacuous],
        )


class ToolCallCount(ToolEvaluator):
    """``uipath-tool-call-count``: the share of tools called as often as stated."""

    kind = "uipath-tool-call-count"
    label = "Tool call count"
    help = "Was each tool called as often as it should be?"
    criteria_type: ClassVar[type[Criteria]] = ExpectedCounts
    may_expect_none = True

    def wanted(self, criteria: Any) -> Any:
        """Return the counts."""
        return criteria.tool_calls_count

    def compare(self, wanted: Any, made: Sequence[ToolCall]) -> Score:
        """Compare counts; the names in the trace are taken as they are, the expected ones cleaned."""
        counts = Counter(label_of(call) for call in made)
        found = {name: counts[sanitised(name)] for name in wanted}
        hits = [_compare(found[name], *condition) for name, condition in wanted.items()]
        shown = [f"{n}: {found[n]} {op} {count}" for n, (op, count) in wanted.items()]
        return self.share(hits, "; ".join(shown) + ".")


class ToolCallOutput(ToolEvaluator):
    """``uipath-tool-call-output``: the share of tools that answered with this text."""

    kind = "uipath-tool-call-output"
    label = "Tool call output"
    help = "Did the tools answer with exactly these texts?"
    criteria_type: ClassVar[type[Criteria]] = ExpectedResults

    def wanted(self, criteria: Any) -> Any:
        """Return the expected answers."""
        return criteria.tool_outputs

    def compare(self, wanted: Any, made: Sequence[ToolCall]) -> Score:
        """Give each expected answer the first unused call that gave it; strict ends at a miss."""
        unused, hits = list(made), []
        for answer in wanted:
            candidates = [
                i for i, c in enumerate(unused) if is_call_of(answer.id or answer.name, c)
            ]
            if self.params.strict:
                candidates = candidates[:1]
            index = next((i for i in candidates if answer_text(unused[i]) == answer.output), None)
            hits.append(index is not None)
            if index is not None:
                del unused[index]
        missed = [a.name for a, hit in zip(wanted, hits, strict=True) if not hit]
        return self.share(hits, f"Not found: {missed}." if missed else "All answers are there.")


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}


def _compare(found: int, sign: str, wanted: int) -> bool:
    if sign not in COMPARISONS:
        raise EvaldeskError(f"“{sign}” is no comparison", hint=f"Use one of {list(COMPARISONS)}.")
    return COMPARISONS[sign](found, wanted)


def sanitised(name: str) -> str:
    """Return a tool's name as UiPath writes it into traces: letters, digits, _ and -, at most 64.

    A name with no ASCII letter or digit becomes "", so that all such names are alike.
    """
    return re.sub(r"[^A-Za-z0-9_-]", "", re.sub(r"\s+", "_", name))[:LONGEST_NAME]


def is_call_of(wanted: str, call: ToolCall) -> bool:
    """Return whether a call is one of a tool: by its id if it has one, else by its cleaned name."""
    if call.id is not None:
        return wanted == call.id
    return sanitised(wanted) == sanitised(call.name)


def label_of(call: ToolCall) -> str:
    """Return what a call is counted as: its id, or else its name."""
    return call.name if call.id is None else call.id


def labels(made: Sequence[ToolCall]) -> list[str]:
    """Return what the calls are counted as."""
    return [label_of(call) for call in made]


def answer_text(call: ToolCall) -> str:
    """Return the text of a call's answer; one that was not recorded is ""."""
    return call.result if isinstance(call.result, str) else ""


def _has_args(wanted: ExpectedCall, call: ToolCall) -> bool:
    if not is_call_of(wanted.id or wanted.name, call):
        return False
    args: JsonValue = {} if call.args is MISSING else call.args
    have = args if isinstance(args, dict) else {}
    return all(name in have and have[name] == value for name, value in wanted.args.items())
