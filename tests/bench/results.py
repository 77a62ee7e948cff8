"""Server CPU of large runs, beside the goals: opening, pages, filters, comparing, size, memory.

Each run is measured in a process of its own that has loaded the libraries, as a server has: first
the store alone, then the scripts of the pages that show it. Runs are written as Parquet at once, as
the writer would, with five kinds of scores; results of the large ones share one text. CPU is that
of all threads; memory is the highest of the process. The least of three processes counts: whatever
else the machine does makes CPU time longer, not shorter. Importing is measured once.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.compare import PairQuery, compare
from evalcore.results import Verdict
from evalcore.store import MetricFilter, Place, RunQuery, RunStore
from evalcore.store.engine import engine
from tests.bench import _screens
from tests.bench._imports import imported, write_report
from tests.bench._memory import memory_gb
from tests.bench._runs import NAMES, Shape, write_run

MODULE = "tests.bench.results"
TRIES = 3


class Goal(NamedTuple):
    """What is measured, and the most that it may come to."""

    name: str
    most: float
    unit: str = "s"


def main(arguments: list[str]) -> None:
    """Print every goal with what was measured, and return nothing; exits with 1 if one fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--invocations", type=int, default=1_000_000, help="of the large runs")
    parser.add_argument("--imported", type=int, default=100_000, help="results of the report")
    parser.add_argument("--measure", choices=MEASURES, help=argparse.SUPPRESS)
    parser.add_argument("--place", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.measure:
        print(json.dumps(MEASURES[given.measure](given.place)))
        return
    with tempfile.TemporaryDirectory() as folder:
        missed = run_all(folder, given.invocations, given.imported)
    sys.exit(1 if missed else 0)


def run_all(folder: str, invocations: int, results: int) -> int:
    """Write the runs, measure them, and return how many goals were missed."""
    place = Place(folder)
    write_run(place, "tiny", Shape(50, 3, 4, texts=True), 7)
    write_run(place, "tiny-after", Shape(50, 3, 4, texts=True), 8)
    write_run(place, "small", Shape(5_000, 5, 4, texts=True), 1)
    write_run(place, "before", Shape(invocations, 1, 5), 2)
    write_run(place, "after", Shape(invocations, 1, 5), 3, drift=0.01)
    write_run(place, "shuffled", Shape(invocations - invocations // 10, 1, 5), 4)
    sizes = {p.name: p.stat().st_size for p in Path(folder, "before").iterdir()}
    del sizes["details.parquet"]
    lines: list[tuple[Goal, float]] = []
    print("5,000 cases x 5 repeats x 4 metrics, with texts")
    lines += show(SMALL, measured("small", folder))
    print(f"\n{invocations:,} invocations x 5 metrics, without texts")
    lines += show(LARGE, measured("large", folder))
    lines += show(FAR, measured("far", folder))
    lines += show([Goal("on disk", 45, "MB")], [sum(sizes.values()) / 1e6])
    print("\nThe pages of the first run")
    lines += show(SMALL_SCREENS, measured("small screens", folder))
    print("\nThe pages of the second")
    lines += show(LARGE_SCREENS, measured("large screens", folder))
    print(f"\nImporting a 10xGraph report of {results:,} results x 5 scores")
    lines += show(IMPORTS, imports(folder, results))
    missed = sum(value > goal.most for goal, value in lines)
    print(f"\n{len(lines) - missed} of {len(lines)} goals are reached")
    return missed


def show(goals: list[Goal], values: list[float]) -> list[tuple[Goal, float]]:
    """Print some measurements beside their goals."""
    for goal, value in zip(goals, values, strict=True):
        is_met = "ok" if value <= goal.most else "MISSED"
        print(f"  {goal.name:<46}{value:9.3f} {goal.unit:<3} (at most {goal.most:g})  {is_met}")
    return list(zip(goals, values, strict=True))


def measured(what: str, folder: str) -> list[float]:
    """Return the least of what some fresh processes measure, each in its own time."""
    return [
        min(values) for values in zip(*(_once(what, folder) for _ in range(TRIES)), strict=True)
    ]


def _once(what: str, folder: str) -> list[float]:
    command = [sys.executable, "-c", f"from {MODULE} import main; import sys; main(sys.argv[1:])"]
    done = subprocess.run(
        [*command, "--measure", what, "--place", folder], capture_output=True, text=True, check=True
    )
    found: list[float] = json.loads(done.stdout.splitlines()[-1])
    return found


def cpu(work: Callable[[], Any]) -> float:
    """Return the CPU seconds that some work takes in all threads."""
    start = time.process_time()
    work()
    return time.process_time() - start


def opened(store: RunStore, name: str) -> Any:
    """Open a run and ask all that its page shows first."""
    run = store.open(name)
    everything = RunQuery()
    assert run.page(everything).lines
    run.verdicts(everything)
    run.numbers(everything)
    run.causes(everything)
    for metric in run.metrics:
        run.histogram(metric.key, everything)
    return run


FILTERS = {
    "failures": RunQuery(mode="failures"),
    "flaky cases": RunQuery(mode="flaky"),
    "one check failed, by another's score": RunQuery(
        metrics=(MetricFilter(NAMES[0], Verdict.FAILED),), sort=f"metric:{NAMES[1]}"
    ),
    "score below 0.3": RunQuery(metrics=(MetricFilter(NAMES[1], None, "<", 0.3),)),
    "a tag": RunQuery(tags=("smoke",)),
    "a cause": RunQuery(cause="missing tool call: refund"),
}
SMALL = [
    Goal("opens: page, counts, numbers, causes, histograms", 0.5),
    *(Goal(f"filter: {name}", 0.1) for name in FILTERS),
    Goal("search: two words in all texts", 0.1),
    Goal("one case in full", 0.1),
]
PAGES = {
    "first": RunQuery(),
    "in the middle": RunQuery(offset=500_000),
    "last": RunQuery(offset=999_900),
    "of failures, by a score": RunQuery(mode="failures", sort=f"metric:{NAMES[1]}"),
    "far into a score": RunQuery(sort=f"metric:{NAMES[1]}", offset=700_000),
    "of one tag, in file order": RunQuery(tags=("smoke",), sort="file", offset=200_000),
}
LARGE = [
    Goal("opens: page, counts, numbers, causes, histograms", 1.0),
    *(Goal(f"page: {name}", 0.1) for name in PAGES),
    Goal("compares: counts, sentence, first page", 0.5),
    Goal("metric changes", 0.5),
    Goal("memory, two runs and their comparison", 1.0, "GB"),
]
FAR = [
    Goal("compares with a run of other cases", 0.5),
    Goal("memory then", 1.0, "GB"),
]


SMALL_SCREENS = [
    Goal("opens", 0.5),
    *(Goal(f"filter: {name}", 0.2) for name in _screens.FILTERS),
    Goal("tab Checks", 0.5),
    Goal("tab Slices", 0.5),
]
LARGE_SCREENS = [
    Goal("opens", 1.0),
    *(Goal(f"page: {name}", 0.2) for name in _screens.PAGES),
    Goal("compares with another open run", 0.5),
    Goal("memory", 1.0, "GB"),
]
IMPORTS = [
    Goal("CPU of a tenth of it", 10),
    Goal("memory of a tenth of it", 500, "MB"),
    Goal("CPU", 100),
    Goal("memory", 500, "MB"),
]


def small(folder: str) -> list[float]:
    store = RunStore(Place(folder))
    engine()
    found = [cpu(lambda: opened(store, "small"))]
    run = store.open("small")
    found += [cpu(lambda query=query: run.page(query)) for query in FILTERS.values()]
    found.append(cpu(lambda: run.page(RunQuery(text="Refund lamp"))))
    sql = "SELECT doc FROM " + run._details + " WHERE case_row = 20000"
    return [*found, cpu(lambda: engine().rows(sql))]


def large(folder: str) -> list[float]:
    store = RunStore(Place(folder))
    engine()
    found = [cpu(lambda: opened(store, "before"))]
    run = store.open("before")
    found += [cpu(lambda query=query: run.page(query)) for query in PAGES.values()]
    other = store.open("after")
    other.count(RunQuery(mode="failures"))
    return [*found, *compared(run, other), memory_gb()]


def far(folder: str) -> list[float]:
    store = RunStore(Place(folder))
    run, other = store.open("before"), store.open("shuffled")
    for each in (run, other):
        each.count(RunQuery(mode="failures"))
    return [compared(run, other)[0], memory_gb()]


def compared(left: Any, right: Any) -> list[float]:
    import scipy.stats  # noqa: F401 - a server has loaded it long ago

    pairs: list[Any] = []

    def compare_them() -> None:

        pair = compare(left, right)
        pair.sentence()
        pair.page(PairQuery())
        pairs.append(pair)

    return [cpu(compare_them), cpu(lambda: pairs[0].metric_changes())]


def imports(folder: str, results: int) -> list[float]:
    """Return seconds and MB of importing a tenth of the results, and all of them."""
    found = []
    for number in (results // 10, results):
        name = f"{number}.json"
        reports = Path(folder, "workspace", "eval_reports")
        reports.mkdir(parents=True, exist_ok=True)
        write_report(reports / name, number)
        found += _once("import", str(reports / name))
    return found


def _imported(path: str) -> list[float]:
    name = Path(path)
    return imported(str(name.parents[1]), f"{name.parent.name}/{name.name}", int(name.stem))


MEASURES: dict[str, Callable[[str], list[float]]] = {
    "small": small,
    "large": large,
    "far": far,
    "small screens": _screens.small,
    "large screens": _screens.large,
    "import": _imported,
}
