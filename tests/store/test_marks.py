"""Another pass mark on a stored run is the same as importing the run under that mark."""

from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.store import MetricFilter, RunQuery
from evalcore.verdicts import PassMark
from tests.store import oracle
from tests.store.builders import NUMBERS, E, F, N, P, case, cases, score, store_in, stored, turn
from tests.store.test_queries import compare_answers

MARKS = NUMBERS.map(PassMark)


@settings(max_examples=60)
@given(st.lists(cases(has_rule=False), max_size=6), MARKS, MARKS)
def test_another_mark_is_the_same_as_another_import(results, first, second):
    with TemporaryDirectory() as folder:
        store = store_in(folder)
        open_ = {"has_pass_rule": False}
        run = stored(store, results, "a", mark=second, pass_mark=first.value, **open_)
        again = stored(store, results, "b", pass_mark=second.value, **open_)
        facts = [oracle.CaseFacts()] * len(results)
        lines = oracle.lines_of(results, facts, second)
        refs = [metric.key for metric in run.metrics]
        for each in (run, again):
            assert each.pass_mark == second.value
            found = each.page(RunQuery(sort="file", limit=99)).lines
            assert [line.verdict for line in found] == [line.row.verdict for line in lines]
            assert [line.is_near for line in found] == [line.row.is_near for line in lines]
            assert [line.is_flaky for line in found] == [line.flaky for line in lines]
            for ref in refs:
                assert [x.values[ref] for x in found] == [line.value(ref) for line in lines]
                assert [x.verdicts[ref] for x in found] == [line.verdict(ref) for line in lines]
            assert [set(x.causes) for x in found] == [set(line.causes) for line in lines]
            page = each.page(RunQuery()).lines
            wanted = oracle.select(lines, RunQuery())
            assert [line.case_row for line in page] == [line.place for line in wanted]
        compare_answers(again, lines, RunQuery(mode="failures"), [m.key for m in again.metrics])


def test_a_score_at_the_mark_passes_and_one_a_hair_below_fails(tmp_path):
    results = [
        case("at", scores=(score(0.7, None),)),
        case("below", scores=(score(0.7 - 1e-12, None),)),
    ]
    run = stored(store_in(tmp_path), results, has_pass_rule=False, mark=PassMark(0.7))
    assert [line.verdict for line in run.page(RunQuery(sort="file")).lines] == [P, F]


def test_the_mark_leaves_verdicts_errors_and_what_was_not_evaluated_alone(tmp_path):
    results = [
        case("own verdict", scores=(score(0.1, P),)),
        case("error", scores=(score(None, E),)),
        case("nothing", scores=(score(None, None),)),
        case("stored", verdict=F, scores=(score(1.0, None),)),
        case("turn broke", invocations=(turn(score(1.0, None), error="x"),)),
    ]
    run = stored(store_in(tmp_path), results, has_pass_rule=False, mark=PassMark(0.5))
    assert [line.verdict for line in run.page(RunQuery(sort="file")).lines] == [P, E, N, F, E]


def test_what_newly_fails_gets_its_cause(tmp_path):
    held = case("a", scores=(score(0.85, None, reason="expected 3 calls"),))
    store = store_in(tmp_path)
    run = stored(store, [held], has_pass_rule=False)
    assert run.causes(RunQuery()) == []
    strict = store.open("r", PassMark(0.9))
    assert strict.causes(RunQuery()) == [("reply: expected # calls", 1)]
    assert strict.page(RunQuery(metrics=(MetricFilter("reply", F),))).total == 1
    assert run.page(RunQuery(mode="failures")).total == 0


def test_a_mark_does_not_touch_a_run_whose_system_has_a_rule(tmp_path):
    run = stored(store_in(tmp_path), [case("a", scores=(score(0.9, F),))], mark=PassMark(0.1))
    assert run.page(RunQuery()).lines[0].verdict is F
    assert run.pass_mark is None


def test_the_mark_of_the_import_is_the_usual_one_unless_it_says_another(tmp_path):
    held = case("a", scores=(score(0.75, None),))
    store = store_in(tmp_path)
    usual = stored(store, [held], "usual", has_pass_rule=False)
    low = stored(store, [held], "low", has_pass_rule=False, pass_mark=0.5)
    assert (usual.pass_mark, low.pass_mark) == (0.8, 0.5)
    assert [usual.manifest.cases.passed, low.manifest.cases.passed] == [0, 1]
