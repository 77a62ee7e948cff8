"""The registry of evaluators: every kind of check that can be computed or judged here.

A kind is one class and one entry in its family's ``EVALUATORS``; a family is one module or package
and one line in ``FAMILIES``. Other distributions add theirs through the entry point group
``evaldesk.evaluators``, each naming one class.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from itertools import chain
from typing import TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError

if TYPE_CHECKING:
    from evalcore.evaluators.base import Evaluator
    from evalcore.judges import Judge

FAMILIES = ("uipath", "adk", "tenxgraph", "own")
ENTRY_POINT_GROUP = "evaldesk.evaluators"


class UnknownEvaluator(EvaldeskError):
    """No check of this kind can be computed here; its stored scores are shown as they are."""


@cache
def kinds() -> dict[str, type[Evaluator]]:
    """Return every kind by its id, in the order in which they are shown, those of others last.

    Raises EvaldeskError if two kinds share an id, or one from elsewhere cannot be loaded.
    """
    found: dict[str, type[Evaluator]] = {}
    families = (import_module(f"{__name__}.{family}").EVALUATORS for family in FAMILIES)
    for cls in (*chain.from_iterable(families), *_plugged_in()):
        if cls.kind in found:
            raise EvaldeskError(f"Two evaluators are called {cls.kind!r}")
        found[cls.kind] = cls
    return found


def _plugged_in() -> Iterator[type[Evaluator]]:
    from evalcore.evaluators.base import Evaluator

    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda p: p.name):
        try:
            cls = point.load()
        except (ImportError, AttributeError) as error:
            raise EvaldeskError(
                f"The evaluator {point.value!r} cannot be loaded: {error}"
            ) from error
        if not (isinstance(cls, type) and issubclass(cls, Evaluator)):
            raise EvaldeskError(f"{point.value} is no Evaluator class")
        yield cls


def build(
    kind: str, config: dict[str, Any], name: str = "", judge: Judge | None = None
) -> Evaluator:
    """Return a configured evaluator.

    Raises UnknownEvaluator for a kind that is not registered, EvaldeskError for parameters it does
    not take.
    """
    from pydantic import ValidationError

    from evalcore.evaluators.base import JudgedEvaluator
    from evalcore.model import first_fault

    cls = kinds().get(kind)
    if cls is None:
        raise UnknownEvaluator(f"There is no check of the kind {kind!r} here")
    try:
        params = cls.params_type.model_validate(config)
    except ValidationError as error:
        said = first_fault(error, "its parameters")
        raise EvaldeskError(f"{name or kind}: {said}") from error
    if issubclass(cls, JudgedEvaluator):
        return cls(params, name, judge)
    return cls(params, name)
