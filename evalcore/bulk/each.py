"""Changing many cases of a set one by one, at a cost that grows with their number only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonArray, JsonValue, get, join, put, same

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

MODELS = 20
"""How many of the first cases stay beside the one that is changed: they show how keys are spelled.

A format's ``style`` looks at no more of them.
"""


def change_each(
    lens: EvalSetLens,
    tree: JsonValue,
    indexes: Iterable[int],
    change: Callable[[JsonValue, str, int], JsonValue],
) -> JsonValue:
    """Return the tree with ``change(set, pointer of the case, index)`` made of some cases.

    Each gets a set with little else in it than its case: writing one case into a list of n would
    cost n. Cases that ``change`` leaves alone stay the same objects, and so does the tree then.
    """
    base, cases = lens.cases_pointer(tree), lens.raw_cases(tree)
    changed: JsonArray = list(cases)
    differs = False
    for index in indexes:
        if index >= len(cases):
            raise FormatError("A case is gone", hint="It was deleted, here or in another tab.")
        small = put(tree, base, [*cases[:MODELS], cases[index]])
        pointer = join(base, min(MODELS, len(cases)))
        with _naming(lens, cases[index], index):
            written = get(change(small, pointer, index), pointer)
        if written is not MISSING and not same(written, cases[index]):
            changed[index] = written
            differs = True
    return put(tree, base, changed) if differs else tree


@contextmanager
def _naming(lens: EvalSetLens, raw: JsonValue, index: int) -> Iterator[None]:
    """Say of an error which case it is about."""
    try:
        yield
    except FormatError as error:
        name = lens.case_label(raw) or f"case {index + 1}"
        raise FormatError(f"{name}: {error.message}", hint=error.hint) from error
