"""From a path on the command line to a workspace, wide enough to see what lies around a file."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evalcore.errors import EvaldeskError, WorkspaceError
from evalcore.workspace import OpenFile, Workspace
from evalcore.workspace.discovery import inside, is_visible
from evalcore.workspace.entries import unreadable

PROJECT_MARKS = (".git", "pyproject.toml", "uipath.json", "project.uiproj", "agent.json")
HEIGHT = 6
"""How many folders above a file the marks of a project are looked for."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file or folder named by the user: its path in the workspace ("" for its root)."""

    given: str
    workspace: Workspace
    path: str

    def shown(self, path: str) -> str:
        """Return a path of the workspace as the user would name it."""
        if path == self.path:
            return self.given
        below = os.path.relpath(path, self.path or ".").replace(os.sep, "/")
        return below if self.given in (".", "./", "") else f"{self.given.rstrip('/')}/{below}"


def is_folder(given: str) -> bool:
    """Return whether there is a folder of that name, which may be reached; "" names none."""
    try:
        return bool(given) and Path(given).is_dir()
    except OSError:
        return False


def existing_folder(given: str) -> Path:
    """Return a folder, resolved; raises WorkspaceError if there is none."""
    if not is_folder(given):
        raise WorkspaceError(f"There is no folder {given!r}", hint="Name a folder that exists.")
    return Path(given).resolve()


def folder_place(given: str) -> Place:
    """Return the place of a folder; raises WorkspaceError if there is none."""
    folder = existing_folder(given)
    return _placed(given, folder, folder)


def file_place(given: str) -> Place:
    """Return the place of a file, in a workspace that holds its project.

    A link that leads out of the project is followed to the file itself. The file need not exist;
    raises FileNotFoundError for "", which is no name.
    """
    if not given:
        raise FileNotFoundError(given)
    named = Path(given)
    place = _placed(given, named.parent.resolve(), named.parent.resolve() / named.name)
    try:
        inside(place.workspace.root, place.path)
    except WorkspaceError:
        real = named.resolve()
        place = _placed(given, real.parent, real)
    return place


def opened(place: Place, path: str | None = None) -> OpenFile:
    """Return a file of a place, by default the one that the user named.

    Raises EvaldeskError for one that cannot be read, with the file, line and column.
    """
    wanted = place.path if path is None else path
    shown = place.given if path is None else place.shown(path)
    try:
        return place.workspace.open(wanted)
    except (OSError, EvaldeskError) as error:
        raise cannot_read(error, shown) from error


def cannot_read(error: Exception, given: str) -> EvaldeskError:
    """Return an error that names the file, and in it the line and column."""
    problem = unreadable(error, given)
    place = f"{given}:{problem.line}:{problem.column}" if problem.line else given
    return EvaldeskError(f"{place}: {problem.message}", hint=problem.hint)


def _placed(given: str, folder: Path, target: Path) -> Place:
    root = _project(folder)
    path = target.relative_to(root).as_posix()
    return Place(given, Workspace(root), "" if path == "." else path)


def _project(folder: Path) -> Path:
    """Return the project's folder: the nearest one marked as one, else two folders up.

    Never climbs through a folder whose files would not be visible from above.
    """
    above = [folder]
    for parent in list(folder.parents)[:HEIGHT]:
        if not is_visible([*PurePosixPath(folder.relative_to(parent).as_posix()).parts, "x"]):
            break
        above.append(parent)
    marked = (f for f in above if any(_exists(f / mark) for mark in PROJECT_MARKS))
    return next(marked, above[min(2, len(above) - 1)])


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        # A folder that may not be searched shows no mark.
        return False
