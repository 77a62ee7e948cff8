"""What the formats of coded and of low-code agents have in common: all but the lenses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats._uipath.recognise import recognise
from evalcore.formats.base import Detection, Format, Surroundings
from evalcore.jsontree import JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.fixes import Fixer
    from evalcore.formats.outlines import Outline
    from evalcore.formats.steps import Step
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator


class UiPathFormat(Format):
    """Files of a UiPath project; ``recognise`` says which of the two formats one belongs to."""

    system = "UiPath"

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Recognise a file by its keys, and by its folder where they leave it open."""
        found = recognise(value, path)
        return found if found is not None and found.format_id == self.id else None

    def steps(self, trace: JsonValue | Missing) -> Iterable[Step]:
        """Yield the spans of a run."""
        from evalcore.formats._uipath.steps import steps_of

        return steps_of(trace)

    def check(
        self,
        document: JsonDocument,
        detection: Detection,
        path: PurePath,
        near: Surroundings,
    ) -> Iterable[Problem]:
        """Yield what UiPath refuses, then what it hides."""
        from evalcore.formats._uipath.checks import check_file

        return check_file(document, detection, path, near)

    def outlines(self, value: JsonValue, detection: Detection) -> Iterable[Outline]:
        """Return the cases of a set in outline."""
        from evalcore.formats._uipath.outlines import outlines

        return outlines(value, detection)

    @property
    def fixes(self) -> Mapping[str, Fixer]:
        """Return what mends problems of UiPath's files."""
        from evalcore.formats._uipath.fixes import FIXES

        return FIXES

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        """Return the evaluator files of a set's project, or of the project around a result."""
        from evalcore.formats._uipath.evaluator_view import evaluator_files

        return evaluator_files(near)

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return the evaluator of an evaluator file."""
        from evalcore.formats._uipath.evaluators import read_evaluators

        return read_evaluators(value)
