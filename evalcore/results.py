"""One vocabulary for what runs produced: runs, case results, invocations, scores, verdicts.

Stored scores and verdicts are kept as the file has them. An error is not a zero, and nothing
evaluated is not a pass: both have verdicts of their own and no value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from functools import partial
from inspect import signature
from typing import Any, Final, NamedTuple

from pydantic_core import CoreSchema
from pydantic_core.core_schema import is_instance_schema, plain_serializer_function_ser_schema

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
        worst, best = self
        share = (native - worst) / (best - worst)
        return share if 0.0 <= share <= 1.0 else float(share > 1.0)


UNIT = Scale(0.0, 1.0)
PERCENT = Scale(0.0, 100.0)


class Remarks(NamedTuple):
    """What is said beside a score's number. ``cautions`` say what the number hides."""

    reason: str = ""
    cautions: tuple[str, ...] = ()
    details: MaybeJson = MISSING


class Score:
    """What one evaluator said.

    ``value`` is on 0–1, None where nothing was scored or the scale is unknown; ``native`` is the
    number as written, a float. ``verdict`` is None where the system has no pass rule of its own.
    ``informational`` scores (token counts, durations) have no better or worse. ``line`` numbers the
    line of a line-by-line score, None for an ordinary one.

    No pydantic model, unlike the records that hold it, because a run makes many of them and most
    are counted and never looked at. Their remarks can therefore be given as a function: it must be
    pure, and is called when they are first read, compared or pickled. Treat a score as frozen.
    """

    __slots__ = (
        "_remarks",
        "duration_s",
        "evaluator",
        "evaluator_name",
        "informational",
        "line",
        "native",
        "origin",
        "scale",
        "threshold",
        "value",
        "verdict",
    )

    def __init__(
        self,
        evaluator: str,
        evaluator_name: str = "",
        value: float | None = None,
        native: float | None = None,
        scale: Scale | None = UNIT,
        verdict: Verdict | None = None,
        threshold: float | None = None,
        reason: str = "",
        cautions: tuple[str, ...] = (),
        details: MaybeJson = MISSING,
        informational: bool = False,
        line: int | None = None,
        duration_s: float | None = None,
        origin: str = "",
        *,
        remarks: Remarks | Callable[[], Remarks] | None = None,
    ) -> None:
        """Take ``remarks`` in place of the reason, the cautions and the details."""
        self.evaluator: Final = evaluator
        self.evaluator_name: Final = evaluator_name
        self.value: Final = value
        self.native: Final = native
        self.scale: Final = scale
        self.verdict: Final = verdict
        self.threshold: Final = threshold
        self.informational: Final = informational
        self.line: Final = line
        self.duration_s: Final = duration_s
        self.origin: Final = origin
        self._remarks = Remarks(reason, cautions, details) if remarks is None else remarks

    @property
    def remarks(self) -> Remarks:
        """The reason, the cautions and the details.

        Where they cannot be worked out the reason says so, and the number stands.
        """
        found = self._remarks
        if not isinstance(found, Remarks):
            try:
                found = found()
            except Exception as error:
                broken = f"{type(error).__name__}: {error}"
                found = Remarks(f"The reason cannot be worked out: {broken}")
            self._remarks = found
        return found

    @property
    def reason(self) -> str:
        """Why it is this number."""
        return self.remarks.reason

    @property
    def cautions(self) -> tuple[str, ...]:
        """What the number hides."""
        return self.remarks.cautions

    @property
    def details(self) -> MaybeJson:
        """What its system writes beside the number, MISSING where nothing."""
        return self.remarks.details

    def model_copy(self, *, update: Mapping[str, Any]) -> Score:
        """Return the score with other values, called like the same method of other records.

        Remarks that are not replaced stay unread. Raises TypeError for a name that no score has.
        """
        if not _SAID.isdisjoint(update):
            return Score(**{**self.model_dump(), **update})
        kept = {name: getattr(self, name) for name in _NUMBERS}
        return Score(**{**kept, "remarks": self._remarks, **update})

    def model_dump(self) -> dict[str, Any]:
        """Return all values by name, remarks included."""
        return {name: getattr(self, name) for name in _FIELDS}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Score) and self.model_dump() == other.model_dump()

    def __hash__(self) -> int:
        return hash((self.evaluator, self.origin, self.line, self.native))

    def __repr__(self) -> str:
        return f"Score({', '.join(f'{k}={v!r}' for k, v in self.model_dump().items())})"

    def __reduce__(self) -> tuple[Callable[..., Score], tuple[()], None]:
        return partial(Score, **self.model_dump()), (), None

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> CoreSchema:
        """Let pydantic's records hold scores, and write them out with their remarks."""
        written = plain_serializer_function_ser_schema(cls.model_dump)
        return is_instance_schema(cls, serialization=written)


_SAID = frozenset(Remarks._fields)
_FIELDS = tuple(name for name in signature(Score).parameters if name != "remarks")
_NUMBERS = tuple(name for name in _FIELDS if name not in _SAID)


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
    ``final_state`` is the session's state when the case was over, MISSING where it was not kept.
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
    final_state: MaybeJson = MISSING


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
