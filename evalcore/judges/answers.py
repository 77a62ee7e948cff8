"""What an OpenAI-compatible endpoint is sent, and the answer in what it sends back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from evalcore.jsontree import MISSING, Missing
from evalcore.judges.port import Failure, JudgeError, JudgeReply, JudgeRequest, TokenUse, Tool

SHOWN = 200
"""How many characters of a strange answer an error shows."""
_SURROGATE = re.compile("[\ud800-\udfff]")


def body_of(request: JudgeRequest, model: str) -> dict[str, Any]:
    """Return the body of a chat completion. Raises JudgeError for options that would change it."""
    body: dict[str, Any] = {
        "model": model,
        "messages": [{"role": m.role, "content": _sendable(m.content)} for m in request.messages],
    }
    if request.temperature is not None:
        body["temperature"] = request.temperature
    if request.max_tokens is not None:
        body["max_tokens"] = request.max_tokens
    if request.json_mode:
        body["response_format"] = {"type": "json_object"}
    if request.tool is not None:
        body["tools"] = [{"type": "function", "function": request.tool.model_dump()}]
        body["tool_choice"] = {"type": "function", "function": {"name": request.tool.name}}
    reserved = {*body, "stream", "n", "tools", "tool_choice"} & set(request.options)
    if reserved:
        raise JudgeError(
            f"The judge's options set what the check itself decides: {', '.join(sorted(reserved))}",
            hint="Remove them from the check's options.",
        )
    if request.options:
        body["extra_body"] = dict(request.options)
    return body


def read_reply(content: bytes, content_type: str, request: JudgeRequest) -> JudgeReply:
    """Return the answer in the body of a successful response.

    Raises JudgeError where it is no chat completion (unparsable), where the model declined to
    answer (refused), and where it says nothing at all.
    """
    choice, use = _choice(_decoded(content, content_type))
    message = choice.get("message")
    if not isinstance(message, dict):
        raise _unparsable("The judge's answer holds no message", content)
    ended = choice.get("finish_reason")
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        raise _refused(f"The judge refused to answer: {shortened(refusal)}")
    if ended == "content_filter":
        raise _refused("A content filter of the judge's endpoint stopped the answer")
    text = _text(message.get("content"))
    arguments = MISSING if request.tool is None else _arguments(message, request.tool)
    if not text.strip() and arguments is MISSING:
        raise _silent(ended, request, message)
    return JudgeReply(text=text, arguments=arguments, use=use)


def is_worth_keeping(reply: JudgeReply, request: JudgeRequest) -> bool:
    """Return whether an answer has the form that was asked for; others are asked for again."""
    if request.tool is not None:
        return reply.arguments is not MISSING
    if not request.json_mode:
        return True
    try:
        json.loads(reply.text)
    except ValueError:
        return False
    return True


def shortened(text: str) -> str:
    """Return the beginning of a text on one line, without characters that cannot be shown."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[: 4 * SHOWN]).split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


def _decoded(content: bytes, content_type: str) -> Any:
    try:
        return json.loads(content)
    except ValueError as error:
        kind = content_type.partition(";")[0].strip()
        if kind and not kind.endswith("json"):
            raise JudgeError(
                f"The judge's endpoint answered with {kind}, not with JSON",
                hint="Check the address: it is often the one that ends in /v1.",
                failure=Failure.UNPARSABLE,
            ) from error
        raise _unparsable("The judge's endpoint answered with broken JSON", content) from error


def _choice(answer: Any) -> tuple[Mapping[str, Any], TokenUse]:
    choices = answer.get("choices") if isinstance(answer, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _unparsable(
            "The endpoint's answer is no chat completion", json.dumps(answer).encode()
        )
    use = answer.get("usage")
    counts = use if isinstance(use, dict) else {}
    return choices[0], TokenUse(
        input_tokens=_count(counts.get("prompt_tokens")),
        output_tokens=_count(counts.get("completion_tokens")),
    )


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _text(content: Any) -> str:
    """Return the text of a message, which some endpoints give in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return "".join(text for text in texts if isinstance(text, str))


def _arguments(message: Mapping[str, Any], tool: Tool) -> Any | Missing:
    """Return the arguments of the first call of the tool, MISSING if it was not called."""
    for function in _functions(message):
        if function.get("name") != tool.name:
            continue
        written = function.get("arguments")
        if not isinstance(written, str):
            return MISSING if written is None else written
        try:
            return json.loads(written)
        except ValueError as error:
            raise _unparsable(
                f"The judge called {tool.name} with broken JSON", written.encode("utf-8", "replace")
            ) from error
    return MISSING


def _functions(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    calls = message.get("tool_calls")
    for call in calls if isinstance(calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict):
            yield function


def _silent(ended: Any, request: JudgeRequest, message: Mapping[str, Any]) -> JudgeError:
    if ended == "length":
        return JudgeError(
            f"The judge used up its {request.max_tokens or ''} tokens before it answered".replace(
                "  ", " "
            ),
            hint="Allow a longer answer, or use a model that thinks less.",
            failure=Failure.UNPARSABLE,
        )
    called = [function.get("name") for function in _functions(message)]
    what = f": it called {called}" if called else ""
    return JudgeError(
        f"The judge's answer is empty{what}",
        hint="Try again, or use another model.",
        failure=Failure.UNPARSABLE,
    )


def _sendable(text: str) -> str:
    """Return a text with the halves of characters that no encoding can send replaced."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _unparsable(message: str, content: bytes) -> JudgeError:
    shown = shortened(content.decode("utf-8", "replace"))
    return JudgeError(
        f"{message}: {shown}" if shown else f"{message}: nothing",
        hint="Check that the address is an OpenAI-compatible endpoint.",
        failure=Failure.UNPARSABLE,
    )


def _refused(message: str) -> JudgeError:
    return JudgeError(
        message,
        hint="Read what the case says, or use another model.",
        failure=Failure.REFUSED,
    )
