"""Judges that ask a fake endpoint, on a clock that no test waits for."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from evalcore.judges.endpoint import EndpointJudge
from evalcore.judges.retry import Clock
from evalcore.judges.settings import CacheUse, JudgeSettings
from tests.judges.server import Behaviour, FakeEndpoint

KEY = "sk-very-secret-0123456789"


class FakeTime:
    """A clock that jumps where it is asked to wait."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.waits: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds

    def clock(self, chance: float = 1.0) -> Clock:
        return Clock(
            now=lambda: self.time,
            wall=lambda: self.time,
            sleep=self.sleep,
            chance=lambda: chance,
        )


@pytest.fixture
def time() -> FakeTime:
    return FakeTime()


Judged = tuple[EndpointJudge, FakeEndpoint]
Ask = Callable[..., Judged]


@pytest.fixture
def asked(time: FakeTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """Return a function that makes a judge and the endpoint that it asks."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with ExitStack() as stack:

        def make(*behaviours: Behaviour, cached: bool = False, **settings: Any) -> Judged:
            server = stack.enter_context(FakeEndpoint(*behaviours))
            given = {
                "base_url": server.url,
                "api_key": KEY,
                "cache": CacheUse.ON if cached else CacheUse.OFF,
                "cache_path": tmp_path / "cache" / "judge.sqlite3" if cached else None,
                **settings,
            }
            judge = EndpointJudge(JudgeSettings(**given), time.clock())
            return stack.enter_context(judge), server

        yield make
