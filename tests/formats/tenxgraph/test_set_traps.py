"""What loads, and does something other than it seems: eval sets."""

import pytest

from tests.formats.tenxgraph.data import codes, library_set, message, problems, turn

CASE, TURN = "/eval_cases/0", "/eval_cases/0/conversation/0"


def case(*turns, **more) -> dict:
    return {"eval_id": "a", "conversation": list(turns) or [turn()], **more}


def eval_set(*cases) -> dict:
    return {"eval_set_id": "s", "eval_cases": list(cases)}


def expecting(reply, **more) -> dict:
    return turn(expected_final_response=message("assistant", reply), **more)


def calls(*names: str) -> list[dict]:
    return [{"name": name, "args": {}} for name in names]


def test_a_set_that_says_what_it_does_has_no_problems():
    quiet = case(
        expecting("Yes.", expected_node_order=["__start__", "MAIN"]),
        session_input={"user_id": "u", "state": {}, "config": {"recursion_limit": 9}},
    )
    assert codes(eval_set(quiet)) == set()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"eval_cases": [case()]}, ("warning", "set_without_id", "")),
        (eval_set(), ("info", "no_cases", "/eval_cases")),
        ({"eval_set_id": "s"}, ("info", "no_cases", "")),
        ({"eval_set_id": "s", "cases": [case()]}, ("warning", "cases_under_another_key", "/cases")),
        ({"eval_set_id": "s", "tests": [case()]}, ("warning", "cases_under_another_key", "/tests")),
        (eval_set() | {"cases": [case()]}, ("warning", "cases_under_another_key", "/cases")),
        (eval_set({"conversation": [turn()]}), ("warning", "case_without_id", CASE)),
        (eval_set(case(), case()), ("warning", "duplicate_case_id", CASE + "/eval_id")),
        (eval_set({"eval_id": "a"}), ("warning", "case_without_turns", CASE)),
        (
            eval_set(case(session_input={"state": {"tier": "gold"}})),
            ("warning", "state_not_applied", CASE + "/session_input/state"),
        ),
        (
            eval_set(case(session_input={"config": {"thread_id": "t"}})),
            ("warning", "fixed_thread", CASE + "/session_input/config/thread_id"),
        ),
        (
            eval_set(case(session_input={"config": {"user_id": "u"}})),
            ("warning", "config_user_id_ignored", CASE + "/session_input/config/user_id"),
        ),
        (
            eval_set(case(turn([{"type": "text", "text": None}]))),
            ("error", "block_without_text", TURN + "/user_content/content/0/text"),
        ),
        (
            eval_set(case(turn([{"type": "image", "url": "x"}]))),
            ("warning", "block_not_sent", TURN + "/user_content/content"),
        ),
        (
            eval_set(case(expecting(""))),
            ("warning", "empty_reply_expects_nothing", TURN + "/expected_final_response"),
        ),
        (
            eval_set(case(expecting("Yes."), turn())),
            ("warning", "earlier_reply_graded", TURN + "/expected_final_response"),
        ),
        (
            eval_set(case(expecting("Hello!"), expecting("Yes."))),
            ("info", "only_last_reply_graded", CASE + "/conversation"),
        ),
        (
            eval_set(case(expecting("Result from find", expected_tool_trajectory=calls("find")))),
            ("warning", "placeholder_reply", TURN + "/expected_final_response"),
        ),
        (
            eval_set(case(turn(expected_node_order=["MAIN", "TOOL", "MAIN"]))),
            ("warning", "node_order_never_matches", TURN + "/expected_node_order"),
        ),
        (
            eval_set(
                case(
                    turn(
                        expected_node_order=["__start__", "find"],
                        expected_tool_trajectory=calls("find"),
                    )
                )
            ),
            ("warning", "node_order_never_matches", TURN + "/expected_node_order"),
        ),
        (
            eval_set(case(turn(expected_node_order=["MAIN"]))),
            ("warning", "node_order_without_start", TURN + "/expected_node_order"),
        ),
        (
            eval_set(case(turn(expected_intermediate_responses=[message("assistant", "…")]))),
            ("info", "intermediate_not_read", TURN + "/expected_intermediate_responses"),
        ),
    ],
)
def test_a_trap_is_reported_where_it_is(value, expected):
    assert expected in codes(value)


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (
            eval_set(case(session_input={"user_id": "", "config": {"user_id": "u"}})),
            "config_user_id",
        ),
        (eval_set(case(expecting("Result from find"))), "placeholder_reply"),
        (eval_set(case(turn(expected_node_order=[]))), "node_order"),
        (eval_set(case(turn([{"type": "text"}, {"text": "x"}]))), "block"),
        (eval_set(case(turn(), expecting("Yes."))), "reply"),
        (eval_set(case(turn(expected_final_response=None))), "reply"),
    ],
)
def test_what_is_no_trap_is_not_reported(value, code):
    assert [c for _, c, _ in codes(value) if code in c] == []


def test_cases_under_another_key_are_one_problem():
    found = codes({"eval_set_id": "s", "cases": [case()]})
    assert found == {("warning", "cases_under_another_key", "/cases")}


def test_an_empty_reply_that_cancels_an_earlier_one_says_so():
    value = eval_set(case(expecting("Yes."), expecting("")))
    (found,) = [p for p in problems(value) if p.code.endswith("empty_reply_expects_nothing")]
    assert "cancels the reply expected in an earlier turn" in found.message


def test_the_node_order_hint_shows_what_real_visits_look_like():
    value = eval_set(case(turn(expected_node_order=["MAIN", "TOOL", "MAIN"])))
    (found,) = [p for p in problems(value) if p.code.endswith("node_order_never_matches")]
    assert "__start__" in found.hint and "“TOOL”" in found.message


@pytest.mark.parametrize(
    ("value", "pointer", "hint"),
    [
        ({"id": "s"}, "/id", "Call it “eval_set_id”."),
        (eval_set({"case_id": "a", "conversation": [turn()]}), CASE + "/case_id", "“eval_id”"),
        (eval_set(case(turn(expected="x"))), TURN + "/expected", "“expected_final_response”"),
        (eval_set(case(turn(expected_tols=[]))), TURN + "/expected_tols", None),
        (
            eval_set(case(turn(expected_tool_trajectry=[]))),
            TURN + "/expected_tool_trajectry",
            "“expected_tool_trajectory”",
        ),
        (eval_set(case(owner="ana")), CASE + "/owner", None),
        (
            eval_set(case(expecting("Yes.", final_response={}))),
            TURN + "/final_response",
            None,
        ),
    ],
)
def test_an_unknown_key_is_dropped_on_save_and_a_near_miss_is_named(value, pointer, hint):
    (found,) = [p for p in problems(value) if p.pointer == pointer]
    assert found.code == "tenxgraph.unknown_key"
    assert "drops it when it saves" in found.message
    assert found.severity == ("warning" if hint else "info")
    assert (hint or "metadata") in found.hint


def test_a_file_as_the_package_writes_it_has_only_its_known_traps():
    found = {code for severity, code, _ in codes(library_set()) if severity != "info"}
    assert found == {"placeholder_reply"}
