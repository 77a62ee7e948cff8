"""Laws that hold for any document and any value."""

import json
from typing import cast

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evalcore import jsontree
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, same
from tests.strategies import CONTAINERS, KEYS, SCALARS, TEXTS, VALUES, documents, renamed

laws = settings(max_examples=120, deadline=None)
PIECES = st.sampled_from([1, 7, 40, 1 << 18])


def pointers(value: JsonValue) -> list[str]:
    """All pointers of a tree, containers included."""
    found, waiting = [], [("", value)]
    while waiting:
        pointer, item = waiting.pop()
        found.append(pointer)
        children = item.items() if isinstance(item, dict) else ()
        children = enumerate(item) if isinstance(item, list) else children
        waiting += [(jsontree.join(pointer, token), child) for token, child in children]
    return found


def changed_region(old: bytes, new: bytes) -> tuple[int, int]:
    """The smallest range of the old bytes outside of which nothing changed."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next(
        (at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head
    )
    return head, len(old) - tail


@laws
@given(documents(), PIECES)
def test_the_value_is_what_the_standard_library_reads(data, piece_size):
    document = JsonDocument.parse(data, piece_size=piece_size)
    assert same(document.value, json.loads(data.decode("utf-8-sig")))


@laws
@given(documents(), PIECES)
def test_an_unchanged_value_gives_identical_bytes(data, piece_size):
    document = JsonDocument.parse(data, piece_size=piece_size)
    rebuilt = JsonDocument.parse(data).value
    assert document.render(document.value) == data
    assert document.render(rebuilt) == data


@laws
@given(documents(), VALUES, PIECES)
def test_any_document_can_take_any_value(data, value, piece_size):
    document = JsonDocument.parse(data, piece_size=piece_size)
    assert same(JsonDocument.parse(document.render(value)).value, value)


@laws
@given(documents(), PIECES)
def test_problems_and_places_do_not_depend_on_the_size_of_pieces(data, piece_size):
    whole, cut = JsonDocument.parse(data), JsonDocument.parse(data, piece_size=piece_size)
    assert whole.problems == cut.problems
    assert whole.facts == cut.facts
    for pointer in pointers(whole.value):
        assert whole.span(pointer) == cut.span(pointer)
        assert whole.position(pointer) == cut.position(pointer)


@laws
@given(documents())
def test_the_text_of_every_pointer_parses_to_its_value(data):
    document = JsonDocument.parse(data)
    for pointer in pointers(document.value):
        start, end = document.span(pointer)
        assert document.text(pointer).encode() == data[start:end]
        assert same(
            JsonDocument.parse(data[start:end]).value,
            cast(JsonValue, jsontree.get(document.value, pointer)),
        )


@laws
@given(documents(CONTAINERS), SCALARS, PIECES, st.data())
def test_editing_one_scalar_touches_nothing_outside_its_span(data, scalar, piece_size, draw):
    document = JsonDocument.parse(data, piece_size=piece_size)
    places = [pointer for pointer, _ in jsontree.leaves(document.value)]
    pointer = draw.draw(st.sampled_from(places))
    new = jsontree.put(document.value, pointer, scalar)
    rendered = document.render(new)
    start, end = document.span(pointer)
    assert rendered[:start] == data[:start]
    assert rendered[len(rendered) - (len(data) - end) :] == data[end:]
    assert same(JsonDocument.parse(rendered).value, new)


@laws
@given(documents(CONTAINERS), VALUES, KEYS, PIECES, st.data())
def test_children_that_are_kept_keep_their_text(data, value, key, piece_size, draw):
    document = JsonDocument.parse(data, piece_size=piece_size)
    tree = document.value
    places = [p for p in pointers(tree) if isinstance(jsontree.get(tree, p), dict | list)]
    place = draw.draw(st.sampled_from(places))
    new, kept = _edit(tree, place, value, key, draw)
    rendered = document.render(new)
    edited = JsonDocument.parse(rendered)
    assert same(edited.value, new)
    start, end = document.span(place)
    assert rendered[:start] == data[:start]
    assert rendered[len(rendered) - (len(data) - end) :] == data[end:]
    for before, after in kept:
        old_text = document.text(jsontree.join(place, before))
        assert edited.text(jsontree.join(place, after)) == old_text


def _edit(tree, place, value, key, draw):
    """One edit of the container at ``place``, with the (old, new) tokens of children it keeps."""
    target = jsontree.get(tree, place)
    size = len(target)
    at = draw.draw(st.integers(0, size - 1)) if size else 0
    if isinstance(target, dict):
        old_key = list(target)[at] if size else key
        action = draw.draw(st.sampled_from(["put", "remove", "rename"] if size else ["put"]))
        others = [(name, name) for name in target if name not in (key, old_key)]
        if action == "put":
            return jsontree.put(tree, jsontree.join(place, key), value), others
        if action == "remove":
            return jsontree.put(tree, jsontree.join(place, old_key), MISSING), others
        assume(key not in target)
        return renamed(tree, place, old_key, key), [*others, (old_key, key)]
    action = draw.draw(st.sampled_from(["insert", "remove", "move"] if size else ["insert"]))
    if action == "insert":
        kept = [(n, n + (n >= at)) for n in range(size)]
        return jsontree.insert(tree, jsontree.join(place, at), value), kept
    if action == "remove":
        kept = [(n, n - (n > at)) for n in range(size) if n != at]
        return jsontree.put(tree, jsontree.join(place, at), MISSING), kept
    to = draw.draw(st.integers(0, size - 1))
    order = [*range(size)]
    order.insert(to, order.pop(at))
    return jsontree.move(tree, place, at, to), [(n, m) for m, n in enumerate(order)]


@laws
@given(documents(CONTAINERS), TEXTS, st.data())
def test_renaming_a_key_changes_only_keys(data, key, draw):
    document = JsonDocument.parse(data)
    tree = document.value
    places = [p for p in pointers(tree) if isinstance(jsontree.get(tree, p), dict)]
    places = [p for p in places if jsontree.get(tree, p)]
    assume(places)
    place = draw.draw(st.sampled_from(places))
    members = jsontree.get(tree, place)
    old_key = draw.draw(st.sampled_from(list(members)))
    assume(key not in members)
    new = renamed(tree, place, old_key, key)
    rendered = document.render(new)
    if not any(problem.code == "json.duplicate_key" for problem in document.problems):
        start, end = changed_region(data, rendered)
        value_start, _ = document.span(jsontree.join(place, old_key))
        assert end <= value_start
        assert start > document.span(place)[0]
    assert same(JsonDocument.parse(rendered).value, new)
