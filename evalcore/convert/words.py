"""What a report calls the parts of a set, and what it says of those without a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from evalcore.jsontree import JsonValue, is_within, same, split

if TYPE_CHECKING:
    from evalcore.convert.atlas import Address, Atlas
    from evalcore.formats.evalset import EvalSetLens

SPARE: Final = "It says nothing that the new file needs."
NOT_HELD: Final = "It does not read back the same from the new file."
LEFT_OUT: Final = "The whole case is left out."
NOTHING: Final[tuple[JsonValue, ...]] = (None, "", [], {})
RANKS: Final = {"main": 0, "expected": 0, "checks": 1, "session": 2, "mocks": 2, "more": 3}
"""How much the fields of each group matter, the least number the most."""
_OFF: Final = frozenset(
    {"simulate_tools", "simulate_input", "agent_memory_enabled", "line_by_line"}
)
"""Switches that are off where nothing is said of them."""
_MARKS: Final = frozenset({"version", "file_name"})
"""Fields by which a file says what it is and where it lies."""


class Said(NamedTuple):
    """What a report says of a value: its part, its place in it, why it is lost, what to do."""

    title: str
    name: str
    why: str
    hint: str = ""
    rank: int = 0


class _Advice(NamedTuple):
    why: str
    hint: str = ""


_NO_PLACE: Final = _Advice("The new format has no place for it.")
_ON_PAGE: Final = "Set up evaluators for the new set on the Evaluators page."
_NO_SESSION: Final = _Advice("In the new format a case starts no session.")
_NO_USER: Final = _Advice(
    "The new format has no simulated user in its files.",
    "Write out the turns that the user would take.",
)
_NO_MOCKS: Final = _Advice(
    "The new format has no mocks of this kind in its files.",
    "Let the agent that is evaluated use tools that touch nothing.",
)
_BOOKKEEPING: Final = _Advice("The system that wrote the file noted it for itself.")
_MEASURED: Final = _Advice("A run recorded it, and the new format keeps no such record in a set.")
_ADVICE: Final[dict[str, _Advice]] = {
    "criteria": _Advice("What an evaluator expects of a case is not converted.", _ON_PAGE),
    "evaluator_refs": _Advice("Evaluators are not converted.", _ON_PAGE),
    "rubrics": _Advice(
        "The new format has no rubrics in its cases.",
        "Write them into the prompt or the criteria of a judge.",
    ),
    "session.state": _Advice(
        "In the new format a case starts with no state.", "Give the agent these values as inputs."
    ),
    "session.app_name": _NO_SESSION,
    "session.user_id": _NO_SESSION,
    "session.session_id": _Advice("The new format pins no session."),
    "session.config": _Advice("In the new format a case has no settings for its run."),
    "scenario.starting_prompt": _NO_USER,
    "scenario.plan": _NO_USER,
    "scenario.persona": _NO_USER,
    "tool_calls": _Advice(
        "In the new format a case holds no expected tool calls.",
        "Say in words what the agent should do, as expected behaviour.",
    ),
    "tool_results": _Advice("The new format has no answers of tools without their calls."),
    "node_order": _Advice("The new format does not compare the nodes of a graph."),
    "expected_behavior": _Advice(
        "The new format has no expected behaviour in words.",
        "Write it as a rubric, where a judge reads it.",
    ),
    **dict.fromkeys(
        (
            "mocking",
            "input_mocking",
            "simulations",
            "simulate_tools",
            "simulation_instructions",
            "tools_to_simulate",
            "simulate_input",
            "input_generation_instructions",
        ),
        _NO_MOCKS,
    ),
    **dict.fromkeys(
        ("created_at", "updated_at", "creation_timestamp", "source", "eval_set_id"), _BOOKKEEPING
    ),
    **dict.fromkeys(("duration", "model_duration", "tool_duration", "app_details"), _MEASURED),
    "id": _Advice("The new format calls it by its name instead."),
}
_BY_EVALUATOR: Final = _Advice(
    "In the new format a case holds expected tool calls only for tool call evaluators.",
    "Make such an evaluator beside the new set and convert again: its criteria are written then.",
)
_OTHER_TURN: Final = _Advice(
    "In the new format a case has one turn.", "Convert again with a case for each turn."
)


@dataclass(frozen=True, slots=True)
class Words:
    """Titles and reasons for one conversion.

    ``set_id`` is the source's own id; ``has_criteria``: a case of the target holds criteria.
    ``other_turns`` are (case, turn) of the source that were not taken.
    """

    set_id: JsonValue
    has_criteria: bool
    other_turns: frozenset[tuple[int, int]] = frozenset()

    def of(self, atlas: Atlas, address: Address) -> Said:
        """Return what is said of a value that a field reads."""
        place = address.place
        title = atlas.fields[place].label
        keys = split(address.path)
        name = _name(keys)
        advice = _ADVICE.get(place.field, _NO_PLACE)
        if (place.case, place.turn) in self.other_turns:
            title, advice = "Turns after the first", _OTHER_TURN
        elif place.field == "criteria" and keys:
            title, name = f"{title}: {keys[0]}", _name(keys[1:])
        elif place.field == "tool_calls" and len(keys) > 1:
            name = _name(keys[1:])
            if keys[1] not in ("name", "args"):
                title, name, advice = f"{title}: {keys[1]}", _name(keys[2:]), _NO_PLACE
            elif self.has_criteria:
                advice = _BY_EVALUATOR
        return Said(title, name, *advice, RANKS[atlas.fields[place].group])

    def unread(self, atlas: Atlas, pointer: str, case: int) -> Said:
        """Return what is said of a leaf that no field reads."""
        start = atlas.cases[case] if case >= 0 else ""
        if case in atlas.opaque:
            why = f"The case has a shape that its own format does not know. {LEFT_OUT}"
            name = _name(split(pointer[len(start) :]))
            return Said("Cases of an unknown shape", name, why, "Mend the original first.")
        area = _area(atlas, pointer)
        name = _name(split(pointer[len(area or start) :])) or "list"
        if not area:
            why = "No field of the old format is called so, nor of the new one."
            return Said(f"“{name}”", "", why, rank=3)
        labels = list(dict.fromkeys(f"“{atlas.fields[p].label}”" for p in atlas.areas[area]))
        last = f" and {labels[-1]}" if len(labels) > 1 else ""
        beside = ", ".join(labels[:-1] if last else labels) + last
        return Said(f"Beside {beside}", name, "Only the old format has it there.", rank=2)

    def is_spare(self, address: Address, leaf: JsonValue) -> bool:
        """Return whether a value without a place says nothing that the new file needs."""
        name = address.place.field
        if name == "criteria" and address.path:
            # Null asks an evaluator to take its defaults, which is something.
            return False
        if name in _MARKS or says_nothing(leaf):
            return True
        if name == "eval_set_id":
            return same(leaf, self.set_id)
        return leaf is False and (name in _OFF or address.path.endswith("/isError"))


def _name(keys: Sequence[str]) -> str:
    """Return a path for people, without the numbers of items."""
    return " › ".join(key for key in keys if not key.isdecimal())


def _area(atlas: Atlas, pointer: str) -> str:
    """Return the smallest part of the file that fields look at around a leaf, "" if none does."""
    at = pointer
    while at:
        at = at.rpartition("/")[0]
        if at in atlas.areas:
            break
    return at if is_within(pointer, at) else ""


def says_nothing(leaf: JsonValue) -> bool:
    """Return whether a leaf is null or empty."""
    return any(same(leaf, nothing) for nothing in NOTHING)


def set_id_of(lens: EvalSetLens, tree: JsonValue) -> JsonValue:
    """Return the id of a set, None where it has none."""
    known = next((f for f in lens.set_fields if f.name == "id"), None)
    found = known.lens.get(tree) if known is not None else None
    return found if isinstance(found, str) else None
