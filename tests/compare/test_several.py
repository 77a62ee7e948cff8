"""Several runs against one baseline, with what several comparisons cost."""

from collections import Counter
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.compare import Comparison, Pair, compare, compare_all
from evalcore.compare.report import as_data, as_markdown
from evalcore.errors import EvaldeskError
from evalcore.stats import PairedCounts, mcnemar, paired_sentence
from tests.store.builders import E, F, P, case, score, store_in, stored


def run_of(store, name, passed, of=30):
    return stored(store, [case(f"c{i}", verdict=P if i < passed else F) for i in range(of)], name)


def test_each_run_is_held_against_the_first(tmp_path):
    store = store_in(tmp_path)
    runs = [run_of(store, name, passed) for name, passed in (("a", 10), ("b", 17), ("c", 5))]
    found = compare_all(runs)
    assert found.base is runs[0]
    assert [(p.paired.fixed, p.paired.broke) for p in found.pairs] == [(7, 0), (0, 5)]
    assert found.sentence(0).startswith("B fixed 7 and broke 0 of 30 cases: an improvement")
    assert found.sentence(1).startswith("C fixed 0 and broke 5 of 30 cases; not enough to tell")
    assert found.adjusted() == (pytest.approx(2 * 0.015625), pytest.approx(0.0625))


def test_more_comparisons_claim_less(tmp_path):
    store = store_in(tmp_path)
    runs = [run_of(store, name, passed) for name, passed in (("a", 10), ("b", 16), ("c", 10))]
    alone, among = compare_all(runs[:2]), compare_all(runs)
    assert alone.alpha(0) == 0.05
    assert [among.alpha(0), among.alpha(1)] == [0.025, 0.025]
    assert "an improvement, p = 0.031" in alone.sentence(0)
    assert alone.sentence(0) == paired_sentence(alone.pairs[0].paired)
    assert "not enough to tell (p = 0.031)" in among.sentence(0)


SHARES = st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), min_size=1, max_size=7)


@given(SHARES)
def test_a_difference_is_claimed_only_where_the_corrected_p_shows_it(changed):
    pairs = tuple(
        Pair(None, None, Counter(), PairedCounts(60, fixed, broke, 20), ())
        for fixed, broke in changed
    )
    found = Comparison((None, *[None] * len(pairs)), pairs)
    for number, (pair, corrected) in enumerate(zip(pairs, found.adjusted(), strict=True)):
        p = mcnemar(pair.paired.fixed, pair.paired.broke)
        assert (p < found.alpha(number)) == (corrected < 0.05)
        said = found.sentence(number)
        if "improvement" in said or "step back" in said:
            assert corrected < 0.05


@pytest.mark.parametrize("many", [0, 1, 9])
def test_two_to_eight_runs_can_be_compared(tmp_path, many):
    store = store_in(tmp_path)
    runs = [run_of(store, f"r{number}", 1, of=2) for number in range(many)]
    with pytest.raises(EvaldeskError, match=f"Two to 8 runs can be compared, not {many}"):
        compare_all(runs)


def test_a_run_is_not_compared_with_itself(tmp_path):
    run = run_of(store_in(tmp_path), "a", 1)
    with pytest.raises(EvaldeskError, match="with itself"):
        compare_all([run, run])


ONCE = st.lists(st.tuples(st.sampled_from([P, F, E]), st.sampled_from([P, F, E])), max_size=8)


@settings(max_examples=15)
@given(ONCE, st.integers(2, 6))
def test_repeating_every_result_shows_nothing_new(verdicts, times):
    with TemporaryDirectory() as folder:
        store = store_in(folder)

        def pair_of(repeats):
            sides = [
                stored(
                    store,
                    [
                        case(
                            f"c{i}", verdict=fall[side], scores=(score(0.1 * i * side, fall[side]),)
                        )
                        for i, fall in enumerate(verdicts)
                        for _ in range(repeats)
                    ],
                    f"{side}-{repeats}",
                )
                for side in (0, 1)
            ]
            return compare(*sides)

        once, often = pair_of(1), pair_of(times)
        assert often.paired == once.paired
        assert often.sentence() == once.sentence()
        for a, b in zip(once.metric_changes(), often.metric_changes(), strict=True):
            assert (a.n, a.change.p) == (b.n, pytest.approx(b.change.p))
            assert a.change.interval.low == pytest.approx(b.change.interval.low, abs=1e-6)


def test_what_is_handed_on_claims_no_more_than_the_page(tmp_path):
    store = store_in(tmp_path)
    runs = [run_of(store, name, passed) for name, passed in (("a", 10), ("b", 16), ("c", 10))]
    among = compare_all(runs)
    pair, alpha = among.pairs[0], among.alpha(0)
    assert among.sentence(0) in as_markdown(pair, None, "B", alpha)
    assert as_data(pair, None, "B", alpha)["sentence"] == among.sentence(0)
    assert as_data(pair, None, "B", alpha)["outcome"] == "can't tell"
    assert as_data(pair)["outcome"] == "improved"
