"""What mends the frame of a set, its ids and its references to evaluators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from uuid import uuid4

from evalcore.errors import Problem
from evalcore.formats._uipath.ids import is_guid
from evalcore.formats._uipath.refs import CONFIGS, REFS, ref_of
from evalcore.formats._uipath.set_view import CRITERIA, SetView
from evalcore.formats.fixes import (
    Fix,
    Fixer,
    Site,
    first_of,
    fresh,
    removed,
    renamed,
    without,
    written,
)
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join, put, split


def view_of(tree: JsonValue, site: Site) -> SetView | None:
    """Return a set as the checks see it, None if the tree is no object."""
    if not isinstance(tree, dict):
        return None
    return SetView(tree, site.detection, site.path, site.near)


def _version(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    if not isinstance(tree, dict):
        return None
    rest = {name: held for name, held in tree.items() if name != "version"}
    return Fix("Write “version”: “1.0” at the top", {"version": "1.0", **rest})


def _missing(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    name, at = problem.wanted, problem.pointer
    held = get(tree, at)
    if name == "type" and isinstance(held, dict):
        return _strategy(tree, held, at)
    values = dict(_values(tree, held, at, site))
    if name not in values or not isinstance(held, dict):
        return None
    value = values[name]
    shown = f"“{value}”" if isinstance(value, str) else "{}"
    return written(tree, join(at, name), value, f"Add “{name}”: {shown}")


def _strategy(tree: JsonValue, held: JsonObject, at: str) -> Fix | None:
    """Name the kind of mocks by what is in them; nothing in them means that there are none."""
    if not held:
        return written(tree, at, None, "Write null: no tool is mocked")
    kinds = {"config": "mockito", "behaviors": "mockito", "toolsToSimulate": "llm"}
    found = first_of(kind for key, kind in kinds.items() if key in held)
    if found is None:
        return None
    return written(tree, at, {"type": found, **held}, f"Add “type”: “{found}”")


def _values(
    tree: JsonValue, held: JsonValue | object, at: str, site: Site
) -> Iterator[tuple[str, JsonValue]]:
    """Yield what a member must be where it must be there and nothing else is possible."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    own = held if isinstance(held, dict) else {}
    named = own.get("name") or own.get("id")
    tokens = split(at)
    number = int(tokens[-1]) + 1 if tokens and tokens[-1].isdecimal() else 1
    yield from (("createdAt", now), ("updatedAt", now), ("inputs", {}), ("expectedOutput", {}))
    yield "fileName", site.path.name
    yield "evaluatorConfig", {}
    yield "evaluationCriterias", {}
    yield (
        "name",
        named if isinstance(named, str) else f"Case {number}" if tokens else site.path.stem,
    )
    yield "id", _new_id(tree, site)
    set_id = get(tree, "/id")
    if isinstance(set_id, str):
        yield "evalSetId", set_id


def _new_id(tree: JsonValue, site: Site) -> str:
    view = view_of(tree, site)
    ids = [case.raw.get("id") for case in view.cases] if view else []
    if site.detection.format_id == "uipath_lowcode" or any(is_guid(str(i)) for i in ids if i):
        return str(uuid4())
    return fresh(f"{site.path.stem}-{len(ids) + 1}", [i for i in ids if i])


def _other_id(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found, view = get(tree, problem.pointer), view_of(tree, site)
    if not isinstance(found, str) or view is None:
        return None
    taken = [case.raw.get("id") for case in view.cases]
    name = str(uuid4()) if is_guid(found) else fresh(found, [t for t in taken if t])
    return written(tree, problem.pointer, name, f"Give it the id “{name}”")


def _other_name(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found, view = get(tree, problem.pointer), view_of(tree, site)
    if not isinstance(found, str) or view is None:
        return None
    taken = {case.raw.get("name") for case in view.cases if isinstance(case.raw.get("name"), str)}
    name = next(n for i in range(2, len(taken) + 3) if (n := f"{found} ({i})") not in taken)
    return written(tree, problem.pointer, name, f"Call it “{name}”")


def _lower_case(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    if not isinstance(found, str):
        return None
    return written(tree, problem.pointer, found.lower(), "Write it in lower case")


def _this_set(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    own = get(tree, "/id")
    if not isinstance(own, str):
        return None
    return written(tree, problem.pointer, own, "Write the id of this set")


def _file_name(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    return written(tree, problem.pointer, site.path.name, f"Write “{site.path.name}”")


def _cases_key(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    cleared = tree
    if isinstance(tree, dict) and tree.get("evaluations") == []:
        cleared = put(tree, "/evaluations", MISSING)
    return renamed(cleared, problem.pointer, "evaluations")


def _evaluator(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Put the id that is meant in place of a stale reference, or take the reference away."""
    old = ref_of(_entry(get(tree, problem.pointer)))
    view = view_of(tree, site)
    if old is None or view is None:
        return None
    if problem.wanted and problem.wanted not in view.refs:
        return Fix(f"Write “{problem.wanted}”", _renamed_ref(tree, old, problem.wanted, view))
    kept = _without_ref(tree, old, view)
    return Fix(f"Remove “{old}” from the set and its cases", kept, is_safe=False)


def _renamed_ref(tree: JsonValue, old: str, new: str, view: SetView) -> JsonValue:
    for lens in (REFS, CONFIGS):
        entries = lens.get(tree)
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            if ref_of(entry) == old:
                at = join(lens.where(tree), index)
                tree = put(tree, join(at, "ref") if isinstance(entry, dict) else at, new)
    for case in view.cases:
        moved = renamed(tree, case.at(CRITERIA, old), new)
        tree = moved.tree if moved is not None else tree
    return tree


def _without_ref(tree: JsonValue, old: str, view: SetView) -> JsonValue:
    for lens in (REFS, CONFIGS):
        entries = lens.get(tree)
        if isinstance(entries, list) and any(ref_of(entry) == old for entry in entries):
            tree = put(tree, lens.where(tree), [e for e in entries if ref_of(e) != old])
    for case in view.cases:
        gone = removed(tree, case.at(CRITERIA, old))
        tree = gone.tree if gone is not None else tree
    return tree


def _configs_as_refs(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    configs, refs = CONFIGS.get(tree), REFS.get(tree)
    names = [ref_of(e) for e in configs] if isinstance(configs, list) else []
    kept: list[JsonValue] = list(refs) if isinstance(refs, list) else []
    kept += [name for name in names if name is not None and name not in kept]
    moved = put(put(tree, CONFIGS.where(tree), MISSING), REFS.where(tree), kept)
    return Fix("List them in “evaluatorRefs”", moved, is_safe=False)


def _entry(found: object) -> JsonValue:
    return found if isinstance(found, (str, dict)) else None


SETS: Mapping[str, Fixer] = {
    "no_version": _version,
    "wrong_version": _version,
    "missing": _missing,
    "duplicate_id": _other_id,
    "duplicate_name": _other_name,
    "guid_in_upper_case": _lower_case,
    "other_set_id": _this_set,
    "file_name_differs": _file_name,
    "cases_under_wrong_key": _cases_key,
    "unknown_evaluator": _evaluator,
    "ref_twice": without(is_safe=True),
    "refs_not_read": without(),
    "configs_not_read": _configs_as_refs,
    "line_flag_on_set": without(),
    "unknown_source": without(),
}
