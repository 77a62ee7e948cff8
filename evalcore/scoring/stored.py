"""The scores and verdicts that a run stored beside those computed here, with a word on each gap."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evalcore.evaluators.measures.rouge import rouge_score_tokens
from evalcore.jsontree import MISSING
from evalcore.results import CaseResult, InvocationResult, Run, Score, Verdict
from evalcore.scoring.aggregates import label_of
from evalcore.scoring.engine import STORED

Kind = Literal["same", "differs", "only_stored", "only_here"]
NO_PROVIDER: Final = 0.5
ROUNDING: Final = 1e-9
ALL: Final = "all cases"
"""What a comparison of numbers over a whole run names instead of a case."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One stored score beside ours, or a case's verdicts where ``evaluator`` is "".

    ``turn`` and ``line`` are None for a whole case and an ordinary score. ``explanation`` says what
    the difference comes from, as far as the two show it; "" where there is none. ``is_explained``
    is False for a difference that nothing here accounts for.
    """

    place: int
    case: str
    evaluator: str
    turn: int | None
    line: int | None
    kind: Kind
    stored: Score | None = None
    ours: Score | None = None
    stored_verdict: Verdict | None = None
    our_verdict: Verdict | None = None
    explanation: str = ""
    is_explained: bool = True


def compare_with_stored(run: Run, rescored: Run) -> tuple[Comparison, ...]:
    """Return every score that either has of the run's results, and every verdict of a case.

    Results are compared by place, scores by evaluator, turn and line. What only reports a number is
    compared too where both have it.
    """
    found: list[Comparison] = []
    for place, (old, new) in enumerate(zip(run.cases, rescored.cases, strict=False)):
        pair = _Pair(place, old, new, run, rescored)
        found += pair.scores()
        found.append(pair.verdicts())
    return tuple(found)


def compare_totals(run: Run, rescored: Run) -> tuple[Comparison, ...]:
    """Return the numbers over all cases that either has; their ``place`` is -1, no case's.

    Confusion matrices are compared cell by cell.
    """
    ours = {score.evaluator: score for score in rescored.dataset_scores}
    found = [_compared_total(old, ours.pop(old.evaluator, None)) for old in run.dataset_scores]
    return (
        *found,
        *(
            Comparison(-1, ALL, name, None, None, "only_here", ours=new)
            for name, new in ours.items()
        ),
    )


def _compared_total(old: Score, new: Score | None) -> Comparison:
    kind: Kind
    if new is None:
        kind, why, known = "only_stored", "No check of this name was run here.", True
    elif _is_same_total(old, new):
        kind, why, known = "same", "", True
    elif old.verdict is Verdict.ERROR:
        kind, why, known = "differs", f"The file has no number: {old.reason}", True
    else:
        why = "It counts other labels: look at the scores of the cases."
        kind, known = "differs", _labels_of(old) != _labels_of(new)
        why = why if known else "Nothing in the two files says why."
    return Comparison(-1, ALL, old.evaluator, None, None, kind, old, new, None, None, why, known)


def _is_same_total(old: Score, new: Score) -> bool:
    return _near(old.native, new.native) and _labels_of(old) == _labels_of(new)


def _labels_of(score: Score) -> object:
    """Return how labels given meet labels expected, None where the details do not say."""
    return score.details.get("confusionMatrix") if isinstance(score.details, dict) else None


def differences(comparisons: Sequence[Comparison]) -> tuple[Comparison, ...]:
    """Return those that differ or need a word; a score that only we have needs none."""
    return tuple(c for c in comparisons if c.kind == "differs" or c.explanation)


@dataclass(frozen=True, slots=True)
class _Pair:
    place: int
    old: CaseResult
    new: CaseResult
    run: Run
    rescored: Run

    def scores(self) -> Iterator[Comparison]:
        """Yield the comparisons of all scores, those of the whole case first."""
        yield from self._of(self.old.scores, self.new.scores, None)
        new_turns = dict(enumerate(self.new.invocations))
        for index, turn in enumerate(self.old.invocations):
            other = new_turns.get(index)
            yield from self._of(turn.scores, other.scores if other else (), index)

    def _of(
        self, stored: Sequence[Score], ours: Sequence[Score], turn: int | None
    ) -> Iterator[Comparison]:
        known = {(score.evaluator, score.line): score for score in ours}
        for old in stored:
            new = known.pop((old.evaluator, old.line), None)
            yield self._compared(old, new, turn)
        for (name, line), new in known.items():
            yield Comparison(
                self.place, label_of(self.new), name, turn, line, "only_here", ours=new
            )

    def _compared(self, old: Score, new: Score | None, turn: int | None) -> Comparison:
        kind: Kind
        whole = next((s for s in self.new.scores if s.evaluator == old.evaluator), None)
        if new is None and turn is not None and whole is not None:
            kind, known = ("same" if _is_unscored(old) else "differs"), True
            why = "" if _is_unscored(old) else f"Turns have no score here: {whole.reason}"
        elif new is None:
            kind, why, known = "only_stored", "No check of this name was run here.", True
        else:
            kind, why, known = self._difference(old, new, turn)
        return Comparison(
            self.place,
            label_of(self.old),
            old.evaluator,
            turn,
            old.line,
            kind,
            stored=old,
            ours=new,
            stored_verdict=old.verdict,
            our_verdict=new.verdict if new else None,
            explanation=why,
            is_explained=known,
        )

    def _difference(self, old: Score, new: Score, turn: int | None) -> tuple[Kind, str, bool]:
        if STORED in new.cautions:
            return self._kept(old, new)
        if _is_unscored(old) and _is_unscored(new):
            return "same", _unscored(old, new), True
        if _is_unscored(new):
            return ("differs", *_only_theirs(old, new))
        if _is_unscored(old):
            return "differs", f"The file has no score: {old.reason or 'it does not say why'}", True
        if old.native is not None and new.native is not None and _near(old.native, new.native):
            return self._same_number(old, new)
        return ("differs", *self._other_number(old, new, turn))

    def _kept(self, old: Score, new: Score) -> tuple[Kind, str, bool]:
        if old.verdict is new.verdict or old.verdict is None or new.verdict is None:
            return "same", "", True
        if new.verdict is Verdict.NOT_EVALUATED:
            said = " ".join(text for text in new.cautions if text != STORED)
            return "differs", said or "The stored number judges nothing.", True
        return "differs", _other_mark(old, new), True

    def _same_number(self, old: Score, new: Score) -> tuple[Kind, str, bool]:
        rounded = "" if old.native == new.native else "The numbers differ by rounding alone."
        if old.verdict is new.verdict or old.verdict is None or new.verdict is None:
            return "same", rounded, True
        if new.verdict is Verdict.NOT_EVALUATED:
            return "differs", " ".join([new.reason, *new.cautions]), True
        if old.threshold != new.threshold:
            return "differs", _other_mark(old, new), True
        return "differs", rounded or "The file's verdict is not what its own number gives.", True

    def _other_number(self, old: Score, new: Score, turn: int | None) -> tuple[str, bool]:
        changed = [note for note in self.new.notes if " expects another " in note]
        if changed:
            return " ".join(changed), True
        if old.evaluator == "response_match_score" and old.native == 0 and self._is_foreign(turn):
            older = "ADK before July 2026 found no words in text that is not Latin, and scored 0."
            return older, True
        if _policy(self.run) and old.evaluator == "tool_trajectory_avg_score":
            return f"The run used the trajectory policy “{_policy(self.run)}”.", True
        if old.informational and turn is None and _near(old.native, new.native, 5e-4):
            return "ADK rounds means to three decimals.", True
        return (
            "Nothing in the two files says why: the check's settings or its version may be other "
            "ones than those of the run.",
            False,
        )

    def _is_foreign(self, turn: int | None) -> bool:
        turns = self.old.invocations if turn is None else self.old.invocations[turn : turn + 1]
        return any(_without_latin_words(item) for item in turns)

    def verdicts(self) -> Comparison:
        """Return the comparison of the case's own verdicts."""
        old, new = self.old.verdict, self.new.verdict
        same = old is new or old is None or new is None
        why = "" if same else self._verdict_reason()
        return Comparison(
            self.place,
            label_of(self.old),
            "",
            None,
            None,
            "same" if same else "differs",
            stored_verdict=old,
            our_verdict=new,
            explanation=why,
        )

    def _verdict_reason(self) -> str:
        if self.new.notes:
            return " ".join(self.new.notes)
        if self.old.error and not self.new.error:
            return "The run's checks ended in errors, which were not run again here."
        scored = {score.evaluator for score in self.new.scores}
        failed = [s for s in self.old.scores if s.verdict in (Verdict.FAILED, Verdict.ERROR)]
        left_out = [s.evaluator for s in failed if s.evaluator not in scored]
        if left_out:
            return f"Failed in the run, and not scored again: {', '.join(left_out)}."
        return "Some of its scores differ."


def _is_unscored(score: Score) -> bool:
    if score.verdict is Verdict.ERROR:
        return True
    return score.native is None


def _unscored(old: Score, new: Score) -> str:
    """Return why neither has a score, where only one of them says so."""
    if new.verdict is not Verdict.ERROR or old.verdict is Verdict.ERROR:
        if old.native == 0 and old.verdict is Verdict.ERROR:
            return "The system writes 0 for an error and counts it as such; here it is no number."
        return ""
    return f"The file does not say why there is no score: {new.reason}"


def _only_theirs(old: Score, new: Score) -> tuple[str, bool]:
    if new.verdict is Verdict.NOT_EVALUATED:
        return f"Not judged here: {new.reason}", True
    if old.native == 0:
        return f"The system counts an error as 0: {new.reason}", True
    if old.native == NO_PROVIDER and new.verdict is Verdict.ERROR:
        return f"10xGraph writes 0.5 where no judge answered: {new.reason}", True
    return f"It cannot be scored here: {new.reason}", True


def _near(a: float | None, b: float | None, distance: float = ROUNDING) -> bool:
    if a is None or b is None:
        return False
    return a == b or math.isclose(a, b, rel_tol=distance, abs_tol=distance) or (a != a and b != b)


def _other_mark(old: Score, new: Score) -> str:
    return f"The pass mark was {_shown(old.threshold)} and is {_shown(new.threshold)} now."


def _shown(mark: float | None) -> str:
    return "none" if mark is None else f"{mark:g}"


def _policy(run: Run) -> str:
    found = run.metadata.get("trajectory") if isinstance(run.metadata, dict) else None
    return found if isinstance(found, str) else ""


def _without_latin_words(turn: InvocationResult) -> bool:
    expected = turn.expected_output
    if expected is MISSING or not isinstance(expected, str):
        return False
    return bool(expected.strip()) and not rouge_score_tokens(expected)
