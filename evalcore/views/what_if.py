"""What would have made one case pass: tried on the case alone, with the checks of its files."""

from __future__ import annotations

from dataclasses import replace

from evalcore.explain import Counterfactual, counterfactuals
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.scoring import whole_scores
from evalcore.store import StoredRun
from evalcore.views.expectations import Join
from evalcore.views.rescore import gather
from evalcore.views.rescore_board import Board
from evalcore.workspace import Workspace


def what_if(
    workspace: Workspace, run: StoredRun, case: CaseResult, join: Join | None
) -> dict[str, tuple[Counterfactual, ...]]:
    """Return by check the smallest changes under which a failed check of a case would pass.

    Every one was tried. Checks that fail in the file and pass by the set as it is today have none.
    Raises EvaldeskError where there is nothing to score with.
    """
    manifest = run.manifest
    alone = Run(
        format_id=manifest.format_id,
        eval_set_id=manifest.eval_set.id,
        eval_set_name=manifest.eval_set.name,
        cases=(_named(case, join),),
        has_pass_rule=manifest.has_pass_rule,
        metadata=manifest.metadata or {},
    )
    mark = 0.8 if run.pass_mark is None else run.pass_mark
    path = "" if join is None else join.path
    material = gather(workspace, alone, manifest.source.path, path, mark)
    if join is not None:
        whole = material.project.eval_set
        own = whole.model_copy(update={"cases": whole.cases[join.index : join.index + 1]})
        material = replace(material, project=replace(material.project, eval_set=own))
    return dict(_found(Board(material), failed_checks(case)))


def failed_checks(case: CaseResult) -> dict[str, Score]:
    """Return the scores of a whole case that failed, by check."""
    return {
        score.evaluator: score
        for score in whole_scores(case)
        if score.verdict in (Verdict.FAILED, None) and not score.informational
    }


def _found(board: Board, failed: dict[str, Score]) -> list[tuple[str, tuple[Counterfactual, ...]]]:
    before = board.before()
    found = []
    for check in before.checks:
        score = failed.get(check.ref)
        sample = board.sample(before, 0, check) if score is not None else None
        if score is None or sample is None:
            continue
        how = before.scoring
        mark = None if check.mark is not None else how.pass_marks.get(check.ref, how.pass_mark)
        tried = counterfactuals(check, sample, score, mark)
        if tried:
            found.append((check.ref, tried))
    return found


def _named(case: CaseResult, join: Join | None) -> CaseResult:
    """Return a case result with the id that its set gives it, so that the two are joined."""
    if join is None or case.case_id is not None:
        return case
    return case.model_copy(update={"case_id": join.case.id})
