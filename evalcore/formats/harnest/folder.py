"""The rules of the folder ``evals/``, in the order in which Harnest's compiler applies them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from evalcore.errors import Problem, Severity
from evalcore.formats.base import Neighbour
from evalcore.formats.shapes import Report

FOLDER = "evals"
SUFFIX = ".evalset.json"
CONFIG = "test_config.json"
REPORT = Report("harnest", "Harnest")


def is_inactive(name: str) -> bool:
    """Return whether the compiler leaves an entry out by its name."""
    return name.startswith((".", "_")) or name == "__init__.py"


def folder_problems(
    parent: Sequence[Neighbour], entries: Sequence[Neighbour]
) -> tuple[Problem, ...]:
    """Return what is wrong with the folder ``evals`` of ``parent``, which holds ``entries``.

    Both are () where nothing is known about them, and then nothing is found. The same objects are
    looked at once, as all files of a folder ask for them.
    """
    return _known_problems(_Same(parent), _Same(entries))


class _Same:
    """A listing that equals nothing but itself, so that comparing it costs nothing."""

    def __init__(self, listing: Sequence[Neighbour]) -> None:
        self.listing = listing

    def __hash__(self) -> int:
        return id(self.listing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.listing is other.listing


@lru_cache(maxsize=8)
def _known_problems(parent: _Same, entries: _Same) -> tuple[Problem, ...]:
    return tuple(_problems(parent.listing, entries.listing))


def _problems(parent: Sequence[Neighbour], entries: Sequence[Neighbour]) -> Iterator[Problem]:
    yield from _folder_itself(parent)
    for entry in entries:
        if entry.is_link:
            yield _problem(
                "linked_file",
                f"“{entry.name}” in {FOLDER}/ is a symbolic link.",
                "Replace the link by a copy of the file. Hidden ones count too.",
            )
    active = [entry for entry in entries if not is_inactive(entry.name)]
    for entry in active:
        yield from _layout(entry)
    yield from _sets_present(entries, active)


def _folder_itself(parent: Sequence[Neighbour]) -> Iterator[Problem]:
    own = next((entry for entry in parent if entry.name == FOLDER), None)
    if own is not None and own.is_link:
        yield _problem(
            "folder_is_link",
            f"The folder {FOLDER}/ is a symbolic link.",
            "Replace the link by a real folder.",
        )
    elif own is not None and not own.is_folder:
        yield _problem("folder_is_file", f"“{FOLDER}” is a file.", f"Make {FOLDER} a folder.")


def _layout(entry: Neighbour) -> Iterator[Problem]:
    if entry.is_folder:
        yield _problem(
            "folder_in_folder",
            f"There is a folder “{entry.name}” in {FOLDER}/, which must be flat.",
            f"Move its files into {FOLDER}/, or call it “_{entry.name}” to leave it out.",
        )
    elif not entry.name.endswith(SUFFIX) and entry.name != CONFIG:
        yield _problem(
            "unexpected_file",
            f"“{entry.name}” is neither an eval set (*{SUFFIX}) nor {CONFIG}.",
            f"Move it elsewhere, or call it “_{entry.name}” to leave it out.",
        )


def _sets_present(entries: Sequence[Neighbour], active: Sequence[Neighbour]) -> Iterator[Problem]:
    names = [entry.name for entry in active if not entry.is_folder]
    if not entries or any(name.endswith(SUFFIX) for name in names):
        return
    if CONFIG in names:
        yield _problem(
            "config_without_set",
            f"{FOLDER}/ has a {CONFIG} and no eval set for it.",
            f"Add an eval set, or call the file “_{CONFIG}” until there is one.",
        )
    else:
        yield _problem(
            "no_sets",
            f"{FOLDER}/ has no active eval set: “harnest test --evals” refuses to run.",
            "Take the “_” or “.” off the name of a set.",
            severity="warning",
        )


def _problem(code: str, message: str, hint: str, *, severity: Severity = "error") -> Problem:
    effect = " Harnest does not compile the agent." if severity == "error" else ""
    return REPORT.problem(severity, code, "", message + effect, hint)
