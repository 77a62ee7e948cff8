"""The laws of lenses, for the parts of the items of lists: calls, rubrics, messages, events."""

import pytest

from evalcore.formats.lenses import Listed
from evalcore.jsontree import MISSING, get, put, same
from tests.formats.test_contract import editable, ids, objects, opened
from tests.formats.turns import TURNS, in_a_set

VALUES = (MISSING, None, "", "other", {"k": [1]}, [True])


def listed(lens, level):
    """Return the lenses of a level that have items with parts."""
    record = [lens.run_record] if level == "invocation" and lens.run_record else []
    fields = [*lens.fields(level), *record]
    return [field.lens for field in fields if isinstance(field.lens, Listed)]


def hold(lens, raw, level, style):
    """Check every part of the first two items of every list; returns how many were checked."""
    checked = 0
    for found in listed(lens, level):
        items = found.get(raw)
        for index in range(min(2, len(items) if isinstance(items, (list, tuple)) else 0)):
            at = found.item_at(raw, index)
            item = get(raw, at)
            for name, part in found.parts.items() if isinstance(item, dict) else ():
                hold_part(found, raw, at, name, part, style)
                checked += 1
    return checked


def hold_part(found, raw, at, name, part, style):
    item = get(raw, at)
    assert part.put(item, part.get(item), style) is item
    for value in VALUES:
        if not part.has_place(item):
            continue
        written = part.put(item, value, style)
        assert same(part.get(written), value), (name, value)
        for other, lens in found.parts.items():
            assert other == name or same(lens.get(written), lens.get(item)), (name, other)
        whole = put(raw, at, written)
        assert len(found.get(whole)) == len(found.get(raw))
        for again in VALUES:
            assert same(part.get(part.put(written, again, style)), again), (name, value, again)


@pytest.mark.parametrize("path", editable(), ids=ids)
def test_parts_keep_the_laws_in_every_sample(path):
    document, _, lens = opened(path)
    for pointer, level in list(objects(path))[:60]:
        raw = get(document.value, pointer)
        if isinstance(raw, dict):
            hold(lens, raw, level, lens.style_at(raw, document.value))


def test_parts_keep_the_laws_in_turns_of_every_shape():
    checked = 0
    for name in TURNS:
        lens, tree = in_a_set(name)
        (turn,) = lens.invocation_pointers(tree, lens.case_pointers(tree)[0])
        raw = get(tree, turn)
        checked += hold(lens, raw, "invocation", "snake") if isinstance(raw, dict) else 0
    assert checked > 10
