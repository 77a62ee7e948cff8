"""UiPath's low-code checks that compute: equals, JSON similarity, CSV columns. Scores are 0–100."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, ClassVar

from pydantic import ConfigDict, Field, field_validator
from pydantic.alias_generators import to_camel

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample
from evalcore.evaluators.measures.similarity import json_likeness
from evalcore.evaluators.uipath.base import mean_of_lines, output_of, split_lines
from evalcore.evaluators.uipath.values import WHOLE, PathError, as_text, resolve, with_floats
from evalcore.jsontree import MISSING, JsonValue
from evalcore.results import PERCENT, UNIT, Score


class LegacyParams(Params):
    """Parameters of every low-code check."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", alias_generator=to_camel, populate_by_name=True
    )

    target_output_key: str = Field(WHOLE, title="Field to check", description="* is all of it.")
    line_by_line_evaluation: bool = Field(False, title="Line by line")
    line_delimiter: str = Field("\n", title="Between lines")

    @field_validator("target_output_key")
    @classmethod
    def _empty_is_whole(cls, value: str) -> str:
        return value or WHOLE


class CsvParams(LegacyParams):
    """Parameters of the check of CSV columns."""

    target_sub_output_key: str = Field(title="Columns", description="Names between commas.")


class LegacyEvaluator(Evaluator):
    """A low-code check: it compares with the case's expected output."""

    needs = frozenset({Need.OUTPUT})
    params: LegacyParams
    params_type: ClassVar[type[Params]] = LegacyParams
    scale = PERCENT
    is_boolean: ClassVar[bool] = True
    """Whether a single score is right or wrong; the mean of lines is then on 0–1, by mistake."""

    def evaluate(self, sample: Sample) -> Outcome:
        """Score the output, whole or line by line."""
        expected, actual = expected_output(sample), output_of(sample)
        if self.params.line_by_line_evaluation:
            return self.by_line(expected, actual)
        return Outcome(overall=self.compare(expected, actual))

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Return the score of two whole outputs."""
        raise TypeError(f"{type(self).__name__} does not say how it compares")

    def by_line(self, expected: JsonValue, actual: JsonValue) -> Outcome:
        """Return the mean over the lines of the target field."""
        key = self.params.target_output_key
        found = mean_of_lines(
            self,
            split_lines(_line_source(expected, key), self.params.line_delimiter),
            split_lines(_line_source(actual, key), self.params.line_delimiter),
            lambda want, have: self.compare(_wrapped(want, key), _wrapped(have, key)),
        )
        return on_line_scale(found) if self.is_boolean else found


class Equals(LegacyEvaluator):
    """Type 1: 100 if both are the same JSON, numbers as floats and keys in any order, else 0."""

    kind = "uipath.legacy_equals"
    label = "Exact match (low-code)"
    help = "Is the output exactly the expected one?"

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare the target fields; one that is missing counts as {} on both sides."""
        key = self.params.target_output_key
        left, right, missing = both_targets(expected, actual, key, both=True)
        equal = canonical(left) == canonical(right)
        cautions = [f"“{key}” is missing, so both sides count as empty."] if missing else []
        reason = f"Expected {as_text(left)}, got {as_text(right)}."
        return self.score(100.0 if equal else 0.0, reason, cautions=cautions)


class LegacyJsonSimilarity(LegacyEvaluator):
    """Type 6: how much of the expected values' leaves the output has, times 100."""

    kind = "uipath.legacy_json_similarity"
    label = "JSON similarity (low-code)"
    help = "How alike are the output and the expected one, field by field?"
    is_boolean = False

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare leaf by leaf; a missing target field counts as {}."""
        key = self.params.target_output_key
        left, right, missing = both_targets(expected, actual, key, both=False)
        found = json_likeness(with_floats(left), with_floats(right))
        cautions = [] if found.total else ["Nothing is expected, so anything scores 100."]
        if missing:
            cautions.append(f"“{key}” is missing on one side.")
        reason = f"{found.matched:g} of {found.total:g} values match."
        return self.score(found.share * 100, reason, cautions=cautions)


class CsvColumns(LegacyEvaluator):
    """Type 10: 100 if the named columns of the first row are equal, else 0."""

    kind = "uipath.legacy_csv_columns"
    label = "CSV columns (low-code)"
    help = "Do these columns of the first row have the expected values?"
    params: CsvParams
    params_type: ClassVar[type[Params]] = CsvParams

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare the first data row of both tables."""
        key = self.params.target_output_key
        left, right, _ = both_targets(expected, actual, key, both=False)
        return self._rows(self._row(csv_text(left)), self._row(csv_text(right)))

    def by_line(self, expected: JsonValue, actual: JsonValue) -> Outcome:
        """Compare row by row; each table's own header stands before each of its rows."""
        key = self.params.target_output_key
        left, right, _ = both_targets(expected, actual, key, both=False)
        (head, *wanted), (other, *have) = (
            split_lines(csv_text(side), self.params.line_delimiter) or [""]
            for side in (left, right)
        )
        found = mean_of_lines(
            self,
            wanted,
            have,
            lambda want, got: self._rows(
                self._row(f"{head}\n{want}"), self._row(f"{other}\n{got}")
            ),
        )
        return on_line_scale(found)

    def _rows(self, expected: dict[str, str], actual: dict[str, str]) -> Score:
        reason = f"Expected {expected}, got {actual}."
        return self.score(100.0 if expected == actual else 0.0, reason)

    def _row(self, text: str) -> dict[str, str]:
        """Return the named columns of the first data row, by lower-case name, values trimmed."""
        rows = [row for row in csv.reader(io.StringIO(text)) if row]
        if len(rows) < 2:
            raise EvaldeskError("The table has no data row", hint="It needs a header and a row.")
        found = {name.lower(): value.strip() for name, value in zip(rows[0], rows[1], strict=False)}
        wanted = [n.strip().lower() for n in self.params.target_sub_output_key.split(",")]
        missing = [name for name in wanted if name not in found]
        if missing:
            raise EvaldeskError(f"The table has no column {missing}")
        return {name: found[name] for name in wanted}


def expected_output(sample: Sample) -> JsonValue:
    """Return the case's expected output; raises EvaldeskError if it has none."""
    criterion = sample.criterion
    if isinstance(criterion, dict) and "expectedOutput" in criterion:
        return criterion["expectedOutput"]
    turn = sample.turns[-1].expected if sample.turns else None
    if turn is None or turn.expected_output is MISSING:
        raise EvaldeskError("The case has no expected output")
    return turn.expected_output


def both_targets(
    expected: JsonValue, actual: JsonValue, key: str, *, both: bool
) -> tuple[JsonValue, JsonValue, bool]:
    """Return the target fields of both sides, and whether one was missing.

    A missing field counts as {}; with ``both``, it makes {} of the other side too. The key has no
    effect where a side is no object.
    """
    if key == WHOLE or not isinstance(expected, dict) or not isinstance(actual, dict):
        return expected, actual, False
    sides: list[Any] = []
    missing = False
    for side in (expected, actual):
        try:
            sides.append(resolve(side, key))
        except PathError:
            sides.append({})
            missing = True
    return ({}, {}, True) if missing and both else (sides[0], sides[1], missing)


def canonical(value: JsonValue) -> str:
    """Return a value as one text per meaning: floats for numbers, keys sorted."""
    return json.dumps(with_floats(value), sort_keys=True, ensure_ascii=False)


def csv_text(value: JsonValue) -> str:
    """Return the text of a table: a text, or the ``content`` of an object."""
    if isinstance(value, dict):
        value = value.get("content", "")
    if not isinstance(value, str) or not value.strip():
        raise EvaldeskError("The table is empty")
    return value


def on_line_scale(outcome: Outcome) -> Outcome:
    """Return the mean of right and wrong lines as UiPath writes it: on 0–1, not on 0–100."""
    native = outcome.overall.native
    overall = outcome.overall.model_copy(
        update={"native": None if native is None else native / 100, "scale": UNIT}
    )
    return outcome.model_copy(update={"overall": overall})


def _line_source(value: JsonValue, key: str) -> str:
    """Return the text that is split: the field if it is a member, else all of it as text."""
    if isinstance(value, dict) and key in value:
        return as_text(value[key])
    return as_text(value)


def _wrapped(line: str, key: str) -> JsonValue:
    return line if key == WHOLE else {key: line}
