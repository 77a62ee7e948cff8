"""The laws of lenses, for every field of every format, on samples, with any value at all.

Put-get: what was put is read back. Get-put: putting what was read changes nothing. Put-put: the
last put wins. Independence: a put leaves every other field, and every other case, alone.
"""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore import formats
from evalcore.errors import FormatError
from evalcore.jsontree import MISSING, JsonValue, get, same
from tests.formats.field_values import any_value, equal, fixed
from tests.formats.test_contract import editable, ids, objects, opened
from tests.formats.turns import TURNS, in_a_set

EXAMPLES = 60
RELAXED = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


@cache
def places(path):
    """Return (pointer, level) of the set and of up to six cases with their turns."""
    document, _, lens = opened(path)
    cases = lens.case_pointers(document.value)
    step = max(1, len(cases) // 6)
    chosen = set(cases[::step])
    inside = [
        (pointer, level)
        for pointer, level in objects(path)
        if level == "set" or any(pointer == c or pointer.startswith(c + "/") for c in chosen)
    ]
    return [(p, level) for p, level in inside if isinstance(get(document.value, p), dict)]


def read_all(lens, level: str, raw: JsonValue) -> dict[str, object]:
    return {f.name: f.lens.get(raw) for f in lens.fields(level)}


def hold(lens, tree: JsonValue, pointer: str, level: str, data: st.DataObject) -> None:
    """Draw a field and values for it, and check the laws at one place of a tree."""
    fields = [f for f in lens.fields(level) if not f.read_only]
    field = data.draw(st.sampled_from(fields), label="field")
    raw = get(tree, pointer)
    old = field.lens.get(raw)
    format_id = lens.format_id if hasattr(lens, "format_id") else "tenxgraph"
    values = any_value(field, old, format_id) | st.just(MISSING)
    first, second = data.draw(values, label="first"), data.draw(values, label="second")

    def put(where: JsonValue, value: object) -> JsonValue:
        return lens.put_field(where, pointer, level, field.name, value)

    assert put(tree, old) is tree
    try:
        once = put(tree, first)
    except FormatError:
        # Only where there is no place for it, or a recorded turn cannot be without its record.
        recorded = first is None and field.name in RECORDED
        assert recorded or not field.lens.has_place(raw), (field.name, first)
        return
    got = field.lens.get(get(once, pointer))
    emptied = first is MISSING and got in ((), [])
    assert equal(got, first) or (emptied and field.name in RECORDED), (field.name, first, got)
    assert put(once, got) is once
    independent(lens, tree, once, pointer, level, field)
    try:
        twice = put(once, second)
    except FormatError:
        return
    if not has_origins(second):
        direct = put(tree, second)
        # Where a member is taken out and put back it goes to the end; its value is what counts.
        assert equal(field.lens.get(get(twice, pointer)), field.lens.get(get(direct, pointer))), (
            field.name,
            first,
            second,
        )


RECORDED = ("tool_calls", "tool_results", "intermediate_responses")


def has_origins(value: object) -> bool:
    """Return whether a value's records name places of the tree before, which are stale after it."""
    return isinstance(value, tuple) and any(record.origin for record in value)


def independent(lens, before, after, pointer, level, field) -> None:
    old, new = get(before, pointer), get(after, pointer)
    left, right = read_all(lens, level, old), read_all(lens, level, new)
    for other in lens.fields(level):
        moved = other.lens.has_place(old) is not other.lens.has_place(new)
        if other.name != field.name and not moved:
            assert equal(left[other.name], right[other.name]), (field.name, other.name)
    if level == "invocation" and lens.has_turns:
        assert len(lens.case_pointers(before)) == len(lens.case_pointers(after))
    for case in lens.case_pointers(before):
        if not pointer.startswith(case) or (level == "set"):
            assert get(before, case) is get(after, case)


@pytest.mark.parametrize("path", editable(), ids=ids)
@RELAXED
@given(data=st.data())
def test_the_laws_hold_in_every_sample(path, data):
    document, _, lens = opened(path)
    pointer, level = data.draw(st.sampled_from(places(path)), label="place")
    hold(lens, document.value, pointer, level, data)


@pytest.mark.parametrize("name", TURNS)
@RELAXED
@given(data=st.data())
def test_the_laws_hold_in_turns_of_every_shape(name, data):
    lens, tree = in_a_set(name)
    case = lens.case_pointers(tree)[0]
    (turn,) = lens.invocation_pointers(tree, case)
    level, pointer = data.draw(st.sampled_from([("case", case), ("invocation", turn)]))
    hold(lens, tree, pointer, level, data)


@pytest.mark.parametrize("format_", formats.built_in(), ids=lambda f: f.id)
def test_every_field_is_put_where_it_is_absent_and_where_it_is_there(format_):
    lens = format_.eval_sets
    for level in ("set", "case", "invocation"):
        for field in lens.fields(level):
            if field.read_only:
                continue
            whole = {"user_content": {}, "final_response": {}, "expected_final_response": {}}
            raw: JsonValue = whole if not field.lens.has_place({}) else {}
            for value in fixed(field):
                written = field.lens.put(raw, value, lens.default_style)
                assert equal(field.lens.get(written), value), (level, field.name)
                cleared = field.lens.put(written, MISSING, lens.default_style)
                assert field.lens.get(cleared) is MISSING
                assert same(field.lens.put(written, value, lens.default_style), written)


@pytest.mark.parametrize("format_", formats.built_in(), ids=lambda f: f.id)
def test_absent_null_and_empty_are_three_things_in_every_field(format_):
    lens = format_.eval_sets
    for level in ("set", "case", "invocation"):
        for field in lens.fields(level):
            if field.read_only:
                continue
            whole = {"user_content": {}, "final_response": {}, "expected_final_response": {}}
            raw: JsonValue = whole if not field.lens.has_place({}) else {}
            absent = field.lens.get(raw)
            null = field.lens.get(field.lens.put(raw, None, lens.default_style))
            blank = field.lens.get(field.lens.put(raw, field.blank, lens.default_style))
            assert absent is MISSING and null is None, (level, field.name)
            assert blank is not MISSING and blank is not None, (level, field.name)
