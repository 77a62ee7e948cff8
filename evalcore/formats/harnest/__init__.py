"""Harnest: ADK's eval sets and criteria in a folder ``evals/``, under rules of its own.

The folder and its rules follow Harnest 1.1 on ADK 2.8. A file of ADK's schema that does not lie
directly in a folder of that name is not Harnest's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from evalcore.errors import Problem
from evalcore.formats.adk.detect import family_of_config, recognise
from evalcore.formats.adk.format import AdkSchemaFormat
from evalcore.formats.base import Detection, Kind, KnownFile, Surroundings
from evalcore.formats.harnest.folder import CONFIG, FOLDER, SUFFIX
from evalcore.formats.marks import SET_KEYS, belongs_to_another
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.parts import Parts
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator
    from evalcore.results import Run


class HarnestFormat(AdkSchemaFormat):
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
        found = self._recognised(value, path)
        foreign = found is not None and belongs_to_another(value, "harnest", "shared")
        return replace(found, confidence="maybe") if found and foreign else found

    def _recognised(self, value: JsonValue, path: PurePath) -> Detection | None:
        if isinstance(value, dict) and value.get("kind") == "EvalRunResult":
            own: Literal["sure", "maybe"] = "maybe" if "results" in value else "sure"
            return Detection(self.id, Kind.RESULT, own, "its kind is EvalRunResult")
        if isinstance(value, dict) and "evalSetResults" in value:
            return Detection(self.id, Kind.RESULT, "maybe", "it has evalSetResults")
        if path.parent.name != FOLDER:
            return None
        claim = recognise(value, path)
        if claim and claim.kind is Kind.EVAL_SET and path.name.endswith(SUFFIX):
            reason = f"it lies in {FOLDER}/ and its name ends in {SUFFIX}"
            strange = claim.variant == "odd" and isinstance(value, dict) and bool(value)
            confidence: Literal["sure", "maybe"] = "maybe" if strange else "sure"
            return Detection(self.id, Kind.EVAL_SET, confidence, reason, claim.variant)
        family = family_of_config(value) if isinstance(value, dict) else "open"
        if path.name not in (CONFIG, f"_{CONFIG}") or family == "other":
            return None
        is_config = claim is not None and claim.kind is Kind.CRITERIA and family != "both"
        is_config = is_config and not (isinstance(value, dict) and SET_KEYS & value.keys())
        confidence = "sure" if is_config else "maybe"
        return Detection(self.id, Kind.CRITERIA, confidence, f"it is {FOLDER}/{path.name}")

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

    @property
    def legacy_sets(self) -> Mapping[str, EvalSetLens]:
        """Return the lenses of ADK's old list shapes, which Harnest refuses."""
        from evalcore.formats.harnest.evalset import LEGACY_LENSES

        return LEGACY_LENSES

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return one evaluator per criterion, as the default trajectory policy runs it."""
        from evalcore.formats.adk.evaluators import Defaults, read_evaluators

        return read_evaluators(value, Defaults("the project's model", match="IN_ORDER"))

    def parts(self, detection: Detection) -> Parts:
        """Return what reads a file's results some at a time."""
        from evalcore.formats.harnest.result_checks import LISTS
        from evalcore.formats.parts import Parts

        return Parts(LISTS, lambda value: self.read_runs(value, detection))

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return one run per eval set of an ``EvalRunResult``."""
        from evalcore.formats.harnest.results import read_runs

        return read_runs(value)


FORMAT = HarnestFormat()
