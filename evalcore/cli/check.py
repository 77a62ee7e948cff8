"""Report what is wrong in eval files, with the place and what to do about it.

An *error* is something that the file's own system refuses or crashes on; a *warning* is something
that loads and does not do what it seems to; *info* is the rest. Folders are searched for eval files
of every known format.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator

from evalcore.cli._output import count, plain_problem, print_json, print_text, problem_text
from evalcore.cli._places import Place, file_place, folder_place, is_folder
from evalcore.errors import SEVERITIES, Problem
from evalcore.workspace.discovery import Found
from evalcore.workspace.entries import unreadable
from evalcore.workspace.nearby import Look


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder to search")


def run(arguments: argparse.Namespace) -> int:
    """Check all paths; returns 2 if something could not be read, else 1 if there are errors."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        report = _Report()
        for given in arguments.paths:
            report.check(given)
    finally:
        if collecting:
            gc.enable()
    if arguments.output == "json":
        problems = [plain_problem(problem) for problem in report.problems]
        print_json({"files": report.files, "problems": problems})
    else:
        report.print()
    return report.exit_code


class _Report:
    def __init__(self) -> None:
        self.files = 0
        self.problems: list[Problem] = []
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

    def print(self) -> None:
        for problem in self.problems:
            print_text(problem_text(problem))
        print_text(", ".join([count(self.files, "file"), *self._totals()]))

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
