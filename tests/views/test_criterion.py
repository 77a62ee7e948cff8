"""What an evaluator expects of a case, as a schema for its form."""

import pytest

from evalcore.evaluators.uipath.files import CODED_NAMES
from evalcore.views.criterion import criterion_schema
from evalcore.views.schema import Shape, spec_of


def coded(kind: str) -> dict:
    return {"version": "1.0", "id": "e", "evaluatorTypeId": kind, "evaluatorConfig": {}}


@pytest.mark.parametrize("kind", CODED_NAMES)
def test_every_coded_kind_says_what_it_expects(kind):
    schema = criterion_schema(coded(kind))
    assert schema is not None
    spec = spec_of(schema)
    assert spec.shape is Shape.GROUP
    blank = spec.blank()
    assert set(blank) == spec.required and spec.accepts(blank)


@pytest.mark.parametrize(("category", "type_"), [(0, 1), (0, 6), (1, 5), (3, 7)])
def test_a_low_code_evaluator_wants_output_and_behaviour(category, type_):
    schema = criterion_schema({"category": category, "type": type_, "id": "x"})
    assert set(spec_of(schema).members) == {"expectedOutput", "expectedAgentBehavior"}


@pytest.mark.parametrize(
    "file", [None, [], {}, coded("mine"), {**coded("mine"), "evaluatorSchema": "file://a.py:B"}]
)
def test_nothing_is_claimed_of_an_evaluator_that_is_not_known(file):
    assert criterion_schema(file) is None


def test_the_expected_output_follows_the_agents_schema():
    output = {
        "anyOf": [{"$ref": "#/$defs/Out"}, {"type": "string"}],
        "$defs": {"Out": {"type": "object", "properties": {"decision": {"enum": ["y"]}}}},
    }
    spec = spec_of(criterion_schema(coded("uipath-exact-match"), output))
    named, text = spec.members["expectedOutput"].alternatives
    assert named.members["decision"].choices == ("y",)
    assert text.shape is Shape.TEXT


def test_tools_are_chosen_from_those_that_are_known_and_counts_compared_by_signs():
    order = spec_of(criterion_schema(coded("uipath-tool-call-order")))
    assert order.members["toolCallsOrder"].item().names == "tool"
    calls = spec_of(criterion_schema(coded("uipath-tool-call-args"))).members["toolCalls"]
    assert calls.item().members["name"].names == "tool"
    counts = spec_of(criterion_schema(coded("uipath-tool-call-count"))).members["toolCallsCount"]
    pair = counts.others
    assert pair.blank() == ["=", 1]
    assert "<=" in pair.item(0).choices
