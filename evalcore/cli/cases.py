"""Add a case to an eval set of any format, list its cases, or remove one.

--inputs is what the agent gets: an object by name, or a text where the user talks. --expected is
the expected output in the same way. Each option goes where the set's format has a home for it:
--expected-agent-behavior to criteria of the judges of trajectories, or to a rubric;
--expected-tools to criteria of an evaluator of tool calls, which is made if there is none;
--simulate-input to the plan of a simulated user. An option that has no home is refused, never
dropped. What is wrong with the new case is printed, and it is written all the same.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evalcore.cli._authoring import (
    add_path,
    complain_of,
    editable,
    json_or_text,
    note,
    project,
    saved,
    set_entry,
    tell,
)
from evalcore.cli._case_flags import names_in, parts_of, simulates_user
from evalcore.cli._output import count, print_json, print_text, table
from evalcore.errors import EvaldeskError

if TYPE_CHECKING:
    from pathlib import Path

    from evalcore.builder import Case
    from evalcore.cli._places import Place
    from evalcore.drafts import Draft
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsontree import JsonObject, JsonValue


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
            _add(arguments, place, draft, lens)
        case "remove":
            index = _index(lens, draft.tree, arguments.name)
            draft.edit(lambda tree: lens.delete_cases(tree, [index]), "Delete a case")
            saved(place, draft)
            where = place.shown(draft.path)
            tell(arguments, f"Deleted {arguments.name} from {where}", path=where)
        case _:
            _list(arguments, lens, draft.tree)
    return 0


def _add(arguments: argparse.Namespace, place: Place, draft: Draft, lens: EvalSetLens) -> None:
    if any(arguments.name == lens.case_label(raw) for raw in lens.raw_cases(draft.tree)):
        raise EvaldeskError(
            f"There is already a case called {arguments.name!r}", hint="Choose another name."
        )
    label = draft.base.format.label if draft.base.format else "this format"
    written = _Writing(place, draft, lens, _case(arguments, lens, label))
    draft.edit(written.into, "Add a case")
    saved(place, draft, first=written.write_evaluators)
    where = place.shown(draft.path)
    raws = lens.raw_cases(draft.tree)
    found = complain_of(place, draft.path, lens.case_pointers(draft.tree)[-1])
    unscored = written.unscored(raws[-1])
    for file in written.files:
        path = file.relative_to(place.workspace.root).as_posix()
        note(f"wrote {place.shown(path)}, which the set names now")
    if unscored:
        note(f"{', '.join(unscored)} will not score it: nothing says what they expect of it")
    tell(
        arguments,
        f"Added {arguments.name} to {where}, now {count(len(raws), 'case')}",
        path=where,
        case=lens.case_id(raws[-1]),
        problems=len(found),
    )


class _Writing:
    """A case on its way into a set, with the evaluators that it needs."""

    def __init__(self, place: Place, draft: Draft, lens: EvalSetLens, case: Case) -> None:
        from evalcore.builder.checks import Checks

        self.place, self.draft, self.lens, self.case = place, draft, lens, case
        self.checks = Checks([*place.workspace.evaluators_of(draft.path)])
        self.files: dict[Path, JsonObject] = {}

    def into(self, tree: JsonValue) -> JsonValue:
        """Return the set with the case."""
        from evalcore.builder.cases import write_case
        from evalcore.builder.fitting import fitted
        from evalcore.jsontree import put

        lens, of, label = self.lens, self.draft.base.format, self.case.id or ""
        assert of is not None, "only a set of a known format can be edited"
        tree = self.checks.provide(of, tree, self.case)
        for name, one in fitted(lens, self.case, label, self.checks.named_in(lens, tree)):
            raw = write_case(lens, tree, one, name, datetime.now(UTC))
            tree = put(tree, lens.cases_pointer(tree), [*lens.raw_cases(tree), raw])
        file = self.place.workspace.root / self.draft.path
        tree, self.files = self.checks.settled(of, tree, file)
        return tree

    def write_evaluators(self) -> None:
        """Write the evaluators that are new."""
        from evalcore.builder.checks import write_evaluators

        write_evaluators(self.files)

    def unscored(self, raw: JsonValue) -> list[str]:
        """Return the names of the set's evaluators that the case does not name."""
        criteria = self.lens.read_case(raw, "").criteria
        if not any(f.name == "criteria" for f in self.lens.case_fields):
            return []
        named = self.checks.named_in(self.lens, self.draft.tree)
        return [e.name for e in named if e.ref not in (criteria or {})]


def _case(arguments: argparse.Namespace, lens: EvalSetLens, label: str) -> Case:
    from evalcore.builder import single_turn

    texts = lens.has_turns
    inputs = _said("--inputs", arguments.inputs, texts)
    expected = None
    if arguments.expected is not None:
        expected = _said("--expected", arguments.expected, texts)
    case = single_turn(
        inputs,
        expected,
        case_id=arguments.name,
        expected_tools=names_in(arguments.expected_tools),
        tags=names_in(arguments.tags),
        **parts_of(arguments, lens, label, str(inputs)),
    )
    return replace(case, turns=()) if simulates_user(arguments, lens) else case


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
