"""The rubric checks: which rubrics apply where, and whose verdicts are read."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.rubrics import read_verdicts
from evalcore.evaluators.adk.votes import RubricVerdict, pooled, rubric_votes
from evalcore.model import Rubric
from tests.evaluators.adk.cases import (
    Answers,
    Decides,
    call,
    check,
    event,
    recorded,
    sample,
    simulated,
    turn,
)

REPLY = "rubric_based_final_response_quality_v1"
TOOLS = "rubric_based_tool_use_quality_v1"
TALK = "rubric_based_multi_turn_trajectory_quality_v1"
TYPES = {
    REPLY: "FINAL_RESPONSE_QUALITY",
    TOOLS: "TOOL_USE_QUALITY",
    TALK: "TRAJECTORY_QUALITY",
}


def rubric(rubric_id: str, text: str = "", kind: str | None = TYPES[REPLY]) -> Rubric:
    return Rubric(id=rubric_id, text=text or f"has {rubric_id}", type=kind)


def criterion(*ids: str, threshold: float = 0.5, samples: int = 1):
    return {
        "threshold": threshold,
        "judgeModelOptions": {"numSamples": samples},
        "rubrics": [{"rubricId": i, "rubricContent": {"textProperty": f"has {i}"}} for i in ids],
    }


def all_but(*bad: str) -> Decides:
    return Decides(lambda text: not any(text.endswith(word) for word in bad))


def scores(outcome):
    return [
        {r["rubric_id"]: r["score"] for r in turn.details["rubric_scores"]}
        for turn in outcome.turns
        if turn.details
    ]


@pytest.mark.parametrize(("metric", "kind"), TYPES.items())
def test_rubrics_of_the_criterion_the_case_and_the_turn_apply_by_type(metric, kind):
    others = [rubric("x", kind=other) for other in (*TYPES.values(), None) if other != kind][:1]
    one = turn("a", "b", rubrics=[rubric("t", kind=kind), *others])
    judged = check(metric, criterion("c"), all_but("t")).evaluate(
        sample(one, rubrics=[rubric("s", kind=kind), rubric("u", kind=None)])
    )
    assert scores(judged) == [{"c": 1.0, "s": 1.0, "t": 0.0}]
    assert judged.overall.native == pytest.approx(2 / 3)
    assert any("Ignored" in text and "u." in text for text in judged.overall.cautions)


@pytest.mark.parametrize(("metric", "kind"), TYPES.items())
def test_rubrics_of_other_checks_need_no_word(metric, kind):
    one = turn("a", "b", rubrics=[rubric(other, kind=other) for other in TYPES.values()])
    judged = check(metric, criterion("c"), all_but()).evaluate(sample(one))
    assert judged.overall.cautions == ()


@pytest.mark.parametrize(
    ("own", "case", "turn_rubrics", "message"),
    [
        ((), [], [], "no rubrics"),
        ((), [rubric("a", kind=None)], [], "no rubrics"),
        ((), [rubric("a", kind="TOOL_USE_QUALITY")], [], "no rubrics"),
        (("a",), [rubric("a")], [], "have the id 'a'"),
        (("a", "a"), [], [], "have the id 'a'"),
        ((), [rubric("a")], [rubric("a")], "have the id 'a'"),
        (("c",), [rubric("a", kind=None)], [rubric("a", kind="OTHER")], "have the id 'a'"),
    ],
)
def test_no_rubrics_and_clashing_ids_are_errors(own, case, turn_rubrics, message):
    evaluator = check(REPLY, criterion(*own), all_but())
    one = sample(turn("a", "b", rubrics=turn_rubrics), rubrics=case)
    with pytest.raises(EvaldeskError, match=message):
        evaluator.evaluate(one)
    assert evaluator.calls(one) == 0


def test_an_id_of_another_type_does_not_clash_with_the_criterion():
    one = sample(turn("a", "b", rubrics=[rubric("c", kind="TOOL_USE_QUALITY")]))
    assert check(REPLY, criterion("c"), all_but()).evaluate(one).overall.native == 1.0


def test_only_the_last_turns_rubrics_are_read_and_the_turns_before_say_so():
    both = sample(turn(rubrics=[rubric("t1")]), turn(rubrics=[rubric("t2")]))
    judged = check(REPLY, criterion(), all_but("t1")).evaluate(both)
    assert [t.verdict for t in judged.turns] == ["not_evaluated", "passed"]
    assert judged.overall.native == 1.0
    assert judged.turns[0].cautions == (
        "ADK 2.13 reads verdicts by the last turn's rubrics only: none on t1 counts in this turn.",
    )
    assert judged.overall.cautions == ("1 of 2 turns have no score and do not count.",)


def test_the_same_text_under_another_id_is_read_as_the_last_turns():
    both = sample(turn(rubrics=[rubric("a", "Is kind")]), turn(rubrics=[rubric("b", "*is kind*")]))
    judged = check(REPLY, criterion(), Decides(lambda text: text == "*is kind*")).evaluate(both)
    assert scores(judged) == [{"b": 0.0}, {"b": 1.0}]
    assert judged.turns[0].cautions == ()


def test_each_turn_is_asked_about_its_own_rubrics():
    both = sample(turn(rubrics=[rubric("t1")]), turn(rubrics=[rubric("t2")]))
    judge = Answers(["", ""])
    check(REPLY, criterion("c"), judge).evaluate(both)
    asked = [[r["id"] for r in judge.data(place)["rubrics"]] for place in (0, 1)]
    assert asked == [["c", "t1"], ["c", "t2"]]


def test_an_answer_that_says_nothing_usable_is_told():
    judged = check(REPLY, criterion("c"), Answers(["I like it"])).evaluate(sample(turn("a", "b")))
    assert judged.turns[0].verdict == "not_evaluated"
    assert judged.turns[0].cautions == ("The judge's answers say nothing usable of c.",)


def test_the_reason_lists_verdicts_with_the_judges_words_and_the_votes_are_kept():
    answers = [
        "ID: c\nProperty: has c\nRationale: short\nVerdict: yes",
        "ID: c\nProperty: has c\nRationale: long\nVerdict: no",
    ]
    judged = check(REPLY, criterion("c", samples=2), Answers(answers)).evaluate(sample(turn()))
    assert judged.turns[0].reason == "c: no (long)"
    assert judged.turns[0].details["votes"] == {"c": [1.0, 0.0]}


def test_a_missing_answer_is_an_error_and_other_turns_count():
    good = "ID: c\nProperty: has c\nRationale: r\nVerdict: yes"
    judged = check(REPLY, criterion("c"), Answers([None, good])).evaluate(sample(turn(), turn()))
    assert [t.verdict for t in judged.turns] == ["error", "passed"]
    assert judged.overall.native == 1.0


def test_a_turn_with_more_rubrics_weighs_more():
    turns = [[RubricVerdict("a", 0.0)], [RubricVerdict(i, 1.0) for i in "abc"]]
    assert pooled(turns) == 0.75


def test_a_tie_between_verdicts_on_a_rubric_is_a_no():
    assert rubric_votes([[RubricVerdict("a", 1.0)], [RubricVerdict("a", 0.0)]])[0].score == 0.0


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("ID: a\nProperty: other words", "a"),
        ("ID: zz\nProperty: “Has  A.”", None),
        ("ID: zz\nProperty: **has a**", "a"),
        ("Property: HAS A", "a"),
        ("Property: something else", None),
    ],
)
def test_a_verdict_is_found_by_id_or_else_by_text(lines, found):
    said = read_verdicts(f"{lines}\nRationale: r\nVerdict: yes", [rubric("a")])
    assert [verdict.rubric_id for verdict in said] == ([found] if found else [])


def test_a_conversation_is_judged_once_on_its_last_turn():
    rubrics = [rubric("t", kind=TYPES[TALK])]
    judge = Decides(lambda text: True)
    both = sample(turn("a", "one"), turn("b", "two", rubrics=rubrics))
    evaluator = check(TALK, criterion(), judge)
    assert evaluator.calls(both) == 1
    judged = evaluator.evaluate(both)
    assert [t.verdict for t in judged.turns] == ["not_evaluated", "passed"]
    assert judged.overall == judged.turns[1]
    assert len(judge.asked) == 1


def test_a_simulated_conversation_is_judged_by_the_criterions_rubrics():
    judged = check(TALK, criterion("c"), all_but()).evaluate(simulated(("hello", "hi")))
    assert judged.overall.native == 1.0


RECORDED = recorded(
    user_content={"parts": [{"text": "Where?"}]},
    final_response={"parts": [{"text": "Here"}]},
    app_details={
        "agent_details": {
            "desk": {"name": "desk", "instructions": "Be kind.", "tool_declarations": [{"f": 1}]}
        }
    },
    intermediate_data={
        "invocation_events": [
            event({"function_call": {"id": "1", "name": "find", "args": {"n": 7}}}),
            event({"function_response": {"id": "1", "name": "find", "response": {"at": "hub"}}}),
            event(grounding_metadata={"chunk": "x"}),
        ]
    },
)
STEPS = [{"step": 0, "tool": "find", "args": {"n": 7}, "response": {"at": "hub"}}]


def material(metric, actual=RECORDED):
    judge = Answers([""])
    one = turn("a", "b").model_copy(update={"actual": actual})
    check(metric, criterion("c"), judge).evaluate(sample(one))
    data = judge.data()
    del data["rubrics"]
    return data


def test_the_judge_of_a_reply_sees_what_the_agent_knew_did_and_said():
    assert material(REPLY) == {
        "instructions": "Be kind.",
        "tools": {"desk": [{"f": 1}]},
        "user": "Where?",
        "steps": STEPS,
        "grounding": [{"chunk": "x"}],
        "reply": "Here",
    }


def test_the_judge_of_tool_use_sees_the_calls_and_not_the_reply():
    assert material(TOOLS) == {"tools": {"desk": [{"f": 1}]}, "user": "Where?", "steps": STEPS}


def test_the_judge_of_a_conversation_sees_it_in_order():
    data = material(TALK)
    assert data["instructions"] == {"desk": "Be kind."}
    assert [sorted(line.keys() - {"turn", "by"}) for line in data["conversation"]] == [
        ["user"],
        ["calls"],
        ["outputs"],
        ["reply"],
    ]


def test_an_agent_without_recorded_instructions_cannot_be_judged():
    raw = {
        "app_details": {"agent_details": {}},
        "intermediate_data": {"invocation_events": [event(author="graph")]},
    }
    with pytest.raises(EvaldeskError, match="'graph' acted"):
        material(REPLY, recorded(**raw))


def test_a_run_without_a_record_of_its_app_is_judged_by_its_calls():
    actual = turn("a", "b", made=[call("find", {"n": 7})]).actual
    assert material(REPLY, actual)["steps"] == [
        {"step": 0, "tool": "find", "args": {"n": 7}, "response": None}
    ]
