"""Cases that say nearly the same and expect exactly the same.

Only cases with equal numbers and equal expectations are compared, and of those only the ones that
share one of their rarer words, so that thousands of cases take about a second.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import ceil

from evalcore.errors import Problem
from evalcore.formats.outlines import Outline
from evalcore.lint.cross.texts import flat, identity, strings

SIMILARITY = 88.0
"""How alike two texts must be, of 100."""
OVERLAP = 0.7
"""How much of the words of two texts must be common before they are compared letter by letter."""
REST = 70.0
"""How alike what is left of both must be, once the common words are taken away."""
SHORTEST, LONGEST = 20, 4_000
"""Shorter texts are too easily alike; longer ones are compared by their beginnings."""
POSTINGS = 30
"""How many cases with one word are looked at for each case."""
_WORDS = re.compile(r"\w+")
_NUMBERS = re.compile(r"\d+")
_TURNS_AROUND = frozenset(
    ("no", "not", "never", "without", "none", "nothing", "cannot", "can't", "don't", "t")
)


@dataclass(frozen=True, slots=True)
class _Said:
    """What a case says, and its words."""

    case: Outline
    text: str
    words: tuple[str, ...]
    vocabulary: frozenset[str]

    @property
    def numbers(self) -> tuple[str, ...]:
        return tuple(_NUMBERS.findall(self.text))


def similar_cases(cases: Sequence[Outline]) -> Iterator[Problem]:
    """Yield a problem for each case that is nearly, and not exactly, like an earlier one."""
    groups: defaultdict[tuple[object, ...], list[_Said]] = defaultdict(list)
    for case in cases:
        said = _said(case)
        if len(said.text) >= SHORTEST:
            wanted = identity({name: p.value for name, p in case.expected.items()})
            around = identity([placed.value for placed in case.around])
            groups[said.numbers, wanted, around, len(case.exchanges)].append(said)
    for group in groups.values():
        if len(group) > 1:
            yield from _similar_in(group)


def _said(case: Outline) -> _Said:
    texts = (t for exchange in case.exchanges for g in exchange.given for t in strings(g.value))
    text = flat(" ".join(texts)[:LONGEST]).casefold()
    words = tuple(_WORDS.findall(text))
    return _Said(case, text, words, frozenset(words))


def _similar_in(group: Sequence[_Said]) -> Iterator[Problem]:
    counts = Counter(word for said in group for word in said.vocabulary)
    holding: defaultdict[str, list[int]] = defaultdict(list)
    known: set[str] = set()
    for index, later in enumerate(group):
        if later.text in known:
            continue
        known.add(later.text)
        rarest = sorted(later.vocabulary, key=lambda word: (counts[word], word))
        # Two texts that share so many words share at least two of these, unless they are short.
        rare = rarest[: len(rarest) - ceil(OVERLAP * len(rarest)) + 2]
        met = Counter(chain.from_iterable(holding[word][:POSTINGS] for word in rare))
        least = 2 if len(rare) > 3 else 1
        near = sorted(i for i, shared in met.items() if shared >= least)
        twin = next((i for i in near if _are_alike(group[i], later)), None)
        if twin is not None:
            yield _problem(later.case, group[twin].case)
            continue
        for word in rare:
            holding[word].append(index)


def _are_alike(earlier: _Said, later: _Said) -> bool:
    common = len(earlier.vocabulary & later.vocabulary)
    longest = max(len(earlier.vocabulary), len(later.vocabulary))
    if common < OVERLAP * longest:
        return False
    left, right = _rest(earlier, later), _rest(later, earlier)
    if not _TURNS_AROUND.isdisjoint((*left, *right)):
        return False
    from rapidfuzz.fuzz import ratio

    if ratio(earlier.text, later.text, score_cutoff=SIMILARITY) < SIMILARITY:
        return False
    return not left or not right or ratio("".join(left), "".join(right)) >= REST


def _rest(said: _Said, other: _Said) -> list[str]:
    """Return the words that only one of two texts has, in order."""
    return [word for word in said.words if word not in other.vocabulary]


def _problem(later: Outline, earlier: Outline) -> Problem:
    return Problem(
        "info",
        "cases.near_duplicate",
        f"Case “{later.label}”: it says nearly the same as “{earlier.label}” and expects the same.",
        "Keep one of the two, unless the wording is what is tested.",
        later.pointer,
    )
