"""Harnest's eval sets: ADK's lenses under Harnest's name."""

from __future__ import annotations

from evalcore.formats.adk.evalset import AdkEvalSets
from evalcore.formats.adk.legacy import lenses
from evalcore.formats.harnest.folder import SUFFIX
from evalcore.jsontree import JsonValue


class HarnestEvalSets(AdkEvalSets):
    """Sets as Harnest's playground and its users write them."""

    format_id = "harnest"

    def as_new_file(self, value: JsonValue, file_name: str, *, is_copy: bool) -> JsonValue:
        """Return the set with the file's name as its id: Harnest wants them equal, always."""
        stem = file_name.lstrip("._").removesuffix(SUFFIX)
        return super().as_new_file(value, stem, is_copy=True)


LENS = HarnestEvalSets()
LEGACY_LENSES = lenses("harnest")
