"""Handles stay with their items while a list is edited."""

from hypothesis import given
from hypothesis import strategies as st

from evalcore.views.handles import Handles


def items(*names):
    return [{"id": name, "text": name * 3} for name in names]


def by_id(item):
    return item["id"]


def test_every_item_has_a_handle_of_its_own():
    names = Handles().names("cases", items("a", "b", "c"))
    assert len(set(names)) == 3


def test_the_same_list_keeps_its_handles():
    handles, listed = Handles(), items("a", "b")
    assert handles.names("cases", listed) == handles.names("cases", listed)


def test_lists_do_not_share_handles():
    handles, listed = Handles(), items("a")
    assert handles.names("one", listed) != handles.names("other", listed)


def test_an_edited_item_keeps_its_handle():
    handles, old = Handles(), items("a", "b", "c")
    a, b, c = handles.names("cases", old)
    edited = [old[0], {"id": "b", "text": "new"}, old[2]]
    assert handles.names("cases", edited) == [a, b, c]


def test_a_renamed_item_keeps_its_handle():
    handles, old = Handles(), items("a", "b")
    before = handles.names("cases", old, by_id)
    assert handles.names("cases", [old[0], {**old[1], "id": "z"}], by_id) == before


def test_after_a_deletion_nobody_gets_the_handle_of_the_deleted():
    handles, old = Handles(), items("a", "b", "c")
    a, _b, c = handles.names("cases", old, by_id)
    assert handles.names("cases", [old[0], old[2]], by_id) == [a, c]


def test_a_moved_item_takes_its_handle_along():
    handles, old = Handles(), items("a", "b", "c")
    a, b, c = handles.names("cases", old, by_id)
    assert handles.names("cases", [old[2], old[0], old[1]], by_id) == [c, a, b]


def test_a_new_item_gets_a_new_handle_even_where_another_stood():
    handles, old = Handles(), items("a", "b")
    before = handles.names("cases", old, by_id)
    after = handles.names("cases", [items("n")[0], *old], by_id)
    assert after[1:] == before
    assert after[0] not in before


def test_equal_texts_have_handles_of_their_own():
    handles = Handles()
    first = handles.names("names", ["x", "x"])
    assert len(set(first)) == 2
    assert handles.names("names", ["x"])[0] in first


@given(st.permutations(range(6)), st.sets(st.integers(0, 5)))
def test_any_order_and_any_deletion_keep_every_survivors_handle(order, gone):
    handles = Handles()
    listed = items(*"abcdef")
    name_of = dict(zip("abcdef", handles.names("cases", listed, by_id), strict=True))
    after = [listed[i] for i in order if i not in gone]
    assert handles.names("cases", after, by_id) == [name_of[item["id"]] for item in after]
