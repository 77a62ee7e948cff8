"""A file that is cut into pieces is the file that ``json.loads`` reads."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.jsontree import same
from evalcore.store import cutting
from evalcore.store.cutting import Cutter, Uncuttable
from tests.strategies import VALUES, Writer

LISTS = {"results": None, "sets": {"results": None}}
RESULTS = st.lists(VALUES, max_size=6)
SETS = st.lists(
    st.fixed_dictionaries({"id": VALUES}, optional={"results": RESULTS | st.just(7)}) | VALUES,
    max_size=4,
)


@st.composite
def files(draw):
    members = draw(st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, max_size=2))
    listed = {"results": draw(RESULTS)} if draw(st.booleans()) else {"sets": draw(SETS)}
    parts = [members, listed]
    value = {k: v for part in draw(st.permutations(parts)) for k, v in part.items()}
    writer = Writer(draw(st.randoms(use_true_random=False)))
    writer._repeats_keys = False
    return writer.document(value)


def cut(data, monkeypatch=None, window=7, items=2):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cutting, "WINDOW", window)
        patch.setattr(cutting, "BATCH_ITEMS", items)
        cutter = Cutter(io.BytesIO(data), LISTS)
        return list(cutter.pieces()), cutter.rest


def put_together(pieces, rest):
    for piece in pieces:
        holder = rest
        for step in piece.path[:-1]:
            holder = holder[step]
        held = holder[piece.path[-1]]
        assert len(held) == piece.first
        held += piece.items
    return rest


@given(files(), st.integers(1, 40), st.integers(1, 3))
def test_the_pieces_put_together_are_the_whole(data, window, items):
    wanted = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
    try:
        pieces, rest = cut(data, window=window, items=items)
    except Uncuttable:
        assert "sets" in wanted or any(abs(n) > 10**600 for n in integers(wanted))
        return
    assert all(0 < len(piece.items) <= items for piece in pieces)
    assert same(put_together(pieces, rest), wanted)


def integers(value):
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from integers(item)
    elif isinstance(value, int):
        yield value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        '"text"',
        '{"results": [1, 2]',
        '{"results": [1, 2],}',
        '{"results": [1,, 2]}',
        '{"results": [1 2]}',
        '{"results": [1], "results": [2]}',
        '{"results": [1], "sets": []}',
        '{"a": 1} {"b": 2}',
        '{"a": 1}}',
        '{"a" 1}',
        "{7: 1}",
        '{"a": "\t"}',
        '{"results": [{"a": ' + "[" * 100_000 + "]}",
    ],
)
def test_what_is_broken_or_not_plain_has_to_be_read_as_a_whole(text):
    with pytest.raises(Uncuttable):
        cut(text.encode())


def test_bytes_that_are_no_text_have_to_be_read_as_a_whole():
    for data in (b'{"a": "\xff"}', '{"a": 1}'.encode("utf-16"), b'{"a": "\xe2\x82'):
        with pytest.raises(Uncuttable):
            cut(data)


NUMBERS = ["0.0", "-0.0", "10", "1.25", "1e5", "1E+5", "1e-5", "-12.5e-30", "-Infinity", "NaN"]


@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_read_whole_wherever_the_window_ends(number, space):
    data = f'{{"a": {number}{space}, "results": [null{space}, {number}, {number}{space}]}}'.encode()
    for window in range(1, len(data) + 1):
        pieces, rest = cut(data, window=window, items=1)
        assert same(put_together(pieces, rest), json.loads(data)), window


def test_an_item_that_is_longer_than_the_window_is_read_as_a_whole():
    items = [{"reply": "x" * 5_000}, 12345, "é😀" * 2_000]
    data = json.dumps({"results": items}, ensure_ascii=False).encode()
    pieces, _ = cut(data, window=64, items=1)
    assert [piece.items for piece in pieces] == [[item] for item in items]
