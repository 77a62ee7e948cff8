"""A run in some lines of Markdown, to paste into a pull request.

Whatever comes from a file stands in code spans, where it is neither link, image, mention nor tag.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from evalcore import verdicts
from evalcore.report.facts import Facts, facts_of
from evalcore.report.selection import Selection, label_of
from evalcore.report.texts import markdown_cell, markdown_code
from evalcore.results import Verdict
from evalcore.store import MetricNumbers
from evalcore.verdicts import GLYPHS
from evalcore.views import numbers
from evalcore.views.words import plural

MOST_CHECKS = 20
MOST_CAUSES = 10
MOST_CASES = 10
BAD = (Verdict.ERROR, Verdict.FAILED)
ABOUT = ("Eval set", "System", "Ran", "Set content", "Pass marks", "Run")


def write(selection: Selection, stream: IO[bytes]) -> None:
    """Write the summary; it is never longer than a page or two, however large the run."""
    stream.write(("\n".join(_lines(selection)) + "\n").encode("utf-8", "backslashreplace"))


def _lines(selection: Selection) -> Iterator[str]:
    facts = facts_of(selection, MOST_CAUSES + 1)
    yield f"## {GLYPHS[facts.verdict]} {markdown_code(facts.title)}: {facts.headline}"
    yield ""
    yield f"{facts.rate.interval_text[:1].upper()}{facts.rate.interval_text[1:]}. {facts.scored}."
    if facts.scope:
        yield ""
        yield f"This is a part: {markdown_code(facts.scope)}"
    for caution in facts.cautions:
        yield ""
        quoted = f" {markdown_code(caution.quoted)}" if caution.quoted else ""
        yield f"> Caution: {caution.text}{quoted}"
    yield from _checks(facts)
    yield from _causes(facts)
    yield from _worst(selection, facts)
    known = dict(facts.about)
    yield ""
    yield " · ".join(f"{name}: {markdown_code(known[name])}" for name in ABOUT if name in known)


def _checks(facts: Facts) -> Iterator[str]:
    judged = [found for found in facts.metrics if not found.metric.informational]
    if not judged:
        return
    yield ""
    yield "| check | scored | passed | failed | errors | not evaluated | mean (0–1) |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    yield from (_check(found, facts.total) for found in judged[:MOST_CHECKS])
    if len(judged) > MOST_CHECKS:
        yield ""
        yield f"and {plural(len(judged) - MOST_CHECKS, 'more check')}."


def _check(found: MetricNumbers, total: int) -> str:
    counts = found.counts
    cells = [
        markdown_cell(found.metric.label),
        f"{found.scored:,} of {total:,}",
        *(
            f"{counts[verdict]:,}"
            for verdict in (Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED)
        ),
        numbers.cut(found.mean),
    ]
    return f"| {' | '.join(cells)} |"


def _causes(facts: Facts) -> Iterator[str]:
    if not facts.causes:
        return
    bad = [verdicts.counted(v, facts.counts[v]) for v in BAD if facts.counts[v]]
    yield ""
    yield f"### Why ({', '.join(bad)})"
    yield ""
    yield from (f"- {times:,} × {markdown_code(why)}" for why, times in facts.causes[:MOST_CAUSES])
    if len(facts.causes) > MOST_CAUSES:
        yield "- and further causes"


def _worst(selection: Selection, facts: Facts) -> Iterator[str]:
    bad = sum(facts.counts[verdict] for verdict in BAD)
    if not bad:
        return
    yield ""
    yield "### Worst cases"
    yield ""
    for line, row in selection.sorted_by("worst").results(min(bad, MOST_CASES)):
        why = f": {markdown_code(line.causes[0])}" if line.causes else ""
        yield f"- {GLYPHS[line.verdict]} {markdown_code(label_of(line, row))}{why}"
    if bad > MOST_CASES:
        yield f"- and {bad - MOST_CASES:,} more"
