"""Whatever marks of ADK, Harnest and 10xGraph a file mixes, at most one format is sure of it."""

from pathlib import PurePath

from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import formats

PATHS = st.sampled_from(
    [
        PurePath(folder, name)
        for folder in ("agent", "evals", "agent/evals")
        for name in (
            "s.evalset.json",
            "_s.evalset.json",
            "s.test.json",
            "test_config.json",
            "eval_config.json",
            "s.json",
            "s.evalset_result.json",
        )
    ]
)


def some_of(members):
    return st.fixed_dictionaries({}, optional={k: st.just(v) for k, v in members.items()})


CONTENT = some_of({"parts": [{"text": "Hi"}], "content": "Hi", "role": "user"})
TURN = st.builds(
    lambda said, more: {**said, **more},
    st.one_of(
        st.builds(lambda c: {"user_content": c}, CONTENT),
        st.builds(lambda c: {"userContent": c}, CONTENT),
    ),
    some_of(
        {
            "final_response": {},
            "intermediate_data": {},
            "expected_final_response": None,
            "expected_tool_trajectory": [],
            "invocation_id": "i",
        }
    ),
)
CASE = st.builds(
    lambda turns, more: {"conversation": turns, **more},
    st.lists(TURN, max_size=2),
    some_of(
        {
            "eval_id": "c",
            "evalId": "c",
            "name": "n",
            "tags": [],
            "metadata": {},
            "rubrics": [],
            "session_input": {},
            "sessionInput": {},
            "creation_timestamp": 1.0,
            "conversation_scenario": None,
        }
    ),
)
SETS = st.builds(
    lambda cases, key, more: {key: cases, **more},
    st.lists(CASE, max_size=2),
    st.sampled_from(["eval_cases", "evalCases"]),
    some_of(
        {
            "eval_set_id": "s",
            "evalSetId": "s",
            "name": "n",
            "metadata": {},
            "creation_timestamp": 1.0,
        }
    ),
)
CRITERION = st.sampled_from([0.8, None, {"threshold": 0.8}, {}, {"enabled": True}])
CONFIGS = st.builds(
    lambda criteria, more: {"criteria": criteria, **more},
    st.dictionaries(
        st.sampled_from(
            [
                "response_match_score",
                "tool_trajectory_avg_score",
                "trajectory",
                "rouge_match",
                "safety",
                "safety_v1",
                "tool_name_match_score",
                "factual_accuracy_v1",
                "mine",
            ]
        ),
        CRITERION,
        max_size=3,
    ),
    some_of(
        {
            "custom_metrics": {},
            "live_model_config": None,
            "reporter": {},
            "max_concurrency": 4,
            "parallel": False,
            "user_simulator_config": None,
        }
    ),
)
RESULTS = some_of(
    {
        "kind": "EvalRunResult",
        "evalSetResults": [],
        "eval_case_results": [],
        "evalCaseResults": [],
        "eval_set_result_id": "r",
        "eval_set_id": "s",
        "results": [{"eval_id": "c", "passed": True}],
        "summary": {"pass_rate": 1.0},
        "eval_cases": [],
    }
)


@settings(max_examples=1000)
@given(st.one_of(SETS, CONFIGS, RESULTS), PATHS)
def test_at_most_one_format_is_sure(value, path):
    sure = [
        answer.format_id
        for format_ in formats.built_in()
        if (answer := format_.detect(value, path)) is not None and answer.confidence == "sure"
    ]
    assert len(sure) <= 1, sure
