"""Unsaved edits: drafts with their history, what they change, and merging them with the disk."""

from evalcore.drafts.changes import CaseChange
from evalcore.drafts.draft import Draft, HistoryStep
from evalcore.drafts.merge import Conflict, Merge, three_way
from evalcore.drafts.store import DraftStore, is_stale

__all__ = [
    "CaseChange",
    "Conflict",
    "Draft",
    "DraftStore",
    "HistoryStep",
    "Merge",
    "is_stale",
    "three_way",
]
