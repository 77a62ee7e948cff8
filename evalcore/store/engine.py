"""The query engine of a process: one in memory, a cursor for each question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock, RLock
from typing import TYPE_CHECKING, Any, TypeAlias

from evalcore.errors import EvaldeskError

if TYPE_CHECKING:
    import duckdb

    from evalcore.store.place import Place

BYTES_KEPT = 600_000_000
"""How much memory the tables at hand may take; those used longest ago go first."""

Make: TypeAlias = "Callable[[duckdb.DuckDBPyConnection, str], str]"
"""Makes a table of a given name with a given cursor, and returns what drops it again."""


@dataclass(slots=True)
class _Entry:
    name: str
    lock: Lock = field(default_factory=Lock)
    users: int = 0
    size: int = 0
    drop: str = ""
    """What drops the table, "" while it is not made."""


class Engine:
    """Tables in memory, and questions about them. All methods may be called from any thread."""

    def __init__(self) -> None:
        import duckdb

        self._lock = RLock()
        self._connection: duckdb.DuckDBPyConnection = duckdb.connect()
        # No table may be spilled to a disk that nobody knows of, and nothing may be downloaded.
        for setting, value in (
            ("autoinstall_known_extensions", "false"),
            ("autoload_known_extensions", "false"),
            ("temp_directory", "''"),
        ):
            self._connection.execute(f"SET {setting} = {value}")
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._next = 0
        self._protocols: set[str] = set()

    def reach(self, place: Place) -> None:
        """Let the engine read the files of a place."""
        if place.is_local:
            return
        with self._lock:
            if place.protocol not in self._protocols:
                self._connection.register_filesystem(place.fs)
                self._protocols.add(place.protocol)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[Any]:
        """Return the rows that a question has; raises EvaldeskError where files are gone."""
        with self._cursor() as cursor:
            return cursor.execute(sql, list(parameters)).fetchall()

    @contextmanager
    def holding(self, key: Hashable, make: Make) -> Iterator[str]:
        """Give the name of a table, made now where it is not at hand; it stays in the block.

        Raises EvaldeskError where files that it is made of are gone or damaged.
        """
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                entry = self._entries[key] = _Entry(f"t{self._next}")
                self._next += 1
            self._entries.move_to_end(key)
            entry.users += 1
        try:
            with entry.lock:
                if not entry.drop:
                    self._make(entry, make)
            yield entry.name
        finally:
            with self._lock:
                entry.users -= 1
                self._forget()

    def sizes(self) -> int:
        """Return how many bytes all tables at hand take."""
        with self._lock:
            return sum(entry.size for entry in self._entries.values())

    def _make(self, entry: _Entry, make: Make) -> None:
        with self._cursor() as cursor:
            before = _used(cursor)
            drop = make(cursor, entry.name)
            # Another thread may make a table at the same time: the sum is right, the shares nearly.
            entry.size = max(0, _used(cursor) - before)
        entry.drop = drop

    @contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        import duckdb

        with self._lock:
            cursor = self._connection.cursor()
        try:
            yield cursor
        except (duckdb.IOException, duckdb.InvalidInputException, duckdb.HTTPException) as error:
            raise EvaldeskError(
                f"The tables of this run cannot be read: {str(error).splitlines()[0]}",
                hint="Somebody may have deleted it meanwhile. Import or score it again.",
            ) from error
        finally:
            cursor.close()

    def _forget(self) -> None:
        idle = [(key, e) for key, e in self._entries.items() if e.users == 0]
        total = sum(entry.size for entry in self._entries.values())
        for key, entry in idle:
            if total <= BYTES_KEPT and entry.drop:
                continue
            total -= entry.size
            del self._entries[key]
            if entry.drop:
                self._connection.execute(entry.drop)


def creating(sql: str, parameters: Sequence[object] = ()) -> Make:
    """Return what makes a table of a query's rows, in their order."""

    def make(cursor: duckdb.DuckDBPyConnection, name: str) -> str:
        cursor.execute(f"CREATE TABLE {name} AS {sql}", list(parameters))
        return f"DROP TABLE {name}"

    return make


_engines: list[Engine] = []
_making = Lock()


def engine() -> Engine:
    """Return the one engine of this process."""
    with _making:
        if not _engines:
            _engines.append(Engine())
        return _engines[0]


def _used(cursor: duckdb.DuckDBPyConnection) -> int:
    found = cursor.execute("SELECT sum(memory_usage_bytes) FROM duckdb_memory()").fetchone()
    return int(found[0]) if found and found[0] else 0
