"""The cases of two runs: buttons that count and filter, and a table with the worst first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from evalcore.compare import Comparison, Outcome, Pair, PairLine, Side, address_of
from evalcore.compare.outcomes import EPSILON
from evalcore.store import MetricSummary
from evalcore.views import compare as words
from evalcore.views import numbers
from evalcore.views.caselist import Page
from evalcore.views.results_table import short
from evalcore.views.words import plural
from pages._compare import address, held, look
from pages._compare.address import PAGE_SIZE, Address
from pages._ui import bind, safe
from pages._ui.rows import Cell, Column, Piece, Row, cell, rows

ANY = "Any check"
NAMELESS = "(no name)"
CHECKS = 3
"""Checks that have a column of their own where there is room."""


def filters(pair: Pair, asked: Address) -> None:
    """Draw the counts that filter, the search and the choices beside it."""
    counts = pair.tally(replace(asked.query, outcomes=None))
    bind.segments(
        "compare.outcome",
        "What became of the cases",
        words.outcome_choices(counts, asked.outcome),
        asked.outcome.value if asked.outcome is not None else "",
        lambda value: address.narrow("outcome", value),
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        with st.container(width=320):
            bind.search(
                "compare.find",
                "Search the cases",
                asked.find,
                lambda text: address.narrow("find", text),
                placeholder="Search ids, texts, tools, reasons",
            )
        _checks(pair, asked)
        bind.flag(
            "compare.diff",
            "Diff only",
            asked.is_diff_only,
            lambda on: address.narrow("diff", "1" if on else ""),
            help="Leave out the cases in which nothing changed.",
        )
        bind.flag(
            "compare.file order",
            "In file order",
            asked.sort == "file",
            lambda on: address.narrow("sort", "file" if on else ""),
            help="The order of the baseline; otherwise the worst come first.",
        )
        if asked.slice is not None:
            name, group = asked.slice
            bind.button(
                "compare.slice off",
                f"{name}: {group}",
                address.narrow,
                "slice",
                "",
                icon="filter_alt_off",
                help="Show all slices again.",
            )
    if asked.is_filtered:
        total = pair.counts.total()
        st.caption(safe.label(f"Counts are of the {counts.total():,} of {total:,} that match."))


def _checks(pair: Pair, asked: Address) -> None:
    metrics = [metric for metric, _ in pair.shared]
    if len(metrics) < 2:
        return
    keys = {metric.label: metric.key for metric in metrics}
    now = next((name for name, key in keys.items() if key == asked.check), ANY)
    with st.container(width=220):
        bind.choice(
            "compare.check",
            "Check",
            [ANY, *keys],
            now,
            lambda name: address.narrow("check", keys.get(name, "")),
            hidden=True,
        )


def table(comparison: Comparison, chosen: int, asked: Address, current: str) -> None:
    """Draw one page of the cases; with several runs a column for each of them."""
    pair = comparison.pairs[chosen]
    lines, total = pair.page(asked.query)
    if not lines:
        _nothing(pair, asked)
        return
    others = {
        number: other.sides([line.case_key for line in lines])
        for number, other in enumerate(comparison.pairs)
        if number != chosen
    }
    is_beside = bool(current)
    checks = [] if others else words.most_moved(pair, asked.check, 1 if is_beside else CHECKS)
    bands = held.noise(pair)
    rows(
        "compare.cases",
        "Cases of the runs",
        _columns(comparison, chosen, checks, is_beside=is_beside),
        [_row(line, others, chosen, checks, bands, is_beside=is_beside) for line in lines],
        on_open=lambda name: address.narrow("case", name),
        current=current,
        height="680px",
    )
    _below(total, asked, bands, checks)


def _columns(
    comparison: Comparison, chosen: int, checks: Sequence[MetricSummary], *, is_beside: bool
) -> list[Column]:
    letters = [words.letter(number + 1) for number in range(len(comparison.pairs))]
    many = len(letters) > 1
    width = "clamp(84px, 9vw, 126px)"
    verdicts = [] if is_beside else ["A", *letters]
    return [
        Column("Case"),
        Column(f"{letters[chosen]} against A" if many else "What became of it", "132px"),
        *(Column(letter, width) for letter in verdicts),
        *(
            Column(short(check.label, 24), "clamp(120px, 12vw, 168px)", "right", from_width=400)
            for check in checks
        ),
    ]


def _row(
    line: PairLine,
    others: Mapping[int, Mapping[str, Side]],
    chosen: int,
    checks: Sequence[MetricSummary],
    bands: Mapping[str, float],
    *,
    is_beside: bool,
) -> Row:
    name = address_of(line.case_key)
    outcome = words.outcome_text(line.outcome)
    why = words.why_text(line, words.letter(chosen + 1))
    many = len(others) + 1
    sides = [
        line.right if number == chosen else others[number].get(line.case_key)
        for number in range(many)
    ]
    below = [Piece(why, "muted", title=why)] if why else []
    verdicts = [_verdict(line.left), *(_verdict(s, line.left if many > 1 else None) for s in sides)]
    if is_beside:
        below = below or [Piece(_glyphs([line.left, *sides]), "muted")]
        verdicts = []
    return Row(
        name,
        f"{line.case_key}, {outcome}",
        (
            cell(
                Piece(
                    short(line.case_key, 120) or NAMELESS,
                    strong=True,
                    title=short(line.case_key, 400),
                ),
                below=below,
            ),
            cell(Piece(outcome, look.tone(words.tone_of(line.outcome)))),
            *verdicts,
            *(_step(line, metric, bands) for metric in checks),
        ),
        address.link_to(case=name),
    )


def _glyphs(sides: Sequence[Side | None]) -> str:
    """Return every run's verdict in short: ``A ✓ B ✗``."""
    return "  ".join(
        f"{words.letter(number)} {words.verdict_text(side).split(' ')[0]}"
        for number, side in enumerate(sides)
    )


def _verdict(side: Side | None, base: Side | None = None) -> Cell:
    """Return a side's verdict; in a matrix, with an arrow where the baseline's is another one."""
    verdict = words.verdict_of(side)
    text = words.verdict_text(side)
    arrow = words.turned(base, side)
    return cell(Piece(f"{arrow} {text}" if arrow else text, look.verdict_tone(verdict)))


def _step(line: PairLine, metric: MetricSummary, bands: Mapping[str, float]) -> Cell:
    old = line.left.values.get(metric.key) if line.left else None
    new = line.right.values.get(metric.key) if line.right else None
    delta = words.step(line, metric)
    if delta is None or abs(delta) <= EPSILON:
        said = "–" if old is None and new is None else words.step_text(old, new)
        same = said if delta is None else f"= {numbers.score(new)}"
        return cell(Piece(same, "muted"))
    arrow, good = words.arrow(delta, metric.better)
    is_noise = words.is_noise(delta, metric.key, bands)
    moved = Piece(
        f"{arrow} {words.signed(delta)}",
        "muted" if is_noise else look.tone(good),
        title="within what repeats of one case differ by chance" if is_noise else "",
    )
    return cell(moved, below=[Piece(words.step_text(old, new), "muted")])


def _below(
    total: int, asked: Address, bands: Mapping[str, float], checks: Sequence[MetricSummary]
) -> None:
    pages = max(1, -(-total // PAGE_SIZE))
    page = min(asked.page, pages)
    first = (page - 1) * PAGE_SIZE + 1
    if pages > 1:
        _pager(Page((), page, pages, total, first, min(total, page * PAGE_SIZE)))
    order = "in file order" if asked.sort == "file" else "worst first"
    st.caption(safe.label(f"{plural(total, 'case')}, {order}. {noise_note(bands, checks)}", 500))


def noise_note(bands: Mapping[str, float], checks: Sequence[MetricSummary]) -> str:
    """Return how large a change of one case's score is chance, as far as anybody knows."""
    if not checks:
        return ""
    known = [m for m in checks if m.key in bands]
    if not known:
        return "How much of one case's change is chance only repeats could tell."
    told = ", ".join(f"{short(m.label, 30)} ±{bands[m.key]:.2f}" for m in known)
    return f"Grey: no more than repeats of a case differ by chance ({told})."


def _pager(page: Page) -> None:
    key = f"compare.page {page.number}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.pagination(
            page.pages,
            default=page.number,
            max_visible_pages=5,
            key=key,
            on_change=lambda: address.narrow("page", str(st.session_state.get(key, page.number))),
        )
        st.caption(safe.label(f"{page.first:,}–{page.last:,} of {page.found:,}"))


def _nothing(pair: Pair, asked: Address) -> None:
    total = pair.counts.total()
    if not total:
        st.info("Neither run has a case.")
        return
    only_same = pair.counts[Outcome.SAME] == total
    if asked.is_diff_only and only_same and not asked.is_filtered:
        st.success(safe.label(f"Nothing changed: all {total:,} cases came out the same."))
    elif asked.page > 1:
        st.info("There is no such page.")
    else:
        st.info(safe.label(f"0 of {total:,} cases match."))
    bind.button("compare.clear", "Clear the filter", address.clear, icon="filter_alt_off")
