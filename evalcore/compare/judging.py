"""How far a judge's verdicts are those of people, from what reviewers said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evalcore.results import Verdict
from evalcore.review import Entry, Finding
from evalcore.stats import Agreement, Interval, agreement, corrected_rate
from evalcore.stats.intervals import RESAMPLES, SEED
from evalcore.store import Manifest, VerdictCounts

JudgeSaid = Callable[[Entry], "Verdict | None"]
PASS, FAIL = "passed", "failed"
METHOD = "Rogan and Gladen, bootstrap"
MOST_UNUSABLE = 0.05
"""Share of resamples without a corrected rate from which its interval would mislead."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a person and the judge made of one result; ``check`` is "" for the whole of it."""

    check: str
    run: str
    judge_passed: bool
    person_passed: bool


@dataclass(frozen=True, slots=True)
class Labels:
    """What can be held against the judge, and how many reviews cannot, by why."""

    found: tuple[Label, ...]
    left_out: Counter[str]


@dataclass(frozen=True, slots=True)
class JudgeReport:
    """A judge beside people: ``agreement`` counts pairs (judge, person) of passed and failed.

    ``sensitivity`` is the share of what people pass that the judge passes, ``specificity`` that of
    what people fail that it fails. Both are weighted by how often the judge passes and fails, for
    mostly failures are reviewed. ``corrected`` is the newest run's pass rate if people had judged
    it; where it is None, ``why`` says what is missing.
    """

    check: str
    agreement: Agreement
    sensitivity: float | None
    specificity: float | None
    judged_rate: float | None
    corrected: Interval | None
    why: str = ""


def labels_of(entries: Iterable[Entry], judge_said: JudgeSaid) -> Labels:
    """Return the newest word of people on each result beside the judge's.

    An override says what is right; *agent was wrong* says that the result fails, *judge was wrong*
    that the judge's verdict is turned round. A wrong expectation says nothing of the judge.
    """
    newest: dict[tuple[str, str, int, int | None, str], Entry] = {}
    for entry in entries:
        known = newest.get(entry.about)
        if known is None or known.kind != "override" or entry.kind == "override":
            newest[entry.about] = entry
    found, left_out = [], Counter[str]()
    for entry in newest.values():
        label = _label(entry, judge_said)
        if isinstance(label, str):
            left_out[label] += 1
        else:
            found.append(label)
    return Labels(tuple(found), left_out)


def _label(entry: Entry, judge_said: JudgeSaid) -> Label | str:
    if entry.finding is Finding.EXPECTATION_WRONG:
        return "the expectation was wrong"
    if entry.finding is Finding.AMBIGUOUS:
        return "ambiguous"
    said = entry.original or judge_said(entry)
    if said not in (Verdict.PASSED, Verdict.FAILED):
        return "the judge's verdict is not known"
    judged = said is Verdict.PASSED
    if entry.kind == "override":
        if entry.verdict not in (Verdict.PASSED, Verdict.FAILED):
            return "neither passed nor failed"
        return Label(entry.evaluator, entry.run, judged, entry.verdict is Verdict.PASSED)
    person = not judged if entry.finding is Finding.JUDGE_WRONG else False
    return Label(entry.evaluator, entry.run, judged, person)


def judge_reports(
    labels: Sequence[Label], runs: Sequence[Manifest], newest: Manifest
) -> list[JudgeReport]:
    """Return a report on the whole verdict and on each check that people looked at.

    ``runs`` are those that labels are of, ``newest`` the run whose rate is corrected.
    """
    found = []
    for check in sorted({label.check for label in labels}):
        mine = [label for label in labels if label.check == check]
        used = {label.run for label in mine}
        labelled = [run for run in runs if run.id in used]
        found.append(_report(check, mine, labelled, newest))
    return found


def _report(
    check: str, labels: Sequence[Label], labelled: Sequence[Manifest], newest: Manifest
) -> JudgeReport:
    words = {True: PASS, False: FAIL}
    agreed = agreement(
        [words[label.judge_passed] for label in labels],
        [words[label.person_passed] for label in labels],
    )
    target, base = _counts(newest, check), VerdictCounts()
    for run in labelled:
        counts = _counts(run, check)
        base = VerdictCounts(passed=base.passed + counts.passed, failed=base.failed + counts.failed)
    if not base.judged:
        base = target
    rate = target.passed / target.judged if target.judged else None
    why = _missing(agreed, rate)
    if why or rate is None:
        return JudgeReport(check, agreed, None, None, rate, None, why)
    is_same = [run.id for run in labelled] == [newest.id]
    table = agreed.table
    cells = tuple(table.get((a, b), 0) for a in (PASS, FAIL) for b in (PASS, FAIL))
    power = _power(base.passed / base.judged, *cells)
    corrected = corrected_rate(rate, *power)
    if corrected is None:
        return JudgeReport(
            check, agreed, *power, rate, None, "The judge is no better than chance on these."
        )
    cases = min(newest.distinct or target.judged, target.judged)
    low, high = _ends(cells, rate, cases, base, is_same=is_same)
    interval = Interval(corrected, low, high, agreed.n, METHOD)
    return JudgeReport(check, agreed, *power, rate, interval)


def _counts(run: Manifest, check: str) -> VerdictCounts:
    if not check:
        return run.cases
    metric = run.metric(check)
    return metric.counts if metric is not None else VerdictCounts()


def _missing(agreed: Agreement, rate: float | None) -> str:
    if rate is None:
        return "The newest run has no pass rate to correct."
    sums = {
        "No result that the judge passed": sum(
            agreed.table.get((PASS, b), 0) for b in (PASS, FAIL)
        ),
        "No result that the judge failed": sum(
            agreed.table.get((FAIL, b), 0) for b in (PASS, FAIL)
        ),
    }
    for said, count in sums.items():
        if not count:
            return f"{said} was reviewed: how often people see it otherwise is not known."
    for person, said in ((PASS, "pass"), (FAIL, "fail")):
        if not any(agreed.table.get((a, person), 0) for a in (PASS, FAIL)):
            return f"Reviewers let no result {said}: how the judge does on those is not known."
    return ""


def _power(share: float, pp: int, pf: int, fp: int, ff: int) -> tuple[float, float]:
    """Return sensitivity and specificity where ``share`` of all results is passed by the judge."""
    right, missed = share * pp / (pp + pf), (1 - share) * fp / (fp + ff)
    let, caught = share * pf / (pp + pf), (1 - share) * ff / (fp + ff)
    sensitivity = right / (right + missed) if right + missed else 0.0
    specificity = caught / (let + caught) if let + caught else 0.0
    return sensitivity, specificity


def _ends(
    cells: tuple[int, ...], rate: float, cases: int, base: VerdictCounts, *, is_same: bool
) -> tuple[float | None, float | None]:
    """Return the ends of a bootstrap of the labels and of both rates, by fixed draws."""
    import numpy as np

    pp, pf, fp, ff = cells
    generator = np.random.default_rng(SEED)
    passes = generator.binomial(pp + pf, pp / (pp + pf), RESAMPLES) / (pp + pf)
    fails = generator.binomial(fp + ff, fp / (fp + ff), RESAMPLES) / (fp + ff)
    rates = generator.binomial(cases, rate, RESAMPLES) / cases
    bases = rates
    if not is_same:
        share = base.passed / base.judged
        bases = generator.binomial(base.judged, share, RESAMPLES) / base.judged
    with np.errstate(divide="ignore", invalid="ignore"):
        right = bases * passes
        sensitivity = right / (right + (1 - bases) * fails)
        caught = (1 - bases) * (1 - fails)
        specificity = caught / (bases * (1 - passes) + caught)
        power = sensitivity + specificity - 1
        found = np.clip((rates + specificity - 1) / power, 0, 1)
    usable = found[np.isfinite(found) & (power > 0)]
    if len(usable) < (1 - MOST_UNUSABLE) * RESAMPLES:
        return None, None
    low, high = np.quantile(usable, [0.025, 0.975])
    return float(low), float(high)
