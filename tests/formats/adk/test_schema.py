"""Unknown members: kept, dropped or refused, model by model, and both spellings at once."""

import pytest

from tests.formats.adk.helpers import calls, case, errors, eval_set, found, rubric, turn

SCENARIO = {
    "starting_prompt": "a",
    "conversation_plan": "b",
    "user_persona": {
        "id": "p",
        "description": "d",
        "behaviors": [
            {
                "name": "n",
                "description": "d",
                "behavior_instructions": ["x"],
                "violation_rubrics": ["y"],
            }
        ],
    },
}
EVENT = {"author": "a", "content": {"parts": [{"text": "x"}]}}
FULL = eval_set(
    case(
        "turns",
        turn(
            intermediate_data={
                "tool_uses": [{"name": "f", "args": {}}],
                "tool_responses": [{"name": "f", "response": {}}],
            },
            rubrics=[rubric()],
            app_details={"agent_details": {"a": {"name": "a"}}},
        ),
        turn(intermediate_data={"invocation_events": [EVENT]}),
        session_input={"app_name": "a", "user_id": "u", "state": {}},
    ),
    {"eval_id": "scenario", "conversation_scenario": SCENARIO},
)
TURN = "/eval_cases/0/conversation/0"
POLICY = {
    "": "dropped",
    "/eval_cases/0": "kept",
    "/eval_cases/0/session_input": "kept",
    "/eval_cases/0/session_input/state": "kept",
    TURN: "refused",
    f"{TURN}/user_content": "refused",
    f"{TURN}/user_content/parts/0": "refused",
    f"{TURN}/intermediate_data": "refused",
    f"{TURN}/intermediate_data/tool_uses/0": "refused",
    f"{TURN}/intermediate_data/tool_uses/0/args": "kept",
    f"{TURN}/intermediate_data/tool_responses/0": "refused",
    f"{TURN}/rubrics/0": "refused",
    f"{TURN}/rubrics/0/rubric_content": "refused",
    f"{TURN}/app_details": "refused",
    f"{TURN}/app_details/agent_details/a": "refused",
    "/eval_cases/0/conversation/1/intermediate_data": "refused",
    "/eval_cases/0/conversation/1/intermediate_data/invocation_events/0": "dropped",
    "/eval_cases/1/conversation_scenario": "refused",
    "/eval_cases/1/conversation_scenario/user_persona": "dropped",
    "/eval_cases/1/conversation_scenario/user_persona/behaviors/0": "dropped",
}


@pytest.mark.parametrize("pointer", POLICY)
def test_an_unknown_member_is_kept_dropped_or_refused_as_adk_does(pointer):
    from evalcore.jsontree import put

    at = f"{pointer}/surprise"
    reported = [(s, c) for s, c, p in found(put(FULL, at, 1)) if p == at]
    expected = {
        "kept": [],
        "dropped": [("info", "adk.unknown_key")],
        "refused": [("error", "adk.unknown_key")],
    }
    assert reported == expected[POLICY[pointer]]


def test_the_full_set_itself_has_no_errors():
    assert errors(FULL) == []


@pytest.mark.parametrize("name", ["invocationIndex", "toolUseIndex"])
def test_what_adks_web_editor_writes_into_events_is_not_reported(name):
    from evalcore.jsontree import put

    at = f"/eval_cases/0/conversation/1/intermediate_data/invocation_events/0/{name}"
    assert [p for _, _, p in found(put(FULL, at, 1)) if p == at] == []


@pytest.mark.parametrize(
    ("value", "severity", "pointer"),
    [
        (eval_set(case(evalId="camel")), "warning", "/eval_cases/0/eval_id"),
        (
            eval_set(case("c", turn(userContent={"parts": []}))),
            "error",
            "/eval_cases/0/conversation/0/user_content",
        ),
        (
            eval_set(case("c", turn(intermediate_data=calls() | {"toolUses": []}))),
            "error",
            "/eval_cases/0/conversation/0/intermediate_data/tool_uses",
        ),
    ],
)
def test_of_two_spellings_the_snake_one_is_not_read(value, severity, pointer):
    assert (severity, "adk.both_spellings", pointer) in found(value)


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("", True),
        ("aGk=", True),
        ("aGk", True),
        ("+/8=", True),
        ("-_8=", True),
        ("-/8=", False),
        ("a", False),
        ("aGk==", False),
        ("aGl=", False),
        ("aG k=", False),
        ("aGk=\n", False),
        ("====", False),
        ("aaaaa", False),
        ("é", False),
    ],
)
def test_base64_is_taken_in_either_alphabet_but_not_mixed_or_cut(text, accepted):
    value = eval_set(case("c", turn(user_content={"parts": [{"thought_signature": text}]})))
    assert (errors(value) == []) is accepted


@pytest.mark.parametrize(
    ("pair", "accepted"),
    [
        (["agent", [{"text": "x"}]], True),
        (["agent", []], True),
        (["agent"], False),
        (["agent", [], 1], False),
        ({"author": "agent", "parts": []}, False),
        (["agent", {"text": "x"}], False),
        ([1, []], False),
    ],
)
def test_messages_on_the_way_are_pairs_of_author_and_parts(pair, accepted):
    value = eval_set(case("c", turn(intermediate_data={"intermediate_responses": [pair]})))
    assert (errors(value) == []) is accepted


@pytest.mark.parametrize(
    ("args", "accepted"),
    [(None, True), ({}, True), ({"a": None}, True), ([], False), ("x", False), (1, False)],
)
def test_arguments_are_an_object_or_null(args, accepted):
    value = eval_set(case("c", turn(intermediate_data=calls({"name": "f", "args": args}))))
    assert (errors(value) == []) is accepted


@pytest.mark.parametrize(
    ("persona", "accepted"),
    [
        ("NOVICE", True),
        ("EXPERT", True),
        ("EVALUATOR", True),
        (None, True),
        ("Novice", False),
        ({}, False),
        ([], False),
        (5, False),
    ],
)
def test_personas_are_named_exactly_or_given_whole(persona, accepted):
    scenario = {**SCENARIO, "user_persona": persona}
    value = eval_set({"eval_id": "c", "conversation_scenario": scenario})
    assert (errors(value) == []) is accepted
