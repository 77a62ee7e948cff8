"""Between formats of one schema, and within one format: the file stays as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from evalcore.convert.account import CaseFinder
from evalcore.convert.atlas import SET, Atlas, mapped
from evalcore.convert.model import Fate, Source, Target
from evalcore.convert.write import Refused, Written, loadable
from evalcore.jsontree import MISSING, JsonValue, get, is_within, join, leaves, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

OWN_NAME = "The new set has an id and a file name of its own, as {0} wants it."
REFUSED = "{0} refuses it: {1}"


def is_one_schema(source: EvalSetLens, target: EvalSetLens) -> bool:
    """Return whether a set can be taken over as it is: both formats read it in the same way."""
    related = isinstance(source, type(target)) or isinstance(target, type(source))
    return related and not source.read_only


def copied(
    source: Source, lens: EvalSetLens, target: Target, now: datetime
) -> tuple[JsonValue, tuple[Fate, ...]] | None:
    """Return the set under its new name, without what the target's system refuses.

    None where it refuses the set as a whole, so that it must be written anew.
    """
    new = target.format.eval_sets
    named = new.as_new_file(source.value, target.path.name, is_copy=True)
    order = list(range(len(new.raw_cases(named))))
    try:
        made = loadable(Written(named, order), new, target, now)
    except Refused:
        return None
    atlas = mapped(lens, source.value)
    read_by = {p: a.place for a, spot in atlas.spots.items() for p in spot.pointers}
    case_at = CaseFinder(atlas.cases)
    where = _Where(new, made)
    fates = []
    for pointer, leaf in leaves(source.value):
        case = case_at(pointer)
        at = where.now(pointer, case, atlas)
        title = atlas.fields[read_by[pointer]].label if pointer in read_by else _plain(pointer)
        label = atlas.labels[case] if case != SET else ""
        found = get(made.value, at) if at is not None else MISSING
        if at is not None and found is not MISSING and same(found, leaf):
            fates.append(Fate(pointer, leaf, "kept", title, case=label, target=at))
        elif found is not MISSING and not same(get(named, pointer), leaf):
            why = OWN_NAME.format(target.format.system)
            fates.append(Fate(pointer, leaf, "changed", title, why=why, case=label, target=at))
        else:
            rest = pointer[len(atlas.cases[case]) :] if case != SET else pointer
            why = REFUSED.format(target.format.system, where.reason(case, rest))
            fates.append(Fate(pointer, leaf, "lost", title, why=why, case=label))
    return made.value, tuple(fates)


class _Where:
    """Follows cases to where they are once others were left out."""

    def __init__(self, lens: EvalSetLens, made: Written) -> None:
        self.base: str = lens.cases_pointer(made.value)
        self.numbers: Mapping[int, int] = {n: i for i, n in enumerate(made.order)}
        self.removed = made.removed

    def now(self, pointer: str, case: int, atlas: Atlas) -> str | None:
        """Return a leaf's pointer in the new set, None if its case was left out."""
        if case == SET:
            return pointer
        number = self.numbers.get(case)
        rest = pointer[len(atlas.cases[case]) :]
        return None if number is None else join(self.base, number) + rest

    def reason(self, case: int, path: str) -> str:
        """Return why something at a path of a case was taken out."""
        own = [r for r in self.removed if r.number == case]
        close = (r.why for r in own if is_within(path, r.path))
        return next(close, own[-1].why if own else "")


def _plain(pointer: str) -> str:
    names = [key for key in pointer.split("/") if key and not key.isdecimal()]
    return f"“{names[-1]}”" if names else "The file"
