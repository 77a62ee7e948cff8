"""Malformed eval sets: refused here where ADK refuses them, read where ADK reads them."""

from pathlib import PurePath

import pytest

from evalcore.errors import DocumentError
from evalcore.jsondoc import JsonDocument
from tests.formats.adk.helpers import (
    SET_PATH,
    calls,
    case,
    document,
    errors,
    eval_set,
    found,
    problems,
    turn,
)

DEEP = b'{"eval_set_id":"s","eval_cases":[],"x":' + b"[" * 300 + b"]" * 300 + b"}"


def with_case(**more):
    return eval_set({**case(), **more})


def without(value, name):
    return {key: item for key, item in value.items() if key != name}


REFUSED = {
    "no id": (without(eval_set(), "eval_set_id"), "missing", ""),
    "case without id": (eval_set(without(case(), "eval_id")), "missing", "/eval_cases/0"),
    "unknown member of a turn": (
        eval_set(case("c", turn(note="x"))),
        "unknown_key",
        "/eval_cases/0/conversation/0/note",
    ),
    "turns and scenario": (
        with_case(conversation_scenario={"starting_prompt": "a", "conversation_plan": "b"}),
        "turns_and_scenario",
        "/eval_cases/0/conversation_scenario",
    ),
    "neither turns nor scenario": (
        eval_set({"eval_id": "c", "rubrics": []}),
        "no_conversation",
        "/eval_cases/0",
    ),
    "number for an id": (with_case(eval_id=7), "wrong_type", "/eval_cases/0/eval_id"),
    "bad base64": (
        eval_set(case("c", turn(user_content={"parts": [{"thought_signature": "-/8="}]}))),
        "bad_base64",
        "/eval_cases/0/conversation/0/user_content/parts/0/thought_signature",
    ),
    "camelCase set": (
        {"evalSetId": "s", "evalCases": [case()]},
        "camel_case_set",
        "/evalSetId",
    ),
    "cases are null": ({"eval_set_id": "s", "eval_cases": None}, "wrong_type", "/eval_cases"),
    "cases are an object": ({"eval_set_id": "s", "eval_cases": {}}, "wrong_type", "/eval_cases"),
    "both shapes of steps": (
        eval_set(case("c", turn(intermediate_data=calls() | {"invocation_events": []}))),
        "mixed_intermediate_data",
        "/eval_cases/0/conversation/0/intermediate_data/invocation_events",
    ),
    "timestamp is no number": (
        with_case(creation_timestamp="today"),
        "wrong_type",
        "/eval_cases/0/creation_timestamp",
    ),
    "timestamp is null": (
        with_case(creation_timestamp=None),
        "wrong_type",
        "/eval_cases/0/creation_timestamp",
    ),
    "message is text": (
        eval_set(case("c", turn(user_content="Hi"))),
        "wrong_type",
        "/eval_cases/0/conversation/0/user_content",
    ),
    "unknown persona": (
        eval_set(
            {
                "eval_id": "c",
                "conversation_scenario": {
                    "starting_prompt": "a",
                    "conversation_plan": "b",
                    "user_persona": "novice",
                },
            }
        ),
        "unknown_persona",
        "/eval_cases/0/conversation_scenario/user_persona",
    ),
    "half a surrogate pair": (
        b'{"eval_set_id":"s","eval_cases":[],"name":"\\ud83d"}',
        "lone_surrogate",
        "/name",
    ),
    "byte order mark": (b"\xef\xbb\xbf" + document(eval_set()).data, "bom", ""),
    "a number of 5,000 digits": (
        b'{"eval_set_id":"s","eval_cases":[],"creation_timestamp":' + b"9" * 5000 + b"}",
        "big_integer",
        "/creation_timestamp",
    ),
    "null": (None, "not_an_eval_set", ""),
    "a number": (7, "not_an_eval_set", ""),
    "a text": ("set", "not_an_eval_set", ""),
    "a list of texts": (["a", "b"], "not_an_eval_set", ""),
    "another system's cases": ({"test_cases": [1]}, "not_an_eval_set", ""),
    "an agents-cli dataset": (
        {"eval_cases": [{"prompt": {"parts": []}, "responses": []}]},
        "not_an_eval_set",
        "",
    ),
    "a list of old rows": ([{"query": "Hi", "reference": "x"}], "legacy_rows", ""),
    "old row without query": ([{"name": "n", "data": [{}]}], "missing", "/0/data/0"),
    "old case without name": ([{"data": []}], "missing", "/0"),
    "old tool use without input": (
        [{"name": "n", "data": [{"query": "q", "expected_tool_use": [{"tool_name": "t"}]}]}],
        "missing",
        "/0/data/0/expected_tool_use/0",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_adk_refuses_and_so_do_we(name):
    value, code, pointer = REFUSED[name]
    assert (f"adk.{code}", pointer) in errors(value)


@pytest.mark.parametrize(
    ("name", "data"),
    {
        "empty": b"",
        "truncated": b'{"eval_set_id": "s", "eval_ca',
        "trailing comma": b'{"eval_set_id": "s", "eval_cases": [],}',
        "comment": b'{"eval_set_id": "s", // id\n"eval_cases": []}',
        "single quotes": b"{'eval_set_id': 's', 'eval_cases': []}",
        "merge markers": b"<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n",
        "two documents": b'{"eval_set_id": "s"}\n{"eval_cases": []}',
        "UTF-16": '{"eval_set_id": "s", "eval_cases": []}'.encode("utf-16"),
        "Latin-1": '{"eval_set_id": "sé", "eval_cases": []}'.encode("latin-1"),
        "300 levels deep": DEEP,
    }.items(),
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_what_is_no_json_for_adk_is_none_here(name, data):
    with pytest.raises(DocumentError) as raised:
        JsonDocument.parse(data)
    assert raised.value.line >= 1 and raised.value.column >= 1


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, [("warning", "adk.loads_as_empty_set", "")]),
        ([], [("warning", "adk.loads_as_empty_set", "")]),
    ],
)
def test_adk_takes_an_empty_object_or_list_for_an_empty_set(value, expected):
    assert found(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        eval_set(),
        eval_set(case("")),
        {"eval_set_id": "s", "eval_cases": [], "name": None, "description": None},
        with_case(creation_timestamp="1.5"),
        with_case(creation_timestamp=True),
        with_case(final_session_state=None, session_input=None, rubrics=None),
        eval_set({"evalId": "c", "conversation": []}),
        eval_set({"eval_id": 7, "evalId": "c", "conversation": []}),
        eval_set(case("c", turn(intermediate_data={}))),
        eval_set(case("c", turn(intermediate_data={"invocation_events": [{"author": "a"}]}))),
        eval_set(case("c", {"userContent": {}, "finalResponse": None})),
        eval_set(case("c", turn(user_content={"parts": [{"inlineData": {"data": "-_8"}}, {}]}))),
        [{"name": "n", "data": [{"query": "q"}], "initial_session": {}}],
        b'{"eval_set_id":"s","eval_cases":[],"name":"a","name":"b"}',
        b'{\r\n"eval_set_id":"s",\r\n"eval_cases":[]}\r\n',
        b'{"eval_set_id":"s","eval_cases":[],"creation_timestamp":Infinity}',
        b'{"eval_set_id":"s","eval_cases":[],"creation_timestamp":NaN}',
    ],
)
def test_adk_loads_and_no_error_is_reported(value):
    assert errors(value) == []


def test_a_test_file_of_old_rows_still_has_a_reader():
    value = [{"query": "Hi", "reference": "x", "expected_tool_use": []}]
    path = PurePath("agent/old.test.json")
    assert [p.code for p in problems(value, path) if p.severity == "warning"] == ["adk.legacy_rows"]
    assert errors(value, path) == []


def test_nan_and_repeated_keys_are_warnings_that_say_what_adk_does():
    data = b'{"eval_set_id":"s","eval_cases":[],"name":"a","name":"b","creation_timestamp":NaN}'
    by_code = {p.code: p for p in problems(data)}
    assert "saved as null" in by_code["adk.nan"].message or "as null" in by_code["adk.nan"].message
    assert "the last one" in by_code["adk.duplicate_key"].message


def test_messages_name_the_case_and_the_turn():
    value = eval_set(case("refund", turn(), turn(note="x")))
    (problem,) = (p for p in problems(value, SET_PATH) if p.severity == "error")
    assert problem.message.startswith("Case “refund”, turn 2: ")
    assert problem.line == 1 and problem.hint
