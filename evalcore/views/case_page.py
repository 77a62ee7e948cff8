"""One case result of a stored run, with everything that its page shows of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evalcore import counting, verdicts
from evalcore.counting import CaseRow
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.results import CaseResult, Verdict
from evalcore.store import CaseLine, RunQuery, StoredRun
from evalcore.store.folding import folded, neighbours
from evalcore.verdicts import USUAL_MARK, PassMark
from evalcore.views import numbers
from evalcore.views.turn_detail import shown
from evalcore.views.values import as_text
from evalcore.views.words import plural

REPEATS_READ = 60
"""Repeats whose answers are read and counted."""
ANSWER = 400
"""Characters of an answer that are listed."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What some repeats said, all of them the same: its beginning, and which results these are."""

    text: str
    lines: tuple[CaseLine, ...]

    @property
    def told(self) -> str:
        """Return which verdicts these repeats came to."""
        counts = [(v, sum(line.verdict is v for line in self.lines)) for v in _ORDER]
        return ", ".join(verdicts.counted(v, n) for v, n in counts if n)


@dataclass(frozen=True, slots=True)
class CasePage:
    """A case result: its line in the list, its turns and scores, and the other repeats."""

    line: CaseLine
    row: CaseRow
    lines: tuple[CaseLine, ...]
    labels: dict[str, str]
    mark: PassMark

    @property
    def failing_turn(self) -> int | None:
        """Return the number (from 1) of the first turn that failed, an error before all others."""
        for wanted in (Verdict.ERROR, Verdict.FAILED):
            for turn in self.row.turns:
                if turn.verdict is wanted:
                    return turn.number
        return None

    @property
    def facts(self) -> tuple[str, ...]:
        """Return what is worth knowing beside the verdict, as short texts."""
        case = self.row.case
        parts = (
            case.name if case.name and case.name != self.row.label else "",
            f"repeat {self.line.repeat + 1} of {len(self.lines)}" if len(self.lines) > 1 else "",
            numbers.seconds(case.duration_s) if case.duration_s is not None else "",
            f"{case.total_tokens:,} tokens" if case.total_tokens is not None else "",
            f"file says “{case.stored_status}”" if case.stored_status else "",
        )
        return tuple(part for part in parts if part)

    @property
    def cautions(self) -> tuple[str, ...]:
        """Return what to know before this result is trusted."""
        case = self.row.case
        told = [note for note in case.notes if note != case.error]
        recounted = verdicts.recount(case, self.mark)
        if case.verdict is not None and self.row.cells and recounted is not case.verdict:
            told.insert(
                0,
                f"The file says {verdicts.WORDS[case.verdict]}; "
                f"its scores come to {verdicts.WORDS[recounted]}.",
            )
        return tuple(told)


_ORDER = (Verdict.ERROR, Verdict.FAILED, Verdict.NOT_EVALUATED, Verdict.PASSED)


def case_page(run: StoredRun, case_row: int) -> CasePage | None:
    """Return a case result by its place in the run, None where the run has no such place."""
    found = run.page(RunQuery(rows=(case_row,), limit=1)).lines
    if not found:
        return None
    line = found[0]
    lines = run.repeats(line.case_key) if run.manifest.repeats > 1 else (line,)
    mark = PassMark(run.pass_mark) if run.pass_mark is not None else USUAL_MARK
    row = counting.case_row(case_row, run.case(case_row), mark)
    return CasePage(line, _named(row, line), lines, {m.key: m.label for m in run.metrics}, mark)


def _named(row: CaseRow, line: CaseLine) -> CaseRow:
    """Return a row that has the id which the eval set gives a result without one."""
    case = row.case
    is_told = case.case_id is not None or bool(case.name) or line.case_key.startswith("place ")
    if is_told:
        return row
    return replace(row, case=case.model_copy(update={"name": line.case_key}))


@dataclass(frozen=True, slots=True)
class Steps:
    """The results to open before and after one, in the order of the list and among failures.

    ``is_listed`` says whether the filter finds its case. Of a case that is not listed, the next is
    the first of the list; of one that did not fail, among the failures, the first of those.
    """

    before: int | None
    after: int | None
    failed_before: int | None
    failed_after: int | None
    is_listed: bool


def steps(run: StoredRun, query: RunQuery, line: CaseLine) -> Steps:
    """Return the way on from a result; each case of the list counts once, however often it ran."""
    before, after, is_listed = _beside(run, query, line)
    if query.mode in ("failures", "errors"):
        return Steps(before, after, before, after, is_listed)
    back, on, _ = _beside(run, replace(query, mode="failures"), line)
    return Steps(before, after, back, on, is_listed)


def _beside(run: StoredRun, query: RunQuery, line: CaseLine) -> tuple[int | None, int | None, bool]:
    query = replace(query, offset=0, limit=1)
    before, after = neighbours(run, query, line.case_row)
    if before is not None or after is not None:
        return before, after, True
    if run.count(replace(query, cases=frozenset([line.case_key]))):
        return None, None, True
    first = folded(run, query).folds
    return None, first[0].at if first else None, False


def answers(run: StoredRun, lines: Sequence[CaseLine]) -> tuple[Answer, ...]:
    """Return the distinct answers of the repeats of a case, the most frequent first.

    An answer is what was said and which tools were called with what. At most ``REPEATS_READ``
    repeats are looked at.
    """
    taken = lines[:REPEATS_READ]
    held = sorted(line.case_row for line in taken)
    cases = dict(zip(held, run.cases(held), strict=True))
    groups: dict[tuple[str, ...], list[CaseLine]] = {}
    for line in taken:
        groups.setdefault(tuple(_turns_of(cases[line.case_row])), []).append(line)
    turn = _where_they_part(list(groups))
    found = [
        Answer(answer_text(cases[group[0].case_row], turn), tuple(group))
        for group in groups.values()
    ]
    return tuple(sorted(found, key=lambda answer: -len(answer.lines)))


def answer_text(case: CaseResult, turn: int | None = None) -> str:
    """Return the beginning of what was said in a turn (from 0), and the tools called there.

    None stands for the last reply. Where nothing was said, the reason why.
    """
    if turn is not None and turn < len(case.invocations):
        chosen = case.invocations[turn]
        calls = [f"→ {_call(call)}" for call in chosen.actual_tool_calls or ()]
        where = f"Turn {turn + 1}: " if len(case.invocations) > 1 else ""
        said = shown(chosen.actual_output) or (f"! {chosen.error}" if chosen.error else "no reply")
        return where + "\n".join([said[:ANSWER], *(call[:ANSWER] for call in calls[:8])])
    for held in reversed(case.invocations):
        said = shown(held.actual_output) or ""
        if said:
            return said[:ANSWER]
    return f"! {case.error[:ANSWER]}" if case.error else "no reply"


def warning(found: Sequence[Answer], lines: Sequence[CaseLine]) -> str:
    """Return what to make of repeats that are all the same, "" where they differ."""
    if len(lines) < 2 or len(found) != 1:
        return ""
    same_time = {line.duration_s for line in lines}
    many = plural(len(found[0].lines), "repeat")
    if len(same_time) == 1 and None not in same_time:
        return (
            f"All {many} gave the very same answer and took the very same time: they look like one "
            "cached answer. Counted as several, they make the rate look surer than it is."
        )
    return (
        f"All {many} gave the very same answer. If a cache answered, they are one observation, "
        "not several."
    )


def _where_they_part(answers: Sequence[tuple[str, ...]]) -> int | None:
    """Return the first turn (from 0) in which not all answers are the same, None if there is none.

    An answer with fewer turns than others parts where it ends.
    """
    if len(answers) < 2:
        return None
    for turn in range(max(map(len, answers))):
        if len({answer[turn : turn + 1] for answer in answers}) > 1:
            return turn
    return None


def _turns_of(case: CaseResult) -> Iterator[str]:
    """Yield what was said and done in each turn, as one text that only equal turns share."""
    if not case.invocations:
        yield f"! {case.error or ''}"
    for turn in case.invocations:
        calls = map(_call, turn.actual_tool_calls or ())
        yield "\n".join([shown(turn.actual_output) or "", *calls, f"! {turn.error or ''}"])


def _call(call: ToolCall) -> str:
    return f"{call.name} {'' if call.args is MISSING else as_text(call.args, indent=None)}"
