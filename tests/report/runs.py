"""Runs to report on: an ordinary one, one whose every text is hostile, and large ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from typing import Any
from uuid import uuid4

from evalcore.model import ToolCall
from evalcore.report import ReportKind, Selection, write
from evalcore.results import CaseResult, InvocationResult, Run, Scale, Score, Verdict
from evalcore.store import CaseFacts, Manifest, Place, RunQuery, RunStore, Source, StoredRun

PASSED, FAILED, ERROR, IDLE = (
    Verdict.PASSED,
    Verdict.FAILED,
    Verdict.ERROR,
    Verdict.NOT_EVALUATED,
)
NASTY = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)> ]]> &amp; \x00\x1b[31m \x85 "
    "\ud83d \ufffe \u2028\u2029 \u202eabc ![pic](http://example.com/x.png) "
    "[a](javascript:alert(3)) @someone #1 `code` ``` | \\| <!-- ' \" \r\n\ttab"
)
HUGE = 10**5_000


def stored(
    cases: Iterable[CaseResult],
    facts: Sequence[CaseFacts] = (),
    run: Run | None = None,
    **known: Any,
) -> StoredRun:
    """Return a run in memory with these case results."""
    store = RunStore(Place(f"memory://test-{uuid4().hex}"))
    held: dict[str, Any] = {
        "id": "run-1",
        "name": "Refunds",
        "source": Source(kind="result_file", path="results/run.json", sha256="ab" * 32),
        "format_id": "adk",
        "started_at": datetime(2026, 10, 1, 12, 30, tzinfo=UTC),
    }
    about = iter(facts)
    with store.writer(Manifest(**held | known), lambda _: next(about, CaseFacts())) as writer:
        for case in cases:
            writer.append(case)
        writer.finish(run=run)
    return store.open("run-1")


def score(name: str, value: float | None, verdict: Verdict | None, **more: Any) -> Score:
    return Score(name, name.title(), value=value, native=value, verdict=verdict, **more)


def turn(said: Any, expected: Any, actual: Any, *scores: Score, **more: Any) -> InvocationResult:
    return InvocationResult(
        origin="",
        index=0,
        input=said,
        expected_output=expected,
        actual_output=actual,
        scores=scores,
        **more,
    )


def case(case_id: str | None, verdict: Verdict | None, *turns: InvocationResult, **more: Any):
    return CaseResult(origin="", case_id=case_id, verdict=verdict, invocations=turns, **more)


@cache
def ordinary() -> StoredRun:
    """Return a run with a case of every verdict, and one that was run three times."""
    wanted = (ToolCall(name="find", args={"order": "A-17"}), ToolCall(name="refund"))
    made = (ToolCall(name="find", args={"order": "A-18"}),)
    good = score("words", 1.0, PASSED, threshold=0.7)
    bad = score("words", 0.42, FAILED, threshold=0.7, reason="3 of 7 words", cautions=("short",))
    near = score("words", 0.72, PASSED, threshold=0.7)
    cases = [
        case("greets", PASSED, turn("hello", "hi there", "hi there", good), total_tokens=12),
        case(
            "refunds",
            FAILED,
            turn(
                "give it back",
                "I refunded 12 EUR",
                "I refunded 15 EUR",
                bad,
                expected_tool_calls=wanted,
                actual_tool_calls=made,
                expected_node_order=("start", "pay"),
                node_visits=("start", "end"),
                duration_s=1.5,
            ),
            duration_s=1.5,
        ),
        case("crashes", ERROR, turn("boom", "fine", None, error="Timeout after 60 s")),
        case("idle", IDLE),
        case(
            "talks",
            PASSED,
            turn("one", {"a": 1, "b": [1]}, {"a": 2, "b": [1]}, near),
            turn("two", "x", "x", good),
        ),
        case("flips", PASSED, turn("q", "yes", "yes", good)),
        case("flips", FAILED, turn("q", "yes", "no", bad), repeat=1),
        case("flips", PASSED, turn("q", "yes", "yes", good), repeat=2),
    ]
    tags = [CaseFacts(tags=("smoke",)), CaseFacts(tags=("smoke", "money"))]
    return stored(cases, tags, eval_set={"id": "refunds", "name": "Refunds", "content": "cd" * 32})


@cache
def hostile() -> StoredRun:
    """Return a run in which nothing is as it should be."""
    numbers = [
        score(NASTY, float("nan"), FAILED, reason=NASTY, cautions=(NASTY,), threshold=float("nan")),
        Score("seven", "=SUM(A1)", value=1.0, native=7.0, scale=Scale(0, 5), verdict=PASSED),
        score("inf", float("inf"), None, informational=True),
        score("minus", -0.5, FAILED, reason="=cmd|' /C calc'!A0"),
    ]
    cases = [
        case(NASTY, FAILED, turn(NASTY, NASTY, NASTY + "!", *numbers), name=NASTY, error=NASTY),
        case("twice", PASSED, turn([1, {"x": NASTY}], ["list"], [["list"], None], *numbers)),
        case("twice", PASSED, turn({"n": HUGE}, {"n": HUGE}, {"n": HUGE + 1}, *numbers)),
        case(None, None, turn("", None, "")),
        case("", FAILED),
        case("long", FAILED, turn("long", "short", "y" * 5_000_000)),
        case("=1+1", FAILED, turn("+1", "-1", "@x", duration_s=float("nan")), notes=(NASTY,)),
        case(
            "tools",
            ERROR,
            turn(
                None,
                None,
                None,
                actual_tool_calls=(ToolCall(name=NASTY, args=[NASTY]), ToolCall(name="", args=7)),
                expected_tool_calls=(ToolCall(name=NASTY, args={NASTY: NASTY}),),
                node_visits=(NASTY,),
                error=NASTY,
            ),
            duration_s=-3.0,
        ),
    ]
    facts = [CaseFacts(tags=(NASTY,), metadata={NASTY: NASTY})]
    run = Run(format_id="adk", stored_status="passed", error=NASTY)
    return stored(cases, facts, run, name=NASTY, versions={NASTY: NASTY}, eval_set={"id": NASTY})


def many(number: int) -> Iterator[CaseResult]:
    """Yield case results of some sentences each, every seventh failed."""
    for n in range(number):
        is_bad = n % 7 == 0
        said = score("words", 0.3 if is_bad else 0.9, FAILED if is_bad else PASSED, threshold=0.7)
        reply = f"Your order {n} is on its way and will arrive on day {n % 28}. " * 8
        yield case(
            f"case-{n:05}",
            FAILED if is_bad else PASSED,
            turn(f"Where is order {n}?", reply, reply.replace("arrive", "come"), said),
        )


def exported(kind: str, run: StoredRun, query: RunQuery | None = None) -> bytes:
    stream = BytesIO()
    write(ReportKind(kind), Selection(run, query or RunQuery()), stream)
    return stream.getvalue()
