"""``evaldesk.limits``: how much a case may use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar, NamedTuple

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Need, Outcome, Params, Sample
from evalcore.evaluators.own.base import OwnEvaluator, OwnParams
from evalcore.jsontree import JsonObject
from evalcore.results import InvocationResult

MILLION = 1_000_000


class LimitParams(OwnParams):
    """Parameters of the limits; an empty one does not limit."""

    max_seconds: float | None = Field(
        None, gt=0, title="Most seconds for the case", description="Empty: no limit."
    )
    max_tokens: int | None = Field(
        None, gt=0, title="Most tokens for the case", description="Empty: no limit."
    )
    max_cost_usd: float | None = Field(
        None, gt=0, title="Most US dollars for the case", description="Needs both prices."
    )
    max_tool_calls: int | None = Field(
        None, ge=0, title="Most tool calls for the case", description="Empty: no limit."
    )
    max_model_calls: int | None = Field(
        None, ge=0, title="Most model calls for the case", description="Empty: no limit."
    )
    usd_per_million_input: float | None = Field(
        None,
        ge=0,
        title="US dollars per 1M tokens in",
        description="The price of what the model reads.",
    )
    usd_per_million_output: float | None = Field(
        None,
        ge=0,
        title="US dollars per 1M tokens out",
        description="The price of what the model writes.",
    )


class Limit(NamedTuple):
    """One limit beside what was used; None where that was not recorded."""

    name: str
    most: float
    used: float | None

    @property
    def is_kept(self) -> bool:
        """Whether no more was used, as far as is known."""
        return self.used is not None and self.used <= self.most

    def __str__(self) -> str:
        used = "not recorded" if self.used is None else f"{self.used:.6g}"
        return f"{self.name} {used} of {self.most:.6g}"


class Limits(OwnEvaluator):
    """The share of limits that are kept.

    A limit on what was not recorded leaves the case without a score, unless another is broken.
    """

    kind = "evaldesk.limits"
    label = "Limits"
    help = "Did the case stay within time, tokens, cost and calls?"
    needs = frozenset({Need.USAGE})
    params_type: ClassVar[type[Params]] = LimitParams
    params: LimitParams

    def measure(self, sample: Sample) -> Outcome:
        """Add up the turns. Raises EvaldeskError where no limit is set or a price is missing."""
        limits = list(self._limits(sample))
        if not limits:
            raise EvaldeskError("No limit is set", hint="Set at least one.")
        told = "; ".join(map(str, limits)) + "."
        unknown = [limit.name for limit in limits if limit.used is None]
        broken = [limit for limit in limits if limit.used is not None and not limit.is_kept]
        if unknown and not broken:
            return Outcome(overall=self.score(None, told))
        details: JsonObject = {limit.name: limit.used for limit in limits}
        overall = self.score(
            sum(limit.is_kept for limit in limits) / len(limits),
            told,
            threshold=self.params.threshold,
            cautions=[f"Not recorded, and counted as not kept: {', '.join(unknown)}."]
            if unknown
            else [],
            details=details,
        )
        return Outcome(overall=overall)

    def _limits(self, sample: Sample) -> Iterable[Limit]:
        p = self.params
        turns = [turn.actual for turn in sample.turns]
        if p.max_seconds is not None:
            yield Limit("seconds", p.max_seconds, _seconds(sample))
        if p.max_tokens is not None:
            yield Limit("tokens", p.max_tokens, _tokens(sample))
        if p.max_cost_usd is not None:
            yield Limit("US dollars", p.max_cost_usd, self._cost(turns))
        if p.max_tool_calls is not None:
            yield Limit("tool calls", p.max_tool_calls, _sum(turns, _tool_calls))
        if p.max_model_calls is not None:
            yield Limit("model calls", p.max_model_calls, _sum(turns, _model_calls))

    def _cost(self, turns: list[InvocationResult]) -> float | None:
        into, out = self.params.usd_per_million_input, self.params.usd_per_million_output
        if into is None or out is None:
            raise EvaldeskError(
                "A limit of cost needs the price of tokens in and of tokens out",
                hint="Give both, in US dollars per million tokens.",
            )
        read, written = _sum(turns, tokens_in), _sum(turns, tokens_out)
        if read is None or written is None:
            return None
        return (read * into + written * out) / MILLION


def tokens_in(turn: InvocationResult) -> float | None:
    """Return the tokens that a turn's model calls read, None where none is recorded."""
    return _counted(turn, ("prompt_tokens", "tool_use_tokens"))


def tokens_out(turn: InvocationResult) -> float | None:
    """Return the tokens that a turn's model calls wrote, None where none is recorded."""
    return _counted(turn, ("candidates_tokens", "thoughts_tokens"))


def _counted(turn: InvocationResult, names: tuple[str, ...]) -> float | None:
    calls = turn.model_calls or ()
    known = [n for call in calls for name in names if (n := getattr(call, name)) is not None]
    return float(sum(known)) if known else None


def _tokens(sample: Sample) -> float | None:
    if sample.total_tokens is not None:
        return float(sample.total_tokens)
    turns = [turn.actual for turn in sample.turns]
    read, written = _sum(turns, tokens_in), _sum(turns, tokens_out)
    return None if read is None or written is None else read + written


def _seconds(sample: Sample) -> float | None:
    if sample.duration_s is not None:
        return sample.duration_s
    return _sum([turn.actual for turn in sample.turns], lambda turn: turn.duration_s)


def _tool_calls(turn: InvocationResult) -> float | None:
    return None if turn.actual_tool_calls is None else float(len(turn.actual_tool_calls))


def _model_calls(turn: InvocationResult) -> float | None:
    return None if turn.model_calls is None else float(len(turn.model_calls))


def _sum(
    turns: list[InvocationResult], amount: Callable[[InvocationResult], float | None]
) -> float | None:
    """Return the sum over turns, None unless it is known of every one."""
    found = [amount(turn) for turn in turns]
    known = [value for value in found if value is not None]
    return sum(known) if known and len(known) == len(found) else None
