"""What the reviewers at each browser are called: asked once, remembered in the workspace."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from threading import Lock

from evalcore.errors import WorkspaceError
from evalcore.files import atomic_write, file_lock

FOLDER = ".evaldesk/reviewers"
FILE = "names.json"


class People:
    """Names by the browser that they belong to; there are no accounts.

    Where the workspace cannot be written to, names last as long as the server. The cookie that
    tells browsers apart is the key to their drafts, so that only its hash is written.
    """

    def __init__(self, root: Path) -> None:
        self._folder = root / FOLDER
        self._lock = Lock()
        self._known: dict[str, str] | None = None

    def name(self, owner: str) -> str:
        """Return what the reviewer at a browser is called, "" where nobody said."""
        with self._lock:
            return self._names().get(_hashed(owner), "")

    def call(self, owner: str, name: str) -> None:
        """Remember a name."""
        with self._lock:
            self._known = {**self._names(), _hashed(owner): name.strip()}
            try:
                self._write(self._known)
            except (OSError, WorkspaceError):
                # It stays in memory; that reviews cannot be kept is said where they are written.
                return

    def _write(self, names: dict[str, str]) -> None:
        if self._folder.is_symlink() or self._folder.parent.is_symlink():
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        ignore = self._folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="ascii")
        file = self._folder / FILE
        with file_lock(file):
            self._known = {**self._read(), **names}
            atomic_write(file, json.dumps(self._known, indent=1, sort_keys=True).encode("ascii"))

    def _names(self) -> dict[str, str]:
        if self._known is None:
            self._known = self._read()
        return self._known

    def _read(self) -> dict[str, str]:
        try:
            found = json.loads((self._folder / FILE).read_bytes())
        except (OSError, ValueError):
            return {}
        held = found.items() if isinstance(found, dict) else ()
        return {owner: name for owner, name in held if isinstance(name, str)}


def _hashed(owner: str) -> str:
    return hashlib.sha256(f"evaldesk reviewer {owner}".encode()).hexdigest()[:20]
