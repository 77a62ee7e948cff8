"""The leaves behind a score of JSON similarity: each expected value with its counterpart."""

from __future__ import annotations

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, Sample
from evalcore.evaluators.measures.similarity import Leaf, likeness_by_leaf
from evalcore.evaluators.uipath.base import actual_part, output_of
from evalcore.evaluators.uipath.legacy import LegacyJsonSimilarity, legacy_expectation, part
from evalcore.evaluators.uipath.outputs import JsonSimilarity
from evalcore.evaluators.uipath.values import with_floats
from evalcore.jsontree import MISSING, JsonValue

Sides = tuple[JsonValue, JsonValue]


def leaves_of(evaluator: Evaluator, sample: Sample) -> tuple[Leaf, ...]:
    """Return every leaf that a check compares, in the order of the expected value.

    Their mean likeness is the score. () for a check that does not compare leaves, that does so line
    by line, or that has no score for this case.
    """
    try:
        sides = _sides(evaluator, sample)
    except EvaldeskError:
        # The score itself is an error that says why.
        return ()
    return () if sides is None else tuple(likeness_by_leaf(*sides))


def _sides(evaluator: Evaluator, sample: Sample) -> Sides | None:
    if isinstance(evaluator, JsonSimilarity):
        if evaluator.params.line_by_line_evaluator:
            return None
        expected = evaluator.expected(evaluator.criteria(sample))
        return expected, actual_part(output_of(sample), evaluator.params.target_output_key)
    if isinstance(evaluator, LegacyJsonSimilarity):
        if evaluator.params.line_by_line_evaluation:
            return None
        key = evaluator.params.key
        return _floats(part(legacy_expectation(sample), key)), _floats(part(output_of(sample), key))
    return None


def _floats(value: object) -> JsonValue:
    """Return a part as low-code checks compare it: a missing one counts as {}."""
    return {} if value is MISSING else with_floats(value)  # type: ignore[arg-type]
