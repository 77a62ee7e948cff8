"""A run as JUnit XML, for the test viewers of build servers.

A failed case is a ``failure``, a crash an ``error``, what was not evaluated is ``skipped``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC
from math import isfinite
from typing import IO

from evalcore import verdicts
from evalcore.counting import CaseRow, Cell
from evalcore.report.facts import Facts, facts_of
from evalcore.report.selection import Selection, label_of
from evalcore.report.table import calls_text, score_words
from evalcore.report.texts import text_of, xml_attribute, xml_text
from evalcore.results import Verdict
from evalcore.store import CaseLine, moment
from evalcore.views.expectations import expected_of

MAX_TEXT = 2_000
"""Characters of one text that stand in the report: viewers keep it all in memory."""
MAX_TOLD = 20_000
ELEMENTS = {Verdict.FAILED: "failure", Verdict.ERROR: "error", Verdict.NOT_EVALUATED: "skipped"}


def write(selection: Selection, stream: IO[bytes]) -> None:
    """Write one suite with a test case for each case result, in the order of the run."""
    ordered = selection.sorted_by("file")
    facts = facts_of(ordered)
    stream.write(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    for line in _head(facts, ordered):
        stream.write(line.encode())
    names: Counter[str] = Counter()
    for line_, row in ordered.results():
        name = label_of(line_, row)
        names[name] += 1
        if names[name] > 1:
            name = f"{name} ({names[name]})"
        stream.write("".join(_case(name, line_, row, ordered, facts)).encode())
    stream.write(b"  </testsuite>\n</testsuites>\n")


def _head(facts: Facts, selection: Selection) -> Iterator[str]:
    manifest = selection.run.manifest
    counts: dict[str, str | int] = {
        "tests": facts.total,
        "failures": facts.counts[Verdict.FAILED],
        "errors": facts.counts[Verdict.ERROR],
    }
    time = _time(manifest.duration_s if not facts.chosen else None)
    yield f"<testsuites {_attributes({'name': facts.title, **counts, 'time': time})}>\n"
    suite: dict[str, str | int] = {
        "name": facts.title,
        **counts,
        "skipped": facts.counts[Verdict.NOT_EVALUATED],
        "time": time,
        "hostname": "localhost",
        "id": 0,
        "package": _class_name(selection),
    }
    at = moment(manifest)
    if at.year > 1:
        suite["timestamp"] = f"{at.astimezone(UTC):%Y-%m-%dT%H:%M:%S}"
    yield f"  <testsuite {_attributes(suite)}>\n    <properties>\n"
    for name, value in _properties(facts):
        yield f"      <property {_attributes({'name': name, 'value': value})}/>\n"
    yield "    </properties>\n"


def _properties(facts: Facts) -> Iterator[tuple[str, str]]:
    yield "passed", facts.headline
    yield "interval", facts.rate.interval_text
    yield "scored", facts.scored
    if facts.scope:
        yield "selection", facts.scope
    yield from ((name.lower().replace(" ", "_"), text) for name, text in facts.about)
    yield from ((f"caution_{n}", str(said)) for n, said in enumerate(facts.cautions, 1))


def _case(
    name: str, line: CaseLine, row: CaseRow, selection: Selection, facts: Facts
) -> Iterator[str]:
    known = {"classname": _class_name(selection), "name": name, "time": _time(line.duration_s)}
    element = ELEMENTS.get(line.verdict)
    if element is None:
        yield f"    <testcase {_attributes(known)}/>\n"
        return
    yield f"    <testcase {_attributes(known)}>\n"
    message = "; ".join(line.causes) or verdicts.WORDS[line.verdict]
    if element == "skipped":
        yield f"      <skipped {_attributes({'message': message})}/>\n"
    else:
        kind = ", ".join(_failing(line, selection)) or line.verdict.value
        told = _cut("\n".join(_told(line, row, selection)), MAX_TOLD)
        yield f"      <{element} {_attributes({'message': message, 'type': kind})}>"
        yield f"{xml_text(told)}</{element}>\n"
    yield "    </testcase>\n"


def _failing(line: CaseLine, selection: Selection) -> Iterator[str]:
    for metric in selection.run.metrics:
        if line.verdicts.get(metric.key) in (Verdict.FAILED, Verdict.ERROR):
            yield metric.label


def _told(line: CaseLine, row: CaseRow, selection: Selection) -> Iterator[str]:
    if row.case.error:
        yield f"Error: {_cut(row.case.error)}"
    for cell in row.cells.values():
        if cell.verdict in (Verdict.FAILED, Verdict.ERROR):
            yield _score_line(cell)
    for turn in row.turns:
        wanted = expected_of(turn.turn, turn.number - 1, selection.joins(line))
        yield f"--- turn {turn.number}"
        if turn.turn.error:
            yield f"Error: {_cut(turn.turn.error)}"
        for title, text in (
            ("Input", text_of(wanted.input)),
            ("Expected", text_of(wanted.output)),
            ("Actual", text_of(turn.turn.actual_output)),
            ("Expected tool calls", calls_text(wanted.tool_calls)),
            ("Actual tool calls", calls_text(turn.turn.actual_tool_calls)),
        ):
            if text is not None:
                yield f"{title}: {_cut(text) if text else '(none)'}"


def _score_line(cell: Cell) -> str:
    score = cell.score
    told = [f"{score.evaluator_name or score.evaluator}: {score_words(cell)}", score.reason]
    told += [f"Caution: {caution}" for caution in score.cautions]
    return _cut(". ".join(part for part in told if part))


def _class_name(selection: Selection) -> str:
    known = selection.run.manifest.eval_set
    return known.id or known.name or selection.run.manifest.format_id or "evals"


def _attributes(values: Mapping[str, str | int]) -> str:
    return " ".join(f'{name}="{xml_attribute(_cut(str(v)))}"' for name, v in values.items())


def _time(seconds: float | None) -> str:
    known = seconds is not None and isfinite(seconds) and seconds >= 0
    return f"{seconds:.3f}" if seconds is not None and known else "0.000"


def _cut(text: str, limit: int = MAX_TEXT) -> str:
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (cut: {len(text):,} characters)"
