"""Cases in outline: what the agent is given and what is expected, for rules that compare cases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from evalcore.jsontree import JsonValue


@dataclass(frozen=True, slots=True)
class Placed:
    """A value and the pointer of its place in the file."""

    pointer: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn, or a case without turns: what is given, and by name what is expected in return.

    ``partial`` names expectations of which one answer may meet several, such as words to contain.
    """

    given: tuple[Placed, ...]
    expected: Mapping[str, Placed] = field(default_factory=dict)
    partial: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Outline:
    """One case. ``around`` is what every exchange of it starts from: session, mocks, scenario."""

    pointer: str
    label: str
    exchanges: tuple[Exchange, ...]
    around: tuple[Placed, ...] = ()

    @property
    def given(self) -> Iterator[Placed]:
        """All that is given, in order."""
        for exchange in self.exchanges:
            yield from exchange.given
        yield from self.around

    @property
    def partial(self) -> frozenset[str]:
        """The names in ``expected`` of which one answer may meet several."""
        numbered = enumerate(self.exchanges)
        return frozenset(f"{number} {name}" for number, e in numbered for name in e.partial)

    @property
    def expected(self) -> dict[str, Placed]:
        """All that is expected, by the number of the exchange and its name there."""
        return {
            f"{number} {name}": placed
            for number, exchange in enumerate(self.exchanges)
            for name, placed in exchange.expected.items()
        }
