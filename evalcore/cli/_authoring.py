"""What the commands that edit sets share: finding a set by its name, saving it, saying so."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from evalcore.cli._output import print_json, print_text, problem_text, visible
from evalcore.cli._places import Place, folder_place, opened
from evalcore.errors import EvaldeskError, Problem, WorkspaceError

if TYPE_CHECKING:
    from evalcore.drafts import Draft
    from evalcore.jsontree import JsonValue
    from evalcore.workspace import Entry, OpenFile


def add_path(parser: argparse.ArgumentParser) -> None:
    """Add the options of every action: the project's folder, and how results are printed."""
    parser.add_argument(
        "--path", default=".", metavar="DIR", help="the project's folder (default: the current)"
    )
    # The command has it, too; here it may stand behind the action as well.
    parser.add_argument(
        "--output",
        choices=("text", "json"),
        default=argparse.SUPPRESS,
        help="text for people (default), json for programs",
    )


def project(arguments: argparse.Namespace) -> Place:
    """Return the project's folder; raises WorkspaceError if there is none."""
    return folder_place(arguments.path)


def set_entry(place: Place, wanted: str) -> Entry:
    """Return the set with this id, name or path; raises EvaldeskError unless there is just one."""
    below = [e for e in place.workspace.entries(place.path) if e.kind == "eval_set"]
    paths = [e for e in below if wanted in (e.path, place.shown(e.path), _relative(e, place))]
    found = paths or [e for e in below if wanted in (e.id, e.name)]
    if len(found) == 1:
        return found[0]
    if not found:
        known = ", ".join(sorted({e.name or e.id or e.path for e in below})) or "none"
        raise EvaldeskError(
            f"There is no eval set {wanted!r} in {place.given}", hint=f"Sets here: {known}."
        )
    paths_of = ", ".join(e.path for e in found)
    raise EvaldeskError(
        f"{len(found)} eval sets are called {wanted!r}", hint=f"Name one by its path: {paths_of}."
    )


def editable(place: Place, path: str) -> Draft:
    """Return a draft of a set; raises EvaldeskError for one that cannot be edited or read."""
    from evalcore.drafts import Draft

    draft = Draft(opened(place, path))
    if draft.lens is None:
        raise EvaldeskError(f"{path} is no eval set that can be edited")
    if draft.lens.read_only:
        raise EvaldeskError(
            f"{path} is in an old shape that can be read but not edited",
            hint="Save it as a new-style set in Evaldesk first.",
        )
    return draft


def saved(
    place: Place, draft: Draft, *, touch: bool = True, first: Callable[[], None] | None = None
) -> OpenFile:
    """Write a draft, after what must be there ``first``.

    Raises SaveConflict or WorkspaceError where that cannot be done.
    """
    from evalcore.saving import save

    if first is not None:
        first()
    return save(place.workspace, draft, touch=touch)


def complain_of(place: Place, path: str, inside: str) -> list[Problem]:
    """Print the problems of a part of a file to stderr, and return them."""
    found = [
        problem.at(path=place.shown(path))
        for problem in place.workspace.examine(path).problems
        if problem.pointer == inside or problem.pointer.startswith(f"{inside}/")
    ]
    for problem in found:
        _to_stderr(problem_text(problem))
    return found


def note(text: str) -> None:
    """Print to stderr what was done beside what was asked for."""
    _to_stderr(f"note: {visible(text)}")


def _to_stderr(text: str) -> None:
    encoding = sys.stderr.encoding or "utf-8"
    sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def tell(arguments: argparse.Namespace, text: str, **facts: Any) -> None:
    """Print what was done: a sentence, or as JSON its facts."""
    if arguments.output == "json":
        print_json(facts)
    else:
        print_text(visible(text))


def json_or_text(option: str, given: str, *, must_be_json: bool) -> JsonValue:
    """Return the value of an option: JSON, or the text itself where texts are taken, too.

    Raises EvaldeskError for what looks like JSON and is none.
    """
    from evalcore.errors import DocumentError
    from evalcore.jsondoc import JsonDocument

    looks = given.lstrip()[:1] in ("{", "[")
    if not looks and not must_be_json:
        return given
    try:
        return JsonDocument.parse(given.encode("utf-8", "surrogatepass")).value
    except DocumentError as error:
        shown = json.dumps(given[:60])
        raise EvaldeskError(
            f"{option} is no JSON: {error.message} (column {error.column} of {shown})",
            hint="""Write an object such as '{"input": "hello"}', in single quotes.""",
        ) from error


def known_folder(place: Place, path: str) -> None:
    """Raise WorkspaceError for a path that leads out of the project."""
    if path.startswith(("/", "../")) or "/../" in path:
        raise WorkspaceError(f"{path!r} lies outside {place.given}", hint="Name a file inside it.")


def _relative(entry: Entry, place: Place) -> str:
    return entry.path.removeprefix(f"{place.path}/") if place.path else entry.path
