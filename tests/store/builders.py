"""Case results of every shape, and small runs of them in a store in a folder."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hypothesis import strategies as st

from evalcore.jsontree import MISSING
from evalcore.model import ToolCall
from evalcore.results import PERCENT, UNIT, CaseResult, InvocationResult, ModelCall, Score, Verdict
from evalcore.store import CaseFacts, Manifest, Place, RunStore, Source, StoredRun
from evalcore.verdicts import PassMark
from tests.strategies import TEXTS, VALUES

P, F, E, N = Verdict.PASSED, Verdict.FAILED, Verdict.ERROR, Verdict.NOT_EVALUATED
VERDICTS = st.sampled_from([P, F, E, N])
MAYBE = st.just(MISSING) | VALUES
NUMBERS = st.sampled_from([0.0, 0.25, 0.5, 0.7, 0.8, 0.82, 0.9, 1.0])
REFS = st.sampled_from(["calls", "reply", "judge"])
REASONS = st.sampled_from(["", "expected 3 calls, got 2", "wrong “colour”"])
IDS = st.sampled_from(["a", "b", "c", "d", None, "\ud800", "C0FFEE00-0000-4000-8000-00000000000A"])


def optional(strategy: st.SearchStrategy) -> st.SearchStrategy:
    return st.none() | strategy


ANY_SCORES = st.builds(
    Score,
    evaluator=TEXTS,
    evaluator_name=TEXTS,
    value=optional(st.floats()),
    native=optional(st.floats()),
    scale=st.sampled_from([UNIT, PERCENT, None]),
    verdict=optional(VERDICTS),
    threshold=optional(st.floats()),
    reason=TEXTS,
    cautions=st.lists(TEXTS, max_size=2).map(tuple),
    details=MAYBE,
    informational=st.booleans(),
    line=optional(st.integers(0, 3)),
    duration_s=optional(st.floats(0, 9)),
    origin=TEXTS,
)
CALLS = st.builds(ToolCall, name=TEXTS, args=MAYBE, id=optional(TEXTS), result=MAYBE, origin=TEXTS)
ANY_TURNS = st.builds(
    InvocationResult,
    origin=TEXTS,
    index=st.integers(0, 5),
    input=MAYBE,
    expected_output=MAYBE,
    actual_output=MAYBE,
    expected_tool_calls=optional(st.lists(CALLS, max_size=2).map(tuple)),
    actual_tool_calls=optional(st.lists(CALLS, max_size=2).map(tuple)),
    expected_node_order=optional(st.lists(TEXTS, max_size=2).map(tuple)),
    node_visits=optional(st.lists(TEXTS, max_size=2).map(tuple)),
    trace=MAYBE,
    model_calls=optional(
        st.lists(st.builds(ModelCall, prompt_tokens=optional(st.integers())), max_size=2).map(tuple)
    ),
    scores=st.lists(ANY_SCORES, max_size=2).map(tuple),
    duration_s=optional(st.floats()),
    error=optional(TEXTS),
)
ANY_CASES = st.builds(
    CaseResult,
    origin=TEXTS,
    case_id=optional(TEXTS),
    name=TEXTS,
    repeat=st.integers(0, 3),
    verdict=optional(VERDICTS),
    stored_status=TEXTS,
    invocations=st.lists(ANY_TURNS, max_size=2).map(tuple),
    scores=st.lists(ANY_SCORES, max_size=2).map(tuple),
    error=optional(TEXTS),
    duration_s=optional(st.floats()),
    total_tokens=optional(st.integers()),
    notes=st.lists(TEXTS, max_size=2).map(tuple),
)
"""Anything a case result can hold, sense or not."""


@st.composite
def scores(draw: st.DrawFn, *, has_rule: bool = True, threshold: bool = True) -> Score:
    """A score as files have them; where there is no pass rule, most have no verdict."""
    value = draw(optional(NUMBERS))
    verdict: Verdict | None = draw(optional(VERDICTS)) if not has_rule else draw(VERDICTS)
    if value is None and verdict is P:
        verdict = N
    marked = threshold and verdict is not None
    return Score(
        evaluator=draw(REFS),
        value=None if verdict is E else value,
        native=value,
        verdict=verdict,
        threshold=draw(optional(NUMBERS)) if marked else None,
        reason=draw(REASONS),
        informational=draw(st.sampled_from([False] * 7 + [True])),
    )


@st.composite
def cases(draw: st.DrawFn, *, has_rule: bool = True) -> CaseResult:
    """A case result as files have them."""
    some = st.lists(scores(has_rule=has_rule), max_size=3).map(tuple)
    turns = draw(st.lists(st.tuples(some, optional(st.just("broke"))), max_size=3))
    return case(
        draw(IDS),
        verdict=draw(optional(VERDICTS)) if has_rule else draw(st.sampled_from([None] * 5 + [N])),
        name=draw(st.sampled_from(["", "first", "second"])),
        scores=draw(st.just(()) | some),
        duration_s=draw(optional(NUMBERS)),
        total_tokens=draw(optional(st.integers(0, 9))),
        error=draw(st.sampled_from([None] * 8 + ["Timeout after 30 s"])),
        invocations=tuple(
            InvocationResult(
                origin="",
                index=index,
                input=draw(
                    st.sampled_from(["Where is MY parcel?", MISSING, ["STRASSE", "straße"]])
                ),
                scores=held,
                error=error if draw(st.integers(0, 5)) == 0 else None,
            )
            for index, (held, error) in enumerate(turns)
        ),
    )


FACTS = st.builds(
    CaseFacts,
    tags=st.lists(st.sampled_from(["smoke", "slow", "it's"]), max_size=2, unique=True).map(tuple),
    metadata=st.dictionaries(
        st.sampled_from(["team", 'a"b', "", "x.y", "tag"]),
        st.sampled_from(["gold", "7", 7, None, True, ["l"], float("nan")]),
        max_size=2,
    ),
)


def score(value: float | None = 1.0, verdict: Verdict | None = P, ref: str = "reply", **more):
    return Score(**{"evaluator": ref, "value": value, "native": value, "verdict": verdict, **more})


def turn(*held: Score, index: int = 0, **more) -> InvocationResult:
    return InvocationResult(origin=f"/t/{index}", index=index, scores=held, **more)


def case(case_id: str | None = "a", **more) -> CaseResult:
    return CaseResult(**{"origin": f"/c/{case_id}", "case_id": case_id, **more})


def manifest(run_id: str = "r", **more) -> Manifest:
    return Manifest(**{"id": run_id, "source": Source(kind="outputs"), "format_id": "adk", **more})


def store_in(folder: Path | str) -> RunStore:
    return RunStore(Place(str(folder)))


def stored(
    store: RunStore,
    results: Iterable[CaseResult],
    run_id: str = "r",
    facts: Iterable[CaseFacts] | None = None,
    mark: PassMark | None = None,
    **more,
) -> StoredRun:
    """Write a run of some results and open it, perhaps under another mark."""
    told = iter(facts) if facts is not None else None
    about = (lambda _: CaseFacts()) if told is None else (lambda _: next(told))
    with store.writer(manifest(run_id, **more), about) as writer:
        for result in results:
            writer.append(result)
        writer.finish()
    return store.open(run_id, mark)
