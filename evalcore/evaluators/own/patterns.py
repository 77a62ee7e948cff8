"""``match()`` and ``search()`` of JSON paths (RFC 9485), stopped where they take too long."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from time import monotonic
from typing import ClassVar, Final

import regex
from iregexp_check import check
from jsonpath_rfc9535 import JSONPathEnvironment
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction

SECONDS: Final = 1.0
"""How long all searches of one path in one value may take together."""
_until: ContextVar[float] = ContextVar("until")


@contextmanager
def bounded() -> Iterator[None]:
    """Bound the searches inside; one that is not done in time raises TimeoutError."""
    token = _until.set(monotonic() + SECONDS)
    try:
        yield
    finally:
        _until.reset(token)


class _Pattern(FilterFunction):
    """A function of a text and a pattern; what is no text or no such pattern does not match."""

    arg_types: ClassVar = [ExpressionType.VALUE, ExpressionType.VALUE]
    return_type = ExpressionType.LOGICAL

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole

    def __call__(self, text: object, pattern: object) -> bool:
        compiled = _compiled(pattern) if isinstance(pattern, str) else None
        if compiled is None or not isinstance(text, str):
            return False
        left = _until.get(monotonic() + SECONDS) - monotonic()
        if left <= 0:
            raise TimeoutError
        search = compiled.fullmatch if self._whole else compiled.search
        return search(text, timeout=left) is not None


class Environment(JSONPathEnvironment):
    """JSON paths whose patterns are bounded in time."""

    def setup_function_extensions(self) -> None:
        """Take our functions in place of two of the library's."""
        super().setup_function_extensions()
        self.function_extensions["match"] = _Pattern(whole=True)
        self.function_extensions["search"] = _Pattern(whole=False)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str] | None:
    """Return a pattern ready to search, None for a text that is none."""
    if not check(pattern):
        return None
    try:
        return regex.compile(_as_python(pattern))
    except regex.error:
        return None


def _as_python(pattern: str) -> str:
    """Return a pattern with its dots as RFC 9485 means them: any character but a line end."""
    parts, in_class, escaped = [], False, False
    for sign in pattern:
        is_any = sign == "." and not (in_class or escaped)
        parts.append(r"[^\n\r]" if is_any else sign)
        if not escaped and sign in "[]":
            in_class = sign == "["
        escaped = sign == "\\" and not escaped
    return "".join(parts)
