"""How UiPath asks a judge: prompts with placeholders, one tool to answer with, a score of 0–100.

UiPath fills placeholders one after the other, so that a placeholder inside an output is filled in
its turn: an output that says ``{{ExpectedOutput}}`` puts the answer key before the judge as if the
agent had written it. Here all placeholders are filled at once and those inside the case's texts
stay as they are. Where that makes another request than UiPath's, the score has a caution.
``literal_data`` false asks for UiPath's very request.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import JudgedEvaluator, Sample
from evalcore.evaluators.uipath.base import UiPathParams
from evalcore.evaluators.uipath.lines import UnusableAnswer
from evalcore.formats._uipath.prompts import asks_for_unit_scale
from evalcore.judges import JudgeReply, JudgeRequest, Message, Tool

ANSWER_TOOL = Tool(
    name="submit_evaluation",
    description="Hand in the result of the evaluation.",
    parameters={
        "type": "object",
        "properties": {
            "justification": {"type": "string", "description": "Why the score is what it is."},
            "score": {"type": "number", "description": "How good it is, from 0 to 100."},
        },
        "required": ["justification", "score"],
    },
)
BEST = 100.0
ANSWER_LIMITS = {"claude-haiku-4-5": 8000, "claude-sonnet-4-5": 8000}
"""Models that must be told how long an answer may be, and what UiPath tells them."""


class JudgeParams(UiPathParams):
    """Parameters of every judge."""

    literal_data: bool = Field(
        True,
        title="Leave placeholders in the case's texts alone",
        description="UiPath fills those in as well, so that an output can show the judge the "
        "expected answer.",
    )


class Answer(NamedTuple):
    """What a judge said: its number as it is, as it was written, and why."""

    score: float
    written: Any
    justification: str


class Prompt(NamedTuple):
    """A filled prompt. ``is_leaky`` tells that a text of the case has a placeholder in it."""

    text: str
    is_leaky: bool


class _Counter:
    """A judge that counts what it is asked, and gives full marks."""

    def __init__(self) -> None:
        self.asked = 0

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.asked += 1
        return JudgeReply(arguments={"score": BEST, "justification": ""})


def count_calls(evaluator: JudgedEvaluator, sample: Sample) -> int:
    """Return how often a check asks a judge about a case: it is evaluated with one that counts."""
    counter = _Counter()
    # An error ends the questions here as it would end the real ones.
    with suppress(EvaldeskError):
        type(evaluator)(evaluator.params, evaluator.name, counter).evaluate(sample)
    return counter.asked


def placeholder(name: str) -> str:
    """Return how a prompt writes a placeholder."""
    return "{{" + name + "}}"


def completed(prompt: str, actual: str, expected: str) -> str:
    """Return a prompt with its two main placeholders, which UiPath appends where missing."""
    sections = (("Actual Output", actual), ("Expected Output", expected))
    missing = [(title, name) for title, name in sections if placeholder(name) not in prompt]
    return prompt + "".join(
        "\n\n## {0}\n<{1}>\n{2}\n</{1}>".format(title, title.replace(" ", ""), placeholder(name))
        for title, name in missing
    )


def fill(prompt: str, values: Mapping[str, str], *, literal: bool) -> Prompt:
    """Return a prompt with each placeholder replaced by its value.

    ``values`` are in UiPath's order. Placeholders inside values stay as they are, or, where not
    ``literal``, are filled too if theirs comes later.
    """
    names = "|".join(re.escape(name) for name in values)
    at_once = re.sub(r"\{\{(" + names + r")\}\}", lambda match: values[match[1]], prompt)
    in_turn = prompt
    for name, value in values.items():
        in_turn = in_turn.replace(placeholder(name), value)
    return Prompt(at_once if literal else in_turn, at_once != in_turn)


def messages(system: str, prompt: str) -> tuple[Message, ...]:
    """Return the messages of a request; low-code judges have no system prompt."""
    user = Message(role="user", content=prompt)
    return (Message(role="system", content=system), user) if system else (user,)


def answer_limit(model: str, configured: int | None) -> int | None:
    """Return the most tokens that an answer may have, None for no limit."""
    if configured is not None:
        return configured
    return next((limit for name, limit in ANSWER_LIMITS.items() if name in model), None)


def read_answer(reply: JudgeReply) -> Answer:
    """Return what a judge handed in.

    The score may be anything that Python's ``float`` reads: a truth value, a text, NaN. Raises
    UnusableAnswer where a part is missing or the score is no number.
    """
    given = reply.arguments
    if not isinstance(given, dict):
        said = f": it said “{reply.text}”" if reply.text else ""
        raise UnusableAnswer(f"The judge did not call {ANSWER_TOOL.name}{said}")
    for part in ("score", "justification"):
        if part not in given:
            raise UnusableAnswer(f"The judge's answer has no {part}: {given}")
    written: Any = given["score"]
    try:
        score = float(written)
    except (TypeError, ValueError, OverflowError) as error:
        raise UnusableAnswer(f"The judge's score is no number: {written!r}") from error
    return Answer(score, written, str(given["justification"]))


def unit_score(answer: Answer) -> float:
    """Return a coded judge's score: a hundredth, to two decimals, cut to 0–1; NaN comes to 1."""
    rounded = answer.score / BEST if math.isinf(answer.score) else round(answer.score / BEST, 2)
    # The order of the arguments decides what NaN comes to, here as in UiPath.
    return max(0.0, min(1.0, rounded))


def percent_score(answer: Answer) -> float:
    """Return a low-code judge's score as it is. Raises UnusableAnswer outside 0–100."""
    if not 0.0 <= answer.score <= BEST:
        raise UnusableAnswer(f"The judge's score is not between 0 and 100: {answer.written!r}")
    return answer.score


def answer_cautions(answer: Answer) -> list[str]:
    """Return what is odd about the number that a judge gave."""
    shown = answer.written
    if isinstance(shown, bool):
        return [f"The judge said {str(shown).lower()}, which counts as {answer.score:g} of 100."]
    if math.isnan(answer.score):
        return ["The judge's score is not a number, which UiPath counts as full marks."]
    if not 0.0 <= answer.score <= BEST:
        return [f"The judge's score of {shown} is outside 0–100 and is cut to it."]
    if 0.0 < answer.score <= 1.0:
        return [f"The judge said {shown}, which counts as {answer.score:g} of 100, not of 1."]
    return []


def prompt_cautions(configured: str, filled: Prompt, *, literal: bool) -> list[str]:
    """Return what is odd about a prompt and what it was filled with."""
    cautions = []
    if asks_for_unit_scale(configured):
        cautions.append("The prompt asks for 0–1, and UiPath reads the answer as one of 0–100.")
    if filled.is_leaky and literal:
        cautions.append(
            "A text of this case has a placeholder in it. UiPath fills it in, and may so show the "
            "judge the expected answer; here it stays as it is."
        )
    elif filled.is_leaky:
        cautions.append(
            "A text of this case has a placeholder in it, which was filled in: the judge may have "
            "seen the expected answer as if the agent had given it."
        )
    return cautions


def tag_cautions(prompt: str, texts: Sequence[str]) -> list[str]:
    """Return a caution where a text has in it what marks its end in the prompt."""
    marks = sorted(set(re.findall(r"</\w+>", prompt)))
    found = [mark for mark in marks if any(mark in text for text in texts)]
    if not found:
        return []
    return [f"A text of this case has {found} in it, which ends it in the prompt. Read the reason."]
