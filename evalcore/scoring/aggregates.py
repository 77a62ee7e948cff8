"""What each check comes to over a run: how many cases it scored, of how many, and their mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evalcore.results import CaseResult, Run, Scale, Score, Verdict


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One check over the cases that it was asked about.

    ``mean`` is that of the normalised values of the ``scored`` cases, None without any; errors and
    cases that were not evaluated are never in it: they are named. ``native_mean`` is on ``scale``,
    None where scales differ.
    """

    evaluator: str
    name: str
    total: int
    scored: int
    mean: float | None
    native_mean: float | None
    scale: Scale | None
    passed: int
    failed: int
    errors: tuple[str, ...]
    not_evaluated: tuple[str, ...]
    informational: bool = False

    @property
    def text(self) -> str:
        """Return the numbers in words, with their denominators."""
        parts = [f"{self.scored} of {self.total} scored"]
        if self.native_mean is not None:
            of = f" of {self.scale.best:g}" if self.scale and self.scale.best != 1 else ""
            parts[0] += f", mean {self.native_mean:.4g}{of}"
        if self.passed or self.failed:
            parts.append(f"{self.passed} passed, {self.failed} failed")
        for names, one, many in (
            (self.errors, "error", "errors"),
            (self.not_evaluated, "not evaluated", "not evaluated"),
        ):
            if names:
                word = one if len(names) == 1 else many
                parts.append(f"{len(names)} {word} ({_listed(names)})")
        return "; ".join(parts)


def aggregates(run: Run) -> tuple[Aggregate, ...]:
    """Return each check of a run, in order of appearance, over the cases that have its score."""
    found: dict[str, list[tuple[str, Score]]] = {}
    for case in run.cases:
        for score in whole_scores(case):
            found.setdefault(score.evaluator, []).append((label_of(case), score))
    return tuple(_aggregate(key, pairs) for key, pairs in found.items())


def whole_scores(case: CaseResult) -> tuple[Score, ...]:
    """Return the scores of a whole case: its own, or those of its last turn where it has none."""
    if case.scores or not case.invocations:
        return case.scores
    return tuple(score for score in case.invocations[-1].scores if score.line is None)


def label_of(case: CaseResult) -> str:
    """Return what people call a result: its id or name, with its repeat from the second on."""
    name = case.case_id or case.name or case.origin
    return f"{name} (run {case.repeat + 1})" if case.repeat else name


def _aggregate(key: str, pairs: Sequence[tuple[str, Score]]) -> Aggregate:
    scores = [score for _, score in pairs]
    values = [s.value for s in scores if s.value is not None]
    usable = [s for s in scores if s.native is not None and s.verdict not in _UNSCORED]
    scales = {s.scale for s in usable}
    natives = [s.native for s in usable if s.native is not None]
    return Aggregate(
        evaluator=key,
        name=scores[0].evaluator_name or key,
        total=len(scores),
        scored=len(natives),
        mean=sum(values) / len(values) if values else None,
        native_mean=sum(natives) / len(natives) if natives and len(scales) == 1 else None,
        scale=next(iter(scales)) if len(scales) == 1 else None,
        passed=sum(s.verdict is Verdict.PASSED for s in scores),
        failed=sum(s.verdict is Verdict.FAILED for s in scores),
        errors=tuple(name for name, s in pairs if s.verdict is Verdict.ERROR),
        not_evaluated=tuple(name for name, s in pairs if s.verdict is Verdict.NOT_EVALUATED),
        informational=all(s.informational for s in scores),
    )


_UNSCORED = (Verdict.ERROR, Verdict.NOT_EVALUATED)
_MOST_NAMED = 5


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{', '.join(names[:_MOST_NAMED])}{more}"
