"""Convert an eval set into another format, and say what becomes of every value in it.

What the new format has no place for is lost, and a lossy conversion writes nothing: it prints what
would be lost and leaves with 3. Add --allow-loss to write the file all the same, or --carry to keep
such values beside the cases, where the new format leaves room for notes.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from evalcore.cli._output import print_json, print_text, visible
from evalcore.cli._places import Place, existing_folder, file_place, opened
from evalcore.errors import FormatError, WorkspaceError
from evalcore.formats.base import Kind

if TYPE_CHECKING:
    from evalcore.convert import PlannedFile

LOSSY = 3


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("source", metavar="SRC", help="an eval set of any known format")
    parser.add_argument(
        "target", metavar="DEST", help="the file to write, named as its system asks"
    )
    parser.add_argument("--to", metavar="FORMAT", required=True, help=_formats())
    parser.add_argument(
        "--allow-loss", action="store_true", help="write the file though values are lost"
    )
    parser.add_argument(
        "--carry",
        action="store_true",
        help="keep what has no place beside the cases, where the new format leaves room for notes",
    )
    parser.add_argument(
        "--split-turns",
        action="store_true",
        help="make a case of each turn, where a case of the new format has one turn",
    )
    parser.add_argument("--force", action="store_true", help="replace DEST if it is there")


def _formats() -> str:
    from evalcore.formats import built_in, plugged_in

    return "one of " + ", ".join(f.id for f in (*built_in(), *plugged_in()))


def run(arguments: argparse.Namespace) -> int:
    """Convert; returns 3 for a conversion that would lose values, which is not written then."""
    planned = _planned(arguments)
    report = planned.conversion.report
    target = Path(arguments.target)
    if target.exists() and target.samefile(arguments.source):
        raise WorkspaceError("SRC and DEST are the same file", hint="Name another DEST.")
    if target.exists() and not arguments.force:
        raise WorkspaceError(
            f"{str(target)!r} is there already", hint="Name another DEST, or add --force."
        )
    writes = arguments.allow_loss or not report.is_lossy
    if writes:
        _write(planned, target, force=arguments.force)
    _tell(arguments, planned, wrote=writes)
    return 0 if writes else LOSSY


def _planned(arguments: argparse.Namespace) -> PlannedFile:
    from evalcore.convert import Options, planned_file

    source = file_place(arguments.source)
    found = opened(source)
    detection = found.detection
    if detection is None or detection.kind is not Kind.EVAL_SET:
        raise FormatError(
            f"{arguments.source} is no eval set of a known format", hint="Name an eval set."
        )
    place = _place_of(arguments.target)
    options = Options(split_turns=arguments.split_turns, carry=arguments.carry)
    return planned_file(
        source.workspace, found, place.workspace, place.path, arguments.to, options=options
    )


def _place_of(target: str) -> Place:
    """Return the place of a file that need not be there, nor its folder."""
    named = Path(target)
    missing: list[str] = []
    folder = named.parent
    while not folder.exists():
        missing.insert(0, folder.name)
        folder = folder.parent
    if not missing:
        return file_place(target)
    place = file_place(str(existing_folder(str(folder)) / missing[0]))
    return Place(target, place.workspace, "/".join((place.path, *missing[1:], named.name)))


def _write(planned: PlannedFile, target: Path, *, force: bool) -> None:
    from evalcore import files

    if not (force and target.exists()):
        planned.write()
        return
    files.atomic_write(target, planned.data())


def _tell(arguments: argparse.Namespace, planned: PlannedFile, *, wrote: bool) -> None:
    from evalcore.convert import ROOM, as_data, as_text

    report = planned.conversion.report
    written = str(arguments.target) if wrote else None
    if arguments.output == "json":
        print_json({"source": arguments.source, "written": written, **as_data(report)})
        return
    print_text(visible(as_text(report), keep="\n"))
    if arguments.carry and arguments.to in ROOM:
        print_text(f"\n{ROOM[arguments.to]}")
    if wrote:
        print_text(f"\nWritten to {visible(arguments.target)}.")
    else:
        print_text(
            "\nNothing is written, as values would be lost. Add --allow-loss to write it all the "
            "same" + ("." if arguments.carry else ", or --carry to keep what there is room for.")
        )
