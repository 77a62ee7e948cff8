"""What mends a mock: UiPath loads a faulty one and then lets the real tool run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalcore.errors import Problem
from evalcore.formats._uipath import mock_order
from evalcore.formats._uipath.mock_values import (
    ANY,
    ANY_NAMES,
    TARGET,
    exception,
    fault,
    is_built,
)
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
    if is_built(found) and tokens[-1] == "args":
        return removed(tree, at.rpartition("/")[0])
    if isinstance(found, dict) and tokens[-1] == "args":
        return _by_name(tree, at, found)
    if isinstance(found, dict) and "type" in found and holder == "then" and "value" not in found:
        label = "Write that it returns null"
        return written(tree, at, {**found, "value": None}, label, is_safe=False)
    return None


def _by_name(tree: JsonValue, at: str, found: JsonValue) -> Fix | None:
    """Move arguments that have names from the list of those by position to those by name."""
    parent = at.rpartition("/")[0]
    arguments = get(tree, parent)
    if not isinstance(arguments, dict) or arguments.get("kwargs"):
        return None
    moved = put(tree, parent, {**arguments, "args": [], "kwargs": found})
    return Fix("Move them to “kwargs”, as they have names", moved)


def _wider_first(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Move the mock that hides another one before it; of two for the same calls one goes."""
    pointer, index = problem.pointer.rpartition("/")[0], int(split(problem.pointer)[-1])
    listed = get(tree, pointer)
    if not isinstance(listed, list):
        return None
    found = _hidden(listed).get(index)
    if found is None:
        return None
    by, is_general = found
    function = _of(listed[index], "function")
    first = next(i for i, mock in enumerate(listed) if _of(mock, "function") == function)
    to = first if is_general else index
    rest = [*listed[:by], *listed[by + 1 :]]
    moved = [*rest[:to], listed[by], *rest[to:]]
    if len(_hidden(moved)) >= len(_hidden(listed)):
        return removed(tree, problem.pointer, what=f"mock {index + 1}, which never answers")
    label = f"Put the mock of “{function}” without arguments first"
    return written(tree, pointer, moved, label if is_general else f"Put mock {by + 1} before it")


def _hidden(listed: Sequence[JsonValue]) -> Mapping[int, tuple[int, bool]]:
    return mock_order.hidden([mock if isinstance(mock, dict) else {} for mock in listed])


def _of(mock: JsonValue, name: str) -> JsonValue:
    return mock.get(name) if isinstance(mock, dict) else None


def _passed_on(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Raise what needs no other code in the agent; that it is another one is for a person."""
    label = "Raise NotImplementedError, which the agent sees as it is"
    value = exception("NotImplementedError")
    return written(tree, problem.pointer, value, label, is_safe=False)


def _built(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    """Name the exception that was meant; take away what an object is built with in vain."""
    found = get(tree, problem.pointer)
    if problem.pointer.endswith("/kwargs"):
        return removed(tree, problem.pointer.rpartition("/")[0], what="“arguments”, for any call")
    if problem.wanted and isinstance(found, dict):
        label = f"Write “{problem.wanted}”"
        return written(tree, problem.pointer, {**found, TARGET: problem.wanted}, label)
    if isinstance(found, dict) and len(found) > 1 and not fault({TARGET: found[TARGET]}):
        bare: JsonValue = {TARGET: found[TARGET]}
        label = f"Build {found[TARGET]} without values"
        return written(tree, problem.pointer, bare, label, is_safe=False)
    return None


def _any(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    found = get(tree, problem.pointer)
    sure = isinstance(found, str) and found in ANY_NAMES
    return written(tree, problem.pointer, dict(ANY), "Accept any value here", is_safe=sure)


def _as_expected(tree: JsonValue, problem: Problem, site: Site) -> Fix | None:
    label = f"Write “{problem.wanted}”"
    return written(tree, problem.pointer, problem.wanted, label, is_safe=False)


MOCKS: Mapping[str, Fixer] = {
    "unknown_mock_type": _known_type,
    "mock_not_used": _usable,
    "behaviors_not_read": without(),
    "mock_hidden": _wider_first,
    "mock_of_bare_calls": without(),
    "mock_any_as_text": _any,
    "mock_any_inside": _any,
    "mock_without_answer": constant(
        [{"type": "return", "value": None}], "Write that it returns null", is_safe=False
    ),
    "mock_raises_no_exception": _passed_on,
    "mock_exception_wrapped": _passed_on,
    "mock_not_built": _built,
    "mock_of_other_tool": _as_expected,
}
