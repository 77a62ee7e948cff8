"""Our scoring beside that of the real packages, in one run: CPU time per evaluation, medians.

Rounds alternate between the packages' processes and this one, and a ratio is the median of the
rounds' ratios, so that whatever else the machine does weighs on both sides. Every pass goes over
many different cases, as a run does, which both sides have read before: the packages get their own
invocations and spans, and we get ours.

“evaluate” is the whole public evaluation on both sides; our scores work out their reason, cautions
and details when these are read, which is not timed. “measure” is the comparison alone. A row with a
goal says whether it is reached. Texts, values and the order of calls have their goals in both rows.
Trajectories have theirs in “measure”, against the packages' whole evaluation: that is little more
than a loop over a few calls, which cannot be run much faster in the same language, and beside which
two scores with values, marks and verdicts weigh as much again. Before both sides are timed, their
scores are compared.
"""

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pydoc_data.topics import topics
from typing import Any, NamedTuple

from evalcore.evaluators import build
from evalcore.evaluators.measures import rouge
from evalcore.evaluators.measures.similarity import json_likeness
from evalcore.evaluators.uipath.files import from_file
from evalcore.evaluators.uipath.order import common_length
from evalcore.evaluators.uipath.spans import calls_of
from tests.bench._contests import Contest, adk_turn, evaluating, reread
from tests.bench._trajectories import adk_trajectory_contests, tenxgraph_contests
from tests.conformance import adk, uipath
from tests.conformance.report import failure
from tests.differential.compare import check_of
from tests.differential.environments import PEERS
from tests.differential.peer import Row, Worker

WORDS_OF_A_REPLY = 60
ROUND_S = 0.1
"""About how long one side computes in a round, unless one pass takes longer."""


class Measured(NamedTuple):
    """Medians of CPU seconds per evaluation, and of the ratios of the rounds."""

    theirs: float
    ours: float
    ratio: float


TEXTS = [text.split() for text in topics.values()]


def prose(chance: random.Random) -> list[str]:
    """Return the words of a passage of the Python documentation: real sentences, real words."""
    words = chance.choice([text for text in TEXTS if len(text) > 2 * WORDS_OF_A_REPLY])
    start = chance.randrange(len(words) - WORDS_OF_A_REPLY)
    return words[start : start + WORDS_OF_A_REPLY]


def reworded(words: list[str], chance: random.Random) -> str:
    """Return a reply of the same length that keeps most words and takes others from elsewhere."""
    other = prose(chance)
    return " ".join(b if chance.random() < 0.3 else a for a, b in zip(words, other, strict=True))


def rouge_contests(chance: random.Random) -> list[Contest]:
    references = [prose(chance) for _ in range(300)]
    pairs = [(" ".join(words), reworded(words, chance)) for words in references]
    rows = [
        {
            "metric": "response_match_score",
            "criterion": {"threshold": 0.8},
            "expected": [adk_turn(wanted)],
            "actual": [adk_turn(made)],
        }
        for wanted, made in pairs
    ]
    evaluator = build("adk.response_match_score", {"threshold": 0.8})
    whole = evaluating(evaluator, map(adk._sample, map(reread, rows)))
    bare = [partial(rouge.adk_rouge1, *pair) for pair in pairs]
    texts = [{"wanted": wanted, "made": made} for wanted, made in pairs]
    # Every reference is new, as in one pass over a set; stems of words seen are kept.
    forget = rouge._reference.cache_clear
    name = f"ROUGE-1, {WORDS_OF_A_REPLY} words"
    return [
        Contest(f"{name}: evaluate", "adk", "whole", rows, whole, 30, forget),
        Contest(f"{name}: measure", "adk", "rouge", texts, bare, 30, forget),
    ]


def uipath_row(kind: str, criteria: Row, output: Any, trace: list[Row]) -> Row:
    config = {"name": "e"}
    file = {"version": "1.0", "id": "e", "evaluatorTypeId": kind, "evaluatorConfig": config}
    return {"evaluator": file, "criteria": criteria, "output": output, "trace": trace}


def ticket(chance: random.Random) -> Row:
    """Return an answer of an agent as objects: about 1 KB of JSON, mostly short fields."""
    return {
        **short_ticket(chance),
        "summary": " ".join(prose(chance))[:200],
        "next_steps": ["Confirm the refund by mail", "Close the ticket after 3 days"],
    }


def short_ticket(chance: random.Random) -> Row:
    number = chance.randint(1000, 9999)
    titles = chance.sample(["Desk lamp", "Notebook, ruled", "Fountain pen", "Blue ink"], 3)
    return {
        "ticket": {"id": f"T-2026-{number}", "status": "resolved", "priority": 2, "open": False},
        "customer": {
            "name": "Ada Example",
            "email": f"ada{number}@example.org",
            "address": {"street": f"{number} Long Street", "city": "Lisbon", "zip": "1000-001"},
        },
        "items": [
            {"sku": f"SKU-{n:04d}", "title": title, "quantity": n, "price": 9.99 * n}
            for n, title in enumerate(titles, 1)
        ],
        "refund": {"amount": number / 7, "currency": "EUR", "approved": True, "note": None},
    }


def long_text(chance: random.Random) -> Row:
    return {"answer": " ".join(" ".join(prose(chance)) for _ in range(9))[:2000]}


def edited(value: Any, chance: random.Random) -> Any:
    """Return a value with one letter in eight of its texts changed, and its numbers off by 1 %."""
    if isinstance(value, dict):
        return {key: edited(item, chance) for key, item in value.items()}
    if isinstance(value, list):
        return [edited(item, chance) for item in value]
    if isinstance(value, str):
        return "".join(chance.choice("aeiou ") if chance.random() < 1 / 8 else c for c in value)
    return value * 1.01 if isinstance(value, float) else value


SIMILARITY: tuple[tuple[str, Callable[[random.Random], Row], int, float | None], ...] = (
    ("nested, 1 KB", ticket, 20, 300),
    ("short fields only", short_ticket, 100, None),
    ("2,000 characters", long_text, 1, 5000),
)


def similarity_contests(chance: random.Random) -> list[Contest]:
    contests = []
    for what, make, count, goal in SIMILARITY:
        expected = [make(chance) for _ in range(count)]
        rows = [
            uipath_row("uipath-json-similarity", {"expectedOutput": e}, edited(e, chance), [])
            for e in expected
        ]
        evaluator = from_file(rows[0]["evaluator"])
        whole = evaluating(evaluator, map(uipath._sample, map(reread, rows)))
        bare = [
            partial(json_likeness, row["criteria"]["expectedOutput"], row["output"]) for row in rows
        ]
        name = f"JSON similarity, {what}"
        contests.append(Contest(f"{name}: evaluate", "uipath", "whole", rows, whole, goal))
        contests.append(Contest(f"{name}: measure", "uipath", "similarity", rows, bare, goal))
    return contests


TOOLS = [f"{verb}_{what}" for verb in ("get", "find", "send") for what in ("order", "customer")]


def order_row(chance: random.Random) -> Row:
    expected = [chance.choice(TOOLS) for _ in range(50)]
    names = [chance.choice(TOOLS) if chance.random() < 0.2 else name for name in expected]
    for _ in range(10):
        names.insert(chance.randrange(len(names)), chance.choice(TOOLS))
    trace = [{"name": "s", "attributes": {"tool.name": name}} for name in names]
    return uipath_row("uipath-tool-call-order", {"toolCallsOrder": expected}, {}, trace)


def order_contests(chance: random.Random) -> list[Contest]:
    rows = [order_row(chance) for _ in range(50)]
    samples = list(map(uipath._sample, map(reread, rows)))
    whole = evaluating(from_file(rows[0]["evaluator"]), samples)
    bare = [
        partial(common_length, row["criteria"]["toolCallsOrder"], calls_of(sample))
        for row, sample in zip(rows, samples, strict=True)
    ]
    name = "tool call order, 50 × 60"
    return [
        Contest(f"{name}: evaluate", "uipath", "whole", rows, whole, 100),
        Contest(f"{name}: measure", "uipath", "order", rows, bare, 100),
    ]


GROUPS = (
    rouge_contests,
    similarity_contests,
    order_contests,
    adk_trajectory_contests,
    tenxgraph_contests,
)


def agree(worker: Worker, contest: Contest) -> None:
    """Raise RuntimeError unless both sides give the same scores for the rows."""
    if contest.what != "whole":
        return
    section = "evaluators" if contest.system == "uipath" else "vectors"
    check = check_of(contest.system, section)
    for row, answer in zip(contest.rows, worker.ask(section, contest.rows), strict=True):
        wrong = failure(check, {**row, **answer}, 0)
        if wrong:
            raise RuntimeError(f"{contest.name}: the scores differ: {wrong}")


def cpu_s(contest: Contest, passes: int) -> float:
    """Return our CPU seconds for one evaluation."""
    started = time.process_time()
    for _ in range(passes):
        contest.before()
        for function in contest.ours:
            function()
    return (time.process_time() - started) / passes / len(contest.ours)


def measured(worker: Worker, contest: Contest, rounds: int) -> Measured:
    """Alternate between both sides, each with as many passes as fill a round."""
    agree(worker, contest)
    worker.prepare(contest.what, contest.rows)
    count = len(contest.rows)
    theirs = max(1, int(ROUND_S / count / max(worker.time(1)[0], 1e-7)))
    ours = max(1, int(ROUND_S / count / max(cpu_s(contest, 1), 1e-7)))
    found = [(statistics.mean(worker.time(theirs)), cpu_s(contest, ours)) for _ in range(rounds)]
    return Measured(
        statistics.median(t for t, _ in found),
        statistics.median(o for _, o in found),
        statistics.median(t / o for t, o in found),
    )


def main(arguments: list[str]) -> None:
    """Print a line per contest; exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench scoring", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="contests whose name contains this")
    options = parser.parse_args(arguments)
    chance = random.Random(options.seed)
    contests = [contest for group in GROUPS for contest in group(chance)]
    missed = 0
    print(f"{'':<58}{'package µs':>12}{'ours µs':>10}{'ratio':>10}{'goal':>8}")
    for system in PEERS:
        chosen = [c for c in contests if c.system == system and options.only in c.name]
        if not chosen:
            continue
        with Worker(system) as worker:
            for contest in chosen:
                found = measured(worker, contest, options.rounds)
                missed += contest.goal is not None and found.ratio < contest.goal
                print(line(contest, found), flush=True)
    if missed:
        print(f"{missed} goals missed", file=sys.stderr)
        sys.exit(1)


def line(contest: Contest, found: Measured) -> str:
    """Return a contest's line of the table."""
    goal = ""
    if contest.goal is not None:
        goal = f"{contest.goal:,g}{' ' if found.ratio >= contest.goal else '!'}"
    return (
        f"{contest.name:<58}{found.theirs * 1e6:>12,.1f}{found.ours * 1e6:>10,.1f}"
        f"{found.ratio:>10,.1f}{goal:>8}"
    )
