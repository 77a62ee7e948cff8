"""UiPath coded agents: eval sets, evaluators and results of ``uipath eval``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats._uipath.recognise import CODED, recognise
from evalcore.formats.base import Detection, Format, Kind, KnownFile, Surroundings
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator
    from evalcore.results import Run


class UiPathCodedFormat(Format):
    """Files of ``uipath eval``; Maestro Flow and API workflow sets have the same frame."""

    id = CODED
    label = "UiPath coded agent"
    system = "UiPath"
    known_files = (
        KnownFile(Kind.EVAL_SET, "evaluations/eval-sets/*.json", "Eval set", editable=True),
        KnownFile(Kind.EVALUATOR, "evaluations/evaluators/*.json", "Evaluator"),
        KnownFile(Kind.RESULT, "the --output-file of uipath eval", "Run results"),
        KnownFile(Kind.PROJECT, "entry-points.json, uipath.json, simulation.json", "Project"),
    )

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
        """Return the lenses of coded eval sets."""
        from evalcore.formats.uipath_coded.evalset import LENS

        return LENS

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        """Return the evaluator files of a set's project, or of the project around a result."""
        from evalcore.formats._uipath.evaluator_view import evaluator_files

        return evaluator_files(near)

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return the evaluator of an evaluator file."""
        from evalcore.formats._uipath.evaluators import read_evaluators

        return read_evaluators(value)

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return the run in a result file."""
        from evalcore.formats._uipath.results import read_runs

        return read_runs(value, self.id)

    def with_evaluators(self, run: Run, evaluators: Sequence[Evaluator]) -> Run:
        """Return a run on the scales of its evaluators: coded ones 0–1, low-code ones 0–100."""
        from evalcore.formats._uipath.results import with_evaluators

        return with_evaluators(run, evaluators)


FORMAT = UiPathCodedFormat()
