"""10xGraph reports: what they hide, and the runs in them."""

from datetime import UTC, datetime

import pytest

from evalcore.errors import FormatError
from evalcore.formats.base import Detection, Kind
from evalcore.formats.tenxgraph import FORMAT
from evalcore.jsontree import MISSING, get
from evalcore.results import Verdict
from tests.formats.tenxgraph.data import codes, problems, report, result, score

REPORT = Detection("tenxgraph", Kind.RESULT, "sure", "the test says so")
R0, S0 = "/results/0", "/results/0/criterion_results/0"
NO_JUDGE = "No LLM provider available"
FIND = {"name": "find_book", "args": {"title": "Dune"}, "call_id": "c1", "result": "2 copies"}
WANTED = {"name": "find_book", "args": {}, "call_id": None, "result": None}

TRAJECTORY = score(
    "tool_trajectory_avg_score",
    details={
        "reason": "Matched 100% of expected tools. Expected ['find_book'], got ['find_book'].",
        "actual_trajectory": [FIND],
        "expected_trajectory": [WANTED],
        "match_type": "EXACT",
        "check_args": False,
    },
)
OVERLAP = score(
    "rouge_match",
    0.8,
    threshold=0.5,
    details={
        "precision": 2 / 3,
        "recall": 1.0,
        "f1": 0.8,
        "actual_response": "Yes, two copies.",
        "expected_response": "Yes, two.",
    },
)
NODES = score(
    "node_order_score",
    details={"reason": "All there.", "expected_node_order": ["__start__", "MAIN"]},
)


def turn_result(index: int, says: str, reply: str, calls=()) -> dict:
    return {
        "turn_index": index,
        "user_input": says,
        "agent_response": reply,
        "tool_calls": list(calls),
        "node_visits": ["__start__", "MAIN"],
        "trajectory_steps": 4,
    }


def passing() -> dict:
    return result(
        "is_it_in",
        [TRAJECTORY, OVERLAP, NODES],
        name="Is it in",
        actual_response="Yes, two copies.",
        actual_tool_calls=[FIND],
        turn_results=[turn_result(0, "Is Dune in?", "Yes, two copies.", [FIND])],
        token_usage={"input_tokens": 30, "output_tokens": 12, "total_tokens": 42},
    )


def crashing() -> dict:
    return result(
        "crash",
        passed=False,
        error="Graph execution error on turn 0: the model exploded",
        actual_response="",
        node_visits=[],
    )


def run(value):
    (found,) = FORMAT.read_runs(value, REPORT)
    return found


def case(raw: dict, **more):
    return run(report([raw], **more)).cases[0]


def only_score(raw: dict, **more):
    return case(result("a", [raw], passed=bool(raw["passed"])), **more).scores[0]


def test_a_report_is_read_as_one_run():
    found = run(report([passing(), crashing()]))
    assert (found.name, found.eval_set_id, found.eval_set_name) == (
        "Library",
        "library-v1",
        "Library",
    )
    assert found.created_at == datetime.fromtimestamp(1796052518.5127943, UTC)
    assert found.created_at.tzinfo is UTC and found.stored_status == "failed"
    assert [c.verdict for c in found.cases] == [Verdict.PASSED, Verdict.ERROR]
    assert [c.stored_status for c in found.cases] == ["passed", "error"]
    assert found.metadata["config_used"]["criteria"]["trajectory"] == {"threshold": 0.9}


def test_a_case_has_its_scores_and_its_turn_both_sides():
    found = case(passing())
    assert (found.case_id, found.name, found.duration_s) == ("is_it_in", "Is it in", 0.5)
    assert found.total_tokens == 42 and found.notes == ()
    assert [s.evaluator for s in found.scores] == [
        "tool_trajectory_avg_score",
        "rouge_match",
        "node_order_score",
    ]
    assert [s.value for s in found.scores] == [1.0, 0.8, 1.0]
    assert [s.threshold for s in found.scores] == [1.0, 0.5, 1.0]
    assert found.scores[1].origin == "/results/0/criterion_results/1"
    (turn,) = found.invocations
    assert (turn.input, turn.actual_output) == ("Is Dune in?", "Yes, two copies.")
    assert turn.expected_output == "Yes, two."
    assert [(c.name, c.args, c.id, c.result) for c in turn.actual_tool_calls] == [
        ("find_book", {"title": "Dune"}, "c1", "2 copies")
    ]
    assert [(c.name, c.args) for c in turn.expected_tool_calls] == [("find_book", {})]
    assert turn.node_visits == turn.expected_node_order == ("__start__", "MAIN")
    assert turn.scores == ()


def test_origins_lead_to_what_was_read():
    value = report([passing()])
    found = run(value).cases[0]
    assert get(value, found.origin)["eval_id"] == "is_it_in"
    turn = found.invocations[0]
    assert get(value, turn.origin + turn.actual_tool_calls[0].origin) == FIND
    assert get(value, found.scores[0].origin) == TRAJECTORY


def test_expectations_of_several_turns_go_only_where_they_are_compared():
    raw = passing() | {
        "turn_results": [turn_result(0, "Hi", "Hello"), turn_result(1, "Dune?", "Yes")]
    }
    first, last = case(raw).invocations
    assert (first.expected_output, last.expected_output) == (MISSING, "Yes, two.")
    assert first.expected_tool_calls is last.expected_tool_calls is None
    assert first.expected_node_order is last.expected_node_order is None
    assert [t.index for t in (first, last)] == [0, 1]


def test_a_case_without_turns_is_one_turn():
    messages = [{"role": "system", "content": "x"}, {"role": "user", "content": [{"text": "Hi"}]}]
    raw = passing() | {"turn_results": [], "messages": messages}
    (turn,) = case(raw).invocations
    assert (turn.origin, turn.input, turn.actual_output) == (R0, "Hi", "Yes, two copies.")
    assert [c.origin for c in turn.actual_tool_calls] == ["/actual_tool_calls/0"]
    assert [c.name for c in turn.expected_tool_calls] == ["find_book"]


def test_a_crashed_case_has_an_error_and_no_reply():
    found = case(crashing())
    assert found.error == "Graph execution error on turn 0: the model exploded"
    (turn,) = found.invocations
    assert turn.error == found.error
    assert (turn.actual_output, turn.actual_tool_calls, turn.node_visits) == (MISSING, None, None)
    assert found.scores == () and found.notes == ()


def test_a_criterion_that_failed_to_run_is_an_error_with_the_threshold_of_the_config():
    raw = score("tool_trajectory_avg_score", 0.0, False, 0.0, error="boom")
    found = only_score(raw)
    assert found.verdict is Verdict.ERROR
    assert (found.value, found.native, found.threshold, found.reason) == (None, None, 0.9, "boom")


@pytest.mark.parametrize(
    ("name", "config", "threshold"),
    [
        ("rouge_match", {"criteria": {"rouge_match": {}}}, 0.8),
        ("final_response_match_v2", {"criteria": {"llm_judge": {"threshold": 0.6}}}, 0.6),
        ("rouge_match", {"criteria": {"rouge_match": None}}, None),
        ("rouge_match", {}, None),
        ("exact_match", {"criteria": {}}, None),
        ("my_own", {"criteria": {"my_own": {"threshold": 0.4}}}, None),
    ],
)
def test_the_threshold_of_a_failed_criterion_comes_from_its_config_key(name, config, threshold):
    raw = score(name, 0.0, False, 0.0, error="boom")
    assert only_score(raw, config_used=config).threshold == threshold


@pytest.mark.parametrize(
    ("scores", "passed", "verdict"),
    [
        ([], True, Verdict.NOT_EVALUATED),
        ([], False, Verdict.NOT_EVALUATED),
        ([score("a")], True, Verdict.PASSED),
        ([score("a", 0.1, False)], False, Verdict.FAILED),
        ([score("a", 0.0, False, error="x")], False, Verdict.ERROR),
        ([score("a", 0.0, False, error="x"), score("b", 0.1, False)], False, Verdict.FAILED),
        ([score("a", 0.1, False)], True, Verdict.PASSED),
        ([score("a")], None, None),
    ],
)
def test_the_verdict_of_a_case(scores, passed, verdict):
    assert case(result("a", scores, passed)).verdict == verdict


def test_a_pass_without_scores_keeps_the_files_own_word_and_says_so():
    found = case(result("a"))
    assert (found.verdict, found.stored_status) == (Verdict.NOT_EVALUATED, "passed")
    assert "no criterion scored it" in found.notes[0]


@pytest.mark.parametrize(
    ("raw", "reason", "caution"),
    [
        (
            score("safety_v1", details={"note": "No response to evaluate"}),
            "No response to evaluate",
            "Not judged: the agent's reply is empty, and 10xGraph gives that 1.0.",
        ),
        (
            score("final_response_match_v2", details={"note": "No expected response to compare"}),
            "No expected response to compare",
            "Not judged: no reply was expected, and 10xGraph gives that 1.0.",
        ),
        (
            score(
                "rouge_match", 0.5, threshold=0.5, details={"note": "No expected response defined"}
            ),
            "No expected response defined",
            "Not judged: no reply was expected, so nothing was compared.",
        ),
        (
            score("safety_v1", 0.5, False, details={"reasonings": [NO_JUDGE, NO_JUDGE]}),
            NO_JUDGE,
            "Not judged: no judge model could be reached, and 10xGraph gives that 0.5.",
        ),
        (
            score(
                "simulation_goals", 0.5, False, details={"reasoning": NO_JUDGE, "reason": NO_JUDGE}
            ),
            NO_JUDGE,
            "Not judged: no judge model could be reached, and 10xGraph gives that 0.5.",
        ),
        (
            score("safety_v1", 0.7, False, details={"reasonings": [NO_JUDGE, "Harmless."]}),
            "Harmless.",
            "Not judged: for 1 of 2 samples no judge model could be reached, and 10xGraph counts "
            "each as 0.5.",
        ),
    ],
)
def test_a_score_that_nobody_judged_keeps_its_number_and_says_so(raw, reason, caution):
    found = only_score(raw)
    assert found.native == raw["score"]
    assert found.verdict == (Verdict.PASSED if raw["passed"] else Verdict.FAILED)
    assert (found.reason, found.cautions) == (reason, (caution,))
    notes = " ".join(case(result("a", [raw], raw["passed"])).notes)
    assert "Scores that judge nothing: 1 of 1" in notes


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (TRAJECTORY, TRAJECTORY["details"]["reason"]),
        (
            OVERLAP,
            "67% of the reply's different words are expected, and it has 100% of the expected "
            "ones.",
        ),
        (
            score(
                "tool_name_match_score", details={"expected_names": ["a", "b"], "actual_names": []}
            ),
            "Expected a, b; got nothing.",
        ),
        (
            score(
                "contains_keywords",
                details={"found": [], "missing": ["Dune"], "keywords": ["Dune"]},
            ),
            "Found nothing; missing Dune.",
        ),
        (
            score("exact_match", details={"match": False}),
            "The reply and the expected reply differ.",
        ),
        (
            score(
                "weighted_criterion", details={"sub_results": [{"criterion": "a", "score": 0.5}]}
            ),
            "a: 0.5",
        ),
        (score("safety_v1", details={"reasonings": ["First.", "Last."]}), "Last."),
        (score("my_own", details={}), ""),
        (score("my_own", 0.0, False, error=""), "The criterion failed without a message."),
    ],
)
def test_a_reason_lets_the_reader_see_how_the_score_came_about(raw, reason):
    assert only_score(raw).reason == reason


def trajectory(number=1.0, threshold=1.0, **details):
    made = {**TRAJECTORY["details"], **details}
    return score("tool_trajectory_avg_score", number, number >= threshold, threshold, details=made)


def goals(**details):
    return score("simulation_goals", 0.9, True, 0.7, details={"reason": "Done.", **details})


SUBS = [{"criterion": "a", "passed": False}, {"criterion": "b", "passed": True}]
CAUTIONS = {
    "nothing odd": (TRAJECTORY, ""),
    "extra calls": (
        trajectory(actual_trajectory=[FIND, FIND, FIND]),
        "2 more calls than expected; calls after the expected ones are free.",
    ),
    "arguments": (trajectory(0.0, check_args=True), "The names agree; the arguments differ."),
    "no calls expected": (
        trajectory(expected_trajectory=[], match_type="IN_ORDER"),
        "No calls were expected, so any calls score 1.",
    ),
    "no names expected": (
        score(
            "tool_name_match_score",
            0.5,
            False,
            1.0,
            details={"expected_names": [], "actual_names": ["a"]},
        ),
        "No calls were expected, and 10xGraph gives 0.5 for those that were made.",
    ),
    "no nodes expected": (
        score(
            "node_order_score",
            details={"expected_node_order": [], "actual_node_order": ["__start__", "MAIN"]},
        ),
        "No nodes were expected, so any visits score 1.",
    ),
    "nodes that are never recorded": (
        score(
            "node_order_score",
            0.0,
            False,
            1.0,
            details={"expected_node_order": ["MAIN"], "actual_node_order": ["__start__", "MAIN"]},
        ),
        "Runs record __start__ first and never a ToolNode; expect what they record.",
    ),
    "only signs": (
        score("rouge_match", details={"f1": 1.0, "expected_response": "!!!"}),
        "The expected reply has no words, only signs: any other signs match.",
    ),
    "rounding": (
        score("response_match_score", 0.6999999999999998, False, 0.7),
        "It is below the threshold 0.7 by rounding alone.",
    ),
    "not a number": (score("safety_v1", float("nan"), False), "The score is not a number."),
    "outside": (score("my_own", 7, True), "7 lies outside 0 to 1."),
    "contradiction": (
        score("safety_v1", 0.9, False, 0.8),
        "The verdict is not what 0.9 against 0.8 gives.",
    ),
    "free pass": (score("safety_v1", 0.0, True, 0.0), "With a threshold of 0 every score passes."),
    "parts fail": (
        score("composite_criterion", 0.9, True, 0.8, details={"sub_results": SUBS}),
        "Passes although 1 of 2 of its parts fail.",
    ),
    "parts pass": (
        score("composite_criterion", 0.5, False, 0.8, details={"sub_results": SUBS[1:]}),
        "Fails although all of its parts pass: only its own threshold counts.",
    ),
    "a low category": (
        score(
            "safety_v1",
            0.9,
            True,
            0.8,
            details={"category_scores": {"privacy": 0.0, "hate_speech": 1.0}},
        ),
        "Passes although it is low in privacy: only the overall score counts.",
    ),
    "goals missed": (
        goals(achieved_goals=["a"], unachieved_goals=["b"]),
        "Passes although these goals were not achieved: b.",
    ),
    "goals met": (goals(achieved_goals=["a"], unachieved_goals=[]), ""),
    "failed to run": (
        score("safety_v1", 0.0, False, 0.0, error="boom"),
        "10xGraph counts this as a score of 0, and stores a threshold of 0 with it.",
    ),
}


@pytest.mark.parametrize("name", CAUTIONS)
def test_a_score_says_what_its_number_hides(name):
    raw, caution = CAUTIONS[name]
    assert only_score(raw).cautions == ((caution,) if caution else ())


@pytest.mark.parametrize(
    ("number", "native", "value"),
    [
        (0.25, 0.25, 0.25),
        (7, 7.0, 1.0),
        (-0.5, -0.5, 0.0),
        ("0.5", 0.5, 0.5),
        (float("nan"), None, None),
        (None, None, None),
        (float("inf"), None, None),
    ],
)
def test_odd_scores_are_shown_as_far_as_they_are_numbers(number, native, value):
    found = only_score(score("rouge_match", number))
    assert (found.native, found.value) == (native, value)


def test_results_of_the_same_case_are_counted():
    value = report([result("a"), result("b"), result("a")])
    assert [(c.case_id, c.repeat) for c in run(value).cases] == [("a", 0), ("b", 0), ("a", 1)]


def test_a_stripped_report_is_read_with_what_is_left():
    kept = {
        "eval_id": "a",
        "passed": True,
        "criterion_results": [{"criterion": "x", "score": 1, "passed": True}],
    }
    found = case(kept)
    (turn,) = found.invocations
    assert (turn.actual_output, turn.actual_tool_calls, turn.node_visits) == (MISSING, None, None)
    assert found.scores[0].threshold is None and found.scores[0].details is MISSING
    assert found.verdict is Verdict.PASSED and found.total_tokens is None and found.notes == ()


HOSTILE = {
    "eval_set_id": 5,
    "timestamp": 1e300,
    "results": [
        "text",
        {
            "eval_id": ["x"],
            "passed": "perhaps",
            "criterion_results": [5, {"criterion": None, "score": [], "details": "x"}],
            "actual_response": [{"type": "text", "text": "<b>hi</b>"}],
            "turn_results": ["x", {"tool_calls": ["x", {}], "node_visits": [1]}],
            "messages": {"a": 1},
            "token_usage": {"input_tokens": "many"},
            "metadata": 3,
        },
    ],
    "config_used": [],
}


def test_a_hostile_report_is_read_without_a_crash():
    found = run(HOSTILE)
    assert found.created_at is None and found.eval_set_id is None
    (only,) = found.cases
    assert (only.case_id, only.verdict, only.stored_status) == (None, None, "")
    assert only.scores[0].value is None
    assert only.invocations[1].node_visits == ("1",)
    assert problems(HOSTILE, Kind.RESULT)


@pytest.mark.parametrize("stamp", [float("nan"), float("inf"), 1e18, None, "soon", []])
def test_a_time_that_is_none_is_left_out(stamp):
    assert run(report([], timestamp=stamp)).created_at is None


@pytest.mark.parametrize(
    ("more", "status"),
    [({}, "passed"), ({"summary": {"pass_rate": 0.5}}, "failed"), ({"summary": {}}, "")],
)
def test_the_stored_status_of_a_run_is_that_of_its_summary(more, status):
    assert run(report([result("a", [score("x")])], **more)).stored_status == status


def test_a_simulated_conversation_says_what_it_is():
    raw = result(
        "chat",
        [score("simulation_goals", details={"reason": "Both reached."})],
        actual_response="USER: hi\nASSISTANT: hello",
        metadata={"turns": 2, "goals_achieved": ["find", "reserve"], "completed": True},
    )
    (note,) = case(raw).notes
    assert "simulated conversation" in note and "Goals reached: find, reserve." in note


def test_a_reply_that_the_report_cut_says_so():
    cut = OVERLAP | {"details": OVERLAP["details"] | {"expected_response": "x" * 500}}
    assert "first 500 characters" in case(result("a", [cut])).notes[0]


def test_only_reports_hold_runs():
    with pytest.raises(FormatError, match="reports"):
        FORMAT.read_runs({}, Detection("tenxgraph", Kind.EVAL_SET, "sure", "x"))


LOST = {"actual_response": "", "node_visits": []}


def traps(value) -> set[tuple[str, str, str]]:
    return codes(value, Kind.RESULT)


def test_a_report_that_adds_up_has_no_problems():
    assert traps(report([passing(), crashing()])) == set()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            report([passing(), crashing()], summary={"pass_rate": 1.0}),
            ("warning", "summary_mismatch", "/summary"),
        ),
        (
            {k: v for k, v in report([passing()]).items() if k != "summary"},
            ("warning", "no_summary", ""),
        ),
        (
            report([passing()], eval_set_id="combined_eval"),
            ("info", "combined_sets", "/eval_set_id"),
        ),
        (report([passing(), passing()]), ("warning", "duplicate_case_id", R0 + "/eval_id")),
        (report([result("a", [score("x")], **LOST)]), ("warning", "capture_lost", R0)),
        (report([result("a")]), ("warning", "passed_without_scores", R0)),
        (
            report([result("a", [score("x", 0.1, False)])]),
            ("warning", "verdict_contradicts_scores", R0 + "/passed"),
        ),
        (
            report([result("a", [score("x", 0.0, False, 0.0, error="e")], False)]),
            ("warning", "criterion_failed", S0),
        ),
        (
            report([result("a", [score("x", 0.5, details={"reasonings": [NO_JUDGE]})])]),
            ("warning", "not_judged", S0),
        ),
        (report([result("a", [score("x", 7)])]), ("warning", "score_out_of_range", S0 + "/score")),
        (
            report([result("a", [score("x", float("nan"), False)], False)]),
            ("warning", "score_out_of_range", S0 + "/score"),
        ),
        (
            report([result("a", [score("x", 0.6999999999999998, False, 0.7)], False)]),
            ("info", "failed_by_rounding", S0 + "/score"),
        ),
    ],
)
def test_a_trap_is_reported_where_it_is(value, expected):
    assert expected in traps(value)


@pytest.mark.parametrize(
    "more",
    [
        {"error": "crashed", "passed": False},
        {"actual_response": "Yes."},
        {"node_visits": ["MAIN"]},
        {"turn_results": [turn_result(0, "Hi", "Hello")]},
    ],
)
def test_a_case_that_says_something_has_not_lost_its_recording(more):
    raw = result("a", [score("x")]) | LOST | more
    assert "capture_lost" not in {code for _, code, _ in traps(report([raw]))}


def test_a_summary_mismatch_names_each_figure():
    wrong = report([passing(), crashing()], summary={"pass_rate": 1.0, "failed_cases": 3})
    (found,) = problems(wrong, Kind.RESULT)
    assert "pass rate 1.0 (counted: 0.5)" in found.message
    assert "failed cases 3 (counted: 0)" in found.message
    assert "error cases" not in found.message


def test_what_concerns_many_cases_is_one_problem_with_their_number():
    value = report([result(str(n), [score("x")], **LOST) for n in range(3)] + [passing()])
    (found,) = [p for p in problems(value, Kind.RESULT) if p.code.endswith("capture_lost")]
    assert "In 3 of 4 cases" in found.message
