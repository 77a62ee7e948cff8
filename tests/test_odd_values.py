"""No odd value anywhere in a file makes recognising, checking or reading it fail."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalcore.formats import by_id, check_document, detect
from evalcore.formats.base import Alone, Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, JsonValue, Missing, join, put
from evalcore.workspace.entries import title_of
from tests.samples import SAMPLES

ODD: tuple[JsonValue | Missing, ...] = (
    *(None, 5, True, "x", "", [], {}, [1], {"a": 1}, [None], [[]]),
    *(-1.5, "\ud800", float("nan"), float("inf"), 10**30, MISSING),
)
FILES = sorted(p for p in SAMPLES.rglob("*.json") if "broken" not in p.parts)
pytestmark = pytest.mark.skipif(not FILES, reason="there are no samples")


def pointers(value: JsonValue, pointer: str = "") -> Iterator[str]:
    if pointer:
        yield pointer
    members = value.items() if isinstance(value, dict) else ()
    items = enumerate(value) if isinstance(value, list) else ()
    for token, inner in (*members, *items):
        yield from pointers(inner, join(pointer, token))


@cache
def parsed(path: Path) -> tuple[JsonValue, list[str]]:
    value = JsonDocument.parse(path.read_bytes()).value
    return value, list(pointers(value))


@st.composite
def mutants(draw: st.DrawFn) -> tuple[Path, JsonValue]:
    path = draw(st.sampled_from(FILES))
    value, places = parsed(path)
    for pointer in draw(st.lists(st.sampled_from(places), max_size=3) if places else st.just([])):
        try:
            value = put(value, pointer, draw(st.sampled_from(ODD)))
        except KeyError:
            # An earlier change has taken the place away.
            continue
    return path.relative_to(SAMPLES), value


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(mutants())
def test_odd_values_never_break_reading_or_checking(mutant: tuple[Path, JsonValue]) -> None:
    path, value = mutant
    document = JsonDocument.parse(JsonDocument.parse(b"{}").render(value))
    detection = detect(document.value, path)
    assert all(problem.message for problem in check_document(document, detection, path, Alone()))
    if detection is None:
        return
    assert title_of(document.value, detection, str(path)).name
    known = by_id(detection.format_id)
    if detection.kind is Kind.EVAL_SET:
        lens = known.lens_for(detection)
        assert len(lens.read(document.value).cases) == len(lens.raw_cases(document.value))
    elif detection.kind in (Kind.EVALUATOR, Kind.CRITERIA):
        known.read_evaluators(document.value, detection)
    elif detection.kind is Kind.RESULT:
        known.read_runs(document.value, detection)
