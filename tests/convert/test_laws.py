"""Every value of every set is kept, changed or listed, and every new set loads."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore import formats
from evalcore.convert import Conversion, Options, Source, convert
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, get, leaves, put, same
from tests.convert.samples import NOW, PAIRS, PATHS, SETS, converted, source_of, target_of
from tests.samples import json_files, original_path
from tests.strategies import VALUES


def eval_sets() -> list[Path]:
    return [p for p in json_files() if "broken" not in p.parts and opened(p) is not None]


def opened(path: Path) -> Source | None:
    document = JsonDocument.parse(path.read_bytes())
    detection = formats.detect(document.value, original_path(path))
    if detection is None or detection.kind is not Kind.EVAL_SET:
        return None
    return Source(formats.by_id(detection.format_id), detection, document.value)


def hold(source: JsonValue, made: Conversion, format_id: str) -> None:
    """Check what every conversion promises."""
    fates = made.report.fates
    for fate, (pointer, leaf) in zip(fates, leaves(source), strict=True):
        assert fate.pointer == pointer and same(fate.value, leaf)
    for fate in fates:
        if fate.status in ("kept", "carried"):
            assert fate.target is not None
            assert same(get(made.value, fate.target), fate.value), fate
        elif fate.status == "changed":
            assert fate.why and fate.target is not None, fate
            assert get(made.value, fate.target) is not MISSING, fate
        else:
            assert fate.why and fate.target is None, fate
        assert fate.title
    document = JsonDocument.parse(JsonDocument.parse(b"{}\n").render(made.value))
    path = target_of(format_id).path
    detection = formats.detect(document.value, path)
    assert detection is not None
    assert (detection.format_id, detection.kind) == (format_id, Kind.EVAL_SET)
    found = formats.check_document(document, detection, path)
    assert [p for p in found if p.severity == "error"] == []


@pytest.mark.parametrize("target", PATHS)
@pytest.mark.parametrize("path", eval_sets(), ids=lambda p: str(original_path(p)))
def test_every_value_of_every_file_is_mapped_or_listed_and_the_new_file_loads(
    path: Path, target: str
):
    source = opened(path)
    assert source is not None
    for options in (Options(), Options(split_turns=True, carry=True)):
        hold(source.value, convert(source, target_of(target), options, NOW), target)


@pytest.mark.parametrize(("source", "target"), PAIRS)
@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize("carry", [False, True])
def test_every_value_of_a_set_in_which_everything_occurs_is_followed(
    source: str, target: str, split: bool, carry: bool
):
    value = SETS[source]
    hold(value, converted(value, source, target, split_turns=split, carry=carry), target)


@pytest.mark.parametrize(("source", "target"), [p for p in PAIRS if p[0] != p[1]])
def test_converting_the_same_set_again_gives_the_same_file(source: str, target: str):
    first, second = (converted(SETS[source], source, target) for _ in range(2))
    assert same(first.value, second.value)


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_the_source_is_left_as_it_was(source: str, target: str):
    before = JsonDocument.parse(b"{}\n").render(SETS[source])
    converted(SETS[source], source, target, split_turns=True, carry=True)
    assert JsonDocument.parse(b"{}\n").render(SETS[source]) == before


def places_in(value: JsonValue) -> list[str]:
    """Return the pointers of all values and of all that holds them, without the whole."""
    ends = [pointer.split("/") for pointer, _leaf in leaves(value)]
    found = {"/".join(end[:depth]) for end in ends for depth in range(2, len(end) + 1)}
    return sorted(found) or [""]


@settings(max_examples=60, deadline=None)
@given(pair=st.sampled_from(PAIRS), data=st.data())
def test_whatever_stands_in_a_place_every_value_is_followed(
    pair: tuple[str, str], data: st.DataObject
):
    source, target = pair
    value: JsonValue = SETS[source]
    for _ in range(data.draw(st.integers(1, 3))):
        value = put(value, data.draw(st.sampled_from(places_in(value))), data.draw(VALUES))
    try:
        opened_as = source_of(value, source)
    except AssertionError:
        return
    carry = data.draw(st.booleans())
    try:
        made = convert(opened_as, target_of(target), Options(carry=carry), NOW)
    except FormatError as error:
        assert error.message
        return
    hold(value, made, target)
