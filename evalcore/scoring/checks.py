"""The checks to score with: those of a set's project as configured, and as a user changes them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk.criteria import with_policy
from evalcore.evaluators.base import Evaluator, JudgedEvaluator
from evalcore.jsontree import JsonValue
from evalcore.judges import Judge
from evalcore.model import EvalSet
from evalcore.model import Evaluator as Configured
from evalcore.scoring.systems import Harnest, System, system_of

DEFAULT_POLICY = "business"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Check:
    """One check to score with.

    ``ref`` joins its scores to those of result files, ``label`` is its name for people.
    ``evaluator`` is None where it cannot be computed here: ``problem`` then says why. ``is_own``
    marks a check of Evaldesk's own, ``reports`` one that neither passes nor fails. ``by_case``
    says what a case expects of a check of ours in particular; null switches it off there.
    """

    ref: str
    label: str
    evaluator: Evaluator | None
    problem: str = ""
    hint: str = ""
    is_own: bool = False
    reports: bool = False
    by_case: Mapping[str, JsonValue] = field(default_factory=dict)
    stored_mark: float | None = None
    """The pass mark against which its stored scores are held, where it cannot be computed here."""

    @property
    def is_judged(self) -> bool:
        """Whether it asks a judge."""
        return isinstance(self.evaluator, JudgedEvaluator)

    @property
    def mark(self) -> float | None:
        """Its own pass mark on its own scale, None where it has none."""
        if self.evaluator is None:
            return self.stored_mark
        found = getattr(self.evaluator.params, "threshold", None)
        return float(found) if isinstance(found, (int, float)) else None

    @property
    def settings(self) -> str:
        """Everything that decides its scores, as one text: equal texts give equal scores."""
        if self.evaluator is None:
            return f"{self.ref} {self.problem}"
        given = self.evaluator.params.model_dump(mode="json")
        return f"{self.evaluator.kind} {self.ref} {json.dumps(given, sort_keys=True)}"

    @property
    def settings_but_mark(self) -> str:
        """The same without the pass mark, which changes verdicts and no numbers."""
        if self.evaluator is None:
            return self.settings
        given = self.evaluator.params.model_dump(mode="json", exclude={"threshold"})
        return f"{self.evaluator.kind} {self.ref} {json.dumps(given, sort_keys=True)}"

    def answers_to(self, name: str) -> bool:
        """Return whether a user means this check by a name: its ref or its label."""
        return name.casefold() in (self.ref.casefold(), self.label.casefold())


@dataclass(frozen=True, slots=True)
class Choice:
    """How the user wants a project's checks run.

    ``only`` names checks by ref or label, all if empty. ``thresholds`` and ``match_modes`` are by
    the same names; ``trajectory`` is Harnest's policy, ``business`` or ``strict``.
    """

    only: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    match_modes: Mapping[str, str] = field(default_factory=dict)
    trajectory: str = ""


def checks_for(
    eval_set: EvalSet,
    configured: Sequence[Configured],
    own: Sequence[Check] = (),
    choice: Choice | None = None,
    judge: Judge | None = None,
) -> tuple[Check, ...]:
    """Return the checks that apply to a set, in the order in which its system runs them.

    ``configured`` are those of the project's files, ``own`` those of Evaldesk's. A check that
    cannot be computed here is among them with its problem. Raises EvaldeskError for a choice that
    fits none of them, and for an unknown policy.
    """
    choice = choice or Choice()
    system = system_of(eval_set.format_id)
    found = _under_policy(system, system.loaded(configured, eval_set), choice.trajectory)
    changed = [_chosen(system, item, choice) for item in found]
    checks = [
        *(_check(system, item, judge) for item in changed),
        *(_own(check, choice) for check in own),
    ]
    _require_known(checks, choice)
    reported = [_reported(evaluator) for evaluator in system.reported()]
    if choice.only:
        return tuple(c for c in (*checks, *reported) if _is_named(c, choice.only))
    return (*checks, *reported)


def _under_policy(
    system: System, configured: tuple[Configured, ...], policy: str
) -> tuple[Configured, ...]:
    if isinstance(system, Harnest):
        return with_policy(configured, policy or DEFAULT_POLICY)
    if policy:
        raise EvaldeskError(
            f"{system.label} has no trajectory policies",
            hint="Leave it out: only Harnest has them.",
        )
    return configured


def _chosen(system: System, configured: Configured, choice: Choice) -> Configured:
    names = (configured.ref, configured.name)
    threshold = _by_name(choice.thresholds, names)
    match = _by_name(choice.match_modes, names)
    if threshold is None and match is None:
        return configured
    return system.adjusted(configured, threshold, match)


def _by_name(given: Mapping[str, T], names: Iterable[str]) -> T | None:
    folded = {name.casefold() for name in names}
    return next((value for name, value in given.items() if name.casefold() in folded), None)


def _check(system: System, configured: Configured, judge: Judge | None) -> Check:
    try:
        evaluator = system.build(configured, judge)
    except EvaldeskError as error:
        mark = system.stored_mark(configured)
        told = (error.message, error.hint)
        return Check(configured.ref, configured.name, None, *told, stored_mark=mark)
    return Check(configured.ref, configured.name, evaluator)


def _reported(evaluator: Evaluator) -> Check:
    return Check(evaluator.name, evaluator.label, evaluator, reports=True)


def _own(check: Check, choice: Choice) -> Check:
    threshold = _by_name(choice.thresholds, (check.ref, check.label))
    if threshold is None or check.evaluator is None:
        return check
    params = check.evaluator.params.model_copy(update={"threshold": threshold})
    return replace(check, evaluator=type(check.evaluator)(params, check.evaluator.name))


def _require_known(checks: Sequence[Check], choice: Choice) -> None:
    for name in (*choice.only, *choice.thresholds, *choice.match_modes):
        if not any(check.answers_to(name) for check in checks):
            known = ", ".join(check.ref for check in checks) or "none"
            raise EvaldeskError(
                f"No check of this set is called {name!r}", hint=f"Its checks are: {known}."
            )


def _is_named(check: Check, names: Iterable[str]) -> bool:
    return any(check.answers_to(name) for name in names)
