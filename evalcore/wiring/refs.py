"""The evaluators that a UiPath set names: attach, detach, rename and remove them, tree to tree.

A set names an evaluator in ``evaluatorRefs`` or ``evaluatorConfigs``, and the cases of a coded set
say under the same name what they expect of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from evalcore.errors import FormatError
from evalcore.formats._uipath.ids import fold_guid
from evalcore.formats._uipath.recognise import CODED
from evalcore.formats._uipath.refs import CONFIGS, REFS, EvaluatorRefs, ref_of
from evalcore.formats.lenses import At, key
from evalcore.jsontree import JsonArray, JsonObject, JsonValue, get, join, put, same

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
    return [index for index, found, _at in _criteria(tree) if any(_is(n, ref) for n in found)]


def renamed(tree: JsonValue, names: Mapping[str, str]) -> JsonValue:
    """Return a set in which evaluators have other names, everywhere where theirs stand.

    ``names`` are the new ones by the old, which match as UiPath compares them. All change at once:
    a name that is both old and new is not changed twice. Raises FormatError where a set or a
    case has one of the new names already, of something else.
    """
    wanted = {fold_guid(old): new for old, new in names.items()}
    for lens in (REFS, CONFIGS):
        listed = lens.get(tree)
        if isinstance(listed, list):
            entries = [_entry_called(entry, wanted) for entry in listed]
            _refuse_twice(listed, entries)
            tree = tree if same(entries, listed) else put(tree, lens.where(tree), entries)
    for index, criteria, at in list(_criteria(tree)):
        if any(fold_guid(name) in wanted for name in criteria):
            tree = put(tree, at, _called(criteria, wanted, index))
    return tree


def _entry_called(entry: JsonValue, wanted: Mapping[str, str]) -> JsonValue:
    new = wanted.get(fold_guid(ref_of(entry) or ""))
    if new is None:
        return entry
    return {**entry, "ref": new} if isinstance(entry, dict) else new


def _refuse_twice(old: JsonArray, new: JsonArray) -> None:
    """Raise FormatError where a new name would stand beside the same one that was there."""
    for before, after in zip(old, new, strict=True):
        if not same(before, after) and ref_of(after) in map(ref_of, old):
            raise FormatError(
                f"The set names {ref_of(after)!r} already",
                hint="Take it out of the set first, or choose another id.",
            )


def _called(criteria: JsonObject, wanted: Mapping[str, str], index: int) -> JsonObject:
    """Return a case's criteria under other names, in their order."""
    found: JsonObject = {}
    for name, value in criteria.items():
        new = wanted.get(fold_guid(name), name)
        if new in found:
            raise FormatError(
                f"Case {index + 1} says something of {new!r} already",
                hint="Remove it from that case first, or choose another id.",
            )
        found[new] = value
    return found


def removed(tree: JsonValue, format_id: str, ref: str) -> JsonValue:
    """Return a set in which nothing names an evaluator any more.

    Where it was the last one of the list that UiPath uses, a list that was not used stays unused.
    """
    used = _lens(format_id)
    listed = attached(tree, format_id)
    if listed and all(_is(name, ref) for name in listed):
        tree = used.put(tree, [], "camel")
    for lens in (REFS, CONFIGS):
        entries = lens.get(tree)
        if isinstance(entries, list) and any(_is(ref_of(entry), ref) for entry in entries):
            kept: JsonArray = [entry for entry in entries if not _is(ref_of(entry), ref)]
            tree = put(tree, lens.where(tree), kept)
    return without_criteria(tree, ref)


def without_criteria(tree: JsonValue, ref: str) -> JsonValue:
    """Return a set in which no case says anything of an evaluator."""
    for _index, criteria, at in list(_criteria(tree)):
        if any(_is(name, ref) for name in criteria):
            tree = put(tree, at, {n: v for n, v in criteria.items() if not _is(n, ref)})
    return tree


def _is(name: str | None, ref: str) -> bool:
    return name is not None and fold_guid(name) == fold_guid(ref)


def _lens(format_id: str) -> At | EvaluatorRefs:
    return EvaluatorRefs() if format_id == CODED else REFS


def _criteria(tree: JsonValue) -> Iterator[tuple[int, JsonObject, str]]:
    """Yield the place of each case with criteria, these, and their pointer."""
    cases = get(tree, CASES)
    for index, raw in enumerate(cases if isinstance(cases, list) else ()):
        found = CRITERIA.get(raw)
        if isinstance(found, dict):
            yield index, found, join(CASES, index) + CRITERIA.where(raw)
