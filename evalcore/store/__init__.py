"""Runs kept as folders: a manifest, and tables that answer at any size.

store = RunStore(place_of(workspace))
with store.writer(manifest) as writer:
writer.append(case_result)
writer.finish()
run = store.open(manifest.id)
run.page(RunQuery(mode="failures")).lines
"""

from evalcore.store.lines import CaseLine, Group, MetricNumbers, RunPage
from evalcore.store.manifest import (
    Manifest,
    MetricSummary,
    SetFacts,
    Source,
    Status,
    VerdictCounts,
)
from evalcore.store.place import Place, place_of, writable_place_of
from evalcore.store.query import MetricFilter, RunQuery
from evalcore.store.rows import CaseFacts
from evalcore.store.runs import BrokenRun, RunStore, moment
from evalcore.store.stored import StoredRun
from evalcore.store.writer import RunWriter

__all__ = [
    "BrokenRun",
    "CaseFacts",
    "CaseLine",
    "Group",
    "Manifest",
    "MetricFilter",
    "MetricNumbers",
    "MetricSummary",
    "Place",
    "RunPage",
    "RunQuery",
    "RunStore",
    "RunWriter",
    "SetFacts",
    "Source",
    "Status",
    "StoredRun",
    "VerdictCounts",
    "moment",
    "place_of",
    "writable_place_of",
]
