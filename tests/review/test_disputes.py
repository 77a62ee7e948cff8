"""Two reviewers: where they differ, how that is settled, and what counts as reviewed."""

from evalcore.results import Verdict
from evalcore.review import (
    Finding,
    disputes,
    next_open,
    queue,
    reviewers_agreement,
    reviews_of,
)
from tests.review.test_book import entry

AMBIGUOUS = {"finding": Finding.AMBIGUOUS}


def test_reviewers_who_found_different_things_disagree_until_they_settle_it():
    both = [entry("a"), entry("a", 1, reviewer="bob", **AMBIGUOUS), entry("b")]
    (found,) = disputes(reviews_of("x", both))
    assert found.about == ("r1", "a", 0, None)
    assert {n: e.finding for n, e in found.findings.items()} == {
        "ada": Finding.AGENT_WRONG,
        "bob": Finding.AMBIGUOUS,
    }
    settled = entry("a", 2, settles=True)
    assert disputes(reviews_of("x", [*both, settled])) == []
    again = entry("a", 3, reviewer="bob", **AMBIGUOUS)
    (opened,) = disputes(reviews_of("x", [*both, settled, again]))
    assert opened.findings["ada"] == settled


def test_who_changes_their_mind_agrees_and_different_turns_are_no_dispute():
    changed = [entry("a"), entry("a", 1, reviewer="bob", **AMBIGUOUS), entry("a", 2, **AMBIGUOUS)]
    turns = [entry("b", invocation=0), entry("b", 1, invocation=1, reviewer="bob", **AMBIGUOUS)]
    assert disputes(reviews_of("x", changed + turns)) == []


def test_what_settled_a_disagreement_does_not_count_as_agreement():
    found = reviews_of(
        "x",
        [
            entry("a"),
            entry("a", 1, reviewer="bob", **AMBIGUOUS),
            entry("a", 2, reviewer="bob", settles=True),
        ],
    )
    assert reviewers_agreement(found, "ada", "bob").rate == 0.0


def test_a_wrong_expectation_is_done_once_the_case_was_changed():
    said = entry("a", finding=Finding.EXPECTATION_WRONG, case_hash="old")
    (item,) = queue([(0, "a", 0)], reviews_of("x", [said]), "r1", {"a": "new"})
    assert (item.is_stale, item.is_open) == (True, False)
    other = entry("a", case_hash="old")
    (item,) = queue([(0, "a", 0)], reviews_of("x", [other]), "r1", {"a": "new"})
    assert (item.is_stale, item.is_open, item.is_by("ada")) == (True, True, False)


def test_nothing_is_out_of_date_while_the_set_is_not_at_hand():
    said = entry("a", case_hash="old")
    (item,) = queue([(0, "a", 0)], reviews_of("x", [said]), "r1", None)
    assert not item.is_stale


def test_an_override_is_the_newest_that_stands():
    first = entry("a", kind="override", finding=None, verdict=Verdict.PASSED)
    second = entry("a", 1, kind="override", finding=None, verdict=Verdict.ERROR)
    back = entry("a", 2, kind="undo", finding=None, undoes=second.id)
    check = entry("a", 3, kind="override", finding=None, evaluator="x", verdict=Verdict.FAILED)
    (item,) = queue([(0, "a", 0)], reviews_of("x", [first, second, back, check]), "r1", {})
    assert item.override == first
    assert item.is_open
    assert next_open([item], after=0) == item
