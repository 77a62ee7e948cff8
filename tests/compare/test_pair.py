"""Two runs compared are what plain Python makes of their case results, in either direction."""

from collections import Counter
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.compare import Outcome, PairQuery, compare
from evalcore.compare import pair as pair_module
from evalcore.compare.outcomes import WORST_FIRST
from evalcore.stats import paired_mean, paired_sentence
from evalcore.verdicts import PassMark
from tests.compare import oracle
from tests.store.builders import E, F, N, P, case, cases, score, store_in, stored, turn

RUNS = st.lists(cases(), max_size=7)
TURNED = {
    Outcome.FIXED: Outcome.BROKE,
    Outcome.IMPROVED: Outcome.REGRESSED,
    Outcome.ONLY_LEFT: Outcome.ONLY_RIGHT,
}
TURNED |= {b: a for a, b in TURNED.items()}


def judged(name, verdict, value=None, **more):
    return case(name, verdict=verdict, scores=(score(value, verdict),), **more)


@settings(max_examples=60)
@given(RUNS, RUNS | st.none())
def test_every_case_comes_out_as_in_plain_python(left, right):
    right = left if right is None else right
    with TemporaryDirectory() as folder:
        store = store_in(folder)
        a, b = stored(store, left, "a"), stored(store, right, "b")
        pair = compare(a, b)
        refs = [metric.key for metric, _ in pair.shared]
        sides = oracle.by_case(left), oracle.by_case(right)
        wanted = oracle.outcomes(left, right, refs)
        lines, total = pair.page(PairQuery(limit=99))
        assert {line.case_key: line.outcome for line in lines} == wanted
        assert total == len(wanted)
        assert pair.counts == Counter(wanted.values())
        assert pair.paired == oracle.paired(left, right)
        assert pair.sentence() == paired_sentence(pair.paired)
        for line in lines:
            for side, known in ((line.left, sides[0]), (line.right, sides[1])):
                check_side(side, known.get(line.case_key), refs)
            if line.left and line.right:
                held = [known[line.case_key] for known in sides]
                assert line.delta == pytest.approx(oracle.delta(*held, refs), abs=1e-6)
            assert bool(line.why) == (line.outcome is Outcome.NOT_COMPARABLE)
        ranks = [WORST_FIRST.index(line.outcome) for line in lines]
        assert ranks == sorted(ranks)


def check_side(side, known, refs):
    assert (side is None) == (known is None)
    if side is None:
        return
    assert side.case_row == known.row
    assert side.verdict is known.verdict
    assert (side.passed, side.judged, side.repeats) == (
        known.passed,
        known.judged,
        len(known.lines),
    )
    for ref in refs:
        mean = known.mean(ref)
        assert side.values[ref] == (None if mean is None else pytest.approx(mean, abs=1e-6))


@settings(max_examples=40)
@given(RUNS, RUNS)
def test_the_other_way_round_says_the_opposite(left, right):
    with TemporaryDirectory() as folder:
        store = store_in(folder)
        a, b = stored(store, left, "a"), stored(store, right, "b")
        there, back = compare(a, b), compare(b, a)
        lines, returned = (pair.page(PairQuery(limit=99))[0] for pair in (there, back))
        turned = {x.case_key: TURNED.get(x.outcome, x.outcome) for x in lines}
        assert {x.case_key: x.outcome for x in returned} == turned
        assert {x.case_key: x.delta for x in returned} == {x.case_key: -x.delta for x in lines}
        assert (there.paired.fixed, there.paired.broke) == (back.paired.broke, back.paired.fixed)
        for one, other in zip(there.metric_changes(), sorted_like(there, back), strict=True):
            assert one.n == other.n
            if one.change.interval.estimate is not None:
                assert one.change.interval.estimate == pytest.approx(
                    -other.change.interval.estimate
                )
                assert one.change.p == pytest.approx(other.change.p)


def sorted_like(there, back):
    by_key = {change.metric.key: change for change in back.metric_changes()}
    return [by_key[metric.key] for metric, _ in there.shared]


@settings(max_examples=20)
@given(RUNS)
def test_a_run_beside_itself_changed_nothing(results):
    with TemporaryDirectory() as folder:
        run = stored(store_in(folder), results)
        pair = compare(run, run)
        assert set(pair.counts) <= {Outcome.SAME, Outcome.NOT_COMPARABLE}
        assert (pair.paired.fixed, pair.paired.broke) == (0, 0)


def test_cases_are_found_wherever_they_stand(tmp_path):
    store = store_in(tmp_path)
    left = stored(store, [judged("a", P), judged("b", F), judged("c", P)], "l")
    right = stored(store, [judged("c", F), judged("a", P), judged("b", P)], "r")
    assert compare(left, right).counts == Counter(
        {Outcome.SAME: 1, Outcome.FIXED: 1, Outcome.BROKE: 1}
    )


def test_more_repeats_alone_never_make_more_cases(tmp_path):
    store = store_in(tmp_path)
    left = stored(store, [judged("a", P), judged("b", F)] * 5, "l")
    right = stored(store, [judged("a", F), judged("b", F)] * 50, "r")
    assert compare(left, right).paired.n == 2


def test_more_than_half_of_the_judged_repeats_must_pass(tmp_path):
    store = store_in(tmp_path)
    half = [judged("a", P), judged("a", F)]
    left = stored(store, half, "l")
    right = stored(store, [*half, judged("a", P), judged("a", E), judged("a", N)], "r")
    (line,), _ = compare(left, right).page(PairQuery())
    assert (line.left.verdict, line.right.verdict) == (F, P)
    assert (line.right.passed, line.right.judged, line.right.repeats) == (2, 3, 5)
    assert line.outcome is Outcome.FIXED


def test_what_cannot_be_compared_says_why(tmp_path):
    store = store_in(tmp_path)
    left = stored(store, [judged("a", E), judged("b", P)], "l")
    right = stored(store, [judged("a", P), judged("b", N)], "r")
    lines, _ = compare(left, right).page(PairQuery(sort="file"))
    assert [line.why for line in lines] == [
        "the left side ended in an error",
        "the right side was not evaluated",
    ]


def test_pages_are_filtered_by_outcome_text_and_case(tmp_path):
    store = store_in(tmp_path)
    left = stored(store, [judged(f"Case {n}", P) for n in range(9)], "l")
    right = stored(store, [judged(f"Case {n}", F if n % 2 else P) for n in range(12)], "r")
    pair = compare(left, right)
    broke = PairQuery(outcomes=frozenset([Outcome.BROKE]), limit=2)
    assert [line.case_key for line in pair.page(broke)[0]] == ["Case 1", "Case 3"]
    assert pair.page(broke)[1] == 4
    assert [x.case_key for x in pair.page(PairQuery(text="CASE 1", sort="file"))[0]] == [
        "Case 1",
        "Case 10",
        "Case 11",
    ]
    assert pair.page(PairQuery(cases=frozenset(["Case 11", "none"])))[1] == 1
    assert pair.page(PairQuery(sort="file", offset=8, limit=2))[0][1].outcome is Outcome.ONLY_RIGHT
    assert pair.page(PairQuery(outcomes=frozenset()))[1] == 0


def test_slices_count_the_verdicts_of_their_cases(tmp_path):
    store = store_in(tmp_path)
    left = stored(store, [judged("a", P), judged("b", F), judged("c", P)], "l")
    right = stored(store, [judged("a", F), judged("b", P), judged("c", P)], "r")
    found = compare(left, right).slice_counts(
        {"one": frozenset("ac"), "other": frozenset("b"), "none": frozenset()}
    )
    assert [(c.both, c.fixed, c.broke, c.neither) for c in found.values()] == [
        (1, 0, 1, 0),
        (0, 1, 0, 0),
        (0, 0, 0, 0),
    ]


def scored(*pairs):
    return [
        case(f"c{n}", scores=tuple(score(v, P, ref) for ref, v in zip("ab", pair, strict=True)))
        for n, pair in enumerate(pairs)
    ]


def test_metric_changes_are_those_of_the_cases_with_both_values(tmp_path):
    store = store_in(tmp_path)
    left = stored(store, scored((0.5, 1.0), (0.25, None), (1.0, 0.0)), "l")
    right = stored(store, scored((0.75, 1.0), (0.5, 1.0), (1.0, 0.5)), "r")
    a, b = compare(left, right).metric_changes()
    assert (a.n, a.left_mean, a.right_mean) == (3, 1.75 / 3, 0.75)
    assert (b.n, b.left_mean, b.right_mean) == (2, 0.5, 0.75)
    assert a.change == paired_mean([0.5, 0.25, 1.0], [0.75, 0.5, 1.0])
    assert a.p_adjusted >= a.change.p


def test_with_very_many_pairs_the_normal_approximation_is_used(tmp_path, monkeypatch):
    monkeypatch.setattr(pair_module, "BOOTSTRAP_UP_TO", 2)
    store = store_in(tmp_path)
    left = stored(store, scored((0.5, 1.0), (0.25, 0.5), (1.0, 0.0)), "l")
    right = stored(store, scored((0.75, 1.0), (0.5, 1.0), (1.0, 0.5)), "r")
    change = compare(left, right).metric_changes()[0].change
    assert change.interval.estimate == pytest.approx(1 / 6)
    assert change.interval.method == "normal, paired"


def test_an_informational_metric_is_not_compared(tmp_path):
    store = store_in(tmp_path)
    held = case("a", scores=(score(None, None, "tokens", native=3.0, informational=True),))
    pair = compare(stored(store, [held], "l"), stored(store, [held], "r"))
    assert pair.shared == ()
    assert pair.metric_changes() == ()


def test_a_pair_outlives_the_tables_that_it_was_made_of(tmp_path, monkeypatch):
    store = store_in(tmp_path)
    left = stored(store, [judged("a", P), judged("b", P)], "l")
    right = stored(store, [judged("a", F), judged("b", P)], "r")
    pair = compare(left, right)
    monkeypatch.setattr("evalcore.store.engine.BYTES_KEPT", -1)
    other = stored(store, [judged("a", P)], "o")
    compare(left, other)
    assert [line.outcome for line in pair.page(PairQuery())[0]] == [Outcome.BROKE, Outcome.SAME]


def test_runs_under_other_marks_are_compared_under_them(tmp_path):
    store = store_in(tmp_path)
    held = [case("a", scores=(score(0.7, None),))]
    for name in "lr":
        stored(store, held, name, has_pass_rule=False)
    low = PassMark(0.5)
    assert compare(store.open("l"), store.open("r")).counts == {Outcome.SAME: 1}
    pair = compare(store.open("l"), store.open("r", low))
    assert pair.counts == {Outcome.FIXED: 1}
    assert [b.message for b in pair.banners] == [
        "The left run passes at 0.8, the right one at 0.5 of 1."
    ]


def test_turns_are_compared_by_the_worst_of_them(tmp_path):
    store = store_in(tmp_path)
    good = case("a", invocations=(turn(score(1.0)), turn(score(1.0), index=1)))
    bad = case("a", invocations=(turn(score(1.0)), turn(score(0.5, F), index=1)))
    pair = compare(stored(store, [good], "l"), stored(store, [bad], "r"))
    (line,), _ = pair.page(PairQuery())
    assert (line.outcome, line.delta) == (Outcome.BROKE, -0.5)
