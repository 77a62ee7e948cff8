"""Numbers over all cases of a run, such as precision or a confusion matrix, as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.jsontree import JsonValue
from evalcore.results import Score
from evalcore.views import numbers


@dataclass(frozen=True, slots=True)
class Matrix:
    """A confusion matrix: ``rows[i][j]`` cases were given label i where label j was expected."""

    classes: tuple[str, ...]
    rows: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Total:
    """One number over all cases. ``value`` is None where it has none, as a matrix."""

    name: str
    value: float | None
    reason: str
    cautions: tuple[str, ...]
    counted: str = ""
    per_class: tuple[tuple[str, ...], ...] = ()
    matrix: Matrix | None = None

    @property
    def said(self) -> str:
        """Return the number for reading."""
        return "see below" if self.matrix and self.value is None else numbers.score(self.value)


def totals(scores: Sequence[Score]) -> tuple[Total, ...]:
    """Return the numbers over all cases, those with matrices last."""
    found = [_total(score) for score in scores]
    return tuple(sorted(found, key=lambda total: total.value is None))


def _total(score: Score) -> Total:
    details = score.details if isinstance(score.details, dict) else {}
    matrix = _matrix(details)
    is_matrix_alone = details.get("metric") == "confusion_matrix"
    value = None if is_matrix_alone else score.native if score.native is not None else score.value
    return Total(
        name=(score.evaluator_name or score.evaluator)
        .replace("::", " · ")
        .replace("confusion_matrix", "confusion matrix"),
        value=value,
        reason=score.reason,
        cautions=score.cautions,
        counted=_counted(details),
        per_class=_per_class(details),
        matrix=matrix if is_matrix_alone else None,
    )


def _counted(details: dict[str, JsonValue]) -> str:
    scored, total = details.get("nScored"), details.get("nTotal")
    if isinstance(scored, int) and isinstance(total, int):
        return f"{scored:,} of {total:,} cases"
    return ""


def _matrix(details: dict[str, JsonValue]) -> Matrix | None:
    classes, rows = details.get("classes"), details.get("confusionMatrix")
    if not isinstance(classes, list) or not isinstance(rows, list):
        return None
    cells = [
        tuple(n for n in row if isinstance(n, int)) if isinstance(row, list) else () for row in rows
    ]
    if len(cells) != len(classes) or any(len(row) != len(classes) for row in cells):
        return None
    return Matrix(tuple(str(name) for name in classes), tuple(cells))


def _per_class(details: dict[str, JsonValue]) -> tuple[tuple[str, ...], ...]:
    """Return label, precision, recall, F and the number of cases of each class."""
    found = details.get("perClass")
    if not isinstance(found, dict):
        return ()
    lines = []
    for label, held in found.items():
        if isinstance(held, dict):
            rates = (_number(held.get(name)) for name in ("precision", "recall", "fScore"))
            lines.append((label, *rates, _number(held.get("support"))))
    return tuple(lines)


def _number(value: JsonValue) -> str:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return "–"
    return f"{value:,}" if isinstance(value, int) else numbers.score(value)
