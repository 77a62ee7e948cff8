"""Eval sets of low-code agents (``evals/eval-sets/*.json``), through lenses.

Ids are GUIDs that UiPath's tools make, so people name a case and its id is made when it is added.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from evalcore.formats._uipath.ids import timestamp
from evalcore.formats._uipath.lens import (
    AGENT_MEMORY,
    AGENT_MEMORY_SETTINGS,
    BATCH_SIZE,
    DESCRIPTION,
    FILE_NAME,
    ID,
    INPUT,
    LINE_BY_LINE,
    MODEL_SETTINGS,
    NAME,
    TAGS,
    TIMEOUT_MINUTES,
    UiPathEvalSets,
    camel,
    require_object,
)
from evalcore.formats._uipath.mock_form import FORM, SIMULATION_FILE, TOOLS, simulated_parts
from evalcore.formats._uipath.recognise import LOWCODE
from evalcore.formats._uipath.refs import REFS
from evalcore.formats._uipath.schemas import AGENT_RESPONSE, CONVERSATION
from evalcore.formats.evalset import new_guid
from evalcore.formats.lenses import At, Editor, Field, exactly
from evalcore.formats.mocks import MockSupport, SimulatedPart
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get, put

EVAL_SET_ID = camel("eval_set_id")
CREATED_AT = camel("created_at")
UPDATED_AT = camel("updated_at")
EXPECTED_OUTPUT = camel("expected_output")
EXPECTED_BEHAVIOR = camel("expected_agent_behavior")
SIMULATE_TOOLS = At(camel("simulate_tools"))
INSTRUCTIONS = At(camel("simulation_instructions"))


def _kept(name: str, label: str, lens: At, help_: str) -> Field:
    return Field(name, label, lens, group="more", read_only=True, help=help_)


CREATED = _kept("created_at", "Created", At(CREATED_AT), "Written when the entry is made.")
UPDATED = _kept("updated_at", "Updated", At(UPDATED_AT), "Moved only when you ask for it on save.")

SET_FIELDS = (
    Field("name", "Name", NAME, pinned=True, help="What --set and results call this set."),
    DESCRIPTION,
    Field(
        "evaluator_refs",
        "Checks",
        REFS,
        Editor.TAGS,
        group="checks",
        blank=[],
        pinned=True,
        help="The checks (evaluators), by their ids. Each of them scores every case of the set.",
    ),
    _kept("id", "Id", ID, "Made by UiPath; every case repeats it."),
    Field(
        "file_name",
        "File name",
        FILE_NAME,
        group="more",
        help="Repeats the name of this file. UiPath needs it.",
    ),
    BATCH_SIZE,
    TIMEOUT_MINUTES,
    LINE_BY_LINE,
    MODEL_SETTINGS,
    AGENT_MEMORY,
    AGENT_MEMORY_SETTINGS,
    CREATED,
    UPDATED,
)

CASE_FIELDS = (
    Field("name", "Name", NAME, pinned=True, help="What results call this case."),
    Field(
        "simulate_input",
        "Make up the inputs",
        At(camel("simulate_input")),
        Editor.FLAG,
        group="mocks",
        blank=False,
        help="Does something only with instructions for the inputs.",
    ),
    Field(
        "input_generation_instructions",
        "Instructions for the inputs",
        At(camel("input_generation_instructions")),
        Editor.TEXT,
        group="mocks",
        help="From which a model makes the inputs at run time.",
    ),
    Field(
        "simulate_tools",
        "Simulate tools",
        SIMULATE_TOOLS,
        Editor.FLAG,
        group="mocks",
        blank=False,
        help="Whether a model answers for the tools listed below.",
    ),
    Field(
        "simulation_instructions",
        "Instructions for simulated tools",
        INSTRUCTIONS,
        Editor.TEXT,
        group="mocks",
        help="What the simulated tools should answer.",
    ),
    Field(
        "tools_to_simulate",
        "Simulated tools",
        TOOLS,
        Editor.TAGS,
        group="mocks",
        blank=[],
        extra={"names": "tool"},
        help="Their names, as the agent has them. Tools that are not listed run for real.",
    ),
    DESCRIPTION,
    TAGS,
    _kept("id", "Id", ID, "Made when the case is added."),
    _kept("source", "Source", At(exactly("source")), "How UiPath came by this case."),
    _kept("eval_set_id", "Set id", At(EVAL_SET_ID), "The id of the set that the case is in."),
    CREATED,
    UPDATED,
)

INVOCATION_FIELDS = (
    INPUT,
    Field(
        "conversational_input",
        "Conversation so far",
        At(camel("conversational_inputs")),
        Editor.FORM,
        blank={"conversationHistory": [], "currentUserPrompt": {"role": "user", "text": ""}},
        schema=CONVERSATION,
        help="For conversational agents: earlier exchanges and what the user says now.",
    ),
    Field(
        "expected_output",
        "Expected output",
        At(EXPECTED_OUTPUT),
        Editor.OBJECT,
        group="expected",
        blank={},
        pinned=True,
        help="What the agent should return, by the names of its output schema.",
    ),
    Field(
        "expected_behavior",
        "Expected behaviour",
        At(EXPECTED_BEHAVIOR),
        Editor.TEXT,
        group="expected",
        pinned=True,
        help="What the agent should do, in words; trajectory evaluators read it.",
    ),
    Field(
        "conversational_output",
        "Expected messages",
        At(camel("conversational_expected_output")),
        Editor.FORM,
        group="expected",
        blank={"agentResponse": []},
        schema=AGENT_RESPONSE,
        help="For conversational agents: the messages that the agent should send.",
    ),
)

_TOOLS = ("simulate_tools", "simulation_instructions", "tools_to_simulate")
_INPUTS = ("simulate_input", "input_generation_instructions")


class LowCodeEvalSets(UiPathEvalSets):
    """Sets that Studio Web and ``uip agent eval`` write."""

    format_id = LOWCODE
    label_field = "name"
    set_fields = SET_FIELDS
    case_fields = CASE_FIELDS
    invocation_fields = INVOCATION_FIELDS
    mocks = MockSupport(
        form=FORM,
        tools=("simulate_tools", "tools_to_simulate", "simulation_instructions"),
        inputs=("simulate_input", "input_generation_instructions"),
        note="A model answers for the tools that are listed; there are no written answers in "
        "low-code sets. All other tools run for real.",
        project_file=SIMULATION_FILE,
    )

    def strategy_of(self, raw: JsonValue) -> JsonValue | Missing:
        """Return what UiPath makes of the switches when it runs the case."""
        if SIMULATE_TOOLS.get(raw) is not True:
            return MISSING
        told, tools = INSTRUCTIONS.get(raw), TOOLS.at.get(raw)
        prompt = told if isinstance(told, str) else ""
        listed = tools if isinstance(tools, list) else []
        return {"type": "llm", "prompt": prompt, "toolsToSimulate": listed}

    def simulated_parts(self, value: JsonValue | Missing) -> tuple[SimulatedPart, ...]:
        """Return the components of a ``simulation.json``."""
        return simulated_parts(value)

    def mocking(self, raw: JsonValue, got: dict[str, Any]) -> Any:
        """Return the fields that say how tools are simulated, by their names here."""
        return _present(got, _TOOLS)

    def input_mocking(self, raw: JsonValue, got: dict[str, Any]) -> Any:
        """Return the fields that say how inputs are made up, by their names here."""
        return _present(got, _INPUTS)

    def blank_case(self, value: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case called ``label`` under a new GUID, belonging to this set from now on.

        It has no ``source``: only UiPath's tools know what to write there.
        """
        require_object(value)
        spelling = 1 if self.style(value) == "snake" else 0
        set_id = ID.get(value)
        return {
            "id": new_guid(),
            "name": label,
            "inputs": {},
            EXPECTED_OUTPUT.spellings[spelling]: {},
            EXPECTED_BEHAVIOR.spellings[spelling]: "",
            EVAL_SET_ID.spellings[spelling]: set_id if isinstance(set_id, str) else "",
            CREATED_AT.spellings[spelling]: timestamp(now),
            UPDATED_AT.spellings[spelling]: timestamp(now),
        }

    def duplicate_case(self, value: JsonValue, index: int, label: str, now: datetime) -> JsonValue:
        """Return the tree with a copy that belongs to this set."""
        edited = super().duplicate_case(value, index, label, now)
        pointer, set_id = self.case_pointers(edited)[index + 1], ID.get(value)
        raw = get(edited, pointer)
        if not isinstance(set_id, str) or not isinstance(raw, dict):
            return edited
        return put(edited, pointer, At(EVAL_SET_ID).put(raw, set_id, self.style_at(raw, value)))

    def copy_case(self, raw: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case called ``label``, with an id and times of its own.

        ``source`` is left out: the copy did not come from where the original came from.
        """
        style = self.style_at(raw, {})
        copy = NAME.put(ID.put(raw, new_guid(), style), label, style)
        for name in (CREATED_AT, UPDATED_AT):
            copy = At(name).put(copy, timestamp(now), style)
        return At(exactly("source")).put(copy, MISSING, style)

    def as_new_file(self, value: JsonValue, file_name: str, *, is_copy: bool) -> JsonValue:
        """Return the set with the file's name; a copy and its cases get new ids.

        The cases belong to the copy then. A case that said it belongs to another set still does.
        """
        old = ID.get(value)
        value = super().as_new_file(value, file_name, is_copy=is_copy)
        new, owner = ID.get(value), At(EVAL_SET_ID)
        for pointer in self.case_pointers(value) if is_copy else ():
            raw = get(value, pointer)
            if not isinstance(raw, dict):
                continue
            style = self.style_at(raw, value)
            case = ID.put(raw, new_guid(), style) if isinstance(ID.get(raw), str) else raw
            if isinstance(old, str) and owner.get(raw) == old:
                case = owner.put(case, new, style)
            value = put(value, pointer, case)
        return value

    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        """Return a set with a new GUID; ``set_id`` becomes the name of its file."""
        fields: JsonObject = {"fileName": f"{set_id}.json", "id": new_guid(), "name": name}
        lists: JsonObject = {"batchSize": 10, "evaluatorRefs": [], "evaluations": []}
        times: JsonObject = {"createdAt": timestamp(now), "updatedAt": timestamp(now)}
        settings: JsonObject = {"modelSettings": [], "agentMemoryEnabled": False}
        return {**fields, **lists, **settings, "agentMemorySettings": [], **times}


def _present(got: dict[str, Any], names: tuple[str, ...]) -> Any:
    found = {name: got[name] for name in names if got[name] is not MISSING}
    return found or MISSING


LENS = LowCodeEvalSets()
