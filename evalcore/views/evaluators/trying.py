"""Trying a check out on a typed pair of expected and actual.

What is typed lies in a scratch tree that no file has, so that the same fields edit it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from evalcore.drafts import Draft
from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators.adk.criteria import evaluator_of
from evalcore.evaluators.base import Evaluator, JudgedEvaluator, Need, NotApplicable, Sample, Turn
from evalcore.evaluators.tenxgraph.files import from_evaluator
from evalcore.evaluators.uipath.files import from_file
from evalcore.files import revision_of
from evalcore.formats._uipath.paths import tokens
from evalcore.formats.names import Names
from evalcore.formats.tenxgraph.evaluators import read_evaluators as tenxgraph_evaluators
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join, put
from evalcore.model import EvalCase, Invocation, ToolCall
from evalcore.model import Evaluator as Configured
from evalcore.results import InvocationResult, Score
from evalcore.views.editing import Editing
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.slots import Slot
from evalcore.workspace import OpenFile

if TYPE_CHECKING:
    from evalcore.judges import Judge

Side = Literal["expected", "actual"]
CRITERION: Final = "/criterion"


@dataclass(frozen=True, slots=True)
class Tried:
    """What a check says: its score, or why there is none; ``calls`` are questions to a judge."""

    score: Score | None
    problem: str = ""
    calls: int = 0


class Scratch(Editing):
    """What somebody types to try a check; it is kept for as long as the page is open."""

    def __init__(self, key: str, start: JsonObject, names: Callable[[], Names] = Names) -> None:
        document = JsonDocument.parse(b"{}").render(start)
        parsed = JsonDocument.parse(document)
        super().__init__(Draft(OpenFile(key, parsed, revision_of(document), None, None)))
        self._names = names

    def known_names(self) -> Names:
        """Return the tools and nodes that the project mentions."""
        return self._names()

    def slot(self, name: str) -> Slot:
        """Return the place of one side of the pair; None is what was never typed."""
        pointer, key = join("", name), f"{self.draft.path}|{name}"

        def read() -> JsonValue:
            found = get(self.tree, pointer)
            return None if found is MISSING else found

        def write(new: JsonValue) -> None:
            self.edit(lambda tree: put(tree, pointer, new), name, key)

        return Slot(self, key, read, write)

    def calls(self, name: str) -> Slot:
        """Return the place of one side that is a list of tool calls, as records."""
        inner = self.slot(name)

        def identify(_calls: object) -> list[JsonValue]:
            found = inner.read()
            return found if isinstance(found, list) else []

        def write(new: Sequence[ToolCall]) -> None:
            inner.write([_raw_call(call) for call in new])

        return Slot(self, inner.key, lambda: calls_of(inner.read()), write, identify)


def fields_for(evaluator: Evaluator, family: str) -> list[tuple[Side, str, str]]:
    """Return what is typed to try a check: (side, name, label)."""
    needs, found = evaluator.needs, list[tuple[Side, str, str]]()
    if family in ("uipath_coded", "uipath_lowcode"):
        if Need.OUTPUT in needs:
            found.append(("actual", "actual_output", "Output of the agent"))
        if Need.TOOL_CALLS in needs:
            found.append(("actual", "actual_calls", "Tool calls of the agent"))
        return found
    if Need.OUTPUT in needs:
        found += [
            ("expected", "expected_reply", "Expected reply"),
            ("actual", "actual_reply", "Reply of the agent"),
        ]
    if Need.TOOL_CALLS in needs:
        found += [
            ("expected", "expected_calls", "Expected tool calls"),
            ("actual", "actual_calls", "Tool calls of the agent"),
        ]
    if Need.NODE_VISITS in needs:
        found += [
            ("expected", "expected_nodes", "Expected nodes"),
            ("actual", "actual_nodes", "Nodes that were visited"),
        ]
    return found


def start_for(evaluator: Evaluator) -> JsonObject:
    """Return a pair to begin with, which most checks pass."""
    call: JsonObject = {"name": "look_up", "args": {"id": "A-17"}}
    reply = "Your parcel arrives on Friday."
    return {
        "asked": "Where is my parcel?",
        "criterion": {},
        "actual_output": start_output(evaluator),
        "expected_reply": reply,
        "actual_reply": "Your parcel will arrive on Friday.",
        "expected_calls": [call],
        "actual_calls": [call],
        "expected_nodes": [],
        "actual_nodes": [],
    }


def start_output(evaluator: Evaluator) -> JsonObject:
    """Return an output to begin with: one that has the fields that a UiPath check looks at."""
    target = getattr(evaluator.params, "target_output_key", "*")
    names = target if isinstance(target, list) else [target]
    made: JsonValue = {}
    for name in names:
        steps = tokens(name) if name not in ("*", "") else ["answer"]
        if all(isinstance(step, str) for step in steps):
            made = put(made, join("", *steps), "Your parcel arrives on Friday.")
    return made if isinstance(made, dict) and made else {"answer": "Friday"}


def start_criterion(evaluator: Evaluator) -> JsonObject:
    """Return an expectation to begin with that a UiPath check can use."""
    output = start_output(evaluator)
    starts: dict[str, JsonObject] = {
        "ExpectedOutput": {"expectedOutput": output},
        "SearchText": {"searchText": "parcel"},
        "ExpectedClass": {"expectedClass": "yes"},
        "ExpectedBehavior": {"expectedAgentBehavior": "Look the parcel up, then tell the day."},
        "ExpectedOrder": {"toolCallsOrder": ["look_up"]},
        "ExpectedCalls": {"toolCalls": [{"name": "look_up", "args": {"id": "A-17"}}]},
        "ExpectedCounts": {"toolCallsCount": {"look_up": ["=", 1]}},
        "ExpectedResults": {"toolOutputs": [{"name": "look_up", "output": "Friday"}]},
    }
    model = getattr(evaluator, "criteria_type", None)
    legacy: JsonObject = {
        "expectedOutput": output,
        "expectedAgentBehavior": "Look the parcel up, then tell the day.",
    }
    return starts.get(model.__name__, {}) if model is not None else legacy


def unread_of(evaluator: Evaluator) -> tuple[str, ...]:
    """Return what a low-code set expects of every check and this one does not read.

    One that looks at the output compares that; the others read how the agent should go about it.
    """
    if hasattr(evaluator, "criteria_type"):
        return ()
    return ("expected_agent_behavior",) if Need.OUTPUT in evaluator.needs else ("expected_output",)


def built(
    bench: Bench, check: CheckView, judge: Judge | None = None, agent_model: str = ""
) -> Evaluator:
    """Return the check that a file configures, as the draft has it now.

    ``agent_model`` is what same-as-agent stands for in a low-code judge.
    Raises UnknownEvaluator for one that is not computed here, EvaldeskError for settings that its
    system would refuse too.
    """
    tree = bench.tree
    if bench.is_single:
        return from_file(tree if isinstance(tree, dict) else {}, judge, agent_model)
    if bench.family == "evaldesk":
        params: Any = get(tree, check.pointer + "/params")
        return build(check.kind, params if isinstance(params, dict) else {}, check.ref, judge)
    raw = get(tree, check.pointer)
    if bench.family == "tenxgraph":
        found = tenxgraph_evaluators({"criteria": {check.ref: raw}})  # type: ignore[dict-item]
        if not found:
            raise EvaldeskError("This check is switched off", hint="Switch it on to try it.")
        return from_evaluator(found[0], judge)
    native = "custom" if check.is_custom or not check.kind else check.native
    config = None if raw is MISSING else raw
    return evaluator_of(
        Configured(ref=check.ref, name=check.title, native_type=native, config=config), judge
    )


def typed_sample(tree: JsonValue, family: str) -> Sample:
    """Return what was typed as a case of one turn that was run."""
    typed: dict[str, Any] = tree if isinstance(tree, dict) else {}
    single = family in ("uipath_coded", "uipath_lowcode")
    criterion: Any = typed.get("criterion") if single else MISSING
    stated = criterion if isinstance(criterion, dict) else {}
    expected = Invocation(
        origin="",
        input=typed.get("asked", MISSING),
        expected_output=stated.get("expectedOutput", MISSING)
        if single
        else typed.get("expected_reply", MISSING),
        expected_behavior=stated.get("expectedAgentBehavior") if single else None,
        tool_calls=() if single else calls_of(typed.get("expected_calls")),
        node_order=tuple(_texts(typed.get("expected_nodes"))),
    )
    actual = InvocationResult(
        origin="typed",
        index=0,
        input=typed.get("asked", MISSING),
        actual_output=typed.get("actual_output" if single else "actual_reply", MISSING),
        actual_tool_calls=calls_of(typed.get("actual_calls")),
        node_visits=tuple(_texts(typed.get("actual_nodes"))),
    )
    case = EvalCase(origin="", id="typed", invocations=(expected,))
    turn = Turn(expected=expected, actual=actual)
    # A low-code check takes what the case expects, and nothing for itself in particular.
    own = criterion if family == "uipath_coded" else MISSING
    return Sample(case=case, turns=(turn,), criterion=own)


def calls_of(value: Any) -> tuple[ToolCall, ...]:
    """Return a list of objects with a name, arguments and perhaps an answer as tool calls."""
    return tuple(
        ToolCall(
            name=str(item.get("name", "")),
            args=item.get("args", MISSING),
            result=item.get("output", item.get("result", MISSING)),
        )
        for item in (value if isinstance(value, list) else ())
        if isinstance(item, dict)
    )


def _raw_call(call: ToolCall) -> JsonObject:
    made: JsonObject = {"name": call.name}
    made |= {} if call.args is MISSING else {"args": call.args}
    return made | ({} if call.result is MISSING else {"output": call.result})


def count_calls(evaluator: Evaluator, sample: Sample) -> int:
    """Return how often a judge would be asked; 0 for a check that computes."""
    if not isinstance(evaluator, JudgedEvaluator):
        return 0
    try:
        return evaluator.calls(sample)
    except EvaldeskError:
        return 0


def attempt(evaluator: Evaluator, sample: Sample) -> Tried:
    """Return what a check says of a sample; whatever goes wrong in it is told, never a number."""
    calls = count_calls(evaluator, sample)
    try:
        return Tried(evaluator.evaluate(sample).overall, calls=calls)
    except NotApplicable as error:
        return Tried(None, f"Not evaluated: {error.message}. {error.hint}".strip(), calls)
    except EvaldeskError as error:
        return Tried(None, f"{error.message.rstrip('.')}. {error.hint}".strip(), calls)
    except Exception as error:
        # Typed values may be anything; a fault of the check is its answer, as in a run.
        return Tried(None, f"{type(error).__name__}: {error}", calls)


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
