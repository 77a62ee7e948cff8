"""An eval set as the checks see it: its cases, the evaluators beside it, its agent's schemas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from evalcore.errors import Problem, Severity
from evalcore.formats._uipath.entry_points import EntryPoints, entry_points
from evalcore.formats._uipath.evaluator_view import BESIDE_SETS, EvaluatorView
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.recognise import CODED
from evalcore.formats._uipath.refs import listed, ref_of
from evalcore.formats.base import Detection, Surroundings
from evalcore.formats.lenses import Key, key
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join


def camel(snake: str) -> Key:
    """Return a key that both spellings name, of which UiPath reads camelCase first."""
    return key(snake, first="camel")


CRITERIA = camel("evaluation_criterias")
EXPECTED_OUTPUT = camel("expected_output")
EXPECTED_BEHAVIOR = camel("expected_agent_behavior")


@dataclass(frozen=True, slots=True)
class Case:
    """One case that is an object, and where it lies."""

    pointer: str
    raw: JsonObject
    label: str

    def get(self, name: Key) -> JsonValue | Missing:
        """Return a member of the case."""
        found = name.find(self.raw)
        return MISSING if found is None else self.raw[found]

    def at(self, name: Key, *tokens: str | int) -> str:
        """Return the pointer of a member, or of something inside it."""
        return join(self.pointer, name.choose(self.raw, "camel"), *tokens)

    def problem(
        self,
        severity: Severity,
        code: str,
        pointer: str,
        message: str,
        hint: str = "",
        wanted: str = "",
    ) -> Problem:
        """Return a problem whose message names the case."""
        named = f"Case “{self.label}”: {message}"
        return REPORT.problem(severity, code, pointer, named, hint, wanted)


class SetView:
    """One eval set during a check; ``value`` is its object."""

    def __init__(
        self, value: JsonObject, detection: Detection, path: PurePath, near: Surroundings
    ) -> None:
        self.value = value
        self.is_coded = detection.format_id == CODED
        self.variant = detection.variant
        self.path = path
        self.near = near

    @cached_property
    def cases(self) -> list[Case]:
        """The cases that are objects."""
        listed = self.value.get("evaluations")
        return [
            Case(join("/evaluations", index), raw, _label(raw, index))
            for index, raw in enumerate(listed if isinstance(listed, list) else ())
            if isinstance(raw, dict)
        ]

    @cached_property
    def refs(self) -> dict[str, str]:
        """The evaluators that the set names, each with the pointer of its first mention."""
        base, entries = listed(self.value, coded=self.is_coded)
        found: dict[str, str] = {}
        for index, entry in enumerate(entries):
            name = ref_of(entry)
            if name is not None:
                found.setdefault(name, join(base, index))
        return found

    @cached_property
    def evaluator_paths(self) -> list[str]:
        """The evaluator files that lie where UiPath looks; [] as well where nothing is known."""
        return list(self.near.glob(BESIDE_SETS))

    @cached_property
    def evaluators(self) -> list[EvaluatorView]:
        """The evaluators in those files."""
        values = ((path, self.near.value(path)) for path in self.evaluator_paths)
        return [EvaluatorView(value, path) for path, value in values if isinstance(value, dict)]

    @cached_property
    def evaluator_by_id(self) -> dict[str, EvaluatorView]:
        """The evaluators by id; of several with one id, the first file's."""
        return {view.id: view for view in reversed(self.evaluators) if view.id}

    @cached_property
    def around(self) -> str:
        """All that a rule about one case may look at beside the case."""
        rest = {name: held for name, held in self.value.items() if name != "evaluations"}
        return repr((self.is_coded, self.variant, rest, self.evaluators, self.entry_points))

    @cached_property
    def entry_points(self) -> EntryPoints:
        """What the agent takes and returns."""
        return entry_points(self.near)

    def problem(
        self,
        severity: Severity,
        code: str,
        pointer: str,
        message: str,
        hint: str = "",
        wanted: str = "",
    ) -> Problem:
        """Return a problem of the set as a whole."""
        return REPORT.problem(severity, code, pointer, message, hint, wanted)


def _label(raw: JsonObject, index: int) -> str:
    for name in ("name", "id"):
        found = raw.get(name)
        if isinstance(found, str) and found:
            return found if len(found) <= 60 else found[:59] + "…"
    return f"number {index + 1}"
