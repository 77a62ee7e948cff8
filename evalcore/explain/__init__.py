"""Why a score is what it is, as data: aligned calls, differing words and leaves, votes, what-ifs.

Everything here is pure: it takes what was expected and what happened, and returns records that a
page or a report can show.
"""

from evalcore.explain.counterfactuals import Counterfactual, counterfactuals
from evalcore.explain.json_diff import Change, JsonDiff, diff_json
from evalcore.explain.leaves import leaves_of
from evalcore.explain.text_diff import Piece, TextDiff, diff_words
from evalcore.explain.tool_alignment import Match, Pair, align, align_names
from evalcore.explain.votes import RubricVotes, votes_of

__all__ = [
    "Change",
    "Counterfactual",
    "JsonDiff",
    "Match",
    "Pair",
    "Piece",
    "RubricVotes",
    "TextDiff",
    "align",
    "align_names",
    "counterfactuals",
    "diff_json",
    "diff_words",
    "leaves_of",
    "votes_of",
]
