"""UiPath's low-code checks that compute: equals and JSON similarity. Scores are 0–100."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.evaluators.measures.similarity import json_likeness
from evalcore.evaluators.uipath.base import (
    Criteria,
    CriteriaError,
    UiPathParams,
    output_of,
    validated,
    wrap,
)
from evalcore.evaluators.uipath.lines import mean_of_lines, split_lines
from evalcore.evaluators.uipath.values import WHOLE, PathError, as_text, local, resolve, with_floats
from evalcore.jsontree import MISSING, JsonValue
from evalcore.results import PERCENT, UNIT, Score


class LegacyParams(UiPathParams):
    """Parameters of every low-code check."""

    target_output_key: str = Field(WHOLE, title="Field to check", description="* is all of it.")
    line_by_line_evaluation: bool = Field(
        False, title="Line by line", description="Score each line and take the mean."
    )
    line_delimiter: str = Field(
        "\n",
        title="Between lines",
        description="What ends a line of the text; usually a line break.",
    )

    @property
    def key(self) -> str:
        """The field to check; no name is all of the output."""
        return self.target_output_key or WHOLE


class LegacyCriteria(Criteria):
    """What a low-code set expects of every check: both must be stated."""

    expected_output: Any = Field(
        title="Expected output", description="What the output is compared with."
    )
    expected_agent_behavior: str = Field(
        title="Expected behaviour", description="What the agent should do, in words."
    )


class LegacyEvaluator(Evaluator):
    """A low-code check: it compares with the case's expected output."""

    needs = frozenset({Need.OUTPUT})
    params: LegacyParams
    params_type: ClassVar[type[Params]] = LegacyParams
    scale = PERCENT
    is_boolean: ClassVar[bool] = False
    """Whether a single score is right or wrong; the mean of lines is then on 0–1, by mistake."""

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the output, whole or line by line."""
        expected, actual = legacy_expectation(sample), output_of(sample)
        if not self.params.line_by_line_evaluation:
            return Outcome(overall=self.compare(expected, actual))
        found = self.by_line(expected, actual)
        return on_line_scale(found) if self.is_boolean else found

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Return the score of two whole outputs."""
        raise TypeError(f"{type(self).__name__} does not say how it compares")

    def by_line(self, expected: JsonValue, actual: JsonValue) -> Outcome:
        """Return the mean over the lines of the target field."""
        key = self.params.key
        want, have = self.lines(expected, actual)
        found = mean_of_lines(
            self, want, have, lambda left, right: self.compare(wrap(left, key), wrap(right, key))
        )
        if key == WHOLE or not isinstance(expected, dict) or key in expected:
            return found
        told = (
            f"“{key}” is no plain field of the expected output, so all of it is split into lines."
        )
        overall = found.overall
        cautioned = overall.model_copy(update={"cautions": (*overall.cautions, told)})
        return found._replace(overall=cautioned)

    def lines(self, expected: JsonValue, actual: JsonValue) -> tuple[list[str], list[str]]:
        """Return the lines of both sides. Raises CriteriaError where they cannot be split.

        The field is a plain key here, not a path; where it is missing, all of the output is split.
        """
        key = self.params.key
        try:
            have = member(self.made(actual), key)
            return self.split(member(expected, key)), self.split(have)
        except EvaldeskError as error:
            raise CriteriaError(error.message, hint=error.hint) from error

    def made(self, actual: JsonValue) -> JsonValue:
        """Return the field of the output, a plain key, or all of the output where it is missing.

        A field that is called "" is found here, although no name is all of the output elsewhere.
        """
        return local(member(actual, self.params.target_output_key))

    def split(self, value: JsonValue) -> list[str]:
        """Return the lines of a value's text."""
        return split_lines(as_text(value), self.params.line_delimiter)


class Equals(LegacyEvaluator):
    """Type 1: 100 if both are the same JSON, numbers as floats and keys in any order, else 0."""

    kind = "uipath.legacy_equals"
    label = "Exact match (low-code)"
    help = "Is the output exactly the expected one?"
    is_boolean = True

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare the target fields; where one is missing, both count as {}.

        The field has no effect where a side is no object.
        """
        key = self.params.key
        left: Any = expected
        right: Any = actual
        cautions: list[str] = []
        if isinstance(left, dict) and isinstance(right, dict):
            left, right = part(left, key), part(right, key)
        if left is MISSING or right is MISSING:
            cautions = [f"“{key}” is missing, so both sides count as empty, which is a match."]
            left = right = {}
        equal = canonical(left) == canonical(right)
        reason = f"Expected {as_text(left)}, got {as_text(right)}."
        return self.score(100.0 if equal else 0.0, reason, cautions=cautions)


class LegacyJsonSimilarity(LegacyEvaluator):
    """Type 6: how much of the expected values' leaves the output has, times 100."""

    kind = "uipath.legacy_json_similarity"
    label = "JSON similarity (low-code)"
    help = "How alike are the output and the expected one, field by field?"

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare leaf by leaf; a missing target field counts as {}."""
        key = self.params.key
        cautions: list[str] = []
        left, right = part(expected, key), part(actual, key)
        if left is MISSING or right is MISSING:
            cautions.append(f"“{key}” is missing on one side, and counts as empty there.")
        left = {} if left is MISSING else with_floats(left)
        right = {} if right is MISSING else with_floats(right)
        found = json_likeness(left, right)
        if not found.total:
            cautions.append("Nothing is expected, so anything scores 100.")
        reason = f"{found.matched:g} of {found.total:g} values match."
        return self.score(found.share * 100, reason, cautions=cautions)


def legacy_expectation(sample: Sample) -> JsonValue:
    """Return the expected output: what the case states for this check, or else for all.

    Raises CriteriaError where an expectation for this check lacks a part, EvaldeskError where there
    is none at all.
    """
    if sample.criterion is not MISSING:
        output: JsonValue = validated(LegacyCriteria, sample.criterion).expected_output
        return output
    turn = sample.turns[-1].expected if sample.turns else None
    if turn is None or turn.expected_output is MISSING:
        raise EvaldeskError("The case has no expected output")
    return turn.expected_output


def part(value: JsonValue, key: str) -> Any:
    """Return what a path leads to, MISSING where it leads nowhere."""
    try:
        return resolve(value, key)
    except PathError:
        return MISSING


def member(value: JsonValue, key: str) -> JsonValue:
    """Return a plain member of an object; anything else, and all of it where it has none."""
    return value[key] if key != WHOLE and isinstance(value, dict) and key in value else value


def canonical(value: JsonValue) -> str:
    """Return a value as one text per meaning: floats for numbers, keys sorted."""
    return json.dumps(with_floats(value), sort_keys=True, ensure_ascii=False)


def on_line_scale(outcome: Outcome) -> Outcome:
    """Return the mean of right and wrong lines as UiPath writes it: on 0–1, not on 0–100."""
    overall = outcome.overall
    caution = "This mean of lines is on 0–1, while its lines and the check itself are on 0–100."
    changes = {
        "native": None if overall.native is None else overall.native / 100,
        "scale": UNIT,
        "cautions": (*overall.cautions, caution),
    }
    return outcome._replace(overall=overall.model_copy(update=changes))
