"""10xGraph (formerly Agentflow): eval sets, eval configs and run reports."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import FormatError, Problem
from evalcore.formats.base import Detection, Format, Kind, KnownFile, Surroundings
from evalcore.formats.tenxgraph.recognise import FORMAT_ID, recognise
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.fixes import Fixer
    from evalcore.formats.outlines import Outline
    from evalcore.formats.parts import Parts
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator
    from evalcore.results import Run


class TenxGraphFormat(Format):
    """Files of ``tenxgraph.qa.evaluation`` and of the ``10xgraph`` command."""

    id = FORMAT_ID
    label = "10xGraph"
    system = "10xGraph"
    known_files = (
        KnownFile(Kind.EVAL_SET, "*.evalset.json", "Eval set", editable=True),
        KnownFile(Kind.CRITERIA, "eval_config.json", "Eval config"),
        KnownFile(Kind.RESULT, "eval_reports/*.json", "Run report"),
        KnownFile(Kind.PROJECT, "10xgraph.json, agentflow.json", "Project"),
    )
    hallmarks = (
        "expected_tool_trajectory",
        "expected_final_response",
        "expected_node_order",
        "criterion_results",
        "config_used",
    )

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Recognise eval sets, configs and reports by their keys, project files by their name."""
        return recognise(value, path)

    def check(
        self,
        document: JsonDocument,
        detection: Detection,
        path: PurePath,
        near: Surroundings,
    ) -> Iterable[Problem]:
        """Return what 10xGraph's loader refuses, then what a run of the file hides."""
        from evalcore.formats.tenxgraph.checks import problems_of

        return problems_of(document, detection)

    @property
    def fixes(self) -> Mapping[str, Fixer]:
        """Return what mends problems of 10xGraph's files."""
        from evalcore.formats.tenxgraph.fixes import FIXES

        return FIXES

    def outlines(self, value: JsonValue, detection: Detection) -> Iterable[Outline]:
        """Return the cases of a set in outline."""
        from evalcore.formats.tenxgraph.outlines import outlines

        return outlines(value)

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of ``EvalSet`` files."""
        from evalcore.formats.tenxgraph.evalset import LENS

        return LENS

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return the criteria of an ``EvalConfig``."""
        if detection.kind is not Kind.CRITERIA:
            raise FormatError("Only 10xGraph's config files hold criteria")
        from evalcore.formats.tenxgraph.evaluators import read_evaluators

        return read_evaluators(value)

    def parts(self, detection: Detection) -> Parts:
        """Return what reads a file's results some at a time."""
        from evalcore.formats.parts import Parts
        from evalcore.formats.tenxgraph.report_facts import LISTS

        return Parts(LISTS, lambda value: self.read_runs(value, detection))

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return the one run of an ``EvalReport``."""
        if detection.kind is not Kind.RESULT:
            raise FormatError("Only 10xGraph's reports hold runs")
        from evalcore.formats.tenxgraph.results import read_run

        return (read_run(value),)


FORMAT = TenxGraphFormat()
