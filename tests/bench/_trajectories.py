"""Trajectories: the tool calls of a run against the expected ones."""

import random
from functools import partial
from typing import Any

from evalcore.evaluators import build
from evalcore.evaluators.adk.matching import is_match
from evalcore.evaluators.base import Sample
from evalcore.evaluators.tenxgraph.local import matched_calls
from tests.bench._contests import Contest, adk_turn, evaluating, reread
from tests.conformance import adk, tenxgraph
from tests.differential.peer import Row

MODES = ("EXACT", "IN_ORDER", "ANY_ORDER")
SLOWEST = "ANY_ORDER"
"""The mode that takes ADK longest, which is the one that we are held against."""
CASES = 100
"""How many trajectories a pass goes over: so few that they stay in the processor's cache, as a case
does that a run has just read."""


def made_calls(count: int, chance: random.Random) -> list[Row]:
    return [
        {
            "name": chance.choice(["search_orders", "get_customer", "issue_refund", "notify"]),
            "args": {
                "city": chance.choice(["Lisbon", "Oslo", "Turin"]),
                "days": chance.randint(1, 9),
                "options": {"limit": 1},
            },
        }
        for _ in range(count)
    ]


def changed(wanted: list[Row], mode: str, chance: random.Random) -> list[Row]:
    """Return the calls of a run: in half of the runs as expected by a mode, else with one wrong."""
    made = list(wanted)
    if mode != "EXACT":
        for _ in range(2):
            made.insert(chance.randrange(len(made) + 1), made_calls(1, chance)[0])
    if mode == "ANY_ORDER":
        chance.shuffle(made)
    if chance.random() < 0.5:
        made[chance.randrange(len(made))] = made_calls(1, chance)[0]
    return made


def adk_trajectory_contests(chance: random.Random) -> list[Contest]:
    contests = []
    for count in (3, 20):
        for mode in MODES:
            criterion = {"threshold": 1.0, "match_type": mode}
            rows = []
            for _ in range(CASES):
                wanted = made_calls(count, chance)
                rows.append(
                    {
                        "metric": "tool_trajectory_avg_score",
                        "criterion": criterion,
                        "expected": [adk_turn(calls=wanted)],
                        "actual": [adk_turn(calls=changed(wanted, mode, chance))],
                    }
                )
            samples = list(map(adk._sample, map(reread, rows)))
            whole = evaluating(build("adk.tool_trajectory_avg_score", criterion), samples)
            bare = [partial(adk_rule, mode, sample) for sample in samples]
            name = f"ADK trajectory {mode}, {count} calls"
            contests.append(Contest(f"{name}: evaluate", "adk", "whole", rows, whole))
            goal = 1.5 if mode == SLOWEST else None
            contests.append(Contest(f"{name}: measure", "adk", "whole", rows, bare, goal))
    return contests


def adk_rule(mode: Any, sample: Sample) -> object:
    """Match the calls of a sample without making a score of it."""
    turn = sample.turns[0]
    assert turn.expected is not None
    made = turn.actual.actual_tool_calls or ()
    return is_match(mode, turn.expected.tool_calls, made, by_name=False)


def tenxgraph_contests(chance: random.Random) -> list[Contest]:
    name, contests = "10xGraph trajectory", []
    by_mode = [[tenxgraph_row(mode, chance) for _ in range(CASES)] for mode in MODES]
    everything = [row for rows in by_mode for row in rows]
    for what, rows in (*zip(MODES, by_mode, strict=True), ("all modes", everything)):
        evaluators = [tenxgraph.evaluator_of(row, tenxgraph.Replies([])) for row in rows]
        samples = list(map(tenxgraph.sample_of, map(reread, rows)))
        whole = [partial(e.evaluate, s) for e, s in zip(evaluators, samples, strict=True)]
        bare = [
            partial(tenxgraph_rule, row["config"]["match_type"], sample)
            for row, sample in zip(rows, samples, strict=True)
        ]
        goal = 10 if what == "all modes" else None
        titled = f"{name} {what}, 5 calls"
        contests.append(Contest(f"{titled}: evaluate", "tenxgraph", "whole", rows, whole))
        contests.append(Contest(f"{titled}: measure", "tenxgraph", "whole", rows, bare, goal))
    return contests


def tenxgraph_row(mode: str, chance: random.Random) -> Row:
    wanted = made_calls(5, chance)
    said = {"user_content": {"role": "user", "content": "q", "metadata": {}}}
    made = changed(wanted, mode, chance)
    return {
        "criterion": "trajectory",
        "reported_name": "tool_trajectory_avg_score",
        "config": {"threshold": 0.8, "match_type": mode, "check_args": True},
        "case": {
            "eval_id": "c",
            "conversation": [{**said, "expected_tool_trajectory": wanted}],
        },
        "actual": {"actual_response": "", "tool_calls": made, "node_visits": []},
    }


def tenxgraph_rule(mode: Any, sample: Sample) -> object:
    """Match the calls of a sample without saying why."""
    turn = sample.turns[0]
    assert turn.expected is not None
    made = turn.actual.actual_tool_calls or ()
    return matched_calls(mode, turn.expected.tool_calls, made, with_args=True)
