"""One case scored again: each check with its number, what it hides, and what would have passed."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore import verdicts
from evalcore.explain import Counterfactual, counterfactuals, votes_of
from evalcore.results import CaseResult, Score, Verdict
from evalcore.scoring import whole_scores
from evalcore.views import numbers
from evalcore.views.rescore import MARK
from evalcore.views.rescore_board import Outcome
from evalcore.views.rescore_case import expected_by, row_of
from evalcore.views.rescore_lines import ORDER, is_guid, title_of
from evalcore.views.turn_detail import SHOWN
from evalcore.views.values import printable
from pages._results import conversation, look, rescore_alone
from pages._results import rescore_state as bench_state
from pages._results import votes as rubrics
from pages._results.look import box, span
from pages._results.rescore_state import Bench
from pages._ui import bind, state
from pages._ui.safe import Markup, el, join

TEXT = 1000


def draw(bench: Bench, outcome: Outcome, place: int) -> None:
    """Draw a case under the plan, beside what its file and the unchanged checks say."""
    after = bench.board.one(outcome.after, place)
    before = bench.board.one(outcome.before, place)
    stored = bench.board.material.run.cases
    old = stored[place] if place < len(stored) else None
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width="stretch"):
            _header(bench, before, after, old)
        _open_case(bench, outcome, place)
    if after.error:
        look.draw(box("banner err", look.paragraph("! " + after.error[:TEXT])))
    notes = [note for note in after.notes if note]
    if notes:
        look.draw(box("banner", *map(look.paragraph, notes)))
    tabs = st.tabs(["Scores", "Conversation"], key="rescore.tabs", on_change="rerun")
    if tabs[0].open:
        with tabs[0]:
            _scores(bench, outcome, place, before, after, old)
    if tabs[1].open:
        with tabs[1]:
            row = row_of(bench.board, outcome.after, place, after)
            labels = {check.ref: check.label for check in outcome.after.checks}
            conversation.draw(row, expected_by(bench.board, outcome.after, place), labels)


def _header(bench: Bench, before: CaseResult, after: CaseResult, stored: CaseResult | None) -> None:
    """Draw the case's verdict, and what else was said of it where that was something else."""
    name = span("name", title_of(after))
    said = stored.verdict if stored else None
    if before.verdict is after.verdict:
        same = said is after.verdict
        steps = [look.chip(after.verdict)]
        if bench.has_stored:
            told = verdicts.said(said) if said else "nothing about passing"
            steps.append(span("small soft", f"the file says {'the same' if same else told}"))
    else:
        steps = [look.chip(before.verdict), span("soft", "→"), look.chip(after.verdict)]
    look.draw(box("title", name, *steps))


def _open_case(bench: Bench, outcome: Outcome, place: int) -> None:
    found = expected_by(bench.board, outcome.after, place)
    if found is not None and found.case.id:
        path = bench.board.material.project.path
        bind.button(
            "rescore.author",
            "Open case",
            lambda: state.go("author", set=path, case=found.case.id),
            icon="edit_note",
            kind="tertiary",
            help=f"Edit this case in {path}. What you change there counts here at once.",
        )


def _scores(
    bench: Bench,
    outcome: Outcome,
    place: int,
    before: CaseResult,
    after: CaseResult,
    old: CaseResult | None,
) -> None:
    """Draw the scores of a case, failed ones first; a crash is told once and not by each check."""
    found = [score for score in whole_scores(after) if not score.informational]
    if after.error and all(score.verdict is Verdict.ERROR for score in found):
        names = ", ".join(score.evaluator_name or score.evaluator for score in found)
        look.draw(box("note", f"Nothing could be computed: {names}."))
        return
    for score in sorted(found, key=lambda score: ORDER.index(score.verdict)):
        with st.container(border=True, gap="small"):
            _check(score, _find(before, score), _stored_words(bench, _stored(old, score), score))
            _turns(after, score)
            _what_if(bench, outcome, place, score)
            rescore_alone.draw(bench, outcome, place, score.evaluator)
    for check in rescore_alone.skipped(bench, outcome, place):
        with st.container(border=True, gap="small"):
            look.draw(box("check", box("head", span("strong", check.label), look.chip(None))))
            rescore_alone.draw(bench, outcome, place, check.ref)


def _check(score: Score, before: Score | None, stored: str) -> None:
    label, votes = score.evaluator_name or score.evaluator, votes_of(score)
    flipped = before is not None and before.verdict is not score.verdict
    look.draw(
        box(
            "check bare",
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
            box("reason", printable(score.reason)[:SHOWN]) if score.reason and not votes else "",
            box("banner", *map(look.paragraph, score.cautions)) if score.cautions else "",
            box("note", stored) if stored else "",
            rubrics.table(votes),
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


def _stored_words(bench: Bench, stored: Score | None, score: Score) -> str:
    """Return what the file says of a check, "" where it says just what is computed here."""
    if not bench.has_stored:
        return ""
    if stored is None:
        return "The file has no score of this check."
    if stored.native == score.native and stored.verdict in (score.verdict, None):
        return ""
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


def _what_if(bench: Bench, outcome: Outcome, place: int, score: Score) -> None:
    """Draw the smallest changes under which a failed check passes, each to be tried."""
    found = _counterfactuals(bench, outcome, place, score)
    if not found:
        return
    told = [one.text.replace("`", "“", 1).replace("`", "”", 1) for one in found]
    said = [text for text, one in zip(told, found, strict=True) if not one.settings]
    if said:
        look.draw(box("note", "It ", "; it ".join(said), "."))
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for index, (text, one) in enumerate(zip(told, found, strict=True)):
            if one.settings:
                bind.button(
                    f"rescore.try.{place}.{score.evaluator}.{index}",
                    text[:1].upper() + text[1:],
                    _try,
                    bench,
                    score,
                    one,
                    icon="lightbulb",
                    help="Try this on all cases, and see what else flips.",
                )


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
