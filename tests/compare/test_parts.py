"""Slices of a comparison, the noise of one case, and what several runs say of their cases."""

from itertools import pairwise
from statistics import variance
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.compare import (
    compare,
    cost_changes,
    noise_bands,
    slice_changes,
    slice_names,
    steadiness,
    steady_checks,
)
from evalcore.stats import PairedCounts, holm, mcnemar
from evalcore.store import CaseFacts, MetricSummary, VerdictCounts
from tests.store.builders import E, F, N, P, case, manifest, score, store_in, stored


def tagged(*tags):
    return [CaseFacts(tuple(of)) for of in tags]


def run_of(store, name, verdicts, facts=None):
    cases = [case(f"c{i}", verdict=verdict) for i, verdict in enumerate(verdicts)]
    return stored(store, cases, name, facts)


def test_slices_count_pairs_by_group_and_correct_for_all_groups(tmp_path):
    store = store_in(tmp_path)
    facts = tagged(*[["x"]] * 6, *[["y"]] * 2, ["x", "y"], ["z"])
    left = run_of(store, "l", [F] * 6 + [P, F, P, E], facts)
    right = run_of(store, "r", [P] * 6 + [F, F, P, P], facts)
    found = slice_changes(compare(left, right), "tag")
    counts = {change.group: change.counts for change in found.changes}
    assert counts == {"x": PairedCounts(1, 6, 0, 0), "y": PairedCounts(1, 0, 1, 1)}
    plain = [mcnemar(c.counts.fixed, c.counts.broke) for c in found.changes]
    assert [c.p for c in found.changes] == plain
    assert tuple(c.p_adjusted for c in found.changes) == holm(plain)
    assert found.groups == 2


def test_slices_are_those_that_either_run_knows(tmp_path):
    store = store_in(tmp_path)
    left = run_of(store, "l", [P, F], tagged(["x"], ["y"]))
    right = run_of(store, "r", [P, P])
    pair = compare(left, right)
    assert slice_names(pair) == ("tag",)
    assert {c.group: c.counts.fixed for c in slice_changes(pair, "tag").changes} == {"x": 0, "y": 1}
    assert slice_changes(pair, "nothing").changes == ()


def test_repeats_of_a_case_give_the_size_of_chance(tmp_path):
    store = store_in(tmp_path)
    held = {"a": [0.2, 0.4, 0.9], "b": [0.5, 0.5, 0.8]}
    runs = [
        stored(store, [case(k, scores=(score(v, P),)) for k in held for v in held[k]], name)
        for name in ("l", "r")
    ]
    within = sum(2 * variance(values) for values in held.values()) / 4
    wanted = 1.959963984540054 * (within * 2 / 3) ** 0.5
    assert noise_bands(*runs) == {"reply": pytest.approx(wanted, rel=1e-5)}


def test_without_repeats_nothing_is_said_of_chance(tmp_path):
    store = store_in(tmp_path)
    runs = [stored(store, [case("a", scores=(score(0.5, P),))], name) for name in ("l", "r")]
    assert noise_bands(*runs) == {}


HISTORIES = st.lists(st.lists(st.sampled_from([P, F, E, N]), min_size=3, max_size=6), max_size=4)


@settings(max_examples=30)
@given(st.lists(HISTORIES, min_size=1, max_size=4))
def test_the_story_of_a_case_is_what_plain_python_makes_of_it(histories):
    with TemporaryDirectory() as folder:
        store = store_in(folder)
        runs = []
        for number, by_case in enumerate(histories):
            cases = [
                case(f"c{i}", verdict=verdict) for i, seen in enumerate(by_case) for verdict in seen
            ]
            runs.append(stored(store, cases, f"r{number}"))
        found = steadiness(runs)
    stories = {}
    for number, by_case in enumerate(histories):
        for i, seen in enumerate(by_case):
            judged = [v for v in seen if v in (P, F)]
            if judged:
                shares = stories.setdefault(f"c{i}", {})
                shares[number] = (judged.count(P), len(judged))
    flaky, passed, failed, total = {}, set(), set(), 0
    for key, shares in stories.items():
        won = [2 * p > n for p, n in shares.values()]
        flips = sum(a != b for a, b in pairwise(won))
        mixed = sum(0 < p < n for p, n in shares.values())
        total += len(won) > 1 or bool(mixed)
        if mixed or flips > 1:
            flaky[key] = (flips, mixed, tuple(shares.get(n) for n in range(len(histories))))
        elif len(won) > 1 and all(won):
            passed.add(key)
        elif len(won) > 1 and not any(won):
            failed.add(key)
    assert found.cases == total
    assert {s.case_key: (s.flips, s.mixed, s.runs) for s in found.flaky} == flaky
    assert found.flaky_total == len(flaky)
    assert set(found.passed_keys) == passed
    assert set(found.failed_keys) == failed
    assert (found.passed, found.failed) == (len(passed), len(failed))


def test_no_runs_have_no_story():
    assert steadiness([]).cases == 0


def summary(key, passed, failed, **more):
    counts = VerdictCounts(passed=passed, failed=failed)
    return MetricSummary(key=key, label=key.upper(), column=0, counts=counts, **more)


def test_checks_that_always_say_the_same_are_found_with_what_that_leaves_open():
    runs = [
        manifest(
            name,
            distinct=20,
            metrics=(
                summary("never", 20, 0),
                summary("always", 0, 20),
                summary("once", 20 - number, number),
                summary("told", 20, 0, informational=True),
                summary("idle", 0, 0),
            ),
        )
        for number, name in enumerate("abc")
    ]
    found = {check.key: check for check in steady_checks(runs)}
    assert {key: check.kind for key, check in found.items()} == {
        "never": "never fails",
        "always": "always fails",
    }
    assert (found["never"].results, found["never"].runs, found["never"].label) == (60, 3, "NEVER")
    # Three runs of the same twenty cases are twenty cases.
    assert found["never"].bound.high == pytest.approx(0.1611, abs=1e-4)


def test_time_and_tokens_are_compared_by_case_and_less_is_better(tmp_path):
    store = store_in(tmp_path)
    left = [case(k, verdict=P, duration_s=t, total_tokens=9) for k, t in (("a", 4.0), ("b", 2.0))]
    right = [case("b", verdict=P, duration_s=1.0)] * 3 + [case("a", verdict=P, duration_s=3.0)]
    (time,) = cost_changes(compare(stored(store, left, "l"), stored(store, right, "r")))
    assert (time.metric.key, time.metric.better) == ("duration_s", "lower")
    assert (time.n, time.left_mean, time.right_mean) == (2, 3.0, 2.0)
    assert time.change.interval.estimate == -1.0
    assert time.p_adjusted == time.change.p


def test_without_costs_there_is_nothing_to_compare(tmp_path):
    store = store_in(tmp_path)
    assert cost_changes(compare(run_of(store, "l", [P]), run_of(store, "r", [F]))) == ()


def test_without_repeats_costs_come_out_the_same(tmp_path):
    store = store_in(tmp_path)
    left = [case(k, verdict=P, duration_s=t) for k, t in (("a", 4.0), ("b", 2.0), ("c", 9.0))]
    right = [case(k, verdict=P, duration_s=t) for k, t in (("b", 1.0), ("a", 3.0), ("d", 9.0))]
    (time,) = cost_changes(compare(stored(store, left, "l"), stored(store, right, "r")))
    assert (time.n, time.left_mean, time.right_mean) == (2, 3.0, 2.0)
