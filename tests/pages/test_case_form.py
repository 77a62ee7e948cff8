"""Every part of a case by form: states of fields, forms drawn by schemas, calls, turns."""

import json
from pathlib import Path

import pytest

from tests.pages.conftest import key_of, refunds, turn, words
from tests.samples import SAMPLES


def saved(at, path: Path):
    at.button(key="author.review").click().run()
    at.button(key="review.save").click().run()
    assert not at.exception
    assert not at.error
    return json.loads(path.read_text(encoding="utf-8"))


def menu(at, *parts: str):
    (found,) = [m for m in at.get("menu_button") if all(p in m.key for p in parts)]
    return found


def menu_of(at, field: str):
    """Return the menu of a field, not of what is inside it."""
    (found,) = [m for m in at.get("menu_button") if m.key.endswith(field) and "dots" in m.key]
    return found


def write(folder: Path, name: str, value) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def author(open_page, refunds_file):
    return open_page("author", set=refunds_file.name)


@pytest.mark.parametrize(
    ("option", "made"),
    [("absent", "gone"), ("null", None), ("empty", {"parts": [], "role": "model"})],
)
def test_a_reply_can_be_absent_nothing_or_empty(author, refunds_file, option, made):
    menu(author, "dots", "expected_output").click(option).run()
    case = saved(author, refunds_file)["eval_cases"][0]["conversation"][0]
    found = case.get("final_response", "gone")
    if option == "empty":
        assert "".join(p.get("text", "") for p in found["parts"]) == ""
    else:
        assert found == made


def test_what_a_field_is_not_is_said_in_it(author):
    menu(author, "dots", "expected_output").click("absent").run()
    reply = author.text_area(key=key_of(author, "text_area", "expected_output"))
    assert (reply.value, reply.placeholder) == ("", "not in the file")
    menu(author, "dots", "expected_output").click("null").run()
    reply = author.text_area(key=key_of(author, "text_area", "expected_output"))
    assert reply.placeholder == "nothing (null)"
    reply.input("Back again.").run()
    assert author.text_area(key=reply.key).value == "Back again."


def test_leaving_an_absent_field_alone_does_not_write_it(author):
    menu(author, "dots", "expected_output").click("absent").run()
    before = author.button(key="author.undo").help
    author.text_area(key=key_of(author, "text_area", "expected_output")).input("").run()
    assert author.button(key="author.undo").help == before


def test_the_tool_calls_can_be_null_and_come_back(author, refunds_file):
    menu_of(author, "|tool_calls").click("null").run()
    assert "nothing (null)" in words(author)
    author.button(key=key_of(author, "button", "tool_calls|add")).click().run()
    data = saved(author, refunds_file)["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert data["tool_uses"] == [{"name": "", "args": {}}]


def test_any_field_can_be_edited_as_json_and_back(author, refunds_file):
    menu_of(author, "|tool_calls").click("json").run()
    area = author.text_area(key=key_of(author, "text_area", "tool_calls|json"))
    assert json.loads(area.value) == [{"name": "refund", "args": {"order": "A-17"}}]
    area.input('[{"name": "refund", "args": null}]').run()
    menu_of(author, "|tool_calls").click("json").run()
    assert "nothing (null)" in words(author)
    data = saved(author, refunds_file)["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert data["tool_uses"] == [{"name": "refund", "args": None}]


def test_the_arguments_a_tool_has_elsewhere_are_offered(open_page, folder):
    first = turn("Hi", "Yes", ("find", {"city": "Oslo", "days": 2}))
    second = turn("And?", "No", ("find", {}))
    cases = [{"eval_id": "a", "conversation": [first]}, {"eval_id": "b", "conversation": [second]}]
    write(folder, "find.evalset.json", {"eval_set_id": "find", "eval_cases": cases})
    at = open_page("author", set="find.evalset.json", case="b")
    offered = menu(at, "args|add")
    assert offered.options[:2] == ["city", "days"]
    offered.click("days").run()
    assert "days" in [t.value for t in at.text_input]


def test_a_turn_is_duplicated_without_its_id_and_one_is_added_between(author, refunds_file):
    (menu_key,) = [
        m.key
        for m in author.get("menu_button")
        if m.key.endswith("|menu") and m.key.count("|") == 3
    ]
    menu(author, menu_key).click("copy").run()
    first = next(m for m in author.get("menu_button") if m.key == menu_key)
    first.click("below").run()
    made = saved(author, refunds_file)["eval_cases"][0]["conversation"]
    said = [t["user_content"]["parts"][0]["text"] for t in made]
    assert said == ["Money back for A-17.", "", "Money back for A-17."]


def test_a_duplicated_call_has_no_id_and_keeps_the_rest(open_page, folder):
    call = {"id": "c1", "name": "refund", "args": {"order": "A-17"}}
    made = refunds()
    made["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"] = [call]
    path = write(folder, "ids.evalset.json", made)
    at = open_page("author", set=path.name)
    assert "c1" in [t.value for t in at.text_input]
    (items,) = [
        m for m in at.get("menu_button") if m.key.endswith("|menu") and "tool_calls" in m.key
    ]
    items.click("copy").run()
    calls = saved(at, path)["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"]
    assert calls == [call, {"name": "refund", "args": {"order": "A-17"}}]


def test_attachments_beside_a_text_are_named_and_stay(open_page, folder):
    picture = {"inline_data": {"mime_type": "image/png", "data": "A" * 16_000}}
    made = refunds()
    says = made["eval_cases"][0]["conversation"][0]["user_content"]
    says["parts"] = [picture, {"text": "Look."}]
    path = write(folder, "photo.evalset.json", made)
    at = open_page("author", set=path.name)
    assert "image/png, 12 KB" in words(at)
    at.text_area(key=key_of(at, "text_area", "|input")).input("Look here.").run()
    parts = saved(at, path)["eval_cases"][0]["conversation"][0]["user_content"]["parts"]
    assert parts == [picture, {"text": "Look here."}]


def test_a_persona_name_stays_a_name_and_can_become_a_whole_persona(open_page, folder):
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Ask.", "user_persona": "NOVICE"}
    case = {"eval_id": "sim", "conversation_scenario": scenario}
    path = write(folder, "sim.evalset.json", {"eval_set_id": "sim", "eval_cases": [case]})
    at = open_page("author", set=path.name)
    name = next(s for s in at.selectbox if s.value == "NOVICE")
    name.set_value("EXPERT").run()
    (kind,) = [s for s in at.selectbox if s.key.endswith("persona|alternative")]
    kind.set_value("A persona of your own").run()
    at.text_input(key=key_of(at, "text_input", "persona", ".id")).input("Grumpy").run()
    found = saved(at, path)["eval_cases"][0]["conversation_scenario"]["user_persona"]
    assert found == {"id": "Grumpy", "description": "", "behaviors": []}


def test_a_case_has_turns_or_a_simulated_user(author, refunds_file):
    case_menu = next(m for m in author.get("menu_button") if m.key.endswith("|menu"))
    case_menu.click("simulate").run()
    assert not author.exception
    values = [t.value for t in author.text_area]
    assert "Money back for A-17." in values
    next(m for m in author.get("menu_button") if m.key.endswith("|menu")).click("turns").run()
    made = saved(author, refunds_file)["eval_cases"][0]
    assert "conversation_scenario" not in made
    assert len(made["conversation"]) == 1


ENTRY = {
    "entryPoints": [
        {
            "filePath": "main",
            "type": "agent",
            "input": {
                "type": "object",
                "properties": {
                    "amount": {"type": "number", "description": "In euros"},
                    "urgent": {"type": "boolean"},
                    "channel": {"enum": ["mail", "phone"]},
                    "customer": {
                        "type": "object",
                        "properties": {"name": {"type": "string"}},
                        "required": ["name"],
                    },
                    "lines": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["amount", "channel"],
            },
            "output": {"type": "object", "properties": {"decision": {"enum": ["yes", "no"]}}},
        }
    ]
}


@pytest.fixture
def coded(folder):
    write(folder, "entry-points.json", ENTRY)
    contains = {
        "version": "1.0",
        "id": "Says",
        "name": "Says it",
        "evaluatorTypeId": "uipath-contains",
        "evaluatorConfig": {"name": "Says it"},
    }
    order = {
        **contains,
        "id": "Order",
        "name": "Order",
        "evaluatorTypeId": "uipath-tool-call-order",
    }
    write(folder, "evaluations/evaluators/says.json", contains)
    write(folder, "evaluations/evaluators/order.json", order)
    case = {"id": "c1", "name": "First", "inputs": {"amout": "12"}, "evaluationCriterias": {}}
    made = {"version": "1.0", "id": "s", "name": "S", "evaluatorRefs": ["Says", "Order"]}
    return write(folder, "evaluations/eval-sets/s.json", {**made, "evaluations": [case]})


@pytest.fixture
def inputs(open_page, coded):
    return open_page("author", set="evaluations/eval-sets/s.json")


def test_inputs_are_a_form_of_the_agents_schema_with_drift_and_its_mending(inputs, coded):
    at = inputs
    said = words(at)
    assert "Needed, and not in the file: the input “channel”." in said
    assert "There is no input called “amout” in the schema." in said
    assert said.count("amount") < 4
    press(at, "Rename it to “amount”")
    assert "This should be a number." in words(at)
    press(at, "Make it a number")
    press(at, "Add the missing input")
    (channel,) = [s for s in at.selectbox if s.key.endswith("|.channel")]
    assert channel.options == ["mail", "phone"]
    channel.set_value("phone").run()
    (urgent,) = [s for s in at.selectbox if s.key.endswith("|.urgent")]
    assert urgent.value is None
    urgent.set_value("Yes").run()
    assert saved(at, coded)["evaluations"][0]["inputs"] == {
        "amount": 12,
        "channel": "phone",
        "urgent": True,
    }


def press(at, label: str):
    plain = {b.label.replace("\\", "").replace("\u2060", ""): b for b in at.button}
    plain[label].click().run()
    assert not at.exception


def test_groups_and_lists_of_inputs_are_begun_and_filled(inputs, coded):
    at = inputs
    press(at, "Add customer")
    at.text_input(key=key_of(at, "text_input", ".customer|.name")).input("Ann").run()
    press(at, "Add lines")
    press(at, "Add item")
    (line,) = [t for t in at.text_input if "|.lines|" in t.key]
    line.input("first").run()
    made = saved(at, coded)["evaluations"][0]["inputs"]
    assert made["customer"] == {"name": "Ann"}
    assert made["lines"] == ["first"]


def test_an_emptied_number_leaves_the_file_and_words_stay_with_their_error(inputs):
    at = inputs
    key = key_of(at, "text_input", "|.amount")
    at.text_input(key=key).input("12,5").run()
    assert at.text_input(key=key).value == "12.5"
    at.text_input(key=key).input("many").run()
    assert at.text_input(key=key).value == "many"
    assert "is not a number" in words(at)
    press(at, "Put it back")
    at.text_input(key=key).input("").run()
    assert at.text_input(key=key).placeholder == "needed"


def test_the_expected_output_is_named_values_by_the_schema_or_a_text(inputs, coded):
    at = inputs
    (kind,) = [s for s in at.selectbox if s.key.endswith("expected_output|alternative")]
    kind.set_value("Named values").run()
    (decision,) = [s for s in at.selectbox if s.key.endswith("|.decision")]
    assert decision.options == ["yes", "no"]
    decision.set_value("no").run()
    made = saved(at, coded)["evaluations"][0]["expectedOutput"]
    assert made == {"decision": "no"}


def test_the_criteria_of_a_check_are_a_form_of_what_it_expects(inputs, coded):
    at = inputs
    menu(at, "criteria|offer").click("Says").run()
    area = next(t for t in at.text_input if t.key.endswith("|.searchText"))
    area.input("refund").run()
    menu(at, "criteria|offer").click("Order").run()
    press(at, "Add tool")
    made = saved(at, coded)["evaluations"][0]["evaluationCriterias"]
    assert made == {"Says": {"searchText": "refund"}, "Order": {"toolCallsOrder": [""]}}


def test_a_chat_so_far_is_written_message_by_message(open_page, folder):
    source = SAMPLES / "uipath_lowcode/SupportTriage/evals/eval-sets"
    value = json.loads((source / "evaluation-set-1787227200000.json").read_text())
    path = write(folder, "evals/eval-sets/chats.json", value)
    at = open_page("author", set="evals/eval-sets/chats.json")
    press(at, "Add exchange")
    added = [b for b in at.button if b.label == "Add agent"][-1]
    added.click().run()
    says = [t for t in at.text_area if t.label.startswith("Agent says")]
    says[1].input("Anything else?").run()
    chat = saved(at, path)["evaluations"][0]["conversationalInputs"]["conversationHistory"]
    assert chat[1] == [{"role": "agent", "text": "Anything else?"}]
    assert chat[0] == value["evaluations"][0]["conversationalInputs"]["conversationHistory"][0]


@pytest.mark.parametrize(
    ("name", "key"), [("id", "rubric_id"), ("type", "type"), ("description", "description")]
)
@pytest.mark.parametrize(("option", "made"), [("absent", "gone"), ("null", None), ("empty", "")])
def test_each_part_of_a_rubric_can_be_absent_nothing_or_empty(
    open_page, folder, name, key, option, made
):
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "Asks."}, "x": 1}
    rubric |= {"type": "TOOL_USE_QUALITY", "description": "Why."}
    case = {"eval_id": "a", "rubrics": [rubric], "conversation": [turn("Hi", "Yes")]}
    path = write(folder, "r.evalset.json", {"eval_set_id": "r", "eval_cases": [case]})
    at = open_page("author", set="r.evalset.json")
    menu_of(at, f"|{name}").click(option).run()
    found = saved(at, path)["eval_cases"][0]["rubrics"][0]
    assert found.pop(key, "gone") == made
    assert found == {n: v for n, v in rubric.items() if n != key}


def test_the_statement_of_a_rubric_can_be_taken_out_and_written_again(open_page, folder):
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "Asks."}}
    case = {"eval_id": "a", "rubrics": [rubric], "conversation": [turn("Hi", "Yes")]}
    path = write(folder, "r.evalset.json", {"eval_set_id": "r", "eval_cases": [case]})
    at = open_page("author", set="r.evalset.json")
    menu_of(at, "|text").click("null").run()
    area = at.text_area(key=key_of(at, "text_area", "rubrics", "|text"))
    assert area.placeholder == "nothing (null)"
    area.input("Asks twice.").run()
    found = saved(at, path)["eval_cases"][0]["rubrics"][0]
    assert found["rubric_content"] == {"text_property": "Asks twice."}


def test_a_rubric_has_a_type_chosen_from_those_that_count(author, refunds_file):
    turn_menu = next(m for m in author.get("menu_button") if m.key.endswith("|add field"))
    turn_menu.click(next(o for o in turn_menu.options if "ubrics" in o)).run()
    author.button(key=key_of(author, "button", "rubrics", "add")).click().run()
    (kind,) = [s for s in author.selectbox if s.key.endswith("|type")]
    kind.set_value("Tool use quality (TOOL_USE_QUALITY)").run()
    author.text_area(key=key_of(author, "text_area", "|text")).input("Asks first.").run()
    made = saved(author, refunds_file)["eval_cases"][0]["conversation"][0]["rubrics"]
    assert made == [
        {
            "rubric_id": "rubric_1",
            "rubric_content": {"text_property": "Asks first."},
            "type": "TOOL_USE_QUALITY",
        }
    ]


def test_messages_on_the_way_have_an_author_and_a_text(author, refunds_file):
    turn_menu = next(m for m in author.get("menu_button") if m.key.endswith("|add field"))
    turn_menu.click(next(o for o in turn_menu.options if "Messages" in o)).run()
    press(author, "Add message")
    author.text_area(key=key_of(author, "text_area", "|.text")).input("One moment.").run()
    made = saved(author, refunds_file)["eval_cases"][0]["conversation"][0]["intermediate_data"]
    assert made["intermediate_responses"] == [["agent", [{"text": "One moment."}]]]


def test_a_hundred_turns_are_leafed_through(open_page, folder):
    turns = [turn(f"Question {n}", "Yes") for n in range(100)]
    made = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": turns}]}
    write(folder, "long.evalset.json", made)
    at = open_page("author", set="long.evalset.json")
    shown = [t.value for t in at.text_area if t.key.endswith("|input")]
    assert shown[0] == "Question 0" and len(shown) == 10
    at.button(key=key_of(at, "button", "add turn")).click().run()
    shown = [t.value for t in at.text_area if t.key.endswith("|input")]
    assert shown == [""]


def test_a_very_long_text_is_sent_only_when_asked_for(open_page, folder):
    made = refunds()
    reply = made["eval_cases"][0]["conversation"][0]["final_response"]["parts"][0]
    reply["text"] = "word " * 1_000_000
    write(folder, "long.evalset.json", made)
    at = open_page("author", set="long.evalset.json")
    assert "The first 600 of 5,000,000 characters." in words(at).replace("\\", "")
    assert sum(len(t.value or "") for t in at.text_area) < 1000


def test_a_value_of_another_kind_is_shown_as_what_it_is(open_page, folder):
    made = refunds()
    made["eval_cases"][0]["session_input"] = {"app_name": "desk", "user_id": 7}
    path = write(folder, "odd.evalset.json", made)
    at = open_page("author", set=path.name)
    assert "The file has a number here, where a text belongs." in words(at)
    (kind,) = [s for s in at.selectbox if "user_id" in s.key]
    kind.set_value("Text").run()
    assert saved(at, path)["eval_cases"][0]["session_input"]["user_id"] == "7"


def test_typing_in_two_places_is_two_steps_of_the_history(inputs):
    at = inputs
    amount, name = key_of(at, "text_input", "|.amount"), key_of(at, "text_input", "|name")
    at.text_input(key=amount).input("5").run()
    at.text_input(key=name).input("Renamed").run()
    at.button(key="author.undo").click().run()
    assert at.text_input(key=amount).value == "5"
    assert at.text_input(key=name).value == "First"


def test_a_moment_is_edited_as_date_and_time(open_page, folder):
    made = refunds()
    made["eval_cases"][0]["creation_timestamp"] = 1796135400
    file = write(folder, "moments.evalset.json", made)
    before = file.read_text(encoding="utf-8")
    at = open_page("author", set=file.name)
    at.session_state[f"kept {file.name}|k1|group|more"] = True
    at.run()
    box = at.text_input(key=key_of(at, "text_input", "created_at"))
    assert (box.label, box.value) == ("Created (date and time, UTC)", "2026-12-01 14:30:00")
    box.input("2026-12-01 15:00").run()
    at.text_input(key=box.key).input("2026-13-01").run()
    assert "is no date and time" in words(at)
    assert at.text_input(key=box.key).value == "2026-13-01"
    at.text_input(key=box.key).input("2026-12-01 15:00").run()
    at.button(key="author.review").click().run()
    assert "<del>2026-12-01 14:30:00</del>" in words(at)
    assert "<ins>2026-12-01 15:00:00</ins>" in words(at)
    at.button(key="review.save").click().run()
    assert file.read_text(encoding="utf-8") == before.replace("1796135400", "1796137200")


def test_a_case_with_a_simulated_user_opens_with_its_scenario(open_page, folder):
    made = refunds()
    made["eval_cases"] = [
        {"eval_id": "a", "conversation_scenario": {"starting_prompt": "", "conversation_plan": ""}}
    ]
    at = open_page("author", set=write(folder, "played.evalset.json", made).name)
    key = "scenario.starting_prompt"
    assert any(key in (box.key or "") for box in (*at.text_area, *at.text_input))
    assert at.expander[0].label.startswith("Mocks and simulation")
    assert "nothing to start with" in words(at)
    assert "has no plan" in words(at)


def test_an_empty_list_of_turns_beside_a_simulated_user_is_taken_out(open_page, folder):
    scenario = {"starting_prompt": "Hi", "conversation_plan": "Ask."}
    case = {"eval_id": "a", "conversation": [], "conversation_scenario": scenario}
    path = write(folder, "p.evalset.json", {"eval_set_id": "p", "eval_cases": [case]})
    at = open_page("author", set="p.evalset.json")
    assert "empty list of turns" in words(at)
    assert "The case has no turns" not in words(at)
    press(at, "Fix: Remove the empty list of turns")
    assert saved(at, path)["eval_cases"] == [{"eval_id": "a", "conversation_scenario": scenario}]


@pytest.fixture
def on_the_way(open_page, folder):
    messages = [
        {"role": "planner", "content": "Let me see.", "metadata": {"step": "one"}},
        {"content": "One moment."},
    ]
    case = {
        "eval_id": "a",
        "conversation": [
            {
                "user_content": {"role": "user", "content": "Hi"},
                "expected_intermediate_responses": messages,
            }
        ],
    }
    path = write(folder, "trip.evalset.json", {"eval_set_id": "t", "eval_cases": [case]})
    at = open_page("author", set="trip.evalset.json")
    menu = next(b for b in at.expander if "essages on the way" in b.label or b.label == "More")
    at.session_state[menu.key] = True
    return at.run(), path


def test_messages_on_the_way_have_a_role_and_metadata_by_form(on_the_way):
    at, path = on_the_way
    (role,) = [t for t in at.text_input if t.key.endswith("|role")]
    assert role.value == "planner"
    role.input("router").run()
    assert "one" in [t.value for t in at.text_input]
    more = [m for m in at.get("menu_button") if "intermediate_responses" in m.key]
    items = [m for m in more if m.key.endswith("|menu")]
    items[1].click("add role").run()
    roles = [t for t in at.text_input if t.key.endswith("|role")]
    roles[1].input("assistant").run()
    items = [
        m
        for m in at.get("menu_button")
        if m.key.endswith("|menu") and m.key in {i.key for i in items}
    ]
    items[1].click("up").run()
    turn_ = saved(at, path)["eval_cases"][0]["conversation"][0]
    assert turn_["expected_intermediate_responses"] == [
        {"content": "One moment.", "role": "assistant"},
        {"role": "router", "content": "Let me see.", "metadata": {"step": "one"}},
    ]


@pytest.mark.parametrize(("option", "made"), [("absent", "gone"), ("null", None), ("empty", "")])
def test_the_role_of_a_message_on_the_way_can_be_absent_nothing_or_empty(on_the_way, option, made):
    at, path = on_the_way
    menu_of(at, "|role").click(option).run()
    turn_ = saved(at, path)["eval_cases"][0]["conversation"][0]
    assert turn_["expected_intermediate_responses"][0].get("role", "gone") == made


@pytest.fixture(params=["listed", "recorded"])
def streamed(request, open_page, folder):
    call = {"name": "find", "args": {}, "partial_args": [{"json_path": "$.q"}]}
    call |= {"will_continue": True, "id": "c"}
    data = {"tool_uses": [call]}
    if request.param == "recorded":
        content = {"role": "model", "parts": [{"function_call": call}]}
        data = {"invocation_events": [{"author": "desk", "content": content}]}
    said = turn("Hi", "Yes") | {"intermediate_data": data}
    case = {"eval_id": "a", "conversation": [said]}
    path = write(folder, "s.evalset.json", {"eval_set_id": "s", "eval_cases": [case]})

    def call_of(whole):
        found = whole["eval_cases"][0]["conversation"][0]["intermediate_data"]
        if request.param == "listed":
            return found["tool_uses"][0]
        return found["invocation_events"][0]["content"]["parts"][0]["function_call"]

    return open_page("author", set="s.evalset.json"), path, call, call_of


def test_what_was_streamed_of_a_call_is_edited_by_form(streamed):
    at, path, call, call_of = streamed
    at.text_input(key=key_of(at, "text_input", "partial_args", "json_path")).input("$.city").run()
    (follows,) = [s for s in at.selectbox if s.key.endswith("|will_continue")]
    assert follows.value == "Yes"
    follows.set_value("No").run()
    made = {**call, "partial_args": [{"json_path": "$.city"}], "will_continue": False}
    assert call_of(saved(at, path)) == made


@pytest.mark.parametrize(("option", "made"), [("absent", "gone"), ("null", None), ("empty", [])])
def test_the_pieces_of_a_streamed_call_can_be_absent_nothing_or_empty(streamed, option, made):
    at, path, call, call_of = streamed
    menu_of(at, "|partial_args").click(option).run()
    found = call_of(saved(at, path))
    assert found.pop("partial_args", "gone") == made
    assert found == {n: v for n, v in call.items() if n != "partial_args"}


def test_a_call_that_was_not_streamed_has_no_field_for_its_pieces(author):
    assert not [w.key for w in author.selectbox if "will_continue" in w.key]


@pytest.mark.parametrize("style", ["snake", "camel"])
def test_model_tokens_and_sources_of_a_recorded_event_are_edited_by_form(open_page, folder, style):
    names = {
        "snake": ("model_version", "usage_metadata", "total_token_count", "grounding_metadata"),
        "camel": ("modelVersion", "usageMetadata", "totalTokenCount", "groundingMetadata"),
    }
    model, usage, total, grounding = names[style]
    sources = {"snake": "web_search_queries", "camel": "webSearchQueries"}[style]
    event = {
        "author": "desk",
        "content": {"role": "model", "parts": [{"text": "One moment."}]},
        model: "gemini-2.5-flash",
        usage: {total: 12, "own": 1},
        grounding: {sources: ["weather"]},
    }
    plain = {"author": "desk", "content": None}
    said = turn("Hi", "Yes") | {"intermediate_data": {"invocation_events": [plain, event]}}
    case = {"eval_id": "a", "conversation": [said]}
    path = write(folder, "s.evalset.json", {"eval_set_id": "s", "eval_cases": [case]})
    at = open_page("author", set="s.evalset.json")
    assert any(e.label.startswith("What the run recorded") for e in at.expander)
    at.session_state["kept s.evalset.json|k1|k2|group|run_record"] = True
    at.run()
    at.text_input(key=key_of(at, "text_input", "usage_metadata", f".{total}")).input("15").run()
    at.text_input(key=key_of(at, "text_input", "|model_version")).input("gemini-3").run()
    assert "Event 2" in words(at)
    assert "Event 1" not in words(at)
    menu_of(at, "|grounding_metadata").click("null").run()
    made = saved(at, path)["eval_cases"][0]["conversation"][0]["intermediate_data"]
    changed = {model: "gemini-3", usage: {total: 15, "own": 1}, grounding: None}
    assert made["invocation_events"] == [plain, {**event, **changed}]
