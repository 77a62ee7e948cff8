"""UiPath low-code agents: eval sets and evaluators of Studio Web and ``uip agent eval``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evalcore.formats._uipath.format import UiPathFormat
from evalcore.formats._uipath.recognise import LOWCODE
from evalcore.formats.base import Kind, KnownFile

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens


class UiPathLowCodeFormat(UiPathFormat):
    """Files of low-code agents. The coded agents' SDK calls them legacy, and can run them too."""

    id = LOWCODE
    label = "UiPath low-code agent"
    known_files = (
        KnownFile(Kind.EVAL_SET, "evals/eval-sets/*.json", "Eval set", editable=True),
        KnownFile(Kind.EVALUATOR, "evals/evaluators/*.json", "Evaluator"),
        KnownFile(Kind.PROJECT, "agent.json, entry-points.json, project.uiproj", "Project"),
    )
    file_names = ("project.uiproj",)

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of low-code eval sets."""
        from evalcore.formats.uipath_lowcode.evalset import LENS

        return LENS


FORMAT = UiPathLowCodeFormat()
