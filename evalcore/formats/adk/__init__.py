"""Google ADK: eval sets, ``test_config.json`` and run results."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats.base import Detection, Format, Kind, KnownFile, Surroundings
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsondoc import JsonDocument


class AdkFormat(Format):
    """Files of ``adk eval`` and of ADK's web UI."""

    id = "adk"
    label = "Google ADK"
    system = "ADK"
    known_files = (
        KnownFile(Kind.EVAL_SET, "*.evalset.json, *.test.json", "Eval set", editable=True),
    )

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Recognise eval sets by their keys."""
        if isinstance(value, dict) and ("eval_cases" in value or "evalCases" in value):
            return Detection(self.id, Kind.EVAL_SET, "maybe", "it has eval_cases")
        return None

    def check(
        self,
        document: JsonDocument,
        detection: Detection,
        path: PurePath,
        near: Surroundings,
    ) -> Iterable[Problem]:
        """Return the document's own problems."""
        return document.problems

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of ``EvalSet`` files."""
        from evalcore.formats.adk.evalset import LENS

        return LENS


FORMAT = AdkFormat()
