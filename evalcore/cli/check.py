"""Report what is wrong in eval files, with the place and what to do about it.

An *error* is something that the file's own system refuses or crashes on; a *warning* is something
that loads and does not do what it seems to; *info* is the rest. Folders are searched for eval files
of every known format. Each problem has a code; ``--explain CODE`` tells what it means.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.cli._output import count, plain_problem, print_json, print_text, problem_text
from evalcore.cli._places import Place, file_place, folder_place, is_folder
from evalcore.errors import SEVERITIES, DocumentError, EvaldeskError, FormatError, Problem
from evalcore.workspace.discovery import Found
from evalcore.workspace.entries import unreadable
from evalcore.workspace.nearby import Look

if TYPE_CHECKING:
    from evalcore.cli._fixing import MendedFile


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file, or a folder to search")
    parser.add_argument(
        "--explain",
        nargs="?",
        const="",
        metavar="CODE",
        help="tell what a problem code means, with an example; without a code list all of them",
    )
    parser.add_argument(
        "--fix",
        action="store_true",
        help="first mend what can be mended without changing what is tested, each fix printed",
    )
    parser.add_argument(
        "--diff",
        action="store_true",
        help="with --fix: print what would change, write nothing, leave with 1 if anything would",
    )


def run(arguments: argparse.Namespace) -> int:
    """Check all paths; returns 2 if something could not be read, else 1 if there are errors."""
    if arguments.explain is not None:
        from evalcore.cli import _explaining

        return _explaining.run(arguments)
    if not arguments.paths:
        hint = "Or ask for --explain to see what each code means."
        raise EvaldeskError("Name a file or a folder to check", hint=hint)
    if arguments.diff and not arguments.fix:
        raise EvaldeskError("--diff shows what --fix would change", hint="Use both together.")
    report = _Report()
    if arguments.fix:
        report.fix(arguments.paths, write=not arguments.diff)
    if arguments.diff:
        return report.show_changes(arguments.output)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for given in arguments.paths:
            report.check(given)
    finally:
        if collecting:
            gc.enable()
    if arguments.output == "json":
        print_json(report.plain(with_fixes=arguments.fix))
    else:
        report.print()
    return report.exit_code


class _Report:
    def __init__(self) -> None:
        self.files = 0
        self.problems: list[Problem] = []
        self.mended: list[MendedFile] = []
        self.is_unreadable = False

    @property
    def exit_code(self) -> int:
        if self.is_unreadable:
            return 2
        return int(any(problem.severity == "error" for problem in self.problems))

    def check(self, given: str) -> None:
        if not is_folder(given):
            self._check_file(given)
            return
        place, before = folder_place(given), self.files
        look = Look(place.workspace.root)
        for found in place.workspace.found(place.path):
            self._check_found(place, found, look)
        if self.files == before:
            sys.stderr.write("evaldesk: no eval files found in this folder: ")
            sys.stderr.write(given.encode("ascii", "backslashreplace").decode() + "\n")

    def fix(self, paths: Sequence[str], *, write: bool) -> None:
        """Mend the files of all paths; what cannot be read is left to the check."""
        from evalcore.cli._fixing import mended

        for place, path in self._places(paths):
            try:
                found = mended(place.workspace, path, place.shown(path), write=write)
            except (DocumentError, FormatError):
                continue
            if found is not None:
                self.mended.append(found)

    def show_changes(self, output: str) -> int:
        """Print what ``--fix`` would change; returns 1 if there is anything."""
        if output == "json":
            print_json({"fixes": self._plain_fixes()})
        else:
            for file in self.mended:
                print_text(file.diff())
            self._print_fixes("would be made")
        return int(bool(self.mended))

    def plain(self, *, with_fixes: bool) -> dict[str, Any]:
        """Return the report as the JSON output shows it."""
        problems = [plain_problem(problem) for problem in self.problems]
        found = {"files": self.files, "problems": problems}
        return {**found, "fixes": self._plain_fixes()} if with_fixes else found

    def print(self) -> None:
        if self.mended:
            self._print_fixes("made")
        for problem in self.problems:
            print_text(problem_text(problem))
        print_text(", ".join([count(self.files, "file"), *self._totals()]))

    def _print_fixes(self, what: str) -> None:
        for file in self.mended:
            for line in file.lines():
                print_text(line)
        fixes = sum(len(file.done) for file in self.mended)
        number = f"{fixes:,} fix{'' if fixes == 1 else 'es'}"
        print_text(f"{number} in {count(len(self.mended), 'file')} {what}")

    def _plain_fixes(self) -> list[dict[str, str]]:
        return [
            {"path": file.path, "code": m.code, "pointer": m.pointer, "fix": m.label}
            for file in self.mended
            for m in file.done
        ]

    def _places(self, paths: Sequence[str]) -> Iterator[tuple[Place, str]]:
        """Yield every file of the paths that can be read."""
        for given in paths:
            if is_folder(given):
                place = folder_place(given)
                found = place.workspace.found(place.path)
                yield from ((place, f.path) for f in found if f.failure is None)
            elif Path(given).is_file():
                place = file_place(given)
                yield place, place.path

    def _totals(self) -> Iterator[str]:
        for severity in SEVERITIES:
            number = sum(problem.severity == severity for problem in self.problems)
            yield f"{number:,} info" if severity == "info" else count(number, severity)

    def _check_file(self, given: str) -> None:
        self.files += 1
        try:
            place = file_place(given)
            seen = place.workspace.examine(place.path)
        except Exception as error:
            # Even a fault of a format is reported in its place, and the other files are checked.
            self._add_unreadable(error, given)
            return
        if seen.detection is None:
            self.problems.append(_unknown(given, place))
        self.problems += (problem.at(path=given) for problem in seen.problems)

    def _check_found(self, place: Place, found: Found, look: Look) -> None:
        workspace, shown = place.workspace, place.shown(found.path)
        data = b""
        try:
            if found.failure is not None:
                raise found.failure
            data = workspace.read(found.path)
            seen = workspace.examine_bytes(found.path, data, look)
        except Exception as error:
            if found.is_folder or workspace.looks_like_ours(found.path, data):
                self.files += 1
                self._add_unreadable(error, shown)
            return
        if seen.detection is not None:
            self.files += 1
            self.problems += (problem.at(path=shown) for problem in seen.problems)

    def _add_unreadable(self, error: Exception, shown: str) -> None:
        self.is_unreadable = True
        self.problems.append(unreadable(error, shown))


def _unknown(given: str, place: Place) -> Problem:
    """Return the problem of a named file that is JSON, but of no known format."""
    if place.workspace.looks_like_ours(place.path):
        return Problem(
            "error",
            "file.unknown_format",
            "No known system reads this file, although its name or folder says that one does.",
            "Compare its top-level keys with a file that works.",
            line=1,
            column=1,
            path=given,
        )
    return Problem(
        "info",
        "file.unknown_format",
        "This is JSON, but no eval file of a known format; nothing was checked.",
        line=1,
        column=1,
        path=given,
    )
