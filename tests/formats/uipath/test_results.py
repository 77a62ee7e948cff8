"""Reading what ``uipath eval --output-file`` writes."""

import json

import pytest

from evalcore import formats
from evalcore.formats._uipath.evaluators import read_evaluators
from evalcore.jsontree import MISSING
from evalcore.results import PERCENT, UNIT, Verdict
from tests.formats.uipath.data import RESULT_PATH, check, codes, detect, evaluator, legacy

THROWN = "Exception thrown by evaluator: Error: 'total'\n\nTraceback (most recent call last):\n  x"


def row(score, evaluator_id="e", details=MISSING, time=0.001, **more):
    result = {"score": score, "evaluationTime": time}
    if details is not MISSING:
        result["details"] = details
    name = evaluator_id.title()
    row_ = {"evaluatorName": name, "evaluatorId": evaluator_id, "result": result}
    return {**row_, "isLineResult": False, **more}


def crash(evaluator_id="e"):
    return row(0.0, evaluator_id, time=None)


def line(number, score, evaluator_id="e", details=MISSING):
    made = row(score, f"{evaluator_id}_line_{number}", details, isLineResult=True)
    return {**made, "evaluatorName": f"{evaluator_id.title()} (Line {number})"}


def item(*rows, name="late refund", execution=None):
    return {
        "evaluationName": name,
        "evaluationRunResults": list(rows),
        "agentExecutionOutput": execution,
    }


def span(name, parent=None, **attributes):
    return {
        "name": name,
        "status": "ok",
        "attributes": {key.replace("__", "."): v for key, v in attributes.items()},
        "parent_name": parent,
        "events": [],
    }


def execution(output=None, status="successful", error=None, spans=()):
    result = {"output": output, "status": status, "error": error}
    return {"execution_time": 1.5, "trace": {"spans": list(spans)}, "result": result}


def output_file(*items, **more):
    return {"evaluationSetName": "Refunds", "evaluationSetResults": list(items), **more}


def read(*items, **more):
    value = output_file(*items, **more)
    detection = detect(value, RESULT_PATH)
    (run,) = formats.by_id("uipath_coded").read_runs(value, detection)
    return run


def scores(*rows, **more):
    """Return the scores of a file with one case."""
    return read(item(*rows), **more).cases[0].invocations[0].scores


def test_a_run_has_the_name_of_its_set_and_no_pass_rule():
    run = read(item(row(0.5)), item(row(1), name="early refund"))
    assert (run.name, run.eval_set_name, run.eval_set_id) == ("Refunds", "Refunds", None)
    assert not run.has_pass_rule
    assert [c.name for c in run.cases] == ["late refund", "early refund"]
    assert [c.origin for c in run.cases] == ["/evaluationSetResults/0", "/evaluationSetResults/1"]
    assert [c.verdict for c in run.cases] == [None, None]


def test_a_score_keeps_its_number_and_its_place():
    (score,) = scores(row(0.25, details={"expected": "1", "actual": "2", "justification": "Off."}))
    assert (score.evaluator, score.evaluator_name) == ("e", "E")
    assert (score.value, score.native, score.scale) == (0.25, 0.25, UNIT)
    assert score.reason == "Off."
    assert score.details["expected"] == "1"
    assert score.duration_s == 0.001
    assert score.verdict is None
    assert score.origin == "/evaluationSetResults/0/evaluationRunResults/0"


STATES = {
    "scored": (item(row(0.5)), None),
    "scored 0": (item(row(0.0)), None),
    "crashed": (item(crash("a"), crash("b")), Verdict.ERROR),
    "suspended": (item(execution=execution(status="suspended")), Verdict.NOT_EVALUATED),
    "not evaluated": (item(), Verdict.NOT_EVALUATED),
    "every evaluator failed": (item(row(0.0, details=THROWN)), Verdict.ERROR),
    "one evaluator failed": (item(row(0.0, "a", details=THROWN), row(1.0, "b")), None),
    "faulted without rows": (item(execution=execution(status="faulted")), Verdict.ERROR),
}


@pytest.mark.parametrize("name", STATES)
def test_a_case_is_in_one_of_five_states(name):
    value, verdict = STATES[name]
    case = read(value).cases[0]
    assert case.verdict == verdict
    assert bool(case.error) is (verdict is Verdict.ERROR)


def test_a_crash_is_an_error_and_never_a_zero():
    broke = {"code": "NO_ORDER", "title": "It broke", "detail": "No such order\n\nTraceback: x"}
    run = read(item(crash(), execution=execution(status="faulted", error=broke)))
    case = run.cases[0]
    (score,) = case.invocations[0].scores
    assert (score.verdict, score.value, score.native) == (Verdict.ERROR, None, 0.0)
    assert case.error == case.invocations[0].error == "It broke: No such order"
    assert case.stored_status == "faulted"


def test_a_crash_says_what_the_file_can_tell():
    shutdown = {"code": "RUNTIME_SHUTDOWN_ERROR", "title": "Shutdown", "detail": "Error: No order"}
    faulted = execution(status="faulted", error=shutdown)
    assert read(item(crash(), execution=faulted)).cases[0].error == "Error: No order"
    assert "--verbose" in read(item(crash())).cases[0].error
    assert "while it was scored" in read(item(crash(), execution=execution({}))).cases[0].error


def test_a_zero_whose_time_or_details_are_written_is_a_score():
    for written in (row(0.0), row(0.0, time=0.0), row(0.0, details={}, time=None)):
        (score,) = scores(written)
        assert (score.verdict, score.value) == (None, 0.0)


def test_a_file_that_writes_no_times_has_no_crashes():
    bare = {"evaluatorId": "e", "result": {"score": 0.0}}
    (score,) = scores(bare)
    assert (score.evaluator, score.verdict, score.value) == ("e", None, 0.0)


def test_an_evaluator_that_failed_says_what_it_said():
    failed, fine = scores(row(0.0, "a", details=THROWN), row(1.0, "b", details={"expected": "x"}))
    assert (failed.verdict, failed.value, failed.native) == (Verdict.ERROR, None, 0.0)
    assert failed.reason == "Error: 'total'"
    assert failed.details == THROWN
    assert fine.value == 1.0
    notes = read(item(row(0.0, "a", details=THROWN), row(1.0, "b"))).cases[0].notes
    assert len(notes) == 1 and notes[0].startswith("A ended in an error")


def test_an_evaluator_that_finished_before_the_crash_is_listed_once():
    case = read(item(row(0.5, "a"), crash("a"), crash("b"))).cases[0]
    a, b = case.invocations[0].scores
    assert (a.evaluator, a.value, a.verdict) == ("a", 0.5, None)
    assert (b.evaluator, b.value, b.verdict) == ("b", None, Verdict.ERROR)
    assert case.verdict is Verdict.ERROR
    assert case.notes[0].startswith("A had finished before the case failed")


def test_a_missing_number_is_an_error():
    for broken in (None, "1", True, float("nan")):
        (score,) = scores(row(broken))
        assert (score.verdict, score.value) == (Verdict.ERROR, None)


def test_lines_belong_to_their_evaluator():
    detail = {
        "line_by_line_results": [{"line_number": 1, "score": 1.0}, {"line_number": 2, "score": 0.0}]
    }
    first, second, whole = scores(
        line(1, 1.0, details={"expected": "a"}), line(2, 0.0), row(0.5, details=detail, time=None)
    )
    assert [s.evaluator for s in (first, second, whole)] == ["e", "e", "e"]
    assert {s.evaluator_name for s in (first, second, whole)} == {"E"}
    assert [s.line for s in (first, second, whole)] == [1, 2, None]
    assert [s.value for s in (first, second, whole)] == [1.0, 0.0, 0.5]


def test_an_ordinary_evaluator_may_be_called_like_a_line():
    (score,) = scores(row(0.5, "check_line_2"))
    assert (score.evaluator, score.line) == ("check_line_2", None)


def column(*numbers, details=MISSING):
    run = read(*(item(row(n, details=details), name=str(i)) for i, n in enumerate(numbers)))
    found = [case.invocations[0].scores[0] for case in run.cases]
    return found[0].scale, [score.value for score in found]


COLUMNS = {
    "above 1": ((100.0, 1.0, 0.0), MISSING, PERCENT, [1.0, 0.01, 0.0]),
    "fractions": ((0.5, 1.0), MISSING, UNIT, [0.5, 1.0]),
    "ones and zeros": ((1.0, 0.0), MISSING, None, [None, None]),
    "zeros": ((0.0, 0.0), MISSING, UNIT, [0.0, 0.0]),
    "coded details": ((1.0, 0.0), {"expected": "a", "actual": "a"}, UNIT, [1.0, 0.0]),
    "coded details as text": ((1.0,), '{"expected": "a", "actual": "a"}', UNIT, [1.0]),
    "old JSON similarity": ((1.0,), "Matched leaves: 1.0, Total leaves: 1.0", UNIT, [1.0]),
    "a judge's words": ((1.0,), "Fine.", None, [None]),
    "share of legacy lines": (
        (1.0,),
        {"line_by_line_results": [{"score": True}]},
        UNIT,
        [1.0],
    ),
    "legacy lines up to 100": (
        (1.0,),
        {"line_by_line_results": [{"score": 2.0}, {"score": 0.0}]},
        PERCENT,
        [0.01],
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_the_scale_is_what_the_column_shows(name):
    numbers, details, scale, values = COLUMNS[name]
    assert column(*numbers, details=details) == (scale, values)


def test_an_open_scale_shows_the_number_and_says_why():
    (score,) = scores(row(1.0, details="Fine."))
    assert (score.native, score.value, score.scale, score.verdict) == (1.0, None, None, None)
    assert score.reason == "Fine."
    assert [("1 of 100" in caution) for caution in score.cautions] == [True]


JUDGED = {"expected": "a", "actual": "b", "justification": "Bad."}
CAUTIONS = {
    "plain": (row(0.5, details=JUDGED), ""),
    "crash": (crash(), "UiPath counts as 0"),
    "failed": (row(0.0, details=THROWN), "UiPath counts as 0"),
    "above": (row(989898, details=JUDGED), "989898 lies outside 0 to 100"),
    "below": (row(-0.5, details=JUDGED), "-0.5 lies outside 0 to 1"),
    "judge on 0 to 1": (row(0.01, details=JUDGED), "1 of 100 is what a judge comes to"),
    "judge with a clear no": (row(0.0, details=JUDGED), ""),
    "nothing to compare": (
        row(1.0, details={"expected": {}, "matched_leaves": 0, "total_leaves": 0}),
        "holds no values",
    ),
    "something to compare": (row(1.0, details={"matched_leaves": 1, "total_leaves": 1}), ""),
}


@pytest.mark.parametrize("name", CAUTIONS)
def test_a_score_says_what_its_number_hides(name):
    raw, words = CAUTIONS[name]
    (score,) = scores(raw)
    assert words in " ".join(score.cautions) and len(score.cautions) == bool(words)


@pytest.mark.parametrize(
    ("number", "is_odd"), [(0.9, True), (1.0, True), (0.0, False), (90, False)]
)
def test_a_low_code_judge_on_0_to_1_is_named(number, is_odd):
    (score,) = rescaled(legacy(1, 5, prompt="p"), row(number, details="Poor."))
    assert bool(score.cautions) is is_odd


def test_crashes_do_not_decide_the_scale():
    run = read(item(crash(), name="a"), item(row(1.0), name="b"))
    assert run.cases[1].invocations[0].scores[0].scale is None


def rescaled(evaluator_, *rows):
    run = read(item(*rows))
    known = read_evaluators(evaluator_)
    run = formats.by_id("uipath_coded").with_evaluators(run, known)
    return run.cases[0].invocations[0].scores


def test_the_evaluators_own_file_settles_the_scale():
    (coded,) = rescaled(evaluator(), row(1.0))
    assert (coded.value, coded.scale, coded.reason) == (1.0, UNIT, "")
    (low,) = rescaled(legacy(1, 5, prompt="p"), row(1.0, details="Poor."))
    assert (low.value, low.scale, low.reason) == (0.01, PERCENT, "Poor.")
    (other,) = rescaled(evaluator(evaluator_id="x"), row(1.0))
    assert other.scale is None and coded.cautions == () != other.cautions


def test_totals_of_legacy_lines_are_shares_and_the_lines_are_not():
    rows = (line(1, 100.0), row(0.5, details={"line_by_line_results": []}, time=None))
    for equals in (legacy(0, 1), legacy(0, 10, targetSubOutputKey="a")):
        one, whole = rescaled({**equals, "lineByLineEvaluation": True}, *rows)
        assert (one.value, one.scale) == (1.0, PERCENT)
        assert (whole.value, whole.scale) == (0.5, UNIT)
        assert one.cautions == () and "share of lines" in whole.cautions[0]
    one, whole = rescaled({**legacy(0, 6), "lineByLineEvaluation": True}, *rows)
    assert (one.scale, whole.scale) == (PERCENT, PERCENT)


def test_an_error_stays_an_error_on_any_scale():
    (score,) = rescaled(evaluator(), crash())
    assert (score.verdict, score.value) == (Verdict.ERROR, None)


SPANS = (
    span("find", "main", tool__name="find", input__value="{'q': 'A-17', 'open': True}"),
    span(
        "book",
        "main",
        tool__name="book",
        tool__id=7,
        input__value='{"n": 1}',
        output__value='{"content": {"ok": true}}',
    ),
    span("ghost", "main", tool__name="ghost", tool__synthesized=True),
    span("odd", "main", tool__name="odd", input__value="no arguments", output__value="done"),
    span("main", "root", input__value='{"order": "A-17"}', execution__id="C1"),
    span("root", None, evalId="c1", execution__id="C1"),
)


def test_a_verbose_file_gives_the_case_its_inputs_output_and_tools():
    case = read(item(row(1.0), execution=execution({"decision": "refund"}, spans=SPANS))).cases[0]
    (turn,) = case.invocations
    assert case.case_id == "c1"
    assert case.duration_s == turn.duration_s == 1.5
    assert turn.input == {"order": "A-17"}
    assert turn.actual_output == {"decision": "refund"}
    find, book, odd = turn.actual_tool_calls
    assert (find.name, find.args, find.id) == ("find", {"q": "A-17", "open": True}, None)
    assert (book.args, book.id, book.result) == ({"n": 1}, "7", {"ok": True})
    assert (odd.name, odd.args, odd.result) == ("odd", {}, "done")
    assert find.origin == "/evaluationSetResults/0/agentExecutionOutput/trace/spans/0"


def test_a_plain_file_knows_neither_id_nor_output_nor_tools():
    case = read(item(row(1.0))).cases[0]
    (turn,) = case.invocations
    assert case.case_id is None
    assert (turn.input, turn.actual_output, turn.actual_tool_calls) == (MISSING, MISSING, None)


def test_an_agent_without_tools_called_none():
    spans = (span("main", None, evalId="c1"),)
    turn = read(item(execution=execution({}, spans=spans))).cases[0].invocations[0]
    assert turn.actual_tool_calls == ()


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("{'a': (1, 2), 'b': None}", {"a": [1, 2], "b": None}),
        ('{"a": true}', {"a": True}),
        ("[1, 2]", {}),
        ("__import__('os')", {}),
        ("{'a': " * 5000, {}),
        ({"a": 1}, {"a": 1}),
        (None, {}),
    ],
)
def test_arguments_are_read_and_never_run(text, args):
    spans = (span("f", None, tool__name="f", input__value=text),)
    turn = read(item(execution=execution(spans=spans))).cases[0].invocations[0]
    assert turn.actual_tool_calls[0].args == args


def test_scores_over_the_set_are_read_and_the_matrix_is_no_failure():
    run = read(
        item(row(1.0)),
        datasetEvaluatorResults={
            "Check::recall.macro": {
                "score": 0.75,
                "details": {"metric": "recall", "nTotal": 9, "nScored": 7, "nSkipped": 2},
            },
            "Check::confusion_matrix": {
                "score": 0.0,
                "details": {"metric": "confusion_matrix", "confusionMatrix": [[1]]},
            },
            "Other::precision": {"score": 0.0, "details": THROWN},
        },
    )
    recall, matrix, failed = run.dataset_scores
    assert (recall.evaluator, recall.value, recall.informational) == (
        "Check::recall.macro",
        0.75,
        False,
    )
    assert (matrix.value, matrix.informational, matrix.verdict) == (None, True, None)
    assert "Rows are the labels given" in matrix.cautions[0]
    assert recall.cautions == ("2 of 9 cases are left out: their labels are not known.",)
    assert (failed.value, failed.verdict) == (None, Verdict.ERROR)
    assert recall.origin == "/datasetEvaluatorResults/Check::recall.macro"


def test_the_old_form_is_read():
    old = {
        "evaluatorName": "Check",
        "evaluatorId": "Check",
        "result": {"score": 0.5, "details": '{"justification": "Half."}', "evaluationTime": 0.0},
    }
    (score,) = scores(old)
    assert (score.value, score.reason, score.line) == (0.5, "Half.", None)


@pytest.mark.parametrize(
    "value",
    [
        output_file(),
        output_file(None, "x", {}),
        output_file({"evaluationName": 3, "evaluationRunResults": None}),
        output_file({"evaluationRunResults": [None, {}, {"result": 3}]}),
        output_file(item(execution={"trace": 3, "result": []})),
        output_file(item(execution=execution(spans=[None, {}, {"attributes": 3}, {"name": "a"}]))),
        output_file(datasetEvaluatorResults=[1]),
        output_file(datasetEvaluatorResults={"a": None}),
        {"evaluationSetResults": []},
    ],
    ids=json.dumps,
)
def test_a_broken_file_is_read_as_far_as_it_goes(value):
    detection = detect(value, RESULT_PATH)
    (run,) = formats.by_id("uipath_coded").read_runs(value, detection)
    assert all(case.verdict is not Verdict.PASSED for case in run.cases)
    check(value, RESULT_PATH)


FINDINGS = {
    "no case": (output_file(), "empty_result"),
    "same name": (output_file(item(row(0.5)), item(row(0.5))), "duplicate_name"),
    "below 0": (output_file(item(row(-0.5))), "impossible_score"),
    "far above 100": (output_file(item(row(989898))), "impossible_score"),
    "no number": (output_file(item(row(None))), "impossible_score"),
    "crash": (output_file(item(crash())), "failure_counted_as_zero"),
    "failed evaluator": (output_file(item(row(0.0, details=THROWN))), "error_counted_as_zero"),
    "two scales": (output_file(item(row(0.5, "a"), row(80, "b"))), "mixed_scales"),
}


@pytest.mark.parametrize("name", FINDINGS)
def test_what_misleads_in_a_result_is_told(name):
    value, code = FINDINGS[name]
    problems = check(value, RESULT_PATH)
    assert code in codes(problems)
    assert not [p for p in problems if p.severity == "error"]


def test_a_plain_result_is_left_alone():
    assert check(output_file(item(row(0.5)), item(row(1.0), name="b")), RESULT_PATH) == []
