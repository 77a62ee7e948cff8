"""Reviewing failed results: whose fault it was, and mending the set from the failure."""

from evalcore.review.entries import WORDS, Entry, Finding, read_lines, standing, write_line
from evalcore.review.hashing import case_hash, hashes
from evalcore.review.queue import (
    Item,
    is_stale,
    next_open,
    queue,
    reviewers,
    reviewers_agreement,
)
from evalcore.review.sidecar import Reviews, append, read_reviews, review_path
from evalcore.review.staging import Part, case_from, stageable, staged

__all__ = [
    "WORDS",
    "Entry",
    "Finding",
    "Item",
    "Part",
    "Reviews",
    "append",
    "case_from",
    "case_hash",
    "hashes",
    "is_stale",
    "next_open",
    "queue",
    "read_lines",
    "read_reviews",
    "review_path",
    "reviewers",
    "reviewers_agreement",
    "stageable",
    "staged",
    "standing",
    "write_line",
]
