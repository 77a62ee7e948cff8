"""A process of one package that answers rows of the handed shape."""

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.differential.environments import PEERS, prepared

Row = dict[str, Any]
WORKERS = Path(__file__).parent / "workers"


class Worker:
    """One package, asked in batches; one process for as long as it is open."""

    def __init__(self, system: str) -> None:
        python = prepared(PEERS[system])
        self.process = subprocess.Popen(
            [str(python), "-W", "ignore", str(WORKERS / f"{system}_worker.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": "", "UIPATH_TELEMETRY_ENABLED": "false"},
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def ask(self, section: str, rows: Sequence[Row]) -> list[Row]:
        """Return the package's answer to each row; raises RuntimeError if it gives none."""
        answers: list[Row] = self._asked([[section, row] for row in rows])
        return answers

    def prepare(self, what: str, rows: Sequence[Row]) -> None:
        """Make the package read these rows, to be timed afterwards."""
        self._asked([["prepare", {"what": what, "rows": list(rows)}]])

    def time(self, passes: int) -> list[float]:
        """Return CPU seconds per evaluation, for each of ``passes`` over the prepared rows."""
        times: list[float] = self._asked([["time", passes]])[0]
        return times

    def _asked(self, requests: list[list[Any]]) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(requests) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("The package's process ended; its own message is above")
        return json.loads(line)
