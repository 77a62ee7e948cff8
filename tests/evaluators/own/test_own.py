import itertools

import jsonpath_rfc9535
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators.base import Outcome, Sample, Turn
from evalcore.evaluators.measures.assignment import best_alignment, matched_pairs
from evalcore.evaluators.own import patterns
from evalcore.evaluators.own.values import find
from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, Invocation, ToolCall
from evalcore.results import InvocationResult, ModelCall, Verdict

P, F, N = Verdict.PASSED, Verdict.FAILED, Verdict.NOT_EVALUATED


def calls(*pairs):
    return tuple(ToolCall(name=name, args=args) for name, args in pairs)


def turn(actual=MISSING, expected=MISSING, made=None, wanted=(), **more) -> Turn:
    return Turn(
        expected=Invocation(origin="", expected_output=expected, tool_calls=wanted),
        actual=InvocationResult(
            origin="", index=0, actual_output=actual, actual_tool_calls=made, **more
        ),
    )


def sample(*turns: Turn, criterion=MISSING, **more) -> Sample:
    return Sample(case=EvalCase(origin=""), turns=turns, criterion=criterion, **more)


def run(kind: str, config: dict, *turns: Turn, criterion=MISSING, **more) -> Outcome:
    return build(f"evaldesk.{kind}", config, "check").evaluate(
        sample(*turns, criterion=criterion, **more)
    )


ORDER = {"items": [{"price": 3, "name": "tea"}, {"price": 4.0, "name": "jam"}], "paid": True}


TEXTS = ["abc", "a.c", "a\nc", "", "ab", "Ünï", 3, None, "a]c", "x\\y", "-", ["abc"]]
PATTERNS = [
    "a.c",
    r"a\\.c",
    "[a.]+",
    r"a[\\]]c",
    r"\\p{L}+",
    "^ab",
    "(",
    "a{1,2}.*",
    "[^a]*",
    r"x\\\\.",
    "[a&&b]*",
    "",
]


class TestJsonPathPatterns:
    @pytest.mark.parametrize("pattern", PATTERNS)
    @pytest.mark.parametrize("name", ["match", "search"])
    def test_they_find_what_the_library_finds(self, name, pattern):
        path = f"$[?{name}(@, '{pattern}')]"
        assert [place.value for place in find(TEXTS, path)] == [
            node.value for node in jsonpath_rfc9535.find(path, TEXTS)
        ]

    def test_the_table_has_patterns_that_match_some_and_not_all(self):
        found = [len(find(TEXTS, f"$[?search(@, '{pattern}')]")) for pattern in PATTERNS]
        assert 0 in found and any(0 < count < len(TEXTS) for count in found)

    @pytest.mark.parametrize("name", ["match", "search"])
    def test_searches_without_end_are_stopped_all_together(self, monkeypatch, name):
        monkeypatch.setattr(patterns, "SECONDS", 0.05)
        path = f"$[?{name}(@, '^(a|aa|a?)+$')]"
        with pytest.raises(EvaldeskError, match=r"took more than 0\.05 s"):
            run("json_path", {"path": path, "expect": "exists"}, turn(["a" * 60 + "!"] * 1000))
        assert len(find(["aa"], path)) == 1


class TestJsonPath:
    @pytest.mark.parametrize(
        ("config", "verdict"),
        [
            ({"path": "$.paid", "expect": "equals", "value": True}, P),
            ({"path": "$.paid", "expect": "equals", "value": 1}, F),
            ({"path": "$.items[1].price", "expect": "equals", "value": 4}, P),
            ({"path": "$.items[1].price", "expect": "equals", "value": "4"}, F),
            ({"path": "$.items[*].name", "expect": "one_of", "value": ["tea", "jam"]}, P),
            ({"path": "$.items[*].name", "expect": "one_of", "value": ["tea"]}, F),
            ({"path": "$.items[?@.price > 3]", "expect": "contains", "value": {"name": "jam"}}, P),
            ({"path": "$.gone", "expect": "absent"}, P),
            ({"path": "$.gone", "expect": "exists"}, F),
            ({"path": "$.gone", "expect": "equals", "value": None}, F),
            ({"path": "$", "expect": "contains", "value": {"paid": True}}, P),
        ],
    )
    def test_a_place_holds_what_it_should(self, config, verdict):
        assert run("json_path", config, turn(ORDER)).overall.verdict is verdict

    def test_the_expected_output_decides_where_no_value_is_given(self):
        same = run("json_path", {"path": "$.items[*].price"}, turn(ORDER, ORDER))
        other = run("json_path", {"path": "$.paid"}, turn({"paid": False}, ORDER))
        assert (same.overall.verdict, other.overall.verdict) == (P, F)
        assert other.overall.reason == "At $.paid expected true, got false."

    def test_a_path_that_leads_nowhere_in_the_expectation_is_told(self):
        found = run("json_path", {"path": "$.gone"}, turn({}, ORDER)).overall
        assert found.verdict is P
        assert found.cautions == ("The path leads nowhere in the expected output.",)

    def test_without_an_expected_output_nothing_is_evaluated(self):
        assert run("json_path", {"path": "$.a"}, turn({"a": 1})).overall.verdict is N

    def test_a_reply_that_is_json_is_read_and_other_text_is_an_error(self):
        config = {"path": "$.a", "expect": "equals", "value": 1}
        assert run("json_path", config, turn('{"a": 1}')).overall.verdict is P
        with pytest.raises(EvaldeskError, match="a text and no JSON"):
            run("json_path", config, turn("hello"))

    @pytest.mark.parametrize("path", ["a.b", "$[", "", "$.a b"])
    def test_what_is_no_path_is_refused_with_the_path(self, path):
        with pytest.raises(EvaldeskError, match=r"path: .*is no JSON path"):
            build("evaldesk.json_path", {"path": path})

    def test_a_mistyped_parameter_is_refused(self):
        with pytest.raises(EvaldeskError, match="expct"):
            build("evaldesk.json_path", {"path": "$", "expct": "exists"})


class TestRegex:
    @pytest.mark.parametrize(
        ("config", "output", "verdict"),
        [
            ({"pattern": r"ORD-\d+"}, "Your order ORD-17 is here.", P),
            ({"pattern": r"ord-\d+"}, "Your order ORD-17 is here.", F),
            ({"pattern": r"ord-\d+", "ignore_case": True}, "Your order ORD-17 is here.", P),
            ({"pattern": r"ORD-\d+", "whole": True}, "ORD-17!", F),
            ({"pattern": "sorry", "negated": True}, "All done.", P),
            ({"pattern": "^b", "path": "$.a"}, {"a": "bee"}, P),
            ({"pattern": "b", "path": "$.gone"}, {"a": "bee"}, F),
            ({"pattern": '"a": 1'}, {"a": 1}, P),
        ],
    )
    def test_matches(self, config, output, verdict):
        assert run("regex", config, turn(output)).overall.verdict is verdict

    def test_a_search_without_end_is_stopped_and_is_an_error(self):
        config = {"pattern": r"^(a|aa|a?)+$", "timeout": 0.05}
        with pytest.raises(EvaldeskError, match=r"took more than 0\.05 s"):
            run("regex", config, turn("a" * 60 + "!"))

    def test_a_broken_pattern_is_refused(self):
        with pytest.raises(EvaldeskError, match="is no regular expression"):
            build("evaldesk.regex", {"pattern": "("})


class TestNumbers:
    @pytest.mark.parametrize(
        ("config", "output", "verdict"),
        [
            ({"value": 100, "absolute": 2}, 102, P),
            ({"value": 100, "absolute": 2}, 102.1, F),
            ({"value": 100, "relative": 0.05}, "about 104.9 EUR", P),
            ({"value": 1700}, "We pay 1,700.00 EUR within 10 days.", P),
            ({"value": 1700, "decimal": ","}, "Wir zahlen 1.700,00 EUR.", P),
            ({"value": -3.5}, "It is −3.5 °C.", P),
            ({"value": 0.3, "absolute": 0.1}, 0.2, P),
            ({"value": 1}, True, F),
            ({"value": 7}, "none", F),
            ({"value": 2, "path": "$.n"}, {"n": "2"}, P),
            ({"value": 2024}, "v2024x", F),
        ],
    )
    def test_a_number_may_differ_a_little(self, config, output, verdict):
        assert run("number", config, turn(output)).overall.verdict is verdict

    def test_the_nearest_of_several_counts_and_that_is_told(self):
        found = run("number", {"value": 10}, turn("from 9 to 10")).overall
        assert found.verdict is P
        assert found.cautions == ("The nearest of 2 numbers in the text counts.",)

    def test_an_expected_output_must_have_one_number(self):
        assert run("number", {}, turn("8 EUR", "8")).overall.verdict is P
        with pytest.raises(EvaldeskError, match="has 2 numbers"):
            run("number", {}, turn("8", "8 or 9"))

    @given(st.floats(-1e9, 1e9), st.floats(0, 1e6))
    def test_both_ends_of_the_allowance_count(self, value, allowance):
        for end in (value - allowance, value, value + allowance):
            config = {"value": value, "absolute": abs(end - value)}
            assert run("number", config, turn(end)).overall.verdict is P


class TestRouge:
    @pytest.mark.parametrize(
        ("variant", "value"), [("rouge1", 1.0), ("rouge2", 1 / 3), ("rougeL", 0.5)]
    )
    def test_variants_differ_in_what_order_costs(self, variant, value):
        found = run("rouge", {"variant": variant}, turn("c d a b", "a b d c"))
        assert found.overall.native == pytest.approx(value)

    def test_no_expected_words_are_no_measure(self):
        assert run("rouge", {}, turn("hello", "")).overall.verdict is N
        assert "ASCII" in run("rouge", {}, turn("привет", "привет")).overall.reason


class TestArgumentSubset:
    def test_further_members_are_free_at_any_depth(self):
        wanted = calls(("book", {"who": {"name": "Ada"}}))
        made = calls(("book", {"who": {"name": "Ada", "age": 36}, "seat": "14A"}))
        assert run("args_subset", {}, turn(wanted=wanted, made=made)).overall.native == 1.0

    def test_calls_are_assigned_so_that_most_match(self):
        wanted = calls(("f", {}), ("f", {"a": 1}))
        made = calls(("f", {"a": 1}), ("f", {}))
        assert run("args_subset", {}, turn(wanted=wanted, made=made)).overall.native == 1.0
        ordered = run("args_subset", {"order": "in_order"}, turn(wanted=wanted, made=made))
        assert ordered.overall.native == 0.5

    def test_named_arguments_can_be_ignored(self):
        wanted, made = calls(("f", {"a": 1, "date": "x"})), calls(("f", {"a": 1, "date": "y"}))
        assert run("args_subset", {}, turn(wanted=wanted, made=made)).overall.native == 0.0
        found = run("args_subset", {"ignore": ["date"]}, turn(wanted=wanted, made=made))
        assert found.overall.native == 1.0

    def test_nothing_expected_is_not_evaluated_unless_nothing_is_allowed(self):
        made = calls(("f", {}))
        assert run("args_subset", {}, turn(made=made)).overall.verdict is N
        assert run("args_subset", {"allow_extra": False}, turn(made=made)).overall.verdict is F
        assert run("args_subset", {"allow_extra": False}, turn(made=())).overall.verdict is N

    def test_one_is_not_true(self):
        wanted, made = calls(("f", {"a": 1})), calls(("f", {"a": True}))
        assert run("args_subset", {}, turn(wanted=wanted, made=made)).overall.native == 0.0


class TestTrajectoryF1:
    @pytest.mark.parametrize(
        ("wanted", "made", "arguments", "f1"),
        [
            ("abc", "abc", "share", 1.0),
            ("abc", "axbc", "share", 6 / 7),
            ("abc", "", "share", 0.0),
            ("ab", "ba", "share", 0.5),
        ],
    )
    def test_missing_and_surplus_calls_cost(self, wanted, made, arguments, f1):
        left, right = (calls(*((name, {}) for name in side)) for side in (wanted, made))
        config = {"arguments": arguments}
        found = run("trajectory_f1", config, turn(wanted=left, made=right))
        assert found.overall.native == pytest.approx(f1)

    @pytest.mark.parametrize(
        ("arguments", "f1"), [("share", 0.75), ("equal", 0.0), ("ignore", 1.0)]
    )
    def test_arguments_count_as_asked(self, arguments, f1):
        wanted, made = calls(("f", {"a": 1, "b": 2})), calls(("f", {"a": 1, "b": 3}))
        found = run("trajectory_f1", {"arguments": arguments}, turn(wanted=wanted, made=made))
        assert found.overall.native == pytest.approx(f1)

    def test_nothing_expected_is_no_measure_and_says_that_calls_were_made(self):
        found = run("trajectory_f1", {}, turn(made=calls(("f", {})))).overall
        assert (found.verdict, len(found.cautions)) == (N, 1)


class TestLimits:
    def used(self, **more):
        counted = ModelCall(prompt_tokens=900, candidates_tokens=100)
        return turn(made=calls(("f", {})), model_calls=(counted,), duration_s=2.0, **more)

    @pytest.mark.parametrize(
        ("config", "native"),
        [
            ({"max_seconds": 2}, 1.0),
            ({"max_seconds": 1.9}, 0.0),
            ({"max_tokens": 1000, "max_tool_calls": 0}, 0.5),
            (
                {"max_cost_usd": 0.002, "usd_per_million_input": 1, "usd_per_million_output": 10},
                1.0,
            ),
            (
                {"max_cost_usd": 0.0018, "usd_per_million_input": 1, "usd_per_million_output": 10},
                0.0,
            ),
            ({"max_model_calls": 1}, 1.0),
        ],
    )
    def test_what_is_used_is_held_against_the_limits(self, config, native):
        assert run("limits", config, self.used()).overall.native == native

    def test_what_is_not_recorded_is_no_zero(self):
        bare = turn("hello")
        found = run("limits", {"max_tokens": 10, "max_seconds": 1}, bare).overall
        assert (found.native, found.verdict) == (None, N)
        assert found.reason == "seconds not recorded of 1; tokens not recorded of 10."

    def test_one_turn_that_is_not_recorded_leaves_the_sum_unknown(self):
        assert run("limits", {"max_seconds": 9}, self.used(), turn("x")).overall.native is None

    def test_a_broken_limit_fails_whatever_else_is_unknown(self):
        found = run("limits", {"max_tool_calls": 0, "max_tokens": 5}, turn(made=calls(("f", {}))))
        assert found.overall.verdict is F
        assert found.overall.cautions == ("Not recorded, and counted as not kept: tokens.",)

    def test_totals_of_the_case_win_over_sums(self):
        found = run("limits", {"max_tokens": 10}, self.used(), total_tokens=9)
        assert found.overall.native == 1.0

    @pytest.mark.parametrize("config", [{}, {"max_cost_usd": 1}])
    def test_limits_that_say_nothing_are_errors(self, config):
        with pytest.raises(EvaldeskError):
            run("limits", config, self.used())


class TestTurns:
    def test_the_case_is_the_mean_of_its_scored_turns(self):
        turns = (turn("a", "a"), turn("b", "x"), turn("c"))
        found = run("json_path", {"path": "$", "threshold": 0.5}, *turns)
        assert found.overall.native == 0.5
        assert found.overall.cautions == ("Passes although 1 of 3 turns fail.",)
        assert [score.verdict for score in found.turns] == [P, F, N]

    def test_only_the_last_turn_counts_where_asked(self):
        found = run("json_path", {"path": "$", "turns": "last"}, turn("a", "x"), turn("b", "b"))
        assert [score.verdict for score in (found.overall, *found.turns)] == [P, N, P]

    def test_a_case_without_turns_is_not_evaluated(self):
        assert run("rouge", {}).overall.verdict is N

    def test_a_case_replaces_single_parameters(self):
        config = {"path": "$.a", "expect": "equals", "value": 1}
        assert run("json_path", config, turn({"a": 2}), criterion={"value": 2}).overall.verdict is P
        with pytest.raises(EvaldeskError, match="for this case: expect"):
            run("json_path", config, turn({"a": 2}), criterion={"expect": "equal"})
        with pytest.raises(EvaldeskError, match="is no object"):
            run("json_path", config, turn({"a": 2}), criterion=[1])


BOOLS = st.lists(st.lists(st.booleans(), min_size=4, max_size=4), max_size=4)


@given(BOOLS)
def test_a_largest_pairing_is_found(table):
    found = matched_pairs(range(len(table)), range(4), lambda i, j: table[i][j])
    assert all(table[i][j] for i, j in found.items())
    assert len(set(found.values())) == len(found)
    best = max(
        sum(table[i][j] for i, j in enumerate(places))
        for places in itertools.permutations(range(4), len(table))
    )
    assert len(found) == best


@given(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), max_size=4))
def test_the_best_alignment_is_the_best_of_all(table):
    def best(i, j):
        if i == len(table) or j == 3:
            return 0
        return max(table[i][j] + best(i + 1, j + 1), best(i + 1, j), best(i, j + 1))

    assert best_alignment(range(len(table)), range(3), lambda i, j: table[i][j]) == best(0, 0)
