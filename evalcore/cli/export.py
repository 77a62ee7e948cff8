"""Write the cases of an eval set as a table for spreadsheets, or as lines of JSON for programs.

A table that was edited comes back through "Import" in the browser, where each change is looked at.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evalcore.cli._output import print_json, print_text, visible
from evalcore.cli._places import file_place, opened
from evalcore.errors import FormatError, WorkspaceError
from evalcore.formats.base import Kind

KINDS = ("xlsx", "csv", "jsonl")


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", metavar="SET", help="an eval set of any known format")
    parser.add_argument("--to", choices=KINDS, required=True, help="what to write")
    parser.add_argument(
        "--file",
        metavar="FILE",
        help="where to write it, - for stdout (default: in the current folder, named as the set)",
    )
    parser.add_argument("--force", action="store_true", help="replace FILE if it is there")


def run(arguments: argparse.Namespace) -> int:
    """Write the file; raises FormatError for a file that is no eval set."""
    from evalcore.exporting import ExportKind, exported

    place = file_place(arguments.path)
    found = opened(place)
    if (
        found.format is None
        or found.detection is None
        or found.detection.kind is not (Kind.EVAL_SET)
    ):
        raise FormatError(
            f"{arguments.path} is no eval set of a known format", hint="Name an eval set."
        )
    lens = found.format.lens_for(found.detection)
    tree = found.document.value
    data = exported(ExportKind(arguments.to), lens, tree, place.path)
    if arguments.file == "-":
        sys.stdout.buffer.write(data)
        return 0
    target = Path(arguments.file or _name(place.path, arguments.to))
    _write(target, data, force=arguments.force)
    count = len(lens.raw_cases(tree))
    if arguments.output == "json":
        print_json({"set": arguments.path, "file": str(target), "cases": count})
    else:
        print_text(f"{visible(str(target))}: {count:,} case{'' if count == 1 else 's'}")
    return 0


def _name(path: str, kind: str) -> str:
    stem = Path(path).name.removesuffix(".json").removesuffix(".evalset").removesuffix(".test")
    return f"{stem}.{kind}"


def _write(target: Path, data: bytes, *, force: bool) -> None:
    if target.exists() and not force:
        raise WorkspaceError(
            f"{str(target)!r} is there already", hint="Name another FILE, or add --force."
        )
    try:
        target.write_bytes(data)
    except OSError as error:
        raise WorkspaceError(
            f"{str(target)!r} cannot be written: {error.strerror or error}",
            hint="Name a file in a folder that you may write to.",
        ) from error
