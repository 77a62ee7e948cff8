"""Say in words what changed between two files, or between a file and an older version of it.

Eval sets are compared case by case and field by field, other eval files by their keys. Layout and
spacing do not count, only what the file says.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from evalcore.cli._output import print_json, print_text, visible
from evalcore.cli._places import Place, file_place, opened
from evalcore.errors import EvaldeskError, WorkspaceError

if TYPE_CHECKING:
    from evalcore.workspace import OpenFile

SAME_VALUES = "No differences in what the files say; they are written differently."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("old", metavar="A", help="the file as it was, or with --against as it is")
    parser.add_argument("new", nargs="?", metavar="B", help="the file as it is")
    parser.add_argument(
        "--against", metavar="REV", help="compare A with what git has of it at REV, such as HEAD"
    )
    parser.add_argument(
        "--format",
        choices=("text", "md", "json"),
        help="text for people (default), md to paste into a review, json for programs",
    )


def run(arguments: argparse.Namespace) -> int:
    """Compare; returns 0 where nothing differs, else 1."""
    from evalcore.changes import as_data, as_markdown, as_text, compare

    if (arguments.new is None) == (arguments.against is None):
        raise EvaldeskError(
            "Name two files, or one file and --against REV",
            hint="For example: evaldesk diff refunds.evalset.json --against HEAD",
        )
    old, new, title = _sides(arguments)
    found = compare(old, new)
    shape = arguments.format or ("json" if arguments.output == "json" else "text")
    if shape == "json":
        print_json({"old": old.path, "new": new.path, **as_data(found)})
    elif shape == "md":
        print_text(visible(as_markdown(found, title), keep="\n"))
    elif not found and old.document.data != new.document.data:
        print_text(SAME_VALUES)
    else:
        print_text(visible(as_text(found), keep="\n"))
    return int(bool(found))


def _sides(arguments: argparse.Namespace) -> tuple[OpenFile, OpenFile, str]:
    place = file_place(arguments.old)
    now = opened(place)
    if arguments.new is not None:
        return now, opened(file_place(arguments.new)), f"{arguments.old} → {arguments.new}"
    return _older(place, arguments.against), now, f"{arguments.old} since {arguments.against}"


def _older(place: Place, revision: str) -> OpenFile:
    from evalcore.history import Repository

    version = Repository(place.workspace.root / place.path).version(revision)
    try:
        return place.workspace.opened(place.path, version.data)
    except EvaldeskError as error:
        raise WorkspaceError(
            f"{version.path!r} at {revision!r} cannot be read: {error.message}",
            hint="Choose another revision.",
        ) from error
