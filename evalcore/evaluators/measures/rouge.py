"""Word overlap between two texts: ADK's ROUGE-1, the classic ROUGE family, and 10xGraph's.

``adk_rouge1`` is what ADK 2.13 computes for ``response_match_score``: texts are NFKC-normalised and
lower-cased; ideographs, kana and hangul are a word each; Thai, Lao, Khmer and Burmese are split
before each letter that is no mark; ASCII words of more than three letters are stemmed; all others
stay.
"""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from evalcore.evaluators.measures.porter import stem


class Overlap(NamedTuple):
    """Shares of words in common, each in [0, 1]; all zero when either text has no words."""

    precision: float
    recall: float
    f1: float


class _Stems(dict[bytes, str]):
    """Stems of ASCII words, kept because texts repeat their words."""

    LIMIT = 500_000

    def __missing__(self, word: bytes) -> str:
        if len(self) >= self.LIMIT:
            self.clear()
        text = word.decode("ascii")
        result = self[word] = stem(text) if len(text) > 3 else text
        return result


class _Separated(dict[int, str]):
    """A translation table that sets words apart, filled as code points occur."""

    def __missing__(self, code: int) -> str:
        result = self[code] = _spaced(chr(code), code)
        return result


_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789"
_ASCII = bytes(
    code if bytes([code]) in _LETTERS else code + 32 if 65 <= code <= 90 else 32
    for code in range(256)
)
_STEMS = _Stems()
_SEPARATED = _Separated()
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_ASCII_WORD = re.compile(r"[a-z0-9]+")


def adk_tokens(text: str) -> list[str]:
    """Return the words that ADK counts, stemmed where it stems."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).lower()
        if any(_SEPARATED[ord(letter)] != " " for letter in set(_NOT_ASCII.findall(text))):
            words = text.translate(_SEPARATED).split()
            return [_STEMS[word.encode("ascii")] if word.isascii() else word for word in words]
    # What is not ASCII by now stands between words, as does the sign that replaces it here.
    letters = text.encode("ascii", "replace").translate(_ASCII)
    return list(map(_STEMS.__getitem__, letters.split()))


def adk_rouge1(expected: str, actual: str) -> Overlap:
    """Return ROUGE-1 of an answer against its reference as ADK computes it.

    Counts are clipped, so a word repeated more often than expected does not count again. Both texts
    without words give 0, not 1.
    """
    wanted, count = _reference(expected)
    return _overlap(wanted, count, adk_tokens(actual))


def rouge_score_tokens(text: str, *, stemmed: bool = True) -> list[str]:
    """Return the words that the ``rouge_score`` package counts: ASCII letters and digits only."""
    words = _ASCII_WORD.findall(text.lower())
    return [_STEMS[word.encode("ascii")] for word in words] if stemmed else words


def rouge_n(expected: str, actual: str, n: int, *, stemmed: bool = True) -> Overlap:
    """Return ROUGE-N over runs of ``n`` words, as the ``rouge_score`` package computes it."""
    left = _runs(rouge_score_tokens(expected, stemmed=stemmed), n)
    right = _runs(rouge_score_tokens(actual, stemmed=stemmed), n)
    common = sum((Counter(left) & Counter(right)).values())
    return overlap(common, len(left), len(right))


def rouge_l(expected: str, actual: str, *, stemmed: bool = True) -> Overlap:
    """Return ROUGE-L, from the longest common subsequence of words, as ``rouge_score`` does."""
    from rapidfuzz.distance import LCSseq

    left = rouge_score_tokens(expected, stemmed=stemmed)
    right = rouge_score_tokens(actual, stemmed=stemmed)
    if not left or not right:
        return Overlap(0.0, 0.0, 0.0)
    return overlap(LCSseq.similarity(left, right), len(left), len(right))


def tenxgraph_overlap(expected: str, actual: str) -> Overlap:
    """Return the overlap of the two texts' sets of words, as 10xGraph's ``rouge_match`` does.

    Repetition and order do not count, and nothing is stemmed. Two texts without words overlap
    fully; one text without words does not at all.
    """
    left, right = tenxgraph_words(expected), tenxgraph_words(actual)
    if not left:
        return Overlap(1.0, 1.0, 1.0) if not right else Overlap(0.0, 0.0, 0.0)
    return overlap(len(left & right), len(left), len(right))


def overlap(common: int, expected: int, actual: int) -> Overlap:
    """Return precision, recall and F1 of counts; a denominator of 0 counts as 1.

    The order of operations is that of the packages compared with, so that 4 of 5 words give the
    same 0.8000000000000002.
    """
    precision = common / max(actual, 1)
    recall = common / max(expected, 1)
    total = precision + recall
    return Overlap(precision, recall, 2 * precision * recall / total if total > 0 else 0.0)


def _overlap(wanted: Counter[str], count: int, actual: list[str]) -> Overlap:
    left = dict(wanted)
    common = 0
    for word in actual:
        if left.get(word):
            left[word] -= 1
            common += 1
    return overlap(common, count, len(actual))


@lru_cache(maxsize=4096)
def _reference(text: str) -> tuple[Counter[str], int]:
    tokens = adk_tokens(text)
    return Counter(tokens), len(tokens)


def _runs(tokens: list[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def tenxgraph_words(text: str) -> set[str]:
    """Return the different words that 10xGraph compares: lower-case, nothing stemmed."""
    return set(re.sub(r"[^\w\s]", " ", text.lower()).split())


def _spaced(letter: str, code: int) -> str:
    if _is_one_word(code):
        return f" {letter} "
    mark = unicodedata.category(letter).startswith("M")
    if _is_cluster_script(code):
        return letter if mark else f" {letter}"
    return letter if mark or letter.isalnum() else " "


def _is_one_word(code: int) -> bool:
    return 0x4E00 <= code <= 0x9FFF or 0x3040 <= code <= 0x30FF or 0xAC00 <= code <= 0xD7AF


def _is_cluster_script(code: int) -> bool:
    return 0x0E00 <= code <= 0x0EFF or 0x1780 <= code <= 0x17FF or 0x1000 <= code <= 0x109F
