"""What 10xGraph 0.10.3 loads: its files as shapes, with the keys that people write by mistake."""

from __future__ import annotations

from evalcore.formats.shapes import (
    Either,
    Flag,
    Listing,
    Mapped,
    Nullable,
    Number,
    Object,
    Report,
    Text,
    may,
    needs,
)
from evalcore.formats.tenxgraph.names import CRITERIA, MATCH_TYPES
from evalcore.formats.tenxgraph.records import Blocks, Criteria, MatchType, Message, Record

REPORT = Report("tenxgraph", "10xGraph")
OBJECT = Mapped()
TEXTS = Listing(Text())

MESSAGE = Message(
    Record(
        "A message",
        (
            needs("role", Text()),
            needs("content", Either(Text(), Blocks(Mapped()))),
            may("metadata", OBJECT),
        ),
        {"parts": "content", "text": "content"},
    )
)

TOOL_CALL = Record(
    "A tool call",
    (needs("name", Text()), may("args", OBJECT), may("call_id", Nullable(Text())), may("result")),
    {
        "tool_name": "name",
        "arguments": "args",
        "parameters": "args",
        "tool_args": "args",
        "tool_input": "args",
        "id": "call_id",
        "tool_call_id": "call_id",
    },
)

INVOCATION = Record(
    "A turn",
    (
        may("invocation_id", Text()),
        needs("user_content", MESSAGE),
        may("expected_tool_trajectory", Listing(TOOL_CALL)),
        may("expected_node_order", TEXTS),
        may("expected_intermediate_responses", Listing(MESSAGE)),
        may("expected_final_response", Nullable(MESSAGE)),
    ),
    {
        "query": "user_content",
        "user_query": "user_content",
        "user": "user_content",
        "expected": "expected_final_response",
        "expected_response": "expected_final_response",
        "final_response": "expected_final_response",
        "assistant": "expected_final_response",
        "expected_tools": "expected_tool_trajectory",
        "expected_trajectory": "expected_tool_trajectory",
        "expected_tool_calls": "expected_tool_trajectory",
        "tool_uses": "expected_tool_trajectory",
        "node_order": "expected_node_order",
        "intermediate_responses": "expected_intermediate_responses",
    },
)

SESSION = Record(
    "The session",
    (may("app_name", Text()), may("user_id", Text()), may("state", OBJECT), may("config", OBJECT)),
    {"user": "user_id", "initial_state": "state"},
)

CASE = Record(
    "A case",
    (
        may("eval_id", Text()),
        may("name", Text()),
        may("description", Text()),
        may("conversation", Listing(INVOCATION)),
        may("session_input", SESSION),
        may("tags", TEXTS),
        may("metadata", OBJECT),
    ),
    {
        "id": "eval_id",
        "case_id": "eval_id",
        "turns": "conversation",
        "invocations": "conversation",
        "session": "session_input",
        "labels": "tags",
        "context": "metadata",
        "reference_facts": "metadata",
    },
)

EVAL_SET = Record(
    "The eval set",
    (
        may("eval_set_id", Text()),
        may("name", Text()),
        may("description", Text()),
        may("eval_cases", Listing(CASE)),
        may("metadata", OBJECT),
    ),
    {"id": "eval_set_id", "cases": "eval_cases", "tests": "eval_cases", "test_cases": "eval_cases"},
)

CRITERION = Record(
    "A criterion",
    (
        may("threshold", Number()),
        may("match_type", MatchType(*MATCH_TYPES)),
        may("judge_model", Text()),
        may("num_samples", Number(whole=True)),
        may(
            "rubrics",
            Listing(
                Record(
                    "A rubric",
                    (
                        needs("rubric_id", Text()),
                        needs("content", Text()),
                        may("weight", Number()),
                    ),
                    {"id": "rubric_id", "text": "content", "rubric_content": "content"},
                )
            ),
        ),
        may("keywords", TEXTS),
        may("check_args", Flag()),
        may("enabled", Flag()),
        may("api_style", Text()),
    ),
    {"model": "judge_model", "samples": "num_samples", "min_score": "threshold"},
)

SIMULATOR = Record(
    "The user simulator",
    (
        may("model", Text()),
        may("max_invocations", Number(whole=True)),
        may("temperature", Number()),
        may("thinking_enabled", Flag()),
        may("thinking_budget", Number(whole=True)),
        may("api_style", Text()),
    ),
    {"max_turns": "max_invocations"},
)

REPORTER_FLAGS = (
    "enabled",
    "console",
    "json_report",
    "html",
    "junit_xml",
    "verbose",
    "include_details",
    "include_trajectory",
    "include_node_responses",
    "include_actual_response",
    "include_tool_call_details",
    "timestamp_files",
)

EVAL_CONFIG = Record(
    "The config",
    (
        may(
            "criteria",
            Criteria("The list of criteria", [may(c.key, Nullable(CRITERION)) for c in CRITERIA]),
        ),
        may("user_simulator_config", Nullable(SIMULATOR)),
        may("parallel", Flag()),
        may("max_concurrency", Number(whole=True)),
        may("timeout", Number()),
        may("verbose", Flag()),
        may("mock_mode", Flag()),
        may(
            "reporter",
            Record(
                "The reporter",
                (may("output_dir", Text()), *(may(flag, Flag()) for flag in REPORTER_FLAGS)),
            ),
        ),
    ),
    {"threshold": "criteria", "simulator": "user_simulator_config"},
)

TOKENS = Object(
    "A token count",
    [
        may(name, Number(whole=True))
        for name in ("input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens")
    ],
    extra="keep",
)

CRITERION_RESULT = Object(
    "A score",
    (
        needs("criterion", Text()),
        needs("score", Number()),
        needs("passed", Flag()),
        may("threshold", Number()),
        may("details", OBJECT),
        may("error", Nullable(Text())),
        may("token_usage", TOKENS),
    ),
    extra="keep",
)

STEP = Object(
    "A step",
    (
        needs("step_type", Text("node", "tool", "message", "conditional")),
        needs("name", Text()),
        may("args", OBJECT),
        may("timestamp", Nullable(Number())),
        may("metadata", OBJECT),
    ),
    extra="keep",
)

NODE_DETAIL = Object(
    "A node detail",
    (
        may("node_name", Text()),
        may("input_messages", Listing(OBJECT)),
        may("response_text", Text()),
        may("token_usage", TOKENS),
        may("timestamp", Number()),
    ),
    extra="keep",
)

CASE_RESULT = Object(
    "A case's result",
    (
        needs("eval_id", Text()),
        may("name", Text()),
        needs("passed", Flag()),
        may("criterion_results", Listing(CRITERION_RESULT)),
        may("actual_trajectory", Listing(STEP)),
        may("actual_tool_calls", Listing(TOOL_CALL)),
        may("actual_response", Text()),
        may("messages", Listing(OBJECT)),
        may("node_responses", Listing(OBJECT)),
        may("node_visits", TEXTS),
        may("duration_seconds", Number()),
        may("error", Nullable(Text())),
        may("metadata", OBJECT),
        may("turn_results", Listing(OBJECT)),
        may("token_usage", TOKENS),
        may("agent_token_usage", TOKENS),
        may("node_details", Listing(NODE_DETAIL)),
    ),
    extra="keep",
)

SUMMARY = Object(
    "The summary",
    (
        *(
            may(f"{name}_cases", Number(whole=True))
            for name in ("total", "passed", "failed", "error")
        ),
        *(
            may(name, Number())
            for name in (
                "pass_rate",
                "avg_duration_seconds",
                "total_duration_seconds",
                "avg_tokens_per_case",
            )
        ),
        may("criterion_stats", Mapped(OBJECT)),
        may("total_token_usage", TOKENS),
        may("per_case_token_usage", Mapped(TOKENS)),
    ),
    extra="keep",
)

EVAL_REPORT = Object(
    "The report",
    (
        needs("eval_set_id", Text()),
        may("eval_set_name", Text()),
        may("results", Listing(CASE_RESULT)),
        may("summary", SUMMARY),
        may("config_used", OBJECT),
        may("timestamp", Number()),
        may("metadata", OBJECT),
    ),
    extra="keep",
)

PROJECT = Object(
    "The project file",
    (needs("agent", Text()), may("evaluation", OBJECT)),
    extra="keep",
)
