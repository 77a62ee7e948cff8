"""The weights of a set's evaluators, one number for each."""

from __future__ import annotations

from collections import Counter
from typing import Any

from evalcore.errors import FormatError
from evalcore.formats.optional import Weight
from evalcore.jsontree import MISSING
from evalcore.views.form import key_of
from evalcore.views.sheet import Sheet
from evalcore.views.slots import GONE, GONE_HINT, Slot


def weights_of(sheet: Sheet) -> list[tuple[Weight, Slot]]:
    """Return the evaluators of a set, each with the slot of its weight; [] where none has one."""
    seen: Counter[str] = Counter()
    found = []
    for weight in _listed(sheet):
        found.append((weight, _slot(sheet, weight.ref, seen[weight.ref])))
        seen[weight.ref] += 1
    return found


def _listed(sheet: Sheet) -> tuple[Weight, ...]:
    detection = sheet.draft.base.detection
    return sheet.lens.weights(sheet.tree, "" if detection is None else detection.variant or "")


def _slot(sheet: Sheet, ref: str, nth: int) -> Slot:
    """Return the slot of the weight of an evaluator; ``nth`` counts those of the same id."""
    key = key_of(sheet, (), "weights", ref, str(nth))

    def index() -> int:
        places = [i for i, weight in enumerate(_listed(sheet)) if weight.ref == ref]
        if nth >= len(places):
            raise FormatError(GONE, hint=GONE_HINT)
        return places[nth]

    def read() -> Any:
        listed = _listed(sheet)
        places = [weight.value for weight in listed if weight.ref == ref]
        return places[nth] if nth < len(places) else MISSING

    def write(new: Any) -> None:
        at = index()
        sheet.edit(lambda tree: sheet.lens.put_weight(tree, at, new), f"Edit weight of {ref}", key)

    return Slot(sheet, key, read, write)
