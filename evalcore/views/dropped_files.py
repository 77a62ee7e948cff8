"""Files that somebody dropped in a browser: where they are kept, and what they are called."""

from __future__ import annotations

import tempfile
from pathlib import Path

from evalcore.store.place import GITIGNORE
from evalcore.views.values import printable

HIDDEN = ".evaldesk"
DROPPED = "dropped"
"""The folder, in the hidden one, of files that were dropped in a browser."""


def file_name(name: str) -> str:
    """Return the last part of an uploaded file's name, with nothing in it that a disk minds."""
    last = printable(name).replace("\\", "/").rsplit("/", 1)[-1]
    plain = "".join("_" if c in '<>:"|?*\0' or not c.isprintable() else c for c in last)
    stem, dot, ending = plain.strip(" .").rpartition(".")
    return f"{stem[:80]}{dot}{ending[:12]}" if stem else ending[:80] or "results.json"


def dropped_name(path: str) -> str | None:
    """Return the name of a dropped file by its path, None for a file of the workspace."""
    parts = path.split("/")
    return parts[2] if len(parts) == 3 and parts[0] == DROPPED and len(parts[1]) == 8 else None


def dropped_folder(root: Path) -> Path:
    """Return what holds the folder of dropped files: the hidden folder, else a passing one."""
    folder = root / HIDDEN
    try:
        (folder / DROPPED).mkdir(parents=True, exist_ok=True)
        ignored = folder / DROPPED / ".gitignore"
        if not ignored.exists():
            ignored.write_text(GITIGNORE, "utf-8")
    except OSError:
        return Path(tempfile.mkdtemp(prefix="evaldesk-dropped-"))
    return folder
