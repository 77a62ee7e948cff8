"""What a case was expected to do: from the result file, else from the eval set as it is today."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, Invocation, MaybeJson, ToolCall
from evalcore.results import InvocationResult, Run


@dataclass(frozen=True, slots=True)
class Expected:
    """One turn's expectations; a part that neither file gives is MISSING or None.

    ``from_set`` names the parts (``input``, ``output``, ``tool_calls``, ``node_order``) that the
    result file lacks and the eval set at ``path`` gave.
    """

    input: MaybeJson = MISSING
    output: MaybeJson = MISSING
    tool_calls: tuple[ToolCall, ...] | None = None
    node_order: tuple[str, ...] | None = None
    behavior: str | None = None
    from_set: frozenset[str] = frozenset()
    path: str = ""

    def origin(self, part: str) -> str:
        """Return where a part was found, in words: "" where the result file itself has it."""
        return f"from {self.path}, as it is today" if part in self.from_set else ""


@dataclass(frozen=True, slots=True)
class Join:
    """Which case of an eval set a result belongs to; ``by`` says how that was found."""

    path: str
    index: int
    case: EvalCase
    by: str


def choose_set(
    run: Run, result_path: str, sets: Sequence[tuple[str, str | None, str | None]]
) -> str | None:
    """Return the path of the eval set that was run, None where none fits.

    ``sets`` holds (path, id, name) of the eval sets of the run's format. The id decides, in any
    letter case, then the name; among several, the one whose folders are nearest to the result.
    """
    for wanted, at in ((run.eval_set_id, 1), (run.eval_set_name, 2), (run.eval_set_id, 2)):
        if not wanted:
            continue
        fits = [s[0] for s in sets if (s[at] or "").casefold() == wanted.casefold()]
        if fits:
            return min(fits, key=lambda path: (-_shared_folders(path, result_path), path))
    return None


class Joiner:
    """Finds the case of an eval set that a result belongs to; reads only the cases it must.

    The id decides, as the set's system compares ids. A result without a known id goes by name;
    where several cases share a name, the k-th result of that name is taken for the k-th such case.
    """

    def __init__(
        self,
        run: Run,
        path: str,
        ids: Sequence[str | None],
        read: Callable[[int], EvalCase],
        key: Callable[[str], str] = str,
        format_label: str = "",
    ) -> None:
        """Take the set's case ids, in order, what reads a case, and the key ids compare by."""
        self.path = path
        self.format_label = format_label
        self._run = run
        self._ids = ids
        self._read = read
        self._key = key
        self._by_id: dict[str, list[int]] = defaultdict(list)
        for index, case_id in enumerate(ids):
            if case_id is not None:
                self._by_id[key(case_id)].append(index)
        self._by_name: dict[str, list[int]] | None = None
        self._nth_of_name = _nth([case.name or case.case_id or "" for case in run.cases])

    def of(self, place: int) -> Join | None:
        """Return the case of the result at a place of the run, None where the set has none."""
        case = self._run.cases[place]
        hits = self._by_id.get(self._key(case.case_id), []) if case.case_id else []
        if hits:
            exact = [index for index in hits if self._ids[index] == case.case_id]
            return self._join((exact or hits)[0], "id")
        name = case.name or case.case_id or ""
        hits = self._names().get(name, []) if name else []
        if not hits:
            return None
        index = hits[self._nth_of_name[place] % len(hits)]
        return self._join(index, "name" if len(hits) == 1 else "name and order")

    def _join(self, index: int, by: str) -> Join:
        return Join(self.path, index, self._read(index), by)

    def _names(self) -> dict[str, list[int]]:
        if self._by_name is None:
            self._by_name = defaultdict(list)
            for index in range(len(self._ids)):
                name = self._read(index).name
                if name:
                    self._by_name[name].append(index)
        return self._by_name


def expected_of(turn: InvocationResult, position: int, join: Join | None) -> Expected:
    """Return what was expected of the turn at ``position`` (from 0) of a case.

    What the result file recorded wins over what the eval set says today.
    """
    wanted = _wanted(position, join)
    if join is None or wanted is None:
        return Expected(
            turn.input, turn.expected_output, turn.expected_tool_calls, turn.expected_node_order
        )
    calls, nodes = turn.expected_tool_calls, turn.expected_node_order
    lacking = {
        "input": turn.input is MISSING and wanted.input is not MISSING,
        "output": turn.expected_output is MISSING and wanted.expected_output is not MISSING,
        "tool_calls": calls is None and bool(wanted.tool_calls),
        "node_order": nodes is None and bool(wanted.node_order),
    }
    return Expected(
        input=wanted.input if lacking["input"] else turn.input,
        output=wanted.expected_output if lacking["output"] else turn.expected_output,
        tool_calls=wanted.tool_calls if lacking["tool_calls"] else calls,
        node_order=wanted.node_order if lacking["node_order"] else nodes,
        behavior=wanted.expected_behavior,
        from_set=frozenset(part for part, lacks in lacking.items() if lacks),
        path=join.path,
    )


def criterion_of(evaluator: str, name: str, join: Join | None) -> MaybeJson:
    """Return what a check expects of this very case, from the set; MISSING where it says nothing.

    The check is found by its ref, then by its name, in any letter case.
    """
    if join is None:
        return MISSING
    folded = {key.casefold(): value for key, value in join.case.criteria.items()}
    for key in (evaluator, name):
        if key.casefold() in folded:
            return folded[key.casefold()]
    return MISSING


def _wanted(position: int, join: Join | None) -> Invocation | None:
    if join is None or position >= len(join.case.invocations):
        return None
    return join.case.invocations[position]


def _nth(names: Sequence[str]) -> list[int]:
    """Return, for every name, how often it stood before."""
    seen: dict[str, int] = defaultdict(int)
    found = []
    for name in names:
        found.append(seen[name])
        seen[name] += 1
    return found


def _shared_folders(a: str, b: str) -> int:
    left, right = a.split("/")[:-1], b.split("/")[:-1]
    shared = 0
    while shared < min(len(left), len(right)) and left[shared] == right[shared]:
        shared += 1
    return shared
