"""What a judge behind a real address says, and what it says when there is no answer."""

import json
import logging
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from evalcore.jsontree import MISSING
from evalcore.judges import Failure, JudgeError, JudgeRequest, JudgeSettings, Message, Tool
from evalcore.judges.endpoint import EndpointJudge
from evalcore.judges.prices import Price, Prices
from tests.judges.conftest import KEY, Ask, FakeTime
from tests.judges.server import (
    Behaviour,
    Handler,
    answers,
    body,
    breaks_off,
    called,
    completion,
    drops,
    fails,
    stalls,
)

TOOL = Tool(name="submit", description="Hand it in.", parameters={"type": "object"})


def question(text: str = "Is it right?", **more: Any) -> JudgeRequest:
    given = {"model": "judge-1", "messages": (Message(role="user", content=text),), **more}
    return JudgeRequest(**given)


def failure_of(judge: EndpointJudge, request: JudgeRequest | None = None) -> JudgeError:
    with pytest.raises(JudgeError) as caught:
        judge.ask(request or question())
    return caught.value


def test_an_answer_comes_with_its_text_and_its_tokens(asked: Ask):
    judge, server = asked(answers("yes"))
    reply = judge.ask(question())
    assert (reply.text, reply.arguments, reply.is_cached) == ("yes", MISSING, False)
    assert (reply.use.input_tokens, reply.use.output_tokens, reply.use.cost_usd) == (10, 2, None)
    assert server.paths == ["/v1/chat/completions"]


def test_only_what_the_request_says_is_sent(asked: Ask):
    judge, server = asked()
    judge.ask(question())
    assert server.requests[0] == {
        "model": "judge-1",
        "messages": [{"role": "user", "content": "Is it right?"}],
    }


def test_every_part_of_the_request_is_sent(asked: Ask):
    judge, server = asked(body(json.dumps(called("submit", "{}"))))
    judge.ask(
        question(
            temperature=0.3,
            max_tokens=1024,
            json_mode=True,
            tool=TOOL,
            options={"top_p": 0.5, "seed": 7},
            sample=2,
        )
    )
    sent = server.requests[0]
    assert (sent["temperature"], sent["max_tokens"]) == (0.3, 1024)
    assert sent["response_format"] == {"type": "json_object"}
    assert sent["tools"][0]["function"]["name"] == "submit"
    assert sent["tool_choice"] == {"type": "function", "function": {"name": "submit"}}
    assert (sent["top_p"], sent["seed"]) == (0.5, 7)
    assert "sample" not in sent


@pytest.mark.parametrize("name", ["model", "messages", "stream", "n", "tools"])
def test_options_cannot_change_what_the_check_decides(asked: Ask, name: str):
    judge, server = asked()
    assert name in str(failure_of(judge, question(options={name: 1})))
    assert server.requests == []


def test_half_a_character_does_not_stop_a_question(asked: Ask):
    judge, server = asked()
    judge.ask(question("a\ud83d b \ud83d\ude00"))
    assert server.requests[0]["messages"][0]["content"] == "a� b 😀"


def test_the_configured_model_replaces_the_named_one(asked: Ask):
    judge, server = asked(model="ours")
    judge.ask(question())
    assert server.requests[0]["model"] == "ours"


def test_a_call_of_the_tool_is_the_answer(asked: Ask):
    judge, _ = asked(body(json.dumps(called("submit", '{"score": 70}'))))
    assert judge.ask(question(tool=TOOL)).arguments == {"score": 70}


def test_another_tool_is_no_answer(asked: Ask):
    judge, _ = asked(body(json.dumps(called("other", '{"score": 70}'))))
    error = failure_of(judge, question(tool=TOOL))
    assert error.failure is Failure.UNPARSABLE
    assert "other" in str(error)


def test_text_instead_of_a_call_is_handed_on(asked: Ask):
    judge, _ = asked(answers("I would say 70"))
    reply = judge.ask(question(tool=TOOL))
    assert (reply.text, reply.arguments) == ("I would say 70", MISSING)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("```json\n{}\n```", "```json\n{}\n```"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "ab"),
        ("  yes ", "  yes "),
    ],
    ids=["fenced", "parts", "spaces"],
)
def test_text_is_handed_on_as_it_is(asked: Ask, content: Any, text: str):
    judge, _ = asked(answers(content))
    assert judge.ask(question()).text == text


REFUSALS = {
    "bad key": (fails(401, "Incorrect API key"), "does not accept the key", "API_KEY"),
    "forbidden": (fails(403, "region"), "does not allow this (403: region)", "key may use"),
    "no such model": (fails(404, "no model x"), "no model x", "BASE_URL"),
    "bad request": (fails(400, "temperature?"), "refuses the request (400: temperature?)", ""),
    "no credit": (fails(429, "pay", "insufficient_quota"), "has no credit left", ""),
    "refusal": (answers(None, refusal="I will not"), "refused to answer: I will not", ""),
    "filter": (answers("", finish_reason="content_filter"), "content filter", ""),
}


@pytest.mark.parametrize(("behaviour", "words", "hint"), REFUSALS.values(), ids=REFUSALS.keys())
def test_a_refusal_is_final(asked: Ask, behaviour: Behaviour, words: str, hint: str):
    judge, server = asked(behaviour)
    error = failure_of(judge)
    assert error.failure is Failure.REFUSED
    assert words in str(error)
    assert hint in error.hint
    assert error.hint
    assert len(server.requests) == 1


UNPARSABLE = {
    "broken JSON": (body('{"choices": ['), "broken JSON"),
    "empty body": (body(""), "broken JSON: nothing"),
    "a page": (body("<html>Sign in</html>", "text/html"), "answered with text/html"),
    "a list": (body("[]"), "no chat completion"),
    "no choices": (body('{"choices": []}'), "no chat completion"),
    "no message": (body('{"choices": [{}]}'), "no message"),
    "no text": (answers(""), "empty"),
    "broken arguments": (body(json.dumps(called("submit", "{"))), "broken JSON: {"),
    "thought too long": (answers("", finish_reason="length"), "tokens before it answered"),
}


@pytest.mark.parametrize(("behaviour", "words"), UNPARSABLE.values(), ids=UNPARSABLE.keys())
def test_an_answer_that_cannot_be_read_is_an_error(asked: Ask, behaviour: Behaviour, words: str):
    judge, _ = asked(behaviour)
    error = failure_of(judge, question(tool=TOOL))
    assert (error.failure, words in str(error)) == (Failure.UNPARSABLE, True)
    assert error.hint


def test_an_address_where_nobody_listens_is_unreachable(asked: Ask, time: FakeTime):
    judge, _ = asked(base_url="http://127.0.0.1:9/v1", tries=2)
    error = failure_of(judge)
    assert error.failure is Failure.UNREACHABLE
    assert "http://127.0.0.1:9/v1 cannot be reached" in str(error)
    assert "after 2 tries" in str(error)
    assert len(time.waits) == 1


@pytest.mark.parametrize("passing", [drops, breaks_off, *map(fails, (408, 409, 429, 500, 503))])
def test_a_passing_problem_is_tried_again(asked: Ask, time: FakeTime, passing: Behaviour):
    judge, server = asked(passing, passing, answers("at last"))
    assert judge.ask(question()).text == "at last"
    assert len(server.requests) == judge.tally.tries == 3
    assert time.waits == [0.5, 1.0]


def test_waits_double_up_to_a_bound_and_tries_end(asked: Ask, time: FakeTime):
    judge, server = asked(fails(500, "boom"), tries=9, deadline=1000)
    error = failure_of(judge)
    assert time.waits == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert "failed (500: boom) (after 9 tries)" in str(error)
    assert (error.failure, len(server.requests)) == (Failure.UNREACHABLE, 9)


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry_After": "7"}, 7 * 1.25),
        ({"Retry_After": "Thu, 01 Jan 1970 00:17:00 GMT"}, 20 * 1.25),
        ({"Retry_After": "Thu, 01 Jan 1970 00:00:00 GMT"}, 0),
        ({"Retry_After_ms": "250", "Retry_After": "7"}, 0.25 * 1.25),
        ({"Retry_After": "soon"}, 0.5),
        ({"Retry_After": "-1"}, 0.5),
        ({"Retry_After": "inf"}, 0.5),
    ],
)
def test_the_server_says_how_long_to_wait(
    asked: Ask, time: FakeTime, headers: dict[str, str], wait: float
):
    judge, _ = asked(fails(429, **headers), answers())
    judge.ask(question())
    assert time.waits == [pytest.approx(wait)]


def test_a_wait_beyond_the_deadline_is_not_begun(asked: Ask, time: FakeTime):
    judge, server = asked(fails(429, "slow down", Retry_After="120"), deadline=60)
    error = failure_of(judge)
    assert "the next would be in 150.0 s, and 60.0 s are left" in str(error)
    assert (time.waits, len(server.requests)) == ([], 1)


def test_the_deadline_ends_tries_before_their_number_does(asked: Ask, time: FakeTime):
    judge, server = asked(fails(503), tries=50, deadline=4)
    failure_of(judge)
    assert time.waits == [0.5, 1, 2]
    assert len(server.requests) == 4


def test_a_server_that_stalls_is_overdue_and_is_hung_up_on(asked: Ask):
    judge, server = asked(stalls, timeout=0.5, tries=1)
    error = failure_of(judge)
    assert (error.failure, "within 0.5 s" in str(error)) == (Failure.OVERDUE, True)
    assert server.hung_up.wait(10)


def test_a_stalled_try_is_followed_by_another(asked: Ask):
    judge, _ = asked(stalls, answers("then"), timeout=1.5)
    assert judge.ask(question()).text == "then"


def test_the_longest_answer_is_sent_under_the_name_that_the_model_takes(asked: Ask):
    judge, server = asked(
        fails(400, "Unsupported parameter: use 'max_completion_tokens' instead."), answers()
    )
    judge.ask(question(max_tokens=5))
    assert "max_tokens" not in server.requests[1]
    assert server.requests[1]["max_completion_tokens"] == 5


def test_questions_at_once_are_bounded(asked: Ask):
    together = threading.Barrier(3)

    def meets(handler: Handler) -> None:
        together.wait(10)
        answers("met")(handler)

    judge, server = asked(meets, concurrency=3)
    with ThreadPoolExecutor(9) as pool:
        replies = list(pool.map(lambda i: judge.ask(question(sample=i)).text, range(9)))
    assert replies == ["met"] * 9
    assert server.most_active == 3


def test_a_cancelled_question_ends_at_once_and_closes_its_connection(asked: Ask):
    judge, server = asked(stalls, concurrency=2)
    with ThreadPoolExecutor(4) as pool:
        under_way = [pool.submit(failure_of, judge) for _ in range(4)]
        assert server.stalled.wait(10)
        judge.cancel()
        errors = [future.result(10) for future in under_way]
    assert {error.failure for error in errors} == {Failure.CANCELLED}
    assert server.hung_up.wait(10)
    sent = len(server.requests)
    assert failure_of(judge).failure is Failure.CANCELLED
    assert len(server.requests) == sent <= 2


def test_a_closed_judge_opens_again(asked: Ask):
    judge, _ = asked(answers("one"), answers("two"))
    assert judge.ask(question()).text == "one"
    judge.close()
    judge.close()
    assert judge.ask(question()).text == "two"


def test_closing_gives_up_what_is_under_way(asked: Ask):
    judge, server = asked(stalls)
    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(failure_of, judge)
        assert server.stalled.wait(10)
        judge.close()
        assert under_way.result(10).failure is Failure.CANCELLED


def test_tokens_and_cost_are_counted(asked: Ask):
    prices = Prices({"judge-1": Price(1.0, 10.0)})
    judge, _ = asked(answers(), answers(), fails(401), prices=prices)
    reply = judge.ask(question())
    judge.ask(question(model="unknown"))
    failure_of(judge)
    assert reply.use.cost_usd == pytest.approx(30e-6)
    tally = judge.tally
    assert (tally.answers, tally.failures, tally.tries, tally.unpriced) == (2, 1, 3, 1)
    assert (tally.input_tokens, tally.output_tokens) == (20, 4)
    assert tally.cost_usd == pytest.approx(30e-6)


def test_without_a_key_a_local_endpoint_is_asked(asked: Ask):
    judge, server = asked(api_key="")
    judge.ask(question())
    assert server.headers[0]["authorization"] == "Bearer none"


def test_a_judge_without_address_and_key_is_not_asked(asked: Ask):
    judge = EndpointJudge(JudgeSettings())
    error = failure_of(judge)
    assert (error.failure, "EVALDESK_JUDGE_API_KEY" in error.hint) == (Failure.UNCONFIGURED, True)


def test_a_check_without_a_model_says_so(asked: Ask):
    judge, server = asked()
    assert "names no model" in str(failure_of(judge, question(model="")))
    assert server.requests == []


def test_a_missing_client_is_an_error_that_says_how_to_install_it(
    asked: Ask, monkeypatch: pytest.MonkeyPatch
):
    judge, _ = asked()
    monkeypatch.setitem(sys.modules, "openai", None)
    error = failure_of(judge)
    assert error.failure is Failure.UNCONFIGURED
    assert "pip install 'evaldesk[judge]'" in error.hint


ECHOES = {
    "the whole key": fails(401, f"Incorrect API key provided: {KEY}."),
    "a part of the key": fails(401, f"Incorrect API key provided: {KEY[:9]}*****{KEY[-4:]}."),
    "the header": fails(403, f"Bearer {KEY} is not allowed"),
    "in a page": body(f"<html>{KEY}</html>", "text/html", 500),
    "cut in the middle": fails(400, "x" * 190 + KEY),
}


@pytest.mark.parametrize("behaviour", ECHOES.values(), ids=ECHOES.keys())
def test_a_key_shows_nowhere(asked: Ask, behaviour: Behaviour, caplog: pytest.LogCaptureFixture):
    caplog.set_level(logging.DEBUG)
    judge, server = asked(behaviour, tries=1, cached=True)
    error = failure_of(judge)
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    shown = [str(error), repr(error), error.hint, repr(judge), str(judge.settings)]
    shown += [repr(judge.settings), caplog.text, repr(error.__cause__)]
    assert [text for text in shown if "secret" in text or KEY[-4:] in text] == []


def test_a_key_is_not_kept_in_the_cache(asked: Ask):
    judge, _ = asked(answers("yes"), cached=True)
    judge.ask(question())
    assert judge.cache is not None
    judge.cache.close()
    assert KEY.encode() not in judge.cache.path.read_bytes()


def test_an_answer_may_lack_its_usage(asked: Ask):
    answer = {**completion("yes"), "usage": None}
    judge, _ = asked(body(json.dumps(answer)))
    assert judge.ask(question()).use.input_tokens == 0
