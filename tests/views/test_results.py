import pytest

from evalcore.counting import build
from evalcore.model import ToolCall
from evalcore.verdicts import PassMark
from evalcore.views.results import Filter, contradictions, find, select
from tests.views.runs import E, F, N, P, case, run, score, turn


def labels(rows):
    return [row.title for row in rows]


def test_errors_come_first_then_failures_near_passes_unevaluated_and_passes():
    view = build(
        run(
            case("sure", P, [score(1.0)]),
            case("idle", N),
            case("near", P, [score(0.82)]),
            case("bad", F, [score(0.5, F)]),
            case("worse", F, [score(0.1, F)]),
            case("crash", E, error="boom"),
        )
    )
    assert labels(view.rows) == ["crash", "worse", "bad", "near", "idle", "sure"]
    assert labels(view.by_place) == ["sure", "idle", "near", "bad", "worse", "crash"]


def test_equal_rows_keep_the_order_of_the_file():
    view = build(run(*(case(name, P, [score()]) for name in "dacb")))
    assert labels(view.rows) == list("dacb")


def test_repeated_ids_are_told_apart_and_counted_once():
    view = build(run(case("a", P), case("b", P), case("a", F)))
    assert [row.title for row in view.by_place] == ["a (1 of 2)", "b", "a (2 of 2)"]
    assert view.distinct == 2
    assert find(view, "a", 2) is view.by_place[2]
    assert find(view, "a", 3) is None
    assert find(view, "nobody") is None


def test_a_case_is_called_by_its_id_else_its_name_else_its_place():
    guid = "09208a65-0f3e-4dd3-902b-938b87000000"
    cases = [case("a", name="Name"), case(None, name="Named"), case(None), case(guid, name="Late")]
    rows = build(run(*cases, case(guid))).by_place
    assert [row.label for row in rows] == ["a", "Named", "result 3", "Late", guid]


def test_a_case_cell_is_the_whole_score_else_the_worst_turn():
    both = case("a", scores=[score(0.9)], turns=[turn(score(0.1, F))])
    turns = case("b", turns=[turn(score(0.9)), turn(score(0.3, F)), turn(score(1.0))])
    view = build(run(both, turns))
    assert view.by_place[0].cells["response"].score.value == 0.9
    cell = view.by_place[1].cells["response"]
    assert (cell.score.value, cell.verdict, cell.turns) == (0.3, F, 3)


def test_a_score_given_twice_shows_its_worst():
    view = build(run(case(scores=[score(1.0), score(None, E)])))
    assert view.rows[0].cells["response"].verdict is E
    assert view.rows[0].verdict is E


def test_a_check_of_the_whole_conversation_is_not_applicable_to_earlier_turns():
    once = [score(None, N, evaluator="multi"), score(0.9, evaluator="multi")]
    view = build(run(case(turns=[turn(once[0]), turn(once[1], index=1)])))
    first, last = view.rows[0].turns
    assert (first.verdict, first.cells["multi"].verdict) == (None, None)
    assert (last.verdict, last.cells["multi"].verdict) == (P, P)
    assert view.rows[0].verdict is P


def test_a_turn_that_should_have_been_scored_stays_not_evaluated():
    view = build(run(case(turns=[turn(score(0.9)), turn(score(None, N), index=1)])))
    assert [t.verdict for t in view.rows[0].turns] == [P, N]


def test_lines_of_a_line_by_line_score_are_no_columns():
    view = build(run(case(scores=[score(1.0), score(0.0, F, line=3)])))
    assert view.rows[0].cells["response"].verdict is P


def test_evaluators_with_one_name_are_told_apart_by_their_refs():
    scores = [
        score(evaluator="11112222-x", evaluator_name="Same"),
        score(evaluator="33334444-x", evaluator_name="Same"),
        score(evaluator="c", evaluator_name="Other"),
    ]
    found = build(run(case(scores=scores))).metrics
    assert [m.label for m in found] == ["Same · 11112222", "Same · 33334444", "Other"]


def test_the_users_mark_gives_verdicts_where_the_file_has_none():
    given = run(case("a", scores=[score(0.85, None, threshold=None)]), has_pass_rule=False)
    assert build(given).rows[0].verdict is P
    assert build(given, PassMark(0.9)).rows[0].verdict is F


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), ["b", "c", "a"]),
        (Filter(verdict=F), ["b"]),
        (Filter(text="REFUND"), ["a"]),
        (Filter(text="refund nothing"), []),
        (Filter(text="lookup_order"), ["c"]),
        (Filter(text="too short"), ["b"]),
        (Filter(metric="style"), ["c"]),
        (Filter(metric="response", verdict=P), ["c", "a"]),
        (Filter(text="c", metric="style", verdict=P), ["c"]),
    ],
)
def test_rows_are_filtered_by_words_verdict_and_check(wanted, found):
    tool = ToolCall(name="lookup_order")
    view = build(
        run(
            case("a", P, [score()], [turn(said="I want a refund")]),
            case("b", F, [score(0.1, F, reason="Too short")]),
            case(
                "c", P, [score(0.81), score(evaluator="style")], [turn(actual_tool_calls=(tool,))]
            ),
        )
    )
    assert labels(select(view.rows, wanted)) == found


def test_a_stored_verdict_that_the_scores_do_not_give_is_found():
    view = build(
        run(
            case("honest", P, [score()]),
            case("generous", P, [score(0.1, F)]),
            case("bare", F),
        )
    )
    assert labels(contradictions(view)) == ["generous"]
