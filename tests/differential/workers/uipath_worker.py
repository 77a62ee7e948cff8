"""Answers with UiPath's own evaluators, offline."""

import logging
import os
import types
from pathlib import Path

os.environ.update(
    UIPATH_TELEMETRY_ENABLED="false",
    UIPATH_URL="https://nowhere.invalid/a/b",
    UIPATH_ACCESS_TOKEN="none",
)
logging.disable(logging.CRITICAL)

from opentelemetry.sdk.trace import ReadableSpan  # noqa: E402
from serve import serve  # noqa: E402
from uipath.eval._helpers.evaluators_helpers import (  # noqa: E402
    _sanitize_tool_name,
    extract_tool_calls,
    tool_calls_order_score_with_ids,
)
from uipath.eval._helpers.output_path import resolve_output_path  # noqa: E402
from uipath.eval.evaluators.evaluator_factory import EvaluatorFactory  # noqa: E402
from uipath.eval.models.models import EvaluationResultDto, WorkloadExecution  # noqa: E402
from uipath.eval.runtime._types import (  # noqa: E402
    UiPathEvalRunResult,
    UiPathEvalRunResultDto,
)
from uipath.eval.runtime.runtime import (  # noqa: E402
    compute_dataset_evaluator_results,
    compute_evaluator_scores,
)
from uipath_load import loaded  # noqa: E402

KINDS = ("BOOLEAN", "NUMERICAL", "ERROR")


def made(file):
    return EvaluatorFactory.create_evaluator(file, Path())


def workload(row):
    criteria = row["criteria"]
    behavior = criteria.get("expectedAgentBehavior") if isinstance(criteria, dict) else None
    return WorkloadExecution(
        agent_input={"q": "hi"},
        workload_output=row["output"],
        workload_trace=[
            ReadableSpan(name=s["name"], attributes=s["attributes"], start_time=0, end_time=0)
            for s in row["trace"]
        ],
        expected_agent_behavior=behavior or "",
        simulation_instructions="SIM",
    )


def on_file_scale(score):
    """Return a score as result files have it: right and wrong are 100 and 0."""
    return 100.0 * score if isinstance(score, bool) else score


async def evaluators(row):
    try:
        evaluator = made(row["evaluator"])
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}
    return await scored(evaluator, row)


async def scored(evaluator, row):
    try:
        found = await evaluator.validate_and_evaluate_criteria(workload(row), row["criteria"])
    except Exception as error:
        return {"raised": f"{type(error).__name__}: {error}"[:300]}
    details = found.details
    result = {
        "kind": KINDS[found.score_type.value],
        "score": on_file_scale(found.score) if "model_answer" in row else found.score,
        "file_score": on_file_scale(found.score),
        "details": details.model_dump() if hasattr(details, "model_dump") else details,
    }
    lines = getattr(found, "_line_by_line_results", None)
    if lines:
        result["line_file_scores"] = [on_file_scale(line.score) for _, line in lines.line_results]
    return {"result": result}


async def judged(row):
    try:
        evaluator = made(row["evaluator"])
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}
    requests = []
    chat = answering(requests, row["model_answer"])
    if hasattr(evaluator, "llm_service"):
        evaluator.llm_service = chat
    else:
        evaluator.llm = types.SimpleNamespace(chat_completions=chat)
    return {**await scored(evaluator, row), "requests": requests}


def answering(requests, arguments):
    async def chat(**asked):
        messages = asked["messages"]
        requests.append(
            {
                "model": asked["model"],
                "temperature": asked.get("temperature"),
                "max_tokens": asked.get("max_tokens"),
                "user": [m["content"] for m in messages if m["role"] == "user"],
                "has_system": any(m["role"] == "system" for m in messages),
            }
        )
        call = types.SimpleNamespace(arguments=arguments)
        calls = None if arguments is None else [call]
        message = types.SimpleNamespace(content="text", tool_calls=calls)
        return types.SimpleNamespace(choices=[types.SimpleNamespace(message=message)])

    return chat


def aggregates(row):
    try:
        known = [made(file) for file in row["evaluators"]]
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}
    results = [
        UiPathEvalRunResult(
            evaluation_name=case,
            evaluation_run_results=[
                UiPathEvalRunResultDto(
                    evaluator_name=name,
                    evaluator_id=ref,
                    result=EvaluationResultDto(score=score, details=details),
                    is_line_result=is_line,
                )
                for name, ref, score, details, is_line in rows
            ],
        )
        for case, rows in row["items"]
    ]
    try:
        final, per_evaluator = compute_evaluator_scores(results, known, row["weights"])
    except ValueError as error:
        return {"result": {"raised": {"message": str(error)}}}
    dataset = {
        key: {"score": found.score, "details": found.details}
        for key, found in compute_dataset_evaluator_results(results, known).items()
    }
    return {"result": {"final": final, "per_evaluator": per_evaluator, "dataset": dataset}}


def paths(row):
    try:
        return {"value": resolve_output_path(row["output"], row["path"])}
    except Exception as error:
        return {"raised": type(error).__name__, "message": str(error)}


def sanitized_tool_names(row):
    return {"out": _sanitize_tool_name(row["in"])}


def whole(row):
    """Time a whole evaluation, as a run of UiPath does it."""
    evaluator, run = made(row["evaluator"]), workload(row)
    return lambda: evaluator.validate_and_evaluate_criteria(run, row["criteria"])


def bare_similarity(row):
    """Time the comparison alone."""
    evaluator = made(row["evaluator"])
    expected = row["criteria"]["expectedOutput"]
    return lambda: evaluator._compare_json(expected, row["output"])


def bare_order(row):
    """Time the comparison alone."""
    calls = extract_tool_calls(workload(row).workload_trace)
    return lambda: tool_calls_order_score_with_ids(calls, row["criteria"]["toolCallsOrder"])


if __name__ == "__main__":
    serve(
        {
            "load": loaded,
            "evaluators": evaluators,
            "llm_judges_fake_model": judged,
            "aggregates": aggregates,
            "paths": paths,
            "sanitized_tool_names": sanitized_tool_names,
        },
        {"whole": whole, "similarity": bare_similarity, "order": bare_order},
    )
