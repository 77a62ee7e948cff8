"""What rules found in one case, kept for as long as the case and all they looked at stay the same.

Trees share all that an edit did not touch, so a case that is still the same object has not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from evalcore.errors import Problem
from evalcore.jsontree import JsonValue

Find = Callable[[], Iterable[Problem]]


class Memo:
    """The findings of the last check of one file, for the next check of it."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, Hashable], tuple[JsonValue, tuple[Problem, ...]]] = {}
        self._used = self._known

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Let ``remembered`` use these findings; those that are not asked for are forgotten."""
        token = _IN_USE.set(self)
        self._used = {}
        try:
            yield
        finally:
            _IN_USE.reset(token)
            self._known = self._used

    def recall(self, part: JsonValue, around: Hashable, find: Find) -> tuple[Problem, ...]:
        """Return what ``find`` found in ``part`` before, else find it."""
        # The part is kept beside what was found in it, so that its identity is not given away.
        place = id(part), around
        known = self._known.get(place)
        self._used[place] = known if known is not None else (part, tuple(find()))
        return self._used[place][1]


_IN_USE: ContextVar[Memo | None] = ContextVar("findings of the last check", default=None)


def remembered(part: JsonValue, around: Hashable, find: Find) -> Iterable[Problem]:
    """Return what ``find`` finds in a part of a tree, from the memo in use if there is one.

    ``around`` must tell apart everything else that the answer depends on.
    """
    memo = _IN_USE.get()
    return find() if memo is None else memo.recall(part, around, find)
