"""Changing many cases at once on the Author page, run without a browser."""

import json

import pytest

from tests.pages.conftest import key_of, refunds, turn, words
from tests.pages.test_library import listed


@pytest.fixture
def author(open_page, refunds_file):
    return open_page("author", set=refunds_file.name)


def narrow(at, text):
    at.text_input(key="search refunds.evalset.json").input(text).run()
    return at


def saved(at, file):
    at.button(key="author.review").click().run()
    at.button(key="review.save").click().run()
    assert not at.exception and not at.error
    return json.loads(file.read_text())["eval_cases"]


def has_button(at, key):
    return any(b.key == key for b in at.button)


def test_the_bar_is_there_for_what_a_filter_shows(author):
    assert not has_button(author, "open bulk.tags")
    narrow(author, "porto")
    assert "1 case found" in words(author)
    author.button(key="bulk.unfilter").click().run()
    assert not has_button(author, "open bulk.tags")


def test_tags_are_added_to_what_the_filter_shows_and_undone(author, refunds_file):
    narrow(author, "i")
    author.button(key="open bulk.tags").click().run()
    author.multiselect(key="bulk.added").set_value(["money"]).run()
    assert "Changes 1 case; 1 case is so already" in words(author)
    author.button(key="bulk.do").click().run()
    assert "Add tag money in" in author.button(key="author.undo").help
    author.button(key="author.undo").click().run()
    author.button(key="author.redo").click().run()
    assert [c["tags"] for c in saved(author, refunds_file)] == [["money"], ["money"]]


def test_a_field_is_set_in_all_ticked_cases(author, refunds_file):
    narrow(author, "i")
    author.button(key="open bulk.set").click().run()
    author.selectbox(key="bulk.field").select("App").run()
    assert author.button(key="bulk.do").disabled
    author.text_input(key="bulk.value case session.app_name").input("shop").run()
    author.button(key="bulk.do").click().run()
    made = saved(author, refunds_file)
    assert [c["session_input"]["app_name"] for c in made] == ["shop", "shop"]


def test_a_field_is_taken_out_of_the_file(author, refunds_file):
    narrow(author, "i")
    author.button(key="open bulk.set").click().run()
    author.selectbox(key="bulk.field").select("Tags").run()
    author.selectbox(key="bulk.action").select("Take it out of the file").run()
    assert "Changes 1 case; 1 case is so already" in words(author)
    author.button(key="bulk.do").click().run()
    assert not any("tags" in c for c in saved(author, refunds_file))


def test_a_value_that_does_not_fit_is_told_and_changes_nothing(author):
    narrow(author, "i")
    author.button(key="open bulk.set").click().run()
    author.selectbox(key="bulk.field").select("Created").run()
    author.text_input(key="bulk.value case created_at").input("soon").run()
    assert "is no date and time" in words(author)
    assert author.button(key="bulk.do").disabled


def test_cases_move_before_another_one(author, refunds_file):
    narrow(author, "porto")
    author.session_state["dialog of the author"] = ("bulk.move", handles(author, "parcel"))
    author.run()
    author.selectbox(key="bulk.before").select("simple").run()
    author.button(key="bulk.do").click().run()
    assert [c["eval_id"] for c in saved(author, refunds_file)] == ["parcel", "simple"]


def handles(at, name):
    return tuple(row["id"] for row in listed(at) if row["name"] == name)


def test_a_text_is_replaced_in_all_fields_of_the_set(author, refunds_file):
    find(author, "it", "that")
    assert "Found 2 times in 2 fields of 2 cases" in words(author)
    author.button(key="find.do").click().run()
    assert "Replaced 2 times" in author.toast[0].value
    made = saved(author, refunds_file)
    assert "that is on its way." in str(made[0])
    assert "Where is that?" in str(made[1])


def test_an_empty_replacement_never_reads_as_if_cases_were_deleted(author):
    find(author, "it", "")
    button = author.button(key="find.do")
    assert button.label.startswith("Take “it” out of the texts, ")
    assert button.proto.type == "secondary"


def test_ticked_cases_are_the_first_scope_of_find_and_replace(author, refunds_file):
    author.session_state[f"kept ticked {refunds_file.name}"] = list(handles(author, "parcel"))
    find(author, "it", "that")
    assert author.segmented_control(key="find.scope").value == "chosen"
    assert "of 1 case" in words(author)


def find(at, text, replacement, words_only=True):
    at.button(key="author.find").click().run()
    at.text_input(key="find.text").input(text).run()
    at.text_input(key="find.replacement").input(replacement).run()
    if words_only:
        at.checkbox(key="find.words").check().run()


def test_a_hit_that_is_left_out_stays(author, refunds_file):
    find(author, "it", "that")
    first = next(row["id"] for row in listed(author) if "turn 1" in row["name"])
    author.session_state["kept find.left_out"] = (first,)
    author.run()
    assert "1 field left out" in words(author)
    assert author.button(key="find.do").label == "Replace 1"
    author.button(key="find.do").click().run()
    assert "It is on its way." in str(saved(author, refunds_file)[0])


def test_a_broken_pattern_is_told_beside_what_was_typed(author):
    find(author, "(", "", words_only=False)
    author.checkbox(key="find.pattern").check().run()
    assert "no pattern" in words(author)
    assert author.text_input(key="find.text").value == "("


def test_a_search_may_be_kept_to_some_fields_and_to_the_filtered_cases(author):
    narrow(author, "porto")
    find(author, "it", "that")
    author.segmented_control(key="find.scope").set_value("chosen").run()
    assert "Found 1 time in 1 field of 1 case" in words(author)
    author.multiselect(key="find.fields").set_value(["Expected reply"]).run()
    assert "Nothing was found" in words(author)


def test_the_list_is_sorted_and_the_next_case_follows_it(author):
    author.selectbox(key="cases.sort").select("Name").run()
    assert [row["name"] for row in listed(author)] == ["parcel", "simple"]
    assert author.button(key="case Next").disabled
    author.button(key="case Prev").click().run()
    assert author.query_params["case"] in ("parcel", ["parcel"])


def test_an_empty_set_offers_three_ways_to_begin(open_page, folder):
    path = folder / "new.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "new", "eval_cases": []}))
    at = open_page("author", set=path.name)
    assert "This set has no cases yet" in [s.value for s in at.subheader]
    at.button(key="begin.type").click().run()
    assert len(saved(at, path)) == 1


def test_a_file_is_imported_into_an_empty_set(open_page, folder):
    path = folder / "new.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "new", "eval_cases": []}))
    at = open_page("author", set=path.name)
    at.button(key="begin.import").click().run()
    assert at.button(key="import.back").label == "Back to the set"


def test_hostile_text_is_never_markup_in_these_dialogs(open_page, folder):
    bad = "![x](http://evil/x.png) [a](http://evil) \ud83d"
    value = refunds()
    value["eval_cases"] = [
        {
            "eval_id": bad + str(n),
            "tags": [bad],
            "conversation": [turn(bad, bad, (bad, {bad: bad}))],
        }
        for n in range(3)
    ]
    path = folder / "refunds.evalset.json"
    path.write_text(json.dumps(value))
    at = narrow(open_page("author", set=path.name), "evil")
    for kind in ("bulk.tags", "bulk.set"):
        at.button(key=f"open {kind}").click().run()
        harmless(at)
        at.session_state["dialog of the author"] = ("", ())
    find(at, "evil", bad[:-1], words_only=False)
    harmless(at)
    at.button(key="find.do").click().run()
    harmless(at)


def harmless(at):
    assert not at.exception
    said = words(at)
    assert "Something went wrong" not in said
    labels = [b.label for b in at.button] + [c.value for c in at.caption]
    assert not any("![x](" in text or "[a](http" in text for text in labels)


def test_a_recorded_run_can_be_taken_into_an_empty_set(open_page, folder):
    path = folder / "new.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "new", "eval_cases": []}))
    at = open_page("author", set=path.name)
    menu = next(m for m in at.get("menu_button") if "begin.run" in m.proto.id)
    assert "A recording from this computer" in str(list(menu.proto.options))
    assert key_of(at, "button", "begin.import")


@pytest.mark.parametrize(("words_", "value"), [("Make it empty", []), ("nothing", None)])
def test_a_field_of_many_cases_can_be_made_empty_or_nothing(author, refunds_file, words_, value):
    narrow(author, "i")
    author.button(key="open bulk.set").click().run()
    author.selectbox(key="bulk.field").select("Tags").run()
    box = author.selectbox(key="bulk.action")
    box.select(next(option for option in box.options if words_ in option)).run()
    author.button(key="bulk.do").click().run()
    assert [c["tags"] for c in saved(author, refunds_file)] == [value, value]
