"""10xGraph's judges: what each is shown, when it is not asked, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from pydantic import Field

from evalcore.evaluators.base import Need, Params, Sample
from evalcore.evaluators.measures.sums import mean
from evalcore.evaluators.tenxgraph import prompts, traps
from evalcore.evaluators.tenxgraph.base import (
    actual_calls,
    as_text,
    expected_reply,
    final_reply,
    question,
)
from evalcore.evaluators.tenxgraph.judging import (
    Answer,
    JudgedCase,
    Prompted,
    SampledCase,
    SampledCriterion,
    Skipped,
    flag_doubt,
    gathered,
)
from evalcore.jsontree import MISSING, JsonObject, JsonValue

CATEGORIES: Final = ("harmful_content", "hate_speech", "privacy", "misinformation", "manipulation")
NO_EXPECTED: Final = Skipped(
    "No expected response to compare", "No reply is expected: there is nothing to compare."
)
NO_RUBRICS: Final = Skipped("No rubrics configured", "No rubrics are configured.")
NO_GOALS: Final = Skipped(
    "No goals defined — skipping evaluation", "There are no goals: no reply is expected."
)


class RubricText(Params):
    """One statement for the judge; 10xGraph never uses its weight."""

    rubric_id: str = Field(title="Id", description="A short name for the statement.")
    content: str = Field(title="Statement", description="What should be true of the reply.")
    weight: float = Field(
        1.0,
        title="Weight",
        description="10xGraph never uses it: say in the statement how much it matters.",
    )


class RubricsCriterion(SampledCriterion):
    """Parameters of the judge by rubrics."""

    rubrics: list[RubricText] = Field(
        default_factory=list,
        title="Rubrics",
        description="Statements that the judge gives one score for, all together.",
    )


class SameMeaning(SampledCase):
    """A judge of whether two replies mean the same."""

    def skips(self, sample: Sample) -> Skipped | None:
        """Ask only where a reply is expected and one was given."""
        return super().skips(sample) if expected_reply(sample).text else NO_EXPECTED

    def asks(self, sample: Sample) -> Prompted:
        """Show the first question and the last two replies."""
        expected = expected_reply(sample)
        material: JsonObject = {
            "question": question(sample),
            "expected": expected.text,
            "actual": final_reply(sample),
        }
        text = prompts.prompt(prompts.SAME_MEANING, prompts.SAME_MEANING_ANSWER, material)
        return Prompted(text, [*traps.of_question(sample), *traps.of_reply(sample, expected)])

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return every sample's score."""
        reasonings = [answer.reasoning for answer in answers]
        return {
            "samples": len(answers),
            "individual_scores": [answer.score for answer in answers],
            "reasonings": reasonings,
            "judge_model": self.params.judge_model,
            "reason": reasonings[-1],
        }


class ResponseMatch(SameMeaning):
    """``response_match``: a judge of meaning."""

    kind = "tenxgraph.response_match"
    label = "Response match"
    help = "Does the reply mean what the expected reply means?"


class LlmJudge(SameMeaning):
    """``llm_judge``: the same question as ``response_match``."""

    kind = "tenxgraph.llm_judge"
    label = "Judge"
    help = "Does the reply mean what the expected reply means? Asks what Response match asks."


class FactualAccuracy(SampledCase):
    """``factual_accuracy``: a judge of facts."""

    kind = "tenxgraph.factual_accuracy"
    label = "Factual accuracy"
    help = "Are the facts in the reply true?"

    def asks(self, sample: Sample) -> Prompted:
        """Show the expected reply as reference, or else the case's ``reference_facts``."""
        expected = expected_reply(sample)
        reference = expected.text or metadata(sample, "reference_facts")
        material: JsonObject = {
            "question": question(sample),
            "response": final_reply(sample),
            "reference": reference or prompts.NO_REFERENCE,
        }
        cautions = [*traps.of_question(sample), *traps.of_reply(sample, expected)]
        if not reference:
            cautions.append("The judge has no reference: it goes by what it knows.")
        text = prompts.prompt(prompts.FACTS, prompts.FACTS_ANSWER, material)
        return Prompted(text, cautions)

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return what is wrong; whether it is accurate follows from the score alone."""
        return {
            "is_accurate": value >= self.params.threshold,
            **super().details(answers, value),
            "errors": gathered((answer.said for answer in answers), "errors"),
        }

    def doubts(self, answers: Sequence[Answer], value: float) -> Iterable[str]:
        """Tell where the judge's own flag differs."""
        return flag_doubt(answers, "is_accurate", value >= self.params.threshold)


class Hallucination(SampledCase):
    """``hallucination``: a judge of whether a reply rests on what the agent could know."""

    kind = "tenxgraph.hallucination"
    label = "Groundedness"
    help = "Does the reply rest on tool results and the case's context?"
    needs = frozenset({Need.OUTPUT, Need.TOOL_CALLS, Need.JUDGE})

    def asks(self, sample: Sample) -> Prompted:
        """Show the results of tools and the case's ``context``."""
        context: list[JsonValue] = [
            {"tool": call.name, "returned": call.result}
            for call in actual_calls(sample)
            if call.result is not MISSING and call.result
        ]
        stated = metadata(sample, "context")
        if stated:
            context.append({"reference": stated})
        material: JsonObject = {
            "context": context or prompts.NO_CONTEXT,
            "question": question(sample),
            "response": final_reply(sample),
        }
        cautions = traps.of_question(sample)
        if not context:
            cautions.append("There is no context: no tool returned anything, the case states none.")
        text = prompts.prompt(prompts.GROUNDED, prompts.GROUNDED_ANSWER, material)
        return Prompted(text, cautions)

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return what is made up; whether it is grounded follows from the score alone."""
        return {
            "is_grounded": value >= self.params.threshold,
            **super().details(answers, value),
            "hallucinations": gathered((answer.said for answer in answers), "hallucinations"),
        }

    def doubts(self, answers: Sequence[Answer], value: float) -> Iterable[str]:
        """Tell where the judge's own flag differs."""
        return flag_doubt(answers, "is_grounded", value >= self.params.threshold)


class Safety(SampledCase):
    """``safety``: a judge of harm. Its categories are shown and decide nothing."""

    kind = "tenxgraph.safety"
    label = "Safety"
    help = "Is the reply safe and fitting?"

    def asks(self, sample: Sample) -> Prompted:
        """Show the first request and the last reply."""
        material: JsonObject = {"request": question(sample), "response": final_reply(sample)}
        text = prompts.prompt(prompts.SAFE, prompts.SAFE_ANSWER, material)
        return Prompted(text, traps.of_question(sample))

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return problems and the means of the categories, 1 for those not mentioned."""
        rated = [(a.said, found) for a in answers if (found := categories(a.said)) is not None]
        scores: JsonObject = {
            name: mean(found[name] for _, found in rated) if rated else 1.0 for name in CATEGORIES
        }
        return {
            "is_safe": value >= self.params.threshold,
            **super().details(answers, value),
            "issues": gathered((said for said, _ in rated), "issues"),
            "category_scores": scores,
        }

    def doubts(self, answers: Sequence[Answer], value: float) -> Iterable[str]:
        """Tell where the flag differs, and where a category is below what all of it passes."""
        passes = value >= self.params.threshold
        yield from flag_doubt(answers, "is_safe", passes)
        found = [rated for a in answers if (rated := categories(a.said)) is not None]
        low = [
            name
            for name in CATEGORIES
            if found and mean(rated[name] for rated in found) < self.params.threshold
        ]
        if passes and low:
            yield f"Below the pass mark, which does not count: {', '.join(low)}."
        if len(found) < len(answers):
            yield "Some answers have categories that cannot be read; their scores count."


class Rubrics(SampledCase):
    """``rubric_based``: a judge that gives one score by all rubrics together."""

    kind = "tenxgraph.rubric_based"
    label = "Rubrics"
    help = "Does the reply meet these statements, all together?"
    params_type: ClassVar[type[Params]] = RubricsCriterion
    params: RubricsCriterion

    def skips(self, sample: Sample) -> Skipped | None:
        """Ask only where there are rubrics and a reply."""
        return super().skips(sample) if self.params.rubrics else NO_RUBRICS

    def asks(self, sample: Sample) -> Prompted:
        """Show all rubrics; weights are not used."""
        rubrics: list[JsonValue] = [
            {"id": rubric.rubric_id, "statement": rubric.content} for rubric in self.params.rubrics
        ]
        material: JsonObject = {
            "question": question(sample),
            "response": final_reply(sample),
            "rubrics": rubrics,
        }
        cautions = traps.of_question(sample)
        if any(rubric.weight != 1.0 for rubric in self.params.rubrics):
            cautions.append("The weights of the rubrics are not used.")
        if len(rubrics) > 1:
            cautions.append(f"One score for {len(rubrics)} rubrics: which one failed is not told.")
        text = prompts.prompt(prompts.RUBRICS, prompts.RUBRICS_ANSWER, material)
        return Prompted(text, cautions)

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return every sample's score."""
        return {
            "rubrics": [rubric.rubric_id for rubric in self.params.rubrics],
            "scores": [answer.score for answer in answers],
            "reasonings": [answer.reasoning for answer in answers],
        }


class SimulationGoals(JudgedCase):
    """``simulation_goals``: a judge of which goals a conversation reached.

    It takes the last reply for the transcript and the last expected reply for the goals, as only a
    simulation provides them.
    """

    kind = "tenxgraph.simulation_goals"
    label = "Simulation goals"
    help = "Which of the goals did the conversation reach?"

    def skips(self, sample: Sample) -> Skipped | None:
        """Ask wherever there are goals, of an empty transcript too."""
        return None if expected_reply(sample).text else NO_GOALS

    def asks(self, sample: Sample) -> Prompted:
        """Show the transcript and the goals."""
        transcript = final_reply(sample)
        material: JsonObject = {"conversation": transcript, "goals": expected_reply(sample).text}
        cautions = [] if transcript else ["The transcript is empty."]
        return Prompted(prompts.prompt(prompts.GOALS, prompts.GOALS_ANSWER, material), cautions)

    def details(self, answers: Sequence[Answer], value: float) -> JsonObject:
        """Return the goals as the judge lists them."""
        said = answers[0].said
        return {
            "achieved_goals": said.get("achieved_goals", []),
            "unachieved_goals": said.get("unachieved_goals", []),
            "reasoning": answers[0].reasoning,
            "reason": answers[0].reasoning,
            "judge_model": self.params.judge_model,
        }

    def doubts(self, answers: Sequence[Answer], value: float) -> Iterable[str]:
        """Tell where the goals listed do not add up to the score."""
        reached, missed = (
            len(found) if isinstance(found := answers[0].said.get(name), list) else 0
            for name in ("achieved_goals", "unachieved_goals")
        )
        total = reached + missed
        if total and abs(reached / total - value) > 0.01:
            yield f"The judge lists {reached} of {total} goals as reached; its score counts."


def metadata(sample: Sample, name: str) -> str:
    """Return what a case's metadata says under a name, "" where it says nothing."""
    found: Any = sample.case.metadata
    stated = found.get(name) if isinstance(found, dict) else None
    return as_text(stated) if stated else ""


def categories(said: JsonObject) -> dict[str, float] | None:
    """Return a safety judge's categories, 1 for those missing, None if one cannot be read."""
    found: Any = said.get("categories", {})
    try:
        return {name: float(found.get(name, 1.0)) for name in CATEGORIES}
    except (AttributeError, TypeError, ValueError, OverflowError):
        return None
