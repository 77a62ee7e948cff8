"""Asking a language model to judge: the port, and the one judge that is a real endpoint.

``connect()`` returns that judge. What it is made of is loaded then, and its client library with the
first question that the cache does not answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from evalcore.judges.counting import CallCount, Tally
from evalcore.judges.port import (
    Failure,
    Judge,
    JudgeError,
    JudgeReply,
    JudgeRequest,
    Message,
    TokenUse,
    Tool,
)
from evalcore.judges.settings import JudgeSettings, read_settings

if TYPE_CHECKING:
    from evalcore.judges.endpoint import EndpointJudge

__all__ = [
    "CallCount",
    "Failure",
    "Judge",
    "JudgeError",
    "JudgeReply",
    "JudgeRequest",
    "JudgeSettings",
    "Message",
    "Tally",
    "TokenUse",
    "Tool",
    "connect",
    "read_settings",
]


def connect(*sources: Mapping[str, Any]) -> EndpointJudge:
    """Return the judge that mappings configure, or else the environment; see ``read_settings``.

    Nothing is opened or sent before the first question.
    """
    from evalcore.judges.endpoint import EndpointJudge

    return EndpointJudge(read_settings(*sources))
