"""What holds for every output, whatever it is."""

from hypothesis import given
from hypothesis import strategies as st

from tests.evaluators.uipath.data import coded, expecting, legacy, outcome, score

scalars = st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=4)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=1), inner),
    max_leaves=8,
)
outputs = st.dictionaries(st.sampled_from(["a", "b", "t"]), values, max_size=3)
lines = st.lists(st.sampled_from(["a", "b", "c d"]), max_size=4)
names = st.lists(st.sampled_from(["f", "g", "h"]), max_size=5)


def spans(found):
    return [{"name": n, "attributes": {"tool.name": n}} for n in found]


@given(outputs)
def test_everything_matches_itself(output):
    for kind in ("exact-match", "json-similarity"):
        assert score(coded(kind), expecting(output), output).native == 1
    both = {"expectedOutput": output, "expectedAgentBehavior": ""}
    for number in (1, 6):
        assert score(legacy(0, number), both, output).native == 100


@given(outputs, outputs)
def test_exact_match_is_symmetric_and_negation_flips_it(left, right):
    there = score(coded("exact-match"), expecting(left), right).native
    assert there == score(coded("exact-match"), expecting(right), left).native
    assert score(coded("exact-match", negated=True), expecting(left), right).native == 1 - there


@given(outputs, outputs)
def test_similarity_is_between_0_and_1_and_low_code_is_a_hundred_times_it(left, right):
    found = score(coded("json-similarity"), expecting(left), right).native
    assert 0 <= found <= 1
    both = {"expectedOutput": left, "expectedAgentBehavior": ""}
    assert abs(score(legacy(0, 6), both, right).native - 100 * found) < 1e-9


@given(outputs, outputs)
def test_what_only_the_output_has_is_free_in_similarity(left, right):
    check = coded("json-similarity")
    more = {**right, "extra": 1}
    assert score(check, expecting(left), more) == score(check, expecting(left), right).model_copy(
        update={"details": score(check, expecting(left), more).details}
    )


@given(lines, lines)
def test_a_score_by_lines_is_the_mean_of_its_lines(left, right):
    check = coded("exact-match", lineByLineEvaluator=True)
    found = outcome(check, expecting("\n".join(left)), "\n".join(right))
    assert len(found.lines) == max(len(left), len(right))
    natives = [line.native for line in found.lines]
    mean = sum(natives) / len(natives) if natives else 0
    assert abs(found.overall.native - mean) < 1e-12


@given(names, names)
def test_strict_order_is_full_only_where_free_order_is(wanted, made):
    criterion = {"toolCallsOrder": wanted}
    free = score(coded("tool-call-order"), criterion, {}, spans(made)).native
    strict = score(coded("tool-call-order", strict=True), criterion, {}, spans(made)).native
    assert 0 <= free <= 1
    assert strict in (0, 1)
    assert strict <= free


@given(names)
def test_calls_in_their_own_order_and_number_are_right(made):
    order = {"toolCallsOrder": made}
    assert score(coded("tool-call-order", strict=True), order, {}, spans(made)).native == 1
    counts = {"toolCallsCount": {name: ["=", made.count(name)] for name in made}}
    assert score(coded("tool-call-count", strict=True), counts, {}, spans(made)).native == 1


@given(st.text(max_size=6), st.text(max_size=6))
def test_a_text_contains_its_parts(before, after):
    found = score(coded("contains", caseSensitive=True), {"searchText": after}, before + after)
    assert found.native == 1
