"""The port through which evaluators ask a language model to judge.

An evaluator builds a ``JudgeRequest`` in its own system's words and reads the ``JudgeReply`` by
that system's rules. A judge that cannot be reached, refuses or stalls raises ``JudgeError``, which
becomes an ``error`` verdict and never a number.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Protocol

from pydantic import Field

from evalcore.errors import EvaldeskError
from evalcore.jsontree import MISSING
from evalcore.model import Json, MaybeJson, Model


class Failure(StrEnum):
    """Why there is no answer."""

    UNCONFIGURED = "unconfigured"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"
    UNPARSABLE = "unparsable"
    OVERDUE = "overdue"
    CANCELLED = "cancelled"
    UNUSABLE = "unusable"


class JudgeError(EvaldeskError):
    """The judge gave no usable answer; the message says why, the hint what to check."""

    def __init__(
        self, message: str, *, hint: str = "", failure: Failure = Failure.UNUSABLE
    ) -> None:
        super().__init__(message, hint=hint)
        self.failure = failure


class Message(Model):
    """One message to the judge."""

    role: Literal["system", "user", "assistant"]
    content: str


class Tool(Model):
    """A function that the judge must call with its answer; ``parameters`` is a JSON Schema."""

    name: str
    description: str
    parameters: Json


class JudgeRequest(Model):
    """Everything that decides an answer, and so the key under which it may be kept.

    ``sample`` numbers repeated questions from 0: each is a question of its own. ``tool`` is the
    function that the judge is made to call; ``json_mode`` asks for an answer that is JSON.
    """

    model: str
    messages: tuple[Message, ...]
    temperature: float | None = None
    max_tokens: int | None = None
    tool: Tool | None = None
    json_mode: bool = False
    options: dict[str, Json] = Field(default_factory=dict)
    sample: int = 0


class TokenUse(Model):
    """What an answer cost; money is in US dollars, None where no price is known."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None


class JudgeReply(Model):
    """The judge's answer: its text, and the arguments of the call it made (MISSING for none).

    ``use`` of a reply from the cache is what it cost when it was given.
    """

    text: str = ""
    arguments: MaybeJson = MISSING
    use: TokenUse = TokenUse()
    is_cached: bool = False


class Judge(Protocol):
    """Whoever answers: a real endpoint, or a table in tests."""

    def ask(self, request: JudgeRequest) -> JudgeReply:
        """Return the answer; raises JudgeError if there is none. Safe to call from many threads."""
        ...
