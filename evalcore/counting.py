"""What the case results of a run come to: a row per case result and turn, a cell per evaluator.

A row's identity is its place in the file: ids repeat when cases are run several times.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from evalcore import verdicts
from evalcore.results import CaseResult, InvocationResult, Run, Score, Verdict
from evalcore.verdicts import USUAL_MARK, PassMark

_GUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True)
class Metric:
    """One evaluator of a run. ``key`` is its ref, ``label`` a name that no other one here has."""

    key: str
    label: str
    informational: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What one evaluator says of a row.

    ``score`` is the worst where there are several; ``verdict`` is None for an informational score
    and where the evaluator does not look at this row ("n/a"). ``turns`` counts the turns that a
    case's score was taken from, 0 for a score of the whole case.
    """

    score: Score
    verdict: Verdict | None
    turns: int = 0


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One invocation of a case result. ``number`` counts from 1."""

    number: int
    turn: InvocationResult
    verdict: Verdict | None
    cells: dict[str, Cell]


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One case result. ``place`` counts from 0 in the file; ``of_id`` and ``ids`` say k of n."""

    place: int
    case: CaseResult
    verdict: Verdict
    cells: dict[str, Cell]
    turns: tuple[TurnRow, ...]
    is_near: bool = False
    of_id: int = 1
    ids: int = 1

    @property
    def label(self) -> str:
        """Return the id, else the name, else the place in the file; a name before a bare GUID."""
        name, case_id = self.case.name, self.case.case_id
        if name and case_id and is_guid(case_id):
            return name
        return case_id or name or f"result {self.place + 1}"

    @property
    def title(self) -> str:
        """Return the label, with ``k of n`` where the case was run several times."""
        return f"{self.label} ({self.of_id} of {self.ids})" if self.ids > 1 else self.label

    @property
    def is_told_by_its_turn(self) -> bool:
        """Return whether the one turn of a case and the whole of it have no differing scores."""
        if len(self.turns) != 1:
            return False
        whole = {key: cell for key, cell in self.cells.items() if cell.turns == 0}
        turn = self.turns[0].cells
        return not whole or not turn or _numbers(whole) == _numbers(turn)


def is_guid(text: str) -> bool:
    """Return whether a text is a GUID, in either case."""
    return _GUID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class RunView:
    """A run with everything counted: ``rows`` are worst first, ``by_place`` in file order."""

    run: Run
    mark: PassMark
    metrics: tuple[Metric, ...]
    rows: tuple[CaseRow, ...]
    by_place: tuple[CaseRow, ...]
    counts: Counter[Verdict] = field(default_factory=Counter)

    @property
    def has_turns(self) -> bool:
        """Return whether any case has more than one turn."""
        return any(len(row.turns) > 1 for row in self.rows)

    @property
    def distinct(self) -> int:
        """Return the number of different cases, their repeats counted once."""
        return len({_identity(row) for row in self.rows})


def build(run: Run, mark: PassMark = USUAL_MARK) -> RunView:
    """Return the view of a run; ``mark`` decides only where the file has no verdicts."""
    ids = Counter(case.case_id for case in run.cases if case.case_id is not None)
    seen: Counter[str] = Counter()
    rows = []
    for place, case in enumerate(run.cases):
        if case.case_id is not None:
            seen[case.case_id] += 1
        name = case.case_id
        of_id, times = (1, 1) if name is None else (seen[name], ids[name])
        rows.append(case_row(place, case, mark, of_id, times))
    return RunView(
        run=run,
        mark=mark,
        metrics=_metrics(run),
        rows=tuple(sorted(rows, key=_rank)),
        by_place=tuple(rows),
        counts=Counter(row.verdict for row in rows),
    )


def case_row(
    place: int, case: CaseResult, mark: PassMark = USUAL_MARK, of_id: int = 1, ids: int = 1
) -> CaseRow:
    """Return the row of one case result, the ``of_id``-th of ``ids`` with its id."""
    once = _scored_on_the_last_turn_only(case)
    turns = tuple(
        _turn_row(number, turn, mark, once if number < len(case.invocations) else frozenset())
        for number, turn in enumerate(case.invocations, 1)
    )
    cells = _cells(case.scores, mark)
    for key, cell in _from_turns(turns).items():
        cells.setdefault(key, cell)
    return CaseRow(
        place=place,
        case=case,
        verdict=verdicts.of_case(case, mark),
        cells=cells,
        turns=turns,
        is_near=any(verdicts.is_near(c.score, c.verdict, mark) for c in cells.values()),
        of_id=of_id,
        ids=ids,
    )


def _turn_row(
    number: int, turn: InvocationResult, mark: PassMark, elsewhere: frozenset[str]
) -> TurnRow:
    cells = {
        key: Cell(cell.score, None) if key in elsewhere else cell
        for key, cell in _cells(turn.scores, mark).items()
    }
    verdict = verdicts.together(cell.verdict for cell in cells.values())
    return TurnRow(number, turn, Verdict.ERROR if turn.error else verdict, cells)


def _scored_on_the_last_turn_only(case: CaseResult) -> frozenset[str]:
    """Return the evaluators that judge a conversation once, at its last turn, by design."""
    if len(case.invocations) < 2:
        return frozenset()
    *earlier, last = case.invocations
    early = {s.evaluator for turn in earlier for s in turn.scores if _is_scored(s)}
    return frozenset(s.evaluator for s in last.scores if _is_scored(s)) - early


def _is_scored(score: Score) -> bool:
    return score.verdict is not Verdict.NOT_EVALUATED and not (
        score.value is None and score.native is None and score.verdict is None
    )


def _cells(scores: Sequence[Score], mark: PassMark) -> dict[str, Cell]:
    """Return one cell per evaluator: its worst score. Line scores belong to the detail only."""
    cells: dict[str, Cell] = {}
    for score in scores:
        if score.line is not None:
            continue
        cell = Cell(score, verdicts.of_score(score, mark))
        old = cells.get(score.evaluator)
        if old is None or _badness(cell) < _badness(old):
            cells[score.evaluator] = cell
    return cells


def _from_turns(turns: Sequence[TurnRow]) -> dict[str, Cell]:
    """Return, per evaluator that scores turns, its worst turn."""
    found: dict[str, list[Cell]] = {}
    for row in turns:
        for key, cell in row.cells.items():
            if cell.verdict is not None or cell.score.informational:
                found.setdefault(key, []).append(cell)
    return {
        key: Cell((worst := min(cells, key=_badness)).score, worst.verdict, turns=len(cells))
        for key, cells in found.items()
    }


def _badness(cell: Cell) -> tuple[int, float]:
    order = verdicts.WORST_FIRST
    place = len(order) if cell.verdict is None else order.index(cell.verdict)
    return place, 1.0 if cell.score.value is None else cell.score.value


def _numbers(cells: dict[str, Cell]) -> dict[str, tuple[object, ...]]:
    return {key: (c.verdict, c.score.native, c.score.value) for key, c in cells.items()}


def _rank(row: CaseRow) -> tuple[int, float]:
    """Errors, failures (lowest score first), near passes, not evaluated, the rest."""
    match row.verdict:
        case Verdict.ERROR:
            return 0, 0.0
        case Verdict.FAILED:
            return 1, _lowest(row)
        case Verdict.NOT_EVALUATED:
            return 3, 0.0
        case Verdict.PASSED:
            return (2, 0.0) if row.is_near else (4, 0.0)


def _lowest(row: CaseRow) -> float:
    failed = [c.score.value for c in row.cells.values() if c.verdict is Verdict.FAILED]
    return min((value for value in failed if value is not None), default=0.0)


def _metrics(run: Run) -> tuple[Metric, ...]:
    """Return the evaluators in order of appearance; equal names are told apart by their refs."""
    names: dict[str, tuple[str, bool]] = {}
    for case in run.cases:
        for scores in (case.scores, *(turn.scores for turn in case.invocations)):
            for score in scores:
                name, plain = names.get(score.evaluator, (score.evaluator_name, True))
                names[score.evaluator] = (name, plain and score.informational)
    shared = Counter(name or key for key, (name, _) in names.items())
    metrics = []
    for key, (name, informational) in names.items():
        label = name or key
        metrics.append(
            Metric(key, f"{label} · {key[:8]}" if shared[label] > 1 else label, informational)
        )
    return tuple(metrics)


def _identity(row: CaseRow) -> tuple[str, str | int]:
    if row.case.case_id is not None:
        return "id", row.case.case_id
    return ("name", row.case.name) if row.case.name else ("place", row.place)
