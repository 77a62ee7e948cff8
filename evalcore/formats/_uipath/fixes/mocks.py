"""What mends a mock: UiPath loads a faulty one and then lets the real tool run."""

from __future__ import annotations

from collections.abc import Mapping

from evalcore.errors import Problem
from evalcore.formats.fixes import Fix, Fixer, Site, constant, removed, without, written
from evalcore.jsontree import JsonValue, get, put, split


def _known_type(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    lowered = found.lower().strip() if isinstance(found, str) else ""
    if lowered not in ("llm", "mockito"):
        return None
    return written(tree, problem.pointer, lowered, f"Write “{lowered}”")


def _usable(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Mend the slips of which only one reading is possible."""
    at, found = problem.pointer, get(tree, problem.pointer)
    tokens = split(at)
    holder = tokens[-2] if len(tokens) > 1 else ""
    if isinstance(found, str) and holder in ("toolsToSimulate", "tools_to_simulate"):
        return written(tree, at, {"name": found}, f"Write it as an object with the name “{found}”")
    if isinstance(found, str) and tokens[-1] == "model":
        label = f"Write it as an object with the model “{found}”"
        return written(tree, at, {"model": found}, label)
    if isinstance(found, str) and tokens[-1] == "type" and found.lower() in ("return", "raise"):
        return written(tree, at, found.lower(), f"Write “{found.lower()}”")
    if isinstance(found, dict) and tokens[-1] == "args":
        return _by_name(tree, at, found)
    return None


def _by_name(tree: JsonValue, at: str, found: JsonValue) -> Fix | None:
    """Move arguments that have names from the list of those by position to those by name."""
    parent = at.rpartition("/")[0]
    arguments = get(tree, parent)
    if not isinstance(arguments, dict) or arguments.get("kwargs"):
        return None
    moved = put(tree, parent, {**arguments, "args": [], "kwargs": found})
    return Fix("Move them to “kwargs”, as they have names", moved)


def _general_first(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Put the mocks of one function without arguments before its others."""
    pointer, index = problem.pointer.rpartition("/")[0], int(split(problem.pointer)[-1])
    listed = get(tree, pointer)
    if not isinstance(listed, list):
        return None
    function = _of(listed[index], "function")
    places = [i for i, mock in enumerate(listed) if _of(mock, "function") == function]
    ordered = sorted((listed[i] for i in places), key=lambda m: _of(m, "arguments") is not None)
    general = [mock for mock in ordered if _of(mock, "arguments") is None]
    if len(general) > 1:
        # Of two general ones the first never answers, wherever it stands.
        return removed(tree, problem.pointer) if _of(listed[index], "arguments") is None else None
    moved = list(listed)
    for place, mock in zip(places, ordered, strict=True):
        moved[place] = mock
    return written(tree, pointer, moved, f"Put the mock of “{function}” without arguments first")


def _of(mock: JsonValue, name: str) -> JsonValue:
    return mock.get(name) if isinstance(mock, dict) else None


def _exception(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Name an exception; which one, and that its text is dropped, is for a person to decide."""
    value: JsonValue = {"_target_": "builtins.ValueError"}
    return written(tree, problem.pointer, value, "Raise a ValueError instead", is_safe=False)


MOCKS: Mapping[str, Fixer] = {
    "unknown_mock_type": _known_type,
    "mock_not_used": _usable,
    "behaviors_not_read": without(),
    "mock_hidden": _general_first,
    "mock_of_bare_calls": without(),
    "mock_without_answer": constant(
        [{"type": "return", "value": None}], "Write that it returns null", is_safe=False
    ),
    "mock_raises_no_exception": _exception,
}
