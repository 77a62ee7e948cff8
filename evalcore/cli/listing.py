"""List the eval sets in a folder and its sub-folders, whatever system they belong to.

Files are recognised by what is in them; hidden folders, packages and virtual environments are left
out. A set that cannot be read is listed with the reason. Sets of more than 2 MB are listed without
checking them (in JSON their problems are null): check those by name.
"""

from __future__ import annotations

import argparse
from typing import Any

from evalcore.cli._output import count, print_json, print_text, table
from evalcore.cli._places import Place, folder_place
from evalcore.formats import by_id
from evalcore.workspace import Entry

LONGEST = 60
"""Characters of a message that fit in the table."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument(
        "folder", nargs="?", default=".", metavar="FOLDER", help="default: the current folder"
    )


def run(arguments: argparse.Namespace) -> int:
    """List the sets; unreadable files of ours are listed too, without a format."""
    place = folder_place(arguments.folder)
    entries = [e for e in place.workspace.entries(place.path) if _is_listed(e)]
    if arguments.output == "json":
        print_json({"eval_sets": [_plain(entry, place) for entry in entries]})
    else:
        _print_table(entries, place)
    return 0


def _is_listed(entry: Entry) -> bool:
    return entry.error is not None or entry.kind == "eval_set"


def _plain(entry: Entry, place: Place) -> dict[str, Any]:
    return {
        "path": _below(entry, place),
        "format": entry.detection.format_id if entry.detection else None,
        "id": entry.id,
        "name": entry.name,
        "cases": entry.case_count,
        "problems": entry.problem_counts if entry.is_checked else None,
    }


def _print_table(entries: list[Entry], place: Place) -> None:
    rows = [
        (
            _below(entry, place),
            by_id(entry.detection.format_id).label if entry.detection else "unreadable",
            entry.id or "",
            "" if entry.case_count is None else f"{entry.case_count:,}",
            _problems(entry),
        )
        for entry in entries
    ]
    if rows:
        print_text(table(("PATH", "FORMAT", "ID", "CASES", "PROBLEMS"), rows, right=(3,)))
    else:
        print_text("No eval sets here. `evaldesk serve` can make one.")


def _problems(entry: Entry) -> str:
    if entry.error is not None:
        text = entry.error.message
        return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    if not entry.is_checked:
        return "large: not checked"
    counts = {name: n for name, n in entry.problem_counts.items() if n}
    words = [f"{n} {name}" if name == "info" else count(n, name) for name, n in counts.items()]
    return ", ".join(words) or "none"


def _below(entry: Entry, place: Place) -> str:
    return entry.path.removeprefix(f"{place.path}/") if place.path else entry.path
