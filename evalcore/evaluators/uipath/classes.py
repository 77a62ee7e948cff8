"""UiPath's checks of labels, whose number for a run is not the mean of its cases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Params
from evalcore.evaluators.uipath.aggregators import (
    Counts,
    Labels,
    confusion,
    macro,
    micro,
)
from evalcore.evaluators.uipath.base import Criteria, CriteriaError, OutputEvaluator, OutputParams
from evalcore.evaluators.uipath.outputs import sides
from evalcore.evaluators.uipath.values import WHOLE, as_text
from evalcore.jsontree import JsonValue
from evalcore.results import Remarks, Score

MetricType = Literal["precision", "recall", "f-score"]


class ExpectedClass(Criteria):
    """The label that the output should have."""

    expected_class: str = Field(
        title="Expected label", description="Upper and lower case do not matter."
    )


class BinaryParams(OutputParams):
    """Parameters of binary classification."""

    positive_class: str = Field(
        title="Positive label", description="The label that precision and recall are about."
    )
    metric_type: MetricType = Field(
        "precision",
        title="Run's number",
        description="What the run comes to; it is not the mean of its cases.",
    )
    f_value: float = Field(
        1.0,
        title="Weight of recall",
        description="For the F-score only. 1 weighs precision and recall the same.",
    )


class MulticlassParams(OutputParams):
    """Parameters of classification with several labels."""

    classes: list[str] = Field(
        title="Labels", description="All labels there are; any other one is an error."
    )
    metric_type: MetricType = Field(
        "f-score",
        title="Run's number",
        description="What the run comes to; it is not the mean of its cases.",
    )
    averaging: Literal["macro", "micro"] = Field(
        "macro",
        title="Mean over",
        description="macro: every label counts the same. micro: every case does.",
    )
    f_value: float = Field(
        1.0,
        title="Weight of recall",
        description="For the F-score only. 1 weighs precision and recall the same.",
    )


class Classification(OutputEvaluator):
    """A check of a label; upper and lower case do not matter."""

    criteria_type: ClassVar[type[Criteria]] = ExpectedClass

    def expected(self, criteria: Any) -> JsonValue:
        """Return the expected label."""
        text: str = criteria.expected_class
        return text

    def lines(self, criteria: Any, output: JsonValue, key: str) -> tuple[list[str], list[str]]:
        """Refuse lines: UiPath fails the case."""
        raise CriteriaError("A label cannot be checked line by line", hint="Turn line by line off.")

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare the labels' texts in lower case."""
        left, right = as_text(expected).lower(), as_text(actual).lower()
        self.refuse_unknown(left, right)
        return self.score_later(
            float(left == right),
            lambda: Remarks(
                f"Expected “{left}”, got “{right}”.",
                tuple(self._cautions(left, actual)),
                sides(left, right),
            ),
        )

    def refuse_unknown(self, expected: str, actual: str) -> None:
        """Raise EvaldeskError for a label that this check does not know."""

    def set_score(self, found: Sequence[Labels | None]) -> float:
        """Return the number of a whole run; cases without labels are left out."""
        raise TypeError(f"{type(self).__name__} does not say what a run comes to")

    def _cautions(self, expected: str, actual: JsonValue) -> list[str]:
        if isinstance(actual, float) and expected != as_text(actual):
            return [f"Numbers become floats: the label is “{actual}”."]
        if isinstance(actual, dict) and self.params.target_output_key == WHOLE:
            return ["The label is the whole output as text. Name the field that holds it."]
        return []


class BinaryClassification(Classification):
    """``uipath-binary-classification``: 1 if the label is the expected one, else 0."""

    kind = "uipath-binary-classification"
    label = "Binary classification"
    help = "Is the label right? Over a run: precision, recall or F of one label."
    params_type: ClassVar[type[Params]] = BinaryParams
    params: BinaryParams

    def refuse_unknown(self, expected: str, actual: str) -> None:
        """Refuse to score without a positive label; any other label will do."""
        if not self.params.positive_class:
            raise EvaldeskError("The positive label is empty")

    def set_score(self, found: Sequence[Labels | None]) -> float:
        """Return precision, recall or F of the positive label."""
        positive = self.params.positive_class.lower()
        given = [(x.actual == positive, x.expected == positive) for x in found if x]
        counts = Counts(
            tp=given.count((True, True)),
            fp=given.count((True, False)),
            fn=given.count((False, True)),
        )
        return counts.rates(self.params.f_value).pick(self.params.metric_type)


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

    def set_score(self, found: Sequence[Labels | None]) -> float:
        """Return precision, recall or F of all labels.

        Cases with a label that is not configured are left out. A label that is configured twice
        has its cases in the first place, and nothing in the second.
        """
        known = [name.lower() for name in self.params.classes]
        both = [x for x in found if x and x.actual in known and x.expected in known]
        counts = list(confusion(known, both).counts())
        mean = micro if self.params.averaging == "micro" else macro
        return mean(counts, self.params.f_value).pick(self.params.metric_type)
