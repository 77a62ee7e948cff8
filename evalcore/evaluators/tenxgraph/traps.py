"""What the numbers of 10xGraph's checks hide, told beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Literal, TypeVar

from evalcore.evaluators.base import Sample
from evalcore.evaluators.measures.rouge import tenxgraph_words
from evalcore.evaluators.measures.sequences import longest_common_subsequence
from evalcore.evaluators.tenxgraph.base import Reply, expected_reply
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
        if match_type == "ANY_ORDER":
            best, how = best_assignment(wanted, made, match), "Paired better"
        else:
            best, how = len(longest_common_subsequence(wanted, made, match)), "Aligned better"
        if best > matched:
            cautions.append(f"{how}, {best} of {len(wanted)} would match instead of {matched}.")
    return cautions


def best_assignment(wanted: Sequence[T], made: Sequence[T], match: Callable[[T, T], bool]) -> int:
    """Return the most expected items that can each have an actual one of their own."""
    options = [[j for j, item in enumerate(made) if match(want, item)] for want in wanted]
    taken: dict[int, int] = {}

    def place(want: int, seen: set[int]) -> bool:
        for option in options[want]:
            if option not in seen:
                seen.add(option)
                if option not in taken or place(taken[option], seen):
                    taken[option] = want
                    return True
        return False

    return sum(place(want, set()) for want in range(len(wanted)))


def of_arguments(
    wanted: Sequence[ToolCall], made: Sequence[ToolCall], *, compared: bool
) -> Iterator[str]:
    """Say where arguments are not compared, accept anything, or are equal only to Python."""
    if len(wanted) * len(made) > MOST_PAIRS:
        return
    pairs = [(w, m) for w in wanted for m in made if w.name == m.name]
    if not compared:
        loose = _unequal({id(w) for w in wanted if args_of(w)}, pairs)
        if loose:
            yield "Arguments are not compared, and some differ from the expected ones."
        return
    anything = sorted({w.name for w, m in pairs if not args_of(w) and args_of(m)})
    if anything:
        yield f"No arguments are expected of {', '.join(anything)}, which accepts any."
    equal = [(args_of(w), args_of(m)) for w, m in pairs if args_of(w) and args_of(w) == args_of(m)]
    if any(takes_truth_for_number(*pair) for pair in equal):
        yield "Some arguments are equal only because true counts as 1 and false as 0."
    if _unequal({id(w) for w in wanted if args_of(w)}, pairs):
        yield "Some calls have the expected name and other arguments."


def _unequal(ids: set[int], pairs: Sequence[tuple[ToolCall, ToolCall]]) -> bool:
    """Return whether one of these expected calls was made, but never with its arguments."""
    made = {id(w) for w, _ in pairs if id(w) in ids}
    met = {id(w) for w, m in pairs if id(w) in ids and args_of(w) == args_of(m)}
    return bool(made - met)


def args_of(call: ToolCall) -> object:
    """Return a call's arguments, an empty object for a call without any."""
    return {} if call.args is MISSING else call.args


def takes_truth_for_number(left: object, right: object) -> bool:
    """Return whether two values that are equal in Python pair a truth value with a number."""
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


def of_words(expected: str, actual: str) -> list[str]:
    """Say what a comparison of sets of words does not see."""
    left, right = tenxgraph_words(expected), tenxgraph_words(actual)
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


def reply_and_cautions(sample: Sample) -> tuple[str, list[str]]:
    """Return the expected reply and what is odd about where it comes from."""
    reply = expected_reply(sample)
    return reply.text, of_reply(sample, reply)
