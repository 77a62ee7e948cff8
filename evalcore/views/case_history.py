"""One case over all runs of its eval set: when it passed, which run broke it, what it said then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from evalcore.errors import EvaldeskError
from evalcore.results import Verdict
from evalcore.store import Manifest, StoredRun, moment
from evalcore.store.sightings import Sighting, sighting
from evalcore.views.run_list import set_key
from evalcore.views.words import plural

RUNS = 50
"""How many runs are looked at, the newest ones; older ones on demand."""

Open = Callable[[str], StoredRun]


@dataclass(frozen=True, slots=True)
class Point:
    """A case in one run.

    ``seen`` is None where the run does not have the case, ``trouble`` says why it cannot be read.
    ``changed`` says that the case was another one in the run before that had it.
    """

    manifest: Manifest
    seen: Sighting | None
    trouble: str = ""
    changed: bool = False
    is_this: bool = False

    @property
    def at(self) -> datetime:
        """Return when the run ran."""
        return moment(self.manifest)

    @property
    def verdict(self) -> Verdict | None:
        """Return the worst verdict of the case in this run, None where it was not run."""
        if self.seen is None:
            return None
        counts = self.seen.counts
        return next(v for v in _WORST if counts[v])

    @property
    def broke(self) -> bool:
        """Return whether the case did not pass."""
        return self.verdict in (Verdict.FAILED, Verdict.ERROR)


@dataclass(frozen=True, slots=True)
class CaseHistory:
    """The runs, oldest first.

    ``first_broken`` is the place of the run that broke the case, after which it never passed again;
    None where it passes in the newest run, or never passed. ``older`` runs were not looked at.
    """

    points: tuple[Point, ...]
    first_broken: int | None
    older: int = 0

    @property
    def known(self) -> tuple[Point, ...]:
        """Return the runs that have the case."""
        return tuple(point for point in self.points if point.seen is not None)

    @property
    def told(self) -> str:
        """Return what became of the case, in one sentence."""
        known = self.known
        if len(known) < 2:
            return "No other run here has this case."
        broken, judged = self.first_broken, [p for p in known if _is_judged(p)]
        if broken is not None:
            breaker = self.points[broken]
            last = self.points[broken - 1] if broken else breaker
            since = sum(point.broke for point in known if point.at >= breaker.at)
            name, when = breaker.manifest.name or breaker.manifest.id, f"{breaker.at:%d %b %Y}"
            told = f"Broken since {name} of {when}: {plural(since, 'run')} with a failure."
            if breaker.changed and last is not breaker:
                told += " What is expected changed with that run."
            return told
        passed = sum(point.verdict is Verdict.PASSED for point in judged)
        if judged and not passed:
            return f"It never passed in {plural(len(judged), 'run')}."
        if passed == len(judged):
            return f"It passed in all {plural(len(judged), 'run')}."
        return f"It passed in {passed} of {plural(len(judged), 'run')}, and in the newest one."


_WORST = (Verdict.ERROR, Verdict.FAILED, Verdict.PASSED, Verdict.NOT_EVALUATED)


def history(
    this: StoredRun,
    case_key: str,
    manifests: Sequence[Manifest],
    open_run: Open,
    most: int | None = RUNS,
) -> CaseHistory:
    """Return a case over the runs of the same eval set; ``manifests`` are all runs there are.

    A run that cannot be opened is told as such. Only the columns of the one case are read.
    """
    key = set_key(this.manifest)
    same = [m for m in manifests if key and set_key(m) == key and m.id != this.manifest.id]
    same.sort(key=moment, reverse=True)
    taken = same if most is None else same[: most - 1]
    ordered = sorted([*taken, this.manifest], key=lambda m: (moment(m), m.id))
    points: list[Point] = []
    before = ""
    for manifest in ordered:
        is_this = manifest.id == this.manifest.id
        point = _point(manifest, case_key, (lambda _: this) if is_this else open_run, before)
        points.append(_as_this(point) if is_this else point)
        before = point.seen.content if point.seen and point.seen.content else before
    return CaseHistory(tuple(points), first_broken(points), len(same) - len(taken))


def first_broken(points: Sequence[Point]) -> int | None:
    """Return the place of the run that broke a case which passed before and never since."""
    judged = [(place, point) for place, point in enumerate(points) if _is_judged(point)]
    first = None
    for place, point in reversed(judged):
        if not point.broke:
            return first
        first = place
    return None


def _is_judged(point: Point) -> bool:
    return point.verdict not in (None, Verdict.NOT_EVALUATED)


def _point(manifest: Manifest, case_key: str, open_run: Open, before: str) -> Point:
    try:
        seen = sighting(open_run(manifest.id), case_key)
    except EvaldeskError as error:
        return Point(manifest, None, error.message)
    changed = bool(seen and before and seen.content and seen.content != before)
    return Point(manifest, seen, changed=changed)


def _as_this(point: Point) -> Point:
    return Point(point.manifest, point.seen, point.trouble, point.changed, is_this=True)
