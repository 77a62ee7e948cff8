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
BATCH_BYTES = 16_000_000
"""The same for what their texts take."""
HEARTBEAT_S = 5.0

About = Callable[[CaseResult], CaseFacts]


def no_facts(_case: CaseResult) -> CaseFacts:
    """Return nothing about any case."""
    return CaseFacts()


class RunWriter:
    """One run being written; use it in a ``with`` block, and ``finish`` it.

    While it is open, a reader sees a running run. Leaving the block without ``finish`` leaves one
    that says it was interrupted, which can be read as far as it got. Not for several threads.

    A writer that is ``quiet`` keeps no journal and shows nothing until it is finished.
    """

    def __init__(
        self, place: Place, manifest: Manifest, about: About = no_facts, *, quiet: bool = False
    ) -> None:
        self._place = place
        self._beat = _now()
        self._manifest = manifest.model_copy(
            update={"status": Status.RUNNING, "heartbeat": self._beat}
        )
        is_open = not manifest.has_pass_rule
        mark = USUAL_MARK if manifest.pass_mark is None else PassMark(manifest.pass_mark)
        self._maker = RowMaker(mark, is_open=is_open)
        self._about = about
        self._rows = Rows()
        self._quiet = quiet
        self._is_done = False
        self._journal: IO[str] | None = None
        self._spool = self._new_spool()
        self._tables = tables.Tables(self._spool, is_open=is_open)
        try:
            if not quiet:
                self._journal = self._open_journal()
                self._publish(self._manifest)
        except BaseException:
            self._let_go()
            raise

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
            if not self._is_done and not self._quiet:
                self.finish(status=Status.INTERRUPTED, error=_said(error))
        finally:
            self._let_go()

    def append(self, case: CaseResult) -> None:
        """Add one case result; it is in the journal when this returns."""
        doc, facts = dump(case), self._about(case)
        if self._journal is not None:
            self._journal.write(journal_line(doc, facts))
            self._journal.flush()
        self._maker.add(case, facts, self._rows, doc)
        rows = self._rows
        if max(len(rows.cases), len(rows.scores)) >= BATCH or rows.size >= BATCH_BYTES:
            self._write_part()
        self.keep_alive()

    def keep_alive(self) -> None:
        """Tell readers that the writer is still there; call it where a result takes a minute."""
        now = _now()
        if not self._quiet and (now - self._beat).total_seconds() >= HEARTBEAT_S:
            self._beat = now
            running = {"status": Status.RUNNING, "heartbeat": now}
            self._publish(self._manifest.model_copy(update=self._counts() | running))

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
            whole = self._tables.finished(name, self._maker.tally)
            self._place.put(whole, f"{self.id}/{name}.parquet")
        now = _now()
        found = self._counts() | {
            "status": status,
            "heartbeat": None,
            "finished_at": self._manifest.finished_at or now,
            "imported_at": now,
        }
        found |= about_run(run) if run is not None else {}
        if error is not None:
            found["error"] = error
        manifest = self._manifest.model_copy(update=found)
        self._publish(manifest)
        self._is_done = True
        self._close_journal()
        self._place.delete(f"{self.id}/{JOURNAL}")
        return manifest

    def _counts(self) -> dict[str, Any]:
        tally = self._maker.tally
        return {
            "cases": tally.counts(),
            "invocations": tally.invocations,
            "distinct": tally.distinct,
            "repeats": tally.repeats,
            "flaky": tally.flaky,
            "contradicting": tally.contradicting,
            "contradicting_cases": tuple(tally.contradicting_cases),
            "key_order": tally.key_order,
            "blank": self._maker.blank,
            "duration_s": tally.duration_s,
            "tokens": tally.tokens,
            "metrics": tally.summaries(),
        }

    def _write_part(self) -> None:
        if self._rows.cases:
            self._tables.add(self._rows)
            self._rows = Rows()

    def _new_spool(self) -> Path:
        if not self._place.is_local:
            return Path(tempfile.mkdtemp(prefix="evaldesk-run-"))
        folder = Path(self._place.full(self.id))
        folder.mkdir(parents=True, exist_ok=True)
        return Path(tempfile.mkdtemp(prefix=".parts-", dir=folder))

    def _open_journal(self) -> IO[str] | None:
        # Places such as object storage cannot append to a file: a crash there loses what it wrote.
        if not self._place.is_local:
            return None
        return Path(self._place.full(f"{self.id}/{JOURNAL}")).open("w", encoding="utf-8")

    def _close_journal(self) -> None:
        if self._journal is not None:
            self._journal.close()

    def _let_go(self) -> None:
        self._close_journal()
        self._tables.close()
        shutil.rmtree(self._spool, ignore_errors=True)

    def _publish(self, manifest: Manifest) -> None:
        self._place.write(f"{self.id}/{MANIFEST}", write_manifest(manifest))


def journal_line(doc: str, facts: CaseFacts) -> str:
    """Return the line of one case result: its document, and behind a tab what its set says."""
    if facts == CaseFacts():
        return doc + "\n"
    held = {
        "tags": facts.tags,
        "metadata": _json(dict(facts.metadata)),
        "id": facts.id,
        "content": facts.content,
    }
    return f"{doc}\t{json.dumps(held)}\n"


def facts_of(text: str) -> CaseFacts:
    """Return what ``journal_line`` wrote behind the tab; raises ValueError for anything else."""
    if not text:
        return CaseFacts()
    try:
        held = json.loads(text)
        content = held.get("content", "")
        return CaseFacts(tuple(held["tags"]), held["metadata"] or {}, held["id"], content)
    except (KeyError, TypeError) as error:
        raise ValueError(f"These are no facts of a case: {error}") from error


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


def _said(error: BaseException | None) -> str | None:
    if error is None or isinstance(error, EvaldeskError):
        return str(error) if error is not None else None
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _now() -> datetime:
    return datetime.now(UTC)
