"""UiPath's coded checks of the output: exact match, contains, JSON similarity, classification."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Params, Sample
from evalcore.evaluators.measures.similarity import json_likeness
from evalcore.evaluators.uipath.base import Criteria, OutputEvaluator, OutputParams, target
from evalcore.evaluators.uipath.values import as_text, with_floats
from evalcore.jsontree import MISSING, JsonValue
from evalcore.results import Score


class ExpectedOutput(Criteria):
    """The value that the output, or a field of it, is compared with."""

    expected_output: dict[str, Any] | str


class SearchText(Criteria):
    """The text to find."""

    search_text: str


class ExpectedClass(Criteria):
    """The label that the output should have."""

    expected_class: str


class MatchParams(OutputParams):
    """Parameters of exact match and contains."""

    case_sensitive: bool = Field(
        False, title="Upper and lower case differ", description="Texts only; not inside objects."
    )
    negated: bool = Field(False, title="Should not match")


class Aggregator(Params):
    """A number over all cases of a run, from expected and actual labels."""

    type: Literal["precision", "recall", "fscore", "confusion_matrix"]
    averaging: Literal["macro", "micro"] = "macro"
    f_value: float = Field(1.0, alias="fValue")


class ExactMatchParams(MatchParams):
    """Parameters of exact match, with the labels of data set numbers."""

    classes: list[str] | None = Field(None, title="Labels")
    aggregators: list[Aggregator] | None = Field(None, title="Numbers over the whole run")


class ComparesOutput(OutputEvaluator):
    """A check against an expected output, which the case may state once for all such checks."""

    criteria_type: ClassVar[type[Criteria]] = ExpectedOutput

    def expected(self, criteria: Any) -> JsonValue:
        """Return the target field of the expected output."""
        return target(criteria.expected_output, self.params.target_output_key, parse=True)

    def inherited(self, sample: Sample) -> JsonValue:
        """Return the case's own expected output, or else the check's default."""
        own = case_output(sample)
        default = self.params.default_evaluation_criteria
        return default if own is None else {**(default or {}), "expectedOutput": own}

    def completed(self, found: JsonValue, sample: Sample) -> JsonValue:
        """Fill in the case's expected output where the expectation has none."""
        own = case_output(sample)
        if own is None or not isinstance(found, dict):
            return found
        stated = "expectedOutput" in found or "expected_output" in found
        return found if stated else {**found, "expectedOutput": own}


def case_output(sample: Sample) -> JsonValue:
    """Return the expected output that a case states for all its checks, None if none."""
    turn = sample.turns[-1].expected if sample.turns else None
    return None if turn is None or turn.expected_output is MISSING else turn.expected_output


class ExactMatch(ComparesOutput):
    """``uipath-exact-match``: 1 if equal, else 0; a text on either side compares as text."""

    kind = "uipath-exact-match"
    label = "Exact match"
    help = "Is the output exactly the expected one?"
    params_type: ClassVar[type[Params]] = ExactMatchParams
    params: ExactMatchParams

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare texts without regard to case unless told so, and everything else by value."""
        cautions: list[str] = []
        if isinstance(expected, str) or isinstance(actual, str):
            left, right = as_text(expected), as_text(actual)
            if not isinstance(actual, str) and left != right and _is_same_number(left, actual):
                cautions.append(f"Numbers become floats: “{left}” is compared with “{right}”.")
            if not self.params.case_sensitive:
                left, right = left.lower(), right.lower()
            equal = left == right
        else:
            equal = bool(expected == actual)
        shown = f"Expected {as_text(expected)}, got {as_text(actual)}."
        score = float(equal != self.params.negated)
        return self.score(score, shown, cautions=cautions, details=sides(expected, actual))


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

    def line_expectation(self, criteria: Any, line: str) -> JsonValue:
        """Return the whole search text: it is looked for in every line."""
        return self.expected(criteria)

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Look for the text in the value's text, where objects are written as Python does."""
        wanted, text = as_text(expected), as_text(actual)
        left, right = (
            (wanted, text) if self.params.case_sensitive else (wanted.lower(), text.lower())
        )
        found = left in right
        cautions = ["An empty text is found in anything."] if not wanted else []
        if not isinstance(actual, str) and not found and '"' in wanted:
            cautions.append("Objects are searched as Python text, with single quotes.")
        reason = f"“{wanted}” is {'' if found else 'not '}in the output."
        score = float(found != self.params.negated)
        return self.score(score, reason, cautions=cautions, details=sides(expected, actual))


class JsonSimilarity(ComparesOutput):
    """``uipath-json-similarity``: how much of the expected value's leaves the output has."""

    kind = "uipath-json-similarity"
    label = "JSON similarity"
    help = "How alike are the output and the expected one, field by field?"

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare leaf by leaf; what only the output has is free."""
        found = json_likeness(expected, actual)
        cautions = [] if found.total else ["Nothing is expected, so anything scores 1."]
        return self.score(
            found.share,
            f"{found.matched:g} of {found.total:g} values match.",
            cautions=cautions,
            details={
                **sides(expected, actual),
                "matched_leaves": found.matched,
                "total_leaves": found.total,
            },
        )


class BinaryParams(OutputParams):
    """Parameters of binary classification."""

    positive_class: str = Field(title="Positive label")
    metric_type: Literal["precision", "recall", "f-score"] = Field(
        "precision", title="Run's number"
    )
    f_value: float = Field(1.0, title="Weight of recall")


class MulticlassParams(OutputParams):
    """Parameters of classification with several labels."""

    classes: list[str] = Field(title="Labels")
    metric_type: Literal["precision", "recall", "f-score"] = Field("f-score", title="Run's number")
    averaging: Literal["macro", "micro"] = Field("macro", title="Mean over")
    f_value: float = Field(1.0, title="Weight of recall")


class Classification(OutputEvaluator):
    """A check of a label, whose number for a run is not the mean of its cases."""

    criteria_type: ClassVar[type[Criteria]] = ExpectedClass

    def expected(self, criteria: Any) -> JsonValue:
        """Return the expected label."""
        text: str = criteria.expected_class
        return text

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare the labels' texts in lower case."""
        left, right = as_text(expected).lower(), as_text(actual).lower()
        self.refuse_unknown(left, right)
        reason = f"Expected “{left}”, got “{right}”."
        return self.score(float(left == right), reason, details=sides(left, right))

    def refuse_unknown(self, expected: str, actual: str) -> None:
        """Raise EvaldeskError for a label that this check does not know."""


class BinaryClassification(Classification):
    """``uipath-binary-classification``: 1 if the label is the expected one, else 0."""

    kind = "uipath-binary-classification"
    label = "Binary classification"
    help = "Is the label right? Over a run: precision, recall or F of one label."
    params_type: ClassVar[type[Params]] = BinaryParams
    params: BinaryParams

    def refuse_unknown(self, expected: str, actual: str) -> None:
        """Refuse to score without a positive label."""
        if not self.params.positive_class.strip():
            raise EvaldeskError("The positive label is empty")


class MulticlassClassification(Classification):
    """``uipath-multiclass-classification``: 1 if the label is the expected one, else 0."""

    kind = "uipath-multiclass-classification"
    label = "Classification"
    help = "Is the label right? Over a run: precision, recall or F of all labels."
    params_type: ClassVar[type[Params]] = MulticlassParams
    params: MulticlassParams

    def refuse_unknown(self, expected: str, actual: str) -> None:
        """Refuse labels that are not configured; they are not trimmed."""
        known = {name.lower() for name in self.params.classes}
        for side, name in (("expected", expected), ("predicted", actual)):
            if name not in known:
                raise EvaldeskError(f"The {side} label “{name}” is none of {sorted(known)}")


def sides(expected: JsonValue, actual: JsonValue) -> dict[str, JsonValue]:
    """Return both sides as UiPath writes them into ``details``."""
    return {"expected": as_text(expected), "actual": as_text(actual)}


def _is_same_number(text: str, actual: JsonValue) -> bool:
    try:
        return bool(with_floats(float(text)) == actual)
    except ValueError:
        return False
