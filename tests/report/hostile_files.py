"""Result files of every system in which nothing is as it should be, made of the samples' own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

from tests.samples import SAMPLES

AWAY = "https://leak.invalid"
NASTY = (
    f"</script><script>window.owned=1</script><img src={AWAY}/d onerror=window.owned=2> ]]> &amp; "
    f"\x00\x1b[31m \x85 \ud83d \ufffe \u2028 \u202eabc ![pic]({AWAY}/x.png) [a]({AWAY}/b) {AWAY}/c "
    "[j](javascript:alert(3)) @someone `code` ``` | <!-- ' \" :material/delete: :red[red] $x^2$"
    " \r\n\ttab"
)
FORMULA = "=cmd|' /C calc'!A0"
NUMBERS = (float("nan"), 7.0, -1.0, float("inf"), 1e308, True, "0.5", 10**400, None, [0.5])
STRUCTURE = {"role", "kind", "apiVersion", "openinference.span.kind", "status", "event_type"}
"""Keys whose texts a system chooses from a few; poisoned, they would make it another file."""
LONG = 5_000_000


class System(NamedTuple):
    """Where a system's results lie, and where in the file the results of cases do."""

    path: str
    cases: tuple[str | int, ...]
    ids: tuple[str, ...]


SYSTEMS = {
    "adk": System("adk/refund_desk/.adk/eval_history", ("eval_case_results",), ("eval_id",)),
    "harnest": System(
        "harnest/library_helper/results", ("evalSetResults", 0, "evalCaseResults"), ("evalId",)
    ),
    "tenxgraph": System("tenxgraph/trip_planner/eval_reports", ("results",), ("eval_id",)),
    "uipath_coded": System(
        "uipath_coded/claims_intake/claims-output.json",
        ("evaluationSetResults",),
        ("evaluationName",),
    ),
    "uipath_lowcode": System(
        "uipath_lowcode/SupportTriage/triage-output.json",
        ("evaluationSetResults",),
        ("evaluationName",),
    ),
}


def source(system: str) -> Path:
    """Return the sample's result file that a system's hostile one is made of."""
    place = SAMPLES / SYSTEMS[system].path
    return place if place.is_file() else max(place.glob("*.json"), key=lambda p: p.stat().st_size)


def write(system: str, folder: Path, long: int = LONG) -> str:
    """Write the hostile file of a system among a copy of the samples; returns its path there."""
    place = folder / source(system).relative_to(SAMPLES)
    target = place.with_name(f"hostile-{place.name}")
    target.write_text(json.dumps(document(system, long)), encoding="utf-8")
    return target.relative_to(folder).as_posix()


def document(system: str, long: int = LONG) -> Any:
    """Return a whole hostile file; what the sample says in sum now says that all went well."""
    value = json.loads(source(system).read_bytes())
    known = SYSTEMS[system]
    holder = value
    for step in known.cases[:-1]:
        holder = holder[step]
    base = max(holder[known.cases[-1]], key=lambda case: len(json.dumps(case)))
    holder[known.cases[-1]] = [deepcopy(base), *variants(base, known, long)]
    if "status" in value:
        value["status"] = holder["status"] = "passed"
    if "summary" in value:
        value["summary"] = dict.fromkeys(value["summary"], 0) | {"pass_rate": 1.0}
    return value


def variants(base: Any, known: System, long: int) -> Iterator[Any]:
    """Yield case results, each of them hostile in one way."""
    yield deepcopy(base)  # the same id once more
    yield from (
        changed(base, lambda key, text: text if key in STRUCTURE else f"{NASTY}{text}"),
        changed(base, lambda key, text: text if key in STRUCTURE else [text, [text], {"x": text}]),
        changed(base, lambda key, text: "" if key not in STRUCTURE else text),
        changed(base, lambda key, text: FORMULA if key not in STRUCTURE else text),
        numbered(base),
        lengthened(base, known, long),
    )
    for path in paths(base):
        yield renamed(without(base, path), known, f"without {path}")
        yield renamed(put(base, path, None), known, f"null at {path}")
        yield renamed(put(base, path, [7, {"x": NASTY}]), known, f"list at {path}")
        yield renamed(put(base, path, NASTY), known, f"text at {path}")


def renamed(case: Any, known: System, name: str) -> Any:
    for key in known.ids:
        if isinstance(case, dict) and isinstance(case.get(key), str):
            case[key] = f"{case[key]} {name}"
    return case


def changed(value: Any, do: Callable[[str, str], Any], key: str = "") -> Any:
    """Return a copy with other texts; ``do`` gets the nearest name and the text."""
    if isinstance(value, dict):
        return {name: changed(item, do, name) for name, item in value.items()}
    if isinstance(value, list):
        return [changed(item, do, key) for item in value]
    return do(key, value) if isinstance(value, str) else value


def numbered(base: Any) -> Any:
    """Return a copy in which no number is what it was."""
    numbers = cycle(NUMBERS)

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: walk(item) for key, item in value.items()}
        if isinstance(value, list):
            return [walk(item) for item in value]
        return next(numbers) if isinstance(value, int | float) else value

    return walk(base)


def lengthened(base: Any, known: System, long: int) -> Any:
    """Return a copy whose longest text is of so many characters."""
    texts: list[str] = []
    changed(base, lambda key, text: texts.append(text))
    longest = max(texts, key=len)
    made = changed(base, lambda key, text: text + "y" * long if text == longest else text)
    return renamed(made, known, "long")


def paths(value: Any, depth: int = 3) -> Iterator[tuple[str | int, ...]]:
    """Yield the places of a value, each list by its first item only."""
    inside: Any = value.items() if isinstance(value, dict) else enumerate(value[:1])
    for step, item in inside:
        yield (step,)
        if depth > 1 and isinstance(item, dict | list):
            yield from ((step, *rest) for rest in paths(item, depth - 1))


def without(value: Any, path: tuple[str | int, ...]) -> Any:
    copy = deepcopy(value)
    holder = copy
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return copy


def put(value: Any, path: tuple[str | int, ...], item: Any) -> Any:
    copy = deepcopy(value)
    holder = copy
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = item
    return copy
