"""UiPath's cases in outline, coded and low-code ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from evalcore.formats._uipath.set_view import (
    CRITERIA,
    EXPECTED_OUTPUT,
    Case,
    SetView,
    camel,
)
from evalcore.formats.base import Alone, Detection
from evalcore.formats.lenses import Key
from evalcore.formats.outlines import Exchange, Outline, Placed
from evalcore.jsontree import MISSING, JsonValue

_GIVEN = (camel("inputs"), camel("conversational_inputs"))
_AROUND = tuple(
    map(
        camel,
        (
            "mocking_strategy",
            "input_mocking_strategy",
            "simulate_input",
            "input_generation_instructions",
            "simulate_tools",
            "simulation_instructions",
            "tools_to_simulate",
        ),
    )
)
_EXPECTED = (EXPECTED_OUTPUT, camel("conversational_expected_output"))
_ONE_ANSWER = (EXPECTED_OUTPUT, camel("expected_class"))


def outlines(value: JsonValue, detection: Detection) -> Iterator[Outline]:
    """Yield the cases of a set of either kind."""
    if not isinstance(value, dict):
        return
    view = SetView(value, detection, PurePath(), Alone())
    for case in view.cases:
        given = tuple(_held(case, _GIVEN))
        around = tuple(_held(case, _AROUND))
        expected = _expected(case)
        partial = frozenset(n for n, held in expected.items() if not _is_whole(n, held.value))
        exchange = Exchange(given, expected, partial)
        yield Outline(case.pointer, case.label, (exchange,), around)


def _is_whole(name: str, value: JsonValue) -> bool:
    """Return whether only one answer can meet what is expected."""
    return not name.startswith("criteria ") or any(key.find(value) for key in _ONE_ANSWER)


def _held(case: Case, names: tuple[Key, ...]) -> Iterator[Placed]:
    for name in names:
        found = case.get(name)
        if found is not MISSING and found is not None:
            yield Placed(case.at(name), found)


def _expected(case: Case) -> dict[str, Placed]:
    """Return what is compared; expected behaviour is text for a judge, and may well differ."""
    found = {placed.pointer.rpartition("/")[2]: placed for placed in _held(case, _EXPECTED)}
    criteria = case.get(CRITERIA)
    for name, held in criteria.items() if isinstance(criteria, dict) else ():
        found[f"criteria {name}"] = Placed(case.at(CRITERIA, name), held)
    return found
