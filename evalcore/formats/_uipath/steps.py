"""The spans of a UiPath run as steps, each below the span that holds it.

Result files list spans as they ended and name their parents; trace files (JSON Lines) also number
them and say when each began and ended. Both are put in the order of a tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from math import isfinite

from evalcore.formats.steps import Step, StepKind
from evalcore.jsontree import JsonObject, JsonValue, Missing

KINDS: dict[str, StepKind] = {"TOOL": "tool", "LLM": "model", "AGENT": "agent", "CHAIN": "node"}
PARENTS = ("parent_id", "parentId", "parent_span_id", "parentSpanId", "parent_name", "parentName")
IDS = ("span_id", "spanId", "id", "name")
STARTS = ("start_time", "startTime", "start")
ENDS = ("end_time", "endTime", "end")
TOKENS = ("llm.token_count.total", "usage.total_tokens", "gen_ai.usage.total_tokens")
FAILED = ("error", "faulted")


def steps_of(trace: JsonValue | Missing) -> Iterator[Step]:
    """Yield the spans of a run, every one after the span it lies in."""
    spans = [s for s in trace if isinstance(s, dict)] if isinstance(trace, list) else []
    places: dict[str, int] = {}
    for place, span in enumerate(spans):
        for name in (_first(span, IDS), span.get("name")):
            if isinstance(name, str):
                places.setdefault(name, place)
    below: dict[int, list[int]] = {}
    roots = []
    for place, span in enumerate(spans):
        parent = _first(span, PARENTS)
        found = places.get(parent) if isinstance(parent, str) else None
        if found is None or found == place:
            roots.append(place)
        else:
            below.setdefault(found, []).append(place)
    seen: set[int] = set()
    for start in (*roots, *range(len(spans))):
        yield from _tree(spans, below, start, seen)


def _tree(
    spans: list[JsonObject], below: dict[int, list[int]], start: int, seen: set[int]
) -> Iterator[Step]:
    """Yield a span with what lies in it; spans that hold each other come once."""
    waiting = [(start, 0)]
    while waiting:
        place, depth = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        yield _step(spans[place], depth)
        waiting += [(child, depth + 1) for child in reversed(below.get(place, ()))]


def _step(span: JsonObject, depth: int) -> Step:
    found = span.get("attributes")
    attributes = found if isinstance(found, dict) else {}
    name, status = span.get("name"), span.get("status")
    start, end = _moment(_first(span, STARTS)), _moment(_first(span, ENDS))
    tokens = _first(attributes, TOKENS)
    word = status.get("status_code") if isinstance(status, dict) else status
    kind = KINDS.get(str(attributes.get("openinference.span.kind")).upper(), "span")
    return Step(
        kind="tool" if attributes.get("tool.name") else kind,
        name=name if isinstance(name, str) and name else "a span without a name",
        text="answered by a mock" if attributes.get("__uipath_response_mocked") else "",
        depth=depth,
        start_s=start,
        duration_s=end - start if start is not None and end is not None else None,
        tokens=tokens if isinstance(tokens, int) and not isinstance(tokens, bool) else None,
        failed=isinstance(word, str) and word.lower() in FAILED,
        details=_details(span, attributes),
    )


def _details(span: JsonObject, attributes: JsonObject) -> JsonObject:
    """Return the rest of a span: what went in and came out first."""
    first: JsonObject = {
        k: attributes[k] for k in ("input.value", "output.value") if k in attributes
    }
    rest = {k: v for k, v in {**attributes, **span}.items() if k not in ("name", "attributes")}
    return {k: v for k, v in {**first, **rest}.items() if v not in (None, [], {})}


def _first(holder: JsonObject, names: tuple[str, ...]) -> JsonValue:
    return next((holder[name] for name in names if holder.get(name) is not None), None)


def _moment(value: JsonValue) -> float | None:
    """Return a time in seconds: written as such, in nanoseconds, or as a date."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            seconds = float(value) / 1e9 if value > 1e14 else float(value)
        except OverflowError:
            return None
        return seconds if isfinite(seconds) else None
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError):
        return None
