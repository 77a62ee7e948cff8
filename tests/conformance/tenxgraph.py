"""10xGraph's vectors: a criterion, a case and a run of it, and what the package said."""

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators.base import Evaluator, Need, Outcome, Params, Sample, Turn
from evalcore.evaluators.tenxgraph.base import Criterion, WholeCase
from evalcore.evaluators.tenxgraph.combined import Combined, Composite, Part, Weighted, kind_of
from evalcore.evaluators.tenxgraph.totals import report_passes, summary
from evalcore.formats.tenxgraph.evalset import LENS
from evalcore.formats.tenxgraph.names import named
from evalcore.jsontree import MISSING
from evalcore.judges import JudgeReply, JudgeRequest
from evalcore.model import EvalCase, ToolCall
from evalcore.results import InvocationResult, Verdict
from tests.conformance.report import Check, Mismatch, Row, same

SYSTEM = "tenxgraph"
SETS = {"issues", "errors", "hallucinations"}
"""Details that the package puts through a set, so that their order is chance."""
COMBINED: Mapping[str, type[Combined]] = {"composite": Composite, "weighted": Weighted}


class Replies:
    """A judge that gives the recorded answers in turn; null stands for one without an object."""

    def __init__(self, replies: list[Any]) -> None:
        self.replies = list(replies)
        self.asked: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        if len(self.asked) == len(self.replies):
            raise Mismatch("asked the judge more often than the package did")
        self.asked.append(request)
        return JudgeReply(text=json.dumps(self.replies[len(self.asked) - 1]))


class Fixed(WholeCase):
    """A check that gives a number, as the vectors of combinations have them."""

    kind = "fixed"
    label = "Fixed"
    help = "Gives a number."
    needs: ClassVar[frozenset[Need]] = frozenset()
    params_type: ClassVar[type[Params]] = Criterion

    def __init__(self, number: float, threshold: float) -> None:
        super().__init__(Criterion(threshold=threshold))
        self.number = number

    def evaluate(self, sample: Sample) -> Outcome:
        score = self.score(self.number, "fixed", threshold=self.params.threshold)
        return Outcome(overall=score)


def recognises(file: Row) -> bool:
    return file.get("package") == "10xgraph"


def vectors(row: Row) -> None:
    judge = Replies(row.get("judge_replies") or [])
    evaluator = evaluator_of(row, judge)
    sample = sample_of(row)
    calls = evaluator.calls(sample) if hasattr(evaluator, "calls") else 0
    expected = row["result"]
    try:
        score = evaluator.evaluate(sample).overall
    except EvaldeskError as error:
        if expected["error"] is None:
            raise Mismatch(f"refused: {error}") from error
        return
    if expected["error"] is not None:
        raise Mismatch(f"scored {score.native}, and should be an error: {expected['error']}")
    same("name", evaluator.name, expected["criterion"])
    same("score", score.native, expected["score"])
    same("threshold", score.threshold, expected["threshold"])
    same("passes", score.native >= score.threshold, expected["passed"])
    if score.verdict is Verdict.NOT_EVALUATED:
        # A pass for nothing is none here; it must be one there, and be told.
        same("theirs is a pass", expected["passed"], True)
        same("tells that theirs is a pass", any("a pass" in c for c in score.cautions), True)
    else:
        same("verdict", score.verdict is Verdict.PASSED, expected["passed"])
    same("questions", len(judge.asked), calls)
    if isinstance(score.details, dict):
        same("details", comparable(score.details), comparable(expected["details"]))


def aggregation(row: Row) -> None:
    totals = summary(row["results"])
    same("summary", totals, row["summary"])
    same("passed", report_passes(totals), row["report_passed"])


SECTIONS: dict[str, Check] = {"vectors": vectors, "aggregation": aggregation}


def comparable(details: Row) -> Row:
    """Return details without the order of sets, and parts without what we do not record."""
    shown = {k: sorted(v, key=repr) if k in SETS else v for k, v in details.items()}
    if "sub_results" in shown:
        drop = {"details", "error", "token_usage"}
        parts = [{k: v for k, v in part.items() if k not in drop} for part in shown["sub_results"]]
        shown["sub_results"] = parts
    return shown


def evaluator_of(row: Row, judge: Replies) -> Evaluator:
    criterion, config = row["criterion"], row["config"]
    name = row["reported_name"]
    if criterion in COMBINED and "sub" in config:
        cls = COMBINED[criterion]
        parts = [
            Part(Fixed(part["score"], part.get("threshold", 0.8)), part.get("weight", 1.0))
            for part in config["sub"]
        ]
        return cls(cls.params_type.model_validate(config), name, judge, parts)
    kind = kind_of(criterion)
    if kind is None:
        raise Mismatch(f"there is no criterion {criterion!r} here")
    found = named(criterion)
    same("reported name", found.result if found else None, name)
    return build(kind, config, name, judge)


def sample_of(row: Row) -> Sample:
    if row["case"] is None:
        return Sample(case=EvalCase(origin=""), turns=())
    case = LENS.read({"eval_cases": [row["case"]]}).cases[0]
    expected = [*case.invocations] or [None]
    turns = [
        Turn(expected=e, actual=_actual(row["actual"], i, is_last=i == len(expected) - 1))
        for i, e in enumerate(expected)
    ]
    return Sample(case=case, turns=tuple(turns))


def _actual(actual: Row, index: int, *, is_last: bool) -> InvocationResult:
    """Return a turn of the run, of which only the last has a record: that of the whole case."""
    calls = tuple(
        ToolCall(name=c["name"], args=c.get("args", MISSING), result=c.get("result", MISSING))
        for c in actual["tool_calls"]
    )
    return InvocationResult(
        origin="",
        index=index,
        actual_output=actual["actual_response"] if is_last else "",
        actual_tool_calls=calls if is_last else (),
        node_visits=tuple(actual["node_visits"]) if is_last else (),
    )
