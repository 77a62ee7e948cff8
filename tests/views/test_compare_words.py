"""What the Compare page says: signs, arrows and words that claim no more than the numbers."""

from collections import Counter

import pytest

from evalcore.compare import Outcome, compare
from evalcore.model import ToolCall
from evalcore.results import InvocationResult
from evalcore.store import MetricSummary, VerdictCounts
from evalcore.views import compare as words
from evalcore.views.compare_case import call_words, two_scores, two_turns
from evalcore.views.compare_setup import setup_rows
from tests.store.builders import E, F, P, case, manifest, score, store_in, stored


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (None, "–"),
        (0.0, "0"),
        (0.058, "+0.06"),
        (-0.5, "−0.50"),
        (0.0004, "+0.0004"),
        (-1e-9, "−1e−09"),
    ],
)
def test_a_change_has_a_sign_and_never_reads_as_none(value, said):
    assert words.signed(value) == said


@pytest.mark.parametrize(
    ("delta", "better", "wanted"),
    [
        (0.1, "higher", ("▲", True)),
        (-0.1, "higher", ("▼", False)),
        (0.1, "lower", ("▲", False)),
        (-0.1, "lower", ("▼", True)),
        (0.1, "none", ("▲", None)),
        (0.0, "higher", ("=", None)),
    ],
)
def test_an_arrow_is_for_the_better_by_the_metric_own_direction(delta, better, wanted):
    assert words.arrow(delta, better) == wanted


def test_points_and_ends_of_intervals():
    assert words.points(7 / 120) == "+5.8 points"
    assert words.points(None) == "–"
    assert words.span(-0.021, 0.139) == "−2.1 to +13.9"
    assert words.span(None, 0.1) == "–"


def oracle_pair(folder, fixed=9, broke=2, both=98, neither=11):
    """Return runs of which B fixed 9 and broke 2 of 120, as in the table of oracles."""
    falls = [(F, P)] * fixed + [(P, F)] * broke + [(P, P)] * both + [(F, F)] * neither
    store = store_in(folder)
    sides = [
        stored(
            store, [case(f"c{i}", verdict=fall[side]) for i, fall in enumerate(falls)], f"r{side}"
        )
        for side in (0, 1)
    ]
    return compare(*sides)


def test_the_figures_are_those_of_the_sentence(tmp_path):
    pair = oracle_pair(tmp_path)
    said = pair.sentence()
    assert said == (
        "B fixed 9 and broke 2 of 120 cases; not enough to tell (p = 0.065). "
        "About 210 cases would settle a gap this size."
    )
    found = {fact.label: fact for fact in words.facts(pair)}
    assert found["Pass rate, A to B"].value == "83.3 % → 89.2 %"
    assert found["Difference"].value == "+5.8 points"
    assert found["Verdicts that changed"].value == "11 of 120"
    assert "p = 0.065" in found["Verdicts that changed"].below
    assert found["In common"].value == "120"


def test_no_case_in_common_claims_nothing(tmp_path):
    store = store_in(tmp_path)
    pair = compare(stored(store, [case("a")], "a"), stored(store, [case("b")], "b"))
    found = {fact.label: fact for fact in words.facts(pair)}
    assert found["Pass rate, A to B"].value == "– → –"
    assert found["Difference"].value == "–"
    assert found["Can be seen with this set"].value == "–"
    assert words.margin_text(pair, 0.1) == (False, "No case in common: nothing is shown.")


def test_a_margin_holds_or_is_not_shown(tmp_path):
    pair = oracle_pair(tmp_path)
    assert words.margin_text(pair, 0.05)[0]
    worse = oracle_pair(tmp_path / "worse", fixed=2, broke=9)
    holds, said = words.margin_text(worse, 0.05)
    assert not holds
    assert said.startswith("That it is no worse by more than 5 points is not shown")


def test_outcomes_that_do_not_occur_are_no_choice_but_the_chosen_one():
    counts = Counter({Outcome.BROKE: 2, Outcome.SAME: 1_000})
    assert words.outcome_choices(counts, Outcome.FIXED) == {
        "": "All 1,002",
        "fixed": "▲ 0 fixed",
        "broke": "▼ 2 broke",
        "same": "= 1,000 same",
    }


def answer(reply, *calls, said="Where is it?", **more):
    made = InvocationResult(
        origin="/t",
        index=0,
        input=said,
        actual_output=reply,
        actual_tool_calls=tuple(ToolCall(name=n, args=a) for n, a in calls),
        scores=(score(0.9, P, reason="fine"),),
        **more,
    )
    return case("a", invocations=(made,))


def marked(pieces):
    return [(piece.kind, piece.text) for piece in pieces if piece.kind != "same"]


def test_both_answers_show_the_words_and_calls_that_differ():
    left = answer("It is in Porto.", ("look_up", {"id": 1}), ("old", {}))
    right = answer("It is in Faro.", ("look_up", {"id": 2}), ("new", {}))
    (turn,) = two_turns(left, right)
    assert (turn.said, turn.said_right, turn.note) == ("Where is it?", "", "")
    assert (marked(turn.left), marked(turn.right)) == ([("removed", "Porto")], [("added", "Faro")])
    assert [call_words(pair.match, "C") for pair in turn.calls] == [
        "≠ other arguments",
        "− only in A",
        "+ only in C",
    ]


def test_equal_answers_say_so_and_long_ones_only_as_far_as_they_were_compared():
    (same,) = two_turns(answer("Yes."), answer("Yes."))
    assert same.note == "Both replies are the same."
    (cut,) = two_turns(answer("a" * 30_000), answer("a" * 30_001))
    assert cut.is_cut
    assert cut.note == "The beginnings are the same; they differ further on."


def test_a_side_without_the_case_or_the_turn_has_no_reply():
    (turn,) = two_turns(None, answer("Yes."))
    assert (turn.left, marked(turn.right)) == (None, [])
    assert two_turns(None, None) == []
    assert two_turns(case("a"), answer("Yes."))[0].left is None


def test_checks_that_turned_come_first():
    left = case("a", scores=(score(0.9, P, ref="x"), score(0.9, P, ref="z")))
    right = case("a", scores=(score(0.8, P, ref="x"), score(0.1, F, ref="z"), score(ref="new")))
    found = two_scores(left, right)
    assert [(s.label, s.verdicts) for s in found] == [
        ("new", (None, P)),
        ("z", (P, F)),
        ("x", (P, P)),
    ]


def test_why_a_case_is_not_comparable_names_the_runs_by_letter(tmp_path):
    store = store_in(tmp_path)
    pair = compare(
        stored(store, [case("a", verdict=E)], "a"), stored(store, [case("a", verdict=P)], "b")
    )
    assert words.why_text(pair.line("a"), "D") == "A ended in an error"


def test_the_set_up_tells_what_differs():
    metric = MetricSummary(key="m", label="Match", column=0, counts=VerdictCounts(passed=1))
    runs = [
        manifest("a", metrics=(metric.model_copy(update={"thresholds": (0.8,)}),), repeats=1),
        manifest("b", metrics=(metric.model_copy(update={"thresholds": (0.5,)}),), repeats=5),
        manifest("c", repeats=1),
    ]
    rows = {row.label: row for row in setup_rows(runs)}
    assert rows["Match: passes at"].values == ("0.8", "0.5", "–")
    assert rows["Repeats of a case"].differs
    assert not rows["System"].differs
