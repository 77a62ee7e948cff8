"""Add a case to an eval set of any format, list its cases, or remove one.

--inputs is what the agent gets: an object by name, or a text where the user talks. --expected is
the expected output in the same way. An option that the set's format has no place for is refused,
never dropped. What is wrong with the new case is printed, and it is written all the same.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from evalcore.cli._authoring import (
    add_path,
    complain_of,
    editable,
    json_or_text,
    project,
    saved,
    set_entry,
    tell,
)
from evalcore.cli._output import count, print_json, print_text, table
from evalcore.errors import EvaldeskError

if TYPE_CHECKING:
    from evalcore.builder import Case
    from evalcore.drafts import Draft
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsontree import JsonValue


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _configure_add(actions.add_parser("add", help="add a case"))
    for name, summary in (("list", "list the cases of a set"), ("remove", "delete a case")):
        action = actions.add_parser(name, help=summary)
        if name == "remove":
            action.add_argument("name", metavar="ID_OR_NAME")
        action.add_argument("--set", required=True, metavar="SET", help=_SET)
        add_path(action)


_SET = "the set's name, id or file"
USUAL = {
    "simulate_input": False,
    "simulate_tools": False,
    "simulation_instructions": "",
    "input_generation_instructions": "",
}
"""What UiPath's own command writes where nothing is said."""


def _configure_add(add: argparse.ArgumentParser) -> None:
    add.add_argument("name", metavar="NAME")
    add.add_argument("--set", required=True, metavar="SET", help=_SET)
    add.add_argument("--inputs", required=True, metavar="JSON", help="what the agent gets")
    add.add_argument("--expected", metavar="JSON", help="the expected output")
    add.add_argument("--expected-agent-behavior", metavar="TEXT", help="for trajectory judges")
    add.add_argument("--expected-tools", metavar="A,B", help="names of the tools to be called")
    add.add_argument("--tags", metavar="A,B")
    add.add_argument("--simulation-instructions", metavar="TEXT")
    add.add_argument("--simulate-input", action="store_true", help="have the inputs made up")
    add.add_argument("--simulate-tools", action="store_true", help="have tools played by a model")
    add.add_argument("--tools-to-simulate", metavar="A,B", help="only these tools")
    add.add_argument("--input-generation-instructions", metavar="TEXT")
    add_path(add)


def run(arguments: argparse.Namespace) -> int:
    """Do one action; raises EvaldeskError where it cannot be done."""
    place = project(arguments)
    draft = editable(place, set_entry(place, arguments.set).path)
    lens = draft.lens
    if lens is None:
        raise EvaldeskError(f"{draft.path} is no eval set")
    match arguments.action:
        case "add":
            _add(arguments, draft, lens)
            saved(place, draft)
            index = len(lens.raw_cases(draft.tree)) - 1
            where = place.shown(draft.path)
            found = complain_of(place, draft.path, lens.case_pointers(draft.tree)[index])
            tell(
                arguments,
                f"Added {arguments.name} to {where}, now {count(index + 1, 'case')}",
                path=where,
                case=lens.case_id(lens.raw_cases(draft.tree)[index]),
                problems=len(found),
            )
        case "remove":
            index = _index(lens, draft.tree, arguments.name)
            draft.edit(lambda tree: lens.delete_cases(tree, [index]), "Delete a case")
            saved(place, draft)
            where = place.shown(draft.path)
            tell(arguments, f"Deleted {arguments.name} from {where}", path=where)
        case _:
            _list(arguments, lens, draft.tree)
    return 0


def _add(arguments: argparse.Namespace, draft: Draft, lens: EvalSetLens) -> None:
    from evalcore.builder.cases import write_case
    from evalcore.jsontree import put

    if any(arguments.name == lens.case_label(raw) for raw in lens.raw_cases(draft.tree)):
        raise EvaldeskError(
            f"There is already a case called {arguments.name!r}", hint="Choose another name."
        )
    case = _case(arguments, lens, draft.tree)
    now = datetime.now(UTC)

    def change(tree: JsonValue) -> JsonValue:
        raw = write_case(lens, tree, case, arguments.name, now)
        cases: JsonValue = [*lens.raw_cases(tree), raw]
        return put(tree, lens.cases_pointer(tree), cases)

    draft.edit(change, "Add a case")


def _case(arguments: argparse.Namespace, lens: EvalSetLens, tree: JsonValue) -> Case:
    from evalcore.builder import single_turn

    texts = lens.has_turns
    inputs = _said("--inputs", arguments.inputs, texts)
    expected = None
    if arguments.expected is not None:
        expected = _said("--expected", arguments.expected, texts)
    return single_turn(
        inputs,
        expected,
        expected_tools=_names(arguments.expected_tools),
        tags=_names(arguments.tags),
        **dict(_more(arguments, lens)),
        **_criteria(lens, tree),
    )


def _criteria(lens: EvalSetLens, tree: JsonValue) -> dict[str, Any]:
    """Return what has every evaluator of the set score the case, each by its own defaults.

    In formats where a case names its evaluators, one that names none is scored by nothing.
    """
    if not any(f.name == "criteria" for f in lens.case_fields):
        return {}
    refs = [e.ref for e in lens.read_header(tree).evaluator_refs]
    return {"criteria": dict.fromkeys(refs)} if refs else {}


def _said(option: str, given: str, texts: bool) -> JsonValue:
    """Return what an option says; where users talk, an object with one text means that text."""
    value = json_or_text(option, given, must_be_json=not texts)
    if texts and isinstance(value, dict):
        if len(value) == 1 and isinstance(only := next(iter(value.values())), str):
            return only
        raise EvaldeskError(
            f"{option} is an object, but in this format the user says one text",
            hint='Give the text itself, or an object with one text, such as {"input": "hello"}.',
        )
    return value


def _more(arguments: argparse.Namespace, lens: EvalSetLens) -> Iterator[tuple[str, Any]]:
    if arguments.expected_agent_behavior is not None:
        yield "expected_behavior", arguments.expected_agent_behavior
    has = {f.name for f in lens.case_fields}
    if "mocking" in has:
        yield from _coded_simulation(arguments)
        return
    given = {
        "simulate_input": arguments.simulate_input or None,
        "simulate_tools": arguments.simulate_tools or None,
        "simulation_instructions": arguments.simulation_instructions,
        "input_generation_instructions": arguments.input_generation_instructions,
        "tools_to_simulate": _names(arguments.tools_to_simulate) or None,
    }
    for name, value in given.items():
        if value is not None:
            yield name, value
        elif name in has and name in USUAL:
            yield name, USUAL[name]


def _coded_simulation(arguments: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Yield what UiPath's coded sets have in place of the flags of low-code ones."""
    tools = _names(arguments.tools_to_simulate)
    if arguments.simulate_tools or tools or arguments.simulation_instructions is not None:
        if not tools:
            raise EvaldeskError(
                "Coded sets name each tool that is simulated",
                hint="Add --tools-to-simulate with their names.",
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


def _names(given: str | None) -> list[str]:
    return [name.strip() for name in (given or "").split(",") if name.strip()]


def _index(lens: EvalSetLens, tree: JsonValue, wanted: str) -> int:
    cases = lens.raw_cases(tree)
    found = [i for i, raw in enumerate(cases) if wanted == lens.case_id(raw)]
    found = found or [i for i, raw in enumerate(cases) if wanted == lens.case_label(raw)]
    if len(found) == 1:
        return found[0]
    if found:
        raise EvaldeskError(
            f"{len(found)} cases are called {wanted!r}", hint="Rename them in Evaldesk first."
        )
    raise EvaldeskError(
        f"There is no case {wanted!r}", hint="`evaldesk case list` shows the set's cases."
    )


def _list(arguments: argparse.Namespace, lens: EvalSetLens, tree: JsonValue) -> None:
    rows = []
    for raw, pointer in zip(lens.raw_cases(tree), lens.case_pointers(tree), strict=True):
        case = lens.read_case(raw, pointer)
        rows.append((case.id, lens.case_label(raw), len(case.invocations), list(case.tags)))
    if arguments.output == "json":
        keys = ("id", "name", "turns", "tags")
        print_json({"cases": [dict(zip(keys, row, strict=True)) for row in rows]})
    elif rows:
        lines = [(i or "", n or "", f"{t}", ", ".join(g)) for i, n, t, g in rows]
        print_text(table(("ID", "NAME", "TURNS", "TAGS"), lines, right=(2,)))
    else:
        print_text("This set has no cases. `evaldesk case add` adds one.")
