"""Answers are kept under the whole question, and a bad file costs money, not answers."""

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from evalcore.jsontree import MISSING
from evalcore.judges import JudgeReply, JudgeRequest, Message, TokenUse, Tool
from evalcore.judges.cache import AnswerCache, key_of
from evalcore.judges.settings import CacheUse
from tests.judges.conftest import Ask
from tests.judges.server import answers, fails

KEY = b"k" * 20
REPLY = JudgeReply(
    text="yes \ud800 “√”",
    arguments={"score": 1.0, "n": 1, "ok": True, "nothing": None},
    use=TokenUse(input_tokens=3, output_tokens=4, cost_usd=0.5),
)


def question(**more: Any) -> JudgeRequest:
    given = {"model": "m", "messages": (Message(role="user", content="q"),), **more}
    return JudgeRequest(**given)


@pytest.fixture
def cache(tmp_path: Path):
    opened = AnswerCache(tmp_path / "deep" / "judge.sqlite3")
    yield opened
    opened.close()


OTHERS = {
    "sample": question(sample=1),
    "text": question(messages=(Message(role="user", content="p"),)),
    "role": question(messages=(Message(role="system", content="q"),)),
    "temperature": question(temperature=0.0),
    "whole temperature": question(temperature=0),
    "limit": question(max_tokens=1),
    "tool": question(tool=Tool(name="t", description="", parameters={})),
    "json": question(json_mode=True),
    "option 1": question(options={"k": 1}),
    "option 1.0": question(options={"k": 1.0}),
    "option true": question(options={"k": True}),
    "option text": question(options={"k": "1"}),
}


def test_whatever_changes_the_question_changes_its_key():
    keys = {key_of(request, "https://host/v1", "m") for request in (question(), *OTHERS.values())}
    keys |= {
        key_of(question(), "https://other/v1", "m"),
        key_of(question(), "https://host/v1", "n"),
    }
    # pydantic reads the whole number as 0.0: the two temperatures are one.
    assert len(keys) == len(OTHERS) + 3 - 1


def test_the_model_that_answers_counts_not_the_one_named():
    keys = {key_of(question(model=name), "https://host/v1", "m") for name in ("a", "b")}
    assert len(keys) == 1


@pytest.mark.parametrize("reply", [REPLY, JudgeReply(text="x"), JudgeReply(arguments=None)])
def test_an_answer_comes_back_as_it_was(cache: AnswerCache, reply: JudgeReply):
    cache.put(KEY, "m", reply)
    cache.close()
    found = cache.get(KEY)
    assert found == reply.model_copy(update={"is_cached": True})
    assert found is not None
    assert (found.arguments is MISSING) == (reply.arguments is MISSING)


def test_an_unknown_question_has_no_answer(cache: AnswerCache):
    assert cache.get(KEY) is None
    assert cache.problem == ""


def test_a_later_answer_replaces_an_earlier_one(cache: AnswerCache):
    for text in ("one", "two"):
        cache.put(KEY, "m", JudgeReply(text=text))
    found = cache.get(KEY)
    assert found is not None
    assert found.text == "two"
    assert cache.clear() == 1
    assert cache.get(KEY) is None


def test_two_caches_share_a_file(cache: AnswerCache):
    other = AnswerCache(cache.path)
    cache.put(KEY, "m", REPLY)
    assert other.get(KEY) is not None
    other.close()


@pytest.mark.parametrize("content", [b"no database", b"", b"SQLite format 3\0" + b"\1" * 4096])
def test_a_damaged_file_is_set_aside_and_begun_anew(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
):
    path = tmp_path / "judge.sqlite3"
    path.write_bytes(content)
    cache = AnswerCache(path)
    cache.put(KEY, "m", REPLY)
    assert cache.get(KEY) is not None
    assert cache.problem == ""
    cache.close()
    if content:
        assert (tmp_path / "judge.sqlite3.damaged").read_bytes() == content
        assert "cannot be used" in caplog.text


@pytest.mark.parametrize(
    "text", ["{", "[]", "{}", '{"text": 1, "use": {}}', '{"text": "", "use": 1}']
)
def test_a_damaged_answer_is_dropped(cache: AnswerCache, text: str):
    cache.put(KEY, "m", REPLY)
    cache.close()
    with sqlite3.connect(cache.path) as connection:
        connection.execute("UPDATE answers SET reply = ?", (text,))
    connection.close()
    assert cache.get(KEY) is None
    assert cache.clear() == 0


def test_a_folder_in_the_place_of_the_file_is_passed_over(tmp_path: Path):
    cache = AnswerCache(tmp_path)
    cache.put(KEY, "m", REPLY)
    assert cache.get(KEY) is None
    assert "cannot be used" in cache.problem
    assert tmp_path.is_dir()


def test_many_threads_may_use_it(cache: AnswerCache):
    gate = threading.Barrier(8)

    def work(number: int) -> str:
        gate.wait(10)
        key = bytes([number]) * 20
        cache.put(key, "m", JudgeReply(text=str(number)))
        found = cache.get(key)
        return found.text if found else ""

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [str(n) for n in range(8)]


def test_the_same_question_is_asked_once(asked: Ask):
    judge, server = asked(answers("one"), answers("two"), cached=True)
    first, second = judge.ask(question()), judge.ask(question())
    assert (first.text, first.is_cached) == ("one", False)
    assert (second.text, second.is_cached, second.use) == ("one", True, first.use)
    assert (len(server.requests), judge.tally.answers, judge.tally.cached) == (1, 2, 1)
    assert judge.tally.input_tokens == 10


def test_a_repeat_is_another_question(asked: Ask):
    judge, server = asked(answers("one"), answers("two"), cached=True)
    assert [judge.ask(question(sample=n)).text for n in (0, 1)] == ["one", "two"]
    assert len(server.requests) == 2


def test_refresh_asks_again_and_keeps_the_new_answer(asked: Ask):
    judge, _ = asked(answers("old"), answers("new"), cached=True)
    judge.ask(question())
    address = judge.settings.base_url
    other, _ = asked(cached=True, cache=CacheUse.REFRESH, base_url=address)
    replies = [j.ask(question()) for j in (other, judge)]
    assert [(r.text, r.is_cached) for r in replies] == [("new", False), ("new", True)]


def test_off_keeps_nothing(asked: Ask):
    judge, _ = asked(answers("one"), answers("two"))
    assert [judge.ask(question()).text for _ in range(2)] == ["one", "two"]
    assert judge.cache is None


FORMLESS = {
    "a failure": fails(401),
    "text where JSON was asked for": answers("not JSON"),
}


@pytest.mark.parametrize("behaviour", FORMLESS.values(), ids=FORMLESS.keys())
def test_only_answers_of_the_form_asked_for_are_kept(asked: Ask, behaviour: Any):
    judge, server = asked(behaviour, answers("{}"), cached=True)
    request = question(json_mode=True)
    try:
        judge.ask(request)
    except Exception as error:
        assert "401" in str(error)
    assert judge.ask(request).text == "{}"
    assert judge.ask(request).is_cached
    assert len(server.requests) == 2


def test_a_question_is_answered_though_the_cache_is_damaged(asked: Ask, tmp_path: Path):
    path = tmp_path / "judge.db"
    path.write_bytes(b"garbage" * 999)
    judge, _ = asked(answers("yes"), cached=True, cache_path=path)
    assert judge.ask(question()).text == "yes"
    assert judge.ask(question()).is_cached
