"""The Results page, run without a browser, on a 10xGraph report whose set lies beside it."""

import json

import pytest

from evalcore.views.run_files import open_run_file
from evalcore.workspace import Workspace
from tests.pages.conftest import words


def check(name, score, threshold=0.8, **more):
    passed = score >= threshold
    made = {"criterion": name, "score": score, "passed": passed, "threshold": threshold}
    return {**made, "details": {"reason": f"{name} scored {score}"}, "error": None, **more}


def result(eval_id, reply, *checks, said="Refund A-17", error=None, calls=()):
    return {
        "eval_id": eval_id,
        "name": "",
        "passed": not error and all(c["passed"] for c in checks),
        "criterion_results": list(checks),
        "actual_tool_calls": list(calls),
        "actual_response": reply,
        "messages": [{"role": "user", "content": said}],
        "node_visits": [],
        "error": error,
        "turn_results": [
            {
                "turn_index": 0,
                "user_input": said,
                "agent_response": reply,
                "tool_calls": list(calls),
                "node_visits": [],
            }
        ],
    }


def call(name, **args):
    return {"name": name, "args": args, "call_id": None, "result": None}


def report(*results, set_id="refunds", **more):
    passed = sum(r["passed"] for r in results)
    return {
        "eval_set_id": set_id,
        "eval_set_name": "Refunds",
        "results": list(results),
        "summary": {"total_cases": len(results), "pass_rate": passed / max(1, len(results))},
        "config_used": {"criteria": {}},
        "timestamp": 1796033700.5,
        "metadata": {},
        **more,
    }


def eval_set():
    turn = {
        "user_content": {"role": "user", "content": "Refund A-17"},
        "expected_final_response": {"role": "assistant", "content": "I refunded 24 EUR."},
        "expected_tool_trajectory": [{"name": "refund", "args": {"order": "A-17"}}],
    }
    cases = [{"eval_id": name, "conversation": [turn]} for name in ("bad", "good", "crash")]
    return {"eval_set_id": "refunds", "name": "Refunds", "eval_cases": cases}


RESULTS = (
    result("good", "I refunded 24 EUR.", check("rouge_match", 0.95)),
    result(
        "bad",
        "I refunded 42 EUR.",
        check("rouge_match", 0.799),
        calls=[call("refund", order="B-90")],
    ),
    result("crash", "", error="the model did not answer"),
    result("idle", "Nobody judged this."),
)


@pytest.fixture
def reports(folder):
    (folder / "eval_reports").mkdir()
    (folder / "refunds.evalset.json").write_text(json.dumps(eval_set()))

    def write(value, name="refunds_20261129_101500.json"):
        path = folder / "eval_reports" / name
        path.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))
        return f"eval_reports/{name}"

    return write


@pytest.fixture
def open_run(open_page, folder):
    """Open the one run of the folder, by the link of its file."""

    def opened(**query):
        files = [*folder.glob("eval_reports/*.json"), *folder.glob("output.json")]
        return open_page("results", file=files[0].relative_to(folder).as_posix(), **query)

    return opened


def listed(at):
    (found,) = [e for e in at.get("bidi_component") if "Case results" in e.proto.json]
    return [row["id"] for row in json.loads(found.proto.json)["rows"]]


def addressed(at, name):
    """What the URL says, which AppTest gives as a list if the test itself wrote it."""
    value = at.query_params[name]
    return value[0] if isinstance(value, list) else value


def test_the_card_says_what_the_file_holds(open_run, reports):
    reports(report(*RESULTS))
    told = words(open_run())
    assert "50.0 %" in told
    assert "1 of 2" in told
    assert "95 % interval 9.5–90.5 % (Wilson)" in told
    assert "not in the rate: 1 error, 1 not evaluated" in told


def test_a_failing_turn_shows_expected_beside_actual(open_run, reports):
    reports(report(*RESULTS))
    told = words(open_run(case="bad"))
    assert "I refunded <del>24</del> EUR." in told
    assert "I refunded <ins>42</ins> EUR." in told
    assert "from refunds.evalset.json, as it is today" in told
    assert "order: expected &quot;A-17&quot;, got &quot;B-90&quot;" in told


def test_failures_come_first_and_the_first_is_open(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    assert listed(at) == ["crash", "bad", "idle", "good"]
    assert "the model did not answer" in words(at)


def test_next_walks_through_the_list(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    at.button(key="results.next").click().run()
    assert addressed(at, "case") == "bad"
    at.button(key="results.previous").click().run()
    assert addressed(at, "case") == "crash"
    assert at.button(key="results.previous").disabled


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"verdict": "failed"}, ["bad"]),
        ({"verdict": "passed"}, ["good"]),
        ({"find": "b-90 nobody"}, None),
        ({"find": "nobody judged"}, ["idle"]),
        ({"check": "rouge_match"}, ["bad", "good"]),
        ({"verdict": "nonsense"}, ["crash", "bad", "idle", "good"]),
    ],
)
def test_filters_come_from_the_address(open_run, reports, query, found):
    reports(report(*RESULTS))
    at = open_run(**query)
    if found is None:
        assert "0 of 4 case results match" in words(at)
    else:
        assert listed(at) == found


def test_a_filter_that_finds_nothing_can_be_cleared(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(find="nowhere")
    at.button(key="results.clear").click().run()
    assert len(listed(at)) == 4
    assert "find" not in at.query_params


def test_typing_in_the_search_narrows_the_list(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    at.text_input(key="results.find").input("bad").run()
    assert listed(at) == ["bad"]
    assert addressed(at, "find") == "bad"


def test_the_verdict_filter_counts_what_the_search_leaves(open_run, reports):
    reports(report(*RESULTS))
    options = open_run(find="refunded").get("button_group")[0].options
    assert options[0].replace("\\", "") == "All 2"


def test_a_case_that_the_filter_leaves_out_stays_open_and_says_so(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(case="good", verdict="failed")
    assert "the filter leaves it out" in words(at)
    at.button(key="results.next").click().run()
    assert addressed(at, "case") == "bad"


def test_scores_and_thresholds_never_look_equal(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(case="bad")
    at.session_state["results.tabs"] = "Scores"
    at.run()
    assert "0.799 of at least 0.80" in words(at)
    assert "rouge_match scored 0.799" in words(at)


def test_raw_shows_the_result_with_its_file_and_line(open_run, reports):
    path = reports(report(*RESULTS))
    at = open_run(case="good")
    at.session_state["results.tabs"] = "Raw"
    at.run()
    assert path in words(at)
    assert ", line 5" in words(at)
    assert '"eval_id": "good"' in at.code[0].value


def test_checks_and_every_turn_are_drawn(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    at.session_state["results.shown"] = "Checks"
    at.run()
    assert not at.exception
    assert at.dataframe[0].value["passed"].tolist() == ["50.0 % (1 of 2)"]
    assert len(at.get("plotly_chart")) == 1
    at.session_state["results.shown"] = "Every turn"
    at.run()
    assert at.dataframe[0].value["case"].tolist() == ["crash", "bad", "idle", "good"]


def test_a_run_without_cases_is_no_pass(open_run, reports):
    reports(report())
    told = words(open_run())
    assert "holds no case results" in told
    assert "none judged" in told


def test_a_summary_that_contradicts_the_cases_is_said(open_run, reports):
    reports(report(*RESULTS, summary={"total_cases": 4, "pass_rate": 1.0}))
    assert "The file says passed; counting its cases gives error." in words(open_run())


def test_a_case_opens_in_author_where_its_set_is_here(open_run, reports):
    reports(report(*RESULTS))
    assert open_run(case="bad").button(key="results.author").label == "Open case"
    keys = [b.key for b in open_run(case="idle").button]
    assert "results.author" not in keys


@pytest.mark.parametrize(
    "text",
    [
        "![x](https://evil.example/leak)",
        "<img src=https://evil.example/x><script>alert(1)</script>",
        "\ud800 \x00 \x1b[31m \u202e",
        "#2",
        "",
        "x" * 5000,
    ],
)
def test_hostile_text_stays_text(open_run, reports, text):
    hostile = result(text, text, check(text or "c", 0.1), said=text, calls=[call(text, k=text)])
    reports(report(hostile, RESULTS[0], eval_set_name=text))
    at = open_run()
    told = words(at)
    assert "<script>" not in told
    assert "<img" not in told
    for name in ("Scores", "Raw"):
        at.session_state["results.tabs"] = name
        at.run()
        assert not at.exception
    assert "Something went wrong" not in words(at)


@pytest.mark.parametrize("case", ["bad", "without expectation"])
def test_a_long_reply_is_cut_and_can_be_shown_in_full(open_run, reports, case):
    long = "word " * 10_000 + "the end"
    reports(report(result(case, long, check("rouge_match", 0.1))))
    at = open_run()
    assert "the end" not in words(at)
    assert "50\\.0 k characters" in words(at)
    at.toggle[0].set_value(True).run()
    assert "the end" in words(at)


def test_repeated_ids_each_have_their_own_address(open_run, reports):
    again = result("good", "Another try.", check("rouge_match", 0.1))
    reports(report(RESULTS[0], again))
    at = open_run()
    assert listed(at) == ["#2", "#1"]
    assert "Another" in words(open_run(case="#2"))
    assert "Another" not in words(open_run(case="good"))


def test_a_system_without_a_pass_rule_is_judged_by_a_mark_that_is_called_ones_own(open_run, folder):
    row = {"evaluatorName": "Exact", "evaluatorId": "Exact", "isLineResult": False}
    rows = [
        {**row, "result": {"score": score, "evaluationTime": 0.1, "details": {"why": "x"}}}
        for score in (0.9, 0.2)
    ]
    output = {
        "evaluationSetName": "Claims",
        "evaluationSetResults": [
            {"evaluationName": name, "evaluationRunResults": [given]}
            for name, given in zip(("near miss", "miss"), rows, strict=True)
        ],
    }
    (folder / "output.json").write_text(json.dumps(output))
    at = open_run()
    assert "1 of 2" in words(at)
    assert "a mark you set here" in words(at)
    at.number_input(key="results.mark").set_value(0.95).run()
    assert "0 of 2" in words(at)
    assert "at least 0.95 of 1" in words(at)


def test_a_file_of_json_within_json_is_unfolded_for_the_raw_view(folder):
    history = folder / "app" / ".adk" / "eval_history"
    history.mkdir(parents=True)
    inner = {
        "eval_set_result_id": "r",
        "eval_set_id": "refunds",
        "eval_case_results": [
            {
                "eval_set_id": "refunds",
                "eval_id": "simple",
                "final_eval_status": 1,
                "overall_eval_metric_results": [],
                "eval_metric_result_per_invocation": [],
                "session_id": "s",
            }
        ],
        "creation_timestamp": 1796033700.5,
    }
    path = "app/.adk/eval_history/r.evalset_result.json"
    (folder / path).write_text(json.dumps(json.dumps(inner)))
    file = open_run_file(Workspace(folder), path)
    origin = file.runs[0].cases[0].origin
    assert file.raw(origin)["eval_id"] == "simple"
    assert file.line(origin) is None
