"""Eval sets of coded agents (``evaluations/eval-sets/*.json``), through lenses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from evalcore.formats._uipath import weights
from evalcore.formats._uipath.lens import (
    AGENT_MEMORY,
    AGENT_MEMORY_SETTINGS,
    BATCH_SIZE,
    DESCRIPTION,
    FILE_NAME,
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
from evalcore.formats._uipath.met import criteria_met
from evalcore.formats._uipath.mock_form import (
    COMPONENTS,
    FORM,
    INPUT_MOCKING,
    SIMULATION_FILE,
    simulated_parts,
)
from evalcore.formats._uipath.recognise import CODED
from evalcore.formats._uipath.refs import EvaluatorRefs
from evalcore.formats._uipath.schemas import OBJECT_OR_TEXT
from evalcore.formats.lenses import At, Editor, Field, exactly
from evalcore.formats.mocks import MockSupport, SimulatedPart
from evalcore.formats.optional import Weight
from evalcore.jsontree import JsonObject, JsonValue, Missing, get, put

if TYPE_CHECKING:
    from evalcore.results import InvocationResult

CRITERIAS = camel("evaluation_criterias")
STRATEGY = At(camel("mocking_strategy"))

SET_FIELDS = (
    Field("id", "Id", At(exactly("id")), pinned=True, help="What runs and reports call this set."),
    Field("name", "Name", NAME, pinned=True, help="A name for people; the only one in results."),
    Field(
        "description",
        "Description",
        At(exactly("description")),
        Editor.TEXT,
        help="A note for people.",
    ),
    Field(
        "evaluator_refs",
        "Checks",
        EvaluatorRefs(),
        Editor.TAGS,
        group="checks",
        blank=[],
        pinned=True,
        help="The checks (evaluators), by their ids, that may score these cases. A case is "
        "scored by those that it has criteria for.",
    ),
    Field(
        "version",
        "Version",
        At(exactly("version")),
        group="more",
        blank="1.0",
        help="Must be the text 1.0: without it UiPath takes the set for a low-code one.",
    ),
    MODEL_SETTINGS,
    AGENT_MEMORY,
    AGENT_MEMORY_SETTINGS,
    Field(
        "file_name",
        "File name",
        FILE_NAME,
        group="more",
        help="Repeats the name of this file. uipath eval does not read it.",
    ),
    BATCH_SIZE,
    TIMEOUT_MINUTES,
    LINE_BY_LINE,
    Field(
        "selected_entrypoint",
        "Entry point",
        At(exactly("selectedEntrypoint")),
        group="more",
        help="Which entry point a Maestro Flow set runs. uipath eval does not read it.",
    ),
)

CASE_FIELDS = (
    Field(
        "id",
        "Id",
        At(exactly("id")),
        pinned=True,
        help="What --eval-ids takes. A GUID is read in lower case.",
    ),
    Field(
        "name",
        "Name",
        NAME,
        pinned=True,
        help="Results know a case by its name alone, so it should be unique.",
    ),
    Field(
        "criteria",
        "Criteria by check",
        At(CRITERIAS),
        Editor.CRITERIA,
        group="checks",
        blank={},
        pinned=True,
        help="What each check (evaluator) expects of this case. Null takes the check's default; a "
        "check that is not listed does not score the case.",
    ),
    Field(
        "mocking",
        "Mocked tools",
        STRATEGY,
        Editor.MOCKS,
        group="mocks",
        blank={"type": "mockito", "config": []},
        help="Which functions answer from here instead of running: type mockito (fixed answers) or "
        "llm (made up by a model). A mistake in it lets the real function run.",
    ),
    Field(
        "input_mocking",
        "Made-up inputs",
        At(camel("input_mocking_strategy")),
        Editor.FORM,
        group="mocks",
        blank={"prompt": ""},
        schema=INPUT_MOCKING,
        help="A prompt from which a model makes the inputs at run time.",
    ),
    Field(
        "simulations",
        "Simulated components",
        At(exactly("simulations")),
        Editor.FORM,
        group="mocks",
        blank=[],
        schema=COMPONENTS,
        help="Read by Maestro Flow only; uipath eval ignores it.",
    ),
    DESCRIPTION,
    TAGS,
    Field(
        "purpose",
        "Purpose",
        At(exactly("purpose")),
        Editor.TEXT,
        group="more",
        help="What the case is there for. UiPath does not read it; it stays in the file.",
    ),
)

INVOCATION_FIELDS = (
    INPUT,
    Field(
        "expected_output",
        "Expected output",
        At(camel("expected_output")),
        Editor.FORM,
        group="expected",
        blank={},
        pinned=True,
        schema=OBJECT_OR_TEXT,
        help="What every output evaluator compares with that has nothing of its own in its "
        "criteria: named values, or a text.",
    ),
    Field(
        "expected_behavior",
        "Expected behaviour",
        At(camel("expected_agent_behavior")),
        Editor.TEXT,
        group="expected",
        help="Read by low-code trajectory evaluators only; coded ones take it from their criteria.",
    ),
)


class CodedEvalSets(UiPathEvalSets):
    """Sets that ``uipath eval`` reads; Maestro Flow and API workflow sets have the same frame."""

    format_id = CODED
    set_fields = SET_FIELDS
    case_fields = CASE_FIELDS
    invocation_fields = INVOCATION_FIELDS
    mocks = MockSupport(
        strategy="mocking",
        form=FORM,
        inputs=("input_mocking",),
        components="simulations",
        note="Only functions that the agent's code marks with @mockable() can be replaced, by the "
        "name that they have there. All others run for real.",
        project_file=SIMULATION_FILE,
    )

    def criteria_met(
        self, criteria: Mapping[str, JsonValue], turn: InvocationResult
    ) -> Mapping[str, JsonValue]:
        """Return the criteria as they would be if the case expected what happened."""
        return criteria_met(criteria, turn)

    def strategy_of(self, raw: JsonValue) -> JsonValue | Missing:
        """Return ``mockingStrategy`` as it stands."""
        return STRATEGY.get(raw)

    def simulated_parts(self, value: JsonValue | Missing) -> tuple[SimulatedPart, ...]:
        """Return the components of a Flow case, or of a ``simulation.json``."""
        return simulated_parts(value)

    def weights(self, value: JsonValue, variant: str) -> tuple[Weight, ...]:
        """Return the evaluators of the list that UiPath reads, with their weights."""
        return weights.weights(value, variant)

    def put_weight(self, value: JsonValue, index: int, new: JsonValue | Missing) -> JsonValue:
        """Return the set with one weight, in ``evaluatorConfigs``: other lists have no place."""
        return weights.put_weight(value, index, new)

    def blank_case(self, value: JsonValue, label: str, now: datetime) -> JsonValue:
        """Return a case with no inputs and no criteria, which UiPath loads and does not score."""
        require_object(value)
        snake = self.style(value) == "snake"
        return {
            "id": label,
            "name": label,
            "inputs": {},
            CRITERIAS.spellings[1 if snake else 0]: {},
        }

    def duplicate_case(self, value: JsonValue, index: int, label: str, now: datetime) -> JsonValue:
        """Return the tree with a copy whose name is new as well: results know only names."""
        taken = {NAME.get(raw) for raw in self.raw_cases(value) if isinstance(NAME.get(raw), str)}
        edited = super().duplicate_case(value, index, label, now)
        pointer = self.case_pointers(edited)[index + 1]
        old = get(edited, pointer + "/name")
        if not isinstance(old, str):
            return edited
        endings = (" (copy)", *(f" (copy {n})" for n in range(2, len(taken) + 2)))
        new = next(name for end in endings if (name := old + end) not in taken)
        return put(edited, pointer + "/name", new)

    def blank_set(self, set_id: str, name: str, now: datetime) -> JsonValue:
        """Return a set without cases and evaluators."""
        empty: JsonObject = {"version": "1.0", "id": set_id, "name": name}
        return {**empty, "evaluatorRefs": [], "evaluations": []}


LENS = CodedEvalSets()
