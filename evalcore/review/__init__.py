"""Reviewing failed results: whose fault it was, and mending the set from the failure."""

from evalcore.review.book import Kept, ReviewBook
from evalcore.review.entries import WORDS, Entry, Finding, read_lines, standing, write_line
from evalcore.review.hashing import case_hash, hashes
from evalcore.review.making import Made, Recorded, Wanted, home_of, left_out, with_cases
from evalcore.review.people import People
from evalcore.review.queue import (
    Dispute,
    Item,
    disputes,
    is_stale,
    next_open,
    queue,
    reviewers,
    reviewers_agreement,
)
from evalcore.review.sidecar import Reviews, append, lines_of, read_reviews, review_path, reviews_of
from evalcore.review.staging import Part, likely, parts_of, stageable, staged

__all__ = [
    "WORDS",
    "Dispute",
    "Entry",
    "Finding",
    "Item",
    "Kept",
    "Made",
    "Part",
    "People",
    "Recorded",
    "ReviewBook",
    "Reviews",
    "Wanted",
    "append",
    "case_hash",
    "disputes",
    "hashes",
    "home_of",
    "is_stale",
    "left_out",
    "likely",
    "lines_of",
    "next_open",
    "parts_of",
    "queue",
    "read_lines",
    "read_reviews",
    "review_path",
    "reviewers",
    "reviewers_agreement",
    "reviews_of",
    "stageable",
    "staged",
    "standing",
    "with_cases",
    "write_line",
]
