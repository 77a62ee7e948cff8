"""What a run of a page's script costs the server, without a browser: the CPU of the script alone.

The page is the real one, run by Streamlit's own test harness; what the harness does around the
script is not counted. The pages have been open before, on another run.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.bench._memory import memory_gb
from tests.bench._runs import NAMES

SHELL = Path(__file__).resolve().parents[2] / "pages" / "_shell.py"
CASES, CHECKS, SLICES = "Cases", "Checks", "Slices"
FILTERS: dict[str, dict[str, str]] = {
    "failures": {"mode": "failures"},
    "flaky cases": {"mode": "flaky"},
    "one check failed": {"check": NAMES[2], "verdict": "failed"},
    "score below 0.5": {"check": NAMES[2], "score": "<0.5"},
    "a tag": {"tag": "smoke"},
    "a cause": {"cause": "missing tool call: refund"},
    "two words in all texts": {"find": "refund lamp"},
}
PAGES: dict[str, dict[str, str]] = {
    "second page": {"page": "2"},
    "in the middle": {"page": "5000"},
    "last": {"page": "10000"},
    "of failures": {"mode": "failures", "page": "100"},
}


class Page:
    """One page of a visitor, whose script is run as often as the visitor does something."""

    def __init__(self, name: str) -> None:
        from streamlit.testing.v1 import AppTest

        self.at = AppTest.from_file(str(SHELL), default_timeout=300)
        self.at.run()
        self.at.switch_page(f"{name}.py")

    def visit(self, known: dict[str, str], **asked: str) -> None:
        """Run the script with these parts of the address; ``known`` goes into the session."""
        self.at.query_params.clear()
        for key, value in known.items():
            self.at.session_state[key] = value
        for key, value in asked.items():
            self.at.query_params[key] = value
        self.at.run()
        told = [str(error.value) for error in (*self.at.exception, *self.at.error)]
        assert not told, told


def small(folder: str) -> list[float]:
    """Return what opening, filtering and the other tabs of a run cost."""
    cost = _prepared(folder)
    page = Page("results")
    found = [cost(lambda: page.visit({}, run="small"))]
    page.visit({}, run="small")
    for asked in FILTERS.values():
        found.append(cost(lambda asked=asked: page.visit({}, run="small", **asked)))
    for tab in (CHECKS, SLICES):
        found.append(cost(lambda tab=tab: page.visit({"results.shown": tab}, run="small")))
    return found


def large(folder: str) -> list[float]:
    """Return what opening a large run, its pages, and comparing it with another one cost."""
    cost = _prepared(folder)
    page = Page("results")
    found = [cost(lambda: page.visit({}, run="before"))]
    for asked in PAGES.values():
        found.append(cost(lambda asked=asked: page.visit({}, run="before", **asked)))
    page.visit({}, run="after")
    compare = Page("compare")
    found.append(cost(lambda: compare.visit({}, runs="before,after")))
    return [*found, memory_gb()]


def _prepared(folder: str) -> Callable[[Callable[[], Any]], float]:
    """Open all pages once, and return what measures the CPU of the scripts that some work runs."""
    from streamlit.runtime.scriptrunner import script_runner

    workspace = Path(folder, "workspace")
    workspace.mkdir(exist_ok=True)
    os.environ |= {"EVALDESK_RUNS": folder, "EVALDESK_WORKSPACE": str(workspace)}
    logging.disable(logging.WARNING)
    results, compare = Page("results"), Page("compare")
    for tab in (CASES, CHECKS, SLICES, CASES):
        results.visit({"results.shown": tab}, run="tiny")
    compare.visit({}, runs="tiny,tiny-after")
    spent = [0.0]
    before = script_runner.ScriptRunner._run_script

    def run_script(self: Any, *given: Any, **named: Any) -> Any:
        start = time.process_time()
        try:
            return before(self, *given, **named)
        finally:
            spent[0] += time.process_time() - start

    script_runner.ScriptRunner._run_script = run_script  # type: ignore[method-assign]

    def cost(work: Callable[[], Any]) -> float:
        spent[0] = 0.0
        work()
        return spent[0]

    return cost
