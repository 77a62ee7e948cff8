"""Every answer of a stored run is the one that plain Python gives over the same case results."""

from collections import Counter
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.errors import EvaldeskError
from evalcore.store import CaseFacts, MetricFilter, RunQuery
from evalcore.store import stored as stored_module
from evalcore.verdicts import USUAL_MARK
from tests.store import oracle
from tests.store.builders import (
    FACTS,
    NUMBERS,
    VERDICTS,
    E,
    F,
    N,
    P,
    case,
    cases,
    optional,
    score,
    store_in,
    stored,
    turn,
)

RESULTS = st.lists(st.tuples(cases(), FACTS), max_size=9)


@st.composite
def queries(draw: st.DrawFn, lines: list[oracle.Line], refs: list[str]) -> RunQuery:
    """A query that often matches something of some lines."""
    some = st.sampled_from(lines or [None])
    sorts = ["worst", "file", "name", "duration", *(f"metric:{ref}" for ref in refs)]
    comparisons = st.sampled_from(["<", "<=", "=", ">=", ">", None])
    filters = st.builds(
        MetricFilter, st.sampled_from(refs or ["x"]), optional(VERDICTS), comparisons, NUMBERS
    )
    known = [pair for line in lines for pair in line.facts.metadata.items()]
    names = st.sampled_from([("tag", "smoke"), ("team", "gold"), ("tag", "it's"), *known])
    line = draw(some)
    reasons = list(line.causes) if line else []
    rarely = st.integers(0, 3).map(lambda number: number == 0)
    return RunQuery(
        mode=draw(st.sampled_from(["all"] * 4 + ["failures", "errors", "passes", "flaky"])),
        text=draw(st.sampled_from([""] * 4 + ["my PARCEL", "straße", "a", "expected calls"])),
        metrics=tuple(draw(st.lists(filters, max_size=1))) if refs and draw(rarely) else (),
        tags=tuple(draw(st.lists(st.sampled_from(["smoke", "it's"]), max_size=2)))
        if draw(rarely)
        else (),
        slices=tuple(
            (name, value if isinstance(value, str) else oracle.json.dumps(value))
            for name, value in draw(st.lists(names, max_size=1))
        )
        if draw(rarely)
        else (),
        cause=draw(st.sampled_from([*reasons, "none"])) if draw(rarely) else None,
        cases=frozenset([line.key, "b"]) if line and draw(rarely) else None,
        rows=tuple(draw(st.lists(st.integers(0, 9), max_size=4))) if draw(rarely) else None,
        sort=draw(st.sampled_from(sorts)),
        descending=draw(st.booleans()),
        limit=draw(st.sampled_from([1, 2, 100])),
        offset=draw(st.sampled_from([0, 0, 1, 3])),
    )


@settings(max_examples=60)
@given(RESULTS, st.data())
def test_every_answer_is_that_of_plain_python(given_results, data):
    results, facts = [r for r, _ in given_results], [f for _, f in given_results]
    lines = oracle.lines_of(results, facts, USUAL_MARK)
    with TemporaryDirectory() as folder:
        run = stored(store_in(folder), results, facts=facts)
        refs = [metric.key for metric in run.metrics]
        assert set(refs) == {s.evaluator for r in results for s in every_score(r)}
        for _ in range(6):
            query = data.draw(queries(lines, refs))
            compare_answers(run, lines, query, refs)


def every_score(result):
    yield from result.scores
    for held in result.invocations:
        yield from held.scores


def compare_answers(run, lines, query, refs):
    wanted = oracle.select(lines, query)
    page = run.page(query)
    shown = wanted[query.offset : query.offset + query.limit]
    assert [line.case_row for line in page.lines] == [line.place for line in shown]
    assert page.total == run.count(query) == len(wanted)
    for found, line in zip(page.lines, shown, strict=True):
        assert found.case_key == line.key
        assert found.verdict is line.row.verdict
        assert (found.is_near, found.is_flaky) == (line.row.is_near, line.flaky)
        assert found.values == {ref: line.value(ref) for ref in refs}
        assert found.verdicts == {ref: line.verdict(ref) for ref in refs}
        assert (found.tags, found.causes) == (line.facts.tags, line.causes)
        assert found.turns == len(line.row.turns)
        assert found.tokens == line.row.case.total_tokens
    assert run.verdicts(query) == Counter(line.row.verdict for line in wanted)
    assert run.causes(query, 99) == oracle.causes(wanted)
    for numbers, ref in zip(run.numbers(query), refs, strict=True):
        values = [v for line in wanted if (v := line.value(ref)) is not None]
        assert numbers.scored == len(values)
        mean = sum(values) / len(values) if values else None
        assert numbers.mean == (None if mean is None else pytest.approx(mean, abs=1e-6))
        low, high = (min(values), max(values)) if values else (None, None)
        assert (numbers.low, numbers.high) == (
            (None, None) if low is None else (pytest.approx(low), pytest.approx(high))
        )
        verdicts = (line.verdict(ref) for line in wanted)
        assert numbers.counts == Counter(v for v in verdicts if v is not None)
        metric = run.manifest.metric(ref)
        ends = (metric.low or 0.0, metric.high or 0.0) if metric.informational else (0.0, 1.0)
        assert run.histogram(ref, query, 7) == oracle.histogram(wanted, ref, 7, *ends)
    for name in ("tag", "team", 'a"b', "", "x.y"):
        found = {g.name: (g.counts, g.cases) for g in run.slices(name, query)}
        assert found == oracle.slices(wanted, name)
    order = [line.place for line in wanted]
    for at in order[:2]:
        place = order.index(at)
        before = order[place - 1] if place else None
        after = order[place + 1] if place + 1 < len(order) else None
        assert run.neighbours(query, at) == (before, after)


@settings(max_examples=30)
@given(RESULTS, st.data())
def test_a_page_deep_in_the_list_is_the_same_as_one_at_its_beginning(given_results, data):
    results, facts = [r for r, _ in given_results], [f for _, f in given_results]
    lines = oracle.lines_of(results, facts, USUAL_MARK)
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_module, "NEAR_ROWS", 0)
        run = stored(store_in(folder), results, facts=facts)
        for _ in range(6):
            query = data.draw(queries(lines, [metric.key for metric in run.metrics]))
            shown = oracle.select(lines, query)[query.offset : query.offset + query.limit]
            assert [x.case_row for x in run.page(query).lines] == [line.place for line in shown]


def test_slices_are_named_once_and_tags_first(tmp_path):
    told = [CaseFacts(("t",), {"team": "a", "tag": "hidden"}), CaseFacts((), {"area": 3})]
    run = stored(store_in(tmp_path), [case("a"), case("b")], facts=told)
    assert run.slice_names() == ["tag", "area", "team"]
    assert [group.name for group in run.slices("tag", RunQuery())] == ["t"]


def test_groups_are_the_largest_first(tmp_path):
    told = [CaseFacts(("x", "y")), CaseFacts(("y",)), CaseFacts(("z",))]
    run = stored(store_in(tmp_path), [case("a"), case("b"), case("c")], facts=told)
    assert [g.name for g in run.slices("tag", RunQuery(), limit=2)] == ["y", "x"]


def test_the_default_order_is_errors_failures_flaky_near_then_the_rest(tmp_path):
    results = [
        case(name, verdict=verdict, scores=(score(value, verdict, threshold=0.8),))
        for name, verdict, value in [
            ("fine", P, 1.0),
            ("idle", N, None),
            ("near", P, 0.82),
            ("flaky", P, 1.0),
            ("flaky", F, 0.3),
            ("low", F, 0.2),
            ("broke", E, None),
        ]
    ]
    run = stored(store_in(tmp_path), results)
    assert [line.case_id for line in run.page(RunQuery()).lines] == [
        "broke",
        "low",
        "flaky",
        "flaky",
        "near",
        "idle",
        "fine",
    ]


@pytest.mark.parametrize(
    "query",
    [
        RunQuery(sort="magic"),
        RunQuery(sort="metric:none"),
        RunQuery(metrics=(MetricFilter("none"),)),
        RunQuery(metrics=(MetricFilter("reply", None, "; DROP TABLE x", 1.0),)),
    ],
)
def test_what_a_run_does_not_have_is_told(tmp_path, query):
    run = stored(store_in(tmp_path), [case("a", scores=(score(),))])
    with pytest.raises(EvaldeskError):
        run.page(query)


def test_a_case_that_is_not_there_is_told(tmp_path):
    run = stored(store_in(tmp_path), [case("a")])
    with pytest.raises(EvaldeskError, match="no result number 8"):
        run.case(7)
    assert run.neighbours(RunQuery(), 7) == (None, None)


def test_several_cases_come_in_the_order_of_the_run(tmp_path):
    results = [case(name, invocations=(turn(input=name),)) for name in "abc"]
    run = stored(store_in(tmp_path), results)
    assert run.cases([2, 0]) == [results[0], results[2]]
    assert [line.repeat for line in run.repeats("b")] == [0]


def test_the_manifest_counts_what_the_tables_count(tmp_path):
    results = [case("a", scores=(score(0.5, F),)), case("a", scores=(score(1.0, P),))]
    run = stored(store_in(tmp_path), [*results, case("b", duration_s=2.0, total_tokens=5)])
    held = run.manifest
    assert (held.cases.passed, held.cases.failed, held.cases.not_evaluated) == (1, 1, 1)
    assert (held.distinct, held.repeats, held.flaky, held.duration_s, held.tokens) == (
        2,
        2,
        1,
        2.0,
        5,
    )
    (metric,) = held.metrics
    assert (metric.scored, metric.mean, metric.low, metric.high) == (2, 0.75, 0.5, 1.0)
