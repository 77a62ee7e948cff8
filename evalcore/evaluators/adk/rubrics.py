"""ADK's three checks against rubrics.

The rubrics of a turn are the criterion's, the case's and the turn's own; of the latter two only
those of the check's type. ADK 2.13 reads all verdicts by the last turn's list, and so does this.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk import prompts
from evalcore.evaluators.adk.base import (
    input_text,
    nothing_scored,
    over_turns,
    paired,
    text,
    with_cautions,
)
from evalcore.evaluators.adk.dialogue import conversation, instructions_of
from evalcore.evaluators.adk.judged import WORDS, AdkJudged
from evalcore.evaluators.adk.params import RubricParams
from evalcore.evaluators.adk.parsing import normalised, rubric_answers
from evalcore.evaluators.adk.recording import calls_of, declared_tools, recording
from evalcore.evaluators.adk.votes import (
    RubricVerdict,
    pooled,
    rubric_mean,
    rubric_means,
    rubric_votes,
)
from evalcore.evaluators.base import Need, NotApplicable, Outcome, Params, Sample, Turn
from evalcore.formats.adk.metrics import RUBRIC_TYPES
from evalcore.formats.adk.score_traps import with_cautions as told
from evalcore.jsontree import JsonArray, JsonObject
from evalcore.judges import JudgeError
from evalcore.model import Rubric
from evalcore.results import Score

LAST_TURN = "Judged once for the whole conversation, on its last turn."
BY_THE_LAST = (
    "ADK 2.13 reads verdicts by the last turn's rubrics only: none on {ids} counts in this turn."
)


class Judged(NamedTuple):
    """The score of a turn and the verdicts behind it."""

    score: Score
    verdicts: list[RubricVerdict]


class RubricCheck(AdkJudged):
    """A check of each turn: the mean of its rubrics; the case is the mean of all verdicts."""

    params_type: ClassVar[type[Params]] = RubricParams
    params: RubricParams
    rubric_type: ClassVar[str]
    instructions: ClassVar[str]

    def questions(self, sample: Sample) -> int:
        """One for each turn."""
        turns = paired(sample, required=False)
        return len([self.rubrics(sample, turn) for turn in turns])

    def evaluate(self, sample: Sample) -> Outcome:
        """Judge each turn. Raises NotApplicable or EvaldeskError as ``rubrics`` does for one."""
        turns = paired(sample, required=False)
        rubrics = [self.rubrics(sample, turn) for turn in turns]
        asked = [self.material(turn) for turn in turns]
        judged = [
            self.judge_turn(data, own, rubrics[-1])
            for data, own in zip(asked, rubrics, strict=True)
        ]
        scores = [turn.score for turn in judged]
        outcome = over_turns(self, scores, self.params.threshold)
        overall = self.overall([turn.verdicts for turn in judged])
        if overall.native is None:
            plain = outcome.overall.model_copy(update={"details": overall.details})
            return outcome._replace(overall=plain)
        overall = told(with_cautions(overall, scores), ignored_rubrics(sample, turns))
        return Outcome(overall=overall, turns=outcome.turns)

    @abstractmethod
    def material(self, turn: Turn) -> JsonObject:
        """Return what the judge sees of a turn, but for the rubrics."""

    def rubrics(self, sample: Sample, turn: Turn) -> tuple[Rubric, ...]:
        """Return the rubrics that apply to a turn.

        Raises NotApplicable without any, EvaldeskError if two have one id.
        """
        own = [
            Rubric(id=r.rubric_id, text=r.rubric_content.text_property or "", type=r.type)
            for r in self.params.rubrics
        ]
        theirs = turn_rubrics(sample, turn)
        effective = [*own, *(r for r in theirs if r.type == self.rubric_type)]
        again = repeated(effective)
        if again is not None:
            raise EvaldeskError(
                f"Two rubrics of one turn have the id {again!r}", hint="Rename one of them."
            )
        if not effective:
            raise NotApplicable(
                "There are no rubrics for a turn",
                hint=f"Those of cases and turns need the type {self.rubric_type}."
                if theirs
                else "Give the criterion rubrics, or the case or each of its turns.",
            )
        return tuple(effective)

    def judge_turn(
        self, data: JsonObject, own: Sequence[Rubric], readable: Sequence[Rubric]
    ) -> Judged:
        """Ask about a turn's own rubrics, and read what the ``readable`` ones let through."""
        listed: JsonArray = [{"id": rubric.id, "property": rubric.text} for rubric in own]
        try:
            answers = self.answers(self.instructions, {**data, "rubrics": listed})
        except JudgeError as error:
            return Judged(self.unjudged(error), [])
        samples = [read_verdicts(answer, readable) for answer in answers]
        verdicts = rubric_votes(samples)
        score = self.score(
            rubric_mean(verdicts),
            _lines(verdicts) or "No verdict could be read from the judge's answers.",
            threshold=self.params.threshold,
            cautions=unread(own, readable, verdicts),
            details={"rubric_scores": _listed(verdicts), "votes": _votes(verdicts, samples)},
        )
        return Judged(score, verdicts)

    def overall(self, turns: Sequence[Sequence[RubricVerdict]]) -> Score:
        """Return the case's score: that of all verdicts pooled, with each rubric's mean."""
        means = [RubricVerdict(i, mean) for i, mean in rubric_means(turns).items()]
        count = sum(verdict.score is not None for turn in turns for verdict in turn)
        return self.score(
            pooled(turns),
            f"Mean of {count} verdicts on {len(means)} rubrics.",
            threshold=self.params.threshold,
            details={"rubric_scores": _listed(means)},
        )


class ReplyRubrics(RubricCheck):
    """``rubric_based_final_response_quality_v1``: rubrics of the final reply."""

    kind = "adk.rubric_based_final_response_quality_v1"
    label = "Rubrics for the reply"
    help = "Does a judge find that the reply has these properties?"
    rubric_type = "FINAL_RESPONSE_QUALITY"
    instructions = prompts.RUBRICS_OF_REPLY

    def material(self, turn: Turn) -> JsonObject:
        """Return all that the agent knew, did and said."""
        record = recording(turn.actual)
        reply = [text(turn.actual.actual_output)]
        if self.params.include_intermediate_responses_in_final:
            reply = [*record.texts, *reply]
        return {
            "instructions": instructions_of(record),
            "tools": declared_tools(record.agents),
            "user": input_text(turn),
            "steps": calls_of(turn.actual),
            "grounding": [event.grounding for event in record.events if event.grounding],
            "reply": "\n".join(filter(None, reply)),
        }


class ToolUseRubrics(RubricCheck):
    """``rubric_based_tool_use_quality_v1``: rubrics of the calls of tools."""

    kind = "adk.rubric_based_tool_use_quality_v1"
    label = "Rubrics for tool use"
    help = "Does a judge find that the tools were used like this?"
    needs = frozenset({Need.TOOL_CALLS, Need.JUDGE})
    rubric_type = "TOOL_USE_QUALITY"
    instructions = prompts.RUBRICS_OF_TOOL_USE

    def material(self, turn: Turn) -> JsonObject:
        """Return the calls and what they returned."""
        return {
            "tools": declared_tools(recording(turn.actual).agents),
            "user": input_text(turn),
            "steps": calls_of(turn.actual),
        }


class ConversationRubrics(RubricCheck):
    """``rubric_based_multi_turn_trajectory_quality_v1``: rubrics of the whole conversation.

    The rubrics are those of the last turn, which carries the verdict; the others have none.
    """

    kind = "adk.rubric_based_multi_turn_trajectory_quality_v1"
    label = "Rubrics for the conversation"
    help = "Does a judge find that the whole conversation is like this?"
    rubric_type = "TRAJECTORY_QUALITY"
    instructions = prompts.RUBRICS_OF_CONVERSATION

    def questions(self, sample: Sample) -> int:
        """One for the conversation."""
        turns = paired(sample, required=False)
        return 1 if turns and self.rubrics(sample, turns[-1]) else 0

    def evaluate(self, sample: Sample) -> Outcome:
        """Judge the conversation once."""
        turns = paired(sample, required=False)
        if not turns:
            return Outcome(overall=nothing_scored(self, ()))
        rubrics = self.rubrics(sample, turns[-1])
        judged = self.judge_turn(conversation(turns), rubrics, rubrics)
        earlier = [self.score(None, LAST_TURN)] * (len(turns) - 1)
        overall = told(judged.score, ignored_rubrics(sample, turns))
        return Outcome(overall=overall, turns=(*earlier, judged.score))

    def material(self, turn: Turn) -> JsonObject:
        """Return a conversation of one turn."""
        return conversation([turn])


def turn_rubrics(sample: Sample, turn: Turn) -> tuple[Rubric, ...]:
    """Return the rubrics that the case and the turn give a turn, whatever their type.

    Raises EvaldeskError where both have one id. ADK aborts the whole run then.
    """
    own = turn.expected.rubrics if turn.expected is not None else ()
    found = (*sample.case.rubrics, *own)
    again = repeated(found)
    if again is not None:
        raise EvaldeskError(
            f"Two rubrics of the case and its turn have the id {again!r}",
            hint="Rename one of them: ADK aborts a whole run for it.",
        )
    return found


def ignored_rubrics(sample: Sample, turns: Sequence[Turn]) -> list[str]:
    """Return a caution for rubrics of a type that no check reads, or of none."""
    own = [rubric for turn in turns if turn.expected for rubric in turn.expected.rubrics]
    ids = [r.id for r in (*sample.case.rubrics, *own) if r.type not in RUBRIC_TYPES]
    names = ", ".join(dict.fromkeys(ids))
    return [f"Ignored, as their type is none that a check reads: {names}."] if ids else []


def repeated(rubrics: Sequence[Rubric]) -> str | None:
    """Return the first id that occurs twice, None if each occurs once."""
    seen: set[str] = set()
    for rubric in rubrics:
        if rubric.id in seen:
            return rubric.id
        seen.add(rubric.id)
    return None


def read_verdicts(answer: str, rubrics: Sequence[Rubric]) -> list[RubricVerdict]:
    """Return the verdicts of an answer on these rubrics, found by id or else by their text."""
    by_id = {rubric.id: rubric for rubric in rubrics}
    by_text = {normalised(rubric.text): rubric for rubric in rubrics}
    verdicts = []
    for said in rubric_answers(answer):
        rubric = by_id.get(said.rubric_id) if said.rubric_id else None
        rubric = rubric or by_text.get(normalised(said.property_text))
        if rubric is not None:
            verdicts.append(RubricVerdict(rubric.id, said.score, said.rationale))
    return verdicts


def unread(
    own: Sequence[Rubric], readable: Sequence[Rubric], verdicts: Sequence[RubricVerdict]
) -> list[str]:
    """Return what there is to say of a turn's own rubrics that got no score."""
    ids = {rubric.id for rubric in readable}
    texts = {normalised(rubric.text) for rubric in readable}
    scored = {verdict.rubric_id for verdict in verdicts if verdict.score is not None}
    lost = [r.id for r in own if r.id not in ids and normalised(r.text) not in texts]
    silent = [r.id for r in own if r.id in ids and r.id not in scored]
    cautions = [BY_THE_LAST.format(ids=", ".join(lost))] if lost else []
    if silent:
        cautions.append(f"The judge's answers say nothing usable of {', '.join(silent)}.")
    return cautions


def _listed(verdicts: Sequence[RubricVerdict]) -> JsonArray:
    return [
        {"rubric_id": v.rubric_id, "score": v.score, "rationale": v.rationale} for v in verdicts
    ]


def _votes(
    verdicts: Sequence[RubricVerdict], samples: Sequence[Sequence[RubricVerdict]]
) -> JsonObject:
    cast = [verdict for sample in samples for verdict in sample]
    return {v.rubric_id: [c.score for c in cast if c.rubric_id == v.rubric_id] for v in verdicts}


def _lines(verdicts: Sequence[RubricVerdict]) -> str:
    return "\n".join(
        f"{v.rubric_id}: {WORDS[v.score]}" + (f" ({v.rationale})" if v.rationale else "")
        for v in verdicts
    )
