"""What is left to review, what is out of date, and where reviewers see it differently."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalcore.review.entries import Entry, Finding
from evalcore.review.sidecar import Reviews
from evalcore.stats import Agreement, agreement

Hashes = Mapping[str, str]
About = tuple[str, str, int, int | None]
"""Run, case, repeat and turn: which result, or which turn of it, something is about."""


@dataclass(frozen=True, slots=True)
class Item:
    """One result to be reviewed: which one, and what was said of it last.

    ``entries`` are all that stand, the newest first; ``entry`` is the newest finding among them.
    """

    case_row: int
    case_id: str
    repeat: int
    entry: Entry | None = None
    is_stale: bool = False
    entries: tuple[Entry, ...] = ()

    @property
    def is_open(self) -> bool:
        """Return whether it waits for somebody's word.

        What was found of an older version of the case is to be looked at again, but for a wrong
        expectation: that the case was changed since is what was asked for.
        """
        if self.entry is None:
            return True
        return self.is_stale and self.entry.finding is not Finding.EXPECTATION_WRONG

    @property
    def override(self) -> Entry | None:
        """Return the newest other verdict that somebody gave the whole result."""
        given = (e for e in self.entries if e.kind == "override" and not e.evaluator)
        return next((e for e in given if e.invocation is None), None)

    @property
    def is_disputed(self) -> bool:
        """Return whether reviewers found different things, and did not settle it."""
        return bool(_disputes(self.entries))

    def is_by(self, reviewer: str) -> bool:
        """Return whether a reviewer said something that still holds."""
        mine = any(e.reviewer == reviewer and e.kind == "finding" for e in self.entries)
        return mine and not (self.is_stale and self.is_open)


@dataclass(frozen=True, slots=True)
class Dispute:
    """One result of which reviewers found different things, by reviewer."""

    about: About
    findings: Mapping[str, Entry]


def queue(
    failed: Iterable[tuple[int, str, int]],
    reviews: Reviews,
    run: str,
    hashes: Hashes | None,
) -> list[Item]:
    """Return the failed results of a run with what was said of them, in their order.

    ``failed`` are (case row, case id, repeat); ``hashes`` those of the cases as they are today,
    None where the set is not at hand and nothing can be seen to be out of date.
    """
    said: dict[tuple[str, int], list[Entry]] = defaultdict(list)
    for entry in reviews.standing:
        if entry.run == run:
            said[entry.case_id, entry.repeat].append(entry)
    items = []
    for row, case_id, repeat in failed:
        entries = tuple(reversed(said.get((case_id, repeat), ())))
        newest = next((e for e in entries if e.kind == "finding"), None)
        stale = newest is not None and is_stale(newest, hashes)
        items.append(Item(row, case_id, repeat, newest, stale, entries))
    return items


def is_stale(entry: Entry, hashes: Hashes | None) -> bool:
    """Return whether the case is no longer the one that was reviewed, or is gone."""
    if hashes is None or not entry.case_hash:
        return False
    return hashes.get(entry.case_id, "") != entry.case_hash


def next_open(items: Sequence[Item], after: int | None = None) -> Item | None:
    """Return the next result that waits for somebody's word, from one on and round again.

    The one that is looked at comes last.
    """
    rows = [item.case_row for item in items]
    start = rows.index(after) + 1 if after in rows else 0
    turned = [*items[start:], *items[:start]]
    return next((item for item in turned if item.is_open), None)


def disputes(reviews: Reviews) -> list[Dispute]:
    """Return the results of which reviewers found different things, the newest first."""
    return _disputes(tuple(reversed(reviews.standing)))


def reviewers_agreement(reviews: Reviews, first: str, second: str) -> Agreement:
    """Return how two reviewers' newest findings on the same results agree.

    What settled a disagreement is nobody's own finding, and is left out.
    """
    mine, theirs = _findings(reviews, first), _findings(reviews, second)
    shared = [about for about in mine if about in theirs]
    return agreement([mine[a] for a in shared], [theirs[a] for a in shared])


def reviewers(reviews: Reviews) -> tuple[str, ...]:
    """Return who reviewed, in order of appearance."""
    return tuple(dict.fromkeys(entry.reviewer for entry in reviews.entries))


def _disputes(newest_first: Sequence[Entry]) -> list[Dispute]:
    found: dict[About, dict[str, Entry]] = {}
    settled: set[About] = set()
    for entry in newest_first:
        about = entry.about[:4]
        if entry.kind != "finding" or about in settled:
            continue
        if entry.settles:
            # What was said before it is over; what was said after it opens the matter again.
            settled.add(about)
            if about not in found:
                continue
        found.setdefault(about, {}).setdefault(entry.reviewer, entry)
    return [
        Dispute(about, said)
        for about, said in found.items()
        if len({entry.finding for entry in said.values()}) > 1
    ]


def _findings(reviews: Reviews, reviewer: str) -> dict[About, Finding]:
    return {
        entry.about[:4]: entry.finding
        for entry in reviews.standing
        if entry.reviewer == reviewer and entry.finding is not None and not entry.settles
    }
