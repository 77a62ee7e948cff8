import pytest

from evalcore.formats import by_id
from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, Invocation, ToolCall
from evalcore.views.expectations import Joiner, choose_set, criterion_of, expected_of
from tests.views.runs import case, run, turn


@pytest.mark.parametrize(
    ("given", "sets", "chosen"),
    [
        ({"eval_set_id": "S1"}, [("a.json", "s1", None), ("b.json", "x", "S1")], "a.json"),
        (
            {"eval_set_id": None, "eval_set_name": "Refunds"},
            [("a.json", "1", "Other"), ("b.json", "2", "refunds")],
            "b.json",
        ),
        ({"eval_set_id": "gone", "eval_set_name": None}, [("a.json", "s1", "n")], None),
        ({"eval_set_id": None}, [("a.json", None, None)], None),
        ({"eval_set_id": "s"}, [("app2/x.json", "s", ""), ("app/y.json", "s", "")], "app/y.json"),
    ],
)
def test_the_set_of_a_run_is_found_by_id_then_name_nearest_first(given, sets, chosen):
    assert choose_set(run(**given), "app/.adk/eval_history/r.json", sets) == chosen


def joiner(results, cases):
    def read(index):
        case_id, name = cases[index]
        return EvalCase(origin=f"/{index}", id=case_id, name=name)

    return Joiner(run(*results), "set.json", [case_id for case_id, _ in cases], read)


@pytest.mark.parametrize(
    ("results", "cases", "found"),
    [
        ([case("B")], [("a", None), ("b", None), ("B", None)], [(2, "id")]),
        ([case("AB-CD")], [("ab-cd", "n")], [None]),
        ([case(None, name="n")], [("a", "m"), ("b", "n")], [(1, "name")]),
        (
            [case(None, name="n"), case(None, name="n")],
            [("a", "n"), ("b", "n")],
            [(0, "name and order"), (1, "name and order")],
        ),
        ([case("gone", name="n")], [("a", "n")], [(0, "name")]),
        ([case("gone")], [("a", "n")], [None]),
    ],
)
def test_a_result_finds_its_case_by_id_then_by_name_and_order(results, cases, found):
    join = joiner(results, cases)
    got = [join.of(place) for place in range(len(results))]
    assert [j and (j.index, j.by) for j in got] == found


def test_ids_join_as_their_system_compares_them():
    guid = "3E0F4CF4-2B3D-4B43-9D0A-95D5C2F7AA10"
    lens = by_id("uipath_coded").eval_sets
    found = Joiner(
        run(case(guid), case("AB")),
        "set.json",
        [guid.lower(), "ab"],
        lambda at: EvalCase(origin=f"/{at}"),
        key=lens.join_key,
    )
    assert [found.of(0) and found.of(0).index, found.of(1)] == [0, None]


SET_TURN = Invocation(
    origin="/0",
    input="hi",
    expected_output="from set",
    tool_calls=(ToolCall(name="set_tool"),),
    node_order=("A",),
)


def joined(*turns, criteria=None):
    wanted = EvalCase(origin="/0", id="a", invocations=turns, criteria=criteria or {})
    return Joiner(run(case("a")), "refunds.evalset.json", ["a"], lambda _: wanted).of(0)


def test_what_the_result_lacks_comes_from_the_set_and_says_so():
    found = expected_of(turn(), 0, joined(SET_TURN))
    assert (found.output, found.tool_calls, found.node_order) == (
        "from set",
        SET_TURN.tool_calls,
        ("A",),
    )
    assert found.origin("output") == "from refunds.evalset.json, as it is today"
    assert found.origin("input") == ""


def test_what_the_result_recorded_wins_over_the_set_of_today():
    recorded = turn(expected="then", expected_tool_calls=())
    found = expected_of(recorded, 0, joined(SET_TURN))
    assert (found.output, found.tool_calls, found.origin("output")) == ("then", (), "")


def test_an_expectation_of_null_is_not_a_missing_one():
    assert expected_of(turn(expected=None), 0, joined(SET_TURN)).output is None


@pytest.mark.parametrize("position", [0, 1])
def test_a_turn_without_a_partner_has_only_what_the_result_says(position):
    found = expected_of(turn(), position, joined() if position == 0 else joined(SET_TURN))
    assert (found.output, found.tool_calls, found.from_set) == (MISSING, None, frozenset())


def test_the_criterion_of_a_check_is_found_by_ref_or_name_in_any_letter_case():
    join = joined(SET_TURN, criteria={"AB-CD": {"x": 1}, "Exact": None})
    assert criterion_of("ab-cd", "", join) == {"x": 1}
    assert criterion_of("zz", "exact", join) is None
    assert criterion_of("zz", "other", join) is MISSING
    assert criterion_of("zz", "other", None) is MISSING
