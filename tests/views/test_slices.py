import pytest

from evalcore.stats.unpaired import different_rates
from evalcore.store import CaseFacts, RunQuery
from evalcore.views.slices import slice_table
from tests.store.builders import store_in, stored
from tests.views.runs import F, P, case

ALL = RunQuery()


@pytest.fixture
def run(tmp_path):
    """Forty cases: those in German fail, all others pass."""
    langs = ["de" if n < 10 else "en" if n < 30 else "pt" for n in range(40)]
    cases = [case(str(n), F if lang == "de" else P) for n, lang in enumerate(langs)]
    facts = [CaseFacts(tags=("all",), metadata={"lang": lang}) for lang in langs]
    return stored(store_in(tmp_path), cases, facts=facts)


def test_groups_have_rates_with_intervals_and_what_differs_is_told_with_all_tests_counted(run):
    table = slice_table(run, "lang", ALL)
    told = {
        line.group.name: (line.share_text, line.interval_text, line.differs, line.lower)
        for line in table.lines
    }
    assert told["de"] == ("0.0 %", "0.0–27.8 %", True, True)
    assert told["en"][0] == "100 %"
    assert [line.group.name for line in table.lines] == ["en", "de", "pt"]
    assert table.comparisons == 3
    assert "3 comparisons" in table.told


def test_a_group_of_all_cases_is_compared_with_nothing(run):
    table = slice_table(run, "tag", ALL)
    assert (table.comparisons, table.lines[0].p) == (0, None)
    assert "Nothing to compare" in table.told


def test_the_filter_narrows_the_groups_too(run):
    table = slice_table(run, "lang", RunQuery(mode="failures"))
    assert [(line.group.name, line.group.cases) for line in table.lines] == [("de", 10)]


def test_repeats_make_no_group_any_surer(tmp_path):
    cases = [case(name, v) for name, v in (("a", F), ("b", P)) for _ in range(50)]
    facts = [CaseFacts(tags=("hard",) if each.case_id == "a" else ("easy",)) for each in cases]
    table = slice_table(stored(store_in(tmp_path), cases, facts=facts), "tag", ALL)
    assert [line.group.judged for line in table.lines] == [1, 1]
    assert not any(line.differs for line in table.lines)


@pytest.mark.parametrize(
    ("counts", "p"),
    [
        ((8, 10, 1, 6), 0.0350),
        ((5, 5, 0, 5), 0.0079),
        ((0, 0, 3, 5), 1.0),
        ((10_000, 20_000, 10_000, 20_000), 1.0),
        ((10_200, 20_000, 10_000, 20_000), 0.0455),
        ((20_000, 20_000, 20_000, 20_000), 1.0),
    ],
)
def test_the_test_of_two_groups_is_fishers_and_for_large_ones_the_normal_one(counts, p):
    assert different_rates(*counts) == pytest.approx(p, abs=1e-4)


def test_a_rate_that_is_none_is_refused():
    with pytest.raises(ValueError, match="is no comparison"):
        different_rates(3, 2, 1, 1)
