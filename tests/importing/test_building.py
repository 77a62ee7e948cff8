"""Columns become fields, rows become cases, and bad rows are named."""

from datetime import UTC, datetime

import pytest

from evalcore import formats
from evalcore.importing.building import Grouping, Plan, planned, with_cases, written
from evalcore.importing.reading import read_source
from evalcore.importing.source import ReadOptions
from evalcore.importing.targets import (
    CASE,
    IGNORE,
    Target,
    chosen_target,
    guessed_mapping,
    members_of,
)

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def blank(format_id: str):
    lens = formats.by_id(format_id).eval_sets
    return lens, lens.blank_set("s", "S", NOW)


def plan(text: str, format_id: str = "adk", grouping: Grouping | None = None, **kw) -> Plan:
    lens, tree = blank(format_id)
    tree = kw.get("tree", tree)
    source = read_source(text.encode(), kw.get("name", "a.csv"), ReadOptions())
    mapping = kw.get("mapping") or guessed_mapping(lens, source, tree)
    return planned(lens, tree, source, mapping, grouping or Grouping())


def cases(text: str, format_id: str = "adk", grouping: Grouping | None = None, **kw) -> list:
    """Return the cases as their format reads them."""
    lens, tree = blank(format_id)
    made, problems = written(lens, tree, plan(text, format_id, grouping, **kw).cases, NOW)
    assert problems == []
    return [lens.read_case(raw, "") for raw in made]


@pytest.mark.parametrize(
    ("format_id", "header", "targets"),
    [
        (
            "adk",
            "Test case,Question,Expected answer,Labels,Whatever",
            "case invocation:input invocation:expected_output case:tags ignore",
        ),
        (
            "tenxgraph",
            "id,turn,user,assistant,name,expected_nodes",
            "case turn invocation:input invocation:expected_output case:name invocation:node_order",
        ),
        ("adk", "userQuery,groundTruth", "invocation:input invocation:expected_output"),
        ("adk", "question,prompt", "invocation:input ignore"),
        ("uipath_lowcode", "Name,expected behaviour", "case invocation:expected_behavior"),
    ],
)
def test_columns_are_known_by_their_names(format_id: str, header: str, targets: str):
    lens, tree = blank(format_id)
    source = read_source(f"{header}\n{','.join('x' for _ in targets.split())}\n".encode(), "a.csv")
    assert [t.what for t in guessed_mapping(lens, source, tree)] == targets.split()


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("inputs.amount", ("amount",)),
        ("input[customer][name]", ("customer", "name")),
        ('inputs["a.b"]', ("a.b",)),
        ("policy number", ("policy number",)),
        ("claim.amount", ("claim", "amount")),
        ("question", ("question",)),
    ],
)
def test_columns_become_named_inputs(header: str, path: tuple[str, ...]):
    lens, tree = blank("uipath_coded")
    source = read_source(f"id;{header}\nc;1\n".encode(), "a.csv")
    assert guessed_mapping(lens, source, tree)[1] == Target("invocation:input", path)


SCHEMAS = {
    "input": {"properties": {"ticket": {}, "id": {}}},
    "expected_output": {"anyOf": [{"properties": {"category": {}, "reply": {}}}, {}]},
}


@pytest.mark.parametrize("format_id", ["uipath_coded", "uipath_lowcode"])
def test_columns_become_what_the_project_calls_its_inputs_and_outputs(format_id: str):
    lens, tree = blank(format_id)
    source = read_source(b"Name,Category,ticket,Reply\nn,c,t,r\n", "a.csv")
    found = guessed_mapping(lens, source, tree, members_of(SCHEMAS))
    assert found[1:] == (
        Target("invocation:expected_output", ("category",)),
        Target("invocation:input", ("ticket",)),
        Target("invocation:expected_output", ("reply",)),
    )


@pytest.mark.parametrize(
    ("format_id", "column", "what", "path"),
    [
        ("uipath_lowcode", 0, "invocation:expected_output", ("category",)),
        ("uipath_lowcode", 1, "invocation:expected_output", ("urgency",)),
        ("uipath_coded", 0, "invocation:expected_output", ("category",)),
        ("uipath_coded", 1, "invocation:expected_output", ()),
        ("uipath_coded", 1, "invocation:input", ("urgency",)),
        ("uipath_coded", 1, "case:name", ()),
    ],
)
def test_a_column_that_is_chosen_to_be_a_group_of_values_gets_a_name_in_it(
    format_id: str, column: int, what: str, path: tuple[str, ...]
):
    lens, tree = blank(format_id)
    source = read_source(b"Category,urgency\nc,u\n", "a.csv")
    target = chosen_target(lens, tree, source, column, what, members_of(SCHEMAS))
    assert target == Target(what, path)


def test_dotted_columns_are_put_together_and_typed_by_their_whole_column():
    text = "id,inputs.amount,inputs.customer.name,inputs.code,inputs.mixed,expected.ok\n"
    text += "a,12,Zoë,007,5,true\nb,13.5,Ülf,008,A-5,false\n"
    first, second = cases(text, "uipath_lowcode")
    assert first.invocations[0].input == {
        "amount": 12,
        "customer": {"name": "Zoë"},
        "code": "007",
        "mixed": "5",
    }
    assert second.invocations[0].input["amount"] == 13.5
    assert first.invocations[0].expected_output == {"ok": True}


@pytest.mark.parametrize(
    ("as_", "value"), [("auto", 12), ("text", "12"), ("number", 12), ("json", 12)]
)
def test_a_column_may_be_read_as_something_else(as_: str, value: object):
    mapping = (Target(CASE), Target("invocation:input", ("n",), as_))
    (case,) = cases("id,n\na,12\n", "uipath_coded", mapping=mapping)
    assert case.invocations[0].input == {"n": value}


def test_rows_with_one_id_are_turns_in_the_order_of_their_numbers():
    text = (
        "id,turn,question,answer,tags\nc,2,And then?,Home.,\nc,1,Where to?,Porto.,trip\nd,1,Q,A,\n"
    )
    first, second = cases(text)
    assert [t.input for t in first.invocations] == ["Where to?", "And then?"]
    assert first.tags == ("trip",)
    assert [t.input for t in second.invocations] == ["Q"]


def test_rows_without_an_id_may_belong_to_the_case_above():
    text = "id,question\nc,one\n,two\nd,three\n"
    assert [len(c.invocations) for c in cases(text, grouping=Grouping(no_id="above"))] == [2, 1]
    assert [c.id for c in cases(text)] == ["c", "two", "d"]


def test_a_repeated_id_is_an_error_where_cases_have_one_turn():
    found = plan("id,q\na,1\nb,2\na,3\n", "uipath_coded")
    assert [case.id for case in found.cases] == ["a", "b"]
    (problem,) = found.problems
    assert (problem.row, problem.column) == (4, "id") and "row 2" in problem.message


def test_ids_are_made_from_what_is_said_and_differ():
    text = "question\nWhere is my parcel?\nWhere is my parcel?\n¿Dónde está?\n日本語\n"
    assert [c.id for c in cases(text)] == [
        "where_is_my_parcel",
        "where_is_my_parcel_2",
        "donde_esta",
        "case_5",
    ]


def test_a_made_up_id_never_takes_one_that_a_later_row_has():
    assert [c.id for c in cases("id,question\n,hello there\nhello_there,x\n")] == [
        "hello_there_2",
        "hello_there",
    ]


@pytest.mark.parametrize(
    ("text", "row", "column", "words"),
    [
        ("id,question\na,x\nb,\n", 3, "question", "no text for"),
        ("id,question,tools\na,x,f(\n", 2, "tools", "Line 1"),
        ("id,turn,question\na,first,x\n", 2, "turn", "no number"),
        ("id,question,tags\na,x,(json) [\n", 2, "tags", "not JSON"),
    ],
)
def test_a_bad_row_is_left_out_and_named(text: str, row: int, column: str, words: str):
    found = plan(text)
    problems = [p for p in found.problems if p.severity == "error"]
    assert [(p.row, p.column) for p in problems] == [(row, column)]
    assert words in problems[0].message and found.left_out == 1


def test_what_differs_between_rows_of_one_case_is_told():
    found = plan("id,question,tags\na,x,one\na,y,two\n")
    (problem,) = found.problems
    assert problem.severity == "warning" and problem.row == 3
    assert cases("id,question,tags\na,x,one\na,y,two\n")[0].tags == ("one",)


def test_cases_whose_id_is_taken_are_left_out_or_renamed():
    lens, tree = blank("adk")
    made, _problems = written(lens, tree, plan("id,question\na,x\n").cases, NOW)
    there = with_cases(lens, tree, made)
    again = plan("id,question\na,y\nb,z\n", tree=there)
    assert [c.id for c in again.cases] == ["b"] and again.problems[0].row == 2
    renamed = plan("id,question\na,y\n", grouping=Grouping(taken="rename"), tree=there)
    assert [c.id for c in renamed.cases] == ["a_2"]


def test_tool_calls_are_read_from_lines_names_or_json():
    wanted = [("lookup", {"id": "A-1"}), ("refund", {"amount": 5})]
    for cell in (
        'lookup(id="A-1")\nrefund(amount=5)',
        "lookup(id=A-1)\nrefund(amount=5)",
        '[{"name": "lookup", "args": {"id": "A-1"}},'
        ' {"tool_name": "refund", "tool_input": {"amount": 5}}]',
    ):
        quoted = '"' + cell.replace('"', '""') + '"'
        (case,) = cases(f"id,question,tools\na,x,{quoted}\n")
        calls = case.invocations[0].tool_calls
        assert [(c.name, c.args) for c in calls] == wanted
    (case,) = cases('id,question,tools\na,x,"lookup, refund"\n')
    assert [c.name for c in case.invocations[0].tool_calls] == ["lookup", "refund"]


def test_guarded_cells_lose_their_guard():
    (case,) = cases("id,question\na,'=SUM(A1)\n")
    assert case.invocations[0].input == "=SUM(A1)"


def test_a_column_that_is_not_used_hurts_nobody():
    lens, tree = blank("adk")
    source = read_source(b"id,question,x\na,b,c\n", "a.csv")
    mapping = (Target(CASE), Target("invocation:input"), Target(IGNORE))
    found = planned(lens, tree, source, mapping, Grouping())
    assert found.problems == () and len(found.cases) == 1


@pytest.mark.parametrize(
    "format_id", ["adk", "harnest", "tenxgraph", "uipath_coded", "uipath_lowcode"]
)
def test_thirty_rows_make_thirty_cases_in_every_dialect(format_id: str):
    text = "Name,Question,Answer\n" + "".join(f"c{n},Why {n}?,So {n}.\n" for n in range(30))
    lens, tree = blank(format_id)
    made, problems = written(lens, tree, plan(text, format_id).cases, NOW)
    assert problems == [] and len(made) == 30
    assert "Why 7?" in repr(lens.read_case(made[7], "").invocations[0].input)
