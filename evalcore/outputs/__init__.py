"""Recorded outputs: a plain JSONL file of what an agent answered, for scoring without running it.

One JSON object per line, one line per turn of a case, in any order. UTF-8; a byte order mark,
Windows line ends and blank lines are fine.

============== ===================== ===========================================================
key            type                  meaning
============== ===================== ===========================================================
``case_id``    text, required        the id of the case in the eval set, else its name
``invocation`` whole number          the turn, from 0; 0 if left out
``output``     any JSON              the reply, a text or an object; left out: not recorded
``tool_calls`` list of objects       ``name``, and if known ``args``, ``id``, ``result``; ``[]`` is
                                     none called, left out is not recorded
``node_visits`` list of texts        nodes of the graph in the order of visits
``duration_s`` number                seconds that the turn took
``tokens``     number or object      tokens in all, or ``{"input": 900, "output": 100}``
``error``      text                  why the turn crashed; such a case is an error, never a zero
``repeat``     whole number          which run of the case, from 0; left out: a second line for the
                                     same case and turn is its second run
============== ===================== ===========================================================

A line that cannot be used is reported with its number and left out; the others are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from evalcore.errors import Problem, Severity
from evalcore.outputs.lines import KEYS, Line, Unusable, line_of
from evalcore.outputs.writing import write_outputs
from evalcore.results import CaseResult, InvocationResult, Run

__all__ = ["Outputs", "read_outputs", "write_outputs"]

_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class Outputs(NamedTuple):
    """What a file of outputs holds, and what is wrong with it.

    ``run`` has a result per case and repeat, in order of appearance, and no scores.
    """

    run: Run
    problems: tuple[Problem, ...]


@dataclass(slots=True)
class _Reader:
    problems: list[Problem] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)

    def lines(self, data: bytes) -> Iterator[Line]:
        """Yield the usable lines and keep a problem for each of the others."""
        for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
            if not raw.strip():
                continue
            try:
                line, strange = line_of(number, raw)
            except Unusable as error:
                self.add("error", error.code, error.message, number, error.hint)
                continue
            self.warn_of(strange - self.unknown, number)
            yield line

    def warn_of(self, strange: set[str], number: int) -> None:
        """Keep a warning for each unknown key, where it is first met."""
        self.unknown |= strange
        for name in sorted(strange):
            self.add(
                "warning",
                "unknown_key",
                f"“{name}” is no key of recorded outputs, and is ignored",
                number,
                f"The keys are {', '.join(KEYS)}.",
            )

    def add(
        self, severity: Severity, code: str, message: str, line: int | None, hint: str = ""
    ) -> None:
        """Keep a problem."""
        self.problems.append(Problem(severity, f"outputs.{code}", message, hint, line=line))


def read_outputs(data: bytes, *, name: str = "", format_id: str = "outputs") -> Outputs:
    """Return the recorded outputs in a file; never fails, whatever the bytes are.

    Lines of one case are put in the order of their turns. A turn that has no line stands there as
    an error, because scores of the others would be those of another conversation.
    """
    reader = _Reader()
    if data.startswith(_UTF16):
        reader.add(
            "error", "not_utf8", "The file is UTF-16", None, "Save it as UTF-8, and open it again."
        )
        return Outputs(Run(format_id=format_id, name=name), tuple(reader.problems))
    grouped = _grouped(reader.lines(data), reader)
    cases = tuple(
        _case(case_id, repeat, turns, reader) for (case_id, repeat), turns in grouped.items()
    )
    run = Run(format_id=format_id, name=name, cases=cases)
    return Outputs(run, tuple(sorted(reader.problems, key=lambda p: p.line or 0)))


def _grouped(lines: Iterable[Line], reader: _Reader) -> dict[tuple[str, int], dict[int, Line]]:
    """Return the lines by case and repeat, and there by turn."""
    found: dict[tuple[str, int], dict[int, Line]] = {}
    for line in lines:
        repeat = line.repeat
        if repeat is None:
            repeat = 0
            while line.invocation in found.get((line.case_id, repeat), {}):
                repeat += 1
        turns = found.setdefault((line.case_id, repeat), {})
        if line.invocation in turns:
            reader.add(
                "error",
                "twice",
                f"Line {turns[line.invocation].number} has turn {line.invocation} of "
                f"“{line.case_id}”, repeat {repeat}, already; this line is left out",
                line.number,
                "Number the repeats, or leave their numbers out.",
            )
            continue
        turns[line.invocation] = line
    return found


def _case(case_id: str, repeat: int, turns: dict[int, Line], reader: _Reader) -> CaseResult:
    lines = [turns[index] for index in sorted(turns)]
    results = []
    for index in range(max(turns) + 1):
        if index in turns:
            results.append(turns[index].result)
            continue
        lost = f"There is no line for turn {index}."
        results.append(InvocationResult(origin=lines[0].result.origin, index=index, error=lost))
        reader.add(
            "warning",
            "lost_turn",
            f"“{case_id}” has turn {max(turns)} and no usable line for turn {index}",
            lines[0].number,
        )
    times = [r.duration_s for r in results if r.duration_s is not None]
    tokens = [line.tokens for line in lines if line.tokens is not None]
    return CaseResult(
        origin=lines[0].result.origin,
        case_id=case_id,
        repeat=repeat,
        invocations=tuple(results),
        error=next((r.error for r in results if r.error is not None), None),
        duration_s=sum(times) if len(times) == len(results) else None,
        total_tokens=sum(tokens) if len(tokens) == len(results) else None,
    )
