"""What the numbers of 10xGraph's checks hide, told beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import repeat
from typing import Final, Literal, TypeVar

from evalcore.evaluators.base import Sample
from evalcore.evaluators.tenxgraph.base import Reply
from evalcore.jsontree import MISSING
from evalcore.model import ToolCall

T = TypeVar("T")
MatchType = Literal["EXACT", "IN_ORDER", "ANY_ORDER"]
MOST_PAIRS: Final = 10_000
"""How many pairs of expected and actual items are compared in search of a better alignment."""
_NEGATIONS: Final = frozenset({"not", "no", "never", "none", "without", "cannot", "t"})
START: Final = "__start__"


def of_reply(sample: Sample, reply: Reply) -> list[str]:
    """Say where the reply and the expected one are of different turns, or one hides another."""
    last = len(sample.turns) - 1
    earlier = (turn.expected for turn in sample.turns[: reply.turn])
    if reply.text and reply.turn < last:
        return [
            f"The expected reply is that of turn {reply.turn + 1}, the reply that of turn "
            f"{last + 1}: the last turn expects none."
        ]
    if not reply.text and any(e and e.expected_output not in (MISSING, None, "") for e in earlier):
        return ["The last expected reply is empty, which hides those of earlier turns."]
    if reply.text and reply.turn > 0 and any(e and e.expected_output for e in earlier):
        return ["Only the last reply is compared; those of earlier turns count for nothing."]
    return []


def of_question(sample: Sample) -> list[str]:
    """Say where the judge is shown the first question beside the last reply."""
    if len(sample.turns) < 2:
        return []
    return ["The judge sees what the user said first and what the agent said last."]


def of_alignment(
    match_type: MatchType,
    wanted: Sequence[T],
    made: Sequence[T],
    match: Callable[[T, T], bool],
    matched: int,
    what: str,
) -> list[str]:
    """Say what an alignment better than 10xGraph's would find, and which extras are free."""
    cautions = []
    extra = len(made) - len(wanted)
    if match_type == "EXACT" and extra > 0:
        cautions.append(f"{extra} {what} more than expected: those after the expected are free.")
    if matched < len(wanted) and 0 < len(wanted) * len(made) <= MOST_PAIRS:
        in_any_order = match_type == "ANY_ORDER"
        best = (best_assignment if in_any_order else best_alignment)(wanted, made, match)
        if best > matched:
            how = "Paired better" if in_any_order else "Aligned better"
            cautions.append(f"{how}, {best} of {len(wanted)} would match instead of {matched}.")
    return cautions


def best_alignment(wanted: Sequence[T], made: Sequence[T], match: Callable[[T, T], bool]) -> int:
    """Return the length of the longest common subsequence.

    One bit of ``free`` stands for each actual item that no alignment so far ends with (Hyyrö's
    method).
    """
    every = free = (1 << len(made)) - 1
    for want in wanted:
        hits = free & sum(1 << j for j, item in enumerate(made) if match(want, item))
        free = ((free + hits) | (free - hits)) & every
    return len(made) - free.bit_count()


def best_assignment(wanted: Sequence[T], made: Sequence[T], match: Callable[[T, T], bool]) -> int:
    """Return the most expected items that can each have an actual one of their own."""
    options = [[j for j, item in enumerate(made) if match(want, item)] for want in wanted]
    taken: dict[int, int] = {}
    return sum(_place(want, options, taken, set()) for want in range(len(wanted)))


def _place(want: int, options: Sequence[list[int]], taken: dict[int, int], seen: set[int]) -> bool:
    """Give an expected item an actual one, moving others to free one; False if none can be."""
    for option in options[want]:
        if option not in seen:
            seen.add(option)
            if option not in taken or _place(taken[option], options, taken, seen):
                taken[option] = want
                return True
    return False


def of_arguments(
    wanted: Sequence[ToolCall], made: Sequence[ToolCall], *, compared: bool
) -> list[str]:
    """Say where arguments are not compared, accept anything, or are equal only to Python."""
    if len(wanted) * len(made) > MOST_PAIRS:
        return []
    by_name: dict[str, list[object]] = {}
    for call in made:
        by_name.setdefault(call.name, []).append(args_of(call))
    unequal = loose = False
    anything: dict[str, None] = {}
    for call in wanted:
        given, args = by_name.get(call.name, ()), args_of(call)
        if args:
            equal = [other for other in given if other == args]
            unequal = unequal or bool(given and not equal)
            loose = loose or any(map(takes_truth_for_number, equal, repeat(args)))
        elif any(given):
            anything[call.name] = None
    if not compared:
        return ["Arguments are not compared, and some differ from the expected ones."] * unequal
    cautions = []
    if anything:
        names = ", ".join(anything)
        cautions.append(f"No arguments are expected of {names}, which accepts any.")
    if loose:
        cautions.append("Some arguments are equal only because true counts as 1 and false as 0.")
    if unequal:
        cautions.append("Some calls have the expected name and other arguments.")
    return cautions


def args_of(call: ToolCall) -> object:
    """Return a call's arguments, an empty object for a call without any."""
    return {} if call.args is MISSING else call.args


def takes_truth_for_number(left: object, right: object) -> bool:
    """Return whether two values that are equal in Python pair a truth value with a number."""
    if repr(left) == repr(right):
        return False
    if isinstance(left, dict) and isinstance(right, dict):
        return any(takes_truth_for_number(value, right[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(right, list):
        return any(map(takes_truth_for_number, left, right))
    return isinstance(left, bool) != isinstance(right, bool)


def of_nodes(wanted: Sequence[str], visited: Sequence[str]) -> list[str]:
    """Say what runs record that nobody expects, and the other way round."""
    if visited[:1] == [START] and START not in wanted:
        return [f"Runs record {START} first and never a ToolNode; expect what they record."]
    return []


def of_words(left: set[str], right: set[str], expected: str, actual: str) -> list[str]:
    """Say what a comparison of the two texts' sets of words does not see."""
    if not left:
        return ["The expected reply has no words, only signs: any other signs match."]
    cautions = []
    if left == right and _letters(expected) != _letters(actual):
        cautions.append("The same words, but in another order or number, which does not count.")
    if left & right and (left ^ right) & _NEGATIONS:
        cautions.append("The replies differ in a negation, which counts as one word.")
    return cautions


def _letters(text: str) -> list[str]:
    return re.sub(r"[^\w\s]", " ", text.lower()).split()


def of_equality(expected: str, actual: str) -> list[str]:
    """Say what alone keeps two replies apart."""
    if expected == actual:
        return []
    forms: tuple[tuple[str, Callable[[str], str]], ...] = (
        ("Unicode form", lambda text: unicodedata.normalize("NFC", text)),
        ("case", str.casefold),
        ("white space", lambda text: " ".join(text.split())),
    )
    return [f"The texts differ in {name} only." for name, f in forms if f(expected) == f(actual)]


def of_keywords(words: Sequence[str], reply: str) -> list[str]:
    """Say which words are found by accident or counted twice. ``reply`` is in lower case."""
    cautions = []
    if any(not word for word in words):
        cautions.append("An empty keyword is always found.")
    twice = sorted({word for word in words if words.count(word) > 1})
    if twice:
        cautions.append(f"Counted more than once: {', '.join(twice)}.")
    inside = [word for word in words if word and _is_only_inside(word.lower(), reply)]
    if inside:
        cautions.append(f"Found only inside longer words: {', '.join(inside)}.")
    return cautions


def _is_only_inside(word: str, reply: str) -> bool:
    alone = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", reply)
    return word in reply and alone is None
