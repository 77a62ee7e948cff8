"""Finding sets by what their cases say, without reading a file twice."""

from __future__ import annotations

from collections.abc import Iterable
from threading import RLock
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue, leaves

if TYPE_CHECKING:
    from evalcore.workspace import Entry, Workspace

LARGEST = 5_000_000
"""Bytes from which a set is found by its name only."""
KEPT = 64_000_000
"""Characters of text kept in memory over all sets."""


class TextIndex:
    """The texts of a workspace's sets, read when first searched and again when a file changed."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._lock = RLock()
        self._texts: dict[str, tuple[int, int, str]] = {}
        self._kept = 0

    def holding(self, entries: Iterable[Entry], text: str) -> frozenset[str]:
        """Return the paths of the sets in which some text contains ``text``, whatever its case."""
        needle = text.casefold().strip()
        if not needle:
            return frozenset()
        return frozenset(e.path for e in entries if e.error is None and needle in self._text(e))

    def _text(self, entry: Entry) -> str:
        with self._lock:
            known = self._texts.get(entry.path)
            if known is not None and known[:2] == (entry.modified_ns, entry.size):
                return known[2]
            text = self._read(entry)
            self._kept += len(text) - (len(known[2]) if known else 0)
            if self._kept > KEPT:
                self._texts.clear()
                self._kept = len(text)
            self._texts[entry.path] = (entry.modified_ns, entry.size, text)
            return text

    def _read(self, entry: Entry) -> str:
        if entry.size > LARGEST:
            return ""
        try:
            value = self._workspace.open(entry.path).document.value
        except EvaldeskError:
            return ""
        return _texts_of(value)


def _texts_of(value: JsonValue) -> str:
    return "\n".join(v for _, v in leaves(value) if isinstance(v, str)).casefold()
