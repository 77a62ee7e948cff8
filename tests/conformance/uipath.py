"""UiPath's vectors: a file of evaluators, criteria and outputs, and what the package said."""

from typing import Any

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, JudgedEvaluator, Outcome, Sample, Turn
from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.evaluators.uipath.files import from_file
from evalcore.evaluators.uipath.names import sanitised
from evalcore.evaluators.uipath.totals import Row as Scored
from evalcore.evaluators.uipath.totals import label_numbers, reduced, totals
from evalcore.evaluators.uipath.values import resolve
from evalcore.jsontree import MISSING
from evalcore.judges import JudgeReply, JudgeRequest
from evalcore.mocking import Answer, Call, Effect, Mocks
from evalcore.model import EvalCase, Invocation
from evalcore.results import InvocationResult
from tests.conformance.report import Check, Mismatch, Row, same

SYSTEM = "uipath"
INPUT = {"q": "hi"}
"""What every agent in the vectors was given; the rows do not say."""
SIMULATION = "SIM"
"""How its tools were simulated."""
STRATEGIES = {
    "mockito": "MockitoMockingStrategy",
    "llm": "LLMMockingStrategy",
    "unknown": "UnknownMockingStrategy",
    "none": "NoneType",
}


class Recorded:
    """A judge that gives one answer and remembers what it was asked."""

    def __init__(self, arguments: Any) -> None:
        self.arguments = arguments
        self.asked: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked.append(request)
        if self.arguments is None:
            return JudgeReply(text="text")
        return JudgeReply(arguments=self.arguments)


def recognises(file: Row) -> bool:
    return file.get("package") == "uipath"


def evaluators(row: Row) -> None:
    outcome = _outcome(from_file(row["evaluator"]), row)
    _compare(row, outcome, "file_score")


def judged(row: Row) -> None:
    judge = Recorded(row["model_answer"])
    evaluator = _as_uipath(from_file(row["evaluator"], judge))
    calls = evaluator.calls(_sample(row))
    outcome = _outcome(evaluator, row)
    _compare(row, outcome, "score")
    same("requests", [_request(request) for request in judge.asked], row["requests"])
    same("number of calls", calls, len(row["requests"]))


def reduce_scores(row: Row) -> None:
    rows = [Scored("", "", r["score"], r.get("details", MISSING)) for r in row["rows"]]
    same("reduced", reduced(from_file(row["evaluator"]), rows), row["reduced"])


def aggregates(row: Row) -> None:
    known = [from_file(file) for file in row["evaluators"]]
    rows = [
        Scored(case, name, score, details, is_line)
        for case, results in row["items"]
        for name, _, score, details, is_line in results
    ]
    expected = row["result"]
    try:
        found = totals(rows, known, row["weights"])
    except EvaldeskError as error:
        if "raised" not in expected:
            raise Mismatch(f"refused: {error}") from error
        return
    if "raised" in expected:
        raise Mismatch(f"accepted, and should be refused: {expected['raised']['message']}")
    same("final", found.final, expected["final"])
    same("per_evaluator", dict(found.by_evaluator), expected["per_evaluator"])
    numbers = label_numbers(rows, known)
    dataset = expected["dataset"]
    same("keys", list(numbers), list(dataset))
    for key, number in numbers.items():
        same(f"{key} score", number.native, dataset[key]["score"])
        same(f"{key} details", number.details, dataset[key]["details"])


def paths(row: Row) -> None:
    try:
        found = resolve(row["output"], row["path"])
    except EvaldeskError as error:
        if "raised" not in row:
            raise Mismatch(f"refused: {error}") from error
        return
    if "raised" in row:
        raise Mismatch(f"found {found!r}, and should be refused: {row['message']}")
    same("value", found, row["value"])


def sanitized_tool_names(row: Row) -> None:
    same("out", sanitised(row["in"]), row["out"])


def mockito(row: Row) -> None:
    mocks = Mocks(row["strategy"])
    same("parsed_as", STRATEGIES[mocks.kind], row["parsed_as"])
    unused = mocks.problem != "" or mocks.kind == "none"
    same("is not used", unused, "create_raised" in row)
    calls = [Call(function=row["function"], args=args, named=named) for args, named in row["calls"]]
    found = [mocks.answer(call) for call in calls]
    if "answers" in row:
        same("answers", list(map(_answer, found)), row["answers"])
    else:
        same("effects", {answer.effect for answer in found}, {Effect.REAL})


SECTIONS: dict[str, Check] = {
    "evaluators": evaluators,
    "reduce_scores": reduce_scores,
    "aggregates": aggregates,
    "paths": paths,
    "sanitized_tool_names": sanitized_tool_names,
    "mockito": mockito,
    "llm_judges_fake_model": judged,
}


def _answer(answer: Answer) -> Row:
    if answer.effect is Effect.REAL:
        return {"value": "REAL"}
    if answer.effect is Effect.RETURNS:
        return {"value": answer.value}
    cause = {"cause": answer.cause} if answer.cause else {}
    return {"raised": answer.error, "message": "", **cause}


def _as_uipath(evaluator: Evaluator) -> JudgedEvaluator:
    """Return a judge that makes UiPath's very requests."""
    assert isinstance(evaluator, JudgedEvaluator)
    changes = {"literal_data": False, "simulation_instructions": SIMULATION}
    known = {k: v for k, v in changes.items() if k in type(evaluator.params).model_fields}
    evaluator.params = evaluator.params.model_copy(update=known)
    return evaluator


def _sample(row: Row) -> Sample:
    criteria = row["criteria"]
    behavior = criteria.get("expectedAgentBehavior") if isinstance(criteria, dict) else None
    turn = Turn(
        expected=Invocation(
            origin="",
            input=INPUT,
            expected_behavior=behavior if isinstance(behavior, str) else None,
        ),
        actual=InvocationResult(
            origin="", index=0, input=INPUT, actual_output=row["output"], trace=row["trace"]
        ),
    )
    return Sample(case=EvalCase(origin=""), turns=(turn,), criterion=criteria)


def _outcome(evaluator: Evaluator, row: Row) -> Outcome | EvaldeskError:
    try:
        return evaluator.evaluate(_sample(row))
    except EvaldeskError as error:
        return error


def _compare(row: Row, ours: Outcome | EvaldeskError, number: str) -> None:
    if isinstance(ours, CriteriaError) or "raised" in row:
        same("fails the case", isinstance(ours, CriteriaError), "raised" in row)
        return
    expected = row["result"]
    same("is an error", isinstance(ours, EvaldeskError), expected["kind"] == "ERROR")
    if isinstance(ours, EvaldeskError):
        return
    same("score", ours.overall.native, expected[number])
    if "line_file_scores" in expected:
        lines = [0.0 if line.native is None else line.native for line in ours.lines]
        same("lines", lines, expected["line_file_scores"])
    if isinstance(ours.overall.details, dict):
        same("details", ours.overall.details, expected["details"])


def _request(request: JudgeRequest) -> Row:
    assert request.tool is not None
    assert request.tool.name == "submit_evaluation"
    return {
        "model": request.model,
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "user": [m.content for m in request.messages if m.role == "user"],
        "has_system": any(m.role == "system" for m in request.messages),
    }
