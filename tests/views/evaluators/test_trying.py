"""A typed pair gets the score that a run would give it, and a judge is asked only when told to."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators import kinds
from evalcore.jsontree import MISSING, put
from evalcore.judges import JudgeReply
from evalcore.results import Verdict
from evalcore.views.evaluators.bench import CheckView
from evalcore.views.evaluators.trying import (
    Scratch,
    attempt,
    built,
    count_calls,
    fields_for,
    start_criterion,
    start_for,
    typed_sample,
)
from tests.views.evaluators.conftest import ADK, CODED, LOWCODE, TENXGRAPH
from tests.views.evaluators.test_ops import OWN


def tried(bench, check, judge=None, **typed):
    evaluator = built(bench, check, judge, agent_model="m")
    tree = start_for(evaluator)
    tree["criterion"] = start_criterion(evaluator) if bench.is_single else {}
    for name, value in typed.items():
        tree = put(tree, f"/{name}", value)
    return attempt(evaluator, typed_sample(tree, bench.family))


@pytest.mark.parametrize("name", ["decision", "letter", "payout", "tool-order", "tool-args"])
def test_what_one_begins_with_has_a_score(open_bench, name):
    bench = open_bench(f"{CODED}/evaluators/{name}.json")
    found = tried(bench, bench.checks[0])
    assert found.score is not None and found.score.native == 1.0, found
    assert found.calls == 0


def test_a_wrong_output_scores_0_with_its_reason(open_bench):
    bench = open_bench(f"{CODED}/evaluators/decision.json")
    found = tried(bench, bench.checks[0], actual_output={"decision": "decline"})
    assert found.score.native == 0.0 and "decline" in found.score.reason


def test_a_missing_field_is_no_zero(open_bench):
    bench = open_bench(f"{CODED}/evaluators/decision.json")
    found = tried(bench, bench.checks[0], actual_output={"verdict": "approve"})
    assert found.score is None and "decision" in found.problem


def test_low_code_scores_go_to_100(open_bench):
    bench = open_bench(f"{LOWCODE}/evaluator-category.json")
    assert tried(bench, bench.checks[0]).score.native == 100.0


def test_replies_and_calls_of_adk(open_bench):
    bench = open_bench(ADK)
    replies = tried(bench, bench.check("response_match_score"))
    assert 0.5 < replies.score.native < 1 and replies.score.verdict is Verdict.PASSED
    calls = tried(bench, bench.check("tool_trajectory_avg_score"), actual_calls=[])
    assert calls.score.verdict is Verdict.FAILED


def test_the_draft_counts_and_not_the_file(open_bench):
    bench = open_bench(ADK)
    bench.edit(lambda t: put(t, "/criteria/response_match_score", 1.0), "strict")
    assert tried(bench, bench.check("response_match_score")).score.verdict is Verdict.FAILED


def test_calls_are_edited_as_records_and_keep_their_answers():
    said = {"name": "look_up", "args": {"id": 1}, "output": None}
    scratch = Scratch("k", {"actual_calls": [said, {"name": "bare"}]})
    slot = scratch.calls("actual_calls")
    (first, _call), (second, _bare) = slot.items()
    slot.attribute(second, "name").write("other")
    assert scratch.tree["actual_calls"] == [said, {"name": "other"}]
    assert [handle for handle, _ in slot.items()] == [first, second]
    slot.attribute(first, "result").write(MISSING)
    assert scratch.tree["actual_calls"][0] == {"name": "look_up", "args": {"id": 1}}


def test_nodes_of_10xgraph(open_bench):
    bench = open_bench(TENXGRAPH)
    nodes = {"expected_nodes": ["plan", "answer"], "actual_nodes": ["plan", "answer"]}
    assert tried(bench, bench.check("node_order"), **nodes).score.native == 1.0
    with pytest.raises(EvaldeskError, match="switched off"):
        built(bench, bench.check("safety"))


def test_a_check_of_ours(bench_of):
    bench = bench_of("s.evaldesk.json", OWN, "evaldesk")
    check = bench.check("order id")
    assert tried(bench, check, actual_reply="D-17 is on its way").score.native == 1.0
    assert tried(bench, check, actual_reply="On its way").score.native == 0.0


class Lenient:
    def __init__(self):
        self.asked = 0

    def ask(self, request):
        self.asked += 1
        return JudgeReply(arguments={"score": 90, "justification": "close"})


def test_a_judged_check_says_how_often_it_would_ask_and_asks_nobody(open_bench):
    bench = open_bench(f"{CODED}/evaluators/judge-trajectory.json")
    found = tried(bench, bench.checks[0])
    assert found.calls == 1 and found.score is None and "judge" in found.problem
    judge = Lenient()
    answered = tried(bench, bench.checks[0], judge)
    assert judge.asked == 1 and answered.score.native == 0.9
    assert answered.score.reason == "close"


def test_whatever_is_typed_gets_an_answer(open_bench):
    bench = open_bench(f"{CODED}/evaluators/tool-args.json")
    for odd in ([], "text", 5, None, [1], [{"name": 5}], [{}], {"a": 1}):
        found = tried(bench, bench.checks[0], actual_calls=odd)
        assert found.score is not None or found.problem


@pytest.mark.parametrize("kind", kinds())
def test_every_kind_of_check_has_something_to_type(kind):
    cls = kinds()[kind]
    family = "uipath_coded" if kind.startswith("uipath") else "adk"
    check = CheckView("x", "x", kind, "x", "")
    evaluator = cls.__new__(cls)
    names = [name for _side, name, _label in fields_for(evaluator, family)]
    needs = {need.value for need in cls.needs} - {"judge", "usage"}
    assert bool(names) == bool(needs)
    assert check.label == cls.label


def test_what_is_typed_can_be_undone(open_bench):
    bench = open_bench(f"{CODED}/evaluators/decision.json")
    scratch = Scratch("k", start_for(built(bench, bench.checks[0])))
    before = scratch.tree
    scratch.edit(lambda tree: put(tree, "/actual_output", "x"), "type")
    assert scratch.tree != before
    scratch.draft.undo()
    assert scratch.tree == before


def test_a_judge_counts_lines(open_bench):
    bench = open_bench(f"{CODED}/evaluators/judge-trajectory.json")
    evaluator = built(bench, bench.checks[0])
    assert count_calls(evaluator, typed_sample({}, "uipath_coded")) == 0
