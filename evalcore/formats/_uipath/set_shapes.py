"""What ``uipath eval`` accepts as an eval set, of either kind."""

from __future__ import annotations

from evalcore.formats._uipath.kinds import OUTPUT, TEXTS
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
    Shape,
    Text,
    may,
    needs,
)
from evalcore.jsontree import JsonValue


def _key(snake: str, shape: Shape = ANYTHING, *, required: bool = False) -> Member:
    return Member(key(snake, first="camel"), shape, required)


def _extra(*names: str) -> tuple[Member, ...]:
    return tuple(may(name) for name in names)


_REFERENCE = Either(
    Text(), Object("The evaluator", (needs("ref", Text()), may("weight", Number(least=0))))
)
_MODEL_SETTINGS = Object(
    "The model variant",
    (
        needs("id", Text()),
        _key("model_name", Text(), required=True),
        may("temperature", Nullable(Either(Number(), Text()))),
    ),
)
_MEMORY_SETTINGS = Object(
    "The memory variant",
    (
        needs("id", Text()),
        _key("result_count", Text()),
        _key("search_mode", Text()),
        may("threshold", Text()),
    ),
)
_SHARED = (
    needs("id", Text()),
    needs("name", Text()),
    _key("evaluator_refs", TEXTS),
    _key("evaluator_configs", Listing(_REFERENCE)),
    _key("model_settings", Listing(_MODEL_SETTINGS)),
    _key("agent_memory_enabled", Flag()),
    _key("agent_memory_settings", Listing(_MEMORY_SETTINGS)),
)
CASES = Listing(ANYTHING)

_MISNAMED = _extra("evaluationItems", "testCases")
"""Keys under which people list cases; a rule of its own says what happens then."""

CODED_SET = Object(
    "The eval set",
    (
        *_SHARED,
        may("evaluations", CASES),
        *_MISNAMED,
        *_extra("version", "description", "selectedEntrypoint", "schemaVersion", "target", "tags"),
        *_extra("fileName", "batchSize", "timeoutMinutes", "createdAt", "updatedAt", "category"),
        _key("line_by_line_evaluation"),
    ),
)
"""Without its cases, which are checked one by one, and without what ``version`` must be."""

LOWCODE_SET = Object(
    "The eval set",
    (
        *_SHARED,
        _key("file_name", Text(), required=True),
        may("evaluations", CASES),
        _key("batch_size", Number(whole=True)),
        _key("timeout_minutes", Number(whole=True)),
        _key("created_at", Text(), required=True),
        _key("updated_at", Text(), required=True),
        _key("line_by_line_evaluation"),
        *_MISNAMED,
        *_extra("description", "category", "version", "tags"),
    ),
)

_MODEL = Object(
    "The model",
    (
        needs("model", Text()),
        may("temperature", Nullable(Either(Number(), Text()))),
        may("topP", Nullable(Number())),
        may("topK", Nullable(Number(whole=True))),
        may("frequencyPenalty", Nullable(Number())),
        may("presencePenalty", Nullable(Number())),
        may("maxTokens", Nullable(Number(whole=True))),
    ),
    "keep",
)
_TOOL = Object("The tool", (needs("name", Text()),), "keep")
_INPUT_MOCKING = Object(
    "The input mocking", (needs("prompt", Text()), may("model", Nullable(_MODEL))), "keep"
)
_STRATEGY = Object("The mocking strategy", (needs("type", Text()),), "keep")

_KEPT_EXTRAS = _extra("description", "tags", "purpose", "simulations", "metadata", "source")

CODED_CASE = Object(
    "The case",
    (
        needs("id", Text()),
        needs("name", Text()),
        needs("inputs", Mapped()),
        _key("expected_output", Nullable(OUTPUT)),
        _key("evaluation_criterias", Mapped(Nullable(Mapped())), required=True),
        _key("expected_agent_behavior", Text()),
        _key("mocking_strategy", Nullable(_STRATEGY)),
        _key("input_mocking_strategy", Nullable(_INPUT_MOCKING)),
        *_KEPT_EXTRAS,
    ),
)
OTHER_CASE = Object(
    "The case", (needs("id", Text()), needs("name", Text()), may("inputs", Mapped())), "keep"
)
"""A case of a Maestro Flow or API workflow set, whose loaders are not known further."""

LLM_MOCK = Object(
    "The mocking strategy",
    (
        needs("prompt", Text()),
        _key("tools_to_simulate", Listing(_TOOL), required=True),
        may("model", Nullable(_MODEL)),
    ),
    "keep",
)
_ANSWER = Object("The answer", (needs("type", Text("return", "raise")), needs("value")), "keep")
_ARGUMENTS = Object(
    "The arguments", (may("args", Listing(ANYTHING)), may("kwargs", Mapped())), "keep"
)
_BEHAVIOR = Object(
    "The mock",
    (
        needs("function", Text()),
        may("arguments", Nullable(_ARGUMENTS)),
        needs("then", Listing(_ANSWER)),
    ),
    "keep",
)


def mockito_shape(strategy: JsonValue) -> Object:
    """Return the shape of a mockito strategy, whose list is called ``config`` or ``behaviors``."""
    named = "config"
    if isinstance(strategy, dict) and "config" not in strategy and "behaviors" in strategy:
        named = "behaviors"
    return Object("The mocking strategy", (needs(named, Listing(_BEHAVIOR)),), "keep")


_ATTACHMENT = Object(
    "The attachment",
    (needs("ID", Text()), needs("FullName", Text()), needs("MimeType", Text())),
    "keep",
)
_USER = Object(
    "The user message",
    (
        may("role", Text("user")),
        needs("text", Text()),
        may("attachments", Nullable(Listing(_ATTACHMENT))),
    ),
    "keep",
)
_RESULT = Object("The result", (needs("value"), may("isError", Nullable(Flag()))), "keep")
_CALL = (needs("name", Text()), needs("arguments", Mapped()))
_INPUT_CALL = Object("The tool call", (*_CALL, needs("result", _RESULT)), "keep")
_OUTPUT_CALL = Object("The tool call", _CALL, "keep")


def _agent(call: Object) -> Object:
    members = (
        may("role", Text("agent")),
        needs("text", Text()),
        may("toolCalls", Nullable(Listing(call))),
    )
    return Object("The agent message", members, "keep")


_HISTORY = Listing(Listing(Either(_USER, _agent(_INPUT_CALL))))
_CONVERSATION = Object(
    "The conversation",
    (needs("conversationHistory", _HISTORY), needs("currentUserPrompt", _USER)),
    "keep",
)
_REPLY = Object(
    "The expected conversation",
    (needs("agentResponse", Listing(_agent(_OUTPUT_CALL))),),
    "keep",
)

LOWCODE_CASE = Object(
    "The case",
    (
        needs("id", Text()),
        needs("name", Text()),
        needs("inputs", Mapped()),
        _key("expected_output", Mapped(), required=True),
        _key("expected_agent_behavior", Text()),
        _key("eval_set_id", Text(), required=True),
        _key("created_at", Text(), required=True),
        _key("updated_at", Text(), required=True),
        _key("simulate_input", Nullable(Flag())),
        _key("input_generation_instructions", Nullable(Text())),
        _key("simulate_tools", Nullable(Flag())),
        _key("simulation_instructions", Nullable(Text())),
        _key("tools_to_simulate", Listing(_TOOL)),
        _key("conversational_inputs", Nullable(_CONVERSATION)),
        _key("conversational_expected_output", Nullable(_REPLY)),
        *_KEPT_EXTRAS,
        may("evaluationCriterias"),
        may("mockingStrategy"),
        may("inputMockingStrategy"),
    ),
)
