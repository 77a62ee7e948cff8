"""``run.json``: what a run is, what it came to, and what it was made from.

Lists of runs and trends read these small files only, never the tables beside them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field, ValidationError

from evalcore.errors import FormatError
from evalcore.model import Json, Model

VERSION = 1
"""The version of the layout that this code writes; it reads none that is newer."""

Direction = Literal["higher", "lower", "none"]


class Status(StrEnum):
    """How far a run got."""

    RUNNING = "running"
    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    """Its writer is gone and did not finish it; what was written so far can be read."""


class Source(Model):
    """What a run was made from.

    ``path`` is as the workspace knows it, ``sha256`` that of the file's bytes, ``number`` counts
    the runs of a file from 1, of which there are ``of``.
    """

    kind: Literal["result_file", "outputs", "scored"]
    path: str = ""
    sha256: str = ""
    number: int = 1
    of: int = 1


class SetFacts(Model):
    """The eval set of a run; ``content`` is the hash of its cases, "" where it was not at hand."""

    path: str = ""
    id: str | None = None
    name: str | None = None
    content: str = ""
    cases: int | None = None


class VerdictCounts(Model):
    """How many came to which verdict."""

    passed: int = 0
    failed: int = 0
    error: int = 0
    not_evaluated: int = 0

    @property
    def total(self) -> int:
        """Return how many there are."""
        return self.passed + self.failed + self.error + self.not_evaluated

    @property
    def judged(self) -> int:
        """Return how many passed or failed."""
        return self.passed + self.failed


class MetricSummary(Model):
    """One evaluator over the case results of a run; a case counts once, with its worst turn.

    ``key`` is the evaluator's ref, ``column`` the number of its columns in the tables. ``mean``,
    ``low`` and ``high`` are on 0–1 unless the metric is informational, None where nothing has a
    value. ``scored`` counts the case results with a number. ``better`` says which direction is.
    """

    key: str
    label: str
    column: int
    informational: bool = False
    better: Direction = "higher"
    scored: int = 0
    counts: VerdictCounts = VerdictCounts()
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    thresholds: tuple[float, ...] = ()
    worst_native: float | None = None
    best_native: float | None = None


class Manifest(Model):
    """One run in short.

    ``cases`` counts case results by verdict, ``distinct`` the different cases among them,
    ``repeats`` the most results that any case has. ``stored_status`` is the file's own word.
    ``pass_mark`` is the user's, None where the system has a rule. Times are UTC.
    ``evaluators`` maps each evaluator's ref to a hash of its configuration. ``imported_at`` is when
    its tables were written, ``finished_at`` when the run ended. ``key_order`` is a hash of the keys
    of its case results in their order: runs that share it can be held together row by row.
    ``contradicting`` counts case results whose verdict in the file is not what their own scores
    come to; ``contradicting_cases`` names the first of them.
    ``blank`` names columns of the table of cases that hold nothing, ``case_id`` where each is the
    key.
    """

    version: int = VERSION
    id: str
    name: str = ""
    status: Status = Status.FINISHED
    source: Source
    format_id: str
    eval_set: SetFacts = SetFacts()
    evaluators: Mapping[str, str] = {}
    versions: Mapping[str, str] = {}
    has_pass_rule: bool = True
    pass_mark: float | None = None
    stored_status: str = ""
    error: str | None = None
    started_at: datetime | None = None
    finished_at: datetime | None = None
    imported_at: datetime | None = None
    heartbeat: datetime | None = None
    cases: VerdictCounts = VerdictCounts()
    invocations: int = 0
    distinct: int = 0
    repeats: int = 1
    flaky: int = 0
    contradicting: int = 0
    contradicting_cases: tuple[str, ...] = ()
    key_order: str = ""
    blank: tuple[str, ...] = ()
    duration_s: float | None = None
    tokens: int | None = None
    cost: float | None = None
    metrics: tuple[MetricSummary, ...] = ()
    dataset_scores: tuple[Json, ...] = ()
    cautions: tuple[str, ...] = ()
    metadata: Json = Field(default=None)

    def metric(self, key: str) -> MetricSummary | None:
        """Return an evaluator's summary, None where the run has no such evaluator."""
        return next((m for m in self.metrics if m.key == key), None)


def write_manifest(manifest: Manifest) -> bytes:
    """Return the bytes of ``run.json``: indented, so that two of them can be compared."""
    value = manifest.model_dump()
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, default=_plain)
        return text.encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        # Names with half an emoji, which files may hold, are written as escapes.
        return json.dumps(value, indent=2, default=_plain).encode() + b"\n"


def read_manifest(data: bytes, path: str) -> Manifest:
    """Return the manifest in some bytes.

    Raises FormatError where they are none, or of a later version of the layout.
    """
    hint = "Delete this run's folder and import its result file again."
    try:
        value = json.loads(data)
        if isinstance(value, dict) and _is_later(value.get("version")):
            raise FormatError(
                f"{path} was written by a later version of Evaldesk",
                hint="Update Evaldesk to read it.",
            )
        return Manifest.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the file"
        message = f"{path} is no run that Evaldesk wrote: {place}: {first['msg']}"
        raise FormatError(message, hint=hint) from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{path} is no run that Evaldesk wrote: {error}", hint=hint) from error


def _is_later(version: object) -> bool:
    return isinstance(version, int) and version > VERSION


def _plain(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in a manifest")
