import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators.base import Params
from evalcore.results import Score
from evalcore.scoring import (
    Check,
    Choice,
    Memory,
    Scoring,
    aggregates,
    checks_for,
    compare_with_stored,
    count_judge_calls,
    differences,
    flips,
    run_outcome,
    score,
)
from evalcore.scoring.joining import match_cases
from tests.scoring.builders import (
    Crashing,
    E,
    F,
    Judged,
    N,
    P,
    calls,
    case,
    check,
    coded,
    eval_set,
    happened,
    metric,
    result,
    run,
    wanted,
)

TRAJECTORY = metric("tool_trajectory_avg_score", {"threshold": 1.0, "match_type": "EXACT"})
REPLY = metric("response_match_score", 0.8)


GUID = "3e0f4cf4-2b3d-4b43-9d0a-95d5c2f7aa10"


def scored(cases, results, configured, scoring=None, **more):
    of = eval_set(*cases, **{k: v for k, v in more.items() if k in ("format_id", "refs")})
    checks = checks_for(of, configured, more.get("own", ()), more.get("choice"))
    return score(run(*results, format_id=of.format_id), of, checks, scoring), checks


def verdicts(found):
    return [c.verdict for c in found.cases]


class TestErrors:
    def test_an_unexpected_exception_is_an_error_with_its_type_and_traceback(self):
        of = eval_set(case("a", wanted("x")))
        checks = [check(Crashing(Params()))]
        found = score(run(result("a", happened("x"))), of, checks)
        (only,) = found.cases[0].scores
        assert (only.verdict, only.value, only.native) == (E, None, None)
        assert only.reason == "ZeroDivisionError: division by zero"
        assert "in evaluate" in only.details["traceback"]

    def test_an_error_beside_a_pass_is_named_as_adk_hides_it(self):
        of = eval_set(case("a", wanted("x", calls(("f", {})))))
        checks = (*checks_for(of, [TRAJECTORY]), check(Crashing(Params()), "boom"))
        found = score(run(result("a", happened("x", calls(("f", {}))))), of, checks)
        assert verdicts(found) == [P]
        assert found.cases[0].notes == ("Passed, but these have no score: boom.",)

    def test_turns_that_do_not_pair_are_an_error_and_no_zero(self):
        found, _ = scored(
            [case("a", wanted("x"), wanted("y"))], [result("a", happened("x"))], [REPLY]
        )
        score_ = found.cases[0].scores[0]
        assert (score_.verdict, score_.native) == (E, None)
        assert "2 turns and the run has 1" in score_.reason

    def test_a_crash_is_an_error_of_the_case_and_of_each_check(self):
        found, _ = scored([case("a", wanted("x"))], [result("a", error="no network")], [REPLY])
        assert verdicts(found) == [E]
        assert [s.reason for s in found.cases[0].scores] == ["no network"]

    def test_an_unusable_expectation_poisons_the_whole_case_in_uipath(self):
        of = eval_set(
            case("a", wanted(), criteria={"exact": {"nothing": 1}, "has": {"searchText": "x"}}),
            case("b", wanted(), criteria={"has": {"searchText": "x"}}),
            format_id="uipath_coded",
            refs=("has", "exact"),
        )
        checks = checks_for(
            of, [coded("exact", "uipath-exact-match"), coded("has", "uipath-contains")]
        )
        results = [result(i, happened({"t": "x"}, trace=[])) for i in "ab"]
        found = score(run(*results, format_id="uipath_coded"), of, checks, Scoring(pass_mark=1.0))
        assert verdicts(found) == [E, P]
        reasons = [s.reason for s in found.cases[0].invocations[0].scores]
        assert len(reasons) == 2
        assert all(r.startswith("UiPath fails the whole case: exact: ") for r in reasons)

    def test_what_was_not_recorded_is_not_evaluated(self):
        found, _ = scored([case("a", wanted("x"))], [result("a", happened("x"))], [TRAJECTORY])
        score_ = found.cases[0].scores[0]
        assert (score_.verdict, score_.reason) == (N, "The run does not hold the tool calls.")
        assert verdicts(found) == [N]


class TestRules:
    def test_adk_passes_a_case_by_the_mean_of_its_turns(self):
        configured = [metric("tool_trajectory_avg_score", {"threshold": 0.5})]
        turns = (happened("", calls(("f", {}))), happened("", calls(("g", {})), index=1))
        found, _ = scored(
            [case("a", wanted("", calls(("f", {}))), wanted("", calls(("f", {}))))],
            [result("a", *turns)],
            configured,
        )
        only = found.cases[0]
        assert (only.verdict, only.scores[0].native) == (P, 0.5)
        assert [turn.scores[0].verdict for turn in only.invocations] == [P, F]
        assert only.scores[0].cautions == ("Passes although 1 of 2 turns fail.",)

    @pytest.mark.parametrize(("policy", "verdict"), [("business", P), ("strict", F)])
    def test_harnest_runs_its_own_policy_whatever_the_file_says(self, policy, verdict):
        found, _ = scored(
            [case("a", wanted("", calls(("f", {}))))],
            [result("a", happened("", calls(("g", {}), ("f", {}))))],
            [TRAJECTORY],
            format_id="harnest",
            choice=Choice(trajectory=policy),
        )
        assert verdicts(found) == [verdict]

    def test_harnest_says_both_of_its_verdicts(self):
        found, checks = scored([case("a")], [result("a")], [REPLY], format_id="harnest")
        outcome = run_outcome(found, checks)
        assert (outcome.verdict, outcome.exit_code) == (N, 0)
        assert outcome.theirs[0] == "The result file says not evaluated."
        assert "exits with 0 all the same" in outcome.theirs[1]

    def test_10xgraph_without_an_expectation_is_not_evaluated_and_its_word_is_noted(self):
        criterion = metric("tool_name_match", {"threshold": 0.5})
        found, checks = scored(
            [case("a", wanted())],
            [result("a", happened("x", ()))],
            [criterion],
            format_id="tenxgraph",
        )
        assert verdicts(found) == [N]
        assert "10xGraph calls this case passed" in found.cases[0].notes[0]
        assert run_outcome(found, checks).theirs == (
            "10xGraph: 1 of 1 cases passed (100%), 0 crashed.",
        )

    def test_10xgraph_takes_the_expectations_of_all_turns_with_one_recorded_reply(self):
        criteria = [metric("tool_name_match", {"threshold": 1.0}), metric("rouge_match", 0.9)]
        turns = (wanted("hello", calls(("f", {}))), wanted("good bye", calls(("g", {}))))
        whole = happened("good bye", calls(("f", {}), ("g", {})))
        found, _ = scored(
            [case("a", *turns)], [result("a", whole)], criteria, format_id="tenxgraph"
        )
        assert [s.native for s in found.cases[0].scores] == [1.0, 1.0]

    @pytest.mark.parametrize(
        ("mark", "by_name", "verdict"),
        [(None, {}, None), (1.0, {}, F), (0.5, {}, P), (0.9, {"calls": 0.5}, P)],
    )
    def test_uipath_passes_by_the_mark_of_the_user_alone(self, mark, by_name, verdict):
        criteria = {"calls": {"toolCallsOrder": ["f", "g"]}}
        found, _ = scored(
            [case("a", wanted(), criteria=criteria)],
            [result("a", happened({}, calls(("f", {}))))],
            [coded("calls", "uipath-tool-call-order")],
            Scoring(pass_mark=mark, pass_marks=by_name),
            format_id="uipath_coded",
            refs=("calls",),
        )
        assert verdicts(found) == [verdict]
        assert found.has_pass_rule is False

    def test_uipath_runs_a_check_only_where_the_case_and_the_set_name_it(self):
        kinds = [coded("has", "uipath-contains"), coded("other", "uipath-contains")]
        found, _ = scored(
            [case("a", wanted(), criteria={"HAS": {"searchText": "x"}}), case("b", wanted())],
            [result(i, happened("x")) for i in "ab"],
            kinds,
            Scoring(pass_mark=1.0),
            format_id="uipath_coded",
            refs=("has",),
        )
        assert [[s.evaluator for s in c.invocations[0].scores] for c in found.cases] == [
            ["has"],
            [],
        ]
        assert verdicts(found) == [P, N]

    def test_uipath_counts_labels_over_the_run_and_leaves_crashes_out_of_ours(self):
        labels = coded(
            "kind",
            "uipath-exact-match",
            targetOutputKey="kind",
            classes=["yes", "no"],
            aggregators=[{"type": "precision", "averaging": "macro"}],
        )
        cases = [
            case(str(i), wanted(), criteria={"kind": {"expectedOutput": {"kind": label}}})
            for i, label in enumerate(("yes", "no", "no"))
        ]
        results = [
            result("0", happened({"kind": "yes"}), name="0"),
            result("1", happened({"kind": "yes"}), name="1"),
            result("2", happened(error="crash"), name="2", error="crash"),
        ]
        found, checks = scored(
            cases,
            results,
            [labels],
            Scoring(pass_mark=1.0),
            format_id="uipath_coded",
            refs=("kind",),
        )
        (number,) = found.dataset_scores
        assert (number.native, number.reason) == (0.25, "2 of 3 cases are counted.")
        assert verdicts(found) == [P, F, E]
        (kind,) = aggregates(found)
        assert (kind.mean, kind.scored, kind.total, kind.errors) == (0.5, 2, 3, ("2",))
        assert run_outcome(found, checks).theirs[0].startswith("UiPath: 0.333333 over all")


class TestJoining:
    def test_a_case_that_was_not_run_is_not_evaluated_and_counts_in_the_total(self):
        found, _ = scored(
            [case("a", wanted("x")), case("b", wanted("y"))], [result("a", happened("x"))], [REPLY]
        )
        assert verdicts(found) == [P, N]
        assert found.cases[1].notes == ("The run has no result for this case.",)
        assert aggregates(found)[0].text == (
            "1 of 2 scored, mean 1; 1 passed, 0 failed; 1 not evaluated (b)"
        )

    def test_a_result_of_no_case_is_scored_by_what_it_recorded(self):
        odd = happened("x", expected_output="x")
        found, _ = scored([], [result("gone", odd)], [REPLY])
        assert verdicts(found) == [P]
        assert "no such case" in found.cases[0].notes[0]

    def test_the_set_of_today_counts_and_what_changed_is_said(self):
        turn = happened("good morning", expected_output="good morning")
        found, _ = scored([case("a", wanted("good night"))], [result("a", turn)], [REPLY])
        assert verdicts(found) == [F]
        assert found.cases[0].notes == ("Turn 1 expects another reply today than then.",)
        then, _ = scored(
            [case("a", wanted("good night"))],
            [result("a", turn)],
            [REPLY],
            Scoring(expectations="recorded"),
        )
        assert verdicts(then) == [P]

    def test_results_join_by_id_and_those_without_by_name_in_order(self):
        cases = [case("A", wanted("one"), name="n"), case("B", wanted("two"), name="n")]
        results = [result("A", happened("one")), result(None, happened("two"), name="n")]
        results.append(result("B", happened("two")))
        found, _ = scored(cases, results, [REPLY])
        assert [c.scores[0].native for c in found.cases] == [1.0, 0.0, 1.0]

    @pytest.mark.parametrize(
        ("format_id", "own", "written", "place"),
        [
            ("adk", "A", "a", None),
            ("uipath_coded", GUID, GUID.upper(), 0),
            ("uipath_coded", "A", "a", None),
        ],
    )
    def test_ids_join_as_their_system_compares_them(self, format_id, own, written, place):
        of = eval_set(case(own), format_id=format_id)
        assert match_cases(run(result(written), format_id=format_id), of) == [place]


class TestJudges:
    def test_without_asking_a_judged_check_keeps_what_the_run_stored(self):
        of, judged = eval_set(case("a", wanted("x"))), Judged(Params(), "x")
        stored = Score(evaluator="x", value=0.6, native=0.6, verdict=P, threshold=0.5)
        results = result("a", happened("good"), scores=(stored,))
        found = score(run(results), of, [check(judged)])
        assert judged.runs == 0
        assert found.cases[0].scores[0].native == 0.6
        assert "stored with the run" in found.cases[0].scores[0].cautions[0]

    def test_without_a_stored_score_it_is_not_evaluated(self):
        of = eval_set(case("a", wanted("x")))
        found = score(run(result("a", happened("x"))), of, [check(Judged(Params()))])
        assert verdicts(found) == [N]
        assert found.cases[0].scores[0].reason == "A judge decides this, and none was asked."

    def test_asking_happens_once_and_is_remembered(self):
        judged, memory = Judged(Params(), "x"), Memory()
        of = eval_set(*(case(i, wanted("x")) for i in "abc"))
        of_run = run(*(result(i, happened("good" if i == "a" else "bad")) for i in "abc"))
        done = []
        found = score(
            of_run, of, [check(judged)], Scoring(ask=True), memory, lambda n, of: done.append(n)
        )
        assert verdicts(found) == [P, F, F]
        assert (judged.runs, done) == (3, [1, 2, 3])
        again = score(of_run, of, [check(judged)], Scoring(ask=True), memory)
        silent = score(of_run, of, [check(judged)], Scoring(), memory)
        assert judged.runs == 3
        assert again == silent == found

    def test_calls_are_counted_without_asking(self):
        judged = Judged(Params(), "x")
        of = eval_set(*(case(i, wanted("x")) for i in "abc"))
        of_run = run(result("a", happened("x")), result("b", happened()), result("c", error="no"))
        counted = count_judge_calls(of_run, of, [check(judged)])
        assert (counted.total, dict(counted.by_evaluator), judged.runs) == (3, {"x": 3}, 0)

    def test_a_progress_that_raises_ends_the_scoring(self):
        of = eval_set(*(case(i, wanted("x")) for i in "ab"))
        of_run = run(*(result(i, happened("x")) for i in "ab"))

        def stop(done, total):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            score(of_run, of, [check(Judged(Params()))], Scoring(ask=True), None, stop)


class TestFlips:
    def rescore(self, choice=None, reply="the cat sat", memory=None):
        of = eval_set(
            case("a", wanted(reply, calls(("f", {}), ("g", {})))),
            case("b", wanted("dogs", calls(("f", {})))),
        )
        turns = happened("the cat sat down", calls(("g", {}), ("f", {})))
        of_run = run(result("a", turns), result("b", happened("dogs", calls(("f", {})))))
        checks = checks_for(of, [TRAJECTORY, REPLY], (), choice)
        return score(of_run, of, checks, None, memory)

    def test_a_match_mode_turns_the_check_and_the_case(self):
        memory = Memory()
        before = self.rescore(memory=memory)
        looser = Choice(match_modes={"tool_trajectory_avg_score": "ANY_ORDER"})
        found = flips(before, self.rescore(looser, memory=memory))
        assert [(f.case, f.evaluator, f.turn, f.before, f.after) for f in found] == [
            ("a", "", None, F, P),
            ("a", "tool_trajectory_avg_score", None, F, P),
            ("a", "tool_trajectory_avg_score", 0, F, P),
        ]
        assert all(f.is_better for f in found)

    def test_a_threshold_turns_a_verdict_and_no_number(self):
        stricter = Choice(thresholds={"response_match_score": 0.9})
        found = [f for f in flips(self.rescore(), self.rescore(stricter)) if f.evaluator]
        assert {(f.evaluator, f.before, f.after) for f in found} == {("response_match_score", P, F)}
        assert all(f.value_before == f.value_after for f in found)

    def test_an_expectation_turns_only_its_own_case(self):
        memory = Memory()
        before = self.rescore(memory=memory)
        found = flips(before, self.rescore(reply="nothing like it", memory=memory))
        assert {(f.case, f.evaluator) for f in found} == {("a", "response_match_score")}

    def test_nothing_turns_without_a_change(self):
        assert flips(self.rescore(), self.rescore()) == ()

    def test_a_pass_mark_changes_what_a_stored_judgement_comes_to(self):
        of = eval_set(case("a", wanted("x", rubrics=())))
        judged = metric("final_response_match_v2", {"threshold": 0.5})
        stored = Score(evaluator=judged.ref, value=0.6, native=0.6, verdict=P, threshold=0.5)
        of_run = run(result("a", happened("x"), scores=(stored,)))
        before = score(of_run, of, checks_for(of, [judged]))
        stricter = Choice(thresholds={judged.ref: 0.7})
        after = score(of_run, of, checks_for(of, [judged], (), stricter))
        assert verdicts(before) + verdicts(after) == [P, F]


class TestOwnChecks:
    def own(self, **by_case):
        evaluator = build("evaldesk.regex", {"pattern": "x"}, "says x")
        return Check("says x", "says x", evaluator, is_own=True, by_case=by_case)

    def test_a_check_of_ours_fails_a_case_and_says_that_its_system_would_not(self):
        turn = happened("abc")
        found, _ = scored(
            [case("a", wanted("abc"))], [result("a", turn)], [REPLY], own=(self.own(),)
        )
        assert verdicts(found) == [F]
        assert found.cases[0].notes == (
            "Google ADK would not say so: says x is a check of Evaldesk's own.",
        )

    def test_a_case_can_switch_it_off_or_change_it(self):
        own = self.own(a=None, b={"pattern": "b"})
        cases = [case(i, wanted("abc")) for i in "ab"]
        found, _ = scored(cases, [result(i, happened("abc")) for i in "ab"], [REPLY], own=(own,))
        assert verdicts(found) == [P, P]
        assert [len([s for s in c.scores if s.evaluator == own.ref]) for c in found.cases] == [0, 1]

    def test_it_sees_the_recorded_turns_only(self):
        found, _ = scored(
            [case("a", wanted("one"), wanted("x"))],
            [result("a", happened("x"))],
            [],
            own=(self.own(),),
            format_id="tenxgraph",
        )
        assert verdicts(found) == [P]


class TestChoices:
    def test_only_named_checks_are_run(self):
        found, checks = scored(
            [case("a", wanted("x"))],
            [result("a", happened("x"))],
            [TRAJECTORY, REPLY],
            choice=Choice(only=("response_match_score",)),
        )
        assert [c.ref for c in checks] == ["response_match_score"]
        assert verdicts(found) == [P]

    @pytest.mark.parametrize(
        "choice",
        [Choice(only=("x",)), Choice(thresholds={"x": 1}), Choice(match_modes={"x": "EXACT"})],
    )
    def test_a_name_that_no_check_has_is_refused_with_the_names_there_are(self, choice):
        with pytest.raises(EvaldeskError, match="called 'x'") as error:
            checks_for(eval_set(), [REPLY], (), choice)
        assert "response_match_score" in error.value.hint

    def test_a_policy_is_for_harnest_alone(self):
        with pytest.raises(EvaldeskError, match="no trajectory policies"):
            checks_for(eval_set(), [REPLY], (), Choice(trajectory="strict"))

    def test_a_check_that_cannot_be_built_is_there_with_its_problem(self):
        custom = metric("custom", {"threshold": 1}).model_copy(update={"ref": "mine"})
        found, checks = scored([case("a", wanted("x"))], [result("a", happened("x"))], [custom])
        assert "not run here" in checks[0].problem
        assert found.cases[0].scores[0].verdict is N

    @pytest.mark.parametrize(("mark", "verdict"), [(0.8, P), (0.9, P), (0.95, F)])
    def test_what_only_the_cloud_computes_keeps_its_score_under_another_mark(self, mark, verdict):
        stored = Score(evaluator="safety_v1", value=0.9, native=0.9, verdict=P, threshold=0.8)
        found, checks = scored(
            [case("a", wanted("x"))],
            [result("a", happened("x"), scores=(stored,))],
            [metric("safety_v1", mark)],
        )
        assert "Vertex AI" in checks[0].problem
        assert (found.cases[0].scores[0].native, verdicts(found)) == (0.9, [verdict])

    def test_a_function_of_the_project_keeps_its_verdict_whatever_the_mark(self):
        stored = Score(evaluator="mine", value=0.9, native=0.9, verdict=F, threshold=0.8)
        custom = metric("mine", 0.5).model_copy(update={"native_type": "custom"})
        found, _ = scored(
            [case("a", wanted("x"))], [result("a", happened("x"), scores=(stored,))], [custom]
        )
        assert (found.cases[0].scores[0].threshold, verdicts(found)) == (0.8, [F])


class TestStored:
    def compared(self, stored, reply="x", expected="x", configured=REPLY, **more):
        turn = happened(reply, trace={}, expected_output=expected, **more)
        of_run = run(result("a", turn, scores=(stored,)))
        of = eval_set(case("a", wanted(expected)))
        again = score(of_run, of, checks_for(of, [configured]))
        found = compare_with_stored(of_run, again)
        return [c for c in differences(found) if c.evaluator == stored.evaluator and c.stored]

    def score(self, native, verdict=P, **more):
        return Score(
            evaluator="response_match_score",
            native=native,
            value=native,
            verdict=verdict,
            threshold=0.8,
            **more,
        )

    def test_an_equal_score_needs_no_word(self):
        assert self.compared(self.score(1.0)) == []

    def test_rounding_is_named(self):
        (found,) = self.compared(self.score(1.0 - 1e-12))
        assert (found.kind, found.explanation) == (
            "same",
            "The numbers differ by rounding alone.",
        )

    def test_the_old_tokenizer_is_named(self):
        (found,) = self.compared(self.score(0.0, F), "привет", "привет")
        assert (found.kind, found.is_explained) == ("differs", True)
        assert "not Latin" in found.explanation

    def test_another_pass_mark_is_named(self):
        (found,) = self.compared(
            self.score(0.9411764705882353).model_copy(update={"verdict": F, "threshold": 0.95}),
            "a b c d e f g h i",
            "a b c d e f g h",
        )
        assert found.explanation == "The pass mark was 0.95 and is 0.8 now."

    def test_a_zero_for_a_crash_is_named(self):
        stored = self.score(0.0, F)
        of_run = run(result("a", happened("x"), scores=(stored,)))
        of = eval_set(case("a", wanted("x"), wanted("y")))
        again = score(of_run, of, checks_for(of, [REPLY]))
        (found,) = (c for c in differences(compare_with_stored(of_run, again)) if c.evaluator)
        assert found.explanation.startswith("The system counts an error as 0: ")

    def test_what_nothing_explains_is_said_to_be_so(self):
        (found,) = self.compared(self.score(0.5, F))
        assert (found.kind, found.is_explained) == ("differs", False)

    def test_a_score_that_only_the_file_has_is_kept(self):
        stored = self.score(0.5).model_copy(update={"evaluator": "mine"})
        (found,) = self.compared(stored)
        assert (found.kind, found.explanation) == (
            "only_stored",
            "No check of this name was run here.",
        )
