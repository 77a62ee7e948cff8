"""Which old item a new item is."""

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.jsondoc import JsonDocument
from evalcore.jsondoc.align import align, longest_increasing
from evalcore.jsontree import same

IDS = ("id", "name")


def matched(old, new) -> list[int | str | None]:
    """The source of every new item, as text where the item does not stay."""
    return [
        m.source if m.stays or m.source is None else str(m.source) for m in align(old, new, IDS)
    ]


def rebuilt(value):
    return json.loads(json.dumps(value))


A, B, C = {"id": "a", "v": [1]}, {"id": "b", "v": [2]}, {"id": "c", "v": [3]}

# old, new, sources: numbers stay, texts moved or were copied
ALIGNMENTS = {
    "same": ([A, B], [A, B], [0, 1]),
    "empty": ([], [], []),
    "all new": ([], [A], [None]),
    "all gone": ([A], [], []),
    "removed": ([A, B, C], [A, C], [0, 2]),
    "inserted": ([A, C], [A, B, C], [0, None, 1]),
    "moved back": ([A, B, C], [B, C, A], [1, 2, "0"]),
    "moved forth": ([A, B, C], [C, A, B], ["2", 0, 1]),
    "rebuilt and moved": ([A, B, C], [rebuilt(B), rebuilt(C), rebuilt(A)], [1, 2, "0"]),
    "edited": ([A, B], [A, {**B, "v": 0}], [0, 1]),
    "other id in place": ([A, B, C], [A, {"id": "x"}, C], [0, 1, 2]),
    "kin with another id moved": ([A, B, C], [{**C, "id": "x"}, A, B], ["2", 0, 1]),
    "copy": ([A, B], [A, {**A, "id": "x"}, B], [0, "0", 1]),
    "copy where another was removed": ([A, B], [A, {**A, "id": "x"}], [0, "0"]),
    "repeated object": ([A], [A, A], [0, "0"]),
    "repeated ids in order": (
        [{"id": 1, "v": 1}, {"id": 1, "v": 2}],
        [{"id": 1, "v": 3}, {"id": 1, "v": 4}],
        [0, 1],
    ),
    "repeated ids by value first": (
        [{"id": 1, "v": 1}, {"id": 1, "v": 2}, {"id": 1, "v": 3}],
        [{"id": 1, "v": 2}, {"id": 1, "v": 3}],
        [1, 2],
    ),
    "id by the first key": ([{"name": "n", "id": 1}], [{"id": 1, "name": "m"}], [0]),
    "ids differ by type": ([{"id": 1}, 0], [0, {"id": "1"}], [1, None]),
    "scalars": (["x", "y", "z"], ["y", "z", "w"], [1, 2, None]),
    "repeated scalars stay in order": ([1, 2, 1, 3], [2, 1, 3], [1, 2, 3]),
    "1 is not true": ([1, 5, True], [True, 5, 1], ["2", "1", 0]),
    "edits between items that stay": ([1, 5, 2, 6, 3], [1, 7, 2, 8, 3], [0, 1, 2, 3, 4]),
    "more old than new between": ([1, 5, 6, 2], [1, 7, 2], [0, 1, 3]),
    "more new than old between": ([1, 5, 2], [1, 7, 8, 2], [0, 1, None, 2]),
    "shared part in two items is no kin": (
        [[A, 1.5], [A, 2.5], 3],
        [3, [A, 4.5]],
        [2, None],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_items_are_recognised(name):
    old, new, sources = ALIGNMENTS[name]
    assert matched(old, new) == sources


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.none() | st.integers(0, 9), unique_by=lambda n: n if n is not None else object())
)
def test_the_longest_increasing_subsequence_is_increasing_and_longest(sources):
    chosen = [sources[position] for position in sorted(longest_increasing(sources))]
    assert chosen == sorted(chosen)
    lengths = []
    for end, source in enumerate(sources):
        before = [
            lengths[n]
            for n in range(end)
            if sources[n] is not None and source is not None and sources[n] < source
        ]
        lengths.append(0 if source is None else 1 + max(before, default=0))
    assert len(chosen) == max(lengths, default=0)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([1, 2, "x", "yy", None, True, 1.0, [1], [2], {"id": 1}, {"id": 2}])),
    st.randoms(use_true_random=False),
)
def test_no_old_item_stays_twice_and_those_that_stay_keep_their_order(old, random: Random):
    new = [random.choice([item, rebuilt(item), 0]) for item in old if random.random() < 0.8]
    random.shuffle(new)
    matches = align(old, new, IDS)
    assert len(matches) == len(new)
    stays = [match.source for match in matches if match.stays]
    assert None not in stays
    assert stays == sorted(set(stays))


@pytest.mark.parametrize(
    "item",
    [lambda n: 0, lambda n: n, lambda n: {"id": "same"}, lambda n: {"id": n}, lambda n: [n % 7]],
)
def test_long_arrays_are_aligned_without_comparing_all_with_all(item):
    class Counted(str):
        compared = 0

        def __eq__(self, other):
            Counted.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    size = 20_000
    old = [{"id": Counted(n), "v": item(n)} for n in range(size)]
    new = [{"id": Counted(n), "v": item(n)} for n in reversed(range(size))]
    assert [match.source for match in align(old, new, IDS)] == [*reversed(range(size))]
    assert Counted.compared < 20 * size


def test_a_long_list_of_equal_items_can_lose_its_first():
    data = b"[" + b",".join([b"1.0"] * 50_000) + b"]"
    document = JsonDocument.parse(data)
    rendered = document.render(document.value[1:])
    assert rendered == b"[" + b",".join([b"1.0"] * 49_999) + b"]"
    assert same(JsonDocument.parse(rendered).value, document.value[1:])
