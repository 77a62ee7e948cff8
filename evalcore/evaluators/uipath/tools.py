"""UiPath's coded checks of the tool calls that a run's trace recorded."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Need, Outcome, Params, Sample, further_calls
from evalcore.evaluators.measures.assignment import matched_pairs
from evalcore.evaluators.uipath.base import CodedEvaluator, CodedParams, Criteria
from evalcore.evaluators.uipath.names import sanitised
from evalcore.evaluators.uipath.order import common_length, common_order, is_call_of
from evalcore.evaluators.uipath.spans import Call, Recorded, calls_of, recorded
from evalcore.jsontree import JsonObject, JsonValue
from evalcore.results import Remarks, Score

MOST_PAIRS = 10_000
"""How many pairs of expected and recorded calls are compared in search of a better pairing."""


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

    tool_calls_order: list[str] = Field(
        title="Tools in order",
        description="Names of tools, in the order in which they should be called.",
    )


class ExpectedCall(Criteria):
    """A tool with the arguments that it should get."""

    name: str = Field(title="Tool", description="The tool's name.")
    args: dict[str, Any] = Field(
        title="Arguments",
        description="Those that must be as stated; others are free. Without any, all calls do.",
    )
    id: str | None = Field(
        None, title="Tool id", description="For traces that know tools by an id."
    )


class ExpectedCalls(Criteria):
    """Tools with the arguments that they should get."""

    tool_calls: list[ExpectedCall] = Field(
        title="Expected calls", description="Each takes one call of its own, in any order."
    )


class ExpectedCounts(Criteria):
    """How often each tool should be called: an operator and a number."""

    tool_calls_count: dict[str, tuple[str, int]] = Field(
        title="How often",
        description="For each tool a comparison and a number, such as = 1 or < 3.",
    )


class ExpectedResult(Criteria):
    """A tool with what it should answer."""

    name: str = Field(title="Tool", description="The tool's name.")
    output: str = Field(title="Answer", description="The exact text that the tool should answer.")
    id: str | None = Field(
        None, title="Tool id", description="For traces that know tools by an id."
    )


class ExpectedResults(Criteria):
    """Tools with what they should answer."""

    tool_outputs: list[ExpectedResult] = Field(
        title="Expected answers", description="Each takes one call of its own."
    )


class ToolEvaluator(CodedEvaluator):
    """A check of the tool calls in a trace."""

    needs = frozenset({Need.TOOL_CALLS})
    params: StrictParams
    params_type: ClassVar[type[Params]] = StrictParams
    may_expect_none: ClassVar[bool] = False
    """Whether an expectation can be that a tool is not called."""

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the calls of the run; without any on one side, only none on both is right."""
        wanted, made = self.wanted(self.criteria(sample)), self.made(sample)
        if wanted and made:
            return Outcome(self.compare(wanted, made))
        return Outcome(self.one_sided(wanted, made))

    def made(self, sample: Sample) -> Sequence[Any]:
        """Return the calls of the run."""
        return calls_of(sample)

    def wanted(self, criteria: Any) -> Any:
        """Return what a criterion expects, falsy for nothing."""
        raise TypeError(f"{type(self).__name__} does not say what it expects")

    def compare(self, wanted: Any, made: Sequence[Call]) -> Score:
        """Return the score where calls are expected and calls were made."""
        raise TypeError(f"{type(self).__name__} does not say how it compares")

    def one_sided(self, wanted: Any, made: Sequence[Call]) -> Score:
        """Return the score where no calls are expected or none were made."""
        if not wanted and not made:
            return self.score(1.0, "No calls are expected, and none were made.")
        if made:
            return self.score(0.0, f"No calls are expected, and {labels(made)} were made.")
        caution = "Without any call this scores 0, even where 0 calls are expected."
        return self.score(
            0.0,
            "Calls are expected, and none were made.",
            cautions=[caution] if self.may_expect_none else (),
        )

    def share(self, hits: Sequence[bool], remarks: Callable[[], Remarks]) -> Score:
        """Return the share of hits; all or nothing where strict."""
        share = sum(hits) / len(hits)
        return self.score_later(float(all(hits)) if self.params.strict else share, remarks)


class ToolCallOrder(ToolEvaluator):
    """``uipath-tool-call-order``: how much of the expected order the calls contain."""

    kind = "uipath-tool-call-order"
    label = "Tool call order"
    help = "Were the tools called in this order? Further calls in between are free."
    criteria_type: ClassVar[type[Criteria]] = ExpectedOrder

    def wanted(self, criteria: Any) -> Any:
        """Return the names."""
        return criteria.tool_calls_order

    def made(self, sample: Sample) -> Sequence[Recorded]:
        """Return the calls of the run, which need be no more than names and ids."""
        return recorded(sample)

    def compare(self, wanted: Any, made: Sequence[Recorded]) -> Score:
        """Take the longest common subsequence, or every place where strict."""
        if self.params.strict:
            native = float(_is_order(wanted, made))
        else:
            native = common_length(wanted, made) / len(wanted)
        return self.score_later(native, lambda: self._remarks(wanted, made))

    def _remarks(self, wanted: Sequence[str], made: Sequence[Recorded]) -> Remarks:
        names, cautions = labels(made), _cautions(wanted, made)
        if self.params.strict:
            common = list(wanted) if _is_order(wanted, made) else []
            reason = f"Expected {wanted}, got {names}."
        else:
            common = common_order(wanted, made)
            reason = f"{len(common)} of {len(wanted)} calls are in order: {common}."
            if len(made) > len(common):
                cautions.insert(0, further_calls(len(made) - len(common)))
        found: list[JsonValue] = [*common]
        details: JsonObject = {"expected": str(wanted), "actual": str(names), "lcs": found}
        return Remarks(reason, tuple(cautions), details)


class ToolCallArgs(ToolEvaluator):
    """``uipath-tool-call-args``: the share of expected calls made with these arguments."""

    kind = "uipath-tool-call-args"
    label = "Tool call arguments"
    help = "Did the tools get these arguments? Order and further arguments do not count."
    params_type: ClassVar[type[Params]] = ArgsParams
    params: ArgsParams
    criteria_type: ClassVar[type[Criteria]] = ExpectedCalls

    def wanted(self, criteria: Any) -> Any:
        """Return the expected calls."""
        return criteria.tool_calls

    def compare(self, wanted: Any, made: Sequence[Call]) -> Score:
        """Give each expected call the first unused one that has its arguments."""
        unused, hits = [(call, call.arguments()) for call in made], []
        for call in wanted:
            fits = (i for i, (other, args) in enumerate(unused) if _has(call, other, args))
            hits.append(_take(unused, next(fits, None)))
        return self.share(hits, lambda: self._remarks(wanted, made, hits))

    def _remarks(
        self, wanted: Sequence[ExpectedCall], made: Sequence[Call], hits: Sequence[bool]
    ) -> Remarks:
        missed = [call.name for call, hit in zip(wanted, hits, strict=True) if not hit]
        cautions = [
            f"{call.name}: no arguments are stated, so any will do."
            for call in wanted
            if not call.args
        ]
        if self.params.subset:
            cautions.append("“subset” has no effect: further arguments are always free.")
        if missed and len(wanted) * len(made) <= MOST_PAIRS:
            cautions += _better_paired(wanted, made, sum(hits))
        reason = f"Not found: {missed}." if missed else "All expected calls were made."
        names = [call.id or call.name for call in wanted]
        return Remarks(reason, (*cautions, *_cautions(names, made)))

    def one_sided(self, wanted: Any, made: Sequence[Call]) -> Score:
        """Read the arguments even where none are expected: some make UiPath fail."""
        for call in made:
            call.arguments()
        return super().one_sided(wanted, made)


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

    def compare(self, wanted: Any, made: Sequence[Call]) -> Score:
        """Compare counts; where strict, nothing is looked at after the first that is wrong.

        An expected name is looked up as it is, and else cleaned; those in the trace stay as they
        are.
        """
        counts = Counter(call.label for call in made)
        hits, seen = [], []
        for name, (sign, count) in wanted.items():
            seen.append(counts.get(name, counts.get(sanitised(name), 0)))
            hits.append(_compare(seen[-1], sign, count))
            if self.params.strict and not hits[-1]:
                break
        return self.share(hits, lambda: self._remarks(wanted, made, seen, hits))

    def _remarks(
        self,
        wanted: Mapping[str, tuple[str, int]],
        made: Sequence[Call],
        seen: Sequence[int],
        hits: Sequence[bool],
    ) -> Remarks:
        shown = [
            f"{name}: {found} {sign} {count}{'' if hit else ' is wrong'}"
            for (name, (sign, count)), found, hit in zip(wanted.items(), seen, hits, strict=False)
        ]
        labels_made = {call.label for call in made}
        raw = sorted(n for n in labels_made if n != (clean := sanitised(n)) and clean in wanted)
        cautions = [f"Calls of {raw} are not found under their cleaned names."] if raw else []
        return Remarks("; ".join(shown) + ".", (*cautions, *_cautions(list(wanted), made)))


class ToolCallOutput(ToolEvaluator):
    """``uipath-tool-call-output``: the share of tools that answered with this text."""

    kind = "uipath-tool-call-output"
    label = "Tool call output"
    help = "Did the tools answer with exactly these texts?"
    criteria_type: ClassVar[type[Criteria]] = ExpectedResults

    def wanted(self, criteria: Any) -> Any:
        """Return the expected answers."""
        return criteria.tool_outputs

    def compare(self, wanted: Any, made: Sequence[Call]) -> Score:
        """Give each expected answer the first unused call that gave it.

        Where strict, the first unused call of the tool must be the one.
        """
        unused, hits = list(made), []
        for answer in wanted:
            candidates = [i for i, call in enumerate(unused) if _is(answer, call)]
            if self.params.strict:
                candidates = candidates[:1]
            fits = (i for i in candidates if unused[i].answer() == answer.output)
            hits.append(_take(unused, next(fits, None)))
        return self.share(hits, lambda: self._remarks(wanted, made, hits))

    def _remarks(
        self, wanted: Sequence[ExpectedResult], made: Sequence[Call], hits: Sequence[bool]
    ) -> Remarks:
        missed = [a.name for a, hit in zip(wanted, hits, strict=True) if not hit]
        reason = f"Not found: {missed}." if missed else "All answers are there."
        names = [answer.id or answer.name for answer in wanted]
        return Remarks(reason, (*self._hidden(made, missed), *_cautions(names, made)))

    def _hidden(self, made: Sequence[Call], missed: Sequence[str]) -> list[str]:
        """Say which answers are compared as another text than they were recorded with."""
        return [
            f"{call.name} answered {call.answered}, which is compared as “{call.answer()}”."
            for call in made
            if call.name in missed and call.answer() not in str(call.answered)
        ]


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


def labels(made: Sequence[Recorded]) -> list[str]:
    """Return what the calls are counted as."""
    return [name if call_id is None else call_id for name, call_id, _ in made]


def _is(wanted: ExpectedCall | ExpectedResult, call: Call) -> bool:
    """Return whether a call is the one: by its id if it has one, else by cleaned names alone."""
    if call.id is not None:
        return call.id == (wanted.name if wanted.id is None else wanted.id)
    return sanitised(call.name) == sanitised(wanted.name)


def _has(wanted: ExpectedCall, call: Call, args: Mapping[str, Any]) -> bool:
    return _is(wanted, call) and all(
        name in args and args[name] == value for name, value in wanted.args.items()
    )


def _take(unused: list[Any], index: int | None) -> bool:
    """Take a call out of the unused ones; return whether there was one."""
    if index is None:
        return False
    del unused[index]
    return True


def _better_paired(
    wanted: Sequence[ExpectedCall], made: Sequence[Call], found: int
) -> Sequence[str]:
    """Say how many calls would be found if none took one that another needs."""
    calls = [(call, call.arguments()) for call in made]
    best = len(matched_pairs(wanted, calls, lambda want, call: _has(want, *call)))
    if best <= found:
        return ()
    return (f"Each takes the first call that fits. Paired better, {best} would be found.",)


def _is_order(wanted: Sequence[str], made: Sequence[Recorded]) -> bool:
    return len(wanted) == len(made) and all(map(is_call_of, wanted, made))


def _cautions(wanted: Sequence[str], made: Sequence[Recorded]) -> list[str]:
    """Return what there is to say of names and ids."""
    cautions = []
    by_id = sorted({name for name, known, _ in made if known is not None} & set(wanted))
    if by_id:
        cautions.append(f"Calls of {by_id} have ids, so they are known by these, not by name.")
    blank = {name for name in set(wanted) if not sanitised(name)}
    nameless = [name for name in wanted if name in blank] if blank else []
    if nameless and any(not sanitised(name) for name, _, _ in made):
        cautions.append(f"{nameless} have no letter from A to Z: all such names are alike.")
    return cautions
