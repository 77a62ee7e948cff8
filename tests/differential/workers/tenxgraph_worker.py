"""Answers with 10xGraph's own criteria, offline, with judges that are scripted."""

import json
import logging

logging.disable(logging.CRITICAL)

from serve import serve  # noqa: E402
from tenxgraph.qa.evaluation.config.criterion_config import CriterionConfig  # noqa: E402
from tenxgraph.qa.evaluation.criteria import (  # noqa: E402
    CRITERIA_REGISTRY,
    BaseCriterion,
    CompositeCriterion,
    ContainsKeywordsCriterion,
    ExactMatchCriterion,
    WeightedCriterion,
    llm_utils,
)
from tenxgraph.qa.evaluation.dataset.eval_set import EvalCase, ToolCall  # noqa: E402
from tenxgraph.qa.evaluation.eval_result import (  # noqa: E402
    CriterionResult,
    EvalCaseResult,
    EvalReport,
    EvalSummary,
)
from tenxgraph.qa.evaluation.execution.result import ExecutionResult  # noqa: E402
from tenxgraph_load import loaded  # noqa: E402

CODE_ONLY = {"exact_match": ExactMatchCriterion, "contains_keywords": ContainsKeywordsCriterion}
REPLIES = []


async def scripted(model, prompt, **_):
    return REPLIES.pop(0), 10, 2, 0


llm_utils.call_llm = scripted


class Fixed(BaseCriterion):
    """A criterion that gives a number."""

    name = "fixed"
    description = "Gives a number."

    def __init__(self, score, threshold):
        super().__init__(CriterionConfig(threshold=threshold))
        self.score = score

    async def evaluate(self, actual, expected):
        return CriterionResult.success("fixed", self.score, self.config.threshold)


def criterion(row):
    name, config = row["criterion"], row["config"]
    if "sub" in config:
        parts = [
            (Fixed(p["score"], p.get("threshold", 0.8)), p.get("weight", 1.0))
            for p in config["sub"]
        ]
        own = CriterionConfig(threshold=config.get("threshold", 0.8))
        if name == "weighted":
            return WeightedCriterion(parts, own)
        return CompositeCriterion([part for part, _ in parts], config.get("require_all", True), own)
    made = CODE_ONLY.get(name) or CRITERIA_REGISTRY[name]
    return made(config=CriterionConfig.model_validate(config))


def run_and_case(row):
    if row["case"] is None:
        return ExecutionResult(), EvalCase(conversation=[])
    actual = row["actual"]
    run = ExecutionResult(
        tool_calls=[ToolCall(**call) for call in actual["tool_calls"]],
        actual_response=actual["actual_response"],
        node_visits=actual["node_visits"],
    )
    return run, EvalCase.model_validate(row["case"])


async def vectors(row):
    REPLIES[:] = [json.dumps(reply) for reply in row.get("judge_replies") or []]
    run, case = run_and_case(row)
    found = await criterion(row).evaluate(run, case)
    return {"result": found.model_dump(mode="json")}


def aggregation(row):
    results = [EvalCaseResult.model_validate(result) for result in row["results"]]
    report = EvalReport.create("set", results)
    summary = EvalSummary.from_results(results).model_dump(mode="json")
    return {"summary": summary, "report_passed": report.passed}


def whole(row):
    """Time a whole evaluation."""
    judge, (run, case) = criterion(row), run_and_case(row)
    return lambda: judge.evaluate(run, case)


if __name__ == "__main__":
    serve(
        {"load": loaded, "vectors": vectors, "aggregation": aggregation},
        {"whole": whole},
    )
