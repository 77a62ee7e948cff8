"""An evaluator file as the checks see it, and which of them lie around a set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalcore.formats._uipath.kinds import CODED_KINDS, CodedKind, LegacyKind, legacy_kind
from evalcore.formats._uipath.paths import WHOLE, target_keys
from evalcore.formats.base import Surroundings
from evalcore.formats.lenses import At, key
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

BESIDE_SETS = "../evaluators/*.json"
"""Where ``uipath eval`` looks for evaluators, from the folder of the eval set."""

_AROUND = (
    BESIDE_SETS,
    "evaluations/evaluators/*.json",
    "evals/evaluators/*.json",
    "../evaluations/evaluators/*.json",
    "../evals/evaluators/*.json",
)

_TARGET = At(key("target_output_key", first="camel"))
_DEFAULT = At(key("default_evaluation_criteria", first="camel"))
_LINES = At(key("line_by_line_evaluator", first="camel"))


def evaluator_files(near: Surroundings) -> Sequence[str]:
    """Return the evaluator files of the project that a set or a result lies in."""
    found = (near.glob(pattern) for pattern in _AROUND)
    return next((files for files in found if files), ())


@dataclass(frozen=True, slots=True)
class EvaluatorView:
    """One evaluator file; ``data`` is its object."""

    data: JsonObject
    path: str = ""

    @property
    def id(self) -> str:
        """The id that sets refer to, "" if it is no text."""
        return _text(self.data.get("id"))

    @property
    def is_coded(self) -> bool:
        """Whether UiPath reads the file as a coded evaluator."""
        return self.data.get("version") == "1.0"

    @property
    def is_custom(self) -> bool:
        """Whether the evaluator is a Python class of the project."""
        return self.is_coded and _text(self.data.get("evaluatorSchema")).startswith("file://")

    @property
    def type_id(self) -> str:
        """The ``evaluatorTypeId``, "" if it is no text."""
        return _text(self.data.get("evaluatorTypeId"))

    @property
    def coded(self) -> CodedKind | None:
        """What kind of coded evaluator it is, None for custom, unknown and low-code ones."""
        if not self.is_coded or self.is_custom:
            return None
        return CODED_KINDS.get(self.type_id)

    @property
    def legacy(self) -> LegacyKind | None:
        """What kind of low-code evaluator it is, None for unknown and coded ones."""
        if self.is_coded:
            return None
        return legacy_kind(self.data.get("category"), self.data.get("type"))

    @property
    def config(self) -> JsonObject:
        """The object of its settings: ``evaluatorConfig``, for a low-code one the whole file."""
        found = self.data.get("evaluatorConfig") if self.is_coded else self.data
        return found if isinstance(found, dict) else {}

    @property
    def name(self) -> str:
        """The name that results show: the file's own, then its settings', then its id."""
        own, inner = _text(self.data.get("name")), _text(self.config.get("name"))
        return own or inner or self.id

    @property
    def target_keys(self) -> list[str]:
        """The paths into the output that it looks at."""
        return target_keys(_TARGET.get(self.config))

    @property
    def target_key(self) -> str:
        """The first of these paths, "*" if there is none."""
        return next(iter(self.target_keys), WHOLE)

    @property
    def default_criteria(self) -> JsonValue | Missing:
        """What it expects where a case says nothing."""
        return _DEFAULT.get(self.config) if self.is_coded else MISSING

    @property
    def by_lines(self) -> bool:
        """Whether it scores line by line."""
        found = _LINES.get(self.config) if self.is_coded else self.data.get("lineByLineEvaluation")
        return is_on(found)

    @property
    def file_name(self) -> str:
        """The name of the file."""
        return PurePosixPath(self.path).name


def is_on(value: JsonValue | Missing) -> bool:
    """Return whether UiPath takes a flag for true: 1 and words such as "yes" count as well."""
    if isinstance(value, str):
        return value.lower() in ("true", "t", "yes", "y", "on", "1")
    return value == 1


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
