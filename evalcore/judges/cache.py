"""Answers kept on disk, so that the same question is not paid for twice.

The key is a digest of the whole request, with its ``sample``, and of the endpoint and the model
that answered; never of a credential. A cache that cannot be used costs money, not correctness: a
damaged file is set aside and begun anew, a locked or unwritable one is passed over, and both are
logged.
"""

from __future__ import annotations

import json
import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from threading import RLock
from typing import Any, Final

from evalcore.jsontree import MISSING
from evalcore.judges.port import JudgeReply, JudgeRequest, TokenUse

LAYOUT: Final = 1
"""Part of every key: a change of what is kept makes old answers unfindable, not unreadable."""
BUSY_MS: Final = 5000
_TABLE = (
    "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, created REAL NOT NULL, "
    "model TEXT NOT NULL, reply TEXT NOT NULL) WITHOUT ROWID"
)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)
_log = logging.getLogger(__name__)


def key_of(request: JudgeRequest, endpoint: str, model: str) -> bytes:
    """Return the digest under which an answer is kept: 20 bytes.

    ``endpoint`` is an address without credentials, ``model`` the one that really answers. Numbers
    of different kinds and keys in another order make another question.
    """
    whole = [LAYOUT, endpoint, model, request.model_dump(mode="python", exclude={"model"})]
    text = json.dumps(whole, ensure_ascii=True, separators=(",", ":"))
    return blake2b(text.encode("ascii"), digest_size=20).digest()


class AnswerCache:
    """One SQLite file of answers, for several threads and several processes.

    ``problem`` says why the file is not in use, "" while it is.
    """

    def __init__(self, path: Path, now: Callable[[], float] = time.time) -> None:
        self.path = path
        self.problem = ""
        self._now = now
        self._lock = RLock()
        self._open: sqlite3.Connection | None = None

    def get(self, key: bytes) -> JudgeReply | None:
        """Return the answer that is kept, None if there is none that can be read."""
        rows = self._run("SELECT reply FROM answers WHERE key = ?", (key,))
        if not rows:
            return None
        try:
            return _loaded(rows[0][0])
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            _log.warning("A kept answer in %s cannot be read and is dropped: %s", self.path, error)
            self._run("DELETE FROM answers WHERE key = ?", (key,))
            return None

    def put(self, key: bytes, model: str, reply: JudgeReply) -> None:
        """Keep an answer, in place of the one that was kept under its key."""
        row = (key, self._now(), model, _dumped(reply))
        self._run("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", row)

    def clear(self) -> int:
        """Drop every answer; returns how many there were."""
        with self._lock:
            count = self._run("SELECT count(*) FROM answers", ())
            self._run("DELETE FROM answers", ())
        return int(count[0][0]) if count else 0

    def close(self) -> None:
        """Close the file; it is opened again when it is next needed."""
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None

    def _run(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        """Run a statement in a transaction of its own; [] where the file cannot be used."""
        with self._lock:
            for attempt in (1, 2):
                try:
                    with self._connection() as connection, closing(connection.cursor()) as cursor:
                        rows = cursor.execute(statement, values).fetchall()
                except (sqlite3.Error, OSError) as error:
                    self._give_up(error)
                    if not (_is_broken(error) and attempt == 1 and self._set_aside()):
                        return []
                else:
                    self.problem = ""
                    return rows
        return []

    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._open = sqlite3.connect(self.path, check_same_thread=False)
            self._open.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            self._open.execute("PRAGMA journal_mode = WAL")
            self._open.execute("PRAGMA synchronous = NORMAL")
            self._open.execute(_TABLE)
        return self._open

    def _give_up(self, error: Exception) -> None:
        self.problem = f"The cache of answers {self.path} cannot be used: {error}"
        _log.warning("%s", self.problem)
        self.close()

    def _set_aside(self) -> bool:
        """Rename a damaged file so that a new one can be begun; False if that fails."""
        try:
            for suffix in ("-wal", "-shm"):
                self.path.with_name(self.path.name + suffix).unlink(missing_ok=True)
            self.path.replace(self.path.with_name(f"{self.path.name}.damaged"))
        except OSError as error:
            _log.warning("The damaged cache %s cannot be set aside: %s", self.path, error)
            return False
        return True


def _is_broken(error: Exception) -> bool:
    """Return whether the file itself is damaged, rather than locked, full or out of reach."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.DatabaseError) and code is not None and code & 0xFF in _BROKEN


def _dumped(reply: JudgeReply) -> str:
    kept: dict[str, Any] = {"text": reply.text, "use": reply.use.model_dump()}
    if reply.arguments is not MISSING:
        kept["arguments"] = reply.arguments
    return json.dumps(kept)


def _loaded(text: str) -> JudgeReply:
    kept = json.loads(text)
    return JudgeReply(
        text=kept["text"],
        arguments=kept.get("arguments", MISSING),
        use=TokenUse.model_validate(kept["use"]),
        is_cached=True,
    )
