"""Cases, runs and judges for the checks of 10xGraph."""

import json
from collections.abc import Sequence
from typing import Any

from evalcore.evaluators import build
from evalcore.evaluators.base import Evaluator, Sample, Turn
from evalcore.jsontree import MISSING
from evalcore.judges import JudgeReply, JudgeRequest
from evalcore.model import EvalCase, Invocation, ToolCall
from evalcore.results import InvocationResult, Score


class Told:
    """A judge that gives these answers in turn, the last one ever after, and keeps the questions.

    A text is given as it is, anything else as JSON.
    """

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers) or [{"score": 1.0}]
        self.asked: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        answer = self.answers[min(len(self.asked), len(self.answers) - 1)]
        self.asked.append(request)
        return JudgeReply(text=answer if isinstance(answer, str) else json.dumps(answer))

    @property
    def prompt(self) -> str:
        """The one question that was asked, however often."""
        (prompt,) = {request.messages[0].content for request in self.asked}
        return prompt

    @property
    def material(self) -> Any:
        """What the question holds of the case."""
        return json.loads(self.prompt.split("\n" + "=" * 20 + "\n")[1])


def call(name: str, result: Any = MISSING, **args: Any) -> ToolCall:
    return ToolCall(name=name, args=args, result=result)


def turn(
    reply: Any = "",
    expects: Any = MISSING,
    *,
    says: str = "What is on?",
    tools: Sequence[ToolCall] = (),
    made: Sequence[ToolCall] | None = (),
    nodes: Sequence[str] = (),
    visited: Sequence[str] | None = (),
) -> Turn:
    expected = Invocation(
        origin="",
        input=says,
        expected_output=expects,
        tool_calls=tuple(tools),
        node_order=tuple(nodes),
    )
    actual = InvocationResult(
        origin="",
        index=0,
        actual_output=reply,
        actual_tool_calls=None if made is None else tuple(made),
        node_visits=None if visited is None else tuple(visited),
    )
    return Turn(expected=expected, actual=actual)


def sample(*turns: Turn, metadata: Any = MISSING) -> Sample:
    return Sample(case=EvalCase(origin="", metadata=metadata), turns=turns)


def check(name: str, judge: Any = None, **config: Any) -> Evaluator:
    return build(f"tenxgraph.{name}", config, judge=judge)


def score(name: str, case: Sample | Turn, judge: Any = None, **config: Any) -> Score:
    given = sample(case) if isinstance(case, Turn) else case
    return check(name, judge, **config).evaluate(given).overall
