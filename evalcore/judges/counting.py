"""How many questions a run asks, and what those that were asked have cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from threading import Lock
from typing import NamedTuple

from evalcore.judges.port import JudgeReply


class CallCount(NamedTuple):
    """Questions that a run would ask, before any of them is answered from the cache."""

    total: int
    by_evaluator: Mapping[str, int]


@dataclass
class Tally:
    """What one judge was asked so far. ``cost_usd`` counts the answers whose price is known.

    ``tries`` are requests sent, repeated ones included; ``cached`` answers cost nothing now.
    ``unpriced`` answers came from models without a price.
    """

    answers: int = 0
    cached: int = 0
    failures: int = 0
    tries: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    _lock: Lock = field(default_factory=Lock, repr=False, compare=False)

    def counts(self) -> dict[str, int | float]:
        """Return all counts by name."""
        with self._lock:
            return {f.name: getattr(self, f.name) for f in fields(self) if f.repr}

    def count(self, reply: JudgeReply) -> None:
        """Count an answer."""
        with self._lock:
            self.answers += 1
            if reply.is_cached:
                self.cached += 1
                return
            self.input_tokens += reply.use.input_tokens
            self.output_tokens += reply.use.output_tokens
            self.cost_usd += reply.use.cost_usd or 0.0
            self.unpriced += reply.use.cost_usd is None

    def count_try(self) -> None:
        """Count a request that is sent."""
        with self._lock:
            self.tries += 1

    def count_failure(self) -> None:
        """Count a question that got no answer."""
        with self._lock:
            self.failures += 1
