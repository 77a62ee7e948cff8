"""UiPath low-code agents: eval sets and evaluators of Studio Web and ``uip agent eval``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats._uipath.recognise import LOWCODE, recognise
from evalcore.formats.base import Detection, Format, Kind, KnownFile, Surroundings
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator


class UiPathLowCodeFormat(Format):
    """Files of low-code agents. The coded agents' SDK calls them legacy, and can run them too."""

    id = LOWCODE
    label = "UiPath low-code agent"
    system = "UiPath"
    known_files = (
        KnownFile(Kind.EVAL_SET, "evals/eval-sets/*.json", "Eval set", editable=True),
        KnownFile(Kind.EVALUATOR, "evals/evaluators/*.json", "Evaluator"),
        KnownFile(Kind.PROJECT, "agent.json, entry-points.json, project.uiproj", "Project"),
    )
    file_names = ("project.uiproj",)

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Recognise a file by its keys, and by its folder where they leave it open."""
        found = recognise(value, path)
        return found if found is not None and found.format_id == self.id else None

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

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of low-code eval sets."""
        from evalcore.formats.uipath_lowcode.evalset import LENS

        return LENS

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        """Return the evaluator files of a set's project."""
        from evalcore.formats._uipath.evaluator_view import evaluator_files

        return evaluator_files(near)

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return the evaluator of an evaluator file."""
        from evalcore.formats._uipath.evaluators import read_evaluators

        return read_evaluators(value)


FORMAT = UiPathLowCodeFormat()
