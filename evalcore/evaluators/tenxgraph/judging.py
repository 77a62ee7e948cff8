"""How 10xGraph asks a judge: the same question some times over, and the plain mean of the scores.

What 10xGraph hides is an error here: where it finds no judge, or cannot read the answer, it counts
0.5. A score that is no number leaves its sample out, and a missing one counts 0, there and here.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import JudgedEvaluator, Need, Params, Sample
from evalcore.evaluators.measures.sums import mean
from evalcore.evaluators.tenxgraph.base import Criterion, WholeCase, final_reply
from evalcore.formats.tenxgraph.names import DEFAULT_JUDGE
from evalcore.jsontree import JsonObject, JsonValue
from evalcore.judges import Failure, JudgeError, JudgeRequest, Message
from evalcore.results import Remarks, Score

TEMPERATURE: Final = 0.3
LONGEST_ANSWER: Final = 1024
_PREFIXES: Final = ("gemini/", "google/", "openai/", "gpt/", "anthropic/", "claude/")
_CLAUDE: Final = ("claude-", "claude/", "anthropic.", "anthropic/")
NO_JSON_HINT: Final = "10xGraph counts 0.5 for this. Use a model that answers in JSON."


class JudgeCriterion(Criterion):
    """Parameters that every judge has."""

    judge_model: str = Field(DEFAULT_JUDGE, title="Model", description="The judge.")


class SampledCriterion(JudgeCriterion):
    """Parameters of a judge that is asked several times."""

    num_samples: int = Field(3, title="Samples", description="The score is their mean.")


class Answer(NamedTuple):
    """What a judge said once: its number, that number as written, and all of its answer."""

    score: float
    written: JsonValue
    said: JsonObject

    @property
    def reasoning(self) -> JsonValue:
        """The judge's own words, "" if it gave none."""
        return self.said.get("reasoning", "")


class Prompted(NamedTuple):
    """A question, and what is odd about what it asks."""

    text: str
    cautions: Sequence[str] = ()


class Skipped(NamedTuple):
    """Why the judge is not asked: 10xGraph's own note, and what it means."""

    note: str
    reason: str


EMPTY_REPLY: Final = Skipped(
    "No response to evaluate", "The agent's reply is empty: there is nothing to judge."
)


class JudgedCase(WholeCase, JudgedEvaluator):
    """A judge that gives one number for a case."""

    needs = frozenset({Need.OUTPUT, Need.JUDGE})
    params: JudgeCriterion
    params_type: ClassVar[type[Params]] = JudgeCriterion

    def calls(self, sample: Sample) -> int:
        """Return how many samples would be taken; none where nothing would be judged."""
        try:
            return 0 if self.skips(sample) else self.samples
        except EvaldeskError:
            return 0

    @property
    def samples(self) -> int:
        """How often the judge is asked."""
        return 1

    def measure(self, sample: Sample) -> Score:
        """Ask the judge, unless there is nothing to judge."""
        skipped = self.skips(sample)
        if skipped:
            note: JsonObject = {"note": skipped.note}
            return self.measured(1.0, partial(Remarks, skipped.reason, details=note), given=1.0)
        asked = self.asks(sample)
        answers, dropped = self._answers(asked.text)
        if not answers:
            raise no_score(self.samples, dropped)
        value = mean(answer.score for answer in answers)
        cautions = (
            *asked.cautions,
            *self._on_model(),
            *_on_samples(answers, dropped, self.params.threshold),
            *self.doubts(answers, value),
        )
        details = self.details(answers, value)
        return self.measured(value, partial(Remarks, _reason(answers), cautions, details))

    def skips(self, sample: Sample) -> Skipped | None:
        """Return why there is nothing to judge, None if there is."""
        return None if final_reply(sample) else EMPTY_REPLY

    def asks(self, sample: Sample) -> Prompted:
        """Return what the judge is asked about a case."""
        raise TypeError(f"{type(self).__name__} does not say what it asks")

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return what 10xGraph writes beside the score. Raises EvaldeskError where it crashes."""
        return {"samples": len(answers), "reasonings": [answer.reasoning for answer in answers]}

    def doubts(self, answers: Sequence[Answer], value: float) -> Iterable[str]:
        """Return what in the answers contradicts the score."""
        return ()

    def _answers(self, question: str) -> tuple[list[Answer], list[str]]:
        """Return the answers with a score, and what is wrong with the others."""
        answers: list[Answer] = []
        dropped: list[str] = []
        for number in range(self.samples):
            said = self._said(question, number)
            try:
                answers.append(read_score(said))
            except (TypeError, ValueError, OverflowError) as error:
                dropped.append(f"sample {number + 1}: {error}")
        return answers, dropped

    def _said(self, question: str, number: int) -> JsonValue:
        request = JudgeRequest(
            model=bare_model(self.params.judge_model),
            messages=(Message(role="user", content=question),),
            temperature=TEMPERATURE,
            max_tokens=LONGEST_ANSWER,
            json_mode=True,
            sample=number,
        )
        return read_json(self.ask(request).text)

    def _on_model(self) -> list[str]:
        if not self.params.judge_model.startswith(_CLAUDE):
            return []
        return ["10xGraph never asks Claude judges: its own score would be 0.5."]


class SampledCase(JudgedCase):
    """A judge that is asked several times."""

    params: SampledCriterion
    params_type: ClassVar[type[Params]] = SampledCriterion

    @property
    def samples(self) -> int:
        """How often the judge is asked; without a sample there is no score."""
        return max(0, self.params.num_samples)


def bare_model(name: str) -> str:
    """Return a model's name without the provider that 10xGraph reads from its beginning."""
    return next((name[len(p) :] for p in _PREFIXES if name.startswith(p)), name)


def read_json(text: str) -> JsonValue:
    """Return a judge's answer, which must be JSON and nothing else; raises JudgeError."""
    try:
        said: JsonValue = json.loads(text)
    except ValueError as error:
        shown = text.strip()[:120]
        what = f"is no JSON: {shown}" if shown else "is empty"
        raise JudgeError(
            f"The judge's answer {what}", hint=NO_JSON_HINT, failure=Failure.UNPARSABLE
        ) from error
    return said


def read_score(said: JsonValue) -> Answer:
    """Return the score in an answer: whatever Python's ``float`` reads, and 0 where there is none.

    Raises TypeError or ValueError for what 10xGraph leaves out, JudgeError for NaN and infinity.
    """
    if not isinstance(said, dict):
        raise TypeError("the answer is no object")
    written: Any = said.get("score", 0.0)
    try:
        score = float(written)
    except (TypeError, ValueError) as error:
        raise ValueError(f"the score is {json.dumps(written)}") from error
    if not math.isfinite(score):
        raise unusable(f"The judge's score is {written!r}, which is no number to compare")
    return Answer(score, written, said)


def gathered(answers: Iterable[JsonObject], name: str) -> list[JsonValue]:
    """Return the different items of a list in all answers, in order.

    Raises EvaldeskError for what makes 10xGraph fail: no list, or objects in it. A text in place of
    a list is one item here and its letters in 10xGraph.
    """
    items: dict[JsonValue, None] = {}
    for said in answers:
        found = said.get(name, [])
        listed: Iterable[JsonValue] = [found] if isinstance(found, str) else _listed(found, name)
        for item in listed:
            if isinstance(item, (dict, list)):
                raise unusable(f"The judge's “{name}” holds objects, on which 10xGraph fails")
            items[item] = None
    return list(items)


def _listed(found: JsonValue, name: str) -> Iterable[JsonValue]:
    if isinstance(found, (list, dict)):
        return found
    raise unusable(f"The judge's “{name}” is no list, on which 10xGraph fails")


def unusable(message: str) -> JudgeError:
    """Return the error of an answer that holds no score."""
    return JudgeError(message, hint="Use another model.", failure=Failure.UNPARSABLE)


def no_score(asked: int, dropped: Sequence[str]) -> EvaldeskError:
    """Return the error of a judge that gave no score at all."""
    if not asked:
        return EvaldeskError("The judge is asked 0 times", hint="Take at least one sample.")
    return unusable(f"None of {asked} answers has a score: {'; '.join(dropped)}")


def flag_doubt(answers: Iterable[Answer], name: str, passes: bool) -> list[str]:
    """Say where the judge's own yes or no is not what its score comes to."""
    flags = [answer.said[name] for answer in answers if isinstance(answer.said.get(name), bool)]
    against = sum(flag is not passes for flag in flags)
    if not against:
        return []
    return [f"{against} of {len(flags)} answers say {name} {str(not passes).lower()}: ignored."]


def _on_samples(answers: Sequence[Answer], dropped: Sequence[str], threshold: float) -> list[str]:
    cautions = []
    scores = [answer.score for answer in answers]
    if dropped:
        total = len(answers) + len(dropped)
        cautions.append(f"{len(dropped)} of {total} samples have no score and are left out.")
    if any("score" not in answer.said for answer in answers):
        cautions.append("An answer without a score counts 0.")
    strange = [answer.written for answer in answers if isinstance(answer.written, (bool, str))]
    if strange:
        cautions.append(f"Read as numbers: {', '.join(map(json.dumps, strange))}.")
    outside = [f"{score:g}" for score in scores if not 0 <= score <= 1]
    if outside:
        cautions.append(f"Outside 0–1 and not cut to it: {', '.join(outside)}.")
    passing = sum(score >= threshold for score in scores)
    if (mean(scores) >= threshold) != (2 * passing > len(scores)):
        cautions.append(f"{passing} of {len(scores)} samples pass; the mean decides, not they.")
    return cautions


def _reason(answers: Sequence[Answer]) -> str:
    scores = ", ".join(f"{answer.score:g}" for answer in answers)
    said = [answer.reasoning for answer in answers]
    words = [text for text in said if isinstance(text, str) and text.strip()]
    number = f"Mean of {scores}." if len(answers) > 1 else f"The judge's score is {scores}."
    return f"{words[-1].strip()} ({number[:-1]})" if words else number
