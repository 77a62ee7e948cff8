"""What UiPath's coded checks have in common: criteria, target keys, lines."""

from __future__ import annotations

import json
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.evaluators.uipath.lines import mean_of_lines, split_lines
from evalcore.evaluators.uipath.values import WHOLE, as_text, local, resolve, with_floats
from evalcore.jsontree import MISSING, JsonValue
from evalcore.model import first_fault
from evalcore.results import Score


class CriteriaError(EvaldeskError):
    """What a case expects cannot be used. In UiPath this fails the whole case, not one check."""


class Criteria(BaseModel):
    """Base of what a case expects of a check; both spellings are read, unknown keys ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class UiPathParams(Params):
    """Base of every check's parameters: both spellings are read, unknown keys ignored."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )


class CodedParams(UiPathParams):
    """Parameters of every coded check."""

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
    line_delimiter: str = Field(
        "\n",
        title="Between lines",
        description="What ends a line of the text; usually a line break.",
    )


class ExpectedOutput(Criteria):
    """The value that the output, or a field of it, is compared with."""

    expected_output: dict[str, Any] | str = Field(
        title="Expected output",
        description="Named values, or a text. Only the field to check of it is compared.",
    )


class CodedEvaluator(Evaluator):
    """A check of a coded agent: one score per case on 0–1, without a pass mark."""

    params: CodedParams
    params_type: ClassVar[type[Params]] = CodedParams
    criteria_type: ClassVar[type[Criteria]] = Criteria

    def criteria(self, sample: Sample) -> Any:
        """Return what the case expects of this check, or else the check's default.

        Null and {} state nothing. Raises CriteriaError where neither is there or it lacks what
        this check needs.
        """
        stated = None if sample.criterion is MISSING else sample.criterion
        found = self.completed(stated, sample) or self.params.default_evaluation_criteria
        if found is None:
            raise CriteriaError(
                "The case states no expectation for this check, and the check has no default",
                hint="Give the case one, or the evaluator a default.",
            )
        return validated(self.criteria_type, found)

    def completed(self, stated: JsonValue, sample: Sample) -> JsonValue:
        """Return an expectation with what the case states elsewhere filled in."""
        return stated


class OutputEvaluator(CodedEvaluator):
    """A check of the output or of one field of it."""

    params: OutputParams
    params_type: ClassVar[type[Params]] = OutputParams
    needs = frozenset({Need.OUTPUT})

    def expected(self, criteria: Any) -> JsonValue:
        """Return the value that the target field is compared with, numbers as floats."""
        raise TypeError(f"{type(self).__name__} does not say what it expects")

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Return the score of one value; both sides have floats for numbers."""
        raise TypeError(f"{type(self).__name__} does not say how it compares")

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the target field, whole or line by line; a list of fields is never split."""
        criteria = self.criteria(sample)
        output = output_of(sample)
        key = self.params.target_output_key
        if self.params.line_by_line_evaluator and isinstance(key, str):
            want, have = self.lines(criteria, output, key)
            return mean_of_lines(
                self,
                want,
                have,
                lambda left, right: self.compare(
                    self.line_expectation(criteria, left, key), actual_part(wrap(right, key), key)
                ),
            )
        return Outcome(self.whole(criteria, output, key))

    def whole(self, criteria: Any, output: JsonValue, key: str | list[str]) -> Score:
        """Return the score of the target field as it is."""
        return self.compare(self.expected(criteria), actual_part(output, key))

    def lines(self, criteria: Any, output: JsonValue, key: str) -> tuple[list[str], list[str]]:
        """Return the lines expected and the lines there are. Raises CriteriaError without any."""
        try:
            have, want = actual_part(output, key), self.expected(criteria)
            return self.split(want, key), self.split(have, key)
        except EvaldeskError as error:
            raise CriteriaError(error.message, hint=error.hint) from error

    def split(self, value: JsonValue, key: str) -> list[str]:
        """Return the lines of a field; of an object that has such a field again, of that one."""
        if key != WHOLE and isinstance(value, dict) and key in value:
            value = value[key]
        return split_lines(as_text(value), self.params.line_delimiter)

    def line_expectation(self, criteria: Any, line: str, key: str) -> JsonValue:
        """Return what is expected of one line.

        UiPath looks for each line under the whole path again, as if that were a plain key: with a
        path of several steps no line is found, and PathError says so.
        """
        return expected_part(wrap(line, key), key)


class ComparesOutput(OutputEvaluator):
    """A check against an expected output, which the case may state once for all such checks."""

    criteria_type: ClassVar[type[Criteria]] = ExpectedOutput

    def expected(self, criteria: Any) -> JsonValue:
        """Return the target field of the expected output."""
        return expected_part(criteria.expected_output, self.params.target_output_key)

    def completed(self, stated: JsonValue, sample: Sample) -> JsonValue:
        """Fill in the case's own expected output where the expectation has none."""
        own = case_output(sample)
        if own is None or not (stated is None or isinstance(stated, dict)):
            return stated
        return {"expectedOutput": own, **(stated or {})}


C = TypeVar("C", bound=Criteria)


def validated(criteria_type: type[C], found: JsonValue) -> C:
    """Return an expectation; raises CriteriaError where it lacks what the check needs."""
    try:
        return criteria_type.model_validate(found)
    except ValidationError as error:
        said = first_fault(error, "it")
        raise CriteriaError(f"The expectation is not usable: {said}") from error


def case_output(sample: Sample) -> JsonValue:
    """Return the expected output that a case states for all its checks, None if none."""
    turn = sample.turns[-1].expected if sample.turns else None
    return None if turn is None or turn.expected_output is MISSING else turn.expected_output


def output_of(sample: Sample) -> JsonValue:
    """Return the output of the case's run; raises EvaldeskError if none is recorded."""
    output = sample.turns[-1].actual.actual_output if sample.turns else MISSING
    if output is MISSING:
        raise EvaldeskError("The run recorded no output for this case")
    return output


def actual_part(output: JsonValue, key: str | list[str]) -> JsonValue:
    """Return the part of an output that ``key`` names, numbers as floats.

    A list of keys gives an object of parts. Raises EvaldeskError where the part is not there.
    """
    return with_floats(part_of_actual(output, key))


def part_of_actual(output: JsonValue, key: str | list[str]) -> JsonValue:
    """Return what ``actual_part`` does, numbers as they are."""
    if isinstance(key, str):
        return local(resolve(output, key))
    if not isinstance(output, dict):
        raise EvaldeskError("A list of fields needs an object, and the output is none")
    return {path: local(resolve(output, path)) for path in key}


def expected_part(expected: JsonValue, key: str | list[str]) -> JsonValue:
    """Return the part of an expected output that ``key`` names, numbers as floats.

    A text is read as JSON first where a path leads into it; ``*`` leaves it a text.
    """
    return with_floats(part_of_expected(expected, key))


def part_of_expected(expected: JsonValue, key: str | list[str]) -> JsonValue:
    """Return what ``expected_part`` does, numbers as they are."""
    if key == WHOLE:
        return expected
    if isinstance(expected, str):
        expected = _parsed(expected)
    if isinstance(key, str):
        return resolve(expected, key)
    if not isinstance(expected, dict):
        raise EvaldeskError("A list of fields needs an object, and the expected output is none")
    return {path: resolve(expected, path) for path in key}


def wrap(line: str, key: str) -> JsonValue:
    """Return a line as an output of its own."""
    return line if key == WHOLE else {key: line}


def _parsed(text: str) -> JsonValue:
    try:
        parsed: JsonValue = json.loads(text)
    except ValueError as error:
        raise EvaldeskError("The expected text is not JSON, so no field can be found") from error
    return parsed
