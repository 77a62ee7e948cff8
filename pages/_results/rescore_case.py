"""One case scored again: each check with its number, what it hides, and what would have passed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore import verdicts
from evalcore.explain import Counterfactual, counterfactuals, votes_of
from evalcore.results import CaseResult, Score
from evalcore.scoring import whole_scores
from evalcore.views import numbers
from evalcore.views.rescore import MARK
from evalcore.views.rescore_board import Outcome
from evalcore.views.rescore_lines import is_guid, title_of
from evalcore.views.turn_detail import SHOWN
from evalcore.views.values import printable
from pages._results import look
from pages._results import rescore_state as bench_state
from pages._results.look import box, span
from pages._results.rescore_state import Bench
from pages._ui import bind
from pages._ui.safe import Markup, el, join

TEXT = 1000


def draw(bench: Bench, outcome: Outcome, place: int) -> None:
    """Draw a case under the plan, beside what its file and the unchanged checks say."""
    after = bench.board.one(outcome.after, place)
    before = bench.board.one(outcome.before, place)
    stored = bench.board.material.run.cases
    old = stored[place] if place < len(stored) else None
    _header(before, after, old)
    notes = [n for n in after.notes if n]
    if after.error:
        look.draw(box("banner err", look.paragraph("! " + after.error[:TEXT])))
    if notes:
        look.draw(box("banner", *map(look.paragraph, notes)))
    for score in whole_scores(after):
        if not score.informational:
            _check(bench, outcome, place, score, _find(before, score), _stored(old, score))
            _turns(after, score)
            _what_if(bench, outcome, place, score)


def _header(before: CaseResult, after: CaseResult, stored: CaseResult | None) -> None:
    steps = [
        span("small soft", "the file says"),
        look.chip(stored.verdict if stored else None),
        span("small soft", "with the checks as filed"),
        look.chip(before.verdict),
    ]
    if before.verdict is not after.verdict:
        steps += [span("small soft", "now"), look.chip(after.verdict)]
    look.draw(box("title", span("name", title_of(after)), *steps))


def _check(
    bench: Bench,
    outcome: Outcome,
    place: int,
    score: Score,
    before: Score | None,
    stored: Score | None,
) -> None:
    label = score.evaluator_name or score.evaluator
    flipped = before is not None and before.verdict is not score.verdict
    look.draw(
        box(
            "check",
            box(
                "head",
                span("strong", label),
                span(
                    "small soft",
                    "" if is_guid(score.evaluator) or score.evaluator == label else score.evaluator,
                ),
                *((look.chip(before.verdict), "→") if flipped and before else ()),
                look.chip(score.verdict),
                span("push", _number(score)),
            ),
            _rail(score),
            box("reason", printable(score.reason)[:SHOWN]) if score.reason else "",
            box("banner", *map(look.paragraph, score.cautions)) if score.cautions else "",
            box("note", _stored_words(stored, score)),
            _votes(score),
        )
    )


def _number(score: Score) -> str:
    if score.native is None:
        return "no score"
    if score.threshold is None:
        return numbers.score(score.native)
    edge = numbers.score(score.threshold, score.native)
    return f"{numbers.score(score.native, score.threshold)} of at least {edge}"


def _rail(score: Score) -> Markup:
    scale = score.scale
    if score.native is None or scale is None or scale.worst == scale.best:
        return box("")
    mark = None if score.threshold is None else scale.normalise(score.threshold)
    return join(
        look.rail(scale.normalise(score.native), mark, look.CLASSES[score.verdict]),
        box("ends", span("", f"{scale.worst:g}"), span("", f"{scale.best:g}")),
    )


def _stored_words(stored: Score | None, score: Score) -> str:
    if stored is None:
        return "The file has no score of this check."
    number = numbers.score(stored.native, score.native) if stored.native is not None else "no score"
    if stored.verdict is None:
        return f"The file has {number}, and no verdict."
    return f"The file has {number}, {verdicts.said(stored.verdict)}."


def _turns(case: CaseResult, score: Score) -> None:
    """Draw a check's turns where a case has several."""
    found = [
        (turn.index + 1, own)
        for turn in case.invocations
        for own in turn.scores
        if own.evaluator == score.evaluator and own.line is None and own is not score
    ]
    if len(case.invocations) < 2 or not case.scores or not found:
        return
    body = [
        (
            str(number),
            look.chip(own.verdict),
            numbers.score(own.native, own.threshold),
            join(own.reason[:TEXT], *(box("note", f"⚠ {text}") for text in own.cautions)),
        )
        for number, own in found
    ]
    head = ("turn", "verdict", "score", "reason")
    name = f"{len(found)} turns"
    look.draw(el("details", el("summary", name), look.table(head, body, "Score of each turn")))


def _votes(score: Score) -> Markup:
    """Return what a judge said of each rubric, and whether its answers disagree."""
    found = votes_of(score)
    if not found:
        return box("")
    body = [
        (
            vote.rubric,
            numbers.score(vote.score),
            "the answers disagree" if vote.is_split else "",
            vote.rationale[:TEXT],
        )
        for vote in found
    ]
    return look.table(("rubric", "score", "", "the judge says"), body, "Rubrics")


def _what_if(bench: Bench, outcome: Outcome, place: int, score: Score) -> None:
    """Draw the smallest changes under which a failed check passes, each to be tried."""
    found = _counterfactuals(bench, outcome, place, score)
    if not found:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for index, one in enumerate(found):
            if one.settings:
                bind.button(
                    f"rescore.try.{place}.{score.evaluator}.{index}",
                    one.text,
                    _try,
                    bench,
                    score,
                    one,
                    icon="lightbulb",
                    help="Try it on all cases.",
                )
            else:
                with st.container(width="content"):
                    look.draw(box("note", one.text.replace("`", "“", 1).replace("`", "”", 1)))


def _counterfactuals(
    bench: Bench, outcome: Outcome, place: int, score: Score
) -> Sequence[Counterfactual]:
    check = outcome.after.check(score.evaluator)
    sample = bench.board.sample(outcome.after, place, check) if check else None
    if check is None or sample is None:
        return ()
    how = outcome.after.scoring
    mark = None if check.mark is not None else how.pass_marks.get(check.ref, how.pass_mark)
    return counterfactuals(check, sample, score, mark)


def _try(bench: Bench, score: Score, one: Counterfactual) -> None:
    """Put a change into the plan."""
    plan = bench_state.plan(bench)
    filed = bench.board.before().check(score.evaluator)
    for name, value in one.settings.items():
        if name == MARK and (filed is None or filed.mark is None):
            share = score.scale.normalise(value) if score.scale else float(value)
            plan = plan.with_mark(score.evaluator, share, bench.board.material.mark)
        else:
            own = getattr(filed.evaluator.params, name, None) if filed and filed.evaluator else None
            plan = plan.with_param(score.evaluator, name, value, own)
    bench_state.change(bench, lambda _old: plan)


def _find(case: CaseResult, score: Score) -> Score | None:
    return next((s for s in whole_scores(case) if s.evaluator == score.evaluator), None)


def _stored(case: CaseResult | None, score: Score) -> Score | None:
    return None if case is None else _find(case, score)
