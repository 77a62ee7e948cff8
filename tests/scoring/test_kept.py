"""Scores of judges that are not asked again."""

import pytest

from evalcore.model import Evaluator as Configured
from evalcore.results import Score
from evalcore.scoring import checks_for, compare_with_stored, score
from evalcore.scoring.engine import STORED
from tests.scoring.builders import F, N, P, case, eval_set, happened, metric, result, run, wanted


def kept(*turns, mark, native=0.75, cautions=()):
    name, old = "final_response_match_v2", 0.5
    scores = [
        Score(evaluator=name, native=n, value=n, verdict=P if n >= old else F, threshold=old)
        for n in turns
    ]
    whole = Score(evaluator=name, native=native, value=native, verdict=P, threshold=old)
    whole = whole.model_copy(update={"cautions": cautions})
    done = [happened("x", trace={}, index=i, scores=(s,)) for i, s in enumerate(scores)]
    of = eval_set(case("a", *(wanted("x") for _ in turns)))
    of_run = run(result("a", *done, scores=(whole,)))
    found = score(of_run, of, checks_for(of, [metric(name, mark)]))
    return found.cases[0].scores[0]


@pytest.mark.parametrize(
    ("turns", "mark", "verdict", "cautions"),
    [
        ((0.5, 1.0), 0.5, P, ["Odd."]),
        ((0.5, 1.0), 0.7, P, ["Odd.", "Passes although 1 of 2 turns fail."]),
        ((0.5, 1.0), 0.9, F, ["Odd."]),
        ((0.75,), 0.7, P, ["Odd."]),
        ((0.75,), 0.0, P, ["Odd.", "With a pass mark of 0 every score passes."]),
    ],
)
def test_another_pass_mark_gives_other_cautions(turns, mark, verdict, cautions):
    found = kept(*turns, mark=mark, cautions=("Odd.",))
    assert found.verdict is verdict
    assert sorted(found.cautions) == sorted([*cautions, STORED])


def test_what_was_true_of_the_old_mark_only_is_gone():
    stale = ("Passes although 1 of 2 turns fail.", "Fails by rounding alone: 1 is below 2.")
    assert kept(0.5, 1.0, mark=0.9, cautions=stale).cautions == (STORED,)


@pytest.mark.parametrize(
    ("details", "verdict"),
    [
        ({"note": "No response to evaluate"}, N),
        ({"reasonings": ["No LLM provider available"] * 2}, N),
        ({"reasoning": "No LLM provider available"}, N),
        ({"reasonings": ["No LLM provider available", "Fine."]}, P),
        ({"reasonings": ["Fine."]}, P),
        ({}, P),
    ],
)
def test_what_10xgraph_gave_without_judging_is_no_pass(details, verdict):
    name = "final_response_match_v2"
    stored = Score(evaluator=name, native=1.0, value=1.0, verdict=P, threshold=0.8)
    stored = stored.model_copy(update={"details": details})
    of_run = run(result("a", happened("x"), verdict=P, scores=(stored,)), format_id="tenxgraph")
    of = eval_set(case("a", wanted("x")), format_id="tenxgraph")
    judged = Configured(ref=name, name=name, native_type="llm_judge", config={"threshold": 0.8})
    found = score(of_run, of, checks_for(of, [judged]))
    only = found.cases[0].scores[0]
    assert (only.verdict, found.cases[0].verdict, only.native) == (verdict, verdict, 1.0)
    kinds = {c.kind for c in compare_with_stored(of_run, found)}
    assert kinds == ({"same"} if verdict is P else {"differs"})


def test_a_verdict_that_another_pass_mark_changes_is_explained():
    name = "final_response_match_v2"
    stored = Score(evaluator=name, native=0.75, value=0.75, verdict=P, threshold=0.5)
    of_run = run(result("a", happened("x", trace={}), scores=(stored,)))
    of = eval_set(case("a", wanted("x")))
    found = score(of_run, of, checks_for(of, [metric(name, 0.9)]))
    (told,) = (c for c in compare_with_stored(of_run, found) if c.evaluator == name)
    assert (told.kind, told.explanation) == ("differs", "The pass mark was 0.5 and is 0.9 now.")


@pytest.mark.parametrize(
    ("reply", "nodes", "format_id", "is_doubted"),
    [
        ("", (), "tenxgraph", True),
        ("", ("__start__",), "tenxgraph", False),
        ("Hi", (), "tenxgraph", False),
        ("", None, "tenxgraph", False),
        ("", (), "adk", False),
    ],
)
def test_a_recording_that_10xgraph_lost_is_doubted(reply, nodes, format_id, is_doubted):
    of = eval_set(case("a", wanted("x")), format_id=format_id)
    of_run = run(result("a", happened(reply, (), nodes)), format_id=format_id)
    (found,) = score(of_run, of, checks_for(of, [])).cases
    assert any("recording failed" in note for note in found.notes) is is_doubted
