"""What UiPath's checks have in common: criteria, target keys, lines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.evaluators.uipath.values import WHOLE, PathError, as_text, resolve, with_floats
from evalcore.jsontree import MISSING, JsonValue
from evalcore.results import Score


class CriteriaError(EvaldeskError):
    """What a case expects cannot be used. In UiPath this fails the whole case, not one check."""


class Criteria(BaseModel):
    """Base of what a case expects of a check; both spellings are read, unknown keys ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class CodedParams(Params):
    """Parameters of every coded check."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )

    default_evaluation_criteria: dict[str, Any] | None = Field(
        None, title="Default expectation", description="Used by cases that state none of their own."
    )


class OutputParams(CodedParams):
    """Parameters of checks that look at the output."""

    target_output_key: str | list[str] = Field(
        WHOLE, title="Field to check", description="A path such as a.b[0]; * is the whole output."
    )
    line_by_line_evaluator: bool = Field(
        False, title="Line by line", description="Score each line and take the mean."
    )
    line_delimiter: str = Field("\n", title="Between lines")


class CodedEvaluator(Evaluator):
    """A check of a coded agent: one score per case on 0–1, without a pass mark."""

    params: CodedParams
    params_type: ClassVar[type[Params]] = CodedParams
    criteria_type: ClassVar[type[Criteria]] = Criteria

    def criteria(self, sample: Sample) -> Any:
        """Return what the case expects, or else the default.

        Raises CriteriaError where neither is there or it lacks what this check needs.
        """
        found = None if sample.criterion is MISSING else sample.criterion
        if not found:
            found = self.inherited(sample)
        if found is None:
            raise CriteriaError(
                "The case states no expectation for this check, and the check has no default",
                hint="Give the case one, or the evaluator a default.",
            )
        try:
            return self.criteria_type.model_validate(self.completed(found, sample))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise CriteriaError(
                f"The expectation is not usable: {place}: {first['msg']}"
            ) from error

    def inherited(self, sample: Sample) -> JsonValue:
        """Return what is expected where the case states nothing for this check."""
        return self.params.default_evaluation_criteria

    def completed(self, found: JsonValue, sample: Sample) -> JsonValue:
        """Return an expectation with what the case states elsewhere filled in."""
        return found


class OutputEvaluator(CodedEvaluator):
    """A check of the output or of one field of it."""

    params: OutputParams
    params_type: ClassVar[type[Params]] = OutputParams
    needs = frozenset({Need.OUTPUT})

    def expected(self, criteria: Any) -> JsonValue:
        """Return the value that the target field is compared with."""
        raise TypeError(f"{type(self).__name__} does not say what it expects")

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Return the score of one value; both sides have floats for numbers."""
        raise TypeError(f"{type(self).__name__} does not say how it compares")

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the target field, whole or line by line."""
        criteria = self.criteria(sample)
        output = output_of(sample)
        key = self.params.target_output_key
        if self.params.line_by_line_evaluator and isinstance(key, str):
            return self._by_line(criteria, output, key)
        expected = with_floats(self.expected(criteria))
        return Outcome(overall=self.compare(expected, with_floats(target(output, key))))

    def line_expectation(self, criteria: Any, line: str) -> JsonValue:
        """Return what is expected of one line."""
        return line

    def _by_line(self, criteria: Any, output: JsonValue, key: str) -> Outcome:
        try:
            actual = as_text(resolve(output, key))
            wanted = as_text(self.expected(criteria))
        except PathError as error:
            raise CriteriaError(error.message, hint=error.hint) from error
        return mean_of_lines(
            self,
            split_lines(wanted, self.params.line_delimiter),
            split_lines(actual, self.params.line_delimiter),
            lambda want, have: self.compare(self.line_expectation(criteria, want), have),
        )


def output_of(sample: Sample) -> JsonValue:
    """Return the output of the case's run; raises EvaldeskError if none is recorded."""
    output = sample.turns[-1].actual.actual_output if sample.turns else MISSING
    if output is MISSING:
        raise EvaldeskError("The run recorded no output for this case")
    return output


def target(value: JsonValue, key: str | list[str], *, parse: bool = False) -> JsonValue:
    """Return the part of a value that ``key`` names; a list of keys gives an object of parts.

    With ``parse``, a text is read as JSON first where a path leads into it.
    """
    if isinstance(key, list):
        if not isinstance(value, dict):
            raise EvaldeskError("A list of fields needs an object, and this is none")
        return {path: resolve(value, path) for path in key}
    if parse and key != WHOLE and isinstance(value, str):
        value = _parsed(value)
    return resolve(value, key)


def _parsed(text: str) -> JsonValue:
    import json

    try:
        parsed: JsonValue = json.loads(text)
    except ValueError as error:
        raise EvaldeskError("The expected text is not JSON, so no field can be found") from error
    return parsed


def split_lines(text: str, delimiter: str) -> list[str]:
    """Return the lines that are not blank."""
    return [line for line in text.split(delimiter) if line.strip()]


def mean_of_lines(
    evaluator: Evaluator,
    expected: Sequence[str],
    actual: Sequence[str],
    compare: Callable[[str, str], Score],
) -> Outcome:
    """Return the mean score of lines paired by place, the shorter side filled up with ""."""
    count = max(len(expected), len(actual))
    lines = [
        compare(
            expected[i] if i < len(expected) else "", actual[i] if i < len(actual) else ""
        ).model_copy(update={"line": i + 1})
        for i in range(count)
    ]
    natives = [line.native for line in lines if line.native is not None]
    mean = sum(natives) / count if count else 0.0
    cautions = [] if count else ["There are no lines on either side: that scores 0."]
    overall = evaluator.score(mean, f"Mean of {count} lines.", cautions=cautions)
    return Outcome(overall=overall, lines=tuple(lines))
