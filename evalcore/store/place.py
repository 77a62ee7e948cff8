"""Where runs are kept: a folder, or any place that a file-system URL names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

from evalcore.errors import WorkspaceError

if TYPE_CHECKING:
    from evalcore.workspace import Workspace

VARIABLE = "EVALDESK_RUNS"
FOLDER = ".evaldesk/runs"
GITIGNORE = "# Runs that Evaldesk keeps; they can be large.\n*\n"


class Place:
    """A folder of runs; paths are relative to it, with "/".

    Every file is put in place whole: it is written under another name first.
    """

    def __init__(self, url: str) -> None:
        from fsspec.core import url_to_fs

        try:
            fs, root = url_to_fs(url)
        except (ImportError, ValueError) as error:
            raise WorkspaceError(
                f"Runs cannot be kept at {url}: {error}",
                hint=f"Set {VARIABLE} to a folder, or install what this kind of address needs.",
            ) from error
        self.url = url
        self.root: str = root.rstrip("/")
        self.fs: Any = fs
        self.is_local: bool = "file" in _names(fs)

    @property
    def protocol(self) -> str:
        """Return the first name of the kind of file system, such as ``file`` or ``memory``."""
        return str(_names(self.fs)[0])

    def full(self, path: str) -> str:
        """Return a path as the file system knows it."""
        return f"{self.root}/{path}" if path else self.root

    def address(self, path: str) -> str:
        """Return a path as a query engine finds it."""
        full = self.full(path)
        return full if self.is_local else f"{self.protocol}://{full.lstrip('/')}"

    def folders(self) -> list[str]:
        """Return the names of the folders, sorted; [] where there is no such place yet.

        Raises WorkspaceError for a place that cannot be read.
        """
        self.fs.invalidate_cache()
        try:
            found = self.fs.ls(self.root, detail=True)
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise self._unusable(error, "read") from error
        names = [str(e["name"]).rstrip("/").rsplit("/", 1)[-1] for e in found if _is_folder(e)]
        return sorted(name for name in names if not name.startswith("."))

    def exists(self, path: str) -> bool:
        """Return whether there is a file or folder."""
        return bool(self.fs.exists(self.full(path)))

    def read(self, path: str) -> bytes:
        """Return a file's bytes; raises FileNotFoundError or OSError."""
        found: bytes = self.fs.cat_file(self.full(path))
        return found

    @contextmanager
    def opened(self, path: str) -> Iterator[IO[bytes]]:
        """Open a file for reading; raises FileNotFoundError or OSError."""
        with self.fs.open(self.full(path), "rb") as stream:
            yield stream

    def stamp(self, path: str) -> tuple[Any, ...]:
        """Return what changes whenever a file does; raises FileNotFoundError or OSError."""
        info = self.fs.info(self.full(path))
        known = ("size", "mtime", "ino", "created", "ETag", "etag", "LastModified", "updated")
        return tuple(info.get(name) for name in known)

    def prepare(self) -> None:
        """Make the place; raises WorkspaceError where it cannot be written to."""
        try:
            self.write(".writable", b"")
            self.delete(".writable")
        except OSError as error:
            raise self._unusable(error, "kept") from error

    def write(self, path: str, data: bytes) -> None:
        """Put a file in place whole, replacing what is there."""
        with self._replaced(path) as temporary, self.fs.open(temporary, "wb") as stream:
            stream.write(data)

    def put(self, local: Path, path: str) -> None:
        """Put a copy of a local file in place whole."""
        with self._replaced(path) as temporary:
            self.fs.put_file(str(local), temporary)

    def delete(self, path: str) -> None:
        """Delete a file, or a folder with all that is in it; what is not there is no error."""
        try:
            self.fs.rm(self.full(path), recursive=True)
        except FileNotFoundError:
            return

    def _unusable(self, error: OSError, what: str) -> WorkspaceError:
        return WorkspaceError(
            f"Runs cannot be {what} at {self.url}: {error.strerror or error}",
            hint=f"Set {VARIABLE} to a folder that you may write to.",
        )

    @contextmanager
    def _replaced(self, path: str) -> Iterator[str]:
        full = self.full(path)
        self.fs.makedirs(full.rsplit("/", 1)[0], exist_ok=True)
        temporary = f"{full}.{uuid4().hex[:12]}.part"
        try:
            yield temporary
            if self.is_local:
                Path(temporary).replace(full)
            else:
                self.fs.mv(temporary, full)
        except BaseException:
            if self.fs.exists(temporary):
                self.fs.rm_file(temporary)
            raise


def place_of(workspace: Workspace) -> Place:
    """Return where a workspace keeps its runs: ``EVALDESK_RUNS``, else inside the workspace."""
    named = os.environ.get(VARIABLE, "")
    return Place(named or str(workspace.root / FOLDER))


def writable_place_of(workspace: Workspace) -> tuple[Place, WorkspaceError | None]:
    """Return the same where it can be written to, else a place in memory, and why.

    Runs in memory last as long as the process.
    """
    try:
        place = place_of(workspace)
        place.prepare()
        return place, None
    except WorkspaceError as error:
        return Place(f"memory://evaldesk-runs{workspace.root.as_posix()}"), error


def keep_out_of_git(place: Place) -> None:
    """Have git leave the runs alone that lie inside a workspace."""
    if place.is_local and place.root.endswith(FOLDER) and not place.exists(".gitignore"):
        place.write(".gitignore", GITIGNORE.encode())


def _names(fs: Any) -> tuple[str, ...]:
    protocol = fs.protocol
    return (protocol,) if isinstance(protocol, str) else tuple(protocol)


def _is_folder(entry: Any) -> bool:
    return bool(entry["type"] == "directory")
