"""The card on top of a run: what passed, how sure that is, what it leaves out, what to doubt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime

from evalcore import verdicts
from evalcore.counting import RunView
from evalcore.results import Run, Verdict
from evalcore.views.numbers import Rate, count
from evalcore.views.results import contradictions
from evalcore.views.words import ago, plural

MAX_NAMED = 5


@dataclass(frozen=True, slots=True)
class ReportCard:
    """A run in numbers. ``rate`` is passed of those judged: errors are in ``left_out``, not in it.

    ``mark`` says that passing is the user's own mark, "" where the file has a rule.
    ``cautions`` are sentences about what the numbers hide, ``disagreements`` about where the file
    contradicts itself.
    """

    rate: Rate
    counts: Counter[Verdict]
    total: int
    distinct: int
    left_out: str
    stored_status: str
    status: Verdict
    tokens: int | None
    duration_s: float | None
    mark: str
    cautions: tuple[str, ...]
    disagreements: tuple[str, ...]


def report_card(view: RunView) -> ReportCard:
    """Return the card of a run."""
    counts = view.counts
    judged = counts[Verdict.PASSED] + counts[Verdict.FAILED]
    rate = Rate(counts[Verdict.PASSED], judged, _independent(view))
    return ReportCard(
        rate=rate,
        counts=counts,
        total=len(view.rows),
        distinct=view.distinct,
        left_out=_left_out(counts),
        stored_status=view.run.stored_status,
        status=verdicts.of_run(view.run, view.mark),
        tokens=_sum([c.total_tokens for c in view.run.cases]),
        duration_s=_total([c.duration_s for c in view.run.cases]),
        mark="" if view.run.has_pass_rule else _mark(view),
        cautions=tuple(_cautions(view)),
        disagreements=tuple(_disagreements(view)),
    )


def when(moment: datetime | None, now: datetime | None = None) -> str:
    """Return a date and time in UTC, with how long ago where ``now`` is given."""
    if moment is None:
        return "time not recorded"
    at = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    text = f"{at.astimezone(UTC):%d %b %Y, %H:%M} UTC".lstrip("0")
    age = ago(at.astimezone(UTC), now) if now else ""
    return f"{text}, {age}" if age.endswith("ago") or age == "just now" else text


def set_name(run: Run) -> str:
    """Return the best name of the eval set that was run."""
    return run.eval_set_name or run.eval_set_id or run.name or "unnamed set"


def _independent(view: RunView) -> int:
    judged = (Verdict.PASSED, Verdict.FAILED)
    return len(
        {
            row.case.case_id or (row.case.name, row.place)
            for row in view.rows
            if row.verdict in judged
        }
    )


def _left_out(counts: Counter[Verdict]) -> str:
    """Return who is not in the rate, in words, "" where everyone is."""
    parts = [
        verdicts.counted(verdict, counts[verdict])
        for verdict in (Verdict.ERROR, Verdict.NOT_EVALUATED)
        if counts[verdict]
    ]
    return f"not in the rate: {', '.join(parts)}" if parts else ""


def _mark(view: RunView) -> str:
    return (
        "This file says nothing about passing. "
        f"Passed means a score of at least {view.mark.value:g} of 1, a mark you set here."
    )


def _cautions(view: RunView) -> list[str]:
    found = []
    if view.distinct < len(view.rows):
        found.append(
            f"{count(len(view.rows))} results of {plural(view.distinct, 'case')}: some ran "
            "several times. The interval counts each case once."
        )
    unknown = sum(
        cell.score.scale is None and cell.score.native is not None and cell.verdict is not None
        for row in view.rows
        for cell in row.cells.values()
    )
    if unknown:
        found.append(
            f"{plural(unknown, 'score')} stand on an unknown scale and have no verdict."
            if unknown > 1
            else "1 score stands on an unknown scale and has no verdict."
        )
    return found


def _disagreements(view: RunView) -> list[str]:
    found = []
    stored = verdicts.as_verdict(view.run.stored_status)
    ours = verdicts.of_run(view.run, view.mark)
    if stored is not None and not _agree(stored, ours):
        found.append(
            f"The file says {verdicts.WORDS[stored]}; counting its cases gives "
            f"{verdicts.WORDS[ours]}."
        )
    rows = contradictions(view)
    if rows:
        named = ", ".join(row.title for row in rows[:MAX_NAMED])
        more = f" and {count(len(rows) - MAX_NAMED)} more" if len(rows) > MAX_NAMED else ""
        verb = "case has" if len(rows) == 1 else "cases have"
        found.append(
            f"{count(len(rows))} {verb} a verdict in the file that the scores "
            f"do not give: {named}{more}."
        )
    return found


def _agree(stored: Verdict, ours: Verdict) -> bool:
    """Return whether two words say the same: many systems have one word for failure and error."""
    bad = (Verdict.FAILED, Verdict.ERROR)
    return stored is ours or (stored in bad and ours in bad)


def _sum(values: list[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None


def _total(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if known else None
