"""Which files of a folder may be looked at, and which of them may be eval files.

Nothing outside the root is ever seen: links are followed only to files inside it. Hidden files and
folders, ``.uipath`` (it may hold tokens), packages of others, virtual environments and build output
are never seen either; of all hidden folders only ``<app>/.adk/eval_history`` is, for its results.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from evalcore.errors import WorkspaceError
from evalcore.files import require_ordinary

SKIPPED_NAMES = frozenset(
    {"node_modules", "bower_components", "__pycache__", "__pypackages__", "site-packages"}
)
BUILD_NAMES = frozenset({"build", "dist"})
ENVIRONMENT_MARKS = frozenset({"pyvenv.cfg", "conda-meta", "CACHEDIR.TAG"})
PROJECT_MARKS = frozenset({"pyproject.toml", "setup.py", "setup.cfg", "package.json"})
HISTORY = (".adk", "eval_history")


@dataclass(frozen=True, slots=True)
class Stamp:
    """What shows cheaply that a file has not changed."""

    modified_ns: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Found:
    """A file, or a folder that could not be listed: path below the root, and what stood in the way.

    ``stamp`` is None exactly where ``failure`` says why.
    """

    path: str
    stamp: Stamp | None
    failure: OSError | None = None
    is_folder: bool = False


def is_visible(parts: Sequence[str]) -> bool:
    """Return whether a file below the root may be looked at, going by its names alone."""
    hidden = [at for at, part in enumerate(parts) if part.startswith(".")]
    if hidden:
        at = hidden[0]
        if tuple(parts[at : at + 2]) != HISTORY or len(parts) != at + 3 or len(hidden) > 1:
            return False
    return SKIPPED_NAMES.isdisjoint(parts)


def inside(root: Path, path: str) -> tuple[str, Path]:
    """Return a path in its normal form below ``root``, and where it is on disk, links kept.

    Raises WorkspaceError if the path, or what it links to, lies outside the root or is never shown.
    ``root`` is resolved; the file need not exist.
    """
    normal = posixpath.normpath(path.replace(os.sep, "/"))
    parts = PurePosixPath(normal).parts
    refused = WorkspaceError(
        f"{path!r} is not a file of this workspace",
        hint=f"Choose a file inside {root} that is not in a hidden or tool folder.",
    )
    if not parts or parts[0] in ("/", "..") or "\0" in path or Path(normal).is_absolute():
        raise refused
    place = root.joinpath(*parts)
    if not is_visible(parts) or not _leads_inside(root, place):
        raise refused
    return normal, place


def stamp_of(place: Path) -> Stamp:
    """Return the stamp of a regular file, that of the target for a link; raises OSError."""
    status = place.stat()
    require_ordinary(status)
    return Stamp(status.st_mtime_ns, status.st_size, status.st_ino)


def walk(root: Path, under: str, wanted: Callable[[str], bool]) -> Iterator[Found]:
    """Yield the visible files below ``under`` whose names are ``wanted``, in no special order.

    Folders that cannot be listed are yielded with their failure. ``under`` is "" for the root.
    """
    waiting = [under]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(root / folder) as listing:
                items = list(listing)
        except FileNotFoundError:
            continue
        except OSError as error:
            yield Found(folder or ".", None, error, is_folder=True)
            continue
        names = {item.name for item in items}
        if folder != under and not ENVIRONMENT_MARKS.isdisjoint(names):
            continue
        for item in items:
            path = f"{folder}/{item.name}" if folder else item.name
            if item.is_dir(follow_symlinks=False):
                waiting += _entered(root, path, item.name, names)
            elif wanted(item.name) and (found := _file(root, path)) is not None:
                yield found


def _entered(root: Path, path: str, name: str, siblings: set[str]) -> list[str]:
    """Return the folder to enter for a folder that was met: itself, its one known part, or none."""
    if name == HISTORY[0]:
        history = f"{path}/{HISTORY[1]}"
        return [] if (root / history).is_symlink() else [history]
    is_build = name in BUILD_NAMES and not PROJECT_MARKS.isdisjoint(siblings)
    return [] if name.startswith(".") or name in SKIPPED_NAMES or is_build else [path]


def _file(root: Path, path: str) -> Found | None:
    place = root / path
    if not is_visible(path.split("/")):
        return None
    if place.is_symlink() and not _leads_inside(root, place):
        return None
    try:
        return Found(path, stamp_of(place))
    except FileNotFoundError as error:
        return None if place.is_symlink() else Found(path, None, error)
    except OSError as error:
        return Found(path, None, error)


def _leads_inside(root: Path, place: Path) -> bool:
    try:
        real = place.resolve()
    except (OSError, RuntimeError):
        return False
    if not real.is_relative_to(root):
        return False
    parts = real.relative_to(root).parts
    return bool(parts) and is_visible(parts)
