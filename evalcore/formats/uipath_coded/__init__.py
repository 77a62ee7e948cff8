"""UiPath coded agents: eval sets, evaluators and results of ``uipath eval``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evalcore.formats._uipath.format import UiPathFormat
from evalcore.formats._uipath.recognise import CODED
from evalcore.formats.base import Detection, Kind, KnownFile
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.parts import Parts
    from evalcore.model import Evaluator
    from evalcore.results import Run


class UiPathCodedFormat(UiPathFormat):
    """Files of ``uipath eval``; Maestro Flow and API workflow sets have the same frame."""

    id = CODED
    label = "UiPath coded agent"
    known_files = (
        KnownFile(Kind.EVAL_SET, "evaluations/eval-sets/*.json", "Eval set", editable=True),
        KnownFile(Kind.EVALUATOR, "evaluations/evaluators/*.json", "Evaluator"),
        KnownFile(Kind.RESULT, "the --output-file of uipath eval", "Run results"),
        KnownFile(Kind.PROJECT, "entry-points.json, uipath.json, simulation.json", "Project"),
    )

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of coded eval sets."""
        from evalcore.formats.uipath_coded.evalset import LENS

        return LENS

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return the run in a result file."""
        from evalcore.formats._uipath.results import read_runs

        return read_runs(value, self.id)

    def parts(self, detection: Detection) -> Parts:
        """Return what reads a file's results some at a time, once all numbers were looked at."""
        from evalcore.formats._uipath.parts import ResultParts

        return ResultParts(self.id)

    def with_evaluators(self, run: Run, evaluators: Sequence[Evaluator]) -> Run:
        """Return a run on the scales of its evaluators: coded ones 0–1, low-code ones 0–100."""
        from evalcore.formats._uipath.results import with_evaluators

        return with_evaluators(run, evaluators)


FORMAT = UiPathCodedFormat()
