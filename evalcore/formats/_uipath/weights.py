"""The weights of a coded set's evaluators, which have a place in ``evaluatorConfigs`` only."""

from __future__ import annotations

from evalcore.errors import FormatError
from evalcore.formats._uipath.recognise import API_WORKFLOW, FLOW
from evalcore.formats._uipath.refs import CONFIGS, REFS, listed, ref_of
from evalcore.formats.optional import Weight
from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, join, put, same


def weights(value: JsonValue, variant: str) -> tuple[Weight, ...]:
    """Return the evaluators of a coded set with their weights, in the order of the file.

    () where no weight can be written: an entry names nothing, or the set is of a variant of which
    nothing says that it reads ``evaluatorConfigs``, and it has none.
    """
    base, entries = listed(value, coded=True)
    named = [ref for entry in entries if (ref := ref_of(entry)) is not None]
    if len(named) < len(entries):
        return ()
    if variant in (FLOW, API_WORKFLOW) and base == REFS.where(value):
        return ()
    return tuple(
        Weight(ref, entry.get("weight", MISSING) if isinstance(entry, dict) else MISSING)
        for ref, entry in zip(named, entries, strict=True)
    )


def put_weight(value: JsonValue, index: int, new: JsonValue | Missing) -> JsonValue:
    """Return a set with the weight of its evaluator number ``index`` written; MISSING removes it.

    A set that lists its evaluators in ``evaluatorRefs`` gets ``evaluatorConfigs`` in their place.
    Raises FormatError for what UiPath refuses as a weight, and where there is no such evaluator.
    """
    known = weights(value, "")
    if index >= len(known):
        raise FormatError("This evaluator is gone", hint="It was removed, here or in another tab.")
    if same(known[index].value, new):
        return value
    base, entries = listed(value, coded=True)
    entry = entries[index]
    if new is MISSING or isinstance(entry, dict):
        return put(value, join(base, index, "weight"), new if new is MISSING else _checked(new))
    weighted: JsonObject = {"ref": entry, "weight": _checked(new)}
    if base == REFS.where(value):
        return _as_configs(value, [{"ref": ref} for ref in entries], index, weighted)
    return put(value, join(base, index), weighted)


def _checked(new: JsonValue) -> float:
    if isinstance(new, (int, float)) and not isinstance(new, bool) and new >= 0:
        return new
    raise FormatError("A weight is a number from 0 up", hint="Write a number such as 1 or 2.5.")


def _as_configs(
    value: JsonValue, configs: JsonArray, index: int, weighted: JsonObject
) -> JsonValue:
    """Return the set with its list of ids as a list of objects, at the place that the list has."""
    configs[index] = weighted
    old = REFS.where(value)[1:]
    name = CONFIGS.keys[0].choose({old: []}, "camel")
    # An empty list of the other kind says nothing, and would be in the way of this one.
    bare = CONFIGS.put(value, MISSING, "camel")
    held = bare if isinstance(bare, dict) else {}
    return {(name if at == old else at): (configs if at == old else v) for at, v in held.items()}
