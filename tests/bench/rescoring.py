"""The Re-score tab at 1,000 and 5,000 cases: how long a page takes after each kind of change.

``rerun`` is all that the page computes for the change: the scoring, the flips and totals, one page
of the table, and one case in every detail. ``drawn`` is the whole run of the script by Streamlit's
own test client, from the widget that moved to the last element. CPU seconds of all threads, medians
over the rounds, each with a value that no round had before.
"""

import argparse
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from streamlit.testing.v1 import AppTest

from evalcore.store.sets import set_of
from evalcore.views.caselist import page_of
from evalcore.views.rescore import MARK, Plan, gather
from evalcore.views.rescore_board import Board
from evalcore.views.rescore_lines import line_of
from evalcore.views.rescore_scoring import ScoringJob
from evalcore.views.run_files import runs_in
from evalcore.workspace import Workspace
from pages._results import rescore_state
from tests.samples import ROOT, SAMPLES

PROJECT = SAMPLES / "adk" / "refund_desk"
HISTORY = Path(".adk") / "eval_history"
RUN = HISTORY / "many.evalset_result.json"
SET = "refunds.evalset.json"
REF = "response_match_score"
CALLS = "tool_trajectory_avg_score"
GOAL_S = 0.2
"""For a rerun over 1,000 cases."""
SHOWN = 100
MODES = (
    ("ANY_ORDER", False),
    ("EXACT", False),
    ("ANY_ORDER", True),
    ("EXACT", True),
    ("IN_ORDER", True),
)
SHELL = ROOT / "pages" / "_shell.py"
PATIENCE_S = 1200


def write(folder: Path, count: int) -> None:
    """Write the sample project with its cases and results over and over, under new ids."""
    (folder / HISTORY).mkdir(parents=True)
    shutil.copy(PROJECT / "test_config.json", folder)
    of_set = json.loads((PROJECT / SET).read_text("utf-8"))
    result = json.loads(next((PROJECT / HISTORY).iterdir()).read_text("utf-8"))
    result = json.loads(result) if isinstance(result, str) else result
    by_id = {case["eval_id"]: case for case in of_set["eval_cases"]}
    some = result["eval_case_results"]
    picked = [(n, some[n % len(some)]) for n in range(count)]
    ids = [f"{came['eval_id']}_{n}" for n, came in picked]
    of_set["eval_cases"] = [
        {**by_id[came["eval_id"]], "eval_id": new}
        for (_, came), new in zip(picked, ids, strict=True)
    ]
    result["eval_case_results"] = [
        {**came, "eval_id": new, "session_details": None}
        for (_, came), new in zip(picked, ids, strict=True)
    ]
    (folder / SET).write_text(json.dumps(of_set), "utf-8")
    (folder / RUN).write_text(json.dumps(json.dumps(result)), "utf-8")


def board_of(folder: Path) -> Board:
    """Return the run on a bench, as the page has it."""
    workspace = Workspace(folder)
    run = runs_in(workspace, str(RUN))[0]
    set_path = set_of(run, str(RUN), workspace.entries())
    assert set_path is not None
    return Board(gather(workspace, run, str(RUN), set_path, 0.8))


def rerun(board: Board, plan: Plan) -> None:
    """Compute what a page shows of a plan."""
    job = ScoringJob(board, plan).start()
    job.join()
    found = job.result
    assert found is not None, job.now
    lines = list(found.flipped[:SHOWN])
    if not lines:
        indexes = page_of(range(len(found.every)), 1, SHOWN).indexes
        lines = [line_of(found.outcome, *found.every[index]) for index in indexes]
    board.one(found.outcome.after, lines[0].place)
    board.one(found.outcome.before, lines[0].place)


def changes(rounds: int) -> Iterator[tuple[str, list[Plan]]]:
    """Yield each kind of change with the plans of its rounds."""
    near = [Plan().with_param(REF, MARK, 0.71 + n / 100, 0.7) for n in range(rounds)]
    yield "a pass mark moves a little", near
    far = [Plan().with_param(REF, MARK, 0.99 - n / 1000, 0.7) for n in range(rounds)]
    yield "a pass mark flips a third", far
    yield (
        "another match mode",
        [
            Plan()
            .with_param(CALLS, "match_type", mode, "IN_ORDER")
            .with_param(CALLS, "ignore_args", names_only, False)
            for mode, names_only in MODES[:rounds]
        ],
    )
    off = [
        Plan().switched(CALLS, on=False).with_param(REF, MARK, 0.5 + n / 100, 0.7)
        for n in range(rounds)
    ]
    yield "a check is switched off", off


def timed(do: Callable[[], object]) -> float:
    """Return the CPU seconds that something takes, in all threads."""
    began = time.process_time()
    do()
    return time.process_time() - began


def drawn(folder: Path, rounds: int) -> float:
    """Return the CPU seconds that the page's script takes after a pass mark moved."""
    os.environ["EVALDESK_WORKSPACE"] = str(folder)
    rescore_state.AT_ONCE = PATIENCE_S
    at = AppTest.from_file(str(SHELL), default_timeout=PATIENCE_S)
    at.run()
    at.switch_page("results.py")
    at.query_params["file"] = str(RUN)
    at.session_state["results.shown"] = "Re-score"
    at.run()

    def move(value: float) -> None:
        slider = next(s for s in at.slider if f" {REF} mark " in str(s.key))
        slider.set_value(value).run()
        if at.exception:
            raise RuntimeError(at.exception[0].message)

    return statistics.median(timed(partial(move, 0.71 + n / 100)) for n in range(rounds))


def measure(count: int, rounds: int) -> None:
    """Print the medians for so many cases."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, count)
        board = board_of(folder)
        print(f"{count:,} cases: first scoring {timed(lambda: rerun(board, Plan())):.3f} s")
        for what, plans in changes(rounds):
            median = statistics.median(timed(partial(rerun, board, plan)) for plan in plans)
            goal = f", goal {GOAL_S} s" if count == 1000 else ""
            print(f"  rerun, {what}: {median:.3f} s{goal}")
        print(f"  drawn, a pass mark moves a little: {drawn(folder, rounds):.3f} s")


def main(arguments: list[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench rescoring", description=__doc__)
    parser.add_argument("--cases", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args(arguments)
    for count in given.cases:
        measure(count, given.rounds)
