"""What a stored score of UiPath hides, in words."""

from __future__ import annotations

from typing import Final

from evalcore.formats._uipath.scales import UNKNOWN, detail_object
from evalcore.jsontree import JsonObject
from evalcore.results import PERCENT, UNIT, Scale, Score, Verdict

COUNTED_AS_ZERO: Final = "An error, which UiPath counts as 0 in its averages."
SHARE_OF_LINES: Final = (
    "UiPath writes this total as a share of lines, from 0 to 1, and each line as 0 or 100."
)
ONE_OF_100: Final = "{native:g} of 100 is what a judge comes to that answers on 0 to 1."
MATRIX: Final = (
    "A confusion matrix is no number: its 0 stands for none. Rows are the labels given, columns "
    "those expected."
)


def with_cautions(score: Score, *, is_share: bool = False) -> Score:
    """Return a score with all there is to say of its number, in place of what was said before.

    ``is_share`` marks the total of a low-code check by lines.
    """
    cautions = tuple(_cautions(score, is_share=is_share))
    return score if cautions == score.cautions else score.model_copy(update={"cautions": cautions})


def dataset_cautions(details: JsonObject, *, is_matrix: bool) -> tuple[str, ...]:
    """Return what there is to say of a number over all cases."""
    skipped, total = details.get("nSkipped"), details.get("nTotal")
    cautions = [MATRIX] if is_matrix else []
    if isinstance(skipped, int) and skipped > 0:
        cautions.append(f"{skipped} of {total} cases are left out: their labels are not known.")
    return tuple(cautions)


def _cautions(score: Score, *, is_share: bool) -> list[str]:
    native, scale = score.native, score.scale
    if score.verdict is Verdict.ERROR:
        return [COUNTED_AS_ZERO] if native == 0 else []
    if native is None:
        return []
    cautions = [UNKNOWN] if scale is None else []
    widest = scale or PERCENT
    if not widest.worst <= native <= widest.best:
        cautions.append(f"{native:g} lies outside {widest.worst:g} to {widest.best:g}.")
    if is_share:
        cautions.append(SHARE_OF_LINES)
    if _looks_like_one_of_one(score, native, scale):
        percent = native if scale == PERCENT else native * PERCENT.best
        cautions.append(ONE_OF_100.format(native=percent))
    if detail_object(score.details).get("total_leaves") in (0, 0.0):
        cautions.append("The expected output holds no values, so anything scores 1.")
    return cautions


def _looks_like_one_of_one(score: Score, native: float, scale: Scale | None) -> bool:
    """Return whether a judge's score is so low that it may have been meant to be 0 to 1.

    Only judges write down a justification, which the low-code ones do as plain text.
    """
    if not score.reason or score.line is not None:
        return False
    if scale == UNIT:
        return 0 < native <= 0.01 and "justification" in detail_object(score.details)
    return scale == PERCENT and 0 < native <= 1 and isinstance(score.details, str)
