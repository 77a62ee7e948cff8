"""What a judge said of each rubric, and how often."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.formats.adk.scores import AGGREGATED
from evalcore.jsontree import JsonValue, get
from evalcore.results import Score


@dataclass(frozen=True, slots=True)
class RubricVotes:
    """One rubric: the share of yes that counts, the answers behind it, and the judge's words.

    ``score`` is None where no answer could be read. ``votes`` are 1.0, 0.0 or None for each answer;
    () where the file keeps only what they came to.
    """

    rubric: str
    score: float | None
    rationale: str = ""
    votes: tuple[float | None, ...] = ()

    @property
    def is_split(self) -> bool:
        """Whether the answers disagree: asking again may turn the result."""
        return len({vote for vote in self.votes if vote is not None}) > 1


def votes_of(score: Score) -> tuple[RubricVotes, ...]:
    """Return the rubrics behind a score, in the order of its details; () where it has none.

    Scores of ADK's files and scores computed here are read alike, in either spelling.
    """
    listed = _either(score.details, "rubric_scores", "rubricScores")
    cast = _either(score.details, "votes", "votes")
    return tuple(
        _votes(raw, cast) for raw in (listed if isinstance(listed, list) else ()) if _id(raw)
    )


def sample_votes(score: Score) -> tuple[float | None, ...]:
    """Return the answers behind a score without rubrics, () where they are not kept."""
    cast = _either(score.details, "votes", "votes")
    return tuple(map(_number, cast)) if isinstance(cast, list) else ()


def _votes(raw: JsonValue, cast: JsonValue) -> RubricVotes:
    rubric = _id(raw)
    own = cast.get(rubric) if isinstance(cast, dict) else None
    said = get(raw, "/rationale")
    return RubricVotes(
        rubric=rubric,
        score=_number(_either(raw, "score", "score")),
        rationale=said if isinstance(said, str) and not said.startswith(AGGREGATED) else "",
        votes=tuple(map(_number, own)) if isinstance(own, list) else (),
    )


def _id(raw: JsonValue) -> str:
    found = _either(raw, "rubric_id", "rubricId")
    return found if isinstance(found, str) else ""


def _either(holder: object, snake: str, camel: str) -> JsonValue:
    if not isinstance(holder, dict):
        return None
    found: JsonValue = holder.get(snake, holder.get(camel))
    return found


def _number(value: JsonValue) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(str(value)) if is_number else None
