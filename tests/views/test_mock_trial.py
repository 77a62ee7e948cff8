"""The box in which a call is tried: what is typed, and what comes of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError, FormatError
from evalcore.formats import by_id
from evalcore.jsontree import MISSING
from evalcore.mocking import Answer, Call, Effect, Standing
from evalcore.views.mock_trial import (
    call_for,
    call_of,
    call_text,
    outcome,
    read_call,
    reasons,
    tree_of,
    tried,
)

FORM = by_id("uipath_coded").eval_sets.mocks.form
ANY = {"_target_": "mockito.any"}


def mockito(*rules):
    return {"type": "mockito", "config": list(rules)}


def rule(*values, function="find", **arguments):
    then = [{"type": "return", "value": value} for value in values]
    made = {"function": function, "then": then}
    return {**made, "arguments": arguments} if arguments else made


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("find", Call(function="find")),
        (" find() ", Call(function="find")),
        (
            'find("12", full=True)',
            Call(function="find", args=("12",), named={"full": True}),
        ),
        ("f(true, null, [1, -2.5], (3,))", Call(function="f", args=(True, None, [1, -2.5], [3]))),
        ('f({"a": {"b": false}})', Call(function="f", args=({"a": {"b": False}},))),
    ],
)
def test_a_call_is_typed_as_in_python_or_with_the_words_of_json(text, call):
    assert read_call(text) == call


@pytest.mark.parametrize(
    "text",
    [
        "",
        "f(",
        "f(x)",
        "f(**{'a': 1})",
        "f(*[1])",
        "a.b()",
        "f(1)(2)",
        "f({1: 2})",
        "f({1, 2})",
        "f(b'x')",
        "f(__import__('os'))",
        "f(1, g())",
        "(" * 2000,
        "f('" + "x" * 30_000 + "')",
        "f(a=1, a=2)",
    ],
)
def test_what_is_no_call_with_plain_values_is_refused(text):
    with pytest.raises(FormatError) as caught:
        read_call(text)
    assert "find(" in caught.value.hint


plain = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=("Cs",)), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=("Cs",)), max_size=4), inner)
    ),
    max_leaves=6,
)


@given(st.lists(plain, max_size=3), st.dictionaries(st.sampled_from(["a", "b_2"]), plain))
def test_the_text_of_a_call_is_that_call(args, named):
    call = Call(function="find", args=tuple(args), named=named)
    assert read_call(call_text(call)) == call
    assert call_of(tree_of(call)) == call


def test_a_call_for_a_rule_is_answered_by_it():
    wanted = rule(1, args=["x", ANY], kwargs={"k": ANY, "n": {"a": 1}})
    (trial,) = tried(mockito(wanted), [], call_for(FORM, wanted))
    assert (trial.answer.effect, trial.answer.rule) == (Effect.RETURNS, 0)
    assert call_for(FORM, "odd") == Call(function="")


def test_calls_made_before_move_the_sequence_on():
    strategy = mockito(rule("a", "b"))
    call = Call(function="find")
    found = tried(strategy, [call, call], call)
    assert [trial.answer.value for trial in found] == ["a", "b", "b"]
    assert tried(MISSING, [], call)[0].answer.effect is Effect.REAL
    with pytest.raises(EvaldeskError, match="type"):
        tried({}, [], call)


@pytest.mark.parametrize(
    ("answer", "steps", "words"),
    [
        (
            Answer(effect=Effect.RETURNS, value=[1, "a"], rule=1, step=0),
            1,
            ("ok", "Rule 2 answers and returns", '[1, "a"]', ""),
        ),
        (
            Answer(effect=Effect.RETURNS, value=None, rule=0, step=1),
            2,
            (
                "ok",
                "Rule 1 answers and returns",
                "null",
                "Answer 2 of 2, which it repeats from now on.",
            ),
        ),
        (
            Answer(effect=Effect.RAISES, error="Wrapped", cause="ValueError", rule=0, step=0),
            1,
            (
                "warning",
                "Rule 1 answers and raises",
                "",
                "The agent sees Wrapped around ValueError: “except ValueError” in the agent does "
                "not catch it.",
            ),
        ),
        (
            Answer(effect=Effect.RAISES, error="NotImplementedError", rule=0, step=0),
            1,
            (
                "warning",
                "Rule 1 answers and raises",
                "",
                "The agent sees NotImplementedError as it is.",
            ),
        ),
        (
            Answer(effect=Effect.RAISES, error="Wrapped", cause="InvocationError"),
            0,
            (
                "error",
                "No rule is for this call, so it fails",
                "",
                "The agent sees Wrapped. The real function does not run.",
            ),
        ),
        (
            Answer(effect=Effect.SIMULATED),
            0,
            ("info", "A model makes the answer up", "", "What it answers cannot be known here."),
        ),
        (
            Answer(effect=Effect.UNKNOWN, rule=2, reason="Code."),
            0,
            ("warning", "Rule 3 may answer", "", "Code."),
        ),
        (
            Answer(effect=Effect.REAL, reason="No mock."),
            0,
            ("warning", "The real function runs", "", "No mock."),
        ),
    ],
)
def test_what_a_call_gets_is_said_in_words(answer, steps, words):
    found = outcome(answer, steps)
    assert (found.tone, found.headline, found.value, found.more) == words


def test_mocks_with_a_mistake_say_that_the_real_function_runs():
    found = outcome(Answer(effect=Effect.REAL, reason="config.0.then"), is_used=False)
    assert found.headline == "The real function runs"
    assert "config" not in found.more


def test_the_rule_that_answers_is_always_among_the_reasons():
    rules = [rule("hit", args=[1]), *(rule(n, args=[n]) for n in range(2, 30))]
    (trial,) = tried(mockito(*rules, rule(0, function="g")), [], Call(function="find", args=(1,)))
    own, others = reasons(trial.heard, 4)
    assert [(one.rule, one.standing) for one in own] == [
        (28, Standing.MISFIT),
        (27, Standing.MISFIT),
        (26, Standing.MISFIT),
        (0, Standing.ANSWERS),
    ]
    assert others == "25 more are marked in the list of rules. 1 rule is for other functions."
