"""The kinds of evaluators that UiPath knows, with what their files may say, as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from evalcore.errors import Problem
from evalcore.formats.lenses import key
from evalcore.formats.shapes import (
    ANYTHING,
    Either,
    Flag,
    Listing,
    Mapped,
    Member,
    Nullable,
    Number,
    Object,
    Report,
    Shape,
    Text,
    describe,
    may,
    needs,
)
from evalcore.jsontree import JsonValue, join

REPORT = Report("uipath", "UiPath")

Sees = Literal["output", "trace"]


class Pair(Shape):
    """A list of exactly two items, each of its own shape."""

    def __init__(self, first: Shape, second: Shape) -> None:
        self.shapes = (first, second)
        self.expected = f"a list of two: {first.expected}, then {second.expected}"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse another length, and each item that differs."""
        if not isinstance(value, list) or len(value) != len(self.shapes):
            yield self.wrong(value, pointer, report)
            return
        for index, shape in enumerate(self.shapes):
            yield from shape.faults(value[index], join(pointer, index), report)


class ByType(Shape):
    """An object whose ``type`` says which of several shapes it has."""

    def __init__(self, what: str, shapes: Mapping[str, Shape]) -> None:
        self.what = what
        self.shapes = shapes
        self.expected = "an object"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no object, names no known type, or differs from that type's shape."""
        if not isinstance(value, dict):
            yield self.wrong(value, pointer, report)
            return
        kind = value.get("type")
        shape = self.shapes.get(kind) if isinstance(kind, str) else None
        if shape is None:
            names = ", ".join(f"“{name}”" for name in self.shapes)
            found = describe(kind) if "type" in value else "missing"
            message = f"The “type” of {self.what} must be one of {names}, but is {found}."
            yield report.problem("error", "unknown_type", pointer, message, f"Use one of {names}.")
            return
        yield from shape.faults(value, pointer, report)


def _key(snake: str, shape: Shape = ANYTHING, *, required: bool = False) -> Member:
    return Member(key(snake, first="camel"), shape, required)


TEXTS = Listing(Text())
OUTPUT = Either(Mapped(), Text())

_AVERAGED = (
    needs("type"),
    _key("averaging", Text("macro", "micro"), required=True),
)
AGGREGATOR = ByType(
    "an aggregator",
    {
        **{n: Object("The aggregator", _AVERAGED) for n in ("precision", "recall")},
        "fscore": Object("The aggregator", (*_AVERAGED, _key("f_value", Number()))),
        "confusion_matrix": Object("The aggregator", (needs("type"),), "keep"),
    },
)

_TOOL_CALL = Object(
    "The tool call",
    (needs("name", Text()), needs("args", Mapped()), may("id", Nullable(Text()))),
)
_TOOL_OUTPUT = Object(
    "The tool output",
    (needs("name", Text()), needs("output", Text()), may("id", Nullable(Text()))),
)


def _criteria(name: str, shape: Shape) -> Object:
    return Object("The criteria", (_key(name, shape, required=True),), "keep")


EXPECTED_OUTPUT = _criteria("expected_output", OUTPUT)
EXPECTED_BEHAVIOR = _criteria("expected_agent_behavior", Text())
SEARCH_TEXT = _criteria("search_text", Text())
EXPECTED_CLASS = _criteria("expected_class", Text())
TOOL_ORDER = _criteria("tool_calls_order", TEXTS)
TOOL_COUNT = _criteria("tool_calls_count", Mapped(Pair(Text(), Number(whole=True))))
TOOL_ARGS = _criteria("tool_calls", Listing(_TOOL_CALL))
TOOL_OUTPUT = _criteria("tool_outputs", Listing(_TOOL_OUTPUT))
LEGACY_CRITERIA = Object(
    "The criteria",
    (
        _key("expected_output", required=True),
        _key("expected_agent_behavior", Text(), required=True),
    ),
    "keep",
)
"""What a low-code evaluator wants in a coded set."""

_ON_OUTPUT = (
    _key("target_output_key", Either(Text(), TEXTS)),
    _key("line_by_line_evaluator", Flag()),
    _key("line_delimiter", Text()),
)
_MATCH = (_key("case_sensitive", Flag()), may("negated", Flag()))
_JUDGE = (
    may("prompt", Text()),
    may("model", Text()),
    may("temperature", Number()),
    _key("max_tokens", Nullable(Number(whole=True))),
)
_STRICT = (may("strict", Flag()),)
_METRIC = _key("metric_type", Text("precision", "recall", "f-score"))


@dataclass(frozen=True, slots=True)
class CodedKind:
    """One ``evaluatorTypeId``: what its criteria and its ``evaluatorConfig`` may hold."""

    type_id: str
    title: str
    sees: Sees
    criteria: Object
    options: tuple[Member, ...] = ()
    is_judged: bool = False

    @property
    def config(self) -> Object:
        """The shape of ``evaluatorConfig``."""
        common = (
            may("name", Text()),
            may("description", Text()),
            _key("default_evaluation_criteria", Nullable(self.criteria)),
        )
        return Object("The evaluator", (*common, *self.options))

    @property
    def takes_expected_output(self) -> bool:
        """Whether a case's own expected output stands in where its criteria have none."""
        return self.criteria is EXPECTED_OUTPUT


def _judge(suffix: str, title: str, sees: Sees) -> CodedKind:
    on_output = sees == "output"
    return CodedKind(
        f"uipath-llm-judge-{suffix}",
        title,
        sees,
        EXPECTED_OUTPUT if on_output else EXPECTED_BEHAVIOR,
        (*_JUDGE, *(_ON_OUTPUT if on_output else ())),
        is_judged=True,
    )


_CODED = (
    CodedKind(
        "uipath-exact-match",
        "Exact match",
        "output",
        EXPECTED_OUTPUT,
        (
            *_ON_OUTPUT,
            *_MATCH,
            may("classes", Nullable(TEXTS)),
            may("aggregators", Nullable(Listing(AGGREGATOR))),
        ),
    ),
    CodedKind("uipath-contains", "Contains", "output", SEARCH_TEXT, (*_ON_OUTPUT, *_MATCH)),
    CodedKind("uipath-json-similarity", "JSON similarity", "output", EXPECTED_OUTPUT, _ON_OUTPUT),
    CodedKind("uipath-tool-call-order", "Tool call order", "trace", TOOL_ORDER, _STRICT),
    CodedKind(
        "uipath-tool-call-args",
        "Tool call arguments",
        "trace",
        TOOL_ARGS,
        (*_STRICT, may("subset", Flag())),
    ),
    CodedKind("uipath-tool-call-count", "Tool call count", "trace", TOOL_COUNT, _STRICT),
    CodedKind("uipath-tool-call-output", "Tool call output", "trace", TOOL_OUTPUT, _STRICT),
    CodedKind(
        "uipath-binary-classification",
        "Binary classification",
        "output",
        EXPECTED_CLASS,
        (
            *_ON_OUTPUT,
            _key("positive_class", Text(), required=True),
            _METRIC,
            _key("f_value", Number()),
        ),
    ),
    CodedKind(
        "uipath-multiclass-classification",
        "Multiclass classification",
        "output",
        EXPECTED_CLASS,
        (
            *_ON_OUTPUT,
            needs("classes", TEXTS),
            _METRIC,
            may("averaging", Text("micro", "macro")),
            _key("f_value", Number()),
        ),
    ),
    _judge("output-semantic-similarity", "Judge: similar meaning", "output"),
    _judge("output-strict-json-similarity", "Judge: strict JSON similarity", "output"),
    _judge("trajectory-similarity", "Judge: trajectory", "trace"),
    _judge("trajectory-simulation", "Judge: simulated trajectory", "trace"),
)
CODED_KINDS: Mapping[str, CodedKind] = {kind.type_id: kind for kind in _CODED}
"""By ``evaluatorTypeId``. Any other id needs an ``evaluatorSchema`` that names a class."""

UNLOADABLE = ("uipath-llm-judge-output", "uipath-llm-judge-trajectory")
"""Ids that UiPath lists and cannot load."""

CATEGORIES = {0: "Deterministic", 1: "LLM as a judge", 2: "Agent scorer", 3: "Trajectory"}
TYPES = {
    0: "Unknown",
    1: "Equals",
    2: "Contains",
    3: "Regex",
    4: "Factuality",
    5: "Semantic similarity",
    6: "JSON similarity",
    7: "Trajectory",
    8: "Context precision",
    9: "Faithfulness",
    10: "CSV columns",
}

_LEGACY_COMMON = (
    may("fileName", Text()),
    needs("id", Text()),
    may("name", Text()),
    may("description", Text()),
    needs("category", Number(whole=True)),
    needs("type", Number(whole=True)),
    may("targetOutputKey", Text()),
    may("lineByLineEvaluation", Flag()),
    may("lineDelimiter", Text()),
    needs("createdAt", Text()),
    needs("updatedAt", Text()),
)
_LEGACY_JUDGE = (needs("prompt", Text()), may("model", Text()))


@dataclass(frozen=True, slots=True)
class LegacyKind:
    """A loadable pair of ``category`` and ``type`` of a low-code evaluator."""

    title: str
    sees: Sees
    options: tuple[Member, ...] = ()
    is_judged: bool = False

    @property
    def shape(self) -> Object:
        """The shape of the whole file."""
        return Object("The evaluator", (*_LEGACY_COMMON, *self.options), "keep")


_LEGACY_DETERMINISTIC = {
    1: LegacyKind("Equals", "output"),
    6: LegacyKind("JSON similarity", "output"),
    10: LegacyKind("CSV columns", "output", (needs("targetSubOutputKey", Text()),)),
}
_LEGACY_LLM = LegacyKind("LLM judge", "output", _LEGACY_JUDGE, is_judged=True)
_LEGACY_TRAJECTORY = LegacyKind("Trajectory judge", "trace", _LEGACY_JUDGE, is_judged=True)


def legacy_kind(category: JsonValue, type_: JsonValue) -> LegacyKind | None:
    """Return what UiPath makes of a category and type, None if it makes nothing of them.

    Categories 1 and 3 decide alone; numbers must be numbers, not texts.
    """
    unknown = isinstance(type_, (int, float)) and type_ not in TYPES
    if not isinstance(category, (int, float)) or unknown:
        return None
    if category in (1, 3):
        return _LEGACY_LLM if category == 1 else _LEGACY_TRAJECTORY
    if category == 0 and isinstance(type_, (int, float)):
        return _LEGACY_DETERMINISTIC.get(int(type_)) if type_ == int(type_) else None
    return None
