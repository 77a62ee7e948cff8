import json

import pytest

from evalcore.errors import EvaldeskError
from evalcore.jsondoc import JsonDocument
from evalcore.scoring import sidecar
from evalcore.scoring.sidecar import read_checks, sidecar_path

GIVEN = {
    "evaldesk": 1,
    "note": "kept",
    "checks": [
        {"name": "order id", "kind": "evaldesk.regex", "params": {"pattern": "ORD"}, "by": "Ana"},
        {"name": "broken", "kind": "evaldesk.regex", "params": {"pattern": "("}},
    ],
    "cases": {"a": {"order id": None}, "b": {"order id": {"negated": True}}},
}


@pytest.mark.parametrize(
    ("path", "format_id", "beside"),
    [
        ("x/refunds.evalset.json", "adk", "x/refunds.evalset.evaldesk.json"),
        ("trips.json", "tenxgraph", "trips.evaldesk.json"),
        ("evals/loans.evalset.json", "harnest", "evals/_loans.evalset.evaldesk.json"),
        ("e/eval-sets/claims.json", "uipath_coded", "e/claims.evaldesk.json"),
        ("claims.json", "uipath_coded", "claims.evaldesk.json"),
    ],
)
def test_a_sidecar_lies_where_no_system_trips_over_it(path, format_id, beside):
    assert sidecar_path(path, format_id) == beside


def test_checks_are_read_with_what_cases_say_of_them():
    first, second = read_checks(GIVEN)
    assert (first.ref, first.is_own, dict(first.by_case)) == (
        "order id",
        True,
        {"a": None, "b": {"negated": True}},
    )
    assert second.evaluator is None
    assert "no regular expression" in second.problem


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "no file of Evaldesk's"),
        ({"evaldesk": 2}, "no file of Evaldesk's"),
        ({"evaldesk": 1, "checks": [{}]}, "Check 1 has no name"),
        ({"evaldesk": 1, "checks": [{"name": "a"}, {"name": "A"}]}, "Two checks"),
    ],
)
def test_what_is_no_sidecar_is_refused(value, words):
    with pytest.raises(EvaldeskError, match=words):
        read_checks(value)


def test_an_edit_leaves_every_other_byte_alone():
    data = json.dumps(GIVEN, indent=3).encode()
    document = JsonDocument.parse(data)
    tree = sidecar.with_check(document.value, "order id", "evaldesk.regex", {"pattern": "XYZ"})
    assert document.render(tree) == data.replace(b'"ORD"', b'"XYZ"')
    assert document.render(document.value) == data


def test_checks_are_added_and_removed_with_what_cases_say():
    tree = sidecar.with_check(sidecar.blank(), "price", "evaldesk.number", {"value": 3})
    tree = sidecar.with_case(tree, "a/b", "price", {"value": 4})
    (only,) = read_checks(tree)
    assert dict(only.by_case) == {"a/b": {"value": 4}}
    assert read_checks(sidecar.with_case(tree, "a/b", "price", None, keep=False))[0].by_case == {}
    gone = sidecar.without_check(tree, "price")
    assert gone == {"evaldesk": 1, "checks": [], "cases": {"a/b": {}}}


@pytest.mark.parametrize(
    ("name", "kind", "params"),
    [
        ("x", "adk.response_match_score", {}),
        ("x", "evaldesk.unknown", {}),
        (" ", "evaldesk.rouge", {}),
        ("x", "evaldesk.regex", {"pattern": "("}),
    ],
)
def test_nothing_that_cannot_run_is_written(name, kind, params):
    with pytest.raises(EvaldeskError):
        sidecar.with_check(sidecar.blank(), name, kind, params)
