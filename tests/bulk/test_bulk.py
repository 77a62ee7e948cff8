"""Edits on many cases: what they change, and what they leave alone."""

from datetime import UTC, datetime

import pytest

from evalcore.builder import EvalSetBuilder, ToolCall
from evalcore.bulk import (
    BulkField,
    Search,
    add_tags,
    bulk_fields,
    find,
    known_tags,
    remove_tags,
    replace_hits,
    set_field,
)
from evalcore.errors import FormatError
from evalcore.formats import built_in, by_id
from evalcore.jsontree import MISSING

NOW = datetime(2026, 3, 1, tzinfo=UTC)
FORMATS = [f.id for f in built_in()]


def made(to: str):
    builder = EvalSetBuilder("made", to=to, now=NOW)
    for name, tags in (("a", ["x"]), ("b", []), ("c", ["y", "x"])):
        builder.add_case(f"The cat {name} sat", "A cat.", case_id=name, tags=tags)
    return by_id(to).eval_sets, builder.tree


def tags_of(lens, tree):
    return [case.tags for case in lens.read(tree).cases]


@pytest.mark.parametrize("to", FORMATS)
def test_tags_are_added_once_and_removed_where_they_are(to):
    lens, tree = made(to)
    assert known_tags(lens, tree) == {"x": 2, "y": 1}
    tagged = add_tags(lens, tree, [0, 1], ["x", "new"])
    assert tags_of(lens, tagged) == [("x", "new"), ("x", "new"), ("y", "x")]
    assert tags_of(lens, remove_tags(lens, tagged, [0, 2], ["x"])) == [
        ("new",),
        ("x", "new"),
        ("y",),
    ]


@pytest.mark.parametrize("to", FORMATS)
def test_removing_a_tag_that_no_case_has_changes_nothing(to):
    lens, tree = made(to)
    assert remove_tags(lens, tree, [0, 1, 2], ["none"]) is tree


@pytest.mark.parametrize("to", FORMATS)
def test_every_field_offered_can_be_set_in_all_cases_and_removed_again(to):
    lens, tree = made(to)
    values = {
        "line": "set",
        "text": "set",
        "number": 5,
        "flag": True,
        "tags": ["t"],
        "names": ["n"],
    }
    for chosen in bulk_fields(lens):
        if chosen.field.editor.value == "choice":
            value = chosen.field.choices[0]
        else:
            value = values[chosen.field.editor.value]
        new = set_field(lens, tree, [0, 2], chosen, value)
        got = [_got(lens, new, index, chosen) for index in range(3)]
        assert got[0] == got[2] == value, chosen.label
        assert got[1] == _got(lens, tree, 1, chosen), chosen.label


def _got(lens, tree, index, chosen: BulkField):
    from evalcore.jsontree import get

    pointer = lens.case_pointers(tree)[index]
    if chosen.level == "invocation":
        pointer = lens.invocation_pointers(tree, pointer)[0]
    return chosen.field.lens.get(get(tree, pointer))


def test_what_names_a_case_is_not_offered():
    for known in built_in():
        names = {f.field.name for f in bulk_fields(known.eval_sets)}
        assert not names & {"id", "invocation_id", known.eval_sets.label_field}


@pytest.mark.parametrize("to", FORMATS)
def test_a_text_is_found_in_every_field_and_replaced_only_where_it_is(to):
    lens, tree = made(to)
    hits = find(lens, tree, Search("CAT"), "dog")
    assert [h.index for h in hits] == [0, 0, 1, 1, 2, 2]
    new = replace_hits(lens, tree, Search("CAT"), "dog", hits[:2])
    said = str(lens.read(new).cases[0])
    assert "The dog a sat" in said
    assert "A dog." in said
    assert "dog" not in str(lens.read(new).cases[1])


@pytest.mark.parametrize(
    ("search", "found"),
    [
        (Search("cat"), 1),
        (Search("Cat", match_case=True), 0),
        (Search("ca", whole_words=True), 0),
        (Search("cat", whole_words=True), 1),
        (Search("c.t"), 0),
        (Search("c.t", is_pattern=True), 1),
        (Search("cat", fields=frozenset({"expected_output"})), 0),
        (Search(""), 0),
    ],
)
def test_how_a_text_is_looked_for(search, found):
    lens = by_id("tenxgraph").eval_sets
    tree = EvalSetBuilder().add_case("The cat sat").tree
    assert len(find(lens, tree, search)) == found


def test_groups_of_a_pattern_come_back_and_plain_texts_are_taken_as_they_are():
    lens = by_id("tenxgraph").eval_sets
    tree = EvalSetBuilder().add_case("order A-17").tree
    pattern = Search(r"([A-Z])-(\d+)", is_pattern=True)
    (hit,) = find(lens, tree, pattern, r"\2/\1")
    assert (hit.before, hit.after, hit.count) == ("order A-17", "order 17/A", 1)
    (plain,) = find(lens, tree, Search("A-17"), r"\1")
    assert plain.after == r"order \1"


def test_arguments_of_tool_calls_are_replaced_and_their_names_kept():
    lens = by_id("tenxgraph").eval_sets
    call = ToolCall(name="paris_weather", args={"paris": ["Paris", {"deep": "in Paris"}], "n": 5})
    tree = EvalSetBuilder().add_case("x", expected_tools=[call], case_id="Paris").tree
    search = Search("paris")
    new = replace_hits(lens, tree, search, "Rome", find(lens, tree, search, "Rome"))
    (case,) = lens.read(new).cases
    assert case.id == "Paris"
    (found,) = case.invocations[0].tool_calls
    assert found.name == "Rome_weather"
    assert found.args == {"paris": ["Rome", {"deep": "in Rome"}], "n": 5}


@pytest.mark.parametrize(
    ("search", "replacement", "said"),
    [
        (Search("(", is_pattern=True), "", "no pattern"),
        (Search("(a)", is_pattern=True), r"\2", "no replacement"),
        (Search("(a|aa)+$", is_pattern=True), "", "takes too long"),
    ],
)
def test_patterns_that_cannot_be_used_are_said(search, replacement, said, monkeypatch):
    monkeypatch.setattr("evalcore.bulk.finding.TIMEOUT_S", 0.05)
    lens = by_id("tenxgraph").eval_sets
    tree = EvalSetBuilder().add_case("a" * 40 + "b").tree
    with pytest.raises(FormatError, match=said):
        find(lens, tree, search, replacement)


def test_only_chosen_cases_are_searched():
    lens, tree = made("adk")
    assert {h.index for h in find(lens, tree, Search("cat"), indexes=[2, 0])} == {0, 2}


def test_a_set_that_changed_meanwhile_is_not_written_into():
    lens, tree = made("adk")
    hits = find(lens, tree, Search("cat"), "dog")
    shorter = lens.delete_cases(tree, [1, 2])
    with pytest.raises(FormatError, match="changed meanwhile"):
        replace_hits(lens, shorter, Search("cat"), "dog", hits)


def test_a_field_is_removed_from_many_cases():
    lens, tree = made("tenxgraph")
    chosen = next(f for f in bulk_fields(lens) if f.field.name == "tags")
    new = set_field(lens, tree, [0, 1, 2], chosen, MISSING)
    assert all("tags" not in raw for raw in lens.raw_cases(new))
