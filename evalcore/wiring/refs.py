"""The evaluators that a UiPath set names: attach, detach, rename and remove them, tree to tree.

A set names an evaluator in ``evaluatorRefs`` or ``evaluatorConfigs``, and the cases of a coded set
say under the same name what they expect of it.
"""

from __future__ import annotations

from collections.abc import Iterator

from evalcore.formats._uipath.recognise import CODED
from evalcore.formats._uipath.refs import CONFIGS, REFS, EvaluatorRefs, ref_of
from evalcore.formats.lenses import At, key
from evalcore.jsontree import JsonArray, JsonObject, JsonValue, get, join, put

CRITERIA = At(key("evaluation_criterias", first="camel"))
CASES = "/evaluations"


def attached(tree: JsonValue, format_id: str) -> list[str]:
    """Return the evaluators that a set names, in its order."""
    found = _lens(format_id).get(tree)
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def attach(tree: JsonValue, format_id: str, ref: str) -> JsonValue:
    """Return a set that names one more evaluator, at the end of the list that UiPath uses."""
    listed = attached(tree, format_id)
    return tree if ref in listed else _lens(format_id).put(tree, [*listed, ref], "camel")


def detach(tree: JsonValue, format_id: str, ref: str) -> JsonValue:
    """Return a set that no longer names an evaluator; what cases say of it stays."""
    listed = attached(tree, format_id)
    if ref not in listed:
        return tree
    return _lens(format_id).put(tree, [name for name in listed if name != ref], "camel")


def cases_with(tree: JsonValue, ref: str) -> list[int]:
    """Return the cases that say something of an evaluator."""
    return [index for index, criteria, _at in _criteria(tree) if ref in criteria]


def renamed(tree: JsonValue, old: str, new: str) -> JsonValue:
    """Return a set in which an evaluator has another name, everywhere where it stands."""
    for lens in (REFS, CONFIGS):
        listed = lens.get(tree)
        for index, entry in enumerate(listed if isinstance(listed, list) else ()):
            if ref_of(entry) == old:
                where = join(lens.where(tree), index)
                tree = put(tree, join(where, "ref") if isinstance(entry, dict) else where, new)
    for _index, criteria, at in list(_criteria(tree)):
        if old in criteria and new not in criteria:
            tree = put(tree, at, {(new if n == old else n): v for n, v in criteria.items()})
    return tree


def removed(tree: JsonValue, ref: str) -> JsonValue:
    """Return a set in which nothing names an evaluator any more."""
    for lens in (REFS, CONFIGS):
        listed = lens.get(tree)
        if isinstance(listed, list) and any(ref_of(entry) == ref for entry in listed):
            kept: JsonArray = [entry for entry in listed if ref_of(entry) != ref]
            tree = put(tree, lens.where(tree), kept)
    return without_criteria(tree, ref)


def without_criteria(tree: JsonValue, ref: str) -> JsonValue:
    """Return a set in which no case says anything of an evaluator."""
    for _index, criteria, at in list(_criteria(tree)):
        if ref in criteria:
            tree = put(tree, at, {n: v for n, v in criteria.items() if n != ref})
    return tree


def _lens(format_id: str) -> At | EvaluatorRefs:
    return EvaluatorRefs() if format_id == CODED else REFS


def _criteria(tree: JsonValue) -> Iterator[tuple[int, JsonObject, str]]:
    """Yield the place of each case with criteria, these, and their pointer."""
    cases = get(tree, CASES)
    for index, raw in enumerate(cases if isinstance(cases, list) else ()):
        found = CRITERIA.get(raw)
        if isinstance(found, dict):
            yield index, found, join(CASES, index) + CRITERIA.where(raw)
