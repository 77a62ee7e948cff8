"""When a question is asked again, and after how long."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Final

AGAIN: Final = frozenset({408, 409, 429})
"""Statuses below 500 after which the same request may succeed."""
FIRST_WAIT: Final = 0.5
LONGEST_WAIT: Final = 30.0


@dataclass(frozen=True)
class Clock:
    """Time, waiting and chance: what a test replaces."""

    now: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    chance: Callable[[], float] = random.random


def is_worth_repeating(status: int) -> bool:
    """Return whether a status is one of a passing state of the server."""
    return status in AGAIN or status >= 500


def wait_before(attempt: int, headers: Mapping[str, str], clock: Clock) -> float:
    """Return how many seconds to wait after try number ``attempt``, counted from 1.

    The wait is random up to a bound that doubles with each try. Where the server says how long to
    wait, it is that long and up to a quarter more, so that those told the same do not return at
    once.
    """
    asked = asked_to_wait(headers, clock)
    if asked is not None:
        return asked * (1 + clock.chance() / 4)
    return clock.chance() * min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(attempt - 1, 16))


def asked_to_wait(headers: Mapping[str, str], clock: Clock) -> float | None:
    """Return the seconds that a server asks to wait, None where it says nothing of use."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        written = headers.get(name)
        if written is None:
            continue
        seconds = _seconds(written, unit, clock)
        if seconds is not None:
            return seconds
    return None


def _seconds(written: str, unit: float, clock: Clock) -> float | None:
    try:
        number = float(written) * unit
    except ValueError:
        try:
            number = max(0.0, parsedate_to_datetime(written).timestamp() - clock.wall())
        except ValueError:
            return None
    return number if 0 <= number < float("inf") else None
