"""``evaldesk.regex`` and ``evaldesk.rouge``: checks of the text of a reply."""

from __future__ import annotations

import json
from typing import Annotated, ClassVar, Literal

import regex
from pydantic import AfterValidator, Field

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Need, Params, Turn
from evalcore.evaluators.measures.rouge import Overlap, rouge_l, rouge_n, rouge_score_tokens
from evalcore.evaluators.own.base import TurnEvaluator, TurnParams
from evalcore.evaluators.own.values import as_query, find
from evalcore.jsontree import MISSING, JsonValue, Missing
from evalcore.results import Score


def _pattern(text: str) -> str:
    try:
        regex.compile(text)
    except regex.error as error:
        raise ValueError(f"“{text}” is no regular expression: {error}") from error
    return text


class RegexParams(TurnParams):
    """Parameters of the search by a regular expression."""

    pattern: Annotated[str, AfterValidator(_pattern)] = Field(
        title="Pattern", description="A regular expression as Python's."
    )
    path: Annotated[str, AfterValidator(as_query)] = Field(
        "$", title="Place", description="A JSON path; $ is the whole output."
    )
    whole: bool = Field(False, title="All of the text", description="Nothing else may stand there.")
    ignore_case: bool = Field(
        False, title="Ignore upper and lower case", description="Treat A and a as the same letter."
    )
    negated: bool = Field(
        False,
        title="Should not match",
        description="Turns the score around: what matches scores 0.",
    )
    timeout: float = Field(
        1.0, gt=0, le=60, title="Seconds", description="A search that takes longer is an error."
    )


class Regex(TurnEvaluator):
    """1 if the text matches, else 0; what is no text is searched as JSON.

    Some patterns take very long on some texts: such a search is stopped and is an error.
    """

    kind = "evaldesk.regex"
    label = "Regular expression"
    help = "Does the output match a pattern?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = RegexParams
    params: RegexParams

    def turn(self, turn: Turn) -> Score:
        """Search every place. Raises EvaldeskError for a search that takes too long."""
        found = find(turn.actual.actual_output, self.params.path)
        hits = [hit for place in found if (hit := self._search(_text(place.value))) is not None]
        where = "" if self.params.path == "$" else f" at {self.params.path}"
        told = f"found “{hits[0][:80]}”{where}" if hits else f"not found{where}"
        cautions = []
        if not found:
            cautions.append(f"There is nothing at {self.params.path}.")
        if self.params.negated:
            told += "; it should not be there"
        return self.passing(
            float(bool(hits) != self.params.negated), f"/{self.params.pattern}/ {told}.", cautions
        )

    def _search(self, text: str) -> str | None:
        compiled = regex.compile(
            self.params.pattern, regex.IGNORECASE if self.params.ignore_case else 0
        )
        search = compiled.fullmatch if self.params.whole else compiled.search
        try:
            # Concurrent: a slow search must not keep other threads, and so the page, from running.
            hit = search(text, timeout=self.params.timeout, concurrent=True)
        except TimeoutError as error:
            raise EvaldeskError(
                f"The search for /{self.params.pattern}/ took more than {self.params.timeout:g} s",
                hint="Nested repetitions such as (a+)+ are slow: write the pattern without them.",
            ) from error
        return None if hit is None else str(hit.group())


class RougeParams(TurnParams):
    """Parameters of the overlap of words."""

    variant: Literal["rouge1", "rouge2", "rougeL"] = Field(
        "rougeL",
        title="What is counted",
        description="rouge1: words. rouge2: pairs of words. rougeL: words in the same order.",
    )
    measure: Literal["f1", "precision", "recall"] = Field(
        "f1",
        title="Measure",
        description="recall counts words that are missing, precision those too many, f1 both.",
    )
    stemmed: bool = Field(
        True, title="Stem words", description="Count “refunds” and “refunded” as one word."
    )
    threshold: float = Field(
        0.5, ge=0, le=1, title="Pass mark", description="Scores from here on pass (0 to 1)."
    )


class Rouge(TurnEvaluator):
    """ROUGE as the ``rouge_score`` package computes it: of ASCII letters and digits only."""

    kind = "evaldesk.rouge"
    label = "Word overlap (ROUGE)"
    help = "How many words do the reply and the expected reply share?"
    needs = frozenset({Need.OUTPUT})
    params_type: ClassVar[type[Params]] = RougeParams
    params: RougeParams

    def turn(self, turn: Turn) -> Score:
        """Compare the two texts; without expected words nothing is measured."""
        expected = _text(turn.expected.expected_output) if turn.expected else ""
        actual = _text(turn.actual.actual_output)
        if not expected.strip():
            return self.score(None, "No reply is expected of this turn.")
        if not rouge_score_tokens(expected):
            return self.score(
                None, "The expected reply has no ASCII words, which are all that ROUGE counts."
            )
        found = self._overlap(expected, actual)
        native = float(getattr(found, self.params.measure))
        cautions = []
        if not expected.isascii():
            cautions.append("Letters beyond ASCII are not counted: ROUGE splits words at them.")
        return self.passing(
            native,
            f"Precision {found.precision:.3f}, recall {found.recall:.3f}, F1 {found.f1:.3f}.",
            cautions,
        )

    def _overlap(self, expected: str, actual: str) -> Overlap:
        if self.params.variant == "rougeL":
            return rouge_l(expected, actual, stemmed=self.params.stemmed)
        return rouge_n(expected, actual, int(self.params.variant[-1]), stemmed=self.params.stemmed)


def _text(value: JsonValue | Missing) -> str:
    """Return a text as it stands and any other value as JSON, "" for none."""
    if value is MISSING or value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
