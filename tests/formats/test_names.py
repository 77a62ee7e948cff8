"""Names of tools and nodes are found wherever a format writes them."""

import json

import pytest

from evalcore import formats
from evalcore.formats.names import NameMark, Names, names_in
from tests.samples import SAMPLES


def names_of(format_id: str, path: str) -> Names:
    value = json.loads((SAMPLES / path).read_text(encoding="utf-8"))
    return names_in(value, formats.by_id(format_id).eval_sets.name_marks)


@pytest.mark.parametrize(
    ("format_id", "path", "tools", "nodes"),
    [
        (
            "adk",
            "adk/refund_desk/escalations.evalset.json",
            ["lookup_order", "track_parcel", "hand_over", "issue_refund"],
            [],
        ),
        ("adk", "adk/refund_desk/first_week.test.json", ["lookup_order", "issue_refund"], []),
        (
            "harnest",
            "harnest/library_helper/results/eval-run.json",
            ["search_catalogue", "reserve", "pay_fees", "list_fees", "list_loans", "renew_loan"],
            [],
        ),
        (
            "tenxgraph",
            "tenxgraph/trip_planner/eval_reports/trip_planner_v1_20260909_101502.json",
            ["find_trains", "book_seat", "get_forecast", "find_group_seats", "get_notices"],
            ["__start__", "PLANNER", "WRITER"],
        ),
        (
            "uipath_coded",
            "uipath_coded/claims_intake/evaluations/eval-sets/claims.json",
            ["lookup_policy", "estimate_damage", "check_police_report", "notify_adjuster"],
            [],
        ),
        (
            "uipath_coded",
            "uipath_coded/claims_intake/claims-output.json",
            ["lookup_policy", "estimate_damage", "check_police_report"],
            [],
        ),
        (
            "uipath_lowcode",
            "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-1787227200000.json",
            ["find_order", "move_delivery"],
            [],
        ),
    ],
)
def test_sets_and_results_of_every_format_tell_their_tools(format_id, path, tools, nodes):
    found = names_of(format_id, path)
    assert sorted(found.tools) == sorted(tools)
    assert list(found.nodes) == nodes


def test_a_tool_is_known_with_the_arguments_it_was_called_with():
    found = names_of("adk", "adk/refund_desk/refunds.evalset.json")
    assert list(found.tools["issue_refund"]) == ["order_id", "amount", "reason"]


def test_declared_parameters_are_arguments():
    declared = {
        "tool_declarations": [
            {
                "function_declarations": [
                    {"name": "find", "parameters": {"properties": {"city": {}, "days": {}}}}
                ]
            }
        ]
    }
    marks = formats.by_id("adk").eval_sets.name_marks
    assert list(names_in(declared, marks).tools["find"]) == ["city", "days"]


def test_what_is_no_name_is_left_out_and_depth_is_no_limit():
    marks = (NameMark("tool", ("calls",)), NameMark("node", ("nodes",), "texts"))
    odd = {"calls": [{"name": 5}, {"name": ""}, "x", None, {"name": "a"}], "nodes": [1, "", "N"]}
    deep: object = odd
    for _ in range(5_000):
        deep = {"in": [deep]}
    found = names_in(deep, marks)
    assert (list(found.tools), list(found.nodes)) == (["a"], ["N"])
