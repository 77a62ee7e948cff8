"""Mocks: which one answers a call, with what, and what runs for real."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.formats._uipath.mock_order import hidden
from evalcore.mocking import NO_ANSWER, Call, Effect, Mocks, Standing, preview, shown, try_out

ANY = {"_target_": "mockito.any"}


def returns(*values):
    return [{"type": "return", "value": value} for value in values]


def raises(value):
    return {"type": "raise", "value": value}


def rule(*then, function="f", **arguments):
    found = {"function": function, "then": list(then)}
    return {**found, "arguments": arguments} if arguments else found


def mockito(*rules, key="config"):
    return {"type": "mockito", key: list(rules)}


def call(*args, function="f", **named):
    return Call(function=function, args=args, named=named)


def values(strategy, *calls):
    return [answer.value for answer in preview(strategy, calls)]


def answer(strategy, *args, **named):
    return Mocks(strategy).answer(call(*args, **named))


def test_a_mock_without_arguments_answers_every_call():
    for none in (rule(*returns(1)), {**rule(*returns(1)), "arguments": None}):
        assert values(mockito(none), call(), call(1, 2), call(k=3)) == [1, 1, 1]


@pytest.mark.parametrize(
    ("arguments", "fits", "fits_not"),
    [
        ({"args": []}, [call()], [call(1), call(k=1)]),
        ({"args": ["x"]}, [call("x")], [call(city="x"), call("x", 1), call("y"), call()]),
        ({"kwargs": {"k": 1}}, [call(k=1), call(k=1.0), call(k=True)], [call(1), call(k=1, j=2)]),
        ({"args": [{"a": [1]}]}, [call({"a": [1]})], [call({"a": [1], "b": 2})]),
        ({"args": [None]}, [call(None)], [call()]),
        ({"args": [ANY], "kwargs": {"k": ANY}}, [call(0, k=None)], [call(0), call(k=1)]),
        ({"args": [{"_target_": "mockito.matchers.Any"}]}, [call([])], [call()]),
        ({"args": [{"a": ANY}]}, [], [call({"a": 1})]),
        ({"args": ["*"]}, [call("*")], [call("x")]),
    ],
)
def test_arguments_are_equal_each_in_its_place_or_any(arguments, fits, fits_not):
    strategy = mockito(rule(*returns("hit"), **arguments))
    assert values(strategy, *fits) == ["hit"] * len(fits)
    for other in preview(strategy, fits_not):
        assert (other.effect, other.error, other.cause) == (
            Effect.RAISES,
            NO_ANSWER,
            "InvocationError",
        )
        assert other.rule is None


def test_empty_arguments_are_for_calls_without_any():
    strategy = {"type": "mockito", "config": [{**rule(*returns(1)), "arguments": {}}]}
    assert answer(strategy).value == 1
    assert answer(strategy, 5).effect is Effect.RAISES


def test_of_several_mocks_the_later_wins():
    general, special = rule(*returns("general")), rule(*returns("special"), args=[1])
    assert values(mockito(general, special), call(1), call(2)) == ["special", "general"]
    assert values(mockito(special, general), call(1)) == ["general"]
    assert answer(mockito(general, special), 1).rule == 1


def test_answers_come_in_turn_for_each_mock_and_the_last_repeats():
    strategy = mockito(rule(*returns(1, 2)), rule(*returns("a", "b"), args=["x"]))
    calls = [call(), call("x"), call(), call("x"), call(), call("x")]
    assert values(strategy, *calls) == [1, "a", 2, "b", 2, "b"]
    assert [found.step for found in preview(strategy, calls)] == [0, 0, 1, 1, 1, 1]


def test_no_answers_mean_null():
    assert answer(mockito(rule())).effect is Effect.RETURNS
    assert answer(mockito(rule())).value is None


def test_a_function_without_a_mock_runs_for_real():
    assert answer(mockito(rule(*returns(1), function="g"))).effect is Effect.REAL
    assert answer(mockito()).effect is Effect.REAL
    assert answer(None).effect is Effect.REAL


@pytest.mark.parametrize(
    ("value", "error", "cause"),
    [
        ({"_target_": "builtins.ValueError"}, NO_ANSWER, "ValueError"),
        ({"_target_": "http.client.HTTPException"}, NO_ANSWER, "HTTPException"),
        ({"_target_": "builtins.NotImplementedError"}, "NotImplementedError", ""),
        ({"_target_": "builtins.KeyboardInterrupt"}, "KeyboardInterrupt", ""),
        ({"_target_": "builtins.dict"}, NO_ANSWER, "TypeError"),
        ("boom", NO_ANSWER, "TypeError"),
        (None, NO_ANSWER, "TypeError"),
        ({"a": 1}, NO_ANSWER, "TypeError"),
    ],
)
def test_what_is_raised_is_wrapped_but_for_a_few(value, error, cause):
    found = answer(mockito(rule(raises(value))))
    assert (found.effect, found.error, found.cause) == (Effect.RAISES, error, cause)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"_target_": "datetime.timedelta", "days": 2}, "datetime.timedelta(days=2)"),
        ([{"_target_": "a.B"}], ["a.B()"]),
        ({"k": {"_target_": "a.B", "x": "y", "z": [1]}}, {"k": "a.B(x='y', z=[1])"}),
        ({"k": 1}, {"k": 1}),
    ],
)
def test_values_that_uipath_would_build_are_shown_as_calls(value, text):
    assert shown(value) == text
    assert answer(mockito(rule(*returns(value)))).value == text


def test_nothing_that_a_strategy_names_is_imported(tmp_path, monkeypatch):
    (tmp_path / "boobytrap.py").write_text("raise SystemExit('imported')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    trap = {"_target_": "boobytrap.Bomb", "size": 3}
    strategy = mockito(rule(*returns(trap), raises(trap)), rule(*returns(1), args=[trap]))
    found = preview(strategy, [call(), call(), call(7)])
    assert [one.effect for one in found] == [Effect.RETURNS, Effect.RAISES, Effect.UNKNOWN]
    assert "boobytrap" not in sys.modules


def test_whether_a_mock_answers_may_depend_on_code_of_the_file():
    built = {"_target_": "decimal.Decimal", "value": "1"}
    strategy = mockito(rule(*returns("sure"), args=[2]), rule(*returns(1), args=[built]))
    assert answer(strategy, 1).effect is Effect.UNKNOWN
    assert answer(strategy, 1, 2).effect is Effect.RAISES


@pytest.mark.parametrize(
    "strategy",
    [
        {"type": "Mockito", "config": []},
        {"type": "other"},
        {"type": "mockito"},
        mockito({"function": "f", "then": [{"type": "call", "value": 1}]}),
        mockito({"function": "f", "then": [{"type": "return"}]}),
        mockito({"function": "f"}),
        mockito({"function": 5, "then": []}),
        mockito({**rule(), "arguments": {"args": {}}}),
        mockito({**rule(), "arguments": []}),
        {"type": "llm", "prompt": "p"},
        {"type": "llm", "prompt": "p", "toolsToSimulate": ["f"]},
        {"type": "llm", "prompt": "p", "toolsToSimulate": [], "model": "m"},
    ],
)
def test_a_malformed_strategy_loads_and_lets_the_real_function_run(strategy):
    mocks = Mocks(strategy)
    assert mocks.kind == "unknown"
    assert mocks.problem
    found = mocks.answer(call())
    assert found.effect is Effect.REAL
    assert mocks.problem in found.reason


@pytest.mark.parametrize(
    "broken",
    [
        rule(raises({"_target_": "builtins.ValueError", "text": "x"})),
        rule(raises({"_target_": "builtins.UnicodeDecodeError"})),
        rule(*returns({"_target_": "builtins.nothing"})),
        rule(*returns({"_target_": "nodots"})),
        rule(*returns({"_target_": 5})),
        rule(*returns(1), kwargs={"_target_": "mockito.any"}),
    ],
)
def test_one_mock_that_cannot_be_built_switches_all_of_them_off(broken):
    mocks = Mocks(mockito(rule(*returns(1)), broken))
    assert (mocks.kind, mocks.is_used) == ("mockito", False)
    assert mocks.answer(call()).effect is Effect.REAL


@pytest.mark.parametrize("strategy", [{}, {"type": None}, {"type": 5}, "mockito", []])
def test_a_strategy_without_a_type_is_refused(strategy):
    with pytest.raises(EvaldeskError, match="type"):
        Mocks(strategy)


def test_the_newer_spelling_of_two_lists_is_read():
    old = mockito(rule(*returns("old")), key="behaviors")
    assert answer(old).value == "old"
    assert answer({**old, "config": [rule(*returns("new"))]}).value == "new"
    assert answer({**old, "config": []}).effect is Effect.REAL
    assert not Mocks({**old, "config": 5}).is_used


def test_a_simulation_answers_for_the_tools_that_it_lists():
    for key in ("toolsToSimulate", "tools_to_simulate"):
        strategy = {"type": "llm", "prompt": "", key: [{"name": "f"}], "model": {"model": "m"}}
        assert Mocks(strategy).answer(call()).effect is Effect.SIMULATED
        assert Mocks(strategy).answer(call(function="F")).effect is Effect.REAL


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=3)


@given(st.lists(scalars, max_size=3), st.dictionaries(st.sampled_from("kj"), scalars))
def test_a_mock_of_a_call_answers_that_call(args, named):
    strategy = mockito({**rule(*returns("hit")), "arguments": {"args": args, "kwargs": named}})
    assert Mocks(strategy).answer(Call(function="f", args=tuple(args), named=named)).value == "hit"


@pytest.mark.parametrize(
    ("rules", "tried", "heard"),
    [
        ([rule(*returns(1))], call(), [("answers", "It takes every call.")]),
        (
            [rule(*returns(1), args=["x"])],
            call("x"),
            [("answers", "All arguments are as it wants.")],
        ),
        ([rule(*returns(1), function="g")], call(), [("other", "It is for “g”.")]),
        (
            [rule(*returns(1), args=["x"]), rule(*returns(2))],
            call("x"),
            [
                ("hidden", "It fits too, but rule 2 stands below it, and the last one wins."),
                ("answers", "It takes every call."),
            ],
        ),
        (
            [{**rule(*returns(1)), "arguments": {}}],
            call(1),
            [("misfit", "The rule is for calls without arguments only.")],
        ),
        (
            [rule(*returns(1), args=[1, 2])],
            call(1),
            [("misfit", "The rule wants 2 arguments by position, the call has 1.")],
        ),
        (
            [rule(*returns(1), kwargs={"city": "x"})],
            call("x"),
            [
                (
                    "misfit",
                    "The rule wants 0 arguments by position, the call has 1. By position and by "
                    "name are different things.",
                )
            ],
        ),
        (
            [rule(*returns(1), kwargs={"a": 1, "b": 2})],
            call(),
            [("misfit", "The rule wants “a” and “b” by name, which the call does not have.")],
        ),
        (
            [rule(*returns(1), kwargs={"a": 1})],
            call(a=1, b=2),
            [("misfit", "The call has “b” by name, which the rule does not want.")],
        ),
        (
            [rule(*returns(1), args=[{"a": 1}], kwargs={"k": "x"})],
            call({"a": 1}, k="y"),
            [("misfit", '“k” is "y"; the rule wants "x".')],
        ),
        (
            [rule(*returns(1), args=[{"_target_": "a.B"}]), rule(*returns(2))],
            call(1),
            [
                ("hidden", "It fits too, but rule 2 stands below it, and the last one wins."),
                ("answers", "It takes every call."),
            ],
        ),
        (
            [rule(*returns(2)), rule(*returns(1), args=[{"_target_": "a.B"}])],
            call(1),
            [
                ("hidden", "It fits too, but rule 2 stands below it, and the last one wins."),
                (
                    "unknown",
                    "Whether this rule answers depends on Python code that the file names.",
                ),
            ],
        ),
    ],
)
def test_each_mock_says_what_it_is_to_a_call_and_why(rules, tried, heard):
    (trial,) = try_out(mockito(*rules), [tried])
    assert [(one.standing.value, one.why) for one in trial.heard] == heard


def test_mocks_that_are_not_used_say_nothing():
    assert Mocks({"type": "mockito", "config": 5}).heard(call()) == ()
    assert Mocks(None).heard(call()) == ()


arguments = st.fixed_dictionaries(
    {},
    optional={
        "args": st.lists(scalars | st.just(ANY), max_size=2),
        "kwargs": st.dictionaries(st.sampled_from("kj"), scalars | st.just(ANY)),
    },
)
some_rules = st.lists(
    st.builds(
        lambda function, wanted: (
            {"function": function, "then": returns(1)}
            | ({} if wanted is None else {"arguments": wanted})
        ),
        st.sampled_from("fg"),
        st.none() | arguments,
    ),
    max_size=6,
)
some_calls = st.builds(
    lambda args, named: Call(function="f", args=tuple(args), named=named),
    st.lists(scalars, max_size=2),
    st.dictionaries(st.sampled_from("kj"), scalars),
)


@given(some_rules, some_calls)
def test_what_mocks_say_agrees_with_the_answer(rules, tried):
    (trial,) = try_out(mockito(*rules), [tried])
    answering = [one.rule for one in trial.heard if one.standing is Standing.ANSWERS]
    assert answering == ([] if trial.answer.rule is None else [trial.answer.rule])


@given(some_rules, some_calls)
def test_a_mock_that_is_told_to_be_hidden_never_answers(rules, tried):
    (answered,) = preview(mockito(*rules), [tried])
    assert answered.rule not in hidden(rules)
