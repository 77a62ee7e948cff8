"""What the formats of ADK's schema have in common: lenses by shape, criteria beside a set."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.formats.adk.detect import CONFIG_FILE
from evalcore.formats.base import Detection, Format, Surroundings
from evalcore.jsontree import MISSING, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.fixes import Fixer
    from evalcore.formats.outlines import Outline
    from evalcore.formats.steps import Step


class AdkSchemaFormat(Format):
    """Files in ADK's schema, of which sets may be in one of two old list shapes."""

    @property
    @abstractmethod
    def legacy_sets(self) -> Mapping[str, EvalSetLens]:
        """Return the lenses of the old list shapes, by the variant that ``recognise`` names."""

    def lens_for(self, detection: Detection) -> EvalSetLens:
        """Return the lenses of new-style sets, or of one of the two old list shapes."""
        if detection.variant.startswith("legacy"):
            return self.legacy_sets[detection.variant]
        return self.eval_sets

    def steps(self, trace: JsonValue | Missing) -> Iterable[Step]:
        """Yield the events of an invocation."""
        from evalcore.formats.adk.steps import steps_of

        return steps_of(trace)

    def outlines(self, value: JsonValue, detection: Detection) -> Iterable[Outline]:
        """Return the cases of a set in outline; of the old list shapes nothing."""
        from evalcore.formats.adk.outlines import outlines

        return () if detection.variant.startswith("legacy") else outlines(value)

    @property
    def fixes(self) -> Mapping[str, Fixer]:
        """Return what mends problems of files in ADK's schema."""
        from evalcore.formats.adk.fixes import FIXES

        return FIXES

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        """Return ``test_config.json`` if it lies beside the set."""
        return (CONFIG_FILE,) if near.value(CONFIG_FILE) is not MISSING else ()
