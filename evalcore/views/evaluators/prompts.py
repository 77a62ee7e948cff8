"""A judge's prompt with its placeholders told apart, and the final prompt for one case."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Evaluator, JudgedEvaluator, Sample
from evalcore.formats._uipath.kinds import CODED_KINDS, Sees
from evalcore.formats._uipath.prompts import CODED_PLACEHOLDERS, LEGACY_PLACEHOLDERS
from evalcore.formats.adk.config_schema import PLACEHOLDERS as SIMULATOR_PLACEHOLDERS
from evalcore.judges import Judge, JudgeError, JudgeReply, JudgeRequest

Tone = Literal["text", "known", "unknown"]
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_NAME = re.compile(r"\{\{\s*(\w+)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Placeholders:
    """What a system fills into a prompt.

    ``required`` must be there or the file is refused, ``appended`` are added at the end where they
    are missing. ``spaced`` is whether blanks inside the braces are allowed.
    """

    known: tuple[str, ...]
    required: tuple[str, ...] = ()
    appended: tuple[str, ...] = ()
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a prompt."""

    text: str
    tone: Tone = "text"


@dataclass(frozen=True, slots=True)
class PromptView:
    """A prompt in pieces, with what is missing and what nobody fills in."""

    pieces: tuple[Piece, ...]
    missing: tuple[str, ...]
    appended: tuple[str, ...]
    unknown: tuple[str, ...]
    unused: tuple[str, ...]


SIMULATOR: Final = Placeholders(
    (*SIMULATOR_PLACEHOLDERS, "persona"), required=SIMULATOR_PLACEHOLDERS, spaced=True
)


def placeholders_for(kind: str) -> Placeholders | None:
    """Return what is filled into the prompt of a kind of check, None if it has none in its file."""
    if kind in CODED_KINDS and CODED_KINDS[kind].is_judged:
        known = CODED_PLACEHOLDERS[CODED_KINDS[kind].sees]
        return Placeholders(known, appended=known[:2])
    sees: dict[str, Sees] = {
        "uipath.legacy_llm_judge": "output",
        "uipath.legacy_trajectory_judge": "trace",
    }
    if kind not in sees:
        return None
    known = LEGACY_PLACEHOLDERS[sees[kind]]
    if sees[kind] == "trace":
        return Placeholders(known, required=known)
    return Placeholders(known, appended=known)


def prompt_view(text: str, of: Placeholders) -> PromptView:
    """Return a prompt in pieces."""
    pieces: list[Piece] = []
    last, found, unknown = 0, set(), []
    for match in _PLACEHOLDER.finditer(text):
        name = _filled(match.group(), of)
        if match.start() > last:
            pieces.append(Piece(text[last : match.start()]))
        pieces.append(Piece(match.group(), "known" if name else "unknown"))
        if name:
            found.add(name)
        else:
            unknown.append(match.group())
        last = match.end()
    if last < len(text):
        pieces.append(Piece(text[last:]))
    return PromptView(
        tuple(pieces),
        missing=tuple(n for n in of.required if n not in found),
        appended=tuple(n for n in of.appended if n not in found),
        unknown=tuple(dict.fromkeys(unknown)),
        unused=tuple(n for n in of.known if n not in found),
    )


def with_placeholder(text: str, name: str) -> str:
    """Return a prompt with a placeholder on a line of its own at its end."""
    return f"{text.rstrip()}\n\n{{{{{name}}}}}\n" if text.strip() else f"{{{{{name}}}}}\n"


def _filled(written: str, of: Placeholders) -> str | None:
    """Return the name that a system fills in for what is written, None if it fills in nothing."""
    match = _NAME.fullmatch(written)
    if match is None or match[1] not in of.known:
        return None
    exact = written == "{{" + match[1] + "}}"
    return match[1] if exact or of.spaced else None


class _Recorder:
    """A judge that notes what it is asked, and answers nothing."""

    def __init__(self) -> None:
        self.requests: list[JudgeRequest] = []

    def ask(self, request: JudgeRequest) -> JudgeReply:
        self.requests.append(request)
        raise JudgeError("This is a preview: nothing was asked")


def final_request(evaluator: Evaluator, sample: Sample) -> JudgeRequest | None:
    """Return the first thing that a judge would be asked about a case, None where it is not asked.

    It is assembled by the check itself. Raises EvaldeskError where the case cannot be judged.
    """
    if not isinstance(evaluator, JudgedEvaluator):
        return None
    recorder = _Recorder()
    asking: Judge = recorder
    try:
        type(evaluator)(evaluator.params, evaluator.name, asking).evaluate(sample)
    except EvaldeskError:
        if not recorder.requests:
            raise
    return recorder.requests[0] if recorder.requests else None


def message_texts(request: JudgeRequest) -> Sequence[tuple[str, str]]:
    """Return who says what in a request."""
    names = {"system": "What the judge is told first", "user": "The question", "assistant": "Judge"}
    return [(names[message.role], message.content) for message in request.messages]
