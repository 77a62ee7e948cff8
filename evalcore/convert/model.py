"""What becomes of a set when it is converted: the new tree, and the fate of each old value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from evalcore.formats.base import Alone, Detection, Format, Surroundings
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.model import Evaluator

Status = Literal["kept", "changed", "carried", "lost", "spare"]
"""``kept``: the same value is in the new file, at ``Fate.target``. ``changed``: it is there in
another form. ``carried``: no field takes it, and it is kept beside them. ``lost``: it is not in the
new file. ``spare``: it is not there either, and says nothing that the new file needs.
"""
STATUSES: tuple[Status, ...] = ("lost", "changed", "carried", "spare", "kept")
EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class Options:
    """How to convert: each turn as a case of its own, and values without a place beside the rest.

    ``split_turns`` matters where a case of the target has one turn.
    """

    split_turns: bool = False
    carry: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """The set to convert, and the evaluators that score it now."""

    format: Format
    detection: Detection
    value: JsonValue
    evaluators: Sequence[Evaluator] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """Where the new set goes: its format, its path as formats see it, and what lies around it.

    ``evaluators`` are those that its place offers already, whose criteria can be written.
    """

    format: Format
    path: PurePath
    near: Surroundings = field(default_factory=Alone)
    evaluators: Sequence[Evaluator] = ()


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one leaf of the source.

    ``title`` is what people call the part that it belongs to, ``name`` its place in that part.
    ``why`` is how it was changed or why it is not kept, ``hint`` what to do about it. ``case`` is
    the label of its case, "" for the set's own values. ``target`` is the pointer in the new file,
    None where it is not there. ``rank`` is smaller for what matters more to people.
    """

    pointer: str
    value: JsonValue
    status: Status
    title: str
    name: str = ""
    why: str = ""
    hint: str = ""
    case: str = ""
    target: str | None = None
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """All leaves of one part that went the same way for the same reason."""

    status: Status
    title: str
    why: str
    hint: str
    fates: tuple[Fate, ...]

    @property
    def cases(self) -> int:
        """Return how many cases they are in."""
        return len({f.case for f in self.fates if f.case})

    @property
    def examples(self) -> tuple[Fate, ...]:
        """Return a few of them, from different cases where there are some."""
        first = {f.case: f for f in reversed(self.fates)}
        spread = [f for f in self.fates if first[f.case] is f]
        return tuple(spread[:EXAMPLES])


@dataclass(frozen=True, slots=True)
class Report:
    """The fate of every leaf of the source, in the order of the file.

    ``checks`` are the evaluators of the source, none of which is converted; ``checks_hint`` says
    where the target's own are made.
    """

    source: str
    target: str
    cases_before: int
    cases_after: int
    fates: tuple[Fate, ...]
    checks: tuple[str, ...] = ()
    checks_hint: str = ""

    @property
    def is_lossy(self) -> bool:
        """Return whether anything is lost."""
        return any(f.status == "lost" for f in self.fates)

    @property
    def counts(self) -> Counter[Status]:
        """Return how many leaves there are of each status."""
        return Counter(f.status for f in self.fates)

    def groups(self, *statuses: Status) -> list[Group]:
        """Return the leaves by part and reason: what is lost and what matters most first."""
        found: dict[tuple[Status, str, str, str], list[Fate]] = {}
        for fate in self.fates:
            if fate.status in statuses:
                key = (fate.status, fate.title, fate.why, fate.hint)
                found.setdefault(key, []).append(fate)
        groups = [Group(*key, tuple(fates)) for key, fates in found.items()]
        return sorted(groups, key=lambda g: (STATUSES.index(g.status), g.fates[0].rank))

    def __iter__(self) -> Iterator[Fate]:
        """Iterate over the fates."""
        return iter(self.fates)


@dataclass(frozen=True, slots=True)
class Conversion:
    """A converted set, not yet written anywhere."""

    value: JsonValue
    report: Report
