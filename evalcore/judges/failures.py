"""What went wrong with a request, in words: which errors pass, and what to do about the others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from evalcore.judges.answers import shortened
from evalcore.judges.port import Failure, JudgeError
from evalcore.judges.settings import JudgeSettings

INSTALL: Final = "Install it with: pip install 'evaldesk[judge]'"
_OUT_OF_MONEY: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached"})
_KEYS: Final = re.compile(r"\b(sk|pk|key|AIza)[-_][\w*.-]{4,}|\bAIza[\w-]{10,}|Bearer\s+\S+", re.I)
_HINTS: Final[Mapping[int, str]] = {
    401: "Check EVALDESK_JUDGE_API_KEY.",
    403: "Check what the key may use, and from where.",
    404: "Check EVALDESK_JUDGE_BASE_URL, which often ends in /v1, and the name of the model.",
    413: "The case is too long for this model.",
}
_WORDS: Final[Mapping[int, str]] = {
    401: "does not accept the key",
    403: "does not allow this",
    404: "knows no such address or model",
    408: "took too long",
    409: "was busy with the same request",
    429: "asks for fewer requests",
}


def no_client() -> JudgeError:
    """Return the error of an installation without the client library."""
    return JudgeError(
        "A judge needs the package “openai”, which is not installed",
        hint=INSTALL,
        failure=Failure.UNCONFIGURED,
    )


def not_configured() -> JudgeError:
    """Return the error of a judge without an address or a key."""
    return JudgeError(
        "No judge is configured",
        hint="Set EVALDESK_JUDGE_API_KEY, or EVALDESK_JUDGE_BASE_URL for an endpoint of your own.",
        failure=Failure.UNCONFIGURED,
    )


def no_model() -> JudgeError:
    """Return the error of a check that names no model."""
    return JudgeError(
        "The check names no model, and none is set for all checks",
        hint="Name one in the check, or set EVALDESK_JUDGE_MODEL.",
        failure=Failure.UNCONFIGURED,
    )


def cancelled() -> JudgeError:
    """Return the error of a question that was given up on request."""
    return JudgeError("The run was stopped before the judge answered", failure=Failure.CANCELLED)


def of_status(status: int, body: Any, settings: JudgeSettings) -> JudgeError:
    """Return the error of an answer with a status of 400 or more."""
    said = clean(_said(body), settings)
    words = _WORDS.get(status, "failed" if status >= 500 else "refuses the request")
    passing = status >= 500 or status in (408, 409, 429)
    if is_out_of_money(body):
        words, passing = "has no credit left", False
    return JudgeError(
        f"{_who(settings)} {words} ({status}{f': {said}' if said else ''})",
        hint=_HINTS.get(status, "Try again later." if passing else "Check the check's settings."),
        failure=Failure.UNREACHABLE if passing else Failure.REFUSED,
    )


def of_silence(seconds: float, settings: JudgeSettings) -> JudgeError:
    """Return the error of a request that was not answered within its time."""
    return JudgeError(
        f"{_who(settings)} did not answer within {seconds:g} s",
        hint="Try again later, or raise EVALDESK_JUDGE_TIMEOUT.",
        failure=Failure.OVERDUE,
    )


def of_connection(error: BaseException, settings: JudgeSettings) -> JudgeError:
    """Return the error of a connection that failed or broke."""
    cause = error.__cause__ or error
    said = clean(str(cause) or type(cause).__name__, settings)
    return JudgeError(
        f"{_who(settings)} cannot be reached: {said}",
        hint="Check EVALDESK_JUDGE_BASE_URL, the network and its proxy.",
        failure=Failure.UNREACHABLE,
    )


def of_request(error: BaseException, settings: JudgeSettings) -> JudgeError:
    """Return the error of a request that could not even be sent."""
    said = clean(f"{type(error).__name__}: {error}", settings)
    return JudgeError(
        f"The question cannot be sent to {settings}: {said}",
        hint="Check the judge's address and the check's options.",
        failure=Failure.UNUSABLE,
    )


def after(problem: JudgeError, tries: int, wait: float | None, left: float) -> JudgeError:
    """Return a passing problem that did not pass: ``wait`` is None where no try is left.

    ``wait`` is the next pause and ``left`` what is left of the deadline, in seconds.
    """
    many = f"{tries} tries" if tries > 1 else "one try"
    why = f"after {many}"
    if wait is not None:
        why += f"; the next would be in {wait:.1f} s, and {max(left, 0):.1f} s are left"
    return JudgeError(f"{problem} ({why})", hint=problem.hint, failure=problem.failure)


def is_out_of_money(body: Any) -> bool:
    """Return whether a 429 says that there is no credit, which waiting does not change."""
    return bool(_OUT_OF_MONEY & {_field(body, "code"), _field(body, "type")})


def wants_other_limit(status: int, body: Any) -> bool:
    """Return whether a model wants its longest answer under OpenAI's newer name."""
    return status == 400 and "max_completion_tokens" in _said(body)


def clean(text: str, settings: JudgeSettings) -> str:
    """Return a short text that shows no key, as what a server says may repeat the one it got."""
    return _KEYS.sub("…", settings.hide(shortened(settings.hide(text))))


def _who(settings: JudgeSettings) -> str:
    return f"The judge at {settings.endpoint}"


def _said(body: Any) -> str:
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        inner = inner.get("message") or inner.get("detail") or ""
    return inner if isinstance(inner, str) else ""


def _field(body: Any, name: str) -> str:
    inner = body.get("error", body) if isinstance(body, dict) else None
    found = inner.get(name) if isinstance(inner, dict) else None
    return found if isinstance(found, str) else ""
