"""Google ADK: eval sets, criteria files and run results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats.adk.detect import CONFIG_FILE, SET_FILE, recognise
from evalcore.formats.adk.format import AdkSchemaFormat
from evalcore.formats.base import Detection, Kind, KnownFile, Surroundings
from evalcore.formats.marks import belongs_to_another
from evalcore.formats.shapes import Report
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.parts import Parts
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator
    from evalcore.results import Run

REPORT = Report("adk", "ADK")
HARNEST_FOLDER = "evals"


class AdkFormat(AdkSchemaFormat):
    """Files of ``adk eval``, of ADK's web UI and of its pytest class."""

    id = "adk"
    label = "Google ADK"
    system = "ADK"
    known_files = (
        KnownFile(Kind.EVAL_SET, "*.evalset.json, *.test.json", "Eval set", editable=True),
        KnownFile(Kind.CRITERIA, "test_config.json, eval_config.json", "Criteria"),
        KnownFile(Kind.RESULT, ".adk/eval_history/*.evalset_result.json", "Run result"),
    )

    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Recognise files of ADK's schema; those that lie where Harnest reads are only possible."""
        claim = recognise(value, path)
        if claim is None:
            return None
        in_evals = path.parent.name == HARNEST_FOLDER and claim.kind is not Kind.RESULT
        taken = in_evals and path.name.endswith((".evalset.json", CONFIG_FILE))
        if taken and claim.variant == "odd":
            return None
        sure = claim.sure and not taken and not belongs_to_another(value, "adk", "shared")
        return Detection(
            self.id, claim.kind, "sure" if sure else "maybe", claim.reason, claim.variant
        )

    def check(
        self,
        document: JsonDocument,
        detection: Detection,
        path: PurePath,
        near: Surroundings,
    ) -> Iterable[Problem]:
        """Yield what ADK refuses and what it hides, and the problems of the JSON itself."""
        from evalcore.formats.adk.json_facts import json_problems

        yield from json_problems(document, REPORT)
        if detection.kind is Kind.EVAL_SET:
            yield from _check_set(document.value, detection.variant, path, near)
        elif detection.kind is Kind.CRITERIA:
            from evalcore.formats.adk.config_checks import check_config
            from evalcore.formats.adk.config_schema import LATEST

            yield from check_config(document.value, LATEST, path, REPORT)
            yield from _unused_config(path, near)
        elif detection.kind is Kind.RESULT:
            from evalcore.formats.adk.result_checks import check_result

            yield from check_result(document.value, REPORT)

    @property
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses of ``EvalSet`` files."""
        from evalcore.formats.adk.evalset import LENS

        return LENS

    @property
    def legacy_sets(self) -> Mapping[str, EvalSetLens]:
        """Return the lenses of ADK's old list shapes."""
        from evalcore.formats.adk.legacy import LENSES

        return LENSES

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return one evaluator per criterion."""
        from evalcore.formats.adk.evaluators import read_evaluators

        return read_evaluators(value)

    def parts(self, detection: Detection) -> Parts:
        """Return what reads a file's results some at a time."""
        from evalcore.formats.adk.result_checks import LISTS
        from evalcore.formats.parts import Parts

        return Parts(LISTS, lambda value: self.read_runs(value, detection))

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return the one run of an ``EvalSetResult``, plain or inside a text."""
        from evalcore.formats.adk.results import read_run

        return (read_run(value),)


def _unused_config(path: PurePath, near: Surroundings) -> Iterator[Problem]:
    is_seen = any(neighbour.name == path.name for neighbour in near.entries())
    sets = (*near.glob(f"*{SET_FILE[1:]}"), *near.glob("*.test.json"))
    if path.name == CONFIG_FILE and is_seen and not sets:
        message = "There is no eval set beside this file, so nothing uses its criteria."
        hint = "Put it into the folder of the sets that it is for."
        yield REPORT.problem("info", "config_unused", "", message, hint)


def _check_set(
    value: JsonValue, variant: str, path: PurePath, near: Surroundings
) -> Iterator[Problem]:
    from evalcore.formats.adk.set_checks import check_set, loads_as_empty

    if variant.startswith("legacy"):
        from evalcore.formats.adk.legacy_checks import check_legacy

        yield from check_legacy(value, variant, path, REPORT)
        return
    if loads_as_empty(value):
        yield REPORT.problem(
            "warning",
            "loads_as_empty_set",
            "",
            "The file holds nothing; ADK takes it for an old-style set without cases.",
            "Write an eval set, or delete the file.",
        )
        return
    from evalcore.formats.adk.applied import Applied
    from evalcore.formats.adk.own_traps import app_traps, own_traps
    from evalcore.formats.adk.schema import LATEST
    from evalcore.formats.adk.traps import located

    applied = Applied.beside(near)
    yield from check_set(value, LATEST, applied, REPORT)
    yield from located(own_traps(value, path, near, applied, REPORT), value)
    yield from app_traps(value, path, REPORT)


FORMAT = AdkFormat()
