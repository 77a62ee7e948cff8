"""How a result file that is too large to be read at once is read some results at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.results import Run

Lists: TypeAlias = "Mapping[str, Lists | None]"
"""Members whose lists can be cut, by name: None where the items are results, else what can be cut
of each item."""


class Parts:
    """The reader of one file. It is given the file's value with only some of the results in it.

    ``lists`` says where results lie; a file with two such lists in one object is read as a whole.
    ``counts_repeats`` says that results of one case are numbered in the order of the file.
    """

    looks_first = False
    """Whether all parts have to be looked at before any of them can be read."""

    def __init__(
        self,
        lists: Lists,
        read: Callable[[JsonValue], tuple[Run, ...]],
        *,
        counts_repeats: bool = True,
    ) -> None:
        self.lists = lists
        self.counts_repeats = counts_repeats
        self._read = read

    def look(self, value: JsonValue) -> None:
        """Look at a part for what holds of the whole file."""

    def read(self, value: JsonValue) -> tuple[Run, ...]:
        """Return the runs of a part."""
        return self._read(value)
