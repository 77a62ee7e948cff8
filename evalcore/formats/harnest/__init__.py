"""Harnest: ADK's eval sets and criteria in a folder ``evals/``, under rules of its own.

The folder and its rules follow Harnest 1.1 on ADK 2.8. A file of ADK's schema that does not lie
directly in a folder of that name is not Harnest's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats.adk.detect import recognise
from evalcore.formats.base import Detection, Format, Kind, KnownFile, Surroundings
from evalcore.formats.harnest.folder import CONFIG, FOLDER, SUFFIX
from evalcore.jsontree import MISSING, JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator
    from evalcore.results import Run


class HarnestFormat(Format):
    """Files of ``harnest test --evals``."""

    id = "harnest"
    label = "Harnest"
    system = "Harnest"
    known_files = (
        KnownFile(Kind.EVAL_SET, "evals/*.evalset.json", "Eval set", editable=True),
        KnownFile(Kind.CRITERIA, "evals/test_config.json", "Criteria of all sets in the folder"),
        KnownFile(Kind.RESULT, "the file given to --eval-output", "Run result"),
    )

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Recognise sets and criteria by their folder, results by their kind."""
        if isinstance(value, dict) and value.get("kind") == "EvalRunResult":
            return Detection(self.id, Kind.RESULT, "sure", "its kind is EvalRunResult")
        if isinstance(value, dict) and "evalSetResults" in value:
            return Detection(self.id, Kind.RESULT, "maybe", "it has evalSetResults")
        claim = recognise(value, path)
        if claim is None or path.parent.name != FOLDER:
            return None
        if claim.kind is Kind.EVAL_SET and path.name.endswith(SUFFIX):
            reason = f"it lies in {FOLDER}/ and its name ends in {SUFFIX}"
            return Detection(self.id, Kind.EVAL_SET, "sure", reason, claim.variant)
        if claim.kind is Kind.CRITERIA and path.name in (CONFIG, f"_{CONFIG}"):
            return Detection(self.id, Kind.CRITERIA, "sure", f"it is {FOLDER}/{path.name}")
        return None

    def check(
        self,
        document: JsonDocument,
        detection: Detection,
        path: PurePath,
        near: Surroundings,
    ) -> Iterable[Problem]:
        """Yield what stops the compiler, in the order in which it looks, then what hides."""
        if detection.kind is Kind.RESULT:
            from evalcore.formats.harnest.result_checks import check_results

            return (*document.problems, *check_results(document.value))
        from evalcore.formats.harnest.checks import check_file

        return check_file(document, detection, path, near)

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of eval sets: ADK's."""
        from evalcore.formats.harnest.evalset import LENS

        return LENS

    def lens_for(self, detection: Detection) -> EvalSetLens:
        """Return the lenses of sets, or of ADK's old list shapes, which Harnest refuses."""
        if detection.variant.startswith("legacy"):
            from evalcore.formats.harnest.evalset import LEGACY_LENSES

            return LEGACY_LENSES[detection.variant]
        return self.eval_sets

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        """Return the folder's ``test_config.json`` if there is one."""
        return (CONFIG,) if near.value(CONFIG) is not MISSING else ()

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return one evaluator per criterion, as the default trajectory policy runs it."""
        from evalcore.formats.adk.evaluators import Defaults, read_evaluators

        return read_evaluators(value, Defaults("the project's model", match="IN_ORDER"))

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return one run per eval set of an ``EvalRunResult``."""
        from evalcore.formats.harnest.results import read_runs

        return read_runs(value)


FORMAT = HarnestFormat()
