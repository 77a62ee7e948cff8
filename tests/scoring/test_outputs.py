import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.outputs import read_outputs, write_outputs
from evalcore.results import CaseResult, InvocationResult, ModelCall, Run


def lines(*objects, end=b"\n"):
    return end.join(o if isinstance(o, bytes) else json.dumps(o).encode() for o in objects)


def test_every_key_is_read():
    line = {
        "case_id": "a",
        "invocation": 0,
        "output": {"n": 1},
        "tool_calls": [{"name": "f", "args": {"x": None}, "id": "c1", "result": [1]}],
        "node_visits": ["START", "MAIN"],
        "duration_s": 1.5,
        "tokens": {"input": 9, "output": 1},
        "error": "boom",
        "repeat": 0,
    }
    (case,) = read_outputs(lines(line)).run.cases
    (turn,) = case.invocations
    assert (case.case_id, case.error, case.duration_s, case.total_tokens) == ("a", "boom", 1.5, 10)
    assert turn == InvocationResult(
        origin="/1",
        index=0,
        actual_output={"n": 1},
        actual_tool_calls=(ToolCall(name="f", args={"x": None}, id="c1", result=[1]),),
        node_visits=("START", "MAIN"),
        duration_s=1.5,
        model_calls=(ModelCall(prompt_tokens=9, candidates_tokens=1),),
        error="boom",
    )


def test_what_is_left_out_is_not_recorded_and_an_empty_list_is():
    bare, empty = read_outputs(
        lines({"case_id": "a"}, {"case_id": "b", "tool_calls": [], "output": None})
    ).run.cases
    assert bare.invocations[0].actual_output is MISSING
    assert bare.invocations[0].actual_tool_calls is None
    assert empty.invocations[0].actual_output is None
    assert empty.invocations[0].actual_tool_calls == ()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\n\n  \n"])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"\n"])
def test_marks_line_ends_and_blank_lines_do_not_matter(start, end):
    found = read_outputs(start + lines({"case_id": "a"}, {"case_id": "b"}, end=end) + end)
    assert [case.case_id for case in found.run.cases] == ["a", "b"]
    assert found.problems == ()


def test_a_line_separator_inside_a_text_is_no_line_end():
    found = read_outputs('{"case_id": "a", "output": "x\u2028y"}'.encode())
    assert found.run.cases[0].invocations[0].actual_output == "x\u2028y"


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (b'{"case_id": "a", }', "not_json"),
        (b"[1]", "not_an_object"),
        (b"{}", "no_case_id"),
        (b'{"case_id": ""}', "no_case_id"),
        (b'{"case_id": true}', "no_case_id"),
        (b'{"case_id": "a", "output": "\xff"}', "not_utf8"),
        (b'{"case_id": "a", "invocation": -1}', "wrong_type"),
        (b'{"case_id": "a", "invocation": true}', "wrong_type"),
        (b'{"case_id": "a", "invocation": 999999999}', "wrong_type"),
        (b'{"case_id": "a", "tool_calls": {}}', "wrong_type"),
        (b'{"case_id": "a", "tool_calls": [{"args": {}}]}', "wrong_type"),
        (b'{"case_id": "a", "tool_calls": [{"name": "f", "arguments": {}}]}', "wrong_type"),
        (b'{"case_id": "a", "tool_calls": [{"name": "f", "args": "x"}]}', "wrong_type"),
        (b'{"case_id": "a", "node_visits": [1]}', "wrong_type"),
        (b'{"case_id": "a", "duration_s": NaN}', "wrong_type"),
        (b'{"case_id": "a", "tokens": 1.5}', "wrong_type"),
        (b'{"case_id": "a", "tokens": {"input": 1}}', "wrong_type"),
        (b'{"case_id": "a", "error": 1}', "wrong_type"),
    ],
)
def test_a_bad_line_is_reported_with_its_number_and_the_others_are_kept(bad, code):
    found = read_outputs(lines({"case_id": "x"}, bad, {"case_id": "y"}))
    assert [case.case_id for case in found.run.cases] == ["x", "y"]
    assert [(p.severity, p.code, p.line) for p in found.problems] == [
        ("error", f"outputs.{code}", 2)
    ]


def test_deep_nesting_costs_its_line_only():
    found = read_outputs(lines(b'{"case_id":' + b"[" * 100_000, {"case_id": "y"}))
    assert [case.case_id for case in found.run.cases] == ["y"]
    assert found.problems[0].line == 1


def test_a_second_line_for_the_same_turn_is_its_second_run():
    found = read_outputs(
        lines(
            {"case_id": "a", "invocation": 1, "output": "2"},
            {"case_id": "a", "output": "1"},
            {"case_id": "a", "output": "one"},
            {"case_id": "a", "invocation": 1, "output": "two"},
        )
    )
    said = [[t.actual_output for t in case.invocations] for case in found.run.cases]
    assert said == [["1", "2"], ["one", "two"]]
    assert [case.repeat for case in found.run.cases] == [0, 1]
    assert found.problems == ()


def test_the_same_numbered_run_twice_is_an_error():
    line = {"case_id": "a", "repeat": 1}
    found = read_outputs(lines(line, line))
    assert len(found.run.cases) == 1
    assert [(p.code, p.line) for p in found.problems] == [("outputs.twice", 2)]


def test_a_turn_without_a_line_makes_the_case_an_error():
    found = read_outputs(lines({"case_id": "a", "invocation": 2}))
    (case,) = found.run.cases
    assert case.error == "There is no line for turn 0."
    assert [turn.error is None for turn in case.invocations] == [False, False, True]
    assert [p.code for p in found.problems] == ["outputs.lost_turn"] * 2


def test_an_unknown_key_is_told_once():
    found = read_outputs(lines({"case_id": "a", "outptu": 1}, {"case_id": "b", "outptu": 1}))
    assert [(p.severity, p.line) for p in found.problems] == [("warning", 1)]
    assert "outptu" in found.problems[0].message


def test_another_encoding_is_told_once():
    found = read_outputs('{"case_id": "a"}'.encode("utf-16"))
    assert [p.code for p in found.problems] == ["outputs.not_utf8"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
MAYBE = JSON | st.just(MISSING)
CALLS = st.builds(
    ToolCall,
    name=st.text(min_size=1),
    args=st.dictionaries(st.text(), JSON, max_size=2) | st.just(MISSING),
    id=st.none() | st.text(),
    result=MAYBE,
)


@given(
    st.lists(
        st.tuples(
            MAYBE,
            st.none() | st.lists(CALLS, max_size=2).map(tuple),
            st.none() | st.lists(st.text(), max_size=3).map(tuple),
            st.none() | st.integers(0, 99),
        ),
        min_size=1,
        max_size=3,
    )
)
def test_what_is_written_is_read_back(turns):
    case = CaseResult(
        origin="",
        case_id="a",
        invocations=tuple(
            InvocationResult(
                origin="",
                index=index,
                actual_output=output,
                actual_tool_calls=made,
                node_visits=nodes,
                model_calls=None
                if used is None
                else (ModelCall(prompt_tokens=used, candidates_tokens=1),),
            )
            for index, (output, made, nodes, used) in enumerate(turns)
        ),
    )
    found = read_outputs(write_outputs(Run(format_id="x", cases=(case,))))
    assert found.problems == ()
    (again,) = found.run.cases
    plain = [turn.model_copy(update={"origin": ""}) for turn in again.invocations]
    assert tuple(plain) == case.invocations


@given(st.binary(max_size=200))
def test_no_bytes_make_it_fail(data):
    found = read_outputs(data)
    assert all(p.line is None or p.line <= data.count(b"\n") + 1 for p in found.problems)


def test_half_a_character_survives():
    turn = InvocationResult(origin="", index=0, actual_output="\ud83d")
    run = Run(format_id="x", cases=(CaseResult(origin="", case_id="a", invocations=(turn,)),))
    assert read_outputs(write_outputs(run)).run.cases[0].invocations[0].actual_output == "\ud83d"
