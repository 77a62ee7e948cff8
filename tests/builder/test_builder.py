"""Sets built by a program: what is written, and that nothing is lost or written twice."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from evalcore.builder import EvalSetBuilder, ToolCall, Turn, filter_by_tags, single_turn
from evalcore.errors import ConflictError, FormatError
from evalcore.formats import built_in
from evalcore.jsontree import MISSING

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FOLDERS = {
    "uipath_coded": "evaluations/eval-sets/made.json",
    "uipath_lowcode": "evals/eval-sets/made.json",
    "adk": "agent/made.evalset.json",
    "harnest": "evals/made.evalset.json",
    "tenxgraph": "made.json",
}
FORMATS = [f.id for f in built_in()]
WITH_TURNS = [f.id for f in built_in() if f.eval_sets.has_turns]


@pytest.mark.parametrize("to", FORMATS)
def test_every_format_takes_a_case_and_gives_it_back(to, tmp_path: Path):
    place = (
        EvalSetBuilder("made", to=to, now=NOW)
        .add_case("Weather in London?", "Sunny.", case_id="london", tags=["smoke"])
        .save(tmp_path / FOLDERS[to])
    )
    found = EvalSetBuilder.from_file(place).build()
    assert found.format_id == to
    (case,) = found.cases
    assert "london" in (case.id, case.name)
    assert case.tags == ("smoke",)
    said, wanted = case.invocations[0].input, case.invocations[0].expected_output
    assert said in ("Weather in London?", {"input": "Weather in London?"})
    assert wanted in ("Sunny.", {"content": "Sunny."})


@pytest.mark.parametrize("to", FORMATS)
def test_the_same_program_run_again_changes_no_byte(to, tmp_path: Path):
    def write(day: int) -> bytes:
        builder = EvalSetBuilder("made", to=to, now=NOW + timedelta(days=day))
        builder.add_case("One?", "1").add_case("Two?", "2")
        return builder.save(tmp_path / FOLDERS[to]).read_bytes()

    assert write(0) == write(1)


@pytest.mark.parametrize("to", FORMATS)
def test_going_on_with_a_file_keeps_all_that_was_in_it(to, tmp_path: Path):
    place = EvalSetBuilder("made", to=to, now=NOW).add_case("One?").save(tmp_path / FOLDERS[to])
    before = place.read_text()
    EvalSetBuilder.from_file(place, now=NOW).add_case("Two?", case_id="two").save()
    after = place.read_text()
    removed = set(before.splitlines()) - set(after.splitlines())
    assert "two" in after
    assert len(removed) <= 1, "only the bracket or comma behind the last case may change"


@pytest.mark.parametrize("to", WITH_TURNS)
def test_turns_hold_their_own_tools(to):
    made = (
        EvalSetBuilder("made", to=to, now=NOW)
        .add_multi_turn(
            [
                ("Hello", "Hi!"),
                Turn("Weather in Paris?", "18 degrees.", tools=["get_weather"]),
                ("Thanks", ""),
            ],
            expected_tools=[ToolCall(name="greet", args={"politely": True})],
        )
        .build()
    )
    first, second, third = made.cases[0].invocations
    assert [(c.name, c.args) for c in first.tool_calls] == [("greet", {"politely": True})]
    assert [c.name for c in second.tool_calls] == ["get_weather"]
    assert third.expected_output == ""


def test_an_empty_reply_is_not_nothing():
    made = EvalSetBuilder(now=NOW).add_case("Say nothing", "").add_case("Say anything").build()
    empty, nothing = (case.invocations[0].expected_output for case in made.cases)
    assert empty == ""
    assert nothing in (None, MISSING)


def test_a_tool_test_expects_no_placeholder_of_the_reply():
    made = EvalSetBuilder().add_tool_test("Berlin?", "get_weather", {"location": "Berlin"}).build()
    (turn,) = made.cases[0].invocations
    assert turn.expected_output in (None, MISSING)
    assert turn.tool_calls[0].args == {"location": "Berlin"}


def test_ids_made_up_are_never_taken(tmp_path: Path):
    place = EvalSetBuilder().add_case("a", case_id="case_2").save(tmp_path / "x.json")
    made = EvalSetBuilder.from_file(place).add_case("b").add_case("c").build()
    assert [case.id for case in made.cases] == ["case_2", "case_3", "case_4"]


def test_an_id_given_twice_is_refused():
    builder = EvalSetBuilder().add_case("a", case_id="same")
    with pytest.raises(FormatError, match="already a case called 'same'"):
        builder.add_case("b", case_id="same")


def test_quick_and_conversations_name_their_cases():
    quick = EvalSetBuilder.quick(("Hello", "Hi!"), ("What is 2+2?", "4")).build()
    assert (quick.name, [c.id for c in quick.cases]) == ("quick_tests", ["test_1", "test_2"])
    talks = [{"user": "Hello", "assistant": "Hi!"}, {"user": "Bye"}]
    spoken = EvalSetBuilder.from_conversations(talks, name="smoke").build()
    assert (spoken.name, [c.id for c in spoken.cases]) == ("smoke", ["conv_1", "conv_2"])


@pytest.mark.parametrize("row", [{"assistant": "Hi!"}, {"user": ""}, {}])
def test_a_conversation_without_the_user_is_named(row):
    with pytest.raises(FormatError, match="Conversation 2 has no text of the user"):
        EvalSetBuilder.from_conversations([{"user": "a"}, row])


def test_description_and_metadata_survive_a_file(tmp_path: Path):
    place = (
        EvalSetBuilder("made", description="What it tests")
        .set_field("metadata", {"team": "a"})
        .add_case("a", metadata={"context": ["fact"]}, **{"session.user_id": "premium"})
        .save(tmp_path / "x.json")
    )
    again = EvalSetBuilder.from_file(place)
    assert again.build().description == "What it tests"
    assert again.tree["metadata"] == {"team": "a"}
    case = again.build().cases[0]
    assert case.metadata == {"context": ["fact"]}
    assert case.session.user_id == "premium"


@pytest.mark.parametrize(
    ("to", "case", "said"),
    [
        ("tenxgraph", {"expected_behavior": "Asks first"}, "has no expected behavior"),
        ("adk", {"simulate_tools": True}, "has no simulate tools"),
        ("tenxgraph", {"colour": "red"}, "has no colour"),
        ("uipath_lowcode", {"created_at": "today"}, "written by the system itself"),
        ("tenxgraph", {"expected_tools": [{"args": {}}]}, "tool call has no name"),
        ("tenxgraph", {"expected_tools": [{"name": "a", "arguments": {}}]}, "has no arguments"),
    ],
)
def test_what_a_format_has_no_place_for_is_refused_not_dropped(to, case, said):
    with pytest.raises(FormatError, match=said):
        EvalSetBuilder(to=to).add_case("a", **case)


@pytest.mark.parametrize("turn", ["ab", ("a",), ("a", "b", "c")])
def test_a_turn_that_is_no_pair_is_named(turn):
    with pytest.raises(FormatError, match="Turn 2 is no pair"):
        EvalSetBuilder().add_multi_turn([("a", "b"), turn])


def test_values_by_name_are_kept_as_they_are():
    made = EvalSetBuilder(to="uipath_coded").add_case({"amount": 5}, {"ok": True}).build()
    (turn,) = made.cases[0].invocations
    assert (turn.input, turn.expected_output) == ({"amount": 5}, {"ok": True})


def test_a_lone_text_takes_the_name_that_the_set_uses():
    builder = EvalSetBuilder(to="uipath_coded").add_case({"question": "a"})
    assert builder.add_case("b").build().cases[1].invocations[0].input == {"question": "b"}


def test_cases_are_found_by_all_of_their_tags():
    made = EvalSetBuilder().add(
        single_turn("a", case_id="a").tagged("x", "y"), single_turn("b", case_id="b", tags=["x"])
    )
    assert [c.id for c in made.filter_by_tags("x", "y")] == ["a"]
    assert [c.id for c in made.filter_by_tags("X")] == []
    assert len(filter_by_tags(made.build())) == 2


def test_saving_over_another_persons_edit_is_refused(tmp_path: Path):
    place = EvalSetBuilder().add_case("a").save(tmp_path / "x.json")
    mine = EvalSetBuilder.from_file(place).add_case("b")
    EvalSetBuilder.from_file(place).add_case("theirs", case_id="theirs").save()
    with pytest.raises(ConflictError):
        mine.save()
    assert "theirs" in place.read_text()


def test_the_own_file_is_known_however_its_path_is_written(tmp_path: Path, monkeypatch):
    place = EvalSetBuilder().add_case("a").save(tmp_path / "x.json")
    monkeypatch.chdir(tmp_path)
    builder = EvalSetBuilder.from_file("x.json")
    held = builder.build().id
    place.write_text(place.read_text().replace("eval-set", "renamed"))
    with pytest.raises(ConflictError):
        builder.add_case("b").save(place)
    assert builder.build().id == held and "renamed" in place.read_text()


def test_a_name_that_is_refused_leaves_no_folder_behind(tmp_path: Path):
    with pytest.raises(FormatError, match="would not take"):
        EvalSetBuilder(to="harnest").add_case("a").save(tmp_path / "new" / "somewhere.json")
    assert list(tmp_path.iterdir()) == []


def test_saving_over_a_file_of_another_format_is_refused(tmp_path: Path):
    place = (
        EvalSetBuilder(to="uipath_coded")
        .add_case("a")
        .save(tmp_path / "evaluations/eval-sets/x.json")
    )
    before = place.read_bytes()
    with pytest.raises(FormatError, match="another format"):
        EvalSetBuilder(to="tenxgraph").add_case("a").save(place)
    assert place.read_bytes() == before


def test_a_name_that_the_system_would_not_take_is_refused(tmp_path: Path):
    with pytest.raises(FormatError, match="would not take"):
        EvalSetBuilder(to="harnest").add_case("a").save(tmp_path / "somewhere.json")
    assert list(tmp_path.iterdir()) == []


def test_a_result_file_is_no_set(tmp_path: Path):
    place = tmp_path / "x.json"
    place.write_text('{"a": 1}')
    with pytest.raises(FormatError, match="no eval set"):
        EvalSetBuilder.from_file(place)
