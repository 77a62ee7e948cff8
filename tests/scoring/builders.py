"""Small sets, runs and checks for the tests of scoring."""

from typing import Any

from evalcore.evaluators.base import Evaluator, JudgedEvaluator, Need, Outcome, Params, Sample
from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, EvalSet, EvaluatorRef, Invocation, ToolCall
from evalcore.model import Evaluator as Configured
from evalcore.results import CaseResult, InvocationResult, Run, Verdict
from evalcore.scoring import Check

P, F, E, N = Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED


def calls(*pairs: tuple[str, dict]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(name=name, args=args) for name, args in pairs)


def wanted(reply: Any = MISSING, made=(), nodes=(), **more) -> Invocation:
    return Invocation(origin="/e", expected_output=reply, tool_calls=made, node_order=nodes, **more)


def happened(reply: Any = MISSING, made=None, nodes=None, index=0, **more) -> InvocationResult:
    return InvocationResult(
        origin=f"/a/{index}",
        index=index,
        actual_output=reply,
        actual_tool_calls=made,
        node_visits=nodes,
        **more,
    )


def case(case_id: str, *turns: Invocation, **more) -> EvalCase:
    return EvalCase(origin=f"/{case_id}", id=case_id, invocations=turns, **more)


def result(case_id: str | None, *turns: InvocationResult, **more) -> CaseResult:
    return CaseResult(origin=f"/r/{case_id}", case_id=case_id, invocations=turns, **more)


def eval_set(*cases: EvalCase, format_id="adk", refs=()) -> EvalSet:
    return EvalSet(
        format_id=format_id,
        id="s",
        cases=cases,
        evaluator_refs=tuple(EvaluatorRef(ref=ref) for ref in refs),
    )


def run(*cases: CaseResult, format_id="adk", **more) -> Run:
    return Run(format_id=format_id, eval_set_id="s", cases=cases, **more)


def metric(name: str, config: Any) -> Configured:
    threshold = config.get("threshold") if isinstance(config, dict) else config
    return Configured(ref=name, name=name, native_type=name, config=config, threshold=threshold)


def coded(ref: str, kind: str, **config: Any) -> Configured:
    file = {"version": "1.0", "id": ref, "evaluatorTypeId": kind, "evaluatorConfig": config}
    return Configured(ref=ref, name=ref, native_type=kind, config=file)


class Crashing(Evaluator):
    """A check with a fault of its own."""

    kind = "test.crashing"
    label = "Crashing"
    help = ""
    needs = frozenset[Need]()
    params_type = Params

    def evaluate(self, sample: Sample) -> Outcome:
        raise ZeroDivisionError("division by zero")


class Judged(JudgedEvaluator):
    """A judged check that counts how often it is run; it says yes to replies with "good"."""

    kind = "test.judged"
    label = "Judged"
    help = ""
    needs = frozenset({Need.OUTPUT})
    params_type = Params
    runs = 0

    def calls(self, sample: Sample) -> int:
        return 3

    def evaluate(self, sample: Sample) -> Outcome:
        self.runs += 1
        reply = str(sample.turns[-1].actual.actual_output)
        return Outcome(overall=self.score(0.75 if "good" in reply else 0.25, "", threshold=0.5))


def check(evaluator: Evaluator, ref: str = "x", **more) -> Check:
    return Check(ref, ref, evaluator, **more)
