"""What a turn of an eval set is read as, beyond its fields."""

import pytest

from evalcore.formats.adk.evalset import LENS
from evalcore.jsontree import MISSING
from tests.formats.adk.helpers import case, eval_set, turn


def read(one):
    return LENS.read(eval_set(case("c", one))).cases[0].invocations[0]


def test_messages_on_the_way_are_read_as_the_judge_would_get_them():
    pairs = [["planner", [{"text": "Looking."}, {"text": "Found."}]], ["odd"]]
    invocation = read(turn(intermediate_data={"intermediate_responses": pairs}))
    assert invocation.intermediate_responses == ("Looking.\nFound.",)


def test_media_are_noted():
    invocation = read(turn(user_content={"parts": [{"inlineData": {"data": "aGk="}}]}))
    assert (invocation.input, invocation.notes) == ("", ("has inlineData",))


@pytest.mark.parametrize(
    ("one", "output"),
    [
        (turn(reply=None), MISSING),
        (turn(final_response=None), None),
        (turn(reply=""), ""),
        (turn(final_response={}), ""),
    ],
)
def test_an_absent_a_null_and_an_empty_reply_are_told_apart(one, output):
    assert read(one).expected_output == output


def test_of_two_spellings_the_one_that_adk_reads_is_read_and_written():
    value = eval_set({"eval_id": "snake", "evalId": "camel", "conversation": []})
    assert LENS.read(value).cases[0].id == "camel"
    renamed = LENS.rename_case(value, 0, "new")
    assert renamed["eval_cases"][0] == {"eval_id": "snake", "evalId": "new", "conversation": []}


def test_a_copy_of_a_case_without_id_gets_one_in_the_spelling_of_the_case():
    value = eval_set({"conversation": [], "session_input": {}})
    copied = LENS.duplicate_case(value, 0, "copy", None)
    assert copied["eval_cases"][1]["eval_id"] == "copy"
