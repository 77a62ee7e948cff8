"""UiPath's coded checks of the output: exact match, contains, JSON similarity."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field, model_validator

from evalcore.evaluators.base import Params
from evalcore.evaluators.measures.similarity import Likeness, json_likeness
from evalcore.evaluators.uipath.aggregators import Aggregator
from evalcore.evaluators.uipath.base import (
    ComparesOutput,
    Criteria,
    OutputEvaluator,
    OutputParams,
    part_of_actual,
    part_of_expected,
)
from evalcore.evaluators.uipath.cautions import of_keys, of_match, of_search
from evalcore.evaluators.uipath.values import as_text, check_numbers, with_floats
from evalcore.jsontree import JsonValue
from evalcore.results import Remarks, Score


class SearchText(Criteria):
    """The text to find."""

    search_text: str = Field(
        title="Text to find", description="An empty text is found in every output."
    )


class MatchParams(OutputParams):
    """Parameters of exact match and contains."""

    case_sensitive: bool = Field(
        False, title="Upper and lower case differ", description="Texts only; not inside objects."
    )
    negated: bool = Field(
        False,
        title="Should not match",
        description="Turns the score around: what matches scores 0.",
    )


class ExactMatchParams(MatchParams):
    """Parameters of exact match, with the labels and kinds of numbers over a whole run.

    The numbers need labels that a text can be told apart by without regard to case, and cases that
    are scored whole, unnegated and without regard to case.
    """

    classes: list[str] | None = Field(
        None, title="Labels", description="All labels that the numbers over the run count."
    )
    aggregators: list[Aggregator] | None = Field(
        None,
        title="Numbers over the whole run",
        description="Precision, recall, F or a confusion matrix over all cases.",
    )

    @model_validator(mode="after")
    def _numbers_need_plain_labels(self) -> ExactMatchParams:
        if not self.aggregators:
            return self
        labels = self.classes or []
        if not labels:
            raise ValueError("numbers over the whole run need a list of labels (classes)")
        if self.line_by_line_evaluator or self.case_sensitive or self.negated:
            raise ValueError(
                "numbers over the whole run do not go with lines, upper and lower case, or negation"
            )
        if len({label.lower() for label in labels}) < len(labels):
            raise ValueError("two labels differ in nothing but upper and lower case")
        if any(not label.strip() or label != label.strip() for label in labels):
            raise ValueError("a label is blank, or has blanks around it")
        return self


class ExactMatch(ComparesOutput):
    """``uipath-exact-match``: 1 if equal, else 0; a text on either side compares as text."""

    kind = "uipath-exact-match"
    label = "Exact match"
    help = "Is the output exactly the expected one?"
    params_type: ClassVar[type[Params]] = ExactMatchParams
    params: ExactMatchParams

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare texts without regard to case unless told so, and everything else by value."""
        if isinstance(expected, str) or isinstance(actual, str):
            left, right = self.cased(as_text(expected)), self.cased(as_text(actual))
            equal = left == right
        else:
            equal = bool(expected == actual)
        return self.score_later(
            float(equal != self.params.negated),
            lambda: self._remarks(expected, actual, equal=equal),
        )

    def _remarks(self, expected: JsonValue, actual: JsonValue, *, equal: bool) -> Remarks:
        params = self.params
        unwanted = " A match was not wanted." if params.negated else ""
        cautions = (
            *of_match(expected, actual, equal=equal, case=params.case_sensitive),
            *of_keys(params.target_output_key),
        )
        reason = f"Expected {as_text(expected)}, got {as_text(actual)}.{unwanted}"
        return Remarks(reason, cautions, sides(expected, actual))

    def cased(self, text: str) -> str:
        """Return a text as it is compared."""
        return text if self.params.case_sensitive else text.lower()


class Contains(OutputEvaluator):
    """``uipath-contains``: 1 if the output's text contains the search text, else 0."""

    kind = "uipath-contains"
    label = "Contains"
    help = "Does the output contain this text?"
    params_type: ClassVar[type[Params]] = MatchParams
    params: MatchParams
    criteria_type: ClassVar[type[Criteria]] = SearchText

    def expected(self, criteria: Any) -> JsonValue:
        """Return the search text."""
        text: str = criteria.search_text
        return text

    def line_expectation(self, criteria: Any, line: str, key: str) -> JsonValue:
        """Return the whole search text: it is looked for in every line."""
        return self.expected(criteria)

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Look for the text in the value's text, where objects are written as Python does."""
        wanted, text = self.cased(as_text(expected)), self.cased(as_text(actual))
        found = wanted in text
        return self.score_later(
            float(found != self.params.negated),
            lambda: Remarks(
                f"“{wanted}” is {'' if found else 'not '}in the output.",
                (
                    *of_search(wanted, actual, found=found),
                    *of_keys(self.params.target_output_key),
                ),
                sides(wanted, text),
            ),
        )

    def cased(self, text: str) -> str:
        """Return a text as it is searched."""
        return text if self.params.case_sensitive else text.lower()


class JsonSimilarity(ComparesOutput):
    """``uipath-json-similarity``: how much of the expected value's leaves the output has."""

    kind = "uipath-json-similarity"
    label = "JSON similarity"
    help = "How alike are the output and the expected one, field by field?"

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare leaf by leaf; what only the output has is free."""
        found = json_likeness(expected, actual)
        return self.score_later(found.share, lambda: _likeness_remarks(found, expected, actual))

    def whole(self, criteria: Any, output: JsonValue, key: str | list[str]) -> Score:
        """Compare the target fields without making copies of them that have floats for numbers."""
        expected = part_of_expected(criteria.expected_output, key)
        actual = part_of_actual(output, key)
        check_numbers(expected)
        check_numbers(actual)
        return self.compare(expected, actual)


def _likeness_remarks(found: Likeness, expected: JsonValue, actual: JsonValue) -> Remarks:
    details: dict[str, JsonValue] = {
        **sides(with_floats(expected), with_floats(actual)),
        "matched_leaves": found.matched,
        "total_leaves": found.total,
    }
    return Remarks(
        f"{found.matched:g} of {found.total:g} values match.",
        () if found.total else ("Nothing is expected, so anything scores 1.",),
        details,
    )


def sides(expected: JsonValue, actual: JsonValue) -> dict[str, JsonValue]:
    """Return both sides as UiPath writes them into ``details``."""
    return {"expected": as_text(expected), "actual": as_text(actual)}
