"""Answers with google-adk's own evaluators, offline, with judges that are scripted."""

import json
import logging
import re
import statistics
import warnings

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

from adk_load import loaded  # noqa: E402
from google.adk.evaluation import _efficiency_evaluators as efficiency  # noqa: E402
from google.adk.evaluation import eval_metrics  # noqa: E402
from google.adk.evaluation.eval_case import Invocation  # noqa: E402
from google.adk.evaluation.evaluator import PerInvocationResult  # noqa: E402
from google.adk.evaluation.final_response_match_v1 import (  # noqa: E402
    RougeEvaluator,
    _calculate_rouge_1_scores,
)
from google.adk.evaluation.final_response_match_v2 import (  # noqa: E402
    FinalResponseMatchV2Evaluator,
    _parse_critique,
)
from google.adk.evaluation.hallucinations_v1 import _parse_validation_results  # noqa: E402
from google.adk.evaluation.local_eval_service import (  # noqa: E402
    _copy_invocation_rubrics_to_actual_invocations,
)
from google.adk.evaluation.rubric_based_evaluator import (  # noqa: E402
    DefaultAutoRaterResponseParser,
    MajorityVotePerInvocationResultsAggregator,
    MeanInvocationResultsSummarizer,
    _normalize_text,
)
from google.adk.evaluation.rubric_based_final_response_quality_v1 import (  # noqa: E402
    RubricBasedFinalResponseQualityV1Evaluator,
)
from google.adk.evaluation.simulation.per_turn_user_simulator_quality_v1 import (  # noqa: E402
    _parse_llm_response,
)
from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator  # noqa: E402
from google.adk.models.base_llm import BaseLlm  # noqa: E402
from google.adk.models.llm_response import LlmResponse  # noqa: E402
from google.genai import types  # noqa: E402
from nltk.stem.porter import PorterStemmer  # noqa: E402
from serve import serve  # noqa: E402

EvalStatus = eval_metrics.EvalStatus
METRICS = {
    "tool_trajectory_avg_score": lambda metric: TrajectoryEvaluator(eval_metric=metric),
    "response_match_score": RougeEvaluator,
    "tool_call_count_v1": efficiency._ToolCallCountV1Evaluator,
    "inference_call_count_v1": efficiency._InferenceCallCountV1Evaluator,
    "token_usage_v1": efficiency._TokenUsageV1Evaluator,
    "invocation_duration_v1": efficiency._InvocationDurationV1Evaluator,
}
FIRST = {"user_content": {"role": "user", "parts": [{"text": "q"}]}}
STEMMER = PorterStemmer()


class Strict(BaseLlm):
    """A judge that finds every rubric fulfilled but those that say they must fail."""

    async def generate_content_async(self, request, stream=False):
        text = request.contents[0].parts[0].text.rsplit("<properties>", 1)[1]
        blocks = [
            f"ID: {name}\nProperty: {what}\nRationale: because\n"
            f"Verdict: {'no' if 'must fail' in what else 'yes'}\n"
            for name, what in re.findall(r"\[id: (.*?)\] (.*)", text)
        ]
        part = types.Part(text="\n".join(blocks))
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def criterion(value):
    if value is None:
        return None
    if isinstance(value, dict):
        return eval_metrics.BaseCriterion.model_validate(value)
    return eval_metrics.BaseCriterion(threshold=value)


def evaluator(row):
    metric = eval_metrics.EvalMetric(
        metric_name=row["metric"], criterion=criterion(row["criterion"])
    )
    return METRICS[row["metric"]](metric)


def turns(rows):
    return None if rows is None else [Invocation.model_validate(row) for row in rows]


def told(found):
    return {
        "overall_score": found.overall_score,
        "overall_status": found.overall_eval_status.name,
        "per_turn": [
            {"score": turn.score, "status": turn.eval_status.name}
            for turn in found.per_invocation_results
        ],
    }


def made_anew(rows):
    """Return rows whose NaNs are no objects of the expected side, as in what an agent gives."""
    return json.loads(json.dumps(rows), parse_constant=float)


def vectors(row):
    try:
        found = evaluator(row).evaluate_invocations(
            turns(made_anew(row["actual"])), turns(row["expected"])
        )
    except Exception as error:
        return {"result": {"error": type(error).__name__, "message": str(error)}}
    result = told(found)
    if found.overall_token_usage_details:
        result["token_details"] = found.overall_token_usage_details.model_dump()
    if found.overall_duration_details:
        result["duration_details"] = found.overall_duration_details.model_dump()
    return {"result": result}


async def rubric_scoping(row):
    try:
        metric = eval_metrics.EvalMetric(
            metric_name="r",
            criterion=eval_metrics.BaseCriterion.model_validate(
                {
                    "threshold": row.get("threshold", 0.5),
                    "rubrics": row["criterion_rubrics"],
                    "judge_model_options": {"num_samples": 1},
                }
            ),
        )
        judge = RubricBasedFinalResponseQualityV1Evaluator(metric)
        judge._judge_model = Strict(model="strict")
        wanted = turns([{**FIRST, "rubrics": rubrics} for rubrics in row["turn_rubrics"]])
        made = turns([FIRST] * len(wanted))
        # A run does this first, and refuses what the judge alone would take.
        _copy_invocation_rubrics_to_actual_invocations(wanted, made)
        found = await judge.evaluate_invocations(made, wanted)
    except Exception as error:
        return {"result": {"error": type(error).__name__, "message": str(error)}}
    result = told(found)
    for turn, shown in zip(found.per_invocation_results, result["per_turn"], strict=True):
        shown["rubrics"] = {r.rubric_id: r.score for r in turn.rubric_scores or []}
    return {"result": result}


def status(score, threshold):
    if score is None:
        return EvalStatus.NOT_EVALUATED
    return EvalStatus.PASSED if score >= threshold else EvalStatus.FAILED


def one(score, threshold):
    return PerInvocationResult(
        actual_invocation=Invocation.model_validate(FIRST),
        score=score,
        eval_status=status(score, threshold),
    )


def of_rubrics(scores, threshold):
    found = one(None, threshold)
    found.rubric_scores = [
        eval_metrics.RubricScore(rubric_id=name, score=score) for name, score in scores.items()
    ]
    known = [score for score in scores.values() if score is not None]
    found.score = statistics.mean(known) if known else None
    return found


def reply_judge(threshold):
    judge = FinalResponseMatchV2Evaluator.__new__(FinalResponseMatchV2Evaluator)
    judge._criterion = eval_metrics.BaseCriterion(threshold=threshold)
    return judge


def reply_vote(row):
    mark = row.get("threshold", 0.5)
    judge = reply_judge(mark)
    found = judge.aggregate_per_invocation_samples([one(s, mark) for s in row["samples"]])
    return {"score": found.score, "status": found.eval_status.name}


def reply_overall(row):
    mark = row["threshold"]
    found = reply_judge(mark).aggregate_invocation_results(
        [one(score, mark) for score in row["turn_scores"]]
    )
    return {"overall_score": found.overall_score, "overall_status": found.overall_eval_status.name}


def rubric_vote(row):
    mark = row["threshold"]
    found = MajorityVotePerInvocationResultsAggregator().aggregate(
        [of_rubrics(sample, mark) for sample in row["samples"]], mark
    )
    return {
        "score": found.score,
        "status": found.eval_status.name,
        "rubrics": {r.rubric_id: r.score for r in found.rubric_scores},
    }


def rubric_overall(row):
    found = MeanInvocationResultsSummarizer().summarize(
        [of_rubrics(turn, row["threshold"]) for turn in row["turns"]], row["threshold"]
    )
    return {
        "overall_score": found.overall_score,
        "overall_status": found.overall_eval_status.name,
        "overall_rubrics": {r.rubric_id: r.score for r in found.overall_rubric_scores},
    }


SUPPORTED = ("supported", "not_applicable")
KNOWN = (*SUPPORTED, "unsupported", "contradictory", "disputed")


def hallucinations_parse(row):
    labels = [found["label"] for found in _parse_validation_results(row["judge_text"])]
    counted = [label.lower() in SUPPORTED for label in labels if label.lower() in KNOWN]
    return {"labels": labels, "score": statistics.mean(counted) if counted else None}


def rubric_parse(row):
    parsed = DefaultAutoRaterResponseParser().parse(row["judge_text"])
    return {"parsed": [found.model_dump() for found in parsed]}


def whole(row):
    """Time a whole evaluation."""
    judge, actual, expected = evaluator(row), turns(row["actual"]), turns(row["expected"])
    return lambda: judge.evaluate_invocations(actual, expected)


def bare_rouge(row):
    """Time the comparison of the texts alone."""
    return lambda: _calculate_rouge_1_scores(row["made"], row["wanted"])


if __name__ == "__main__":
    serve(
        {
            "load": loaded,
            "vectors": vectors,
            "final_response_match_v2_parse": lambda row: {
                "label": _parse_critique(row["judge_text"]).name
            },
            "final_response_match_v2_vote": reply_vote,
            "final_response_match_v2_overall": reply_overall,
            "per_turn_user_simulator_parse": lambda row: {
                "label": _parse_llm_response(row["judge_text"]).name
            },
            "rubric_parse": rubric_parse,
            "rubric_vote": rubric_vote,
            "rubric_overall": rubric_overall,
            "rubric_normalize": lambda row: {"out": _normalize_text(row["in"])},
            "hallucinations_parse": hallucinations_parse,
            "rubric_scoping_with_fake_judge": rubric_scoping,
            "stems": lambda row: {"stem": STEMMER.stem(row["word"])},
        },
        {"whole": whole, "rouge": bare_rouge},
    )
