"""A case with repeats is one line, and one case in every number, as plain Python says."""

from collections import Counter, defaultdict
from statistics import fmean
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.store import CaseFacts, MetricFilter, RunQuery
from evalcore.store.casewise import mode_counts, slices, spreads, tried
from evalcore.store.folding import folded, neighbours, position
from evalcore.verdicts import USUAL_MARK
from tests.store import oracle
from tests.store.builders import FACTS, E, F, N, P, case, cases, score, store_in, stored, turn

RESULTS = st.lists(st.tuples(cases(), FACTS), max_size=12)
QUERIES = st.sampled_from(
    [
        RunQuery(),
        RunQuery(mode="failures"),
        RunQuery(mode="passes"),
        RunQuery(mode="flaky"),
        RunQuery(text="parcel"),
        RunQuery(tags=("smoke",)),
        RunQuery(sort="file", mode="errors"),
    ]
)


def rank(lines):
    verdicts = {line.row.verdict for line in lines}
    if E in verdicts:
        return 0
    if {F, P} <= verdicts:
        return 2
    if F in verdicts:
        return 1
    if any(line.row.verdict is P and line.row.is_near for line in lines):
        return 3
    return 5 if P in verdicts else 4


def by_case(lines):
    found = defaultdict(list)
    for line in lines:
        found[line.key].append(line)
    return found


@settings(max_examples=60, deadline=None)
@given(RESULTS, QUERIES)
def test_folded_lines_are_the_matching_cases_each_whole_and_once(given_results, query):
    results = [result for result, _ in given_results]
    facts = [fact for _, fact in given_results]
    lines = oracle.lines_of(results, facts, USUAL_MARK)
    matching = by_case(line for line in lines if oracle.matches(line, query))
    whole = by_case(lines)
    with TemporaryDirectory() as folder:
        run = stored(store_in(folder), results, facts=facts)
        found = folded(run, query)
        counts = mode_counts(run, query)
        held = tried(run, query)
        steps = [neighbours(run, query, fold.at) for fold in found.folds]
        places = [position(run, query, fold.at) for fold in found.folds]
    assert (found.cases, found.results) == (len(matching), sum(map(len, matching.values())))
    assert {fold.head.case_key for fold in found.folds} == set(matching)
    for fold in found.folds:
        key = fold.head.case_key
        assert {line.case_row for line in fold.lines} == {line.place for line in whole[key]}
        if query.sort == "worst" and not query.is_open:
            assert fold.at in {line.place for line in matching[key]}
    if query.sort == "worst":
        ranks = [rank(whole[fold.head.case_key]) for fold in found.folds]
        assert ranks == sorted(ranks)
    assert places == list(range(len(places)))
    places = [None, *(fold.at for fold in found.folds), None]
    assert steps == list(zip(places, places[2:], strict=False))
    for mode, count in counts.items():
        asked = RunQuery(mode=mode, text=query.text, tags=query.tags)
        assert count == len(by_case(line for line in lines if oracle.matches(line, asked)))
    told = Counter(
        (
            len(group),
            sum(line.row.verdict in (P, F) for line in group),
            sum(line.row.verdict is P for line in group),
        )
        for group in matching.values()
    )
    assert Counter({(t.results, t.judged, t.passed): t.cases for t in held}) == told


@settings(max_examples=40, deadline=None)
@given(RESULTS)
def test_spreads_and_slices_count_each_case_once(given_results):
    results = [result for result, _ in given_results]
    facts = [fact for _, fact in given_results]
    lines = oracle.lines_of(results, facts, USUAL_MARK)
    with TemporaryDirectory() as folder:
        run = stored(store_in(folder), results, facts=facts)
        held = spreads(run, RunQuery())
        groups = {group.name: group for group in slices(run, "tag", RunQuery())}
    for ref, spread in held.items():
        values = [
            fmean(known)
            for group in by_case(lines).values()
            if (known := [v for line in group if (v := line.value(ref)) is not None])
        ]
        assert spread.cases == len(values)
        assert spread.mean == pytest.approx(fmean(values), rel=1e-6) if values else not spread.mean
        judged = [g for g in by_case(lines).values() if any(x.verdict(ref) in (P, F) for x in g)]
        assert spread.judged == len(judged)
    tags = {tag for line in lines for tag in line.facts.tags}
    assert set(groups) == tags
    for tag, group in groups.items():
        inside = by_case(line for line in lines if tag in line.facts.tags)
        assert group.cases == len(inside)
        assert group.counts == Counter(x.row.verdict for some in inside.values() for x in some)
        shares = [
            sum(v is P for v in verdicts) / len(verdicts)
            for some in inside.values()
            if (verdicts := [x.row.verdict for x in some if x.row.verdict in (P, F)])
        ]
        assert group.judged == len(shares)
        assert group.share == (pytest.approx(fmean(shares)) if shares else None)


def repeats(case_id, *verdicts):
    values = {P: 1.0, F: 0.2, E: None, N: None}
    return [
        case(case_id, invocations=(turn(score(values[v], v)),), verdict=v, repeat=n)
        for n, v in enumerate(verdicts)
    ]


@pytest.fixture
def run(tmp_path):
    results = [
        *repeats("fine", P, P, P),
        *repeats("flaky", P, F, P),
        *repeats("worse", F, P, F),
        *repeats("bad", F, F, F),
        *repeats("broken", P, E, P),
        *repeats("idle", N, N, N),
    ]
    facts = [CaseFacts(tags=("a",)) for _ in results]
    return stored(store_in(tmp_path), results, facts=facts)


def names(page):
    return [fold.head.case_key for fold in page.folds]


def test_errors_come_first_then_failures_then_flaky_cases_those_that_failed_more_before(run):
    worst_first = ["broken", "bad", "worse", "flaky", "idle", "fine"]
    assert names(folded(run, RunQuery())) == worst_first
    assert names(folded(run, RunQuery(descending=True))) == worst_first[::-1]


def test_a_filter_opens_a_repeat_that_matches(run):
    (fold,) = folded(run, RunQuery(mode="errors")).folds
    assert (fold.head.repeat, fold.matching, len(fold.lines)) == (1, 1, 3)


def test_a_line_of_repeats_shows_their_average_and_every_verdict(run):
    found = {f.head.case_key: f for f in folded(run, RunQuery()).folds}
    assert found["flaky"].value("reply") == pytest.approx((1 + 0.2 + 1) / 3)
    assert [line.verdict for line in found["flaky"].lines] == [P, F, P]
    assert (found["flaky"].is_flaky, found["bad"].is_flaky) == (True, False)


def test_sorting_by_a_check_puts_its_errors_first_and_what_has_no_number_last(run):
    found = names(folded(run, RunQuery(sort="metric:reply")))
    assert found[0] == "broken"
    assert found[1:5] == ["bad", "worse", "flaky", "fine"]
    assert found[5] == "idle"


def test_pages_of_folded_lines_are_slices_of_the_whole_list(run):
    whole = names(folded(run, RunQuery()))
    pages = [names(folded(run, RunQuery(limit=2, offset=n))) for n in (0, 2, 4, 6)]
    assert [*pages[0], *pages[1], *pages[2]] == whole
    assert pages[3] == []


def test_a_filter_by_a_check_counts_results_and_cases_apart(run):
    page = folded(run, RunQuery(metrics=(MetricFilter("reply", F),)))
    assert (page.cases, page.results) == (3, 6)
