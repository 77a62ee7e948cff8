"""The report of ``evaldesk score``, as text for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from evalcore.cli._canonical import plain
from evalcore.cli._output import (
    count,
    plain_problem,
    print_json,
    print_text,
    problem_text,
    table,
    visible,
)
from evalcore.errors import Problem
from evalcore.judges import CallCount, Tally
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring import (
    Aggregate,
    Check,
    Comparison,
    Project,
    RunOutcome,
    aggregates,
    compare_totals,
    compare_with_stored,
    differences,
    label_of,
    run_outcome,
)

WORDS = {
    Verdict.PASSED: "passed",
    Verdict.FAILED: "failed",
    Verdict.ERROR: "error",
    Verdict.NOT_EVALUATED: "not evaluated",
}
ORIENTATION = "Rows are the labels given, columns those expected."
WORST_FIRST = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, None, Verdict.PASSED)


@dataclass(frozen=True)
class Report:
    """Everything that one scoring found.

    ``stored`` is None where there is nothing to compare, ``use`` where no judge was asked.
    """

    given: str
    outputs: str
    project: Project
    checks: Sequence[Check]
    stored: Run | None
    scored: Run
    calls: CallCount
    problems: Sequence[Problem]
    use: Tally | None
    pass_mark: float | None

    @cached_property
    def outcome(self) -> RunOutcome:
        """What the run comes to."""
        return run_outcome(self.scored, self.checks)

    @property
    def has_errors(self) -> bool:
        """Whether a check ended in an error, in a case that may have passed all the same."""
        return any(found.errors for found in aggregates(self.scored))

    @cached_property
    def differences(self) -> tuple[Comparison, ...]:
        """Where the stored scores differ from ours."""
        if self.stored is None:
            return ()
        both = (self.stored, self.scored)
        found = differences((*compare_with_stored(*both), *compare_totals(*both)))
        return tuple(c for c in found if c.kind == "differs")

    def print_json(self) -> None:
        """Print one line of JSON."""
        print_json(
            {
                "set": self.given,
                "outputs": self.outputs,
                "format": self.scored.format_id,
                "verdict": self.outcome.verdict.value,
                "theirs": list(self.outcome.theirs),
                "their_exit_code": self.outcome.exit_code,
                "pass_mark": self.pass_mark,
                "checks_from": self.project.source,
                "checks": [self._check(check) for check in self.checks],
                "cases": [_case(case) for case in self.scored.cases],
                "dataset_scores": [_score(score) for score in self.scored.dataset_scores],
                "differences": [_difference(c) for c in self.differences],
                "judge_calls": {
                    "total": self.calls.total,
                    "by_check": dict(self.calls.by_evaluator),
                },
                "judged": self.use is not None,
                "judge_use": self.use.counts() if self.use is not None else None,
                "problems": [plain_problem(problem) for problem in self.problems],
            }
        )

    def print_text(self) -> None:
        """Print the checks, the cases that did not pass, and what differs from the file."""
        for line in self._lines():
            print_text(line)

    def _lines(self) -> Iterator[str]:
        yield from (problem_text(problem) for problem in self.problems)
        yield f"{visible(self.given)}: checks from {visible(self.project.source) or 'none'}"
        if self.pass_mark is not None:
            yield f"The system says nothing about passing; here {self.pass_mark:g} of 1 passes."
        yield from (f"  {line}" for line in self._check_lines())
        for case in sorted(self.scored.cases, key=lambda c: WORST_FIRST.index(c.verdict)):
            yield from _case_lines(case)
        yield from self._difference_lines()
        if self.calls.total and self.use is None:
            yield (
                f"Judges were not asked; --judge would ask {count(self.calls.total, 'question')}, "
                "at most."
            )
        if self.use is not None:
            yield _use(self.use)
        yield from (visible(line) for line in self.outcome.theirs)
        yield self._total()

    def _check_lines(self) -> Iterator[str]:
        for found in aggregates(self.scored):
            if not found.informational:
                yield visible(f"{found.name}: {found.text}")
        for total in self.scored.dataset_scores:
            yield from map(visible, _total_lines(total))
        for check in self.checks:
            if check.problem:
                yield visible(f"{check.label}: not computed here. {check.problem}")
            elif check.is_judged and self.use is None:
                kept = "" if self.stored is None else " Its scores are those that the file has."
                yield visible(f"{check.label}: needs a judge, which was not asked.{kept}")

    def _difference_lines(self) -> Iterator[str]:
        if self.stored is None:
            return
        if not self.differences:
            yield "All scores computed here are those that the file has."
            return
        yield f"{count(len(self.differences), 'difference')} from what the file has:"
        for found in self.differences:
            turn = "" if found.turn is None else f", turn {found.turn + 1}"
            yield visible(
                f"  {found.case}: {found.evaluator or 'verdict'}{turn}: stored "
                f"{_said(found.stored, found.stored_verdict)}, here "
                f"{_said(found.ours, found.our_verdict)}. {found.explanation}"
            )

    def _total(self) -> str:
        counts = Counter(case.verdict for case in self.scored.cases)
        parts = [
            f"{counts[verdict]:,} {_counted(verdict, counts[verdict])}"
            for verdict in reversed(WORST_FIRST)
            if counts[verdict]
        ]
        told = ", ".join(parts) or "no cases"
        return f"{count(len(self.scored.cases), 'result')}: {told}"

    def _check(self, check: Check) -> dict[str, Any]:
        known = {found.evaluator: found for found in aggregates(self.scored)}
        found = known.get(check.ref)
        return {
            "ref": check.ref,
            "name": check.label,
            "kind": check.evaluator.kind if check.evaluator else None,
            "judged": check.is_judged,
            "own": check.is_own,
            "threshold": check.mark,
            "problem": check.problem,
            **(_aggregate(found) if found else {"total": 0, "scored": 0}),
        }


def _total_lines(score: Score) -> Iterator[str]:
    """Yield a number over all cases, or a confusion matrix with its labels."""
    details = score.details if isinstance(score.details, dict) else {}
    classes, rows = details.get("classes"), details.get("confusionMatrix")
    if score.informational and isinstance(classes, list) and isinstance(rows, list):
        names = [str(name) for name in classes]
        cells = [row if isinstance(row, list) else [] for row in rows]
        yield f"{score.evaluator}: {score.reason} {ORIENTATION}"
        lines = [(name, *map(str, row)) for name, row in zip(names, cells, strict=True)]
        yield from table(("", *names), lines, right=range(1, len(names) + 1)).splitlines()
    else:
        number = "no number" if score.value is None else f"{score.value:.4g}"
        yield f"{score.evaluator}: {number}. {score.reason}"
    yield from (f"  Caution: {text}" for text in score.cautions)


def _use(use: Tally) -> str:
    """Return what the judge was asked and what that took."""
    kept = f", {use.cached:,} of them kept from before" if use.cached else ""
    parts = [f"The judge gave {count(use.answers, 'answer')}{kept}"]
    if use.failures:
        parts.append(f"{count(use.failures, 'question')} had no answer")
    if use.answers > use.cached:
        parts.append(f"{use.input_tokens:,} tokens in, {use.output_tokens:,} out")
        priced = use.answers - use.cached - use.unpriced
        cost = f"${use.cost_usd:.6g}" if priced else "no price is configured for its model"
        parts.append(
            f"{cost} but for {use.unpriced:,} without a price" if priced and use.unpriced else cost
        )
    return f"{'; '.join(parts)}."


def _aggregate(found: Aggregate) -> dict[str, Any]:
    return {
        "total": found.total,
        "scored": found.scored,
        "mean": found.mean,
        "native_mean": found.native_mean,
        "passed": found.passed,
        "failed": found.failed,
        "errors": list(found.errors),
        "not_evaluated": list(found.not_evaluated),
        "informational": found.informational,
    }


def _case(case: CaseResult) -> dict[str, Any]:
    return {
        "case_id": case.case_id,
        "name": case.name,
        "repeat": case.repeat,
        "verdict": case.verdict.value if case.verdict else None,
        "stored_status": case.stored_status,
        "error": case.error,
        "notes": list(case.notes),
        "scores": [_score(score) for score in case.scores],
        "turns": [
            {"index": turn.index, "scores": [_score(score) for score in turn.scores]}
            for turn in case.invocations
        ],
    }


def _score(score: Score) -> dict[str, Any]:
    found: dict[str, Any] = plain(score)
    return found


def _difference(found: Comparison) -> dict[str, Any]:
    return {
        "place": found.place,
        "case": found.case,
        "evaluator": found.evaluator,
        "turn": found.turn,
        "line": found.line,
        "stored": found.stored.native if found.stored else None,
        "here": found.ours.native if found.ours else None,
        "stored_verdict": found.stored_verdict.value if found.stored_verdict else None,
        "verdict_here": found.our_verdict.value if found.our_verdict else None,
        "explanation": found.explanation,
        "explained": found.is_explained,
    }


def _case_lines(case: CaseResult) -> Iterator[str]:
    if case.verdict is Verdict.PASSED and not case.notes:
        return
    word = WORDS[case.verdict] if case.verdict else "no verdict"
    yield visible(f"{word}  {label_of(case)}")
    yield from (f"    {visible(note)}" for note in case.notes)
    if case.error:
        yield f"    {visible(case.error.partition(chr(10))[0])}"
        return
    turns = case.invocations if not case.scores else ()
    for score in (*case.scores, *(s for turn in turns for s in turn.scores if s.line is None)):
        if not score.informational and score.verdict is not Verdict.PASSED:
            said = f"{score.evaluator_name or score.evaluator}: {_said(score, score.verdict)}."
            yield f"    {visible(f'{said} {score.reason}'.rstrip())}"
            yield from (f"      Caution: {visible(text)}" for text in score.cautions)


def _said(score: Score | None, verdict: Verdict | None) -> str:
    number = "" if score is None or score.native is None else f"{score.native:.6g}"
    if verdict is Verdict.ERROR:
        # Whatever number a file writes there stands for no score.
        number = ""
    word = WORDS[verdict] if verdict else ""
    return " ".join(part for part in (number, word) if part) or "nothing"


def _counted(verdict: Verdict | None, number: int) -> str:
    if verdict is None:
        return "without a verdict"
    return "errors" if verdict is Verdict.ERROR and number != 1 else WORDS[verdict]
