"""Eval sets that load and do something else than they seem to."""

from pathlib import PurePath

import pytest

from tests.formats.adk.helpers import (
    Nearby,
    beside,
    calls,
    case,
    config,
    errors,
    eval_set,
    found,
    problems,
    rubric,
    turn,
)

TURN = "/eval_cases/0/conversation/0"
SCENARIO = {"starting_prompt": "a", "conversation_plan": "b"}
STRICT = beside(tool_trajectory_avg_score=1.0)
FREE = beside(tool_trajectory_avg_score={"threshold": 1.0, "match_type": "in order"})
REPLIES = beside(response_match_score=0.8)
JUDGED = beside(rubric_based_final_response_quality_v1=0.8)
JUDGED_WITH_OWN = beside(
    rubric_based_final_response_quality_v1={"threshold": 1, "rubrics": [rubric("r", None)]}
)
FREE_CALL = calls({"name": "f", "args": {}})

TRAPS = {
    "no cases": (
        {"eval_set_id": "s", "eval_cases": []},
        None,
        "warning",
        "no_cases",
        "/eval_cases",
    ),
    "two cases of one id": (
        eval_set(case("a"), case("a")),
        None,
        "error",
        "duplicate_case_id",
        "/eval_cases/1/eval_id",
    ),
    "empty id": (eval_set(case("")), None, "warning", "empty_case_id", "/eval_cases/0/eval_id"),
    "colon in the id": (
        eval_set(case("a:b")),
        None,
        "warning",
        "case_id_not_selectable",
        "/eval_cases/0/eval_id",
    ),
    "comma in the id": (
        eval_set(case("a,b")),
        None,
        "warning",
        "case_id_not_selectable",
        "/eval_cases/0/eval_id",
    ),
    "slash in the id": (
        eval_set(case("a/b")),
        None,
        "warning",
        "case_id_with_slash",
        "/eval_cases/0/eval_id",
    ),
    "slash in the set's id": (
        eval_set() | {"eval_set_id": "a/b"},
        None,
        "error",
        "set_id_with_slash",
        "/eval_set_id",
    ),
    "set id is not the file's name": (
        eval_set() | {"eval_set_id": "other"},
        None,
        "info",
        "set_id_differs",
        "/eval_set_id",
    ),
    "no turns": (
        eval_set({"eval_id": "c", "conversation": []}),
        None,
        "warning",
        "empty_conversation",
        "/eval_cases/0/conversation",
    ),
    "a simulated user who says nothing": (
        eval_set({"eval_id": "c", "conversation_scenario": SCENARIO | {"starting_prompt": ""}}),
        None,
        "warning",
        "empty_scenario",
        "/eval_cases/0/conversation_scenario/starting_prompt",
    ),
    "a simulated user without a plan": (
        eval_set(
            {"eval_id": "c", "conversation_scenario": SCENARIO | {"conversation_plan": " \n"}}
        ),
        None,
        "warning",
        "empty_scenario",
        "/eval_cases/0/conversation_scenario/conversation_plan",
    ),
    "a simulated user beside an empty list of turns": (
        eval_set({"eval_id": "c", "conversation": [], "conversation_scenario": SCENARIO}),
        None,
        "error",
        "turns_and_scenario",
        "/eval_cases/0/conversation",
    ),
    "the user says nothing": (
        eval_set(case("c", turn(user_content={"parts": []}))),
        None,
        "warning",
        "empty_user_message",
        f"{TURN}/user_content",
    ),
    "no reply, compared by default": (
        eval_set(case("c", turn(reply=None))),
        None,
        "warning",
        "no_expected_reply",
        TURN,
    ),
    "empty reply": (
        eval_set(case("c", turn(reply=""))),
        REPLIES,
        "warning",
        "no_expected_reply",
        f"{TURN}/final_response",
    ),
    "no reply in a whole set": (
        eval_set(*(case(name, turn(reply=None)) for name in "abc")),
        REPLIES,
        "warning",
        "no_expected_replies",
        "",
    ),
    "reply of symbols": (
        eval_set(case("c", turn(reply="👍 …"))),
        REPLIES,
        "warning",
        "reply_without_words",
        f"{TURN}/final_response",
    ),
    "call in the reply": (
        eval_set(case("c", turn(final_response={"parts": [{"text": "x"}, {"functionCall": {}}]}))),
        None,
        "warning",
        "call_in_reply",
        f"{TURN}/final_response/parts/1/functionCall",
    ),
    "thought in the reply": (
        eval_set(case("c", turn(final_response={"parts": [{"text": "hm", "thought": True}]}))),
        None,
        "info",
        "thought_in_reply",
        f"{TURN}/final_response/parts/0",
    ),
    "no calls in a free order": (
        eval_set(case("c", turn(intermediate_data=calls()))),
        FREE,
        "warning",
        "no_calls_in_free_order",
        f"{TURN}/intermediate_data",
    ),
    "call without arguments": (
        eval_set(case("c", turn(intermediate_data=calls({"name": "f"})))),
        STRICT,
        "warning",
        "call_without_args",
        f"{TURN}/intermediate_data/tool_uses/0",
    ),
    "call with null arguments": (
        eval_set(case("c", turn(intermediate_data=calls({"name": "f", "args": None})))),
        STRICT,
        "warning",
        "call_without_args",
        f"{TURN}/intermediate_data/tool_uses/0/args",
    ),
    "call without name": (
        eval_set(case("c", turn(intermediate_data=calls({"args": {}})))),
        STRICT,
        "warning",
        "call_without_name",
        f"{TURN}/intermediate_data/tool_uses/0",
    ),
    "recorded call without arguments": (
        eval_set(
            case(
                "c",
                turn(
                    intermediateData={
                        "invocationEvents": [
                            {"author": "a", "content": {"parts": [{"functionCall": {"name": "f"}}]}}
                        ]
                    }
                ),
            )
        ),
        STRICT,
        "warning",
        "call_without_args",
        f"{TURN}/intermediateData/invocationEvents/0/content/parts/0/functionCall",
    ),
    "empty events": (
        eval_set(case("c", turn(intermediate_data={"invocation_events": []}))),
        None,
        "info",
        "empty_events",
        f"{TURN}/intermediate_data/invocation_events",
    ),
    "rubric without type": (
        eval_set(case(rubrics=[rubric("r", None)])),
        None,
        "warning",
        "rubric_without_type",
        "/eval_cases/0/rubrics/0",
    ),
    "rubric of an unknown type": (
        eval_set(case("c", turn(rubrics=[rubric("r", "final_response_quality")]))),
        None,
        "warning",
        "rubric_type_unknown",
        f"{TURN}/rubrics/0/type",
    ),
    "rubric without text": (
        eval_set(
            case(rubrics=[{"rubric_id": "r", "rubric_content": {}, "type": "TOOL_USE_QUALITY"}])
        ),
        None,
        "warning",
        "rubric_without_text",
        "/eval_cases/0/rubrics/0/rubric_content",
    ),
    "rubric id in case and turn": (
        eval_set(case("c", turn(rubrics=[rubric()]), rubrics=[rubric("r", "TOOL_USE_QUALITY")])),
        None,
        "error",
        "rubric_id_twice",
        f"{TURN}/rubrics/0/rubric_id",
    ),
    "rubric id twice in a case": (
        eval_set(case(rubrics=[rubric(), rubric()])),
        None,
        "error",
        "rubric_id_twice",
        "/eval_cases/0/rubrics/1/rubric_id",
    ),
    "rubric id in case and criteria": (
        eval_set(case(rubrics=[rubric()])),
        JUDGED_WITH_OWN,
        "warning",
        "rubric_id_in_criteria",
        "/eval_cases/0/rubrics/0/rubric_id",
    ),
    "no rubrics for a rubric metric": (
        eval_set(case(rubrics=[rubric("r", "TOOL_USE_QUALITY")])),
        JUDGED,
        "warning",
        "no_rubrics_for_metric",
        "/eval_cases/0",
    ),
    "different rubrics by turn": (
        eval_set(case("c", turn(rubrics=[rubric("a")]), turn(rubrics=[rubric("b")]))),
        JUDGED,
        "warning",
        "rubrics_differ_by_turn",
        "/eval_cases/0",
    ),
    "rubric that no criterion judges": (
        eval_set(case(rubrics=[rubric()])),
        REPLIES,
        "info",
        "rubric_not_judged",
        "/eval_cases/0/rubrics/0",
    ),
    "reference metric on a scenario": (
        eval_set({"eval_id": "c", "conversation_scenario": SCENARIO}),
        None,
        "warning",
        "reference_metric_on_scenario",
        "/eval_cases/0/conversation_scenario",
    ),
    "simulator metric on turns": (
        eval_set(),
        beside(per_turn_user_simulator_quality_v1=1),
        "warning",
        "simulator_metric_on_turns",
        "/eval_cases/0/conversation",
    ),
    "persona by name": (
        eval_set({"eval_id": "c", "conversation_scenario": SCENARIO | {"user_persona": "NOVICE"}}),
        None,
        "info",
        "persona_is_expanded",
        "/eval_cases/0/conversation_scenario/user_persona",
    ),
    "expected state": (
        eval_set(case(final_session_state={"a": 1})),
        None,
        "info",
        "expected_state_unread",
        "/eval_cases/0/final_session_state",
    ),
    "empty user id": (
        eval_set(case(session_input={"app_name": "a", "user_id": ""})),
        None,
        "info",
        "empty_user_id",
        "/eval_cases/0/session_input/user_id",
    ),
    "an app that no folder is called after": (
        eval_set(case(session_input={"app_name": "other", "user_id": "u"})),
        None,
        "info",
        "app_is_no_folder",
        "/eval_cases/0/session_input/app_name",
    ),
    "pinned session with state": (
        eval_set(
            case(
                session_input={
                    "app_name": "a",
                    "user_id": "u",
                    "session_id": "x",
                    "state": {"k": 1},
                }
            )
        ),
        None,
        "info",
        "pinned_session",
        "/eval_cases/0/session_input/session_id",
    ),
    "test_config.json beside it": (eval_set(), STRICT, "info", "config_by_path_only", ""),
    "eval_config.json beside it": (
        eval_set(),
        Nearby({"eval_config.json": config(response_match_score=1)}),
        "info",
        "config_not_picked_up",
        "",
    ),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_reported_at_its_place(name):
    value, near, severity, code, pointer = TRAPS[name]
    assert (severity, f"adk.{code}", pointer) in found(value, near=near)


def test_a_plain_set_has_nothing_to_report():
    plain = eval_set(case("c", turn(intermediate_data=FREE_CALL)))
    assert found(plain) == []


@pytest.mark.parametrize(
    ("value", "near", "code"),
    [
        (eval_set(case("c", turn(reply=None))), STRICT, "no_expected_reply"),
        (eval_set(case("c", turn(reply=None))), beside(safety_v1=1), "no_expected_reply"),
        (eval_set(case("c", turn(intermediate_data=calls()))), STRICT, "no_calls_in_free_order"),
        (
            eval_set(case("c", turn(intermediate_data=FREE_CALL))),
            FREE,
            "no_calls_in_free_order",
        ),
        (
            eval_set(case("c", turn(intermediate_data=calls({"name": "f"})))),
            beside(tool_trajectory_avg_score={"threshold": 1, "ignoreArgs": True}),
            "call_without_args",
        ),
        (
            eval_set(case("c", turn(rubrics=[rubric("a")]), turn(rubrics=[rubric("a")]))),
            JUDGED,
            "rubrics_differ_by_turn",
        ),
        (
            eval_set({"eval_id": "c", "conversation_scenario": SCENARIO}),
            beside(safety_v1=1),
            "reference_metric_on_scenario",
        ),
        (
            eval_set(case("c", turn(rubrics=[rubric("a")]), turn(rubrics=[rubric("a")]))),
            JUDGED,
            "rubric_id_twice",
        ),
        (eval_set(case(rubrics=[rubric()])), JUDGED, "rubric_not_judged"),
        (eval_set(case("c", turn(reply="42"))), REPLIES, "reply_without_words"),
        (eval_set(), Nearby(), "config_by_path_only"),
    ],
)
def test_what_looks_like_a_trap_and_is_none_stays_quiet(value, near, code):
    assert f"adk.{code}" not in {c for _, c, _ in found(value, near=near)}


@pytest.mark.parametrize(
    "path", ["refund-desk/s.evalset.json", "refund_desk/eval/s.evalset.json", "s.evalset.json"]
)
def test_an_app_called_like_a_folder_above_is_no_trap(path):
    value = eval_set(case(session_input={"app_name": "refund_desk", "user_id": "u"}))
    assert found(value, PurePath(path)) == []


def test_if_the_last_turn_has_no_rubrics_the_message_says_that_nothing_is_judged():
    value = eval_set(case("c", turn(rubrics=[rubric("a")]), turn()))
    (problem,) = (p for p in problems(value, near=JUDGED) if p.code.endswith("differ_by_turn"))
    assert "not evaluated at all" in problem.message


def test_a_config_without_criteria_does_not_bring_the_default_ones_back():
    value = eval_set(case("c", turn(reply=None)))
    assert "adk.no_expected_reply" not in {
        c for _, c, _ in found(value, near=Nearby({"test_config.json": {}}))
    }


def test_a_name_of_other_files_does_not_have_to_be_the_sets_id():
    assert found(eval_set(), PurePath("agent/any.test.json")) == []


def test_the_id_that_counts_is_the_one_that_adk_reads():
    value = eval_set({"evalId": "a", "eval_id": "b", "conversation": []}, case("b"))
    assert errors(value) == []
