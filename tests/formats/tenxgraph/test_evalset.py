"""Reading and editing 10xGraph eval sets."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import FormatError
from evalcore.formats.tenxgraph.evalset import LENS
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, get, put, same
from evalcore.model import ToolCall
from tests.fields import get_field
from tests.formats.tenxgraph.data import as_saved, document, errors, library_set, message, turn

NOW = datetime(2026, 1, 2, tzinfo=UTC)
CASE, TURN = "/eval_cases/0", "/eval_cases/0/conversation/0"
IMAGE = {"type": "image", "url": "cover.png"}


def text_block(text: str, **more) -> dict:
    return {"type": "text", "text": text, **more}


def lens(name: str, level: str = "invocation"):
    return LENS.field(level, name).lens


def edited(raw, name: str, value, level: str = "invocation"):
    return lens(name, level).put(raw, value, "snake")


def test_a_set_is_read_with_everything_that_the_vocabulary_has():
    eval_set = LENS.read(library_set())
    assert (eval_set.id, eval_set.name, eval_set.description) == ("library-v1", "library", "")
    first, second, third = eval_set.cases
    assert (first.id, first.name, first.tags) == ("is_it_in", "Is it in", ("loans", "smoke"))
    assert first.metadata == {"context": "Two copies of Dune on shelf 4", "owner": "desk"}
    assert second.session.user_id == "member_7" and second.session.config == {"limit": 12}
    (call,) = second.invocations[0].tool_calls
    assert call.name == "find_book" and call.args["near"] == {"floor": 1} and call.result is None
    middle = third.invocations[1]
    assert middle.origin == "/eval_cases/2/conversation/1"
    assert (middle.input, middle.expected_output) == ("And Emma?", "Out until May…")
    assert middle.node_order == ("__start__", "MAIN", "MAIN")
    assert middle.intermediate_responses == ("Let me look…",)


@pytest.mark.parametrize(
    "raw", ["a case", None, {"eval_id": "a", "conversation": "x"}, {"conversation": ["x"]}]
)
def test_a_case_of_an_unknown_shape_is_opaque(raw):
    assert LENS.read_case(raw, CASE).opaque


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Hi", "Hi"),
        ("", ""),
        ([], ""),
        ([text_block("a"), IMAGE, text_block("b")], "a b"),
        ([text_block("a"), text_block(""), text_block("b")], "a  b"),
        ([{"text": "a"}, {"type": "text"}], "a "),
        ([{"type": "caption", "text": "a"}], "a"),
        ([IMAGE], ""),
        ([text_block("a"), {"type": "text", "text": None}], "a "),
    ],
)
def test_the_text_of_a_message_is_its_text_blocks_joined_by_one_space(content, text):
    assert lens("input").get(turn(content)) == text


@pytest.mark.parametrize(
    ("blocks", "text", "expected"),
    [
        (
            [text_block("a"), IMAGE, text_block("b")],
            "a c",
            [text_block("a"), IMAGE, text_block("c")],
        ),
        (
            [text_block("a"), IMAGE, text_block("b")],
            "c b",
            [text_block("c"), IMAGE, text_block("b")],
        ),
        ([text_block("a"), IMAGE, text_block("b")], "new", [text_block("new"), IMAGE]),
        ([text_block("a", lang="en"), IMAGE], "b", [text_block("b", lang="en"), IMAGE]),
        ([IMAGE], "look", [text_block("look"), IMAGE]),
        ([], "look", [text_block("look")]),
        (
            [text_block("a"), {"type": "caption", "text": "b", "of": 1}],
            "new",
            [text_block("new"), {"type": "caption", "of": 1}],
        ),
    ],
)
def test_an_edit_changes_only_the_blocks_that_it_reaches(blocks, text, expected):
    after = edited(turn(blocks), "input", text)
    assert get(after, "/user_content/content") == expected
    assert lens("input").get(after) == text


def test_an_edit_of_a_message_keeps_its_role_and_metadata():
    raw = {"user_content": {"role": "customer", "content": "a", "metadata": {"x": 1}}}
    after = edited(raw, "input", "b")
    assert after == {"user_content": {"role": "customer", "content": "b", "metadata": {"x": 1}}}


blocks = st.lists(
    st.one_of(
        st.builds(text_block, st.text(alphabet="ab ", max_size=4)),
        st.just(IMAGE),
        st.just({"type": "text"}),
        st.builds(lambda t: {"type": "caption", "text": t, "of": 1}, st.text("ab ", max_size=3)),
    ),
    max_size=5,
)
contents = st.one_of(st.text(max_size=8), blocks, st.none(), st.integers(), st.just(MISSING))
texts = st.one_of(st.text(alphabet="ab ", max_size=9), st.text(max_size=9))


@given(contents, texts, texts)
def test_getting_a_text_returns_what_was_put_whatever_the_content(content, first, second):
    raw = turn(content)
    if content is MISSING:
        del raw["user_content"]["content"]
    for text in (first, second):
        raw = edited(raw, "input", text)
        assert lens("input").get(raw) == text
        assert edited(raw, "input", text) is raw


@given(blocks, texts)
def test_an_edit_of_the_text_keeps_every_other_block(content, text):
    after = get(edited(turn(content), "input", text), "/user_content/content")
    others = [b for b in content if b.get("type") == "image"]
    assert [b for b in after if b.get("type") == "image"] == others


@pytest.mark.parametrize(
    ("raw", "got"),
    [
        (turn(), MISSING),
        (turn(expected_final_response=None), None),
        (turn(expected_final_response=message("assistant", "")), ""),
        (turn(expected_final_response={"role": "assistant", "content": None}), None),
        (turn(expected_final_response="text"), "text"),
        (turn(expected_final_response=7), 7),
    ],
)
def test_absent_null_empty_and_odd_replies_are_told_apart_and_kept(raw, got):
    assert same(lens("expected_output").get(raw), got)
    assert edited(raw, "expected_output", got) is raw


def test_a_reply_can_be_made_null_emptied_and_removed():
    raw = turn(expected_final_response=message("assistant", "Yes."))
    assert edited(raw, "expected_output", None)["expected_final_response"] is None
    emptied = edited(raw, "expected_output", "")
    assert emptied["expected_final_response"] == message("assistant", "")
    assert "expected_final_response" not in edited(raw, "expected_output", MISSING)


@pytest.mark.parametrize(
    ("user", "expected"),
    [
        (message("user", "a"), message("assistant", "Yes.")),
        ({"role": "user", "content": "a"}, {"role": "assistant", "content": "Yes."}),
    ],
)
def test_a_new_message_is_as_spelled_out_as_what_the_user_says(user, expected):
    after = edited({"user_content": user}, "expected_output", "Yes.")
    assert after["expected_final_response"] == expected


def test_a_message_that_is_bare_text_becomes_one_that_loads():
    after = edited({"user_content": "hi"}, "input", "hello")
    value = {"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": [after]}]}
    assert lens("input").get(after) == "hello" and errors(value) == []


def test_a_message_refuses_what_is_no_text():
    with pytest.raises(FormatError, match="must be text"):
        edited(turn(), "input", {"a": 1})


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["one", "two"], [("one", 1), ("two", 2)]),
        (["two"], [("two", 2)]),
        (["one", "new", "two"], [("one", 1), ("new", None), ("two", 2)]),
        (["changed", "two"], [("changed", 1), ("two", 2)]),
        ([], []),
    ],
)
def test_messages_on_the_way_keep_the_message_of_each_kept_text(texts, expected):
    old = [
        {"role": "assistant", "content": text, "metadata": {"n": n}}
        for n, text in ((1, "one"), (2, "two"))
    ]
    after = edited(turn(expected_intermediate_responses=old), "intermediate_responses", texts)
    messages = after["expected_intermediate_responses"]
    assert [(m["content"], m["metadata"].get("n")) for m in messages] == expected


@given(
    st.lists(st.text("ab", max_size=2), max_size=4), st.lists(st.text("ab", max_size=2), max_size=4)
)
def test_getting_messages_on_the_way_returns_what_was_put(old, new):
    raw = turn(expected_intermediate_responses=[message("assistant", t) for t in old])
    after = edited(raw, "intermediate_responses", new)
    assert lens("intermediate_responses").get(after) == new


def test_an_edit_of_a_tool_call_keeps_what_it_does_not_touch():
    call = {"name": "find", "args": {"a": 1}, "call_id": "c1", "result": {"ok": True}, "note": "x"}
    raw = turn(expected_tool_trajectory=[call, "odd"])
    (got,) = lens("tool_calls").get(raw)
    assert (got.id, got.result) == ("c1", {"ok": True})
    after = edited(raw, "tool_calls", (got.model_copy(update={"args": {"a": 2}}),))
    assert after["expected_tool_trajectory"] == [{**call, "args": {"a": 2}}, "odd"]
    with_id = edited(raw, "tool_calls", (got.model_copy(update={"id": "c2", "result": 5}),))
    assert with_id["expected_tool_trajectory"][0] == {**call, "call_id": "c2", "result": 5}


def test_a_new_tool_call_is_a_name_and_arguments():
    raw = turn(expected_tool_trajectory=[])
    after = edited(raw, "tool_calls", (ToolCall(name="find", args={"q": 1}),))
    assert after["expected_tool_trajectory"] == [{"name": "find", "args": {"q": 1}}]


def test_a_null_list_of_tool_calls_stays_until_calls_are_added():
    raw = turn(expected_tool_trajectory=None)
    assert edited(raw, "tool_calls", lens("tool_calls").get(raw)) is raw
    assert edited(raw, "tool_calls", ())["expected_tool_trajectory"] == []


@pytest.mark.parametrize("level", ["set", "case", "invocation"])
def test_every_field_says_what_it_is_for_or_is_plain(level):
    plain = {"description"}
    assert {f.name for f in LENS.fields(level) if not f.help} <= plain


def test_a_new_set_with_a_new_case_is_written_as_the_package_saves_it():
    value = LENS.add_case(LENS.blank_set("s", "S", NOW), "first", NOW)
    assert list(value) == list(library_set())
    case, like = value["eval_cases"][0], library_set()["eval_cases"][0]
    assert list(case) == list(like)
    written = ["invocation_id", *case["conversation"][0]]
    assert written == list(like["conversation"][0])
    assert errors(value) == []


def test_a_new_case_in_a_terse_set_is_terse():
    terse = {
        "eval_cases": [
            {"eval_id": "a", "conversation": [{"user_content": {"role": "user", "content": "x"}}]}
        ]
    }
    value = LENS.add_case(terse, "b", NOW)
    new = {"eval_id": "b", "conversation": [{"user_content": {"role": "user", "content": ""}}]}
    assert value["eval_cases"][1] == new
    longer = LENS.add_invocation(value, "/eval_cases/1")
    assert longer["eval_cases"][1]["conversation"][1] == new["conversation"][0]


def test_no_id_is_invented_for_cases_and_turns():
    value = LENS.add_invocation(LENS.add_case(library_set(), "new", NOW), "/eval_cases/3")
    assert value["eval_cases"][3]["eval_id"] == "new"
    assert all("invocation_id" not in t for t in value["eval_cases"][3]["conversation"])


@pytest.mark.parametrize(
    ("pointer", "level", "field", "value", "old", "new"),
    [
        (TURN, "invocation", "expected_output", "Yes, at 22 °C.", b"21 \\u00b0C", b"22 \\u00b0C"),
        (TURN, "invocation", "input", "Is Emma in?", b"Is Dune in?", b"Is Emma in?"),
        (CASE, "case", "name", "Is it there", b"Is it in", b"Is it there"),
        ("", "set", "name", "books", b'"library",', b'"books",'),
    ],
)
def test_an_edit_changes_one_line_of_a_file_that_the_package_saved(
    pointer, level, field, value, old, new
):
    saved = as_saved(library_set())
    opened = JsonDocument.parse(saved)
    rendered = opened.render(LENS.put_field(opened.value, pointer, level, field, value))
    assert rendered == saved.replace(old, new, 1)
    assert rendered.count(b"\n") == saved.count(b"\n")


def test_unknown_keys_at_every_level_survive_an_edit():
    value = library_set()
    extra = ("", CASE, TURN, TURN + "/user_content", TURN + "/expected_tool_trajectory/0")
    for pointer in (*extra, CASE + "/session_input"):
        value = put(value, pointer + "/x_note", pointer)
    opened = document(value)
    after = LENS.put_field(opened.value, TURN, "invocation", "input", "new")
    (call,) = get_field(LENS, after, TURN, "invocation", "tool_calls")
    renamed = (call.model_copy(update={"name": "look"}),)
    after = LENS.put_field(after, TURN, "invocation", "tool_calls", renamed)
    kept = JsonDocument.parse(opened.render(after)).value
    assert all(get(kept, p + "/x_note") == p for p in (*extra, CASE + "/session_input"))


ON_THE_WAY = [
    {"role": "planner", "content": "One.", "metadata": {"n": 1}},
    {"role": "assistant", "content": [{"type": "text", "text": "Two."}, {"type": "image"}]},
    {"role": "critic", "content": "Three."},
]


@pytest.mark.parametrize(
    ("texts", "sources"),
    [
        (["Two.", "One.", "Three."], [1, 0, 2]),
        (["One.", "Three.", "Two."], [0, 2, 1]),
        (["Three.", "Two.", "One."], [2, 1, 0]),
        (["Two."], [1]),
        (["One.", "Two.", "Two.", "Three."], [0, 1, 1, 2]),
        (["New.", "One.", "Two.", "Three."], [None, 0, 1, 2]),
    ],
)
def test_a_message_on_the_way_that_is_moved_or_copied_keeps_its_role_and_metadata(texts, sources):
    lens = LENS.field("invocation", "intermediate_responses").lens
    made = lens.put({"expected_intermediate_responses": ON_THE_WAY}, texts, "snake")
    found = made["expected_intermediate_responses"]
    kept = [next((i for i, m in enumerate(ON_THE_WAY) if m is message), None) for message in found]
    assert kept == sources


def test_a_message_on_the_way_that_is_changed_keeps_its_role_and_metadata():
    lens = LENS.field("invocation", "intermediate_responses").lens
    made = lens.put(
        {"expected_intermediate_responses": ON_THE_WAY}, ["First.", "Two.", "Three."], "snake"
    )
    assert made["expected_intermediate_responses"] == [
        {"role": "planner", "content": "First.", "metadata": {"n": 1}},
        *ON_THE_WAY[1:],
    ]
