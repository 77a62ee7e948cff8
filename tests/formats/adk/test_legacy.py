"""The two old list shapes: read-only, and rewritten as ADK's own converter would."""

from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.errors import FormatError
from evalcore.formats.base import Detection, Kind
from evalcore.jsontree import MISSING
from tests.fields import get_field
from tests.formats.adk.helpers import errors, found, problems

ROW = {
    "query": "Roll a die",
    "expected_tool_use": [{"tool_name": "roll", "tool_input": {"sides": 6}}, {"tool_name": "end"}],
    "expected_intermediate_agent_responses": [{"author": "dice", "text": "Rolling…"}],
    "reference": "You rolled 4.",
}
SETS = [
    {"name": "dice", "data": [ROW, {"query": "Bye"}], "initial_session": {"state": {"n": 1}}},
    {"name": "odd", "data": [], "initial_session": {}, "own": 1},
]
MODERN_ROW = {
    "user_content": {"parts": [{"text": "Roll a die"}], "role": "user"},
    "final_response": {"parts": [{"text": "You rolled 4."}], "role": "model"},
    "intermediate_data": {
        "tool_uses": [{"name": "roll", "args": {"sides": 6}}, {"name": "end"}],
        "intermediate_responses": [["dice", [{"text": "Rolling…"}]]],
    },
}


def lens(variant):
    return formats.by_id("adk").lens_for(Detection("adk", Kind.EVAL_SET, "sure", "", variant))


def test_old_sets_are_read_with_their_turns():
    read = lens("legacy_sets").read(SETS)
    assert read.read_only and [c.id for c in read.cases] == ["dice", "odd"]
    first, second = read.cases[0].invocations
    assert (first.origin, first.input, first.expected_output) == (
        "/0/data/0",
        "Roll a die",
        "You rolled 4.",
    )
    assert [(c.name, c.args) for c in first.tool_calls] == [
        ("roll", {"sides": 6}),
        ("end", MISSING),
    ]
    assert second.expected_output is MISSING
    assert read.cases[0].session is not None and read.cases[0].session.state == {"n": 1}


def test_old_rows_are_one_case_that_is_the_file():
    legacy = lens("legacy_rows")
    (case,) = legacy.read([ROW, ROW]).cases
    assert (case.origin, case.id) == ("", None)
    assert [i.origin for i in case.invocations] == ["/0", "/1"]
    assert get_field(legacy, [ROW], "/0", "invocation", "input") == "Roll a die"


def test_a_case_without_rows_is_opaque():
    assert [c.opaque for c in lens("legacy_sets").read([{"name": "a"}, 5]).cases] == [True, True]


@pytest.mark.parametrize("variant", ["legacy_sets", "legacy_rows"])
def test_old_sets_cannot_be_edited(variant):
    value = SETS if variant == "legacy_sets" else [ROW]
    with pytest.raises(FormatError, match="old shape"):
        lens(variant).put_field(value, "/0", "invocation", "input", "x")


def test_old_sets_become_new_ones_without_invented_ids_or_times():
    assert lens("legacy_sets").modernise(SETS, "dice_set", "Dice") == {
        "eval_set_id": "dice_set",
        "name": "Dice",
        "eval_cases": [
            {
                "eval_id": "dice",
                "conversation": [
                    MODERN_ROW,
                    {
                        "user_content": {"parts": [{"text": "Bye"}], "role": "user"},
                        "final_response": {"parts": [{"text": ""}], "role": "model"},
                        "intermediate_data": {"tool_uses": [], "intermediate_responses": []},
                    },
                ],
                "session_input": {"app_name": "", "user_id": "", "state": {"n": 1}},
            },
            {"eval_id": "odd", "conversation": [], "own": 1},
        ],
    }


def test_a_null_reference_becomes_a_part_without_text():
    modern = lens("legacy_rows").modernise([{"query": "a", "reference": None}], "s", "")
    assert modern["eval_cases"][0]["conversation"][0]["final_response"]["parts"] == [{}]


def test_old_rows_become_a_case_called_like_the_set():
    modern = lens("legacy_rows").modernise([ROW], "roll_die", "")
    assert (modern["eval_set_id"], modern["name"]) == ("roll_die", "roll_die")
    assert [c["eval_id"] for c in modern["eval_cases"]] == ["roll_die"]


@pytest.mark.parametrize(("variant", "value"), [("legacy_sets", SETS), ("legacy_rows", [ROW])])
def test_a_modernised_set_is_recognised_and_loads(variant, value):
    modern = lens(variant).modernise(value, "s", "s")
    assert errors(modern) == []
    detection = formats.detect(modern, PurePath("s.evalset.json"))
    assert detection is not None and (detection.format_id, detection.variant) == ("adk", "")


def test_members_that_the_converter_drops_are_told():
    value = [{"name": "n", "data": [{**ROW, "expected_tool_use": [], "mood": "calm"}]}]
    assert ("info", "adk.legacy_key_dropped", "/0/data/0/mood") in found(value)


@pytest.mark.parametrize("path", ["agent/s.evalset.json", "evals/s.evalset.json"])
@pytest.mark.parametrize("variant", ["legacy_sets", "legacy_rows"])
def test_the_hint_of_an_old_shape_says_where_it_is_made_new(variant, path):
    value = SETS if variant == "legacy_sets" else [ROW]
    hints = {p.hint for p in problems(value, PurePath(path)) if "legacy" in p.code and p.hint}
    assert hints == {
        "Open it in the browser (evaldesk serve) and choose “Save as a new-style set”."
    }


@pytest.mark.parametrize("variant", ["legacy_sets", "legacy_rows"])
def test_a_refused_edit_of_an_old_shape_names_the_button_to_use(variant):
    value = SETS if variant == "legacy_sets" else [ROW]
    with pytest.raises(FormatError) as refused:
        lens(variant).delete_cases(value, [0])
    assert "“Save as a new-style set”" in refused.value.hint
