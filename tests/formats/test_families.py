"""The marks that tell ADK from 10xGraph agree with what each of the two packages says."""

import pytest

from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.families import SHARED_CRITERIA, TENXGRAPH_CRITERIA, sides_of_turn
from evalcore.formats.tenxgraph.names import BY_KEY, OLD_NAMES


def test_the_names_of_criteria_are_those_of_the_two_systems():
    theirs = set(BY_KEY) | set(OLD_NAMES)
    assert theirs & METRICS.keys() == SHARED_CRITERIA
    assert (theirs - METRICS.keys()) | {"exact_match"} == TENXGRAPH_CRITERIA


@pytest.mark.parametrize(
    ("turn", "sides"),
    [
        ({}, set()),
        ({"user_content": "Hi"}, set()),
        ({"user_content": {"parts": []}}, {"adk"}),
        ({"userContent": None}, {"adk"}),
        ({"intermediate_data": {}}, {"adk"}),
        ({"user_content": {"content": "Hi"}}, {"tenxgraph"}),
        ({"expected_node_order": []}, {"tenxgraph"}),
        ({"user_content": {"content": "Hi"}, "final_response": {}}, {"adk", "tenxgraph"}),
        ({"user_content": {"content": "Hi", "parts": []}}, {"adk", "tenxgraph"}),
    ],
)
def test_a_turn_is_of_the_side_whose_marks_it_has(turn, sides):
    assert sides_of_turn(turn) == sides
