"""The Library page, run without a browser."""

import json

import pytest

from tests.pages.conftest import key_of, refunds, words


def listed(at):
    """The rows that the page's lists were given."""
    return [row for element in at.get("bidi_component") for row in rows_of(element)]


def rows_of(element):
    return json.loads(element.proto.json or "{}").get("rows", [])


def test_an_empty_folder_teaches_how_to_begin(open_page, folder):
    at = open_page()
    assert "No eval sets here yet" in [s.value for s in at.subheader]
    assert str(folder) in words(at)
    assert at.button(key="begin.type").label == "New set"


def test_the_sets_of_the_folder_are_counted(open_page, refunds_file):
    at = open_page()
    assert "1 set · 2 cases" in words(at)


def test_a_broken_file_does_not_empty_the_list(open_page, refunds_file, folder):
    (folder / "broken.evalset.json").write_text('{"eval_cases": [')
    at = open_page()
    assert "2 sets · 2 cases" in words(at)


def test_a_search_that_finds_nothing_says_how_to_go_on(open_page, refunds_file):
    at = open_page()
    at.text_input(key="library.text").input("nowhere to be found").run()
    assert "No set matches" in words(at)
    assert "0 of 1 set" in words(at)


def test_a_search_finds_what_cases_say(open_page, refunds_file):
    at = open_page()
    at.text_input(key="library.text").input("porto").run()
    assert "1 of 1 set" in words(at)


def test_the_filters_survive_a_page_switch(open_page, refunds_file):
    at = open_page()
    at.text_input(key="library.text").input("porto").run()
    at.switch_page("author.py").run()
    at.switch_page("library.py").run()
    assert at.text_input(key="library.text").value == "porto"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"search": "porto"}, "1 of 1 set"),
        ({"format": "harnest"}, "0 of 1 set"),
        ({"health": "errors"}, "0 of 1 set"),
        ({"health": "nonsense", "show": "nonsense"}, "1 set · 2 cases"),
        ({"show": "results"}, "0 result files"),
    ],
)
def test_a_link_carries_the_filters(open_page, refunds_file, query, said):
    assert said in words(open_page(**query))


def test_a_new_set_is_made_and_opened(open_page, folder):
    at = open_page()
    at.button(key="begin.type").click().run()
    at.text_input(key="new.name").input("Refunds, unhappy path").run()
    at.selectbox(key="new.format").select("adk").run()
    at.button(key="new.create").click().run()
    assert not at.exception
    made = json.loads((folder / "refunds_unhappy_path.evalset.json").read_text())
    assert made["name"] == "Refunds, unhappy path"
    assert made["eval_cases"] == []


def test_a_new_set_without_a_name_is_refused_in_the_dialog(open_page, folder):
    at = open_page()
    at.button(key="begin.type").click().run()
    at.button(key="new.create").click().run()
    assert "needs a name" in words(at)
    assert list(folder.iterdir()) == []


def test_an_existing_file_is_never_written_over(open_page, refunds_file):
    before = refunds_file.read_bytes()
    at = open_page()
    at.button(key="library.new").click().run()
    at.selectbox(key="new.format").select("adk").run()
    at.text_input(key="new.name").input("x").run()
    at.text_input(key="new.path").input("refunds.evalset.json").run()
    at.button(key="new.create").click().run()
    assert at.error
    assert refunds_file.read_bytes() == before


def test_a_folder_that_is_gone_is_told_in_words(open_page, folder, monkeypatch):
    monkeypatch.setenv("EVALDESK_WORKSPACE", str(folder / "nowhere"))
    at = open_page()
    assert "There is no folder" in words(at)
    assert "Traceback" not in words(at)


@pytest.mark.parametrize("count", [300])
def test_many_sets_are_shown_a_page_at_a_time(open_page, folder, count):
    for number in range(count):
        (folder / f"s{number:04}.evalset.json").write_text(json.dumps(refunds()))
    at = open_page()
    assert f"{count} sets" in words(at)
    assert "1–100 of 300" in words(at).replace("\\", "")


def test_unsaved_edits_show_in_the_shell_on_every_page(open_page, refunds_file):
    at = open_page("author", set=refunds_file.name)
    at.text_area(key=key_of(at, "text_area", "input")).input("changed").run()
    at.switch_page("library.py").run()
    badge = at.get("popover")[0]
    assert "1 set with unsaved edits" in badge.proto.popover.label.replace("\\", "")


def test_the_sets_are_sorted_by_the_column_that_the_link_names(open_page, refunds_file, folder):
    (folder / "b.evalset.json").write_text(json.dumps({**refunds(), "name": "Big"}))
    names = [row["name"] for row in listed(open_page(sort="-name"))]
    assert names == ["Refunds", "Big"]
    assert [row["name"] for row in listed(open_page(sort="name"))] == ["Big", "Refunds"]


def test_folders_are_offered_where_sets_are_many(open_page, folder):
    for number in range(45):
        place = folder / ("a" if number % 3 else "b")
        place.mkdir(exist_ok=True)
        (place / f"s{number}.evalset.json").write_text(json.dumps(refunds()))
    at = open_page(folder="b")
    assert "15 of 45 sets" in words(at)
    assert [row["name"] for row in listed(at)][:3] == ["All folders", "a", "b"]


def test_a_folder_in_the_link_hides_nothing_where_none_can_be_chosen(open_page, refunds_file):
    assert "1 set · 2 cases" in words(open_page(folder="elsewhere"))


def test_the_cases_of_a_draft_are_counted(open_page, refunds_file):
    at = open_page("author", set=refunds_file.name)
    at.button(key="case.add").click().run()
    at.switch_page("library.py").run()
    assert "1 set · 3 cases" in words(at)
