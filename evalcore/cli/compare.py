"""Compare runs case by case, and say in one sentence what may be claimed of the difference.

A is the baseline, B (and every further run) is held against it. Each is the id or the name of a
kept run (see `evaldesk runs`), or a result file, which is read and not kept; FILE#2 is the second
run of a file. Cases count once, whatever their repeats; errors and what was not evaluated are
never counted as failures. Numbers come from the exact McNemar test, Newcombe's interval and a
paired bootstrap, and p of several metrics is corrected by Holm.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from evalcore.cli._output import print_json, print_text, table, visible
from evalcore.cli._runs import mark_of, opened_runs
from evalcore.errors import EvaldeskError

if TYPE_CHECKING:
    from evalcore.compare import Pair

LETTERS = "ABCDEFGH"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("base", metavar="A", help="the baseline: a run's id or name, or a result file")
    add("others", nargs="+", metavar="B", help="what is held against it; up to seven")
    add("--in", dest="folder", metavar="DIR", default=".", help="whose runs to look among")
    add("--margin", type=float, metavar="POINTS", help=_MARGIN)
    add("--pass-mark", type=float, metavar="X", help="from 0 to 1, where the system has no rule")
    add("--format", choices=("text", "md", "json"), help="text (default), md or json")
    add("--fail-on", choices=("worse", "broke"), help=_FAIL_ON)


_MARGIN = "call B no worse if it is surely not worse by more than so many percentage points"
_FAIL_ON = "exit with 1 if B is worse for sure, or if it broke any case at all"


def run(arguments: argparse.Namespace) -> int:
    """Compare; returns 0, or 1 where --fail-on says so."""
    from evalcore.compare import compare
    from evalcore.compare.report import as_data, as_markdown

    margin = _margin(arguments.margin)
    names = [arguments.base, *arguments.others]
    if len(names) > len(LETTERS):
        raise EvaldeskError(
            f"{len(names)} runs cannot be compared at once", hint=f"At most {len(LETTERS)} can."
        )
    shape = arguments.format or ("json" if arguments.output == "json" else "text")
    with opened_runs(arguments.folder, names, mark_of(arguments.pass_mark)) as runs:
        pairs = [compare(runs[0], other) for other in runs[1:]]
        named = list(zip(LETTERS[1:], pairs, strict=False))
        if shape == "json":
            print_json({"comparisons": [as_data(pair, margin, name) for name, pair in named]})
        elif shape == "md":
            texts = [as_markdown(pair, margin, name) for name, pair in named]
            print_text(visible("\n\n".join(texts), keep="\n"))
        else:
            _print_text(named, margin)
    return int(any(_fails(pair, arguments.fail_on) for pair in pairs))


def _print_text(named: list[tuple[str, Pair]], margin: float | None) -> None:
    from evalcore.compare.report import HEADER, as_text, metric_rows, run_text

    print_text(visible(f"A  {run_text(named[0][1].left.manifest)}"))
    for name, pair in named:
        print_text(visible(f"{name}  {run_text(pair.right.manifest)}"))
    for name, pair in named:
        print_text("")
        print_text(visible(as_text(pair, margin, name), keep="\n"))
        rows = metric_rows(pair.metric_changes())
        if rows:
            header = tuple(f"{'A' if h == 'LEFT' else name if h == 'RIGHT' else h}" for h in HEADER)
            print_text(table(header, rows, right=range(1, 5)))


def _fails(pair: Pair, on: str | None) -> bool:
    from evalcore.compare import Outcome
    from evalcore.stats import Outcome as Claim
    from evalcore.stats import outcome_of

    if on == "broke":
        return pair.counts[Outcome.BROKE] > 0
    return on == "worse" and outcome_of(pair.paired) is Claim.WORSE


def _margin(points: float | None) -> float | None:
    if points is None:
        return None
    if not 0 < points < 100:
        raise EvaldeskError("A margin lies between 0 and 100 points", hint="Write for example 5.")
    return points / 100
