"""Numbers over all cases of a run, from the labels expected and given: precision, recall, F.

The confusion matrix has a row for each label given and a column for each label expected, which is
the transpose of what scikit-learn draws.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from pydantic import Field, model_validator

from evalcore.evaluators.uipath.base import UiPathParams
from evalcore.jsontree import JsonValue, Missing

Metric = Literal["precision", "recall", "fscore"]
Averaging = Literal["macro", "micro"]
GREATEST_BETA = 1000


class Aggregator(UiPathParams):
    """One number over a run. A confusion matrix is no number, and takes no averaging."""

    type: Literal["precision", "recall", "fscore", "confusion_matrix"] = Field(
        title="Number", description="What is computed over all cases of a run."
    )
    averaging: Averaging | None = Field(
        None,
        title="Mean over",
        description="macro: every label counts the same. micro: every case does.",
    )
    f_value: float = Field(
        1.0,
        gt=0,
        le=GREATEST_BETA,
        title="Weight of recall",
        description="For the F-score only. 1 weighs precision and recall the same.",
    )

    @model_validator(mode="before")
    @classmethod
    def _drops_what_its_kind_has_not(cls, given: Any) -> Any:
        if not isinstance(given, dict):
            return given
        foreign = set() if given.get("type") == "fscore" else {"fValue", "f_value"}
        if given.get("type") == "confusion_matrix":
            foreign.add("averaging")
        return {name: value for name, value in given.items() if name not in foreign}

    @model_validator(mode="after")
    def _numbers_say_their_mean(self) -> Aggregator:
        if self.type != "confusion_matrix" and self.averaging is None:
            raise ValueError(f"{self.type} needs an averaging, macro or micro")
        return self

    @property
    def identity(self) -> tuple[str, str | None, float | None]:
        """What tells it from other numbers: one that says the same again is left out."""
        return self.type, self.averaging, self.f_value if self.type == "fscore" else None


class Labels(NamedTuple):
    """The labels of one case, as its score's details have them."""

    expected: str
    actual: str


class Rates(NamedTuple):
    """Precision, recall and F, each in [0, 1]."""

    precision: float
    recall: float
    f_score: float

    def pick(self, metric: str) -> float:
        """Return one of the three; ``f-score`` and ``fscore`` are the same."""
        return {"precision": self.precision, "recall": self.recall}.get(metric, self.f_score)

    def written(self) -> dict[str, JsonValue]:
        """Return them as UiPath writes them."""
        return {"precision": self.precision, "recall": self.recall, "fScore": self.f_score}


class Counts(NamedTuple):
    """How often a label was given rightly (tp), wrongly (fp), and missed (fn)."""

    tp: int
    fp: int
    fn: int

    def rates(self, beta: float) -> Rates:
        """Return the rates; one without any case that it is about is 0."""
        tp, fp, fn = self
        precision = tp / (tp + fp) if tp + fp else 0.0
        recall = tp / (tp + fn) if tp + fn else 0.0
        return Rates(precision, recall, _f_score(precision, recall, beta))


class Confusion(NamedTuple):
    """How labels given meet labels expected: ``matrix[given][expected]``.

    ``misses`` counts, per label expected, answers that are none of the labels.
    """

    classes: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]
    misses: tuple[int, ...]
    total: int

    @property
    def scored(self) -> int:
        """How many cases are counted: those whose expected label is one of the labels."""
        return sum(map(sum, self.matrix)) + sum(self.misses)

    def counts(self) -> Iterator[Counts]:
        """Yield the counts of each label."""
        for index, row in enumerate(self.matrix):
            hits = row[index]
            column = sum(other[index] for other in self.matrix)
            yield Counts(hits, sum(row) - hits, column - hits + self.misses[index])


def labels_of(details: JsonValue | Missing) -> Labels | None:
    """Return the labels in a score's details; None where they do not hold two texts."""
    if not isinstance(details, dict):
        return None
    expected, actual = details.get("expected"), details.get("actual")
    if isinstance(expected, str) and isinstance(actual, str):
        return Labels(expected, actual)
    return None


def confusion(classes: Sequence[str], found: Sequence[Labels | None]) -> Confusion:
    """Count labels without regard to case.

    An answer that is none of the labels is a miss of the label expected. A case whose expected
    label is none of them, or whose labels are not known, is left out.
    """
    places: dict[str, int] = {}
    for index, name in enumerate(classes):
        places.setdefault(name.lower(), index)
    cells: Counter[tuple[int | None, int]] = Counter()
    for labels in found:
        column = places.get(labels.expected.lower()) if labels else None
        if labels and column is not None:
            cells[places.get(labels.actual.lower()), column] += 1
    size = range(len(classes))
    return Confusion(
        classes=tuple(classes),
        matrix=tuple(tuple(cells[row, column] for column in size) for row in size),
        misses=tuple(cells[None, column] for column in size),
        total=len(found),
    )


NONE = Rates(0.0, 0.0, 0.0)


def macro(counts: Sequence[Counts], beta: float) -> Rates:
    """Return the plain means of the labels' rates, 0 without labels."""
    rates = [count.rates(beta) for count in counts]
    return Rates(*(sum(kind) / len(rates) for kind in zip(*rates, strict=True))) if rates else NONE


def micro(counts: Sequence[Counts], beta: float) -> Rates:
    """Return the rates of all labels' counts taken together."""
    return Counts(*map(sum, zip(*counts, strict=True))).rates(beta) if counts else NONE


def report(spec: Aggregator, found: Confusion) -> tuple[float, dict[str, JsonValue]]:
    """Return a number and its details, as UiPath writes them.

    A confusion matrix has 0.0 in the place of a number; it means nothing.
    """
    details: dict[str, JsonValue] = {
        "metric": spec.type,
        "classes": [*found.classes],
        "confusionMatrix": [[*row] for row in found.matrix],
        "nTotal": found.total,
        "nScored": found.scored,
        "nSkipped": found.total - found.scored,
    }
    if spec.type == "confusion_matrix":
        return 0.0, details
    beta = spec.f_value
    counts = list(found.counts())
    means = {"macro": macro(counts, beta), "micro": micro(counts, beta)}
    details |= {
        "averaging": spec.averaging,
        "fValue": beta,
        "perClass": _per_class(found, counts, beta),
        **{name: rates.written() for name, rates in means.items()},
    }
    return means[spec.averaging or "macro"].pick(spec.type), details


def keyed(name: str, specs: Sequence[Aggregator]) -> Mapping[str, Aggregator]:
    """Return the numbers of one evaluator by the key that results have them under.

    The key names the kind, and tells more where one kind is asked for several times.
    """
    distinct: dict[object, Aggregator] = {}
    for spec in specs:
        distinct.setdefault(spec.identity, spec)
    often = Counter(spec.type for spec in distinct.values())
    return {_key(name, spec, more=often[spec.type] > 1): spec for spec in distinct.values()}


def _key(name: str, spec: Aggregator, *, more: bool) -> str:
    _, averaging, beta = spec.identity
    parts = [f"{name}::{spec.type}"]
    if more and averaging:
        parts += [averaging] if beta is None else [averaging, f"fb{beta}"]
    return ".".join(parts)


def _per_class(found: Confusion, counts: Sequence[Counts], beta: float) -> dict[str, JsonValue]:
    return {
        label: {
            "tp": count.tp,
            "tn": found.scored - sum(count),
            "fp": count.fp,
            "fn": count.fn,
            "support": count.tp + count.fn,
            **count.rates(beta).written(),
        }
        for label, count in zip(found.classes, counts, strict=True)
    }


def _f_score(precision: float, recall: float, beta: float) -> float:
    weight = beta * beta
    below = weight * precision + recall
    return (1 + weight) * precision * recall / below if below > 0 else 0.0
