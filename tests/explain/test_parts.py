import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.evaluators import build
from evalcore.explain import (
    Match,
    align,
    align_names,
    diff_json,
    diff_words,
    leaves_of,
    votes_of,
)
from evalcore.explain.votes import sample_votes
from evalcore.results import Score
from tests.explain.test_counterfactuals import sample_of
from tests.scoring.builders import calls, happened, wanted

EXPECTED = {"decision": "approve", "payout": 100, "lines": [{"n": 1}, {"n": 2}]}
ACTUAL = {"decision": "approved", "payout": 80, "lines": [{"n": 1}]}


class TestLeaves:
    @pytest.mark.parametrize("kind", ["uipath-json-similarity", "uipath.legacy_json_similarity"])
    def test_the_mean_of_the_leaves_is_the_score(self, kind):
        sample = sample_of(wanted(EXPECTED), happened(ACTUAL), format_id="uipath_coded")
        evaluator = build(kind, {})
        leaves = leaves_of(evaluator, sample)
        assert [leaf.pointer for leaf in leaves] == [
            "/decision",
            "/payout",
            "/lines/0/n",
            "/lines/1/n",
        ]
        mean = sum(leaf.likeness for leaf in leaves) / len(leaves)
        assert evaluator.evaluate(sample).overall.value == pytest.approx(mean)

    def test_other_checks_and_cases_without_a_score_have_none(self):
        sample = sample_of(wanted("a"), happened())
        assert leaves_of(build("adk.response_match_score", {}), sample) == ()
        assert leaves_of(build("uipath-json-similarity", {}), sample) == ()


class TestVotes:
    def test_the_votes_of_each_rubric_are_told_with_the_judges_words(self):
        details = {
            "rubric_scores": [
                {"rubric_id": "polite", "score": 1.0, "rationale": "It thanks."},
                {"rubricId": "short", "score": None},
            ],
            "votes": {"polite": [1.0, 0.0, 1.0]},
        }
        polite, short = votes_of(Score(evaluator="x", details=details))
        assert (polite.score, polite.rationale, polite.votes) == (1.0, "It thanks.", (1, 0, 1))
        assert polite.is_split
        assert (short.score, short.rationale, short.votes, short.is_split) == (None, "", (), False)

    def test_votes_without_rubrics(self):
        score = Score(evaluator="x", details={"votes": [1.0, None]})
        assert sample_votes(score) == (1.0, None)
        assert votes_of(score) == ()

    @pytest.mark.parametrize("details", [None, "text", {"rubric_scores": 3}, {"votes": {}}])
    def test_odd_details_have_no_votes(self, details):
        score = Score(evaluator="x", details=details)
        assert votes_of(score) == sample_votes(score) == ()


class TestCalls:
    def test_matched_changed_missing_extra_and_moved_calls(self):
        expected = calls(("a", {}), ("b", {"x": {"y": 1}}), ("c", {}), ("d", {}))
        actual = calls(("d", {}), ("a", {}), ("b", {"x": {"y": 2}}), ("e", {}))
        found = {(pair.expected or pair.actual).name: pair for pair in align(expected, actual)}
        assert {name: pair.match for name, pair in found.items()} == {
            "a": Match.MATCHED,
            "b": Match.ARGUMENTS,
            "c": Match.MISSING,
            "d": Match.MOVED,
            "e": Match.EXTRA,
        }
        (change,) = found["b"].changes
        assert (change.path, change.expected, change.actual) == ("x.y", 1, 2)

    def test_names_are_put_side_by_side(self):
        assert align_names("abc", "axc") == (("a", "a"), ("b", None), (None, "x"), ("c", "c"))


TEXT = st.text(alphabet="ab \n,1", max_size=30)


@given(TEXT, TEXT)
def test_the_pieces_of_a_side_are_its_text(left, right):
    found = diff_words(left, right)
    assert "".join(piece.text for piece in found.expected) == left
    assert "".join(piece.text for piece in found.actual) == right
    assert found.is_same == (left == right)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner),
    max_leaves=6,
)


@given(JSON, JSON)
def test_values_without_changes_are_the_same_json(left, right):
    same = json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)
    assert (diff_json(left, right).changes == ()) == same
