import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluators import build
from evalcore.evaluators.base import Params, Sample
from evalcore.explain import counterfactuals
from evalcore.results import Score, Verdict
from evalcore.scoring import Check
from evalcore.scoring.joining import join
from evalcore.scoring.running import evaluate
from evalcore.scoring.systems import system_of
from tests.scoring.builders import Judged, calls, case, eval_set, happened, result, run, wanted


def sample_of(expected, actual, criterion=None, format_id="adk") -> Sample:
    of = eval_set(case("a", expected), format_id=format_id)
    (joined,) = join(run(result("a", actual)), of, system_of(format_id))
    return joined.sample() if criterion is None else joined.sample(criterion)


def check(kind: str, **config) -> Check:
    return Check(kind, kind, build(kind, config))


def texts(of: Check, sample: Sample, **more) -> list[str]:
    return [found.text for found in counterfactuals(of, sample, **more)]


def trajectory(expected, actual) -> Sample:
    return sample_of(wanted("", calls(*expected)), happened("", calls(*actual)))


EXACT = "adk.tool_trajectory_avg_score"


class TestToolCalls:
    @pytest.mark.parametrize(
        ("expected", "actual", "told"),
        [
            (
                [("f", {}), ("g", {})],
                [("g", {}), ("f", {})],
                ["would pass with order ignored"],
            ),
            (
                [("f", {})],
                [("f", {}), ("g", {})],
                ["would pass with further calls allowed"],
            ),
            (
                [("f", {"date": "1 May", "n": 2})],
                [("f", {"date": "May 1", "n": 2})],
                ["would pass with `date` ignored"],
            ),
            (
                [("f", {"a": 1, "b": 1, "c": 1})],
                [("f", {"a": 2, "b": 2, "c": 1})],
                ["would pass with `a` and `b` ignored"],
            ),
            (
                [("f", {"a": 1}), ("g", {})],
                [("g", {}), ("f", {"a": 2})],
                ["would pass with `a` and order ignored"],
            ),
            ([("f", {})], [("g", {})], []),
            ([("f", {})], [("f", {})], []),
        ],
    )
    def test_the_smallest_change_that_helps_is_named(self, expected, actual, told):
        found = texts(check(EXACT), trajectory(expected, actual))
        assert sorted(found) == sorted(told)

    def test_uipath_ignores_an_argument_of_its_criteria(self):
        criterion = {"toolCalls": [{"name": "f", "args": {"a": 1, "b": 2}}]}
        sample = sample_of(
            wanted(), happened({}, calls(("f", {"a": 1, "b": 3}))), criterion, "uipath_coded"
        )
        found = texts(check("uipath-tool-call-args"), sample, mark=1.0)
        assert found == ["would pass with `b` ignored"]

    def test_uipath_tells_the_mark_that_would_do(self):
        criterion = {"toolCallsOrder": ["f", "g", "h", "i"]}
        made = calls(("f", {}), ("g", {}), ("h", {}))
        sample = sample_of(wanted(), happened({}, made), criterion, "uipath_coded")
        assert texts(check("uipath-tool-call-order"), sample, mark=1.0) == ["would pass at 0.75"]
        strict = texts(check("uipath-tool-call-order", strict=True), sample, mark=0.7)
        assert strict == ["would pass without “all or nothing”"]

    def test_10xgraph_is_never_told_of_a_mark_at_which_nothing_is_evaluated(self):
        sample = sample_of(wanted(), happened("x", calls(("f", {}))), format_id="tenxgraph")
        of = check("tenxgraph.tool_name_match", threshold=1.0)
        assert evaluate(of, sample).overall.verdict is Verdict.FAILED
        assert texts(of, sample) == []


class TestOutputs:
    def test_case_and_fields_that_differ_are_named(self):
        criterion = {"expectedOutput": "Approve"}
        sample = sample_of(wanted(), happened("APPROVE"), criterion, "uipath_coded")
        cased = check("uipath-exact-match", caseSensitive=True)
        assert texts(cased, sample, mark=1.0) == ["would pass if case did not matter"]

    def test_a_field_of_the_expected_object_is_ignored(self):
        criterion = {"expectedOutput": {"decision": "approve", "paid": {"on": "1 May"}}}
        actual = happened({"decision": "approve", "paid": {"on": "2 May"}})
        sample = sample_of(wanted(), actual, criterion, "uipath_coded")
        found = texts(check("uipath-exact-match"), sample, mark=1.0)
        assert found == ["would pass with `paid.on` ignored"]

    def test_one_of_several_target_fields_is_ignored(self):
        criterion = {"expectedOutput": {"a": 1, "b": 2}}
        sample = sample_of(wanted(), happened({"a": 1, "b": 9}), criterion, "uipath_coded")
        of = check("uipath-exact-match", targetOutputKey=["a", "b"])
        assert texts(of, sample, mark=1.0) == ["would pass with `b` ignored"]

    def test_a_text_that_differs_by_case_only_in_10xgraph(self):
        sample = sample_of(wanted("Hello"), happened("hello"), format_id="tenxgraph")
        of = check("tenxgraph.exact_match", threshold=1.0)
        assert texts(of, sample) == ["would pass if case did not matter"]

    def test_a_lower_mark_is_named_last(self):
        sample = sample_of(wanted("a b c d"), happened("a b c x"))
        assert texts(check("adk.response_match_score", threshold=0.8), sample) == [
            "would pass at 0.75"
        ]


class TestWhatIsNotFailed:
    def test_errors_passes_and_missing_records_have_none(self):
        passing = sample_of(wanted("a"), happened("a"))
        failing = sample_of(wanted("a"), happened())
        of = check("adk.response_match_score", threshold=0.8)
        assert texts(of, passing) == texts(of, failing) == []

    def test_of_a_judged_check_only_the_mark_is_changed_and_nobody_is_asked(self):
        judged = Judged(Params(), "x")
        said = Score(evaluator="x", native=0.6, value=0.6, threshold=0.8, verdict=Verdict.FAILED)
        of = Check("x", "x", judged)
        found = texts(of, sample_of(wanted("a"), happened("a")), score=said)
        assert (found, judged.runs) == (["would pass at 0.6"], 0)


CALL = st.tuples(
    st.sampled_from("fg"), st.dictionaries(st.sampled_from("ab"), st.integers(0, 1), max_size=2)
)


@given(st.lists(CALL, max_size=3), st.lists(CALL, max_size=3))
def test_every_change_of_settings_really_passes_and_there_are_at_most_three(expected, actual):
    sample, of = trajectory(expected, actual), check(EXACT)
    found = counterfactuals(of, sample)
    assert len(found) <= 3
    for one in found:
        if one.settings and "`" not in one.text:
            params = of.evaluator.params.model_copy(update=one.settings)
            again = Check("x", "x", type(of.evaluator)(params, "x"))
            assert evaluate(again, sample).overall.verdict is Verdict.PASSED
