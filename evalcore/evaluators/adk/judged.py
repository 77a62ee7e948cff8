"""What ADK's judged checks have in common, and the two that judge one reply at a time.

Where ADK leaves a turn not evaluated because an answer could not be had, the turn's verdict here is
``error``, with the reason; ``verdicts.adk_status`` gives ADK's word for it.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Sequence
from statistics import mean
from typing import ClassVar

from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk import prompts
from evalcore.evaluators.adk.base import expected_of, input_text, over_turns, paired, text
from evalcore.evaluators.adk.grounding import Claim, claims
from evalcore.evaluators.adk.params import (
    GENERATION_SETTINGS,
    HallucinationParams,
    JudgedParams,
    ReplyParams,
    setting,
)
from evalcore.evaluators.adk.parsing import SentenceLabel, reply_label, sentence_labels, sentences
from evalcore.evaluators.adk.recording import recording
from evalcore.evaluators.adk.votes import majority
from evalcore.evaluators.base import JudgedEvaluator, Need, Outcome, Params, Sample, Turn
from evalcore.jsontree import JsonArray, JsonObject, JsonValue
from evalcore.judges import JudgeError, JudgeRequest, Message
from evalcore.results import InvocationResult, Score, Verdict

WORDS = {1.0: "yes", 0.0: "no", None: "no answer"}


class AdkJudged(JudgedEvaluator):
    """A check that asks a judge ``num_samples`` times per question."""

    needs = frozenset({Need.OUTPUT, Need.JUDGE})
    params_type: ClassVar[type[Params]] = JudgedParams
    params: JudgedParams

    def calls(self, sample: Sample) -> int:
        """Return how many answers the case needs, 0 if it cannot be judged at all."""
        try:
            return self.questions(sample) * self.samples
        except EvaldeskError:
            return 0

    @abstractmethod
    def questions(self, sample: Sample) -> int:
        """Return how many questions the case needs; raises EvaldeskError like ``evaluate``."""

    @property
    def samples(self) -> int:
        """How often each question is asked."""
        return self.params.judge_model_options.num_samples

    def answers(self, instructions: str, data: JsonObject) -> list[str]:
        """Return the judge's answers; raises JudgeError at the first that it does not give."""
        return [self.answer(instructions, data, number) for number in range(self.samples)]

    def answer(self, instructions: str, data: JsonObject, number: int = 0) -> str:
        """Return one answer to a question about some material; raises JudgeError without one."""
        options = self.params.judge_model_options
        config = options.judge_model_config
        temperature = setting(config, "temperature")
        limit = setting(config, "max_output_tokens")
        known = {there: setting(config, here) for here, there in GENERATION_SETTINGS.items()}
        request = JudgeRequest(
            model=options.judge_model,
            messages=(
                Message(role="system", content=instructions),
                Message(role="user", content=json.dumps(data, ensure_ascii=False, indent=2)),
            ),
            temperature=temperature if isinstance(temperature, (int, float)) else None,
            max_tokens=limit if isinstance(limit, int) else None,
            options={name: value for name, value in known.items() if value is not None},
            sample=number,
        )
        return self.ask(request).text

    def unjudged(self, error: JudgeError) -> Score:
        """Return the score of a turn for which there is no answer: an error, and no number."""
        return self.score(None, str(error), threshold=self.params.threshold).model_copy(
            update={"verdict": Verdict.ERROR}
        )

    def voted(self, labels: Sequence[float | None]) -> Score:
        """Return the majority's score of a turn, with the votes."""
        score = majority(labels)
        votes: JsonArray = list(labels)
        words = ", ".join(WORDS[label] for label in labels)
        tie = labels.count(1.0) == labels.count(0.0) != 0
        return self.score(
            score,
            f"The judge's answers: {words}.",
            threshold=self.params.threshold,
            cautions=["The answers tie: that counts as a no."] if tie else (),
            details={"votes": votes},
        )


class FinalResponseMatch(AdkJudged):
    """``final_response_match_v2``: does a judge take the reply for as good as the expected one?"""

    kind = "adk.final_response_match_v2"
    label = "Reply means the same"
    help = "Does a judge find that the reply says what the expected reply says?"
    params_type: ClassVar[type[Params]] = ReplyParams
    params: ReplyParams

    def questions(self, sample: Sample) -> int:
        """One for each turn."""
        return len(paired(sample, required=True))

    def evaluate(self, sample: Sample) -> Outcome:
        """Judge each turn; the case is the mean of those that have a score."""
        turns = [self.turn(turn) for turn in paired(sample, required=True)]
        return over_turns(self, turns, self.params.threshold)

    def turn(self, turn: Turn) -> Score:
        """Ask about one reply; the user's message is the one that is expected."""
        expected = expected_of(turn)
        reference = [text(expected.expected_output)]
        reply = [text(turn.actual.actual_output)]
        if self.params.include_intermediate_responses_in_final:
            reference = [*expected.intermediate_responses, *reference]
            reply = [*recording(turn.actual).texts, *reply]
        data: JsonObject = {
            "user": text(expected.input) or input_text(turn),
            "reply": "\n".join(filter(None, reply)),
            "reference": "\n".join(filter(None, reference)),
        }
        try:
            labels = [reply_label(answer) for answer in self.answers(prompts.REPLY, data)]
        except JudgeError as error:
            return self.unjudged(error)
        return self.voted(labels)


class Hallucinations(AdkJudged):
    """``hallucinations_v1``: the share of sentences that the context supports.

    Each text takes two questions, asked once: what its sentences are, and which are supported.
    """

    kind = "adk.hallucinations_v1"
    label = "Grounded in the context"
    help = "Does a judge find every claim of the reply in what the agent knew?"
    params_type: ClassVar[type[Params]] = HallucinationParams
    params: HallucinationParams

    @property
    def samples(self) -> int:
        """ADK asks once, whatever is configured."""
        return 1

    def questions(self, sample: Sample) -> int:
        """Two for each text."""
        return 2 * sum(len(self._claims(t.actual)) for t in paired(sample, required=False))

    def evaluate(self, sample: Sample) -> Outcome:
        """Judge each text; a turn is the mean of its texts, the case of its turns."""
        turns = [self.turn(turn) for turn in paired(sample, required=False)]
        return over_turns(self, turns, self.params.threshold, mean)

    def turn(self, turn: Turn) -> Score:
        """Judge the texts of a turn; those that cannot be judged do not count."""
        found: list[list[SentenceLabel]] = []
        errors: list[JudgeError] = []
        for claim in self._claims(turn.actual):
            try:
                found.append(self._labels(claim))
            except JudgeError as error:
                errors.append(error)
        shares = [share for labels in found if (share := supported_share(labels)) is not None]
        if not shares and errors:
            return self.unjudged(errors[0])
        return self._turn_score(shares, [label for labels in found for label in labels], errors)

    def _turn_score(
        self,
        shares: Sequence[float],
        labels: Sequence[SentenceLabel],
        errors: Sequence[JudgeError],
    ) -> Score:
        counts = sum(label.score == 1 for label in labels)
        known = sum(label.score is not None for label in labels)
        cautions = [f"A text could not be judged and does not count: {e}" for e in errors]
        if len(labels) > known:
            cautions.append(f"{len(labels) - known} sentences have an unknown label, not counted.")
        listed: JsonArray = [
            {"sentence": s.sentence, "label": s.label, "rationale": s.rationale} for s in labels
        ]
        return self.score(
            mean(shares) if shares else None,
            f"{counts} of {known} sentences need no more support."
            if shares
            else "There is no sentence with a label.",
            threshold=self.params.threshold,
            cautions=cautions,
            details={"rubric_scores": [], "sentences": listed},
        )

    def _claims(self, turn: InvocationResult) -> list[Claim]:
        return claims(turn, on_the_way=self.params.evaluate_intermediate_nl_responses)

    def _labels(self, claim: Claim) -> list[SentenceLabel]:
        split: list[JsonValue] = []
        split += sentences(self.answer(prompts.SENTENCES, {"text": claim.text}))
        if not split:
            raise JudgeError("The judge found no sentences in the text")
        data: JsonObject = {"context": claim.context, "sentences": split}
        return sentence_labels(self.answer(prompts.GROUNDING, data))


def supported_share(labels: Sequence[SentenceLabel]) -> float | None:
    """Return the share of labelled sentences that need no more support, None without any."""
    scores = [label.score for label in labels if label.score is not None]
    return float(mean(scores)) if scores else None
