"""The review of a run at one moment: what waits, who said what, and what it comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from evalcore.results import CaseResult, Verdict
from evalcore.review import (
    WORDS,
    Dispute,
    Entry,
    Finding,
    Item,
    Reviews,
    case_hash,
    disputes,
    queue,
    reviewers,
    reviewers_agreement,
)
from evalcore.store import CaseLine, RunQuery, StoredRun
from evalcore.store.rows import case_key
from evalcore.verdicts import said
from evalcore.views import numbers
from evalcore.views.words import ago, plural

if TYPE_CHECKING:
    from evalcore.stats import Agreement
    from evalcore.workspace import Workspace

Which = Literal["open", "mine", "disputed", "stale", "reviewed", "all"]
Key = tuple[str, int]
"""Case key and repeat of a result."""
WHICH: dict[Which, str] = {
    "open": "To review",
    "mine": "Not by me yet",
    "disputed": "Disputed",
    "stale": "Out of date",
    "reviewed": "Reviewed",
    "all": "All",
}
SHORT = {
    Finding.AGENT_WRONG: "agent wrong",
    Finding.EXPECTATION_WRONG: "expectation wrong",
    Finding.JUDGE_WRONG: "judge wrong",
    Finding.AMBIGUOUS: "ambiguous",
}


class SetHashes(Mapping[str, str]):
    """The hashes of a set's cases by the keys of their results, each made when it is asked for."""

    def __init__(self, workspace: Workspace, path: str) -> None:
        """Read the set; raises WorkspaceError or DocumentError where it cannot be read."""
        opened = workspace.open(path)
        self._places: dict[str, int] = {}
        self._found: dict[str, str] = {}
        if opened.format is None or opened.detection is None:
            return
        self._lens = opened.format.lens_for(opened.detection)
        self._raw = self._lens.raw_cases(opened.document.value)
        for place, raw in enumerate(self._raw):
            named = CaseResult(origin="", case_id=self._lens.case_id(raw))
            self._places.setdefault(case_key(named, place), place)

    def __getitem__(self, key: str) -> str:
        """Return the hash of a case; raises KeyError where the set has none such."""
        place = self._places[key]
        if key not in self._found:
            self._found[key] = case_hash(self._lens, self._raw[place])
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys of the cases."""
        return iter(self._places)

    def __len__(self) -> int:
        """Return how many cases there are, those with the same key once."""
        return len(self._places)


@dataclass(frozen=True, slots=True)
class Failed:
    """The results of a run that failed, worst first: (place in the run, case key, repeat)."""

    rows: tuple[tuple[int, str, int], ...]


def failed_of(run: StoredRun) -> Failed:
    """Return the results of a run that failed or ended in an error, worst first."""
    sql = "SELECT c.case_row, c.case_key, c.repeat FROM {cases} c WHERE {where} ORDER BY c.place"
    return Failed(tuple(run.ask(sql, [], RunQuery(mode="failures"))))


Found = tuple[tuple[Item, ...], tuple[Item, ...]]
"""The results that failed, and the others that were reviewed."""


@dataclass(frozen=True)
class RunReview:
    """What was said of the results of a run; of a large run only what is asked for is looked up."""

    run: str
    reviews: Reviews
    hashes: Mapping[str, str] | None = field(repr=False)
    find: Callable[[], Found] = field(repr=False)
    _chosen: dict[tuple[Which, str], tuple[Item, ...]] = field(default_factory=dict, repr=False)

    @property
    def items(self) -> tuple[Item, ...]:
        """Return the results that failed, worst first."""
        return self._found[0]

    @property
    def others(self) -> tuple[Item, ...]:
        """Return the results that were reviewed although they passed, or were not evaluated."""
        return self._found[1]

    @cached_property
    def _found(self) -> Found:
        return self.find()

    @cached_property
    def _said(self) -> Mapping[Key, list[Entry]]:
        found: dict[Key, list[Entry]] = {}
        for entry in self.reviews.standing:
            found.setdefault((entry.case_id, entry.repeat), []).append(entry)
        return found

    @property
    def is_begun(self) -> bool:
        """Return whether anybody said anything of this run."""
        return bool(self.reviews.standing)

    def item(self, case_row: int, case_id: str, repeat: int) -> Item:
        """Return one result of the run with what was said of it."""
        said_of = tuple(self._said.get((case_id, repeat), ()))
        own = Reviews(self.reviews.path, said_of, (), said_of)
        return queue([(case_row, case_id, repeat)], own, self.run, self.hashes)[0]

    @cached_property
    def open(self) -> tuple[Item, ...]:
        """Return the failures that wait for somebody's word."""
        return tuple(item for item in self.items if item.is_open)

    @cached_property
    def disputes(self) -> tuple[Dispute, ...]:
        """Return where reviewers found different things and did not settle it."""
        return tuple(disputes(self.reviews))

    @property
    def done(self) -> int:
        """Return how many failures are reviewed."""
        return len(self.items) - len(self.open)

    @cached_property
    def people(self) -> tuple[str, ...]:
        """Return who said something of this run."""
        return reviewers(self.reviews)

    def hash_of(self, case_id: str) -> str:
        """Return the hash of a case as its set has it today, "" where that is not known."""
        return "" if self.hashes is None else self.hashes.get(case_id, "")

    def select(self, which: Which, me: str = "") -> tuple[Item, ...]:
        """Return the results of one kind; ``me`` is who asks for those not reviewed by them."""
        if (which, me) not in self._chosen:
            self._chosen[which, me] = self._select(which, me)
        return self._chosen[which, me]

    def _select(self, which: Which, me: str) -> tuple[Item, ...]:
        everything = (*self.items, *self.others)
        match which:
            case "open":
                return self.open
            case "mine":
                return tuple(item for item in self.items if not item.is_by(me))
            case "disputed":
                return tuple(item for item in everything if item.is_disputed)
            case "stale":
                return tuple(item for item in everything if item.is_stale)
            case "reviewed":
                return tuple(item for item in everything if item.entries and not item.is_open)
            case _:
                return everything

    def shares(self) -> list[tuple[str, int]]:
        """Return how many failures each reviewer has reviewed."""
        count = Counter(
            name
            for item in self.items
            for name in {e.reviewer for e in item.entries if e.kind == "finding"}
        )
        return [(name, count[name]) for name in self.people]

    def findings(self) -> Counter[Finding]:
        """Return how often each thing is the newest finding of a failure that still holds."""
        held = (i.entry.finding for i in self.items if i.entry is not None and not i.is_open)
        return Counter(finding for finding in held if finding is not None)

    def overridden(self, counts: Mapping[Verdict, int]) -> Counter[Verdict]:
        """Return counts of results by verdict as they are with the overrides that stand."""
        found = Counter(counts)
        for item in (*self.items, *self.others):
            given = item.override
            if given is not None and given.verdict is not None and given.original is not None:
                found[given.original] -= 1
                found[given.verdict] += 1
        return found

    @property
    def overrides(self) -> int:
        """Return how many results have another verdict than the scored one."""
        return sum(item.override is not None for item in (*self.items, *self.others))


def review_of(
    run: StoredRun,
    failed: Callable[[], Failed],
    reviews: Reviews,
    hashes: Mapping[str, str] | None,
) -> RunReview:
    """Return the review of a run from all that was said of its set's runs."""
    name = run.manifest.id
    own = reviews.of_run(name)

    def find() -> Found:
        items = queue(failed().rows, own, name, hashes)
        known = {(item.case_id, item.repeat) for item in items}
        said_of = dict.fromkeys((e.case_id, e.repeat) for e in own.standing)
        rest = [key for key in said_of if key not in known]
        return tuple(items), tuple(queue(_rows_of(run, rest), own, name, hashes))

    return RunReview(name, own, hashes, find)


def _rows_of(run: StoredRun, keys: Sequence[Key]) -> list[tuple[int, str, int]]:
    """Return the places of results; those that the run does not have are left out."""
    if not keys:
        return []
    wanted = set(keys)
    sql = "SELECT c.case_row, c.case_key, c.repeat FROM {cases} c WHERE {where} ORDER BY c.place"
    found = run.ask(sql, [], RunQuery(cases=frozenset(key for key, _repeat in keys)))
    return [row for row in found if (row[1], row[2]) in wanted]


@dataclass(frozen=True, slots=True)
class Mark:
    """The state of a result's review: a glyph, what it is in words, and a tone of the lists."""

    glyph: str
    words: str
    tone: Literal["", "warning", "ok", "muted", "accent", "error"] = ""


@dataclass(frozen=True)
class Marks:
    """The state of the review of a run's results, for lists of them."""

    review: RunReview

    def of(self, *lines: CaseLine) -> Mark | None:
        """Return the mark of a result, or of all repeats of a case: the first that waits, else any.

        None where nothing is to be said: it passed and nobody reviewed it, or nobody has begun.
        """
        if not self.review.is_begun:
            return None
        items = [
            item
            for line in lines
            for item in (self.review.item(line.case_row, line.case_key, line.repeat),)
            if item.entries or line.verdict in (Verdict.FAILED, Verdict.ERROR)
        ]
        first = next((item for item in items if item.is_open), items[0] if items else None)
        return None if first is None else mark_of(first)

    @property
    def needing(self) -> tuple[int, ...]:
        """Return the places of the results that wait for a review, for ``RunQuery.rows``."""
        return tuple(item.case_row for item in self.review.open)


def mark_of(item: Item) -> Mark:
    """Return the state of one result's review."""
    if item.is_disputed:
        return Mark("≠", "reviewers see it differently", "warning")
    if item.entry is None or item.entry.finding is None:
        given = item.override
        if given is not None:
            return Mark("✎", f"counted as {said(given.verdict)}", "accent")
        return Mark("↺", "needs review", "warning")
    words = SHORT[item.entry.finding]
    if item.is_stale and item.is_open:
        return Mark("↺", f"{words}, of an older version of the case", "warning")
    if item.is_stale:
        return Mark("✎", f"{words}, and the case was changed since", "muted")
    return Mark("✎", words, "accent")


def who_when(entry: Entry, now: datetime) -> str:
    """Return who said something, and when."""
    return f"{entry.reviewer}, {ago(entry.at, now)}"


def finding_words(entry: Entry) -> str:
    """Return what somebody found, in a sentence's middle."""
    return WORDS[entry.finding] if entry.finding is not None else ""


def agreement_words(found: Agreement, first: str, second: str) -> str:
    """Return how far two reviewers agree, in one sentence with the interval."""
    if not found.n or found.rate is None:
        return f"{first} and {second} have reviewed no result in common."
    same = round(found.rate * found.n)
    told = (
        f"{first} and {second} agree on {same:,} of {found.n:,} ({numbers.percent(same, found.n)})"
    )
    if found.kappa is None:
        return f"{told}; κ cannot be told where all findings are the same."
    kappa = f"Cohen’s κ {found.kappa:.2f}"
    if found.kappa_low is None or found.kappa_high is None:
        return f"{told}; {kappa}."
    return f"{told}; {kappa}, 95 % {found.kappa_low:.2f} to {found.kappa_high:.2f} (bootstrap)."


def pairs_of(review: RunReview) -> list[tuple[str, str, Agreement]]:
    """Return every two reviewers with results in common, and how they agree."""
    names = [name for name, count in review.shares() if count]
    found = [
        (a, b, reviewers_agreement(review.reviews, a, b))
        for at, a in enumerate(names)
        for b in names[at + 1 :]
    ]
    return [pair for pair in found if pair[2].n]


def progress_words(review: RunReview) -> str:
    """Return how far the review is, and who did how much of it."""
    total = len(review.items)
    if not total:
        return "Nothing failed in this run: nothing needs a review."
    told = f"{review.done:,} of {plural(total, 'failure')} reviewed"
    shares = ", ".join(f"{name} {count:,}" for name, count in review.shares() if count)
    return f"{told} ({shares})" if shares else told
