"""The weights of a coded set's evaluators: read from and written where UiPath reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import FormatError
from evalcore.formats._uipath.recognise import API_WORKFLOW, FLOW
from evalcore.formats.uipath_coded.evalset import LENS
from evalcore.formats.uipath_lowcode.evalset import LENS as LOWCODE
from evalcore.jsontree import MISSING, same
from tests.fields import get_field

REFS = ["exact", "judge", "exact"]
NUMBERS = st.integers(min_value=0) | st.floats(min_value=0)
ENTRIES = st.lists(
    st.sampled_from(REFS)
    | st.fixed_dictionaries({"ref": st.sampled_from(REFS)}, optional={"weight": NUMBERS}),
    min_size=1,
    max_size=4,
)
SETS = st.one_of(
    ENTRIES.map(lambda found: {"id": "s", "evaluatorConfigs": found, "evaluations": []}),
    ENTRIES.map(lambda found: {"evaluator_configs": found, "evaluatorRefs": ["exact"]}),
    st.lists(st.sampled_from(REFS), min_size=1).map(lambda refs: {"evaluatorRefs": refs, "z": 1}),
    st.lists(st.sampled_from(REFS), min_size=1).map(
        lambda refs: {"a": 1, "evaluator_refs": refs, "evaluatorConfigs": []}
    ),
)


def values(tree) -> list:
    return [weight.value for weight in LENS.weights(tree, "")]


@given(tree=SETS, new=NUMBERS | st.just(MISSING), then=NUMBERS | st.just(MISSING), data=st.data())
def test_weights_keep_the_laws_of_lenses(tree, new, then, data):
    before = values(tree)
    index = data.draw(st.integers(0, len(before) - 1))
    assert LENS.put_weight(tree, index, before[index]) is tree
    put = LENS.put_weight(tree, index, new)
    after = values(put)
    assert same(after[index], new)
    assert all(same(a, b) for i, (a, b) in enumerate(zip(after, before, strict=True)) if i != index)
    for field in LENS.set_fields:
        old = get_field(LENS, tree, "", "set", field.name)
        assert same(get_field(LENS, put, "", "set", field.name), old), field.name
    last = values(LENS.put_weight(put, index, then))
    assert same(last[index], then)


def test_a_list_of_ids_becomes_one_with_weights_in_its_place():
    tree = {"id": "s", "evaluatorRefs": ["exact", "judge"], "evaluations": []}
    put = LENS.put_weight(tree, 1, 2.5)
    assert list(put) == ["id", "evaluatorConfigs", "evaluations"]
    assert put["evaluatorConfigs"] == [{"ref": "exact"}, {"ref": "judge", "weight": 2.5}]


def test_a_bare_id_among_weights_becomes_an_object_and_the_others_stay():
    first = {"ref": "exact", "weight": 1, "note": "kept"}
    put = LENS.put_weight({"evaluatorConfigs": [first, "judge"]}, 1, 3)
    assert put == {"evaluatorConfigs": [first, {"ref": "judge", "weight": 3}]}
    assert put["evaluatorConfigs"][0] is first


@pytest.mark.parametrize("wrong", [-1, float("nan"), True, "2", None, [1]])
def test_what_uipath_refuses_as_a_weight_is_refused(wrong):
    with pytest.raises(FormatError, match="a number from 0 up"):
        LENS.put_weight({"evaluatorConfigs": ["exact"]}, 0, wrong)


def test_an_evaluator_that_is_gone_has_no_weight_to_write():
    with pytest.raises(FormatError, match="gone"):
        LENS.put_weight({"evaluatorConfigs": ["exact"]}, 1, 2)


@pytest.mark.parametrize("variant", [FLOW, API_WORKFLOW])
def test_only_uipath_eval_is_known_to_read_a_list_with_weights(variant):
    assert LENS.weights({"evaluatorRefs": ["exact"]}, variant) == ()
    assert len(LENS.weights({"evaluatorConfigs": ["exact"]}, variant)) == 1


@pytest.mark.parametrize("lens", [LENS, LOWCODE])
@pytest.mark.parametrize("odd", [{}, {"evaluatorRefs": []}, {"evaluatorConfigs": [5]}, [], None])
def test_a_set_without_a_place_for_weights_has_none(lens, odd):
    assert lens.weights(odd, "") == ()


def test_a_low_code_set_has_no_weights_because_uipath_drops_them():
    tree = {"evaluatorConfigs": [{"ref": "exact", "weight": 2}], "evaluatorRefs": ["exact"]}
    assert LOWCODE.weights(tree, "") == ()
    with pytest.raises(FormatError):
        LOWCODE.put_weight(tree, 0, 1)
