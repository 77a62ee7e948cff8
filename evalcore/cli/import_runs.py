"""Keep result files as runs: they open at any size, are compared, and stay when the file goes.

FILE is a result file of any known system, or recorded outputs as JSONL. Each run keeps what its
eval set says of its cases (tags, metadata, a hash of their content) and how its checks were
configured, if the set lies in the folder or beside the file. The same file is kept once.

Runs lie in .evaldesk/runs of the folder, or where EVALDESK_RUNS points: a folder, or any address
of a file system (such as s3://bucket/runs, with the package that it needs).
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from evalcore.cli._output import count, print_json, print_text, visible
from evalcore.cli._runs import import_given, mark_of, store_of

if TYPE_CHECKING:
    from evalcore.store import Manifest
    from evalcore.store.importing import Imported


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("files", nargs="+", metavar="FILE", help="a result file, or outputs as JSONL")
    add("--in", dest="folder", metavar="DIR", default=".", help="whose runs these become")
    add("--pass-mark", type=float, metavar="X", help="from 0 to 1, where the system has no rule")
    add("--again", action="store_true", help="read anew what was imported before")


def run(arguments: argparse.Namespace) -> int:
    """Import the files; raises EvaldeskError at the first that holds no results."""
    store, mark = store_of(arguments.folder), mark_of(arguments.pass_mark)
    told = []
    for given in arguments.files:
        found = import_given(store, arguments.folder, given, mark, again=arguments.again)
        told += [_plain(given, imported) for imported in found]
        if arguments.output == "text":
            for imported in found:
                print_text(_line(given, imported))
    if arguments.output == "json":
        print_json({"runs": told, "kept_at": store.place.url})
    return 0


def _line(given: str, imported: Imported) -> str:
    held = imported.manifest
    if not imported.is_new:
        return f"{held.id}  {visible(given)}: was here already, as {visible(held.name)}"
    counts = held.cases
    parts = [
        f"{number:,} {word}"
        for number, word in (
            (counts.passed, "passed"),
            (counts.failed, "failed"),
            (counts.error, "error" if counts.error == 1 else "errors"),
            (counts.not_evaluated, "not evaluated"),
        )
        if number
    ]
    said = f": {', '.join(parts)}" if parts else ""
    return (
        f"{held.id}  {visible(given)}: {visible(held.name)}, {_label(held)}, {_set(held)}, "
        f"{count(counts.total, 'result')}{said}"
    )


def _label(held: Manifest) -> str:
    from evalcore.formats import by_id

    return "outputs" if held.source.kind == "outputs" else by_id(held.format_id).label


def _set(held: Manifest) -> str:
    path = held.eval_set.path
    return f"set {visible(path)}" if path else "its set is not here"


def _plain(given: str, imported: Imported) -> dict[str, Any]:
    held = imported.manifest
    return {
        "file": given,
        "id": held.id,
        "name": held.name,
        "is_new": imported.is_new,
        "format": held.format_id,
        "set": held.eval_set.path or None,
        "cases": held.cases.model_dump(),
        "invocations": held.invocations,
        "cautions": list(held.cautions),
    }
