"""Samples and evaluators for the tests of UiPath's checks."""

from typing import Any

from evalcore.evaluators.base import Evaluator, Outcome, Sample, Turn
from evalcore.evaluators.uipath.files import from_file
from evalcore.jsontree import MISSING
from evalcore.judges import JudgeReply, JudgeRequest
from evalcore.model import EvalCase, Invocation, ToolCall
from evalcore.results import InvocationResult, Score


class Answers:
    """A judge that gives one answer and keeps the questions."""

    def __init__(self, arguments: Any, text: str = "") -> None:
        self.reply = JudgeReply(text=text, arguments=arguments)
        self.asked: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        return self.reply

    @property
    def prompt(self) -> str:
        """The last prompt."""
        return self.asked[-1].messages[-1].content


def coded(kind: str, judge: Any = None, **config: Any) -> Evaluator:
    return from_file(
        {
            "version": "1.0",
            "id": "e",
            "evaluatorTypeId": f"uipath-{kind}",
            "evaluatorConfig": {"name": "e", **config},
        },
        judge,
    )


def legacy(category: int, number: int, judge: Any = None, **config: Any) -> Evaluator:
    return from_file(
        {"id": "e", "name": "e", "category": category, "type": number, **config}, judge
    )


def tool(name: str, given: Any = None, answer: Any = None, **attributes: Any) -> dict[str, Any]:
    """Return the span of a call; ``attributes`` are written without the ``tool.`` before them."""
    found = {"tool.name": name, **{f"tool.{k}": v for k, v in attributes.items()}}
    if given is not None:
        found["input.value"] = given
    if answer is not None:
        found["output.value"] = answer
    return {"name": name, "attributes": found}


def sample(
    criterion: Any = MISSING,
    output: Any = MISSING,
    trace: Any = MISSING,
    *,
    expected: Any = MISSING,
    behavior: str | None = None,
    given: Any = MISSING,
    calls: tuple[ToolCall, ...] | None = None,
) -> Sample:
    turn = Turn(
        expected=Invocation(
            origin="", input=given, expected_output=expected, expected_behavior=behavior
        ),
        actual=InvocationResult(
            origin="", index=0, actual_output=output, trace=trace, actual_tool_calls=calls
        ),
    )
    return Sample(case=EvalCase(origin=""), turns=(turn,), criterion=criterion)


def outcome(evaluator: Evaluator, *args: Any, **more: Any) -> Outcome:
    return evaluator.evaluate(sample(*args, **more))


def score(evaluator: Evaluator, *args: Any, **more: Any) -> Score:
    return outcome(evaluator, *args, **more).overall


def expecting(value: Any) -> dict[str, Any]:
    return {"expectedOutput": value}
