"""Writing one run: case results one by one, then the tables, and the manifest last."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from evalcore.errors import EvaldeskError
from evalcore.results import CaseResult, Run
from evalcore.store import tables
from evalcore.store.documents import dump
from evalcore.store.manifest import Manifest, Status, write_manifest
from evalcore.store.rows import CaseFacts, RowMaker, Rows
from evalcore.verdicts import USUAL_MARK, PassMark

if TYPE_CHECKING:
    from evalcore.store.place import Place

MANIFEST, JOURNAL = "run.json", "journal.jsonl"
BATCH = 5_000
"""How many invocations are held in memory before they are written to a part of a table."""
HEARTBEAT_S = 5.0

About = Callable[[CaseResult], CaseFacts]


def no_facts(_case: CaseResult) -> CaseFacts:
    """Return nothing about any case."""
    return CaseFacts()


class RunWriter:
    """One run being written; use it in a ``with`` block, and ``finish`` it.

    While it is open, a reader sees a running run. Leaving the block without ``finish`` leaves one
    that says it was interrupted, which can be read as far as it got. Not for several threads.
    """

    def __init__(self, place: Place, manifest: Manifest, about: About = no_facts) -> None:
        self._place = place
        self._manifest = manifest.model_copy(update={"status": Status.RUNNING, "heartbeat": _now()})
        mark = USUAL_MARK if manifest.pass_mark is None else PassMark(manifest.pass_mark)
        self._maker = RowMaker(mark)
        self._about = about
        self._rows = Rows()
        self._spool = Path(tempfile.mkdtemp(prefix="evaldesk-run-"))
        self._parts = 0
        self._is_done = False
        self._journal = self._open_journal()
        self._beat = self._manifest.heartbeat
        self._publish(self._manifest)

    @property
    def id(self) -> str:
        """Return the run's id, the name of its folder."""
        return self._manifest.id

    def __enter__(self) -> RunWriter:
        """Return the writer."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Mark the run as interrupted unless it was finished, and drop what is temporary."""
        try:
            if not self._is_done:
                said = str(error) if isinstance(error, EvaldeskError) else None
                self.finish(status=Status.INTERRUPTED, error=said)
        finally:
            self._journal.close()
            shutil.rmtree(self._spool, ignore_errors=True)

    def append(self, case: CaseResult) -> None:
        """Add one case result; it is in the journal when this returns."""
        doc = dump(case)
        self._journal.write(doc + "\n")
        self._journal.flush()
        self._maker.add(case, self._about(case), self._rows, doc)
        if len(self._rows.scores) >= BATCH or len(self._rows.cases) >= BATCH:
            self._write_part()
        self._keep_alive()

    def finish(
        self,
        *,
        status: Status = Status.FINISHED,
        error: str | None = None,
        run: Run | None = None,
    ) -> Manifest:
        """Write the tables and the final manifest; ``run`` tells what holds for all of it."""
        self._write_part()
        for name in tables.NAMES:
            joined = tables.join_parts(self._spool, name, self._maker.tally.summaries())
            self._place.put(joined, f"{self.id}/{name}.parquet")
        manifest = self._counted(status, error, run)
        self._publish(manifest)
        self._is_done = True
        self._journal.close()
        self._place.delete(f"{self.id}/{JOURNAL}")
        return manifest

    def _counted(self, status: Status, error: str | None, run: Run | None) -> Manifest:
        tally = self._maker.tally
        found: dict[str, Any] = {
            "status": status,
            "heartbeat": None,
            "finished_at": self._manifest.finished_at or _now(),
            "cases": tally.counts(),
            "invocations": tally.invocations,
            "distinct": tally.distinct,
            "repeats": tally.repeats,
            "flaky": tally.flaky,
            "duration_s": tally.duration_s,
            "tokens": tally.tokens,
            "metrics": tally.summaries(),
        }
        if error is not None:
            found["error"] = error
        return self._manifest.model_copy(update=found | (about_run(run) if run else {}))

    def _write_part(self) -> None:
        if self._rows.cases:
            tables.write_part(self._spool, self._parts, self._rows)
            self._parts += 1
            self._rows = Rows()

    def _open_journal(self) -> IO[str]:
        if self._place.is_local:
            folder = Path(self._place.full(self.id))
            folder.mkdir(parents=True, exist_ok=True)
            return (folder / JOURNAL).open("w", encoding="utf-8")
        # Places such as object storage cannot append to a file.
        return (self._spool / JOURNAL).open("w", encoding="utf-8")

    def _keep_alive(self) -> None:
        now = _now()
        if self._beat is None or (now - self._beat).total_seconds() >= HEARTBEAT_S:
            self._beat = now
            self._publish(
                self._counted(Status.RUNNING, None, None).model_copy(
                    update={"heartbeat": now, "finished_at": None}
                )
            )

    def _publish(self, manifest: Manifest) -> None:
        self._place.write(f"{self.id}/{MANIFEST}", write_manifest(manifest))


def about_run(run: Run) -> dict[str, Any]:
    """Return what a run itself says, as far as the manifest holds it."""
    from evalcore.store.documents import plain

    return {
        "stored_status": run.stored_status,
        "error": run.error,
        "has_pass_rule": run.has_pass_rule,
        "dataset_scores": tuple(plain(score) for score in run.dataset_scores),
        "metadata": _json(run.metadata),
    }


def _json(value: Any) -> Any:
    try:
        return json.loads(json.dumps(value))
    except (TypeError, ValueError):
        return None


def _now() -> datetime:
    return datetime.now(UTC)
