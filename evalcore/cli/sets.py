"""Add an eval set to a project, list its sets, or remove one.

`evaldesk set add NAME` writes a set without cases where the project's system looks for it. A set
of UiPath refers to all evaluators of the project unless --evaluators names some. `set remove`
deletes the set's file, which is named by the set's id, its name, or its path.
"""

from __future__ import annotations

import argparse
import posixpath
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from evalcore.cli import listing
from evalcore.cli._authoring import add_path, known_folder, project, saved, set_entry, tell
from evalcore.cli._output import count
from evalcore.cli._places import Place, opened
from evalcore.errors import EvaldeskError, FormatError, WorkspaceError

if TYPE_CHECKING:
    from evalcore.drafts import Draft
    from evalcore.formats.base import Format
    from evalcore.model import Evaluator
    from evalcore.workspace import Entry


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="write a new set without cases")
    add.add_argument("name", metavar="NAME")
    add.add_argument("--evaluators", metavar="A,B", help="refer to these only (default: all)")
    add.add_argument("--to", metavar="FORMAT", help="default: the format of the project's files")
    add.add_argument("--file", metavar="FILE", help="default: named by NAME, beside other sets")
    add.add_argument("--description", default=None, metavar="TEXT")
    add_path(add)
    add_path(actions.add_parser("list", help="list the sets of a project"))
    remove = actions.add_parser("remove", help="delete a set")
    remove.add_argument("name", metavar="ID_OR_NAME")
    add_path(remove)


def run(arguments: argparse.Namespace) -> int:
    """Do one action; raises EvaldeskError where it cannot be done."""
    match arguments.action:
        case "add":
            return _add(arguments)
        case "list":
            arguments.folder = arguments.path
            return listing.run(arguments)
        case _:
            return _remove(arguments)


def _add(arguments: argparse.Namespace) -> int:
    from evalcore.drafts import Draft
    from evalcore.saving import planned
    from evalcore.views.newset import slug, suggested_path

    place = project(arguments)
    entries = place.workspace.entries(place.path)
    chosen = _format(arguments.to, entries)
    if arguments.file:
        known_folder(place, arguments.file)
        path = posixpath.join(place.path, arguments.file)
    else:
        suggested = suggested_path(chosen, arguments.name, _here(entries, place))
        path = posixpath.join(place.path, suggested)
    _refuse_taken(arguments.name, entries)
    blank = planned(
        place.workspace,
        path,
        format_id=chosen.id,
        set_id=slug(arguments.name),
        name=arguments.name,
        now=datetime.now(UTC),
    )
    draft = Draft(blank)
    used = _refer(place, draft, path, arguments)
    if arguments.description is not None:
        _put(draft, "description", arguments.description)
    written = saved(place, draft, touch=False) if draft.is_dirty else _write_blank(place, draft)
    tell(
        arguments,
        f"Wrote {place.shown(written.path)}: a {chosen.label} set"
        + (f" with {count(len(used), 'evaluator')}" if used else ""),
        path=place.shown(written.path),
        format=chosen.id,
        evaluators=used,
    )
    return 0


def _write_blank(place: Place, draft: Draft) -> Draft:
    from evalcore.files import write_if_unchanged

    target = place.workspace.root / draft.path
    target.parent.mkdir(parents=True, exist_ok=True)
    write_if_unchanged(target, draft.rendered(), None)
    return draft


def _format(wanted: str | None, entries: list[Entry]) -> Format:
    from evalcore.formats import by_id

    if wanted:
        return by_id(wanted)
    known = [e for e in entries if e.detection is not None]
    found = {e.detection.format_id for e in known if e.detection and e.kind == "eval_set"}
    found = found or {e.detection.format_id for e in known if e.detection}
    if len(found) == 1:
        return by_id(found.pop())
    if not found:
        raise FormatError(
            "No file here tells which system the set is for",
            hint="Add --to with one of: " + _listed() + ".",
        )
    raise FormatError(
        f"There are files of several systems here: {', '.join(sorted(found))}",
        hint="Add --to with one of them.",
    )


def _listed() -> str:
    from evalcore.formats import built_in

    return ", ".join(f.id for f in built_in())


def _here(entries: list[Entry], place: Place) -> list[Entry]:
    """Return entries with their paths relative to the project's folder."""
    from dataclasses import replace

    cut = len(place.path) + 1 if place.path else 0
    return [replace(entry, path=entry.path[cut:]) for entry in entries]


def _refuse_taken(name: str, entries: list[Entry]) -> None:
    for entry in entries:
        if entry.kind == "eval_set" and name in (entry.name, entry.id):
            raise WorkspaceError(
                f"There is already a set called {name!r}: {entry.path}", hint="Choose another name."
            )


def _refer(place: Place, draft: Draft, path: str, arguments: argparse.Namespace) -> list[str]:
    """Have a set refer to evaluators, where its format does that; return their refs."""
    lens = draft.lens
    refers = lens is not None and any(f.name == "evaluator_refs" for f in lens.set_fields)
    if not refers:
        if arguments.evaluators:
            raise FormatError(
                "Sets of this format do not refer to evaluators",
                hint="Leave --evaluators out; see `evaldesk serve`, page Evaluators.",
            )
        return []
    known = _evaluators(place, draft, path)
    refs = [e.ref for e in known]
    if arguments.evaluators:
        refs = [_one(name, known) for name in arguments.evaluators.split(",") if name.strip()]
    if refs:
        _put(draft, "evaluator_refs", refs)
    return refs


def _evaluators(place: Place, draft: Draft, path: str) -> list[Evaluator]:
    """Return the evaluators that lie where the set's system looks for them."""
    chosen = draft.base.format
    if chosen is None:
        return []
    near = place.workspace.near(path)
    found: list[Evaluator] = []
    for name in chosen.evaluator_files(place.workspace.seen_as(path), near):
        file = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        one = opened(place, file)
        if one.format is not None and one.detection is not None:
            found += one.format.read_evaluators(one.document.value, one.detection)
    return found


def _one(given: str, known: list[Evaluator]) -> str:
    name = given.strip()
    for evaluator in known:
        if name in (evaluator.ref, evaluator.name):
            return evaluator.ref
    listed = ", ".join(e.name for e in known) or "none"
    raise EvaldeskError(f"There is no evaluator {name!r}", hint=f"Evaluators here: {listed}.")


def _put(draft: Draft, name: str, value: object) -> None:
    lens = draft.lens
    if lens is not None:
        draft.edit(lambda tree: lens.put_field(tree, "", "set", name, value), f"Set {name}")


def _remove(arguments: argparse.Namespace) -> int:
    from evalcore.files import current_revision, remove_if_unchanged

    place = project(arguments)
    entry = set_entry(place, arguments.name)
    target = place.workspace.root / entry.path
    revision = current_revision(target)
    if revision is not None:
        remove_if_unchanged(target, revision)
    tell(
        arguments,
        f"Deleted {place.shown(entry.path)}: {count(entry.case_count or 0, 'case')}",
        path=place.shown(entry.path),
        cases=entry.case_count,
    )
    return 0
