"""Small runs built by hand, for tests of what the Results page shows."""

from evalcore.jsontree import MISSING
from evalcore.results import CaseResult, InvocationResult, Run, Score, Verdict

P, F, E, N = Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED


def score(value=1.0, verdict=P, threshold=0.8, evaluator="response", **more):
    return Score(
        **{
            "evaluator": evaluator,
            "value": value,
            "native": value,
            "verdict": verdict,
            "threshold": threshold,
            **more,
        }
    )


def turn(*scores, index=0, said="hello", expected=MISSING, actual="hi", **more):
    return InvocationResult(
        origin=f"/turns/{index}",
        index=index,
        input=said,
        expected_output=expected,
        actual_output=actual,
        scores=scores,
        **more,
    )


def case(case_id="a", verdict=None, scores=(), turns=(), **more):
    return CaseResult(
        origin=f"/cases/{case_id}",
        case_id=case_id,
        verdict=verdict,
        scores=tuple(scores),
        invocations=tuple(turns),
        **more,
    )


def run(*cases, **more):
    return Run(**{"format_id": "adk", "name": "r", "eval_set_id": "s", "cases": cases, **more})
