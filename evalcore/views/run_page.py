"""The list of a run's cases: what each line says, how it can be narrowed, what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from evalcore import verdicts
from evalcore.compare import Outcome, Pair
from evalcore.compare.outcomes import NUMBERS, WORST_FIRST
from evalcore.compare.report import GLYPHS, WORDS
from evalcore.counting import is_guid
from evalcore.results import Verdict
from evalcore.store import RunQuery, StoredRun
from evalcore.store.casewise import mode_counts
from evalcore.store.folding import Beside, Fold, FoldPage, folded, neighbours, position
from evalcore.store.query import Mode
from evalcore.views import numbers
from evalcore.views.results_table import short
from evalcore.views.words import plural

CHANGED = (Outcome.BROKE, Outcome.FIXED)
"""What counts as changed since a baseline: verdicts; hardly any score is ever quite the same."""
COLUMNS = 2
"""Checks that have a column until somebody chooses: those with most trouble."""
STRIP = {
    Verdict.PASSED: "●",
    Verdict.FAILED: "○",
    Verdict.ERROR: "!",
    Verdict.NOT_EVALUATED: "·",
}
LONGEST_STRIP = 12
MODE_WORDS: dict[Mode, str] = {
    "all": "All",
    "failures": "✗ Failures",
    "errors": "! Errors",
    "flaky": "~ Flaky",
    "passes": "✓ Passes",
    "not_evaluated": "○ Not evaluated",
}
ALWAYS: tuple[Mode, ...] = ("all", "failures", "passes")
"""Modes that are offered even where they find nothing."""
METRIC = "metric:"
PLAIN_COLUMNS = {
    "verdict": "Result",
    "delta": "Change",
    "duration": "Time",
    "tokens": "Tokens",
    "turns": "Turns",
    "tags": "Tags",
}
"""The columns that are not those of a check."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """A run that this one is held against; ``only`` leaves the cases that changed."""

    pair: Pair
    only: bool = False

    @property
    def name(self) -> str:
        """Return what the baseline is called."""
        manifest = self.pair.left.manifest
        return manifest.name or manifest.id


def page_of(run: StoredRun, query: RunQuery, baseline: Baseline | None = None) -> FoldPage:
    """Return the cases that a query asks for, worst first, then those that lost most."""
    with _beside(baseline) as beside:
        return folded(run, query, beside)


def around(
    run: StoredRun, query: RunQuery, case_row: int, baseline: Baseline | None = None
) -> tuple[int | None, int | None]:
    """Return the results to open before and after the case of one, in the order of the list."""
    with _beside(baseline) as beside:
        return neighbours(run, query, case_row, beside)


def page_with(
    run: StoredRun, query: RunQuery, case_row: int, baseline: Baseline | None = None
) -> RunQuery:
    """Return the query with the page that the case of a result stands on, if it is in the list."""
    with _beside(baseline) as beside:
        at = position(run, query, case_row, beside)
    return query if at is None else replace(query, offset=at - at % query.limit)


def narrowed(run: StoredRun, query: RunQuery, baseline: Baseline | None) -> RunQuery:
    """Return a query of what the list shows: of the changed cases only, if only they are wanted."""
    if baseline is None or not baseline.only:
        return query
    wanted = [NUMBERS[outcome] for outcome in CHANGED]
    with baseline.pair.joined() as tables:
        found = run.ask(
            f"SELECT c.case_key FROM {{cases}} c JOIN {tables.pairs} p ON p.r_row = c.case_row "
            "WHERE {where} AND p.outcome IN (SELECT unnest(?::UTINYINT[]))",
            [wanted],
            RunQuery(),
        )
    return replace(query, cases=frozenset(key for (key,) in found))


@contextmanager
def _beside(baseline: Baseline | None) -> Iterator[Beside | None]:
    if baseline is None:
        yield None
        return
    with baseline.pair.joined() as tables:
        wanted = tuple(NUMBERS[outcome] for outcome in CHANGED) if baseline.only else ()
        yield Beside(tables.pairs, wanted)


def modes(run: StoredRun, query: RunQuery) -> dict[Mode, str]:
    """Return the modes to offer, with how many cases each would leave of the rest of the query."""
    counts = mode_counts(run, query)
    return {
        mode: f"{word} {counts[mode]:,}"
        for mode, word in MODE_WORDS.items()
        if mode in ALWAYS or counts[mode] or query.mode == mode
    }


def found_text(found: FoldPage, run: StoredRun) -> str:
    """Return ``31 of 240 cases match, 52 of 1,200 results``, or that these are all cases."""
    manifest = run.manifest
    all_ = f"all {plural(manifest.distinct, 'case')}"
    results = manifest.cases.total
    if found.cases == manifest.distinct and found.results == results:
        return f"{all_}, {results:,} results" if results != manifest.distinct else all_
    text = f"{found.cases:,} of {plural(manifest.distinct, 'case')} match"
    if results == manifest.distinct:
        return text
    return f"{text}, {found.results:,} of {results:,} results"


def title_of(fold: Fold) -> str:
    """Return what a case is called: its id, a name before a bare GUID, else its place."""
    line = fold.head
    if line.name and line.case_id and is_guid(line.case_id):
        return line.name
    if line.case_id or line.name:
        return line.case_id or line.name
    is_place = line.case_key.startswith("place ") or not line.case_key.strip()
    return f"result {line.case_row + 1}" if is_place else line.case_key


def why(fold: Fold) -> str:
    """Return one line that tells why a case did not pass, else its name."""
    for line in (fold.head, *fold.lines):
        if line.causes:
            return short(line.causes[0], 120)
    name = fold.head.name
    return short(name, 120) if name and name != title_of(fold) else ""


@dataclass(frozen=True, slots=True)
class State:
    """What a case came to over all of its repeats: a word with its glyph, and a dot for each."""

    verdict: Verdict
    text: str
    strip: str
    told: str
    is_flaky: bool = False


def state_of(fold: Fold) -> State:
    """Return what a case came to."""
    counts, n = fold.counts, len(fold.lines)
    worst = next(v for v in verdicts.WORST_FIRST if counts[v])
    if n == 1:
        near = ", near" if fold.head.is_near and worst is Verdict.PASSED else ""
        return State(worst, verdicts.said(worst) + near, "", verdicts.said(worst))
    parts = [verdicts.counted(v, counts[v]) for v in verdicts.WORST_FIRST if counts[v]]
    told = f"{plural(n, 'repeat')}: {', '.join(parts)}"
    strip = "".join(STRIP[line.verdict] for line in fold.lines)
    if n > LONGEST_STRIP:
        strip = ""
    passed = f"{counts[Verdict.PASSED]} of {n}"
    if fold.is_flaky and worst is not Verdict.ERROR:
        return State(worst, f"~ {passed}", strip, f"flaky, {told}", is_flaky=True)
    return State(worst, f"{verdicts.GLYPHS[worst]} {passed}", strip, told)


def change_of(fold: Fold) -> tuple[str, str]:
    """Return how a case changed since the baseline: ``▼ −0.31`` and the word for it."""
    if fold.outcome is None:
        return "new", "the baseline has no such case"
    outcome = WORST_FIRST[fold.outcome]
    delta = f" {fold.delta:+.2f}".replace("-", "−") if fold.delta else ""
    return f"{GLYPHS[outcome]}{delta}", WORDS[outcome]


def plain_cell(fold: Fold, column: str) -> str:
    """Return what a column that is not a check's says of a case; means over its repeats."""
    lines = fold.lines
    match column:
        case "duration":
            known = [line.duration_s for line in lines if line.duration_s is not None]
            return numbers.seconds(sum(known) / len(known)) if known else "–"
        case "tokens":
            tokens = [line.tokens for line in lines if line.tokens is not None]
            return f"{sum(tokens) / len(tokens):,.0f}" if tokens else "–"
        case "turns":
            return f"{max(line.turns for line in lines):,}"
        case "tags":
            return ", ".join(short(tag, 24) for tag in fold.head.tags)
        case _:
            return ""


def columns_offered(run: StoredRun, baseline: Baseline | None) -> dict[str, str]:
    """Return every column that the list can have, by its key."""
    counts = Counter(short(m.label, 40) for m in run.metrics)
    checks = {
        METRIC + m.key: short(m.label, 40)
        + (f" · {short(m.key, 12)}" if counts[short(m.label, 40)] > 1 else "")
        for m in run.metrics
    }
    blank = set(run.manifest.blank)
    is_blank: dict[str, bool] = {name: name in blank for name in ("tags", "tokens", "turns")}
    is_blank |= {"duration": "duration_s" in blank, "delta": baseline is None}
    plain = {key: label for key, label in PLAIN_COLUMNS.items() if not is_blank.get(key)}
    return {**plain, **checks}


def columns_shown(
    run: StoredRun,
    query: RunQuery,
    baseline: Baseline | None,
    chosen: Sequence[str] | None,
) -> list[str]:
    """Return the columns to show: those chosen, as far as there are such, else the usual ones.

    Checks that the query is about always have theirs, first.
    """
    offered = columns_offered(run, baseline)
    asked = [METRIC + wanted.key for wanted in query.metrics]
    if chosen is None:
        judged = sorted(
            (m for m in run.metrics if not m.informational),
            key=lambda m: -(m.counts.error + m.counts.failed),
        )
        checks = list(dict.fromkeys([*asked, *(METRIC + m.key for m in judged)]))[:COLUMNS]
        found = ["verdict", *(["delta"] if baseline else []), *checks]
    else:
        found = list(dict.fromkeys([*asked, *chosen]))
    order = list(offered)
    return sorted((key for key in found if key in offered), key=order.index)
