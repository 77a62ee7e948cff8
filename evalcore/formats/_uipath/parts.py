"""Reading a large result file of ``uipath eval`` some cases at a time."""

from __future__ import annotations

from evalcore.formats._uipath.result_rows import items
from evalcore.formats._uipath.results import Column, read_runs, samples
from evalcore.formats._uipath.scales import Sample, scale_of, signature
from evalcore.formats.parts import Parts
from evalcore.jsontree import JsonValue
from evalcore.results import Run


class ResultParts(Parts):
    """Reads cases once every number was seen: the scale of a column shows only in all of it.

    Of the numbers that tell the same about the scale, one is kept.
    """

    looks_first = True

    def __init__(self, format_id: str) -> None:
        super().__init__({"evaluationSetResults": None}, self._runs, counts_repeats=False)
        self._format_id = format_id
        self._seen: dict[Column, dict[tuple[bool, ...], Sample]] = {}

    def look(self, value: JsonValue) -> None:
        """Look at the numbers of some cases."""
        for column, sample in samples(items(value)):
            self._seen.setdefault(column, {}).setdefault(signature(sample), sample)

    def _runs(self, value: JsonValue) -> tuple[Run, ...]:
        scales = {column: scale_of(seen.values()) for column, seen in self._seen.items()}
        return read_runs(value, self._format_id, scales)
