"""What each system does around its checks: which run, on which cases, and what they come to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from enum import Enum
from typing import Final, Literal, NamedTuple

from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator
from evalcore.evaluators.adk import criteria as adk_criteria
from evalcore.evaluators.adk import verdicts as adk_verdicts
from evalcore.evaluators.adk.cloud import CloudCheck
from evalcore.evaluators.base import Evaluator
from evalcore.evaluators.tenxgraph import presets
from evalcore.evaluators.tenxgraph import totals as tenxgraph_totals
from evalcore.evaluators.tenxgraph.files import from_evaluator
from evalcore.evaluators.uipath.files import from_file
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.tenxgraph.config_checks import is_on
from evalcore.formats.tenxgraph.evaluators import read_evaluators
from evalcore.formats.tenxgraph.report_facts import CAPTURE_LOST, is_given
from evalcore.jsontree import MISSING, JsonObject
from evalcore.judges import Judge
from evalcore.model import EvalCase, EvalSet, MaybeJson
from evalcore.model import Evaluator as Configured
from evalcore.results import CaseResult, Score, Verdict


class NotAsked(Enum):
    """The criterion of a check that a system does not run on a case."""

    NOT_ASKED = "not asked"


NOT_ASKED: Final = NotAsked.NOT_ASKED


class CaseOutcome(NamedTuple):
    """What a case comes to. ``theirs`` is the system's own word, "" where it has none."""

    verdict: Verdict | None
    theirs: str = ""
    notes: tuple[str, ...] = ()


class System(ABC):
    """One system's rules; ``home`` says where its result files keep a case's scores."""

    id: str
    label: str
    home: Literal["case", "turn"] = "case"
    joins_turns: bool = False
    """Whether checks look at all turns together, however many the run has recorded."""
    has_pass_rule: bool = True
    config_name: str = ""
    """The one file beside a set that configures its checks, "" where there is no such name."""
    errors_hit_all: bool = False
    """Whether a case that fails is an error of every check, those that it does not ask included."""

    @abstractmethod
    def build(self, configured: Configured, judge: Judge | None) -> Evaluator:
        """Return the check that is configured.

        Raises UnknownEvaluator for one that is not computed here, EvaldeskError for settings that
        the system refuses too.
        """

    @abstractmethod
    def verdict(self, scores: Sequence[Score]) -> CaseOutcome:
        """Return what the scores of a whole case come to by the system's own rule."""

    def adjusted(
        self, configured: Configured, threshold: float | None, match: str | None
    ) -> Configured:
        """Return a check with another threshold or match mode; None keeps it."""
        config = configured.config
        settings: JsonObject = dict(config) if isinstance(config, dict) else {}
        if not settings and config is not MISSING and not isinstance(config, dict):
            settings = {"threshold": config}
        if threshold is not None:
            settings["threshold"] = threshold
        if match is not None:
            settings.pop("matchType", None)
            settings["match_type"] = match
        mark = configured.threshold if threshold is None else threshold
        return configured.model_copy(update={"config": settings, "threshold": mark})

    def loaded(self, configured: Sequence[Configured], of: EvalSet) -> tuple[Configured, ...]:
        """Return those of a project's checks that the system runs for a set."""
        return tuple(configured)

    def reported(self) -> tuple[Evaluator, ...]:
        """Return the checks that the system adds to every run."""
        return ()

    def default(self) -> tuple[Configured, ...]:
        """Return the checks that apply where no file configures any."""
        return ()

    def criterion(self, ref: str, name: str, case: EvalCase) -> MaybeJson | NotAsked:
        """Return what a case expects of a check in particular."""
        return MISSING

    def kept(self, score: Score) -> Score:
        """Return a stored score as it counts where its check is not run again."""
        return score

    def stored_mark(self, configured: Configured) -> float | None:
        """Return the pass mark for stored scores of a check that is not computed here.

        None where the check passes by a rule of its own.
        """
        return None

    def doubts(self, result: CaseResult) -> tuple[str, ...]:
        """Return why what was recorded of a case may not be what happened."""
        return ()

    def unfinished(self, result: CaseResult) -> str:
        """Return why a result has nothing to score although nothing failed, "" if it has."""
        return ""

    def crashed(self, result: CaseResult) -> str:
        """Return why the run of a case failed before it could be scored, "" if it did not."""
        return result.error or ""


class Adk(System):
    """One failure fails a case, else one pass passes it; what is not evaluated does not count."""

    id = "adk"
    label = "Google ADK"
    config_name = "test_config.json"

    def build(self, configured: Configured, judge: Judge | None) -> Evaluator:
        """Return the check of a criterion; one that only Google's cloud computes is unknown."""
        evaluator = adk_criteria.evaluator_of(configured, judge)
        if isinstance(evaluator, CloudCheck):
            raise UnknownEvaluator(
                f"{evaluator.label} is computed by Google's Vertex AI and cannot be computed here",
                hint="Its stored scores are shown as they are.",
            )
        return evaluator

    def stored_mark(self, configured: Configured) -> float | None:
        """Return the threshold of a metric of ADK; a function of the project has its own rule."""
        return configured.threshold if configured.native_type in METRICS else None

    def verdict(self, scores: Sequence[Score]) -> CaseOutcome:
        """Return ADK's case status; checks without a score are named beside a pass."""
        verdict = adk_verdicts.case_verdict(scores)
        missing = adk_verdicts.unscored(scores)
        notes: tuple[str, ...] = ()
        if verdict is Verdict.PASSED and missing:
            notes = (f"Passed, but these have no score: {', '.join(missing)}.",)
        return CaseOutcome(verdict, verdict.value, notes)

    def reported(self) -> tuple[Evaluator, ...]:
        """Return the efficiency checks."""
        return adk_criteria.always_reported()

    def default(self) -> tuple[Configured, ...]:
        """Return the trajectory and the response match."""
        return adk_criteria.default_criteria()


class Harnest(Adk):
    """ADK's rules under a trajectory policy, which ``Choice`` in ``checks`` applies."""

    id = "harnest"
    label = "Harnest"


class TenXGraph(System):
    """Every criterion must pass. Turns are scored together."""

    id = "tenxgraph"
    label = "10xGraph"
    joins_turns = True

    def build(self, configured: Configured, judge: Judge | None) -> Evaluator:
        """Return the check of a criterion."""
        return from_evaluator(configured, judge)

    def verdict(self, scores: Sequence[Score]) -> CaseOutcome:
        """Return the verdict, with what 10xGraph calls the case where that differs."""
        found = tenxgraph_totals.case_verdict(scores)
        return CaseOutcome(found.verdict, found.theirs, (found.caution,) if found.caution else ())

    def doubts(self, result: CaseResult) -> tuple[str, ...]:
        """Return that 10xGraph lost what happened, as it does when cases run at once."""
        turns = result.invocations
        lost = all(turn.actual_output == "" and turn.node_visits == () for turn in turns)
        return (CAPTURE_LOST,) if turns and lost and result.error is None else ()

    def kept(self, score: Score) -> Score:
        """Return a score that judged nothing as not evaluated, whatever number it was given."""
        if score.verdict is Verdict.ERROR or not is_given(score.details):
            return score
        return score.model_copy(update={"verdict": Verdict.NOT_EVALUATED, "value": None})

    def loaded(self, configured: Sequence[Configured], of: EvalSet) -> tuple[Configured, ...]:
        """Return the criteria that are switched on."""
        return tuple(c for c in configured if not _is_switched_off(c.config))

    def default(self) -> tuple[Configured, ...]:
        """Return what 10xGraph runs without a config: a trajectory and a judge of the reply."""
        return read_evaluators(presets.default())


class UiPath(System):
    """A check runs on the cases that have criteria for it; nothing says what passes."""

    id = "uipath"
    label = "UiPath"
    home = "turn"
    has_pass_rule = False
    errors_hit_all = True

    def build(self, configured: Configured, judge: Judge | None) -> Evaluator:
        """Return the check of an evaluator file."""
        if not isinstance(configured.config, dict):
            raise EvaldeskError(f"The file of {configured.name} holds no evaluator")
        return from_file(configured.config, judge)

    def adjusted(
        self, configured: Configured, threshold: float | None, match: str | None
    ) -> Configured:
        """Return the check as it is: a threshold is a pass mark of the user's here.

        Raises EvaldeskError for a match mode, which no evaluator of UiPath has.
        """
        if match is not None:
            raise EvaldeskError(f"{configured.name} has no match mode")
        return configured

    def loaded(self, configured: Sequence[Configured], of: EvalSet) -> tuple[Configured, ...]:
        """Return the evaluators that the set refers to, in the set's order."""
        by_ref = {c.ref.casefold(): c for c in configured}
        refs = [ref.ref.casefold() for ref in of.evaluator_refs]
        return tuple(by_ref[ref] for ref in dict.fromkeys(refs) if ref in by_ref)

    def criterion(self, ref: str, name: str, case: EvalCase) -> MaybeJson | NotAsked:
        """Return the case's criteria for a check, by its id; NOT_ASKED without."""
        folded = {key.casefold(): value for key, value in case.criteria.items()}
        return case.criteria.get(ref, folded.get(ref.casefold(), NOT_ASKED))

    def unfinished(self, result: CaseResult) -> str:
        """Return that a case waits for someone."""
        return "The case was suspended." if result.stored_status == "suspended" else ""

    def crashed(self, result: CaseResult) -> str:
        """Return why a case failed; not that its checks did, which they may not do again."""
        whole = [s for turn in result.invocations for s in turn.scores if s.line is None]
        if whole and all(s.verdict is Verdict.ERROR and s.details is not MISSING for s in whole):
            return ""
        return result.error or ""

    def verdict(self, scores: Sequence[Score]) -> CaseOutcome:
        """Return the worst verdict that the pass marks give; None where there is no mark."""
        found = {score.verdict for score in scores if not score.informational}
        for verdict in (Verdict.ERROR, Verdict.FAILED):
            if verdict in found:
                return CaseOutcome(verdict)
        if None in found:
            return CaseOutcome(None)
        return CaseOutcome(Verdict.PASSED if Verdict.PASSED in found else Verdict.NOT_EVALUATED)


class UiPathLowCode(UiPath):
    """Every check of the set runs on every case, against the case's expected output."""

    def criterion(self, ref: str, name: str, case: EvalCase) -> MaybeJson | NotAsked:
        """Return MISSING: a low-code case states nothing for a check in particular."""
        return MISSING


SYSTEMS: Final[dict[str, System]] = {
    "adk": Adk(),
    "harnest": Harnest(),
    "tenxgraph": TenXGraph(),
    "uipath_coded": UiPath(),
    "uipath_lowcode": UiPathLowCode(),
}


def system_of(format_id: str) -> System:
    """Return the system whose files a format reads; raises EvaldeskError for one without checks."""
    found = SYSTEMS.get(format_id)
    if found is None:
        raise EvaldeskError(
            f"Sets of the format {format_id!r} cannot be scored here",
            hint=f"Formats with checks: {', '.join(SYSTEMS)}.",
        )
    return found


def _is_switched_off(config: MaybeJson) -> bool:
    return isinstance(config, dict) and not is_on(config)
