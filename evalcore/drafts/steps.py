"""The steps of a draft: what was done, what was undone, and the tree in between.

A record says one thing that happened; the same records always lead to the same steps, so a draft
can be read back from those that were written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from evalcore.drafts.delta import Delta, delta, patched
from evalcore.jsontree import JsonValue, same

MAX_STEPS = 500
Record = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One edit in the past (``tree`` is what was before it) or undone (what came after it).

    ``change`` leads from the tree before it to the one after; None where it must be found again.
    ``at`` is when it was begun, in seconds since 1970.
    """

    label: str
    tree: JsonValue
    change: Delta | None = None
    at: float = 0.0


class Steps:
    """A tree with its past and its future. Trees are immutable and share what did not change."""

    def __init__(self, tree: JsonValue) -> None:
        self.tree = tree
        self.past: list[Step] = []
        self.future: list[Step] = []

    def do(self, label: str, tree: JsonValue, change: Delta | None, at: float) -> None:
        """Go on to a tree as a new step; what was undone is gone then."""
        self.past.append(Step(label, self.tree, change, at))
        del self.past[:-MAX_STEPS]
        self.future.clear()
        self.tree = tree

    def go_on(self, tree: JsonValue) -> bool:
        """Go on to a tree within the last step; returns False if that leaves nothing of it."""
        last = self.past[-1]
        self.past[-1] = Step(last.label, last.tree, None, last.at)
        self.future.clear()
        self.tree = tree
        if same(last.tree, tree):
            self.past.pop()
            return False
        return True

    def takes(self, tree: JsonValue) -> bool:
        """Return whether a tree can be gone on to within the last step, if there is one.

        It can where it only writes on a text, or takes back all that the step did.
        """
        if not self.past:
            return False
        return _is_same_writing(self.tree, tree) or same(self.past[-1].tree, tree)

    def travel(self, steps: int) -> list[str]:
        """Do some steps again, or undo some if negative; returns their labels as they went by.

        Ends early where no steps are left.
        """
        source, target = (self.future, self.past) if steps > 0 else (self.past, self.future)
        labels = []
        for _ in range(min(abs(steps), len(source))):
            step = source.pop()
            target.append(Step(step.label, self.tree, step.change, step.at))
            self.tree = step.tree
            labels.append(step.label)
        return labels

    def land(self, tree: JsonValue) -> None:
        """Take another tree for the current one, between what is past and what was undone."""
        self.tree = tree
        for steps in (self.past, self.future):
            if steps:
                steps[-1] = Step(steps[-1].label, steps[-1].tree, None, steps[-1].at)

    def followed(self, records: Iterable[Record]) -> Steps:
        """Return these steps and what ``records`` say was done after them; raises as ``replay``."""
        further = Steps(self.tree)
        further.past, further.future = list(self.past), list(self.future)
        further.replay(records)
        return further

    def take(self, other: Steps) -> None:
        """Become the same as other steps."""
        self.tree, self.past, self.future = other.tree, other.past, other.future

    def replay(self, records: Iterable[Record]) -> None:
        """Do what records say, one after the other.

        Raises LookupError, TypeError or ValueError where they were written of other steps.
        """
        for record in records:
            if "do" in record:
                change = record["d"]
                self.do(str(record["do"]), patched(self.tree, change), change, float(record["at"]))
            elif "on" in record:
                self.go_on(patched(self.tree, record["d"]))
            elif "go" in record:
                if len(self.travel(int(record["go"]))) != abs(int(record["go"])):
                    raise ValueError("more steps than there are")
            elif "start" in record:
                self.tree = patched(self.tree, record["start"])
                self.past, self.future = [], []
            else:
                raise ValueError(f"an unknown record: {sorted(record)}")

    def records(self, base: JsonValue) -> Iterator[Record]:
        """Yield as few records as lead from ``base`` to all these steps."""
        first = self.past[0].tree if self.past else self.tree
        start = delta(base, first)
        if start is not None:
            yield {"start": start}
        trees = [step.tree for step in (*self.past, *reversed(self.future))]
        # The tree before each step, then the current one, then what comes after each undone step.
        trees.insert(len(self.past), self.tree)
        steps = (*self.past, *reversed(self.future))
        for step, before, after in zip(steps, trees, trees[1:], strict=False):
            change = delta(before, after) if step.change is None else step.change
            yield {"do": step.label, "d": change, "at": step.at}
        if self.future:
            yield {"go": -len(self.future)}


def _is_same_writing(old: JsonValue, new: JsonValue) -> bool:
    """Return whether an edit goes on with what was typed before it.

    A text arrives in parts while it is typed, each much like the one before. A text that has little
    of the old one was typed after the field had been left and entered again.
    """
    texts = _changed_text(old, new)
    if texts is None:
        return True
    before, after = sorted(texts, key=len)
    head = _shared(before, after)
    kept = head + _shared(before[head:][::-1], after[head:][::-1])
    return kept * 2 >= len(before)


def _shared(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _changed_text(old: JsonValue, new: JsonValue) -> tuple[str, str] | None:
    """Return the one text in which two trees differ, None where they differ in anything else."""
    while True:
        if isinstance(old, str) and isinstance(new, str):
            return old, new
        pairs: list[tuple[JsonValue, JsonValue]]
        if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
            pairs = [(old[key], new[key]) for key in old]
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            pairs = list(zip(old, new, strict=True))
        else:
            return None
        differing = [(a, b) for a, b in pairs if a is not b and not same(a, b)]
        if len(differing) != 1:
            return None
        old, new = differing[0]
