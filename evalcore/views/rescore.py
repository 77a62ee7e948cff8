"""What a run is scored with again, and what the user changes for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import ValidationError

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, JudgedEvaluator
from evalcore.jsontree import MISSING, JsonObject, JsonValue, same
from evalcore.judges import Judge
from evalcore.model import EvalSet, EvaluatorRef, first_fault
from evalcore.model import Evaluator as Configured
from evalcore.results import Run, Score
from evalcore.scoring import Check, Choice, Project, Scoring, open_project, read_checks, system_of
from evalcore.scoring.checks import DEFAULT_POLICY
from evalcore.scoring.project import checks_of, with_run
from evalcore.workspace import Workspace

POLICIES: Final = ("business", "strict")
TRAJECTORY: Final = "tool_trajectory_avg_score"
MARK: Final = "threshold"


@dataclass(frozen=True, slots=True)
class Trial:
    """A check of ours that is tried out and not kept in any file yet."""

    name: str
    kind: str
    params: JsonObject


@dataclass(frozen=True, slots=True)
class Plan:
    """What the user changes: nothing at first.

    ``off`` names checks that are not run. ``params`` holds, by check and parameter, only what
    differs from the files. ``marks`` are pass marks on 0–1, by check, for systems that have none;
    ``policy`` is Harnest's. ``cases`` holds, by check of ours and case id, the parameters that the
    case has of its own: {} for none, null where the check is not run on it.
    """

    off: frozenset[str] = frozenset()
    params: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)
    marks: Mapping[str, float] = field(default_factory=dict)
    policy: str = ""
    trials: tuple[Trial, ...] = ()
    cases: Mapping[str, Mapping[str, JsonValue]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether everything is as the files have it."""
        return self == Plan()

    @property
    def changes(self) -> int:
        """How many settings differ from the files."""
        params = sum(len(changed) for changed in (*self.params.values(), *self.cases.values()))
        return len(self.off) + params + len(self.marks) + bool(self.policy) + len(self.trials)

    def switched(self, ref: str, *, on: bool) -> Plan:
        """Return a plan in which a check is run or not."""
        return replace(self, off=self.off - {ref} if on else self.off | {ref})

    def with_param(self, ref: str, name: str, value: JsonValue, filed: JsonValue) -> Plan:
        """Return a plan with a parameter of a check; one that is ``filed`` so is no change."""
        own = {k: v for k, v in self.params.get(ref, {}).items() if k != name}
        if not same(value, filed):
            own[name] = value
        rest = {k: v for k, v in self.params.items() if k != ref}
        return replace(self, params={**rest, ref: own} if own else rest)

    def with_mark(self, ref: str, mark: float, usual: float) -> Plan:
        """Return a plan with the user's own pass mark for a check; ``usual`` is no change."""
        rest = {k: v for k, v in self.marks.items() if k != ref}
        return replace(self, marks=rest if mark == usual else {**rest, ref: mark})

    def with_policy(self, policy: str, filed: str) -> Plan:
        """Return a plan with a trajectory policy."""
        return replace(self, policy="" if policy == filed else policy)

    def with_case(self, ref: str, case_id: str, own: JsonValue, filed: JsonValue) -> Plan:
        """Return a plan with what a case has of its own for a check of ours."""
        of_check = {k: v for k, v in self.cases.get(ref, {}).items() if k != case_id}
        if not same(own, filed):
            of_check[case_id] = own
        rest = {k: v for k, v in self.cases.items() if k != ref}
        return replace(self, cases={**rest, ref: of_check} if of_check else rest)

    def with_trial(self, trial: Trial) -> Plan:
        """Return a plan that tries a check of ours too, in place of one of its name."""
        rest = [known for known in self.trials if known.name != trial.name]
        return replace(self, trials=(*rest, trial))

    def without_trial(self, name: str) -> Plan:
        """Return a plan without a check that was tried, and without its changes."""
        trials = tuple(trial for trial in self.trials if trial.name != name)
        return replace(self.unchanged(name), trials=trials)

    def unchanged(self, ref: str) -> Plan:
        """Return a plan in which a check is as its file has it."""
        return replace(
            self,
            off=self.off - {ref},
            params={k: v for k, v in self.params.items() if k != ref},
            marks={k: v for k, v in self.marks.items() if k != ref},
            cases={k: v for k, v in self.cases.items() if k != ref},
        )


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that scoring a run again needs, but for what the user changes.

    ``has_set`` is False where the run's set is not in the workspace: what the run recorded of its
    expectations is all there is then. ``mark`` is the user's pass mark for systems without a rule.
    """

    run: Run
    project: Project
    has_set: bool
    mark: float

    @property
    def eval_set(self) -> EvalSet | None:
        """The set to score with, None where only the run itself says what was expected."""
        return self.project.eval_set if self.has_set else None

    @property
    def has_pass_rule(self) -> bool:
        """Whether the system itself says what passes."""
        return system_of(self.project.eval_set.format_id).has_pass_rule

    @property
    def policy(self) -> str:
        """The trajectory policy that the run had, "" for systems without any."""
        if self.project.eval_set.format_id != "harnest":
            return ""
        used = self.run.metadata.get("trajectory") if isinstance(self.run.metadata, dict) else None
        return used if used in POLICIES else DEFAULT_POLICY


def gather(workspace: Workspace, run: Run, path: str, set_path: str, mark: float) -> Material:
    """Return what a run is scored with; ``set_path`` is "" where its set is not here.

    Raises EvaldeskError where there is nothing to score with, and says what is missing.
    """
    if set_path:
        project = with_run(open_project(workspace, set_path), run)
        return Material(run, project, True, mark)
    return Material(run, _without_set(workspace, run, path), False, mark)


def checks_for_plan(
    material: Material, plan: Plan, judge: Judge | None = None
) -> tuple[Check, ...]:
    """Return the checks of a plan. Raises EvaldeskError where a parameter is not usable."""
    trials = _trial_checks(plan.trials)
    project = replace(material.project, own=(*material.project.own, *trials))
    found = checks_of(project, material.run, Choice(trajectory=plan.policy), judge)
    return tuple(
        with_cases(adjusted(check, plan.params.get(check.ref, {}), judge), plan)
        for check in found
        if not check.reports and check.ref not in plan.off
    )


def adjusted(check: Check, changes: Mapping[str, JsonValue], judge: Judge | None = None) -> Check:
    """Return a check with other parameters; raises EvaldeskError where one is not usable."""
    evaluator = check.evaluator
    if not changes or evaluator is None:
        return check
    try:
        params = type(evaluator.params).model_validate({**evaluator.params.model_dump(), **changes})
    except ValidationError as error:
        raise EvaldeskError(
            f"{check.label}: {first_fault(error, 'its parameters')}",
            hint="The result is that of the files.",
        ) from error
    rebuilt: Evaluator
    if isinstance(evaluator, JudgedEvaluator):
        rebuilt = type(evaluator)(params, evaluator.name, judge or evaluator.judge)
    else:
        rebuilt = type(evaluator)(params, evaluator.name)
    return replace(check, evaluator=rebuilt)


def with_cases(check: Check, plan: Plan) -> Check:
    """Return a check of ours with what the plan says of single cases."""
    changed = plan.cases.get(check.ref)
    return replace(check, by_case={**check.by_case, **changed}) if changed else check


def scoring_of(material: Material, plan: Plan, *, ask: bool = False, at_once: int = 8) -> Scoring:
    """Return how a plan scores."""
    return Scoring(
        pass_mark=None if material.has_pass_rule else material.mark,
        pass_marks=plan.marks,
        ask=ask,
        expectations="set" if material.has_set else "recorded",
        concurrency=at_once,
    )


def _trial_checks(trials: tuple[Trial, ...]) -> tuple[Check, ...]:
    listed: list[JsonValue] = [{"name": t.name, "kind": t.kind, "params": t.params} for t in trials]
    return read_checks({"evaldesk": 1, "checks": listed}) if listed else ()


def _without_set(workspace: Workspace, run: Run, path: str) -> Project:
    """Return the checks of a run whose set is not here: its files', its own, or those it scored."""
    beside = workspace.evaluators_of(path)
    stub = EvalSet(
        format_id=run.format_id,
        id=run.eval_set_id,
        name=run.eval_set_name,
        evaluator_refs=tuple(EvaluatorRef(ref=e.ref) for e in beside),
    )
    source = ", ".join(workspace.evaluator_files_of(path))
    project = Project(path, stub, beside, source=source, has_files=bool(beside))
    if not beside:
        recorded = with_run(project, run)
        own = recorded.source.startswith("the config")
        scored = recorded.configured if own else _scored(run)
        told = recorded.source if own else "the checks that the run scored"
        project = replace(project, configured=scored, source=told)
    if not project.configured or not _has_expectations(run):
        raise EvaldeskError(
            "The eval set of this run is not in this folder, and the run holds too little itself",
            hint="To score it again put the set, and its evaluator files, into the folder.",
        )
    return project


def _scored(run: Run) -> tuple[Configured, ...]:
    """Return the checks that a run's stored scores name, with their pass marks."""
    if run.format_id.startswith("uipath"):
        return ()
    found: dict[str, Score] = {}
    for case in run.cases:
        for score in (*case.scores, *(s for turn in case.invocations for s in turn.scores)):
            if not score.informational and score.threshold is not None:
                found.setdefault(score.evaluator, score)
    return tuple(
        Configured(
            ref=ref,
            name=score.evaluator_name or ref,
            native_type=ref,
            threshold=score.threshold,
            config={"threshold": score.threshold},
        )
        for ref, score in found.items()
    )


def _has_expectations(run: Run) -> bool:
    """Return whether a run recorded what was expected of any turn."""
    return any(
        turn.expected_output is not MISSING or turn.expected_tool_calls is not None
        for case in run.cases
        for turn in case.invocations
    )
