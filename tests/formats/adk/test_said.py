"""Messages on the way and answers of tools, in both shapes of a turn's data."""

from evalcore.formats.adk.calls import ToolResults
from evalcore.formats.adk.said import SaidOnTheWay
from evalcore.jsontree import get, put
from tests.formats.turns import TURNS

SAID, RESULTS = SaidOnTheWay(), ToolResults()
RECORDED = TURNS["adk recorded"][1]
EVENTS = "/intermediate_data/invocation_events"


def message(author: str, text: str) -> dict[str, str]:
    return {"author": author, "text": text}


def test_recorded_events_with_text_are_messages():
    assert SAID.get(RECORDED) == [
        message("desk", "Let me look."),
        message("", ""),
        message("desk", "Here it is."),
    ]


def test_an_edit_of_a_recorded_message_keeps_the_call_beside_it():
    said = SAID.get(RECORDED)
    edited = SAID.put(RECORDED, [message("desk", "Wait."), *said[1:]], "snake")
    parts = get(edited, f"{EVENTS}/0/content/parts")
    assert parts == [{"text": "Wait."}, {"function_call": TURNS_CALL}]


TURNS_CALL = get(RECORDED, f"{EVENTS}/0/content/parts/1/function_call")


def test_a_deleted_message_leaves_the_picture_and_the_call_that_were_beside_it():
    edited = SAID.put(RECORDED, [], "snake")
    events = get(edited, EVENTS)
    assert [
        list(p)
        for e in events
        if isinstance(e, dict) and e.get("content")
        for p in e["content"]["parts"]
    ] == [["function_call"], ["function_response"], ["inline_data"]]
    assert "no event" in events and len(events) == 5


def test_an_added_message_goes_behind_the_one_before_it():
    said = SAID.get(RECORDED)
    edited = SAID.put(RECORDED, [said[0], message("desk", "Hm."), *said[1:]], "snake")
    assert get(edited, f"{EVENTS}/1") == {
        "author": "desk",
        "content": {"parts": [{"text": "Hm."}], "role": "model"},
    }


def test_pairs_that_are_no_message_stay_where_they_are():
    turn = TURNS["adk camel"][1]
    at = "/intermediateData/intermediateResponses"
    edited = SAID.put(turn, [message("desk", "Two."), message("x", "")], "camel")
    pairs = get(edited, at)
    assert pairs[0][1][0] == {"text": "Two."} and pairs[0][1][1] == get(turn, f"{at}/0/1/1")
    assert pairs[1] == "odd"


def test_an_answer_of_a_recorded_turn_is_edited_in_its_part():
    (answer,) = RESULTS.get(RECORDED)
    edited = RESULTS.put(RECORDED, [{**answer, "response": {"found": 3}}], "snake")
    at = f"{EVENTS}/1/content/parts/0/function_response/response"
    assert edited == put(RECORDED, at, {"found": 3})


def test_a_second_answer_gets_a_part_of_its_own():
    (answer,) = RESULTS.get(RECORDED)
    edited = RESULTS.put(RECORDED, [answer, {"name": "book", "response": {}}], "snake")
    parts = get(edited, f"{EVENTS}/1/content/parts")
    assert [p["function_response"]["name"] for p in parts] == ["find", "book"]
