"""From a 10xGraph config to the checks that it switches on."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from evalcore import model
from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator, build
from evalcore.evaluators.base import Evaluator
from evalcore.formats.tenxgraph.config_checks import is_on
from evalcore.formats.tenxgraph.evaluators import read_evaluators
from evalcore.formats.tenxgraph.names import BY_KEY, named
from evalcore.jsontree import JsonObject, JsonValue
from evalcore.judges import Judge

HINT: Final = f"Use one of: {', '.join(BY_KEY)}."


class Translated(NamedTuple):
    """A config as this release reads it; ``changes`` says in words what was different."""

    config: JsonObject
    changes: tuple[str, ...]


def from_config(config: JsonValue, judge: Judge | None = None) -> tuple[Evaluator, ...]:
    """Return the checks that a config switches on, in 10xGraph's order.

    Old names and bare thresholds count, though this release of 10xGraph refuses them. Raises
    UnknownEvaluator for a name that no release knows, EvaldeskError for settings that it refuses.
    """
    on = (evaluator for evaluator in read_evaluators(config) if not _is_off(evaluator))
    return tuple(from_evaluator(evaluator, judge) for evaluator in on)


def from_evaluator(evaluator: model.Evaluator, judge: Judge | None = None) -> Evaluator:
    """Return the check that one criterion of a config configures, named as results name it."""
    criterion = named(evaluator.native_type)
    if criterion is None or not criterion.key:
        raise UnknownEvaluator(f"10xGraph has no criterion {evaluator.native_type!r}", hint=HINT)
    kind = f"tenxgraph.{criterion.key}"
    return build(kind, _settings(evaluator.config, criterion.key), criterion.result, judge)


def translate(config: JsonObject) -> Translated:
    """Return a config with old names and bare thresholds written as this release reads them.

    Nothing else changes, and the order stays. Where a criterion is there under its own name too,
    the old entry is left out.
    """
    criteria = config.get("criteria")
    if not isinstance(criteria, dict):
        return Translated(config, ())
    kept: JsonObject = {}
    changes: list[str] = []
    for name, raw in criteria.items():
        criterion = named(name)
        key = criterion.key if criterion is not None and criterion.key else name
        if key != name and (key in criteria or key in kept):
            changes.append(f"“{name}” is left out: “{key}” is there too.")
            continue
        if key != name:
            changes.append(f"“{name}” is called “{key}” now.")
        if _is_number(raw):
            changes.append(f"“{key}” is a threshold alone: written as an object.")
        kept[key] = {"threshold": raw} if _is_number(raw) else raw
    return Translated({**config, "criteria": kept} if changes else config, tuple(changes))


def _is_off(evaluator: model.Evaluator) -> bool:
    return isinstance(evaluator.config, dict) and not is_on(evaluator.config)


def _settings(raw: Any, key: str) -> dict[str, Any]:
    if _is_number(raw):
        return {"threshold": raw}
    if isinstance(raw, dict):
        return raw
    raise EvaldeskError(f"“{key}” is no object", hint='Write it as {"threshold": 0.8}.')


def _is_number(raw: object) -> bool:
    return isinstance(raw, (int, float)) and not isinstance(raw, bool)
