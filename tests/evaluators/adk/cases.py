"""Cases, turns and judges for the tests of ADK's checks."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from evalcore.evaluators.adk.criteria import evaluator_of
from evalcore.evaluators.base import Evaluator, Sample, Turn
from evalcore.formats.adk.results import read_turn
from evalcore.judges import JudgeError, JudgeReply, JudgeRequest
from evalcore.model import EvalCase, Invocation, Rubric, Scenario, ToolCall
from evalcore.model import Evaluator as Criterion
from evalcore.results import InvocationResult


class Answers:
    """A judge that answers from a list, None for an answer that it does not give."""

    def __init__(self, answers: Iterable[str | None] = ()) -> None:
        self.answers = list(answers)
        self.asked: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if answer is None:
            raise JudgeError("The judge is away")
        return JudgeReply(text=answer)

    def data(self, place: int = -1) -> Any:
        """The material of a question."""
        return json.loads(self.asked[place].messages[-1].content)


class Decides:
    """A judge of rubrics that says yes where a function of the property does."""

    def __init__(self, decide: Callable[[str], bool]) -> None:
        self.decide = decide
        self.asked: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        return JudgeReply(
            text="\n".join(
                f"ID: {rubric['id']}\nProperty: {rubric['property']}\nRationale: because\n"
                f"Verdict: {'yes' if self.decide(rubric['property']) else 'no'}\n"
                for rubric in json.loads(request.messages[-1].content)["rubrics"]
            )
        )


def check(metric: str, criterion: Any = 1.0, judge: Any = None) -> Evaluator:
    return evaluator_of(
        Criterion(ref=metric, name=metric, native_type=metric, config=criterion), judge
    )


def call(name: str, args: Any = None) -> ToolCall:
    return ToolCall(name=name, args={} if args is None else args)


def turn(
    expected: str = "",
    actual: str = "",
    *,
    calls: Sequence[ToolCall] = (),
    made: Sequence[ToolCall] = (),
    rubrics: Sequence[Rubric] = (),
    user: str = "Where is it?",
) -> Turn:
    return Turn(
        expected=Invocation(
            origin="",
            input=user,
            expected_output=expected,
            tool_calls=tuple(calls),
            rubrics=tuple(rubrics),
        ),
        actual=InvocationResult(
            origin="", index=0, input=user, actual_output=actual, actual_tool_calls=tuple(made)
        ),
    )


def sample(*turns: Turn, rubrics: Sequence[Rubric] = ()) -> Sample:
    expected = tuple(t.expected for t in turns if t.expected is not None)
    case = EvalCase(origin="", invocations=expected, rubrics=tuple(rubrics))
    return Sample(case=case, turns=turns)


def simulated(*said: tuple[str, str], plan: str = "Ask for the parcel, then stop.") -> Sample:
    """A run of a case with a simulated user: pairs of a message and a reply."""
    turns = [
        Turn(
            expected=None,
            actual=InvocationResult(origin="", index=i, input=user, actual_output=reply),
        )
        for i, (user, reply) in enumerate(said)
    ]
    scenario = Scenario(starting_prompt="hello", plan=plan)
    return Sample(case=EvalCase(origin="", scenario=scenario), turns=tuple(turns))


def recorded(**raw: Any) -> InvocationResult:
    """A turn as a result file has it."""
    return read_turn({"actual_invocation": {"user_content": {}, **raw}}, "", 0)


def event(*parts: Any, author: str = "desk", **more: Any) -> dict[str, Any]:
    return {"author": author, "content": {"role": "model", "parts": list(parts)}, **more}
