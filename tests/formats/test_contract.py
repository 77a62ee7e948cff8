"""Laws that every format keeps, over every field of every sample that it recognises."""

from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from evalcore import formats
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.formats.lenses import Field
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, get, is_within, same
from tests.fields import get_field
from tests.formats.field_values import equal, fixed
from tests.samples import json_files, original_path

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class Place(NamedTuple):
    """One field of one object in one file."""

    file: Path
    pointer: str
    level: str
    field: str


@cache
def opened(path: Path):
    document = JsonDocument.parse(path.read_bytes())
    detection = formats.detect(document.value, original_path(path))
    if detection is None or detection.kind is not Kind.EVAL_SET:
        return None
    return document, detection, formats.by_id(detection.format_id).lens_for(detection)


def eval_sets() -> list[Path]:
    return [path for path in json_files() if not_broken(path) and opened(path)]


def not_broken(path: Path) -> bool:
    return "broken" not in path.parts and "broken" not in path.name


def objects(path: Path):
    document, _, lens = opened(path)
    yield "", "set"
    for case in lens.case_pointers(document.value):
        yield case, "case"
        for turn in lens.invocation_pointers(document.value, case):
            yield turn, "invocation"


def editable() -> list[Path]:
    return [path for path in eval_sets() if not opened(path)[2].read_only]


def everything(lens, value: JsonValue, path: Path) -> dict[tuple[str, str, str], object]:
    found = {}
    for pointer in ("", *lens.case_pointers(value)):
        level = "case" if pointer else "set"
        for field in lens.fields(level):
            found[pointer, level, field.name] = get_field(lens, value, pointer, level, field.name)
        for turn in lens.invocation_pointers(value, pointer) if pointer else ():
            for field in lens.fields("invocation"):
                found[turn, "invocation", field.name] = get_field(
                    lens, value, turn, "invocation", field.name
                )
    return found


def without_place(lens, old: JsonValue, new: JsonValue, keys) -> set[tuple[str, str, str]]:
    """Return the fields that had no place before an edit or have none after it.

    The role of a message comes and goes with the message.
    """
    return {
        (pointer, level, name)
        for pointer, level, name in keys
        for lens_of in (lens.field(level, name).lens,)
        if not (lens_of.has_place(get(old, pointer)) and lens_of.has_place(get(new, pointer)))
    }


def ids(path: Path) -> str:
    return str(original_path(path))


@pytest.mark.parametrize("path", eval_sets(), ids=ids)
def test_reading_gives_every_case_and_turn(path: Path):
    document, _, lens = opened(path)
    eval_set = lens.read(document.value)
    assert [c.origin for c in eval_set.cases] == lens.case_pointers(document.value)
    for case in eval_set.cases:
        turns = lens.invocation_pointers(document.value, case.origin)
        assert case.opaque or [i.origin for i in case.invocations] == turns


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_putting_what_was_got_changes_nothing(path: Path):
    document, _, lens = opened(path)
    for pointer, level in objects(path):
        for field in lens.fields(level):
            if not field.read_only:
                got = get_field(lens, document.value, pointer, level, field.name)
                put = lens.put_field(document.value, pointer, level, field.name, got)
                assert put is document.value, (pointer, field.name)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_getting_returns_what_was_put_and_other_fields_stay(path: Path):
    document, _, lens = opened(path)
    before = everything(lens, document.value, path)
    places = sample_of_places(lens, path)
    for pointer, level, field in places:
        if not field.lens.has_place(get(document.value, pointer)):
            with pytest.raises(FormatError):
                lens.put_field(document.value, pointer, level, field.name, fixed(field)[0])
            continue
        for new in fixed(field):
            value = lens.put_field(document.value, pointer, level, field.name, new)
            got = get_field(lens, value, pointer, level, field.name)
            assert equal(got, new), (pointer, field.name, new, got)
            again = lens.put_field(value, pointer, level, field.name, got)
            assert again is value, (pointer, field.name)
            after = everything(lens, value, path)
            assert after.keys() == before.keys()
            changed = {k for k in before if not equal(before[k], after[k])}
            changed -= without_place(lens, document.value, value, before)
            assert changed <= {(pointer, level, field.name)}, (field.name, new, changed)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_the_last_put_wins(path: Path):
    document, _, lens = opened(path)
    for pointer, level, field in sample_of_places(lens, path):
        values = fixed(field)
        if len(values) > 1 and field.lens.has_place(get(document.value, pointer)):
            first = lens.put_field(document.value, pointer, level, field.name, values[0])
            then = lens.put_field(first, pointer, level, field.name, values[1])
            assert equal(get_field(lens, then, pointer, level, field.name), values[1])


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_a_field_that_was_removed_is_gone_and_the_others_stay(path: Path):
    document, _, lens = opened(path)
    before = everything(lens, document.value, path)
    for pointer, level in objects(path):
        for field in lens.fields(level):
            if field.read_only:
                continue
            value = lens.put_field(document.value, pointer, level, field.name, MISSING)
            after = everything(lens, value, path)
            changed = {k for k in after if not equal(before[k], after[k])}
            changed -= without_place(lens, document.value, value, before)
            # Recorded calls can all go, and still the record is there.
            assert after[pointer, level, field.name] in (MISSING, (), []), (pointer, field.name)
            assert changed <= {(pointer, level, field.name)}, (field.name, changed)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_a_put_changes_only_bytes_inside_the_object_it_is_put_in(path: Path):
    document, _, lens = opened(path)
    for pointer, level, field in sample_of_places(lens, path):
        if level == "set" or not field.lens.has_place(get(document.value, pointer)):
            continue
        new = fixed(field)[0]
        value = lens.put_field(document.value, pointer, level, field.name, new)
        rendered = document.render(value, id_keys=lens.id_keys)
        start, end = document.span(pointer)
        assert rendered[:start] == document.data[:start]
        assert rendered.endswith(document.data[end:])
        assert same(JsonDocument.parse(rendered).value, value)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_a_fields_place_lies_inside_its_object(path: Path):
    document, _, lens = opened(path)
    for pointer, level in objects(path):
        raw = get(document.value, pointer)
        for field in lens.fields(level):
            where = field.lens.where(raw)
            present = get_field(lens, document.value, pointer, level, field.name) is not MISSING
            if present and where:
                found = get(document.value, pointer + where)
                assert found is not MISSING, (pointer, field.name, where)
            assert is_within(pointer + where, pointer)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_cases_are_added_copied_moved_renamed_and_deleted(path: Path):
    document, _, lens = opened(path)
    value, count = document.value, len(lens.raw_cases(document.value))
    added = lens.add_case(value, lens.fresh_case_id(value, "brand_new"), NOW)
    assert len(lens.raw_cases(added)) == count + 1
    assert lens.case_label(lens.raw_cases(added)[-1]) == "brand_new"
    assert not lens.read_case(lens.raw_cases(added)[-1], "").opaque
    assert lens.raw_cases(lens.delete_cases(added, [count])) == lens.raw_cases(value)
    renamed = lens.rename_case(added, count, "other_name")
    assert lens.case_label(lens.raw_cases(renamed)[-1]) == "other_name"
    if count:
        copied = lens.duplicate_case(value, 0, "a_copy", NOW)
        assert lens.case_label(lens.raw_cases(copied)[1]) == "a_copy"
        assert len(lens.raw_cases(copied)) == count + 1
        moved = lens.move_case(added, count, 0)
        assert lens.case_label(lens.raw_cases(moved)[0]) == "brand_new"
        assert lens.raw_cases(moved)[1:] == lens.raw_cases(value)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_turns_are_added_moved_and_deleted(path: Path):
    document, _, lens = opened(path)
    for case in lens.case_pointers(document.value)[:3]:
        raw = get(document.value, case)
        if not lens.has_turns or not lens.invocations_pointer(raw):
            continue
        turns = lens.invocation_pointers(document.value, case)
        longer = lens.add_invocation(document.value, case)
        new = lens.invocation_pointers(longer, case)
        assert len(new) == len(turns) + 1
        if turns:
            moved = lens.move_invocation(longer, new[-1], -1)
            assert same(get(moved, new[-2]), get(longer, new[-1]))
            assert lens.delete_invocation(longer, new[-1]) == document.value


@pytest.mark.parametrize("format_", formats.built_in(), ids=lambda f: f.id)
def test_a_blank_set_is_recognised_and_has_no_errors(format_):
    value = format_.eval_sets.blank_set("my_set", "My set", NOW)
    path = Path("evals/my_set.evalset.json")
    document = JsonDocument.parse(JsonDocument.parse(b"{}").render(value))
    detection = format_.detect(value, path)
    assert detection is not None and detection.kind is Kind.EVAL_SET
    problems = formats.check_document(document, detection, path)
    assert [p for p in problems if p.severity == "error"] == []
    with_case = format_.eval_sets.add_case(value, "first", NOW)
    document = JsonDocument.parse(JsonDocument.parse(b"{}").render(with_case))
    problems = formats.check_document(document, detection, path)
    assert [p for p in problems if p.severity == "error"] == []


def sample_of_places(lens, path: Path) -> list[tuple[str, str, Field]]:
    """Return every field of the set, and of the first, middle and last case and their turns."""
    value = opened(path)[0].value
    cases = lens.case_pointers(value)
    chosen = {cases[i] for i in (0, len(cases) // 2, -1)} if cases else set()
    return [
        (pointer, level, field)
        for pointer, level in objects(path)
        if level == "set" or any(is_within(pointer, c) for c in chosen)
        for field in lens.fields(level)
        if not field.read_only
    ]
