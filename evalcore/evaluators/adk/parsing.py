"""How ADK 2.13 reads what a judge wrote, its oddities included.

A label is 1.0 for yes, 0.0 for no, and None for what counts as no answer.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

_YES = {"valid", "true"}
_NO = {"invalid", "false", "almost", "partially", "partially valid", "partially_valid"}
_GROUNDED = {"supported", "not_applicable"}
_UNGROUNDED = {"unsupported", "contradictory", "disputed"}


def _json_field(name: str, value: str) -> re.Pattern[str]:
    """Return a pattern of a field in what may be JSON: a value, quoted or in a list or neither."""
    return re.compile(rf'"{name}":\s*\[*\s*"*({value})"*\s*\]*\s*[,}}\n]')


def _line(label: str) -> re.Pattern[str]:
    """Return a pattern of a line that begins with a label."""
    return re.compile(rf"^\s*{label}: (.*)$", re.MULTILINE)


_IS_VALID = _json_field("is_the_agent_response_valid", r'[^"^\]\s]*')
_IS_INVALID = _json_field("is_the_agent_response_invalid", r'[^"^\]\s]*')
_SIMULATOR_VALID = _json_field("is_valid", r'[^"\]]*')
_ID, _PROPERTY = _line("ID"), _line("Property")
_RATIONALE, _VERDICT = re.compile("(?<=Rationale: ).*"), re.compile("(?<=Verdict: ).*")
_SENTENCE = re.compile("<sentence>(.*?)</sentence>", re.DOTALL)
_BLOCK = re.compile(
    r"\n".join(
        f"{name}:(.*?)"
        for name in (
            "sentence",
            "label",
            "rationale",
            "supporting_excerpt",
            "contradicting_excerpt",
        )
    )
    + r"(?=\nsentence:|\Z)",
    re.DOTALL | re.IGNORECASE,
)
_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-"})
_DECORATION = " *_`#>-•\"'"


def reply_label(answer: str) -> float | None:
    """Return the label in a judge's answer about a reply.

    Case counts, so "Valid" is no answer. Under a key named ``…_invalid`` every word but "true" and
    "invalid" says that the reply is valid.
    """
    found = _IS_VALID.search(answer)
    if found:
        return _label(found[1].rstrip(",}"))
    found = _IS_INVALID.search(answer)
    if found:
        return 0.0 if found[1].rstrip(",}") in ("true", "invalid") else 1.0
    return None


def simulator_label(answer: str) -> float | None:
    """Return the label in a judge's answer about a simulated user's message; case is ignored."""
    found = _SIMULATOR_VALID.search(answer)
    return _label(found[1].strip("}").replace(",", "").strip().lower()) if found else None


def _label(word: str) -> float | None:
    return 1.0 if word in _YES else 0.0 if word in _NO else None


class RubricAnswer(NamedTuple):
    """What a judge wrote about one rubric; ``score`` is None where its verdict is neither."""

    rubric_id: str | None
    property_text: str
    rationale: str
    score: float | None


def rubric_answers(answer: str) -> list[RubricAnswer]:
    """Return what a judge wrote about each rubric, nothing unless the lines add up.

    A verdict is yes if it has "yes" anywhere, else no if it has "no" anywhere ("unknown" too). An
    id belongs to the property that follows it.
    """
    properties = list(_PROPERTY.finditer(answer))
    rationales = _RATIONALE.findall(answer)
    verdicts = _VERDICT.findall(answer)
    if not len(properties) == len(rationales) == len(verdicts):
        return []
    answers, after = [], -1
    ids = list(_ID.finditer(answer))
    for found, rationale, verdict in zip(properties, rationales, verdicts, strict=True):
        own = [i[1].strip() for i in ids if after < i.start() < found.start()]
        answers.append(
            RubricAnswer(
                (own[-1] or None) if own else None,
                found[1].strip(),
                rationale.strip(),
                _verdict(verdict.lower()),
            )
        )
        after = found.start()
    return answers


def _verdict(words: str) -> float | None:
    return 1.0 if "yes" in words else 0.0 if "no" in words else None


def normalised(statement: object) -> str:
    """Return a rubric's text as it is compared: without decoration, case or typographic signs."""
    if not isinstance(statement, str):
        return ""
    plain = unicodedata.normalize("NFKC", statement).translate(_PLAIN)
    return re.sub(r"\s+", " ", plain).strip(_DECORATION).lower()


def sentences(answer: str) -> list[str]:
    """Return the sentences into which a judge split a text."""
    return _SENTENCE.findall(answer)


class SentenceLabel(NamedTuple):
    """What a judge wrote about one sentence."""

    sentence: str
    label: str
    rationale: str

    @property
    def score(self) -> int | None:
        """1 if the sentence needs no more support, 0 if it does, None for an unknown label."""
        word = self.label.lower()
        return 1 if word in _GROUNDED else 0 if word in _UNGROUNDED else None


def sentence_labels(answer: str) -> list[SentenceLabel]:
    """Return what a judge wrote about each sentence; blocks without all five lines are dropped."""
    found = _BLOCK.finditer(answer.strip())
    return [SentenceLabel(*(match[i].strip() for i in (1, 2, 3))) for match in found]
