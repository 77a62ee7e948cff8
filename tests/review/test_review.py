"""Reviews: what is written, what stands, what is out of date, and how a set is mended by them."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalcore.builder import EvalSetBuilder
from evalcore.errors import FormatError, WorkspaceError
from evalcore.formats import built_in, by_id
from evalcore.jsontree import put
from evalcore.model import ToolCall
from evalcore.results import InvocationResult, Verdict
from evalcore.review import (
    Entry,
    Finding,
    Reviews,
    append,
    case_hash,
    hashes,
    next_open,
    queue,
    read_lines,
    read_reviews,
    review_path,
    reviewers,
    reviewers_agreement,
    reviews_of,
    stageable,
    staged,
    standing,
    write_line,
)
from evalcore.workspace import Workspace

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
FORMATS = [f.id for f in built_in()]


def entry(case: str = "a", minute: int = 0, **more) -> Entry:
    given = {"finding": Finding.AGENT_WRONG, "reviewer": "ada", "run": "r1"} | more
    return Entry(case_id=case, at=NOW + timedelta(minutes=minute), **given)


@given(note=st.text(), case=st.text(), reviewer=st.text().filter(str.strip))
def test_an_entry_is_one_line_and_reads_back_equal(note, case, reviewer):
    said = entry(case.encode("utf-8", "replace").decode(), note=note, reviewer=reviewer)
    line = write_line(said)
    assert line.isascii()
    assert line.count("\n") == 1
    found, problems = read_lines(line.encode())
    assert (found, problems) == ([said], [])


def test_a_review_without_a_reviewer_is_refused():
    with pytest.raises(ValidationError, match="name of its reviewer"):
        entry(reviewer="  ")


def test_lines_that_are_none_are_named_and_the_others_read():
    good = write_line(entry())
    data = f'{good}nonsense\n{{"id": "x"}}\n\n{write_line(entry("b", 1))}'.encode()
    found, problems = read_lines(data, "x.review.jsonl")
    assert [e.case_id for e in found] == ["a", "b"]
    assert [(p.line, p.path) for p in problems] == [(2, "x.review.jsonl"), (3, "x.review.jsonl")]


def test_lines_merged_from_two_branches_count_once_and_in_time():
    first, second = entry("a", 5), entry("b", 1)
    data = (write_line(first) + write_line(second) + write_line(first)).encode()
    assert read_lines(data)[0] == [second, first]


def test_what_was_taken_back_no_longer_stands():
    said = entry()
    back = entry(minute=1, kind="undo", finding=None, undoes=said.id)
    other = entry("b", 2, kind="override", finding=None, verdict=Verdict.PASSED)
    assert standing([said, back, other]) == [other]


def test_a_file_grows_line_by_line_and_never_loses_any(tmp_path: Path):
    workspace = Workspace(tmp_path)
    assert read_reviews(workspace, "x.review.jsonl").entries == ()
    append(workspace, "x.review.jsonl", entry("a"))
    place = tmp_path / "x.review.jsonl"
    place.write_bytes(place.read_bytes() + b'{"torn')
    append(workspace, "x.review.jsonl", entry("b", 1), entry("c", 2))
    found = read_reviews(workspace, "x.review.jsonl")
    assert [e.case_id for e in found.entries] == ["a", "b", "c"]
    assert [p.line for p in found.problems] == [2]
    assert b'{"torn\n' in place.read_bytes()


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path):
    with pytest.raises(WorkspaceError, match="cannot be written"):
        append(Workspace(tmp_path), "missing/x.review.jsonl", entry())


@pytest.mark.parametrize(
    ("path", "of", "where"),
    [
        ("evals/x.evalset.json", "adk", "evals/x.evalset.review.jsonl"),
        ("evals/x.evalset.json", "harnest", "evals/_x.evalset.review.jsonl"),
        ("evals/eval-sets/x.json", "uipath_coded", "evals/eval-sets/x.review.jsonl"),
    ],
)
def test_where_the_reviews_of_a_set_lie(path, of, where):
    assert review_path(path, of) == where


@pytest.mark.parametrize("to", FORMATS)
def test_the_hash_of_a_case_is_of_what_it_says(to):
    lens = by_id(to).eval_sets
    one = EvalSetBuilder(to=to, now=NOW).add_case("Hello", "Hi", case_id="a").tree
    later = EvalSetBuilder(to=to, now=NOW + timedelta(days=1)).add_case("Hello", "Hi", case_id="a")
    other = EvalSetBuilder(to=to, now=NOW).add_case("Hello", "Ho", case_id="a").tree
    (a,), (b,), (c,) = (lens.raw_cases(t) for t in (one, later.tree, other))
    assert case_hash(lens, a) == case_hash(lens, b)
    assert case_hash(lens, a) != case_hash(lens, c)
    turned = dict(reversed(a.items()))
    assert case_hash(lens, turned) == case_hash(lens, a)


def test_a_review_is_stale_once_its_case_says_something_else(tmp_path: Path):
    lens = by_id("tenxgraph").eval_sets
    tree = EvalSetBuilder(now=NOW).add_case("Hello", "Hi", case_id="a").add_case("x").tree
    known = hashes(lens, tree)
    workspace = Workspace(tmp_path)
    append(workspace, "x.review.jsonl", entry("a", case_hash=known["a"]))
    reviews = read_reviews(workspace, "x.review.jsonl")
    failed = [(0, "a", 0), (1, "case_2", 0)]
    before = queue(failed, reviews, "r1", known)
    assert [(i.is_open, i.is_stale) for i in before] == [(False, False), (True, False)]
    changed = put(tree, "/eval_cases/0/conversation/0/expected_final_response", None)
    after = queue(failed, reviews, "r1", hashes(lens, changed))
    assert [(i.is_open, i.is_stale) for i in after] == [(True, True), (True, False)]
    assert queue(failed, reviews, "another run", known)[0].entry is None


def test_the_next_open_result_goes_round():
    items = queue([(0, "a", 0), (1, "b", 0), (2, "c", 0)], _reviews(entry("b")), "r1", {})
    assert next_open(items).case_row == 0
    assert next_open(items, after=0).case_row == 2
    assert next_open(items, after=2).case_row == 0
    done = queue([(1, "b", 0)], _reviews(entry("b")), "r1", {})
    assert next_open(done) is None


def _reviews(*entries: Entry) -> Reviews:
    return reviews_of("x", entries)


def test_two_reviewers_are_compared_on_what_both_saw():
    found = _reviews(
        entry("a"),
        entry("b", finding=Finding.AMBIGUOUS),
        entry("a", 1, reviewer="bob"),
        entry("b", 2, reviewer="bob"),
        entry("c", 3, reviewer="bob"),
    )
    assert reviewers(found) == ("ada", "bob")
    agreed = reviewers_agreement(found, "ada", "bob")
    assert (agreed.n, agreed.rate) == (2, 0.5)


def result(**turn) -> InvocationResult:
    return InvocationResult(origin="", index=0, **turn)


@pytest.mark.parametrize("to", FORMATS)
def test_a_wrong_expectation_is_replaced_by_what_happened_and_nothing_else(to):
    lens = by_id(to).eval_sets
    query = {"input": "x"} if to.startswith("uipath") else "x"
    wanted = {"content": "old"} if to.startswith("uipath") else "old"
    builder = EvalSetBuilder(to=to, now=NOW).add_case(query, wanted).add_case(query, wanted)
    actual = {"content": "new"} if to.startswith("uipath") else "new"
    new = staged(lens, builder.tree, 1, 0, result(actual_output=actual), ["reply"])
    first, second = lens.read(new).cases
    assert first == builder.build().cases[0]
    assert second.invocations[0].expected_output == actual
    assert second.invocations[0].input == query


def test_tool_calls_that_are_known_keep_what_else_the_file_says_of_them():
    lens = by_id("tenxgraph").eval_sets
    tree = EvalSetBuilder(now=NOW).add_case("x", expected_tools=[ToolCall(name="a", args={})]).tree
    where = "/eval_cases/0/conversation/0/expected_tool_trajectory/0/remark"
    tree = put(tree, where, "kept")
    calls = (ToolCall(name="b", args={"n": 1}), ToolCall(name="a", args={"n": 2}, id="run-1"))
    new = staged(lens, tree, 0, 0, result(actual_tool_calls=calls), ["tool_calls"])
    raw = lens.raw_cases(new)[0]["conversation"][0]["expected_tool_trajectory"]
    assert [(c["name"], c["args"]) for c in raw] == [("b", {"n": 1}), ("a", {"n": 2})]
    assert raw[1]["remark"] == "kept"
    assert "run-1" not in str(raw)


def test_only_what_happened_and_has_a_place_can_be_expected():
    lowcode, graph = by_id("uipath_lowcode").eval_sets, by_id("tenxgraph").eval_sets
    turn = result(actual_output="x", actual_tool_calls=(), node_visits=("MAIN",))
    assert stageable(graph, turn) == ("reply", "tool_calls", "node_order")
    assert stageable(lowcode, turn) == ("reply",)
    assert stageable(graph, result()) == ()
    tree = EvalSetBuilder().add_case("x").tree
    with pytest.raises(FormatError, match="no node order"):
        staged(graph, tree, 0, 0, result(actual_output="x"), ["node_order"])
    with pytest.raises(FormatError, match="no turn 2"):
        staged(graph, tree, 0, 1, turn, ["reply"])
