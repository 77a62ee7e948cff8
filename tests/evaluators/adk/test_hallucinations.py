"""``hallucinations_v1``: two questions per text, and what becomes of their answers."""

import pytest

from tests.evaluators.adk.cases import Answers, check, event, recorded, sample, turn

METRIC = "hallucinations_v1"
TWO = "<sentence>It came.</sentence>\n<sentence>Bye.</sentence>"


def labelled(*labels: str) -> str:
    return "\n\n".join(
        f"sentence: s\nlabel: {label}\nrationale: r\n"
        "supporting_excerpt: null\ncontradicting_excerpt: null"
        for label in labels
    )


def judged(answers, *turns, **criterion):
    judge = Answers(answers)
    config = {"threshold": 0.5, **criterion}
    evaluator = check(METRIC, config, judge)
    cases = sample(*turns)
    needed = evaluator.calls(cases)
    return evaluator.evaluate(cases), judge, needed


@pytest.mark.parametrize(
    ("labels", "score"),
    [
        (["supported", "not_applicable"], 1.0),
        (["Supported", "contradictory"], 0.5),
        (["unsupported", "disputed"], 0.0),
        (["supported", "odd"], 1.0),
        (["odd"], None),
        ([], None),
    ],
)
def test_a_text_scores_the_share_of_labelled_sentences(labels, score):
    outcome, _, _ = judged([TWO, labelled(*labels)], turn("", "It came. Bye."))
    assert outcome.turns[0].native == score
    assert outcome.overall.native == score


def test_it_asks_twice_per_text_and_once_each_whatever_is_configured():
    options = {"judgeModelOptions": {"numSamples": 9}}
    outcome, judge, needed = judged([TWO, labelled("supported")], turn("", "It came."), **options)
    assert (needed, len(judge.asked), outcome.overall.native) == (2, 2, 1.0)
    assert judge.data(0) == {"text": "It came."}
    assert judge.data(1)["sentences"] == ["It came.", "Bye."]


def test_an_empty_reply_needs_no_calls_and_has_no_score():
    outcome, judge, needed = judged([], turn("", ""))
    assert (needed, judge.asked, outcome.overall.verdict) == (0, [], "not_evaluated")


@pytest.mark.parametrize("answers", [["no sentences"], [None], [TWO, None]])
def test_a_text_that_cannot_be_judged_is_an_error(answers):
    outcome, _, _ = judged(answers, turn("", "It came."))
    assert outcome.turns[0].verdict == outcome.overall.verdict == "error"
    assert outcome.overall.reason


def test_labels_and_reasons_are_kept_although_adk_discards_them():
    outcome, _, _ = judged([TWO, labelled("supported")], turn("", "It came."))
    assert outcome.turns[0].details["sentences"] == [
        {"sentence": "s", "label": "supported", "rationale": "r"}
    ]


def test_unknown_labels_are_told():
    outcome, _, _ = judged([TWO, labelled("supported", "odd")], turn("", "It came."))
    assert outcome.turns[0].cautions == ("1 sentences have an unknown label, not counted.",)


TALK = turn("", "").model_copy(
    update={
        "actual": recorded(
            user_content={"parts": [{"text": "Where?"}]},
            final_response={"parts": [{"text": "At the hub."}]},
            intermediate_data={
                "invocation_events": [
                    event({"text": "I look."}, grounding_metadata={"g": 1}),
                    event({"function_call": {"name": "find"}}),
                    event({"function_response": {"name": "find", "response": {"at": "hub"}}}),
                ]
            },
        )
    }
)


def test_texts_on_the_way_are_judged_by_what_came_before_them():
    answers = [TWO, labelled("unsupported"), TWO, labelled("supported")]
    outcome, judge, needed = judged(answers, TALK, evaluateIntermediateNlResponses=True)
    assert (needed, outcome.overall.native) == (4, 0.5)
    first, last = judge.data(1)["context"], judge.data(3)["context"]
    assert (first["steps"], first["grounding"]) == ([], [{"g": 1}])
    assert [sorted(step) for step in last["steps"]] == [["said"], ["calls"], ["outputs"]]


def test_a_text_that_fails_beside_one_that_does_not_is_told():
    answers = [None, TWO, labelled("supported")]
    outcome, _, _ = judged(answers, TALK, evaluateIntermediateNlResponses=True)
    assert outcome.turns[0].native == 1.0
    assert outcome.turns[0].cautions == (
        "A text could not be judged and does not count: The judge is away",
    )
