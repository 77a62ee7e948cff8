"""Rules across cases: copies, contradictions, leaks and secrets, found and not found wrongly."""

import json
import random
import string
import time
from pathlib import PurePath

import pytest

from evalcore.formats.base import Alone, Detection, Kind
from evalcore.formats.memo import Memo
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import put
from evalcore.lint.cross import problems_across
from evalcore.lint.cross.secrets import secrets_in
from evalcore.lint.linter import Linter

TENX = Detection("tenxgraph", Kind.EVAL_SET, "sure", "")
UIPATH = Detection("uipath_coded", Kind.EVAL_SET, "sure", "")
ADK = Detection("adk", Kind.EVAL_SET, "sure", "")


def asks(case_id, text, reply="Certainly, with pleasure."):
    answer = {"role": "assistant", "content": reply}
    turn = {"user_content": {"role": "user", "content": text}, "expected_final_response": answer}
    return {"eval_id": case_id, "conversation": [turn]}


def tenx(*cases):
    return {"eval_set_id": "s", "name": "s", "metadata": {}, "eval_cases": list(cases)}


def codes(value, detection=TENX):
    return [(p.code, p.pointer) for p in problems_across(value, detection)]


def coded(*criteria, inputs=None):
    cases = [
        {"id": f"c{i}", "name": f"C{i}", "inputs": inputs or {"q": "x"}, "evaluationCriterias": c}
        for i, c in enumerate(criteria)
    ]
    return {"version": "1.0", "id": "s", "name": "s", "evaluations": cases}


def test_a_copy_differs_in_its_id_and_in_spaces_at_most():
    value = tenx(asks("a", "How are you?"), asks("b", "How  are\nyou?"), asks("c", "Who are you?"))
    assert codes(value) == [("cases.duplicate", "/eval_cases/1")]


def test_cases_with_no_input_yet_are_no_copies():
    assert codes(tenx(asks("a", "", ""), asks("b", " ", ""))) == []
    assert codes(coded({"e": None}, {"e": None}, inputs={"q": ""}), UIPATH) == []


def test_the_same_session_is_part_of_the_input():
    other = {**asks("b", "How are you?"), "session_input": {"user_id": "v"}}
    assert codes(tenx(asks("a", "How are you?"), other)) == []


def test_two_answers_to_one_question_contradict():
    value = tenx(asks("a", "How are you?", "Fine."), asks("b", "How are you?", "Tired."))
    at = "/eval_cases/1/conversation/0/expected_final_response"
    assert codes(value) == [("cases.contradiction", at)]


BOTH = {
    "two outputs": ({"expectedOutput": {"a": 1}}, {"expectedOutput": {"a": 2}}, "contradiction"),
    "one output": ({"expectedOutput": {"a": 1}}, {"expectedOutput": {"a": 1}}, "duplicate"),
    "1 is not true": ({"expectedOutput": 1}, {"expectedOutput": True}, "contradiction"),
    "two words to contain": ({"searchText": "a"}, {"searchText": "b"}, None),
    "nothing yet": ({"expectedOutput": {"a": 1}}, {"expectedOutput": {}}, "contradiction"),
    "no criteria yet": ({"expectedOutput": {"a": 1}}, None, None),
}


@pytest.mark.parametrize(("first", "second", "code"), BOTH.values(), ids=BOTH)
def test_only_what_cannot_both_hold_is_a_contradiction(first, second, code):
    found = codes(coded({"e": first}, {"e": second}), UIPATH)
    assert [name.partition(".")[2] for name, _ in found] == ([code] if code else [])


def test_other_evaluators_may_expect_other_things_of_one_input():
    first, second = {"e": {"expectedOutput": "a"}}, {"f": {"expectedOutput": "b"}}
    assert codes(coded(first, second), UIPATH) == []


def test_nearly_the_same_words_with_the_same_answer_are_told():
    value = tenx(asks("a", "Where is my parcel, please?"), asks("b", "Where is my parcel please!"))
    assert codes(value) == [("cases.near_duplicate", "/eval_cases/1")]
    value = tenx(
        asks("a", "Where is my parcel, please?"), asks("b", "Where is my parcell, please?")
    )
    assert codes(value) == [("cases.near_duplicate", "/eval_cases/1")]


@pytest.mark.parametrize(
    "other",
    [
        "Please tell me the weather in Porto for tomorrow morning",
        "Please tell me the weather in Rome for the 14 of May",
        "Please do not tell me the weather in Rome for tomorrow",
    ],
    ids=["another place", "another number", "a negation"],
)
def test_another_value_is_another_case(other):
    one = "Please tell me the weather in Rome for tomorrow morning"
    assert codes(tenx(asks("a", one), asks("b", other))) == []


def test_the_answer_in_the_input_is_told_and_a_short_one_is_not():
    answer = "The refund takes five working days to arrive."
    told = codes(tenx(asks("a", f"Is this right: {answer.upper()}", answer)))
    assert [code for code, _ in told] == ["cases.answer_in_input"]
    assert codes(tenx(asks("a", "My order is A-17. Which one is it?", "A-17"))) == []


def test_what_is_said_after_the_answer_does_not_leak_it():
    answer = "The refund takes five working days to arrive."
    first, second = (
        asks("a", t, r)["conversation"][0]
        for t, r in (("How long?", answer), (f"You said: {answer}", "Yes."))
    )
    assert codes(tenx({"eval_id": "a", "conversation": [first, second]})) == []


def test_adk_cases_are_compared_too():
    turn = {
        "user_content": {"parts": [{"text": "Where is it?"}]},
        "final_response": {"parts": [{"text": "In Porto."}]},
    }
    cases = [{"eval_id": name, "conversation": [{**turn, "invocation_id": name}]} for name in "ab"]
    assert codes({"eval_set_id": "s", "eval_cases": cases}, ADK) == [
        ("cases.duplicate", "/eval_cases/1")
    ]


SECRETS = {
    "AKIAQ7RX2M4P9TZKW3LD": "an AWS access key",
    "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5": "a GitHub token",
    "AIza" + "SyB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z": "a Google API key",
    "xoxb-123456789012-abcdEFGHijkl": "a Slack token",
    "sk_" + "live_4eC39HqLyjWDarjtT1zdp7dc": "a Stripe key",
    "sk-proj-4eC39HqLyjWDarjtT1zdp7dcQ8": "an API key",
    "Authorization: Bearer 8f3kd02mxq7Zp19vLsWc4TyB": "a bearer token",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE": "a private key",
    "postgres://admin:hunter2x@db.internal/eval": "a password in an address",
}


@pytest.mark.parametrize("text", SECRETS, ids=SECRETS.values())
def test_a_secret_is_found_wherever_it_stands(text):
    found = list(secrets_in({"a": [{"b": f"see {text} there"}]}, ()))
    assert [(p.code, p.pointer) for p in found] == [("text.secret", "/a/0/b")]
    assert SECRETS[text] in found[0].message
    assert text not in found[0].message


@pytest.mark.parametrize(
    "text",
    [
        "AKIAIOSFODNN7EXAMPLE",
        "sk-your-api-key-goes-here-please",
        "Bearer xxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "ask-anything-you-like-and-we-will-see",
        "https://example.com/a:b@c",
        "the bearer of this letter is known to us all",
        "4111 1111 1111 1111",
        "1234 5678 9012 3456",
        "4539 5787 6362 1487",
        "call 0049 30 901820 4539578763621486000",
        "order 4539578763621486-7",
        "m.moreau@example.com and root@localhost",
        "2026-10-03T12:00:00.000Z",
    ],
)
def test_what_only_looks_like_a_secret_is_left_alone(text):
    assert list(secrets_in({"a": text}, ())) == []


def test_a_card_and_an_address_are_told_each_in_its_way():
    text = "4539-5787-6362-1486, m.moreau@posteo.net"
    found = [(p.code, p.severity) for p in secrets_in(text, ())]
    assert found == [("text.card_number", "warning"), ("text.email_address", "info")]


def words(count, rng):
    return ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(2, 9))) for _ in range(count)]


def test_five_thousand_cases_are_compared_in_little_cpu_time():
    rng = random.Random(7)
    vocabulary = words(800, rng)
    texts = [" ".join(rng.choices(vocabulary, k=rng.randint(8, 40))) for _ in range(5_000)]
    texts[4_999] = texts[17] + " x"
    value = tenx(*(asks(f"c{i}", text) for i, text in enumerate(texts)))
    before = time.process_time()
    found = codes(value)
    spent = time.process_time() - before
    assert found == [("cases.near_duplicate", "/eval_cases/4999")]
    assert spent < 4, spent  # about 0.9 s on an idle machine


def test_after_an_edit_only_the_edited_case_is_looked_at_again(monkeypatch):
    value = tenx(*(asks(f"c{i}", f"question {i}", "") for i in range(40)))
    linter = Linter(TENX, PurePath("s.evalset.json"), Alone)
    first = linter.problems(document(value))
    edited = put(value, "/eval_cases/7/conversation/0/expected_final_response/content", "Yes.")
    looked: list[int] = []
    recall = Memo.recall

    def counting(memo, part, around, find):
        return recall(memo, part, around, lambda: looked.append(id(part)) or find())

    monkeypatch.setattr(Memo, "recall", counting)
    again = linter.problems(document(edited))
    assert set(looked) == {id(edited["eval_cases"][7])}
    fresh = Linter(TENX, linter.path, Alone).problems(document(edited))
    assert again == fresh
    assert len(first) == len(again) + 1


def document(tree) -> JsonDocument:
    made = JsonDocument.parse(json.dumps(tree).encode())
    made.value = tree
    return made
