"""``per_turn_user_simulator_quality_v1``: the first message, the others, and the end."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Sample
from evalcore.judges import JudgeError
from evalcore.model import EvalCase, Scenario
from tests.evaluators.adk.cases import Answers, check, sample, simulated, turn

METRIC = "per_turn_user_simulator_quality_v1"
YES, NO, ODD = '{"is_valid": true}', '{"is_valid": "almost"}', '{"is_valid": "yes"}'
TALK = simulated((" hello\n", "Hi"), ("Where is it?", "At the hub"), ("Thanks", "Bye"))


def judged(answers, talk=TALK, threshold=0.5, samples=1):
    judge = Answers(answers)
    config = {"threshold": threshold, "judge_model_options": {"num_samples": samples}}
    return check(METRIC, config, judge).evaluate(talk), judge


@pytest.mark.parametrize(
    ("answers", "turns", "overall"),
    [
        ([YES, YES, YES], [1, 1, 1], 1.0),
        ([NO, YES, YES], [1, 0, 1], 2 / 3),
        ([YES, YES, NO], [1, 1, 0], 2 / 3),
        ([ODD, YES, YES], [1, None, 1], 2 / 3),
        ([YES, YES, ODD], [1, 1, 1], 1.0),
    ],
)
def test_the_case_is_the_share_of_all_turns_that_pass(answers, turns, overall):
    outcome, _ = judged(answers)
    assert [t.native for t in outcome.turns] == turns
    assert outcome.overall.native == pytest.approx(overall)


def test_the_first_message_is_compared_without_a_judge():
    outcome, judge = judged([YES], simulated(("hi there", "Hi")))
    assert outcome.turns[0].native == 0.0
    assert len(judge.asked) == 1


def test_a_wrong_end_fails_the_last_turn():
    outcome, judge = judged([YES, YES, NO])
    assert outcome.turns[-1].reason.startswith("The conversation should not have ended here.")
    assert judge.data()["message"] == "</finished>"
    assert len(judge.data()["conversation"]) == 6


def test_turns_without_a_score_are_told_to_count_as_failed():
    outcome, _ = judged([ODD, YES, YES])
    assert outcome.overall.cautions == ("1 turns have no score and count as not passed.",)


def test_calls_are_counted_for_every_message_but_the_first_and_for_the_end():
    config = {"threshold": 1, "judge_model_options": {"num_samples": 4}}
    assert check(METRIC, config).calls(TALK) == 12


def test_a_missing_answer_fails_the_whole_check():
    with pytest.raises(JudgeError, match="away"):
        judged([YES, None])


@pytest.mark.parametrize(
    "talk",
    [
        sample(turn("a", "b")),
        Sample(case=EvalCase(origin="", scenario=Scenario(starting_prompt="", plan="")), turns=()),
    ],
)
def test_a_case_without_a_scenario_or_a_run_without_turns_is_an_error(talk):
    with pytest.raises(EvaldeskError, match=r"written turns|no turns"):
        judged([], talk)
    assert check(METRIC).calls(talk) == 0


def test_the_judge_sees_the_plan_and_what_was_said_so_far():
    _, judge = judged([YES, YES, YES])
    assert judge.data(0) == {
        "plan": "Ask for the parcel, then stop.",
        "persona": None,
        "stop_signal": "</finished>",
        "conversation": [{"user": " hello\n"}, {"agent": "Hi"}],
        "message": "Where is it?",
    }
