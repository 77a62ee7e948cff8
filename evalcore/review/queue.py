"""What is left to review, what is out of date, and how far two reviewers agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalcore.review.entries import Entry, Finding
from evalcore.review.sidecar import Reviews
from evalcore.stats import Agreement, agreement


@dataclass(frozen=True, slots=True)
class Item:
    """One result to be reviewed: which one, and what was said of it last."""

    case_row: int
    case_id: str
    repeat: int
    entry: Entry | None = None
    is_stale: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether nothing that still holds was said of it."""
        return self.entry is None or self.is_stale


def queue(
    failed: Iterable[tuple[int, str, int]],
    reviews: Reviews,
    run: str,
    hashes: Mapping[str, str],
) -> list[Item]:
    """Return the failed results of a run with what was said of them, in their order.

    ``failed`` are (case row, case id, repeat); ``hashes`` those of the cases as they are today.
    """
    items = []
    for row, case_id, repeat in failed:
        entry = reviews.latest(run, case_id, repeat)
        stale = entry is not None and is_stale(entry, hashes)
        items.append(Item(row, case_id, repeat, entry, stale))
    return items


def is_stale(entry: Entry, hashes: Mapping[str, str]) -> bool:
    """Return whether the case is no longer the one that was reviewed, or is gone."""
    return bool(entry.case_hash) and hashes.get(entry.case_id, "") != entry.case_hash


def next_open(items: Sequence[Item], after: int | None = None) -> Item | None:
    """Return the next result that nobody reviewed, from one on and round again."""
    rows = [item.case_row for item in items]
    start = rows.index(after) + 1 if after in rows else 0
    turned = [*items[start:], *items[:start]]
    return next((item for item in turned if item.is_open), None)


def reviewers_agreement(reviews: Reviews, first: str, second: str) -> Agreement:
    """Return how two reviewers' newest findings on the same results agree."""
    mine, theirs = _findings(reviews, first), _findings(reviews, second)
    shared = [about for about in mine if about in theirs]
    return agreement([mine[a] for a in shared], [theirs[a] for a in shared])


def reviewers(reviews: Reviews) -> tuple[str, ...]:
    """Return who reviewed, in order of appearance."""
    return tuple(dict.fromkeys(entry.reviewer for entry in reviews.entries))


def _findings(reviews: Reviews, reviewer: str) -> dict[tuple[str, str, int, int | None], Finding]:
    return {
        entry.about[:4]: entry.finding
        for entry in reviews.standing
        if entry.reviewer == reviewer and entry.finding is not None
    }
