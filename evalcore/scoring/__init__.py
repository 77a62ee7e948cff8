"""Scoring a run with the checks of its eval set, as its own system would, and saying what differs.

    checks = checks_for(eval_set, workspace.evaluators_of(path), own, Choice())
    rescored = score(run, eval_set, checks, Scoring(), memory)
    compare_with_stored(run, rescored); flips(rescored, score(...)); aggregates(rescored)

With one ``Memory`` for all scorings of a run, only what changed is computed again; judges are asked
only with ``Scoring(ask=True)``.
"""

from evalcore.scoring.aggregates import Aggregate, aggregates, label_of, whole_scores
from evalcore.scoring.checks import Check, Choice, checks_for
from evalcore.scoring.engine import Scoring, count_judge_calls, score
from evalcore.scoring.flips import Flip, flips
from evalcore.scoring.project import Project, open_project, run_of_set
from evalcore.scoring.running import Memory
from evalcore.scoring.sidecar import read_checks, sidecar_path
from evalcore.scoring.stored import Comparison, compare_totals, compare_with_stored, differences
from evalcore.scoring.systems import System, system_of
from evalcore.scoring.verdicts import RunOutcome, run_outcome

__all__ = [
    "Aggregate",
    "Check",
    "Choice",
    "Comparison",
    "Flip",
    "Memory",
    "Project",
    "RunOutcome",
    "Scoring",
    "System",
    "aggregates",
    "checks_for",
    "compare_totals",
    "compare_with_stored",
    "count_judge_calls",
    "differences",
    "flips",
    "label_of",
    "open_project",
    "read_checks",
    "run_of_set",
    "run_outcome",
    "score",
    "sidecar_path",
    "system_of",
    "whole_scores",
]
