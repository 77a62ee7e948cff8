"""Forms drawn by JSON schemas: what kind each member is, what does not fit, and its mending."""

import pytest
from hypothesis import given

from evalcore.jsontree import MISSING
from evalcore.views.schema import Shape, spec_of
from evalcore.views.schema_faults import faults
from evalcore.views.schema_form import count_faults, label_of, rows, words_of
from tests.strategies import VALUES

CLAIM = {
    "type": "object",
    "properties": {
        "amount": {"type": "number", "minimum": 0, "maximum": 5000, "description": "In euros"},
        "count": {"type": "integer", "default": 3},
        "urgent": {"type": "boolean"},
        "channel": {"enum": ["mail", "phone"]},
        "note": {"type": ["string", "null"]},
        "customer": {"$ref": "#/$defs/Customer"},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/Line"}},
        "either": {
            "anyOf": [
                {"type": "string", "title": "By name"},
                {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]},
            ]
        },
        "whole": {"allOf": [{"$ref": "#/$defs/Line"}, {"properties": {"more": {}}}]},
        "free": {},
    },
    "required": ["amount", "customer"],
    "$defs": {
        "Customer": {
            "type": "object",
            "properties": {"fullName": {"type": "string"}, "friend": {"$ref": "#/$defs/Customer"}},
            "required": ["fullName"],
        },
        "Line": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]},
    },
}
SPEC = spec_of(CLAIM)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("amount", Shape.NUMBER),
        ("count", Shape.WHOLE),
        ("urgent", Shape.FLAG),
        ("channel", Shape.CHOICE),
        ("note", Shape.TEXT),
        ("customer", Shape.GROUP),
        ("lines", Shape.LIST),
        ("either", Shape.UNION),
        ("whole", Shape.GROUP),
        ("free", Shape.ANY),
    ],
)
def test_a_member_has_the_shape_that_its_schema_asks_for(name, shape):
    assert SPEC.members[name].shape is shape


def test_references_and_parts_are_followed():
    assert list(SPEC.members["customer"].members) == ["fullName", "friend"]
    assert SPEC.members["customer"].members["friend"].required == {"fullName"}
    assert list(SPEC.members["whole"].members) == ["more", "sku"]
    assert list(SPEC.members["lines"].item().members) == ["sku"]


def test_a_schema_that_refers_to_itself_without_end_is_left_open():
    loop = {"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"$ref": "#/$defs/A"}}}
    assert spec_of(loop).shape is Shape.ANY


@pytest.mark.parametrize(
    ("name", "blank"),
    [
        ("amount", 0),
        ("count", 3),
        ("urgent", False),
        ("channel", "mail"),
        ("note", ""),
        ("customer", {"fullName": ""}),
        ("lines", []),
        ("either", ""),
        ("whole", {"sku": ""}),
    ],
)
def test_adding_a_member_writes_its_default_or_as_little_as_it_can_be(name, blank):
    assert SPEC.members[name].blank() == blank
    assert SPEC.members[name].accepts(blank)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("amount", "5", "This should be a number."),
        ("amount", True, "This should be a number."),
        ("amount", 6000, "The number should be from 0 to 5000."),
        ("count", 1.5, "This should be a whole number."),
        ("channel", "fax", "This should be one of “mail”, “phone”."),
        ("note", 3, "This should be a text."),
        ("either", 3, "This should be a text or a group of values."),
    ],
)
def test_what_does_not_fit_is_said_in_words(name, value, said):
    assert list(faults(SPEC.members[name], value)) == [said]


@pytest.mark.parametrize(
    ("name", "value"),
    [("amount", 5), ("count", 3.0), ("note", None), ("either", {"id": 1}), ("free", [1])],
)
def test_what_fits_is_not_told(name, value):
    assert list(faults(SPEC.members[name], value)) == []


def test_null_fits_only_where_the_schema_says_so():
    assert SPEC.members["note"].takes_null
    assert not SPEC.members["amount"].takes_null
    assert spec_of({"anyOf": [{"type": "string"}, {"type": "null"}]}).takes_null
    assert spec_of({"enum": ["a", None]}).takes_null
    assert not spec_of({"enum": ["a"]}).takes_null


def fault_of(value, name):
    (row,) = (r for r in rows(SPEC, value, "input") if r.name == name)
    return row.faults


def mended(value, name, label):
    (fix,) = (f for fault in fault_of(value, name) for f in fault.fixes if f.label == label)
    return fix.change(value)


def test_a_missing_input_is_told_where_it_would_be_and_can_be_added():
    value = {"count": 1}
    (fault,) = fault_of(value, "customer")
    assert fault.message == "Needed, and not in the file: the input “customer”."
    assert mended(value, "customer", "Add the missing input") == {
        "count": 1,
        "customer": {"fullName": ""},
    }
    assert fault_of(value, "note") == ()


def test_an_unknown_input_can_be_renamed_in_its_place_or_removed():
    value = {"amout": 5, "count": 1}
    assert mended(value, "amout", "Rename it to “amount”") == {"amount": 5, "count": 1}
    assert mended(value, "amout", "Remove it") == {"count": 1}
    labels = [f.label for fault in fault_of({"zzz": 1}, "zzz") for f in fault.fixes]
    assert labels == ["Remove it"]


@pytest.mark.parametrize(
    ("name", "value", "label", "made"),
    [
        ("amount", "12.5", "Make it a number", 12.5),
        ("count", "3", "Make it a whole number", 3),
        ("urgent", "yes", "Make it yes or no", True),
        ("urgent", "False", "Make it yes or no", False),
        ("note", 3, "Make it a text", "3"),
        ("lines", "[]", "Make it a list", []),
    ],
)
def test_a_value_of_the_wrong_kind_is_turned_where_nothing_is_invented(name, value, label, made):
    assert mended({name: value}, name, label)[name] == made


@pytest.mark.parametrize(
    ("name", "value"),
    [("amount", "many"), ("customer", 4), ("urgent", "perhaps"), ("channel", "fax")],
)
def test_no_mending_is_offered_that_would_invent_something(name, value):
    assert [f.fixes for f in fault_of({name: value}, name)] == [()]


def test_unknown_members_of_an_open_group_are_no_fault():
    is_open = spec_of({**CLAIM, "additionalProperties": True})
    assert [r.faults for r in rows(is_open, {"zzz": 1}) if r.name == "zzz"] == [()]


def test_faults_are_counted_at_any_depth():
    value = {"amount": 1, "customer": {}, "lines": [{"sku": "a"}, {}], "zzz": 1}
    assert count_faults(SPEC, value) == 3
    assert count_faults(SPEC, {"amount": 1, "customer": {"fullName": "Ann"}}) == 0


def test_the_alternative_whose_constants_match_is_chosen():
    user = {"properties": {"role": {"const": "user"}}, "required": ["role"], "type": "object"}
    agent = {"properties": {"role": {"const": "agent"}}, "required": ["role"], "type": "object"}
    spec = spec_of({"oneOf": [user, agent]})
    assert spec.chosen({"role": "agent"}).schema == agent
    assert spec.chosen(MISSING).schema == user


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("expectedOutput", "Expected output"),
        ("tool_calls", "Tool calls"),
        ("userID", "User ID"),
        ("amount", "Amount"),
        ("order-id", "order-id"),
        ("größe", "größe"),
        ("", ""),
    ],
)
def test_names_of_code_are_said_in_words(name, words):
    assert words_of(name) == words


def test_a_title_counts_only_where_it_says_more_than_the_name():
    assert label_of("expectedOutput", spec_of({"title": "Expectedoutput"})) == "Expected output"
    assert label_of("q", spec_of({"title": "Question"})) == "Question"


@given(VALUES, VALUES)
def test_any_value_can_be_drawn_by_any_schema(schema, value):
    spec = spec_of(schema)
    list(faults(spec, value))
    for row in rows(spec, value):
        assert isinstance(row.label, str)
    spec.chosen(value)
    spec.blank()
    count_faults(spec, value)
