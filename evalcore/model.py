"""One vocabulary for what people author: eval sets, cases, invocations, evaluators.

The models are views: a format reads a file's tree into them, and an edit goes back through the
format's lenses, never by dumping a model. Each object knows its ``origin``, the JSON pointer of the
tree it was read from. Origins belong to one revision of the tree: after an edit, read again.

A field is ``MISSING`` where the file has no such key, ``None`` where it says null.
"""

from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from evalcore.jsontree import MISSING, JsonValue, Missing

if TYPE_CHECKING:
    Json: TypeAlias = JsonValue
    MaybeJson: TypeAlias = JsonValue | Missing
else:
    # Trees are shared, not copied or validated: they may hold anything the file holds.
    Json = MaybeJson = Any


def first_fault(error: ValidationError, whole: str) -> str:
    """Return the first thing that a model refused, as ``place: what``; ``whole`` names no place."""
    first = error.errors()[0]
    place = ".".join(map(str, first["loc"])) or whole
    return f"{place}: {first['msg'].removeprefix('Value error, ')}"


class Model(BaseModel):
    """A frozen, closed record."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ToolCall(Model):
    """One call of a tool: expected by a case or made in a run.

    ``args`` is an object in every well-formed file; anything else is shown as it stands.
    ``origin`` is relative to the invocation that holds the call; "" for a call not yet in a file.
    """

    name: str
    args: MaybeJson = MISSING
    id: str | None = None
    result: MaybeJson = MISSING
    origin: str = ""


class Rubric(Model):
    """One statement for a judge. ``type`` routes it to an evaluator where a system does that.

    ``origin`` is relative to the object that holds the rubric; "" for a new one.
    """

    id: str
    text: str
    type: str | None = None
    description: str | None = None
    weight: float | None = None
    origin: str = ""


class Session(Model):
    """What a run starts from. ``state`` and ``config`` are objects in well-formed files."""

    app_name: str | None = None
    user_id: str | None = None
    session_id: str | None = None
    state: MaybeJson = MISSING
    config: MaybeJson = MISSING


class Scenario(Model):
    """A plan for a simulated user. ``persona`` is a known persona's name or a whole persona."""

    starting_prompt: str
    plan: str
    persona: MaybeJson = MISSING


class Invocation(Model):
    """One user turn and what is expected of it.

    ``input`` is text where the user talks and an object where the target takes arguments;
    ``expected_output`` likewise. ``notes`` counts what the view leaves out (media parts, thoughts).
    """

    origin: str
    input: MaybeJson = MISSING
    expected_output: MaybeJson = MISSING
    expected_behavior: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    node_order: tuple[str, ...] = ()
    intermediate_responses: tuple[str, ...] = ()
    rubrics: tuple[Rubric, ...] = ()
    notes: tuple[str, ...] = ()


class EvalCase(Model):
    """One scenario. An ``opaque`` case has a shape that its format does not know.

    An opaque case is shown as JSON and kept on save; ``id`` is None where the file gives none.
    ``criteria`` maps an evaluator's ref to what it expects of this case (null: its default).
    """

    origin: str
    id: str | None = None
    name: str | None = None
    description: str | None = None
    tags: tuple[str, ...] = ()
    invocations: tuple[Invocation, ...] = ()
    session: Session | None = None
    scenario: Scenario | None = None
    criteria: dict[str, Json] = {}
    rubrics: tuple[Rubric, ...] = ()
    mocking: MaybeJson = MISSING
    input_mocking: MaybeJson = MISSING
    expected_state: MaybeJson = MISSING
    metadata: MaybeJson = MISSING
    opaque: bool = False


class EvaluatorRef(Model):
    """How a set names one of its evaluators; ``weight`` is None where none is written."""

    ref: str
    weight: float | None = None


class EvalSet(Model):
    """A file of cases. ``read_only`` sets can be read and converted, not edited in place."""

    format_id: str
    id: str | None = None
    name: str | None = None
    description: str | None = None
    evaluator_refs: tuple[EvaluatorRef, ...] = ()
    cases: tuple[EvalCase, ...] = ()
    read_only: bool = False


class Evaluator(Model):
    """A configured check, from an evaluator file or from one entry of a criteria file.

    ``native_type`` is the system's own id of the kind. ``judge`` is the model that judges, None for
    a check that computes. ``config`` holds everything the file says about it.
    """

    ref: str
    name: str
    native_type: str
    description: str = ""
    threshold: float | None = None
    match_mode: str | None = None
    is_judged: bool = False
    judge: str | None = None
    rubrics: tuple[Rubric, ...] = ()
    config: MaybeJson = MISSING
    origin: str = ""
