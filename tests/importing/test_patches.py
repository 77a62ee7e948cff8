"""An edited export: what it changes, what it does not, and what somebody has to choose."""

import csv
import io
import json
from datetime import UTC, datetime

import pytest

from evalcore import formats
from evalcore.errors import FormatError
from evalcore.exporting import ExportKind, exported
from evalcore.exporting.cells import read_json, written
from evalcore.importing.applying import Choices, applied
from evalcore.importing.edits import Patch
from evalcore.importing.patch import read_patch
from evalcore.importing.reading import read_source
from evalcore.importing.sheets import sheet_from
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import put
from tests.samples import SAMPLES

NOW = datetime(2026, 1, 2, tzinfo=UTC)
FILES = {
    "adk": SAMPLES / "adk/refund_desk/refunds.evalset.json",
    "tenxgraph": SAMPLES / "tenxgraph/trip_planner/evals/trip_planner.evalset.json",
    "uipath_coded": SAMPLES / "uipath_coded/claims_intake/evaluations/eval-sets/claims.json",
    "uipath_lowcode": SAMPLES
    / "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json",
}


class Desk:
    """A set and the rows of its export as CSV, to be edited like a person would."""

    def __init__(self, format_id: str = "adk"):
        self.lens = formats.by_id(format_id).eval_sets
        self.document = JsonDocument.parse(FILES[format_id].read_bytes())
        self.tree = self.document.value
        self.reopen()

    def reopen(self) -> None:
        text = exported(ExportKind.CSV, self.lens, self.tree, "x.json").decode("utf-8-sig")
        self.rows = list(csv.reader(io.StringIO(text, newline="")))
        self.head = self.rows[0]

    def put(self, row: int, column: str, text: str) -> None:
        self.rows[row][self.head.index(column)] = text

    def get(self, row: int, column: str) -> str:
        return self.rows[row][self.head.index(column)]

    def add(self, **cells: str) -> None:
        named = {name.replace("_", " "): text for name, text in cells.items()}
        self.rows.append([named.get(name, "") for name in self.head])

    def patch(self) -> Patch:
        text = io.StringIO(newline="")
        csv.writer(text).writerows(self.rows)
        source = read_source(text.getvalue().encode(), "x.csv")
        return read_patch(self.lens, self.tree, sheet_from(self.lens, self.tree, source))

    def applied(self, **choices) -> list:
        tree = applied(self.lens, self.tree, self.patch(), Choices(**choices), NOW)
        return [self.lens.read_case(raw, "") for raw in self.lens.raw_cases(tree)]


def texts(patch: Patch) -> list[tuple]:
    return [(e.case, e.turn, e.column.header, e.after) for e in patch.edits]


def test_only_edited_cells_are_in_the_patch():
    desk = Desk()
    desk.put(1, "User says", "Is it broken?")
    desk.put(4, "Expected reply", "")
    assert texts(desk.patch()) == [
        (0, 0, "User says", "Is it broken?"),
        (2, 1, "Expected reply", None),
    ]
    cases = desk.applied()
    assert cases[0].invocations[0].input == "Is it broken?"
    assert cases[2].invocations[1].expected_output not in ("", None, "anything")


def test_an_edit_may_be_left_out():
    desk = Desk()
    desk.put(1, "User says", "one")
    desk.put(2, "User says", "two")
    dropped = {desk.patch().edits[0].key}
    cases = desk.applied(dropped=dropped)
    assert cases[0].invocations[0].input != "one"
    assert cases[1].invocations[0].input == "two"


def test_sorted_rows_and_columns_and_missing_columns_change_nothing():
    desk = Desk()
    desk.rows[1:] = sorted(desk.rows[1:], key=lambda row: row[3], reverse=True)
    gone = desk.head.index("User id")
    desk.rows = [row[:gone] + row[gone + 1 :] for row in desk.rows]
    order = sorted(range(len(desk.rows[0])), key=lambda i: desk.rows[0][i])
    desk.rows = [[row[i] for i in order] for row in desk.rows]
    patch = desk.patch()
    assert patch.is_empty and not patch.missing_cases and not patch.stale


def test_rows_that_are_not_there_are_deleted_only_if_asked():
    desk = Desk()
    count = len(desk.lens.raw_cases(desk.tree))
    desk.rows = [row for row in desk.rows if row[:2] not in (["wrong_order_number", "1"],)]
    desk.rows = [row for row in desk.rows if row[:2] != ["where_is_my_parcel", "3"]]
    patch = desk.patch()
    assert [title for _i, title in patch.missing_cases] == ["wrong_order_number"]
    assert [(t, title) for _i, t, title in patch.missing_turns] == [(2, "where_is_my_parcel")]
    assert len(desk.applied()) == count
    kept = desk.applied(delete_cases=True, delete_turns=True)
    assert len(kept) == count - 1
    assert [len(c.invocations) for c in kept if c.id == "where_is_my_parcel"] == [2]


def test_new_rows_become_cases_and_turns():
    desk = Desk()
    desk.add(Case_id="brand_new", Turn="1", User_says="Hi", Tags="a, b")
    desk.add(Case_id="brand_new", Turn="2", User_says="Bye")
    desk.add(Case_id="wrong_order_number", User_says="And now?")
    desk.add(User_says="No id at all here")
    cases = {case.id: case for case in desk.applied()}
    assert [t.input for t in cases["brand_new"].invocations] == ["Hi", "Bye"]
    assert cases["brand_new"].tags == ("a", "b")
    assert [t.input for t in cases["wrong_order_number"].invocations][-1] == "And now?"
    assert cases["no_id_at_all_here"].invocations[0].input == "No id at all here"


def test_a_copied_row_with_a_new_id_is_a_new_case_and_one_without_is_refused():
    desk = Desk()
    copy = list(desk.rows[1])
    copy[0] = "a_copy"
    desk.rows += [copy, list(desk.rows[2])]
    patch = desk.patch()
    assert [case.id for case in patch.new_cases] == ["a_copy"]
    (problem,) = [p for p in patch.problems if p.severity == "error"]
    assert "Row 3 is the same turn already" in problem.message


def test_a_file_that_changed_since_the_export_is_noticed():
    desk = Desk()
    desk.put(1, "User says", "mine")
    desk.put(2, "User says", "only mine")
    turns = desk.lens.invocation_pointers(desk.tree, desk.lens.case_pointers(desk.tree)[0])
    desk.tree = desk.lens.put_field(desk.tree, turns[0], "invocation", "input", "theirs")
    third = desk.lens.case_pointers(desk.tree)[2]
    turn = desk.lens.invocation_pointers(desk.tree, third)[0]
    desk.tree = desk.lens.put_field(desk.tree, turn, "invocation", "input", "only theirs")
    patch = desk.patch()
    assert [title for _i, title in patch.stale] == ["refund_within_policy", "where_is_my_parcel"]
    assert [(e.after, e.is_stale) for e in patch.edits] == [("mine", True), ("only mine", False)]
    inputs = [c.invocations[0].input for c in desk.applied()[:3]]
    assert inputs == ["theirs", "only mine", "only theirs"]
    taken = {edit.key for edit in patch.edits if edit.is_stale}
    assert desk.applied(taken=taken)[0].invocations[0].input == "mine"


def test_a_cell_that_cannot_be_read_is_named_and_the_others_are_used():
    desk = Desk()
    desk.put(1, "Expected tool calls", "refund(")
    desk.put(1, "User says", "fine")
    patch = desk.patch()
    (problem,) = patch.problems
    assert (problem.row, problem.column) == (2, "Expected tool calls")
    assert texts(patch) == [(0, 0, "User says", "fine")]


def test_calls_that_only_change_their_arguments_keep_ids_and_results():
    lens = formats.by_id("tenxgraph").eval_sets
    desk = Desk("tenxgraph")
    call = {"name": "find_trains", "args": {"from": "Lisbon"}, "call_id": "c9", "result": "ok"}
    where = "/eval_cases/0/conversation/0/expected_tool_trajectory"
    desk.tree = put(desk.tree, where, [call])
    text = exported(ExportKind.CSV, lens, desk.tree, "x.json").decode("utf-8-sig")
    desk.rows = list(csv.reader(io.StringIO(text, newline="")))
    assert desk.get(1, "Expected tool calls") == 'find_trains(from="Lisbon")'
    desk.put(1, "Expected tool calls", 'find_trains(from="Porto")\nbook(seat=12)')
    calls = desk.applied()[0].invocations[0].tool_calls
    assert [(c.name, c.args, c.id) for c in calls] == [
        ("find_trains", {"from": "Porto"}, "c9"),
        ("book", {"seat": 12}, None),
    ]
    assert calls[0].result == "ok"


def test_numbers_and_texts_of_objects_keep_their_kind():
    desk = Desk("uipath_coded")
    desk.put(1, "Inputs.amount", "1.900,5".replace(".", ""))
    desk.put(1, "Inputs.policy", "00123")
    desk.put(2, "Criteria by check.DecisionEvaluator.expectedOutput.decision", "decline")
    cases = desk.applied()
    assert cases[0].invocations[0].input["amount"] == 1900.5
    assert cases[0].invocations[0].input["policy"] == "00123"
    expected = cases[1].criteria["DecisionEvaluator"]
    assert expected == {"expectedOutput": {"decision": "decline"}}


def test_low_code_cases_are_known_by_their_guid_and_called_by_their_name():
    desk = Desk("uipath_lowcode")
    desk.put(1, "Name", "another name")
    desk.add(Name="brand new", **{"Inputs.subject": "x"})
    cases = desk.applied()
    assert cases[0].name == "another name" and cases[-1].name == "brand new"
    assert cases[-1].id


@pytest.mark.parametrize("value", [None, "x", "", []])
def test_a_line_that_leaves_a_field_out_leaves_it_as_it_is_and_null_is_null(value: object):
    desk = Desk()
    lines = exported(ExportKind.JSONL, desk.lens, desk.tree, "x.json").decode().splitlines()
    first = json.loads(lines[0])
    del first["turns"][0]["expected_output"]
    first["tags"] = value
    data = "\n".join([json.dumps(first), *lines[1:]]).encode()
    source = read_source(data, "x.jsonl")
    patch = read_patch(desk.lens, desk.tree, sheet_from(desk.lens, desk.tree, source))
    assert [(e.column.field.name, e.value) for e in patch.edits] == [("tags", value)]
    tree = applied(desk.lens, desk.tree, patch, Choices(), NOW)
    assert desk.lens.raw_cases(tree)[0]["tags"] == value


def test_two_cases_of_one_id_are_told_apart_by_the_stamp_or_not_at_all():
    desk = Desk()
    cases = desk.lens.raw_cases(desk.tree)
    desk.tree = put(desk.tree, "/eval_cases/1/eval_id", cases[0]["eval_id"])
    text = exported(ExportKind.CSV, desk.lens, desk.tree, "x.json").decode("utf-8-sig")
    desk.rows = list(csv.reader(io.StringIO(text, newline="")))
    desk.put(2, "User says", "the second one")
    assert [e.case for e in desk.patch().edits] == [1]
    desk.rows[2][-1] = ""
    (problem,) = [p for p in desk.patch().problems if p.severity == "error"]
    assert "2 cases called" in problem.message


def test_what_belongs_to_a_whole_case_is_not_taken_from_its_later_rows():
    desk = Desk()
    desk.put(4, "Tags", "later")
    patch = desk.patch()
    assert patch.is_empty
    assert [(p.row, p.column, p.severity) for p in patch.problems] == [(5, "Tags", "warning")]


def as_excel(text: str) -> str:
    """Return what Excel makes of the texts used here when it opens and saves a CSV file."""
    made = {
        "007": "7",
        "1-2": "02-Jan",
        "2024-01-05": "1/5/2024",
        "true": "TRUE",
        "1e5": "1.00E+05",
    }
    return {**made, "12345678901234567890": "1.23457E+19", "09:30": "9:30", "1.10": "1.1"}.get(
        text, text
    )


ODD = ["007", "1-2", "2024-01-05", "true", "1e5", "12345678901234567890", "09:30", "1.10"]


@pytest.mark.parametrize("odd", ODD)
def test_a_text_that_a_spreadsheet_program_took_for_something_else_stays(odd: str):
    desk = Desk()
    turn = "/eval_cases/0/conversation/0/user_content/parts/0/text"
    desk.tree = put(desk.tree, turn, odd)
    desk.tree = put(desk.tree, "/eval_cases/0/eval_id", odd)
    desk.reopen()
    desk.rows = [desk.rows[0], *([as_excel(cell) for cell in row] for row in desk.rows[1:])]
    patch = desk.patch()
    assert patch.is_empty and not patch.missing_cases and not patch.missing_turns
    told = [(p.row, p.column, p.severity) for p in patch.problems if p.severity != "info"]
    assert told == [(2, "Case id", "warning"), (2, "User says", "warning")]


def test_a_number_typed_for_another_is_an_edit_and_another_spelling_of_it_is_none():
    desk = Desk("uipath_coded")
    name = next(h for h in desk.head if h.startswith("Inputs") and desk.get(1, h).isdecimal())
    old = desk.get(1, name)
    desk.put(1, name, f"{old}.00")
    assert desk.patch().is_empty
    desk.put(1, name, f"{old}5")
    assert texts(desk.patch()) == [(0, None, name, f"{old}5")]


def test_a_number_whose_comma_may_mean_two_things_is_not_guessed():
    desk = Desk("uipath_coded")
    name = next(h for h in desk.head if h.startswith("Inputs") and desk.get(1, h).isdecimal())
    desk.put(1, name, "7,654")
    patch = desk.patch()
    assert patch.is_empty
    assert "may be 7654 or 7.654" in patch.problems[0].message


def test_a_sheet_without_the_ids_is_known_by_its_stamps_while_the_set_is_the_same():
    desk = Desk()
    desk.put(1, "User says", "Is it broken?")
    desk.rows = [row[1:] for row in desk.rows]
    assert texts(desk.patch()) == [(0, 0, "User says", "Is it broken?")]
    desk.tree = put(desk.tree, "/eval_cases/0/conversation/0/user_content/parts/0/text", "new")
    patch = desk.patch()
    assert patch.is_empty and patch.problems[0].row == 2
    assert "Without the column 'Case id'" in patch.problems[0].message


def test_a_column_that_is_there_twice_is_used_once_and_adds_no_member():
    desk = Desk("uipath_coded")
    name = next(h for h in desk.head if h.startswith("Inputs."))
    at = desk.head.index(name)
    desk.rows = [[*row[: at + 1], row[at], *row[at + 1 :]] for row in desk.rows]
    desk.rows[1][at + 1] = "other"
    patch = desk.patch()
    assert patch.is_empty
    assert [p.message for p in patch.problems if p.severity == "warning"] == [
        f"The column {name!r} is there twice; the second one is not used"
    ]


def test_a_member_called_like_a_copy_has_its_own_column():
    desk = Desk("uipath_coded")
    inputs = {"x": "one", "x (2)": "two"}
    desk.tree = put(desk.tree, "/evaluations", [{"id": "a", "name": "a", "inputs": inputs}])
    desk.reopen()
    desk.put(1, "Inputs.x (2)", "three")
    assert texts(desk.patch()) == [(0, None, "Inputs.x (2)", "three")]


BLANKS = [" ", "\n", "\t", "\u00a0", "\x85", "#N/A", "#REF!", "#n/a "]


@pytest.mark.parametrize("kind", list(ExportKind))
def test_texts_that_look_like_empty_or_broken_cells_come_back(kind: ExportKind):
    desk = Desk()
    for text in BLANKS:
        tree = put(desk.tree, "/eval_cases/0/conversation/0/user_content/parts", [{"text": text}])
        source = read_source(exported(kind, desk.lens, tree, "x.json"), f"x.{kind.value}")
        patch = read_patch(desk.lens, tree, sheet_from(desk.lens, tree, source))
        assert patch.is_empty and not [p for p in patch.problems if p.severity != "info"], text


@pytest.mark.parametrize("kind", list(ExportKind))
def test_integers_of_thousands_of_digits_come_back(kind: ExportKind):
    desk = Desk("uipath_coded")
    for value in (10**5000, {"deep": [10**5000]}):
        tree = put(desk.tree, "/evaluations/0/inputs", {"n": value})
        source = read_source(exported(kind, desk.lens, tree, "x.json"), f"x.{kind.value}")
        patch = read_patch(desk.lens, tree, sheet_from(desk.lens, tree, source))
        assert patch.is_empty and not [p for p in patch.problems if p.severity == "error"]


def test_an_emoji_takes_the_room_of_two_letters_in_a_cell():
    assert str(written("😀" * 20_000)).startswith("(kept: 20,000 characters")
    assert written("e" * 32_000) == "e" * 32_000


def test_a_group_with_a_name_twice_is_refused():
    with pytest.raises(FormatError, match="not JSON"):
        read_json('{"a": 1, "a": 2}')
