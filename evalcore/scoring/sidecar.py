r"""Evaldesk's own checks of an eval set, kept in a file beside it that no other system reads.

    {
      "evaldesk": 1,
      "checks": [
        {"name": "order id", "kind": "evaldesk.regex", "params": {"pattern": "ORD-\\\\d+"}}
      ],
      "cases": {"small-talk": {"order id": null}}
    }

``cases`` replaces single parameters of a check for one case, or switches it off with null. The file
is read and edited as a document: what it holds beyond this stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build, kinds
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join, put
from evalcore.scoring.checks import Check

SUFFIX: Final = ".evaldesk.json"
PREFIX: Final = "evaldesk."
VERSION: Final = 1


def sidecar_path(set_path: str, format_id: str) -> str:
    """Return the path of the file with our checks of a set.

    It lies beside the set wherever the set's system lets a strange file lie there: Harnest refuses
    all but names with a leading ``_``, and UiPath takes every JSON file in ``eval-sets`` for a set,
    so there it lies one folder up.
    """
    path = PurePosixPath(set_path)
    name = path.name.removesuffix(".json") + SUFFIX
    if format_id == "harnest":
        return str(path.with_name(f"_{name}"))
    if format_id.startswith("uipath") and path.parent.name == "eval-sets":
        return str(path.parent.with_name(name))
    return str(path.with_name(name))


def read_checks(value: JsonValue) -> tuple[Check, ...]:
    """Return the checks in a sidecar file; one that cannot be built has its problem.

    Raises EvaldeskError for a file that is no sidecar, or of a version that is not known.
    """
    if not isinstance(value, dict) or value.get("evaldesk") != VERSION:
        raise EvaldeskError(
            "This is no file of Evaldesk's checks",
            hint=f'It should be an object with "evaldesk": {VERSION}.',
        )
    cases = value.get("cases")
    found: list[Check] = []
    for raw in _checks(value):
        check = _check(raw, cases if isinstance(cases, dict) else {})
        if any(known.answers_to(check.ref) for known in found):
            raise EvaldeskError(
                f"Two checks are called {check.ref!r}", hint="Give each a name of its own."
            )
        found.append(check)
    return tuple(found)


def blank() -> JsonObject:
    """Return a sidecar file without checks."""
    return {"evaldesk": VERSION, "checks": []}


def with_check(value: JsonValue, name: str, kind: str, params: JsonObject) -> JsonValue:
    """Return a sidecar's tree with a check added, or the one of that name replaced.

    Raises EvaldeskError for a kind that is not one of ours, and for parameters that it does not
    take: nothing that cannot run is written.
    """
    if not kind.startswith(PREFIX) or kind not in kinds():
        ours = ", ".join(k for k in kinds() if k.startswith(PREFIX))
        raise EvaldeskError(f"{kind!r} is no check of Evaldesk's own", hint=f"Use one of: {ours}.")
    if not name.strip():
        raise EvaldeskError("A check needs a name", hint="Give it one that no other check has.")
    build(kind, params, name)
    if not isinstance(get(value, "/checks"), list):
        value = put(value, "/checks", [])
    place = _place(value, name)
    old = get(value, place)
    kept = old if isinstance(old, dict) else {}
    return put(value, place, {**kept, "name": name, "kind": kind, "params": params})


def without_check(value: JsonValue, name: str) -> JsonValue:
    """Return a sidecar's tree without a check and without what cases say of it."""
    place = _place(value, name)
    if get(value, place) is not MISSING:
        value = put(value, place, MISSING)
    cases = get(value, "/cases")
    for case_id, stated in cases.items() if isinstance(cases, dict) else ():
        if isinstance(stated, dict) and name in stated:
            value = put(value, join("/cases", case_id, name), MISSING)
    return value


def with_case(
    value: JsonValue, case_id: str, name: str, params: JsonValue | None, *, keep: bool = True
) -> JsonValue:
    """Return a tree in which a case has parameters of its own for a check; None switches it off.

    ``keep=False`` removes what the case says.
    """
    place = join("/cases", case_id, name)
    if keep:
        return put(value, place, params)
    return value if get(value, place) is MISSING else put(value, place, MISSING)


def _checks(value: JsonObject) -> Iterator[JsonObject]:
    found = value.get("checks")
    for number, raw in enumerate(found if isinstance(found, list) else (), 1):
        if not isinstance(raw, dict) or not isinstance(raw.get("name"), str):
            raise EvaldeskError(
                f"Check {number} has no name",
                hint='Write {"name": …, "kind": "evaldesk.…", "params": {…}}.',
            )
        yield raw


def _check(raw: JsonObject, cases: JsonObject) -> Check:
    name, kind, params = str(raw["name"]), raw.get("kind"), raw.get("params", {})
    by_case = {
        case_id: stated[name]
        for case_id, stated in cases.items()
        if isinstance(stated, dict) and name in stated
    }
    try:
        if not isinstance(kind, str) or not kind.startswith(PREFIX):
            raise EvaldeskError(f"{kind!r} is no check of Evaldesk's own")
        if not isinstance(params, dict):
            raise EvaldeskError(f"The parameters of {name} are no object")
        evaluator = build(kind, params, name)
    except EvaldeskError as error:
        return Check(name, name, None, error.message, error.hint, is_own=True, by_case=by_case)
    return Check(name, name, evaluator, is_own=True, by_case=by_case)


def _place(value: JsonValue, name: str) -> str:
    found = get(value, "/checks")
    items = found if isinstance(found, list) else []
    for index, raw in enumerate(items):
        if isinstance(raw, dict) and raw.get("name") == name:
            return join("/checks", index)
    return join("/checks", len(items))
