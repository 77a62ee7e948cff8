"""Edits on many cases: what they change, and what they leave alone."""

from datetime import UTC, datetime

import pytest

from evalcore.builder import EvalSetBuilder, ToolCall
from evalcore.bulk import (
    BulkField,
    Search,
    Texts,
    add_tags,
    bulk_fields,
    duplicate_cases,
    find,
    known_tags,
    move_cases,
    remove_tags,
    replace_hits,
    set_field,
)
from evalcore.bulk.finding import searched_fields
from evalcore.errors import FormatError
from evalcore.formats import built_in, by_id
from evalcore.formats.adk.legacy import LENSES
from evalcore.jsontree import MISSING, get, put

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


@pytest.mark.parametrize("to", FORMATS)
def test_one_edit_of_many_cases_is_what_many_edits_of_one_case_make(to):
    lens, tree = made(to)
    for chosen in bulk_fields(lens):
        if chosen.level == "case" and chosen.field.editor.value in ("line", "text"):
            one_by_one = tree
            for pointer in lens.case_pointers(tree):
                one_by_one = lens.put_field(one_by_one, pointer, "case", chosen.field.name, "v")
            assert set_field(lens, tree, range(3), chosen, "v") == one_by_one


def test_cases_that_have_the_value_already_stay_the_same_objects():
    lens, tree = made("tenxgraph")
    chosen = next(f for f in bulk_fields(lens) if f.field.name == "tags")
    new = set_field(lens, tree, [0, 1, 2], chosen, ["x"])
    same = [a is b for a, b in zip(lens.raw_cases(tree), lens.raw_cases(new), strict=True)]
    assert same == [True, False, False]
    assert set_field(lens, new, [0, 1, 2], chosen, ["x"]) is new


def test_a_case_with_no_place_for_the_edit_is_named():
    lens, tree = made("adk")
    broken = put(tree, lens.case_pointers(tree)[1] + "/session_input", "none")
    chosen = next(f for f in bulk_fields(lens) if f.field.name == "session.user_id")
    with pytest.raises(FormatError, match=r"^b: "):
        set_field(lens, broken, [0, 1, 2], chosen, "u")


@pytest.mark.parametrize(
    ("moved", "before", "order"),
    [
        ([2], 0, "cabd"),
        ([0, 1], None, "cdab"),
        ([3, 0], 1, "adbc"),
        ([1, 2], 2, "abcd"),
        ([0, 3], 3, "bcad"),
        ([0, 1, 2, 3], 1, "abcd"),
        ([], 0, "abcd"),
    ],
)
def test_cases_gather_before_another_one_in_the_order_they_had(moved, before, order):
    lens = by_id("tenxgraph").eval_sets
    builder = EvalSetBuilder("m", to="tenxgraph", now=NOW)
    for name in "abcd":
        builder.add_case(name, case_id=name)
    new = move_cases(lens, builder.tree, moved, before)
    assert "".join(c.id for c in lens.read(new).cases) == order
    assert (new is builder.tree) == (order == "abcd")


@pytest.mark.parametrize("to", FORMATS)
def test_copies_stand_behind_their_cases_under_free_names(to):
    lens, tree = made(to)
    twice = duplicate_cases(lens, duplicate_cases(lens, tree, [0], NOW), [0, 3], NOW)
    labels = [lens.case_label(raw) for raw in lens.raw_cases(twice)]
    assert labels == ["a", "a_copy_2", "a_copy", "b", "c", "c_copy"]
    one_by_one = lens.duplicate_case(tree, 0, "a_copy", NOW)
    new = duplicate_cases(lens, tree, [0], NOW)
    assert [lens.case_label(raw) for raw in lens.raw_cases(new)] == [
        lens.case_label(raw) for raw in lens.raw_cases(one_by_one)
    ]


@pytest.mark.parametrize(
    "change",
    [lambda lens: move_cases(lens, [], [0], None), lambda lens: duplicate_cases(lens, [], [], NOW)],
)
def test_a_set_that_can_only_be_read_is_not_reordered(change):
    with pytest.raises(FormatError, match="not edited"):
        change(LENSES["legacy_rows"])


def test_a_search_that_is_typed_on_reads_only_cases_that_changed():
    lens, tree = made("adk")
    texts = Texts(lens)
    assert len(find(lens, tree, Search("ca"), texts=texts)) == 6
    read = []
    real = lens.invocation_pointers
    lens.invocation_pointers = lambda t, p: read.append(p) or real(t, p)
    try:
        assert len(find(lens, tree, Search("cat"), texts=texts)) == 6
        assert read == []
        edited = set_field(lens, tree, [1], bulk_fields(lens)[0], "concatenate")
        read.clear()
        assert len(find(lens, edited, Search("cat"), texts=texts)) == 7
        assert read == [lens.case_pointers(edited)[1]]
    finally:
        del lens.invocation_pointers


def test_a_case_that_moved_is_found_where_it_is_now():
    lens, tree = made("adk")
    texts = Texts(lens)
    find(lens, tree, Search("cat c"), texts=texts)
    moved = move_cases(lens, tree, [2], 0)
    (hit,) = find(lens, moved, Search("cat c"), "dog", texts=texts)
    assert hit.index == 0
    assert "The dog sat" in str(
        lens.read(replace_hits(lens, moved, Search("cat c"), "dog", [hit])).cases[0]
    )


def test_numbers_and_choices_are_not_offered_for_replacing():
    for known in built_in():
        editors = {f.editor.value for f in searched_fields(known.eval_sets)}
        assert not editors & {"number", "flag", "choice"}
        assert {"expected_output"} & {f.name for f in searched_fields(known.eval_sets)}


@pytest.mark.parametrize("to", ["adk", "tenxgraph", "harnest"])
def test_tags_of_another_kind_stay_beside_those_that_come_and_go(to):
    lens, tree = made(to)
    case = lens.case_pointers(tree)[0]
    odd = lens.put_field(tree, case, "case", "tags", ["x", 5, None, {"a": 1}])
    assert known_tags(lens, odd)["x"] == 2
    tags = lens.field("case", "tags").lens
    added = add_tags(lens, odd, [0], ["new", "x"])
    assert tags.get(get(added, case)) == ["x", 5, None, {"a": 1}, "new"]
    removed = remove_tags(lens, odd, [0], ["x"])
    assert tags.get(get(removed, case)) == [5, None, {"a": 1}]


def test_tags_that_are_no_list_are_not_overwritten():
    lens, tree = made("tenxgraph")
    odd = put(tree, "/eval_cases/0/tags", "smoke")
    with pytest.raises(FormatError, match="no list"):
        add_tags(lens, odd, [0], ["new"])


def test_words_of_the_system_are_neither_found_nor_replaced():
    lens, tree = made("adk")
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "A model"}, "type": "MODEL"}
    tree = put(tree, "/eval_cases/0/rubrics", [rubric])
    before = get(tree, "/eval_cases/0/conversation/0/user_content/role")
    search = Search("model")
    after = replace_hits(lens, tree, search, "agent", find(lens, tree, search, "agent"))
    assert get(after, "/eval_cases/0/rubrics/0") == {
        **rubric,
        "rubric_content": {"text_property": "A agent"},
    }
    user = Search("user")
    assert before == "user" and find(lens, tree, user) == []


def test_types_of_mocks_stay_and_what_they_say_is_replaced():
    lens, tree = made("uipath_coded")
    mock = {"type": "llm", "prompt": "an llm", "toolsToSimulate": [{"name": "llm"}]}
    tree = put(tree, "/evaluations/0/mockingStrategy", mock)
    tree = put(tree, "/evaluations/0/inputs", {"type": "llm"})
    search = Search("llm")
    after = replace_hits(lens, tree, search, "model", find(lens, tree, search, "model"))
    assert get(after, "/evaluations/0/mockingStrategy/type") == "llm"
    assert get(after, "/evaluations/0/mockingStrategy/prompt") == "an model"
    assert get(after, "/evaluations/0/inputs/type") == "model"
