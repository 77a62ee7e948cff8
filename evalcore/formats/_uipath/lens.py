"""What the eval sets of coded and of low-code agents have in common."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, ClassVar

from evalcore.errors import FormatError
from evalcore.formats._uipath import schemas
from evalcore.formats._uipath.entry_points import io_schemas
from evalcore.formats._uipath.ids import fold_guid, timestamp
from evalcore.formats._uipath.recognise import CODED
from evalcore.formats._uipath.refs import listed, ref_of, weight_of
from evalcore.formats.base import Surroundings
from evalcore.formats.evalset import EvalSetLens, id_for_copy
from evalcore.formats.lenses import At, Editor, Field, Key, Spelling, exactly, key, spelling_of
from evalcore.formats.names import NameMark
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, put
from evalcore.model import EvalCase, EvalSet, EvaluatorRef, Invocation

UPDATED_AT = At(key("updated_at", first="camel"))
NAME = At(exactly("name"))
ID = At(exactly("id"))


def camel(snake: str) -> Key:
    """Return a key that both spellings name, of which UiPath reads camelCase first."""
    return key(snake, first="camel")


DESCRIPTION = Field(
    "description",
    "Description",
    At(exactly("description")),
    Editor.TEXT,
    group="more",
    help="A note for people. UiPath does not read it; it stays in the file.",
)
TAGS = Field(
    "tags",
    "Tags",
    At(exactly("tags")),
    Editor.TAGS,
    group="more",
    blank=[],
    help="Labels to find cases by. UiPath does not read them; they stay in the file.",
)
INPUT = Field(
    "input",
    "Inputs",
    At(exactly("inputs")),
    Editor.OBJECT,
    pinned=True,
    blank={},
    extra={"waived_by": "conversational_input input_mocking simulate_input"},
    told=("uipath.unknown_input", "uipath.missing_input"),
    help="What the agent is given, by the names of its input schema.",
)
MODEL_SETTINGS = Field(
    "model_settings",
    "Model variants",
    At(camel("model_settings")),
    Editor.FORM,
    group="more",
    blank=[],
    schema=schemas.MODEL_SETTINGS,
    help="Models to try the same cases with; a run picks one by its id (--model-settings-id).",
)
AGENT_MEMORY = Field(
    "agent_memory_enabled",
    "Agent memory",
    At(camel("agent_memory_enabled")),
    Editor.FLAG,
    group="more",
    blank=False,
    help="Whether runs of this set use the agent's memory.",
)
FILE_NAME = At(camel("file_name"))
AGENT_MEMORY_SETTINGS = Field(
    "agent_memory_settings",
    "Agent memory variants",
    At(camel("agent_memory_settings")),
    Editor.FORM,
    group="more",
    blank=[],
    schema=schemas.AGENT_MEMORY,
    help="Memory settings to try; a run picks one by its id (--agent-memory-settings-id).",
)
BATCH_SIZE = Field(
    "batch_size",
    "Batch size",
    At(camel("batch_size")),
    Editor.NUMBER,
    group="more",
    blank=10,
    help="How many cases the cloud runs at once. A local run ignores it.",
)
TIMEOUT_MINUTES = Field(
    "timeout_minutes",
    "Timeout in minutes",
    At(camel("timeout_minutes")),
    Editor.NUMBER,
    group="more",
    blank=20,
    help="How long the cloud waits. A local run ignores it.",
)
LINE_BY_LINE = Field(
    "line_by_line",
    "Line by line",
    At(camel("line_by_line_evaluation")),
    Editor.FLAG,
    group="more",
    blank=False,
    help="Not read here: the evaluator's own flag counts.",
)


class UiPathEvalSets(EvalSetLens):
    """Sets whose cases lie in ``evaluations`` and have one invocation each."""

    format_id: ClassVar[str]
    default_style: ClassVar[Spelling] = "camel"
    has_turns: ClassVar[bool] = False
    name_marks = (
        NameMark("tool", ("toolCalls", "tool_calls"), args=("args", "arguments")),
        NameMark("tool", ("toolOutputs", "tool_outputs", "toolsToSimulate", "tools_to_simulate")),
        NameMark("tool", ("toolCallsOrder", "tool_calls_order"), "texts"),
        NameMark("tool", ("toolCallsCount", "tool_calls_count"), "members"),
        NameMark("tool", ("config", "behaviors"), name="function", args=("arguments/kwargs",)),
        NameMark("tool", ("tool.name",), "text"),
    )

    def cases_pointer(self, value: JsonValue) -> str:
        """Return the pointer of ``evaluations``."""
        return "/evaluations"

    def invocations_pointer(self, raw_case: JsonValue) -> str:
        """Return "": a case is its own single invocation."""
        return ""

    def style(self, value: JsonValue) -> Spelling:
        """Return how the first case that shows it, or else the set, spells its keys."""
        shown = (spelling_of(raw) for raw in (*self.raw_cases(value)[:20], value))
        return next((style for style in shown if style is not None), self.default_style)

    def style_at(self, raw: JsonValue, value: JsonValue) -> Spelling:
        """Return the spelling of an object's own keys: what is inside belongs to the agent."""
        return spelling_of(raw) or self.style(value)

    def join_key(self, name: str) -> str:
        """Return a GUID in lower case, anything else as it stands."""
        return fold_guid(name)

    def read_header(self, value: JsonValue) -> EvalSet:
        """Return the set's id, name, description and evaluators, with weights where written."""
        _, entries = listed(value, coded=self.format_id == CODED)
        refs = [(ref_of(entry), weight_of(entry)) for entry in entries]
        return EvalSet(
            format_id=self.format_id,
            id=_text(ID.get(value)),
            name=_text(NAME.get(value)),
            description=_text(DESCRIPTION.lens.get(value)),
            evaluator_refs=tuple(EvaluatorRef(ref=r, weight=w) for r, w in refs if r is not None),
        )

    def read_case(self, raw: JsonValue, origin: str) -> EvalCase:
        """Return a case with its one invocation; opaque if it is no object."""
        if not isinstance(raw, dict):
            return EvalCase(origin=origin, opaque=True)
        got = {f.name: f.lens.get(raw) for f in (*self.case_fields, *self.invocation_fields)}
        criteria = got.get("criteria", MISSING)
        tags = got.get("tags")
        return EvalCase(
            origin=origin,
            id=self.case_id(raw),
            name=_text(got["name"]),
            description=_text(got["description"]),
            tags=tuple(t for t in tags if isinstance(t, str)) if isinstance(tags, list) else (),
            invocations=(self._invocation(got, origin),),
            criteria=criteria if isinstance(criteria, dict) else {},
            mocking=self.mocking(raw, got),
            input_mocking=self.input_mocking(raw, got),
        )

    def mocking(self, raw: JsonValue, got: dict[str, Any]) -> Any:
        """Return how the case's tools are replaced, MISSING if they are not."""
        return got.get("mocking", MISSING)

    def input_mocking(self, raw: JsonValue, got: dict[str, Any]) -> Any:
        """Return how the case's inputs are made up, MISSING if they are not."""
        return got.get("input_mocking", MISSING)

    def blank_invocation(self, raw_case: JsonValue) -> JsonValue:
        """Raise FormatError: a case of this format has exactly one invocation."""
        raise FormatError("A case of this format has exactly one turn")

    def schemas(self, near: Surroundings) -> Mapping[str, JsonObject]:
        """Return what the project says of the agent's inputs and outputs."""
        return io_schemas(near, output_is_text_too=self.format_id == CODED)

    def touch(self, value: JsonValue, changed: Sequence[int], now: datetime) -> JsonValue:
        """Move ``updatedAt`` of the set and of changed cases to ``now``, where they have one."""
        pointers = self.case_pointers(value)
        for pointer in ("", *(pointers[i] for i in changed if i < len(pointers))):
            raw = get(value, pointer)
            if raw is not MISSING and UPDATED_AT.get(raw) is not MISSING:
                value = put(value, pointer + UPDATED_AT.where(raw), timestamp(now))
        return value

    def as_new_file(self, value: JsonValue, file_name: str, *, is_copy: bool) -> JsonValue:
        """Return the set with the file's name where it repeats that, and a new id for a copy."""
        style, old = self.style(value), ID.get(value)
        if isinstance(value, dict) and FILE_NAME.get(value) is not MISSING:
            value = FILE_NAME.put(value, file_name, style)
        if is_copy and isinstance(old, str):
            value = ID.put(value, id_for_copy(old, file_name), style)
        return value

    def _invocation(self, got: dict[str, Any], origin: str) -> Invocation:
        return Invocation(
            origin=origin,
            input=got["input"],
            expected_output=got["expected_output"],
            expected_behavior=_text(got["expected_behavior"]),
        )


def require_object(value: JsonValue) -> None:
    """Raise FormatError for a set that is no object, to which no case can be added."""
    if not isinstance(value, dict):
        raise FormatError(
            "This file holds no eval set, so nothing can be added to it",
            hint="Edit its text, or make a new set.",
        )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None
