"""Placeholders are told apart as each system fills them in, and previews are the real question."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators.uipath.files import from_file
from evalcore.views.evaluators.prompts import (
    SIMULATOR,
    final_request,
    placeholders_for,
    prompt_view,
    with_placeholder,
)
from evalcore.views.evaluators.rail import rail
from evalcore.views.evaluators.runs import last_run, numbers, scores_of, shown_case
from evalcore.views.evaluators.trying import built
from tests.views.evaluators.conftest import ADK, CODED, LOWCODE, TENXGRAPH

OUTPUT = "uipath-llm-judge-output-semantic-similarity"
CLAIMS = f"{CODED}/eval-sets/claims.json"


def tones(text, kind):
    return {p.text: p.tone for p in prompt_view(text, placeholders_for(kind)).pieces}


@pytest.mark.parametrize(
    "kind, written, tone",
    [
        (OUTPUT, "{{ActualOutput}}", "known"),
        (OUTPUT, "{{ ActualOutput }}", "unknown"),
        (OUTPUT, "{{AgentRunHistory}}", "unknown"),
        ("uipath-llm-judge-trajectory-similarity", "{{SimulationInstructions}}", "known"),
        ("uipath.legacy_trajectory_judge", "{{UserOrSyntheticInput}}", "unknown"),
        ("uipath.legacy_trajectory_judge", "{{ExpectedAgentBehavior}}", "known"),
    ],
)
def test_a_placeholder_is_known_where_its_system_fills_it_in(kind, written, tone):
    assert tones(f"a {written} b", kind) == {"a ": "text", written: tone, " b": "text"}


def test_blanks_are_allowed_in_the_simulated_users_instructions():
    found = prompt_view("{{ stop_signal }} {{conversation_plan}}", SIMULATOR)
    assert found.missing == ("conversation_history",) and not found.unknown


def test_what_is_missing_is_required_or_appended():
    low_code = prompt_view("score it", placeholders_for("uipath.legacy_trajectory_judge"))
    assert low_code.missing == ("AgentRunHistory", "ExpectedAgentBehavior")
    coded = prompt_view("{{ActualOutput}}", placeholders_for(OUTPUT))
    assert coded.appended == ("ExpectedOutput",) and not coded.missing


def test_pieces_put_together_are_the_prompt():
    text = "{{a}}{{b}} {not} {{ActualOutput}}\n{{"
    assert "".join(p.text for p in prompt_view(text, placeholders_for(OUTPUT)).pieces) == text


def test_an_inserted_placeholder_is_found_again():
    text = with_placeholder("Compare.", "ActualOutput")
    assert prompt_view(text, placeholders_for(OUTPUT)).unused == ("ExpectedOutput",)


@pytest.mark.parametrize("kind", ["uipath-exact-match", "adk.hallucinations_v1", ""])
def test_a_check_without_a_prompt_in_its_file_has_no_placeholders(kind):
    assert placeholders_for(kind) is None


def eval_set_of(workspace, path):
    opened = workspace.open(path)
    return opened.format.lens_for(opened.detection).read(opened.document.value)


def test_the_preview_is_what_the_judge_is_asked_about_the_run(open_bench, workspace):
    bench = open_bench(f"{CODED}/evaluators/judge-trajectory.json")
    eval_set = eval_set_of(workspace, CLAIMS)
    ran = last_run(workspace, CLAIMS, eval_set)
    case = next(c for c in eval_set.cases if c.id == "test-4-too-expensive")
    shown = shown_case(case, eval_set, bench.checks[0], ran)
    assert "claims-output.json" in shown.source
    request = final_request(built(bench, bench.checks[0]), shown.sample)
    asked = request.messages[-1].content
    assert asked.startswith("You grade an insurance claims agent")
    assert "{{" not in asked and "lookup_policy" in asked
    assert request.model == "gpt-4.1-mini-2025-04-14"


def test_without_a_run_what_is_expected_stands_in(open_bench, workspace):
    bench = open_bench(ADK)
    eval_set = eval_set_of(workspace, "adk/refund_desk/escalations.evalset.json")
    check = bench.check("final_response_match_v2")
    case = next(c for c in eval_set.cases if c.scenario is None)
    shown = shown_case(case, eval_set, check, None)
    assert "stands in" in shown.source
    asked = final_request(built(bench, check), shown.sample).messages[-1].content
    assert str(case.invocations[0].expected_output) in asked


def test_a_case_without_criteria_is_not_asked_about(open_bench, workspace):
    bench = open_bench(f"{CODED}/evaluators/judge-trajectory.json")
    eval_set = eval_set_of(workspace, CLAIMS)
    assert shown_case(eval_set.cases[0], eval_set, bench.checks[0], None) is None


def test_a_preview_of_what_computes_asks_nothing(open_bench, workspace):
    bench = open_bench(f"{CODED}/evaluators/decision.json")
    eval_set = eval_set_of(workspace, CLAIMS)
    shown = shown_case(eval_set.cases[0], eval_set, bench.checks[0], None)
    assert final_request(built(bench, bench.checks[0]), shown.sample) is None


def test_a_preview_says_why_a_case_cannot_be_judged(open_bench, workspace):
    bench = open_bench(f"{LOWCODE}/evaluator-behavior.json")
    path = "uipath_lowcode/SupportTriage/evals/eval-sets/evaluation-set-default.json"
    eval_set = eval_set_of(workspace, path)
    blank = eval_set.cases[0].invocations[0].model_copy(update={"expected_behavior": ""})
    case = eval_set.cases[0].model_copy(update={"invocations": (blank,)})
    shown = shown_case(case, eval_set, bench.checks[0], None)
    evaluator = from_file(bench.tree, agent_model="the agent's")
    with pytest.raises(EvaldeskError, match="no expected behaviour"):
        final_request(evaluator, shown.sample)


def test_scores_of_the_last_run_are_found_by_the_names_that_results_use(open_bench, workspace):
    path = "tenxgraph/trip_planner/evals/trip_planner.evalset.json"
    ran = last_run(workspace, path, eval_set_of(workspace, path))
    bench = open_bench(TENXGRAPH)
    assert len(numbers(scores_of(ran.run, bench.check("trajectory")))) > 3
    assert scores_of(ran.run, bench.check("safety")) == []
    coded = open_bench(f"{CODED}/evaluators/decision.json")
    claims = last_run(workspace, CLAIMS, eval_set_of(workspace, CLAIMS))
    assert len(scores_of(claims.run, coded.checks[0])) == 6


def test_a_rail_counts_what_a_mark_would_fail():
    found = rail((0.0, 1.0), 0.8, [0.1, 0.75, 0.8, 0.9, 1.0], 0.7)
    assert sum(found.failing_bins) == 2 and found.failing_bins[2] == found.failing_bins[15] == 1
    assert (found.failing, found.failed, found.total) == (2, 1, 5)
    assert found.words == "At 0.8, 2 of 5 scores fail: 1 more than at 0.7, the mark of that run."
    assert sum(found.bins) == 5 and found.bins[-1] == 1 and found.place == 0.8


@pytest.mark.parametrize(
    "scale, mark, told",
    [
        ((0.0, 1.0), 80.0, "No score reaches 80"),
        ((1.0, 5.0), 1.0, "Every score passes at 1"),
        ((1.0, 5.0), 3.0, ""),
        ((0.0, 1.0), None, ""),
    ],
)
def test_a_mark_beyond_the_scores_is_told(scale, mark, told):
    found = rail(scale, mark)
    assert found.outside.startswith(told) and bool(found.outside) == bool(told)
    assert 0 <= found.place <= 1 and found.words == ""


def test_scores_at_a_mark_in_the_middle_of_their_bar_are_no_failures():
    found = rail((0.0, 1.0), 1.0, [0.5, 1.0, 1.0])
    assert found.bins[-1] == 2 and found.failing_bins[-1] == 0
    assert found.failing == sum(found.failing_bins) == 1
