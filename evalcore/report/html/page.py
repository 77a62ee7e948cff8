"""The page around the data: its head with the policy, the numbers on top, the blocks of data."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import IO, Any, Final

from evalcore.counting import CaseRow
from evalcore.report.facts import Facts, facts_of
from evalcore.report.html.details import answer_of, detail_of
from evalcore.report.html.summary import summary
from evalcore.report.selection import Selection, label_of
from evalcore.report.texts import reading_text, script_json
from evalcore.store import CaseLine
from evalcore.verdicts import WORST_FIRST
from evalcore.views import numbers
from evalcore.views.words import plural

MOST_CASES: Final = 20_000
"""A page holds no more case results: the worst ones, and says so."""
MOST_BYTES: Final = 150_000_000
"""Of more data than this the rest is left out, and every case without its own says so."""
CODES: Final = {verdict: number for number, verdict in enumerate(WORST_FIRST)}
_HERE: Final = Path(__file__).parent
_LABEL = 300


def write(selection: Selection, stream: IO[bytes]) -> None:
    """Write the page; the worst case results come first."""
    ordered = selection.sorted_by("worst")
    facts = facts_of(ordered)
    style, script = (_read(name) for name in ("report.css", "report.js"))

    def put(text: str) -> None:
        stream.write(text.encode("utf-8", "backslashreplace"))

    put(_head(facts, style, script))
    put(summary(facts, _held(facts)))
    put(_read("body.html"))
    index = _Index(ordered)
    for number, (line, row) in enumerate(ordered.results(MOST_CASES)):
        index.add(line, row)
        detail: object = None
        if index.size < MOST_BYTES:
            detail = detail_of(row, ordered.joins(line), ordered.mark)
        block = script_json(detail)
        index.size += len(block)
        put(f'<script type="application/json" id="case-{number}">{block}</script>\n')
    put(f'<script type="application/json" id="index">{script_json(index.data(facts))}</script>\n')
    put(f"<script>{script}</script>\n</body>\n</html>\n")


class _Index:
    """One short line for each case result, from which the page makes its list."""

    def __init__(self, selection: Selection) -> None:
        self.size = 0
        self._selection = selection
        self._lines: list[list[Any]] = []
        self._causes: dict[str, int] = {}
        self._tags: dict[str, int] = {}
        self._keys: dict[str, int] = {}

    def add(self, line: CaseLine, row: CaseRow) -> None:
        cells = (row.cells.get(metric.key) for metric in self._selection.run.metrics)
        codes = [None if c is None or c.verdict is None else CODES[c.verdict] for c in cells]
        self._lines.append(
            [
                line.case_row,
                _numbered(self._keys, line.case_key),
                reading_text(label_of(line, row)[:_LABEL]),
                line.repeat,
                CODES[line.verdict],
                int(line.is_near) + 2 * int(line.is_flaky),
                [_numbered(self._causes, cause) for cause in line.causes],
                [_numbered(self._tags, tag) for tag in line.tags],
                codes,
                line.turns,
                line.duration_s,
                answer_of(row),
            ]
        )

    def data(self, facts: Facts) -> dict[str, Any]:
        metrics = self._selection.run.metrics
        return {
            "lines": self._lines,
            "causes": [reading_text(text) for text in self._causes],
            "tags": [reading_text(text) for text in self._tags],
            "checks": [reading_text(metric.label) for metric in metrics],
            "judged": [not metric.informational for metric in metrics],
            "is_part": bool(facts.chosen) or facts.total > len(self._lines),
        }


def _numbered(known: dict[str, int], text: str) -> int:
    return known.setdefault(text, len(known))


def _held(facts: Facts) -> Iterator[str]:
    if facts.scope:
        yield f"This is a part of the run: {facts.scope}."
    if facts.total > MOST_CASES:
        yield (
            f"The list below holds the worst {numbers.count(MOST_CASES)} of "
            f"{plural(facts.total, 'case result')}; the numbers are of all of them. "
            "Choose fewer, or take CSV or JSON, which hold them all."
        )


def _head(facts: Facts, style: str, script: str) -> str:
    policy = (
        f"default-src 'none'; script-src {_allowed(script)}; style-src {_allowed(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(reading_text(facts.title[:_LABEL]))} – eval report</title>\n"
        f"<style>{style}</style>\n</head>\n<body>\n"
    )


def _allowed(text: str) -> str:
    """Return the only script or style that a policy lets through, by its hash."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
