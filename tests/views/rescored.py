"""The sample runs, each ready to be scored again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from evalcore.store.sets import set_of
from evalcore.views.rescore import Material, gather
from evalcore.views.rescore_board import Board
from evalcore.views.run_files import runs_in
from evalcore.workspace import Workspace

SAMPLES = Path(__file__).resolve().parents[2] / "sample_evals"
RUNS = {
    "adk": "adk/refund_desk/.adk/eval_history/"
    "refund_desk_refunds_1789030391.3945727.evalset_result.json",
    "harnest": "harnest/library_helper/results/eval-run.json",
    "tenxgraph": "tenxgraph/trip_planner/eval_reports/trip_planner_v1_20260909_101502.json",
    "coded": "uipath_coded/claims_intake/claims-output.json",
    "lowcode": "uipath_lowcode/SupportTriage/triage-output.json",
}
ALL_FIELDS = "73ab4876-7734-47c1-87fd-e805ec99108d"
FLIPS = {
    "adk": ("response_match_score", 0.97, "5 → 3 passed of 9; 2 flips"),
    "harnest": ("response_match_score", 0.9, "3 → 1 passed of 6; 2 flips"),
    "tenxgraph": ("rouge_match", 0.87, "4 → 3 passed of 8; 1 flip"),
    "coded": ("LetterMentionsEvaluator", 0.0, "3 → 4 passed of 7; 1 flip"),
    "lowcode": (ALL_FIELDS, 0.95, "3 → 2 passed of 8; 1 flip"),
}
"""By run: a check, another pass mark for it, and what the run then comes to."""


@cache
def material(name: str) -> Material:
    workspace = Workspace(SAMPLES)
    path = RUNS.get(name, name)
    run = runs_in(workspace, path)[0]
    set_path = set_of(run, path, workspace.entries()) or ""
    return gather(workspace, run, path, set_path, 0.8)


def board(name: str) -> Board:
    return Board(material(name))
