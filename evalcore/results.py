"""One vocabulary for what runs produced: runs, case results, invocations, scores, verdicts.

Stored scores and verdicts are kept as the file has them. An error is not a zero, and nothing
evaluated is not a pass: both have verdicts of their own and no value.
"""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from evalcore.jsontree import MISSING
from evalcore.model import MaybeJson, Model, ToolCall


class Verdict(StrEnum):
    """What a score, a case or a run comes to."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NOT_EVALUATED = "not_evaluated"


class Scale(NamedTuple):
    """The range of a system's own score, worst and best value."""

    worst: float
    best: float

    def normalise(self, native: float) -> float:
        """Return ``native`` on 0–1; a value outside the scale is cut to it."""
        share = (native - self.worst) / (self.best - self.worst)
        return min(1.0, max(0.0, share))


UNIT = Scale(0.0, 1.0)
PERCENT = Scale(0.0, 100.0)


class Score(Model):
    """What one evaluator said.

    ``value`` is on 0–1, None where nothing was scored or the scale is unknown; ``native`` is the
    number as written. ``verdict`` is None where the system has no pass rule of its own.
    ``informational`` scores (token counts, durations) have no better or worse.
    ``cautions`` say what the number hides. ``line`` numbers the line of a line-by-line score, None
    for an ordinary one.
    """

    evaluator: str
    evaluator_name: str = ""
    value: float | None = None
    native: float | None = None
    scale: Scale | None = UNIT
    verdict: Verdict | None = None
    threshold: float | None = None
    reason: str = ""
    cautions: tuple[str, ...] = ()
    details: MaybeJson = MISSING
    informational: bool = False
    line: int | None = None
    duration_s: float | None = None
    origin: str = ""


class ModelCall(Model):
    """One call of a model and the tokens that it reported; None is not reported, and not zero.

    ``cached_tokens`` are part of ``prompt_tokens``; the others are counts of their own.
    """

    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    tool_use_tokens: int | None = None
    candidates_tokens: int | None = None
    thoughts_tokens: int | None = None


class InvocationResult(Model):
    """One turn of a run: what was expected beside what happened, and its scores.

    ``expected_output`` and ``expected_tool_calls`` are MISSING and None where the result file does
    not hold them; the eval set may (``case_id`` joins the two). ``trace`` is the record that the
    tool calls were read from, as the file has it, for evaluators that look at more of it.
    ``model_calls`` is None where the calls of models were not recorded. ``model_duration_s`` and
    ``tool_duration_s`` are the parts of ``duration_s`` spent waiting for models and inside tools.
    """

    origin: str
    index: int
    input: MaybeJson = MISSING
    expected_output: MaybeJson = MISSING
    actual_output: MaybeJson = MISSING
    expected_tool_calls: tuple[ToolCall, ...] | None = None
    actual_tool_calls: tuple[ToolCall, ...] | None = None
    expected_node_order: tuple[str, ...] | None = None
    node_visits: tuple[str, ...] | None = None
    trace: MaybeJson = MISSING
    model_calls: tuple[ModelCall, ...] | None = None
    scores: tuple[Score, ...] = ()
    duration_s: float | None = None
    model_duration_s: float | None = None
    tool_duration_s: float | None = None
    error: str | None = None


class CaseResult(Model):
    """One execution of one case.

    Its identity is its place in the file (``origin``): ids may repeat. ``repeat`` counts from 0
    among results of the same case. ``scores`` are those of the whole case. ``stored_status`` is the
    file's own word, "" where it has none; ``verdict`` is None where that needs a policy.
    """

    origin: str
    case_id: str | None
    name: str = ""
    repeat: int = 0
    verdict: Verdict | None = None
    stored_status: str = ""
    invocations: tuple[InvocationResult, ...] = ()
    scores: tuple[Score, ...] = ()
    error: str | None = None
    duration_s: float | None = None
    total_tokens: int | None = None
    notes: tuple[str, ...] = ()


class Run(Model):
    """One result file, or one eval set's part of it."""

    format_id: str
    name: str = ""
    eval_set_id: str | None = None
    eval_set_name: str | None = None
    created_at: datetime | None = None
    stored_status: str = ""
    error: str | None = None
    cases: tuple[CaseResult, ...] = ()
    dataset_scores: tuple[Score, ...] = ()
    has_pass_rule: bool = True
    metadata: MaybeJson = MISSING
