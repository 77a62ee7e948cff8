"""What a judge said of each rubric, and how its answers fell."""

from __future__ import annotations

from collections.abc import Sequence

from evalcore.explain import RubricVotes
from evalcore.views import numbers
from pages._results import look
from pages._results.look import box
from pages._ui.safe import Markup

TEXT = 1000


def table(found: Sequence[RubricVotes]) -> Markup:
    """Return the rubrics with their scores, the answers behind them, and the judge's words."""
    if not found:
        return box("")
    has_answers, has_words = any(v.votes for v in found), any(v.rationale for v in found)
    head = ["rubric", "score"]
    head += ["answers"] * has_answers + ["the judge says"] * has_words
    body = []
    for vote in found:
        score = look.cell("nowrap", numbers.score(vote.score))
        line: list[str | Markup] = [look.cell("where", vote.rubric), score]
        line += [look.cell("nowrap", answers(vote.votes))] * has_answers
        line += [vote.rationale[:TEXT]] * has_words
        body.append(line)
    return look.table(head, body, "Rubrics")


def answers(votes: Sequence[float | None]) -> str:
    """Return the answers of a judge as they fell, and whether they disagree."""
    marks = {1.0: "✓", 0.0: "✗", None: "?"}
    told = "".join(marks.get(answer, "~") for answer in votes)
    is_split = len({vote for vote in votes if vote is not None}) > 1
    return f"{told} ~ they disagree" if is_split else told
