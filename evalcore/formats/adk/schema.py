"""What ADK's loader accepts as an eval set: every model with its own rule for unknown members.

``Schema`` holds the shapes of one ADK release, since Harnest is built on an older one than
``adk eval`` of today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalcore.errors import Problem
from evalcore.formats.adk.fields import (
    NUMBER,
    OBJECT,
    TEXT,
    Pair,
    both,
    many,
    model,
    snake_model,
    some,
)
from evalcore.formats.adk.genai import (
    CONTENT,
    FUNCTION_CALL,
    FUNCTION_RESPONSE,
    GROUNDING,
    PART,
    USAGE,
)
from evalcore.formats.lenses import Key, exactly
from evalcore.formats.shapes import (
    ANYTHING,
    Listing,
    Mapped,
    Member,
    Number,
    Object,
    Report,
    Shape,
    Text,
    closest,
    may,
    needs,
)
from evalcore.jsontree import JsonObject, JsonValue, Missing, join

PERSONAS = ("EXPERT", "NOVICE", "EVALUATOR")
EVENTS = both("invocation_events")
CONVERSATION = both("conversation")
SCENARIO = both("conversation_scenario")
_EDITOR_KEYS = ("invocationIndex", "toolUseIndex")
"""Written into events by ADK's web editor; the loader leaves them out on purpose."""


@dataclass(frozen=True, slots=True)
class Schema:
    """The shapes of one ADK release."""

    eval_set: Object
    eval_case: Object
    invocation: Object
    rubric: Object
    session_input: Object


class CaseObject(Object):
    """A case: an object with either turns or a scenario."""

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what an object of these members refuses, and a case with both or neither."""
        yield from super().faults(value, pointer, report)
        if not isinstance(value, dict):
            return
        has_turns = _present(value, CONVERSATION)
        has_scenario = _present(value, SCENARIO)
        if has_turns and has_scenario and value[CONVERSATION.find(value) or ""] == []:
            yield report.problem(
                "error",
                "turns_and_scenario",
                pointer + f"/{CONVERSATION.find(value)}",
                "The case has a simulated user, and beside it an empty list of turns; it may have "
                "only one of the two.",
                f"{report.system} refuses the file: remove the empty list.",
            )
        elif has_turns and has_scenario:
            yield report.problem(
                "error",
                "turns_and_scenario",
                pointer + (f"/{SCENARIO.find(value)}"),
                "The case has turns and a simulated user; it may have only one of the two.",
                f"{report.system} refuses the file: remove one of them.",
            )
        elif not has_turns and not has_scenario:
            yield report.problem(
                "error",
                "no_conversation",
                pointer,
                "The case has neither turns nor a simulated user.",
                f"{report.system} refuses the file: add a “conversation”, an empty list at least.",
            )


class IntermediateData(Shape):
    """What happened in a turn: written by hand, or recorded as events. The keys decide which."""

    expected = "an object"

    def __init__(self, written: Object, recorded: Object) -> None:
        self.written = written
        self.recorded = recorded

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what neither shape accepts, and members of both in one object."""
        events = EVENTS.find(value)
        if events is None:
            yield from self.written.faults(value, pointer, report)
        elif isinstance(value, dict) and any(name in self.written.known for name in value):
            yield report.problem(
                "error",
                "mixed_intermediate_data",
                join(pointer, events),
                f"The events of a run (“{events}”) cannot stand beside what was written by hand "
                f"(“{_other(value, self.written)}”).",
                f"{report.system} refuses the file: keep the calls in one of the two.",
            )
        else:
            yield from self.recorded.faults(value, pointer, report)


class Persona(Shape):
    """The name of a built-in persona, or a whole persona."""

    expected = f"one of {', '.join(PERSONAS)}, or a persona object"
    _whole = snake_model(
        "A persona",
        "drop",
        id_=Text(),
        description_=Text(),
        behaviors_=Listing(
            snake_model(
                "A behavior",
                "drop",
                name_=Text(),
                description_=Text(),
                behavior_instructions_=Listing(Text()),
                violation_rubrics_=Listing(Text()),
            )
        ),
    )

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse unknown names and incomplete personas."""
        if not isinstance(value, str):
            yield from self._whole.faults(value, pointer, report)
        elif value not in PERSONAS:
            yield report.problem(
                "error",
                "unknown_persona",
                pointer,
                f"There is no persona “{value}”.",
                f"{report.system} refuses the file. It knows {', '.join(PERSONAS)}, "
                "written exactly so.",
                closest(value, PERSONAS) or "",
            )


def _schema(*, rubric_text: bool, event_extra: bool, timings: bool) -> Schema:
    text_property = {"text_property_" if rubric_text else "text_property": TEXT}
    rubric = model(
        "A rubric",
        rubric_id_=Text(),
        rubric_content_=model("A rubric's content", "refuse", **text_property),
        description=TEXT,
        type=TEXT,
    )
    session_input = model(
        "The session",
        "keep",
        app_name_=Text(),
        user_id_=Text(),
        session_id=TEXT,
        state=Mapped(),
    )
    invocation = _invocation(rubric, _event(tolerant=event_extra), timings=timings)
    eval_case = _case(invocation, session_input, rubric)
    eval_set = snake_model(
        "The set",
        "drop",
        eval_set_id_=Text(),
        name=TEXT,
        description=TEXT,
        eval_cases_=Listing(eval_case),
        creation_timestamp=Number(),
    )
    return Schema(eval_set, eval_case, invocation, rubric, session_input)


def _case(invocation: Object, session_input: Object, rubric: Object) -> CaseObject:
    scenario = model(
        "A simulated user",
        starting_prompt_=Text(),
        conversation_plan_=Text(),
        user_persona=some(Persona()),
    )
    return CaseObject(
        "The case",
        [
            needs(both("eval_id"), Text()),
            may(CONVERSATION, many(invocation)),
            may(SCENARIO, some(scenario)),
            may(both("session_input"), some(session_input)),
            may(both("creation_timestamp"), Number()),
            may(both("rubrics"), many(rubric)),
            may(both("final_session_state"), OBJECT),
        ],
        "keep",
    )


def _event(*, tolerant: bool) -> Object:
    members: list[Member] = [
        needs(both("author"), Text()),
        may(both("content"), some(CONTENT)),
        may(both("grounding_metadata"), some(GROUNDING)),
    ]
    if not tolerant:
        return Object("An event", members, "refuse")
    members += [
        may(both("usage_metadata"), some(USAGE)),
        may(both("model_version"), TEXT),
        *(may(exactly(name), ANYTHING) for name in _EDITOR_KEYS),
    ]
    return Object("An event", members, "drop")


def _invocation(rubric: Object, event: Object, *, timings: bool) -> Object:
    written = model(
        "The expected steps",
        tool_uses=Listing(FUNCTION_CALL),
        tool_responses=Listing(FUNCTION_RESPONSE),
        intermediate_responses=Listing(
            Pair(Text(), Listing(PART), "a list of two: the author and a list of parts")
        ),
    )
    recorded = model("The recorded steps", invocation_events=Listing(event))
    agent = model(
        "An agent's details", name_=Text(), instructions=Text(), tool_declarations=Listing(ANYTHING)
    )
    measured = ("duration", "model_duration", "tool_duration") if timings else ()
    return model(
        "The turn",
        invocation_id=Text(),
        user_content_=CONTENT,
        final_response=some(CONTENT),
        intermediate_data=some(IntermediateData(written, recorded)),
        creation_timestamp=Number(),
        rubrics=many(rubric),
        app_details=some(model("The app's details", agent_details=Mapped(agent))),
        **dict.fromkeys(measured, NUMBER),
    )


def _present(value: JsonObject, member: Key) -> bool:
    name = member.find(value)
    found: JsonValue | Missing = None if name is None else value[name]
    return found is not None


def _other(value: Mapping[str, JsonValue], shape: Object) -> str:
    return next(name for name in value if name in shape.known)


LATEST = _schema(rubric_text=False, event_extra=True, timings=True)
"""ADK 2.13."""
HARNEST = _schema(rubric_text=True, event_extra=False, timings=False)
"""ADK 2.8, on which Harnest is built."""
