"""The query engine of a process: one in memory, a cursor for each question."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from threading import RLock
from typing import TYPE_CHECKING, Any

from evalcore.results import Verdict
from evalcore.store.manifest import Manifest
from evalcore.store.rows import CODES
from evalcore.verdicts import NEAR, PassMark

if TYPE_CHECKING:
    import duckdb

    from evalcore.store.place import Place

ROWS_KEPT = 3_000_000
"""How many rows of loaded runs are kept at hand; the run used longest ago goes first."""


class Engine:
    """Loaded runs, and cursors to ask about them. All methods may be called from any thread."""

    def __init__(self) -> None:
        import duckdb

        self._lock = RLock()
        self._connection: duckdb.DuckDBPyConnection = duckdb.connect()
        # Fetched results are Python objects; nothing on disk may be spilled to or downloaded from.
        self._connection.execute("SET autoinstall_known_extensions = false")
        self._connection.execute("SET autoload_known_extensions = false")
        self._loaded: OrderedDict[tuple[str, ...], tuple[str, int]] = OrderedDict()
        self._next = 0
        self._protocols: set[str] = set()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor of its own for the calling thread."""
        return self._connection.cursor()

    def reach(self, place: Place) -> None:
        """Let the engine read the files of a place."""
        if place.is_local:
            return
        with self._lock:
            if place.protocol not in self._protocols:
                self._connection.register_filesystem(place.fs)
                self._protocols.add(place.protocol)

    def tables(self, key: tuple[str, ...], rows: int, load: Callable[[Any, str], None]) -> str:
        """Return the prefix of a run's tables, loading them where they are not at hand.

        ``load`` is given a cursor and the prefix.
        """
        with self._lock:
            known = self._loaded.get(key)
            if known is None:
                prefix = f"run{self._next}"
                self._next += 1
                load(self.cursor(), prefix)
                known = self._loaded[key] = (prefix, rows)
            self._loaded.move_to_end(key)
            self._forget()
            return known[0]

    def _forget(self) -> None:
        while len(self._loaded) > 2 and sum(n for _, n in self._loaded.values()) > ROWS_KEPT:
            _, (prefix, _) = self._loaded.popitem(last=False)
            for name in ("cases", "scores"):
                self._connection.execute(f"DROP TABLE IF EXISTS {prefix}_{name}")


@lru_cache(maxsize=1)
def engine() -> Engine:
    """Return the one engine of this process."""
    return Engine()


def load_run(place: Place, manifest: Manifest, mark: PassMark | None) -> Callable[[Any, str], None]:
    """Return what loads a run's tables; ``mark`` judges anew where the system has no pass rule."""

    def load(cursor: Any, prefix: str) -> None:
        for name in ("cases", "scores"):
            address = place.address(f"{manifest.id}/{name}.parquet")
            columns = _judged(manifest, mark, name)
            cursor.execute(
                f"CREATE TABLE {prefix}_{name} AS SELECT {columns} FROM read_parquet(?)", [address]
            )
        _rank(cursor, f"{prefix}_cases", manifest)

    return load


def _judged(manifest: Manifest, mark: PassMark | None, table: str) -> str:
    """Return the columns of a table, with verdicts by a pass mark where there is one."""
    if mark is None or manifest.has_pass_rule or mark.value == manifest.pass_mark:
        return "*"
    passed, failed = CODES[Verdict.PASSED], CODES[Verdict.FAILED]
    columns = [m.column for m in manifest.metrics if not m.informational]
    if not columns:
        return "*"
    verdicts = {
        n: f"CASE WHEN v{n} IN ({passed}, {failed}) THEN "
        f"CASE WHEN m{n} >= {mark.value!r}::FLOAT THEN {passed} ELSE {failed} END ELSE v{n} END"
        for n in columns
    }
    replaced = [f"({text})::UTINYINT AS v{n}" for n, text in verdicts.items()]
    replaced.append(f"({_together(verdicts)})::UTINYINT AS verdict")
    if table == "cases":
        near = " OR ".join(
            f"(m{n} >= {mark.value!r}::FLOAT AND m{n} < 1 AND m{n} - {mark.value!r} < {NEAR})"
            for n in columns
        )
        replaced.append(f"coalesce({near}, false) AS is_near")
    return f"* REPLACE ({', '.join(replaced)})"


def _together(verdicts: dict[int, str]) -> str:
    """Return what several verdicts come to: an error, a failure, a pass, else not evaluated."""
    anyone = {
        code: " OR ".join(f"({text}) = {code}" for text in verdicts.values())
        for code in CODES.values()
    }
    error, failed, passed = (CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.PASSED))
    return (
        f"CASE WHEN verdict = {error} OR {anyone[error]} THEN {error} "
        f"WHEN {anyone[failed]} THEN {failed} WHEN {anyone[passed]} THEN {passed} "
        f"ELSE verdict END"
    )


def _rank(cursor: Any, table: str, manifest: Manifest) -> None:
    """Add what the order "worst first" and the flaky cases need.

    ``rank``: errors 0, failures 1, flaky 2, near passes 3, not evaluated 4, the rest 5; ``worst``
    is the lowest value of a failed check.
    """
    error, failed, idle, passed = (
        CODES[v] for v in (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)
    )
    judged = [m.column for m in manifest.metrics if not m.informational]
    lowest = ", ".join(f"CASE WHEN v{n} = {failed} THEN m{n} END" for n in judged)
    worst = f"coalesce(least({lowest}), 0)" if judged else "0"
    if len(judged) == 1:
        worst = f"coalesce({lowest}, 0)"
    flaky = "FALSE"
    if manifest.repeats > 1:
        flaky = (
            f"bool_or(verdict = {passed}) OVER same AND "
            f"bool_or(verdict IN ({error}, {failed})) OVER same"
        )
    cursor.execute(
        f"CREATE OR REPLACE TABLE {table} AS SELECT *, ({flaky})::BOOLEAN AS is_flaky, "
        f"CASE WHEN verdict = {failed} THEN {worst} ELSE 0 END::FLOAT AS worst, "
        f"CASE WHEN verdict = {error} THEN 0 WHEN verdict = {failed} THEN 1 "
        f"WHEN {flaky} THEN 2 WHEN verdict = {passed} AND is_near THEN 3 "
        f"WHEN verdict = {idle} THEN 4 ELSE 5 END::UTINYINT AS rank "
        f"FROM {table}"
        + (" WINDOW same AS (PARTITION BY case_key)" if manifest.repeats > 1 else "")
    )
