"""The options of ``evaldesk case add`` as parts of a case, each in its format's own home for it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from evalcore.errors import EvaldeskError

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens

USUAL: Final[Mapping[str, Any]] = {
    "simulate_input": False,
    "simulate_tools": False,
    "simulation_instructions": "",
    "input_generation_instructions": "",
}
"""What UiPath's own command writes where nothing is said."""
BEHAVIOR: Final = "--expected-agent-behavior"
INPUT, INPUT_WORDS = "--simulate-input", "--input-generation-instructions"
TOOLS, TOOL_NAMES, WORDS = "--simulate-tools", "--tools-to-simulate", "--simulation-instructions"


@dataclass(frozen=True, slots=True)
class Home:
    """Which formats have a place for an option, and what to do in those that have none."""

    fields: tuple[str, ...]
    lacking: str
    instead: str

    def is_in(self, lens: EvalSetLens) -> bool:
        """Return whether cases of a format have one of the fields that take the option."""
        known = {field.name for field in (*lens.case_fields, *lens.invocation_fields)}
        return not known.isdisjoint(self.fields)


_BEHAVIOR = Home(
    ("expected_behavior", "rubrics"),
    "no case says in words what the agent should do",
    "Write it as a rubric into the set's config, on page Evaluators of `evaldesk serve`, or name "
    "the tools that must be called with --expected-tools.",
)
_INPUT = Home(
    ("simulate_input", "input_mocking", "scenario.plan"),
    "its files hold no simulated users and no made-up inputs",
    "Write the inputs out: one case for each.",
)
_TOOLS = Home(
    ("simulate_tools", "mocking"),
    "its runs always call the real tools",
    "Leave it out, and give the agent stand-ins for its tools in its own code.",
)
HOMES: Final[Mapping[str, Home]] = {
    BEHAVIOR: _BEHAVIOR,
    INPUT: _INPUT,
    INPUT_WORDS: _INPUT,
    TOOLS: _TOOLS,
    TOOL_NAMES: _TOOLS,
    WORDS: _TOOLS,
}


def parts_of(
    arguments: argparse.Namespace, lens: EvalSetLens, label: str, said: str
) -> dict[str, Any]:
    """Return the fields of a case that the options fill, by their canonical names.

    ``label`` is what the format is called, ``said`` what the user says first. Raises EvaldeskError
    for an option that the format has no place for: with the formats that have one, and what to do
    instead.
    """
    _refuse_homeless(arguments, lens, label)
    found: dict[str, Any] = {}
    if arguments.expected_agent_behavior is not None:
        found["expected_behavior"] = arguments.expected_agent_behavior
    known = {field.name for field in lens.case_fields}
    ways: tuple[tuple[str, Callable[[], Iterator[tuple[str, Any]]]], ...] = (
        ("simulate_tools", lambda: _switches(arguments)),
        ("mocking", lambda: _strategies(arguments)),
        ("scenario.plan", lambda: _simulated_user(arguments, said)),
    )
    for name, way in ways:
        if name in known:
            found.update(way())
    return found


def simulates_user(arguments: argparse.Namespace, lens: EvalSetLens) -> bool:
    """Return whether the options ask for a simulated user instead of turns."""
    is_asked = arguments.simulate_input or arguments.input_generation_instructions is not None
    return is_asked and any(field.name == "scenario.plan" for field in lens.case_fields)


def names_in(given: str | None) -> list[str]:
    """Return the names in a list with commas."""
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _given(arguments: argparse.Namespace, option: str) -> bool:
    value = getattr(arguments, option.removeprefix("--").replace("-", "_"))
    return value is not None and value is not False


def _refuse_homeless(arguments: argparse.Namespace, lens: EvalSetLens, label: str) -> None:
    from evalcore.formats import built_in

    for option, home in HOMES.items():
        if _given(arguments, option) and not home.is_in(lens):
            having = [f.label for f in built_in() if home.is_in(f.eval_sets)]
            raise EvaldeskError(
                f"{option} has no place in a set of {label}: {home.lacking}",
                hint=f"Sets of {', '.join(having)} have it. {home.instead}",
            )


def _switches(arguments: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    given = {
        "simulate_input": arguments.simulate_input or None,
        "simulate_tools": arguments.simulate_tools or None,
        "simulation_instructions": arguments.simulation_instructions,
        "input_generation_instructions": arguments.input_generation_instructions,
        "tools_to_simulate": names_in(arguments.tools_to_simulate) or None,
    }
    for name, value in given.items():
        if value is not None:
            yield name, value
        elif name in USUAL:
            yield name, USUAL[name]


def _strategies(arguments: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Yield what UiPath's coded sets have in place of the switches of low-code ones."""
    tools = names_in(arguments.tools_to_simulate)
    if any(_given(arguments, option) for option in (TOOLS, TOOL_NAMES, WORDS)):
        if not tools:
            raise EvaldeskError(
                f"{TOOLS} says nothing alone: coded sets name each tool that is simulated",
                hint=f"Add {TOOL_NAMES} with their names.",
            )
        yield (
            "mocking",
            {
                "type": "llm",
                "prompt": arguments.simulation_instructions or "",
                "toolsToSimulate": [{"name": name} for name in tools],
            },
        )
    if arguments.simulate_input or arguments.input_generation_instructions is not None:
        yield "input_mocking", {"prompt": arguments.input_generation_instructions or ""}


def _simulated_user(arguments: argparse.Namespace, said: str) -> Iterator[tuple[str, Any]]:
    """Yield the scenario of a user whose messages a model writes, where sets have those."""
    if not arguments.simulate_input and arguments.input_generation_instructions is None:
        return
    if not (arguments.simulate_input and arguments.input_generation_instructions):
        raise EvaldeskError(
            f"A simulated user needs both {INPUT} and {INPUT_WORDS}",
            hint=f"{INPUT_WORDS} says what the user wants; --inputs is what the user says first.",
        )
    for option in ("--expected", "--expected-tools"):
        if _given(arguments, option):
            raise EvaldeskError(
                f"{option} has no place beside {INPUT}: what a simulated user says is not known, "
                "so no turn has a reply or tools to compare",
                hint=f"Say what the agent should do with {BEHAVIOR}; it becomes a rubric.",
            )
    yield "scenario.starting_prompt", said
    yield "scenario.plan", arguments.input_generation_instructions
