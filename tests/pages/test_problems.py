"""Problems on the pages: by kind, with a way to their place, and fixes that can be undone."""

import json

import pytest

from tests.pages.conftest import turn, words


@pytest.fixture
def doubled(folder):
    """A set with three cases of one id, and two that contradict each other."""
    cases = [
        {"eval_id": name, "conversation": [turn(says, reply)]}
        for name, says, reply in (
            ("late", "Where is my parcel?", "In Porto."),
            ("late", "When will it be here?", "Tomorrow."),
            ("late", "Who brings it to me?", "The post."),
            ("other", "Where is my parcel?", "In Rome."),
        )
    ]
    path = folder / "parcels.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "parcels", "eval_cases": cases}, indent=2))
    return path


@pytest.fixture
def problems(open_page, doubled):
    return open_page("author", set=doubled.name, view="problems")


def button(at, *parts: str):
    found = [b for b in at.button if b.key and all(part in b.key for part in parts)]
    assert found, [b.key for b in at.button]
    return found[0]


def ids(at) -> list[str]:
    at.segmented_control(key="author.view").set_value("cases").run()
    from pages._ui.desk import open_desk

    sheet = open_desk().sheet("local", "parcels.evalset.json")
    return [sheet.lens.case_id(raw) for raw in sheet.cases]


def test_problems_are_told_by_kind_with_their_number_and_their_code(problems):
    said = words(problems)
    assert "Two cases with one id" in said and "2 places" in said
    assert "Two cases that contradict each other" in said
    assert "adk.duplicate_case_id" in said


def test_each_kind_explains_itself(problems):
    said = words(problems)
    assert "Results and the web UI know a case by its id alone." in said
    assert "What to do: Give one of them another id." in said


def test_a_fix_says_what_it_will_do_does_it_and_can_be_undone(problems):
    assert "Fix: Call it “late_2”" in words(problems)
    button(problems, "fix adk.duplicate_case_id", "/eval_cases/1/").click().run()
    assert "1 place" in words(problems)
    problems.button(key="author.undo").click().run()
    assert "2 places" in words(problems)


def test_all_of_a_kind_are_fixed_in_one_step(problems):
    button(problems, "fix all adk.duplicate_case_id").click().run()
    assert "Two cases with one id" not in words(problems)
    assert ids(problems) == ["late", "late_2", "late_3", "other"]
    problems.button(key="author.undo").click().run()
    assert ids(problems) == ["late", "late", "late", "other"]
    assert problems.button(key="author.undo").disabled


def test_safe_fixes_leave_what_a_person_must_decide(problems):
    problems.button(key="problems.safe").click().run()
    said = words(problems)
    assert "Two cases with one id" not in said
    assert "Two cases that contradict each other" in said


def test_a_fix_that_is_pressed_when_its_problem_is_gone_says_so(problems, doubled):
    pressed = button(problems, "fix adk.duplicate_case_id", "/eval_cases/1/")
    from pages._ui.desk import open_desk

    open_desk().sheet("local", doubled.name).mender.mend_all("adk.duplicate_case_id")
    pressed.click().run()
    assert "This problem is gone already" in words(problems).replace("\\", "")


def test_the_filter_keeps_what_holds_its_words(problems):
    problems.text_input(key="problems.text").input("contradict").run()
    said = words(problems)
    assert "Two cases that contradict each other" in said
    assert "Two cases with one id" not in said
    problems.text_input(key="problems.text").input("nothing like it").run()
    assert "No problem matches" in words(problems)


def test_errors_alone_can_be_shown(problems):
    problems.segmented_control(key="problems.severity").set_value("error").run()
    said = words(problems)
    assert "Two cases with one id" in said
    assert "Two cases that contradict each other" not in said


def test_go_to_opens_the_case(problems):
    button(problems, "jump adk.duplicate_case_id", " 1").click().run()
    assert problems.segmented_control(key="author.view").value == "cases"
    assert problems.query_params["case"] == "#3"


def test_a_problem_in_the_form_has_its_fix_there(open_page, doubled):
    at = open_page("author", set=doubled.name, case="#2")
    found = [b for b in at.button if b.label.replace("\\", "") == "Fix: Call it “late_2”"]
    assert len(found) == 1
    found[0].click().run()
    assert "late_2" in ids(at)


def test_the_library_counts_what_the_draft_has(open_page, doubled, problems):
    button(problems, "fix all adk.duplicate_case_id").click().run()
    from pages._ui.desk import open_desk

    desk = open_desk()
    (entry,) = desk.edited("local", desk.workspace.entries())
    assert [p.code for p in entry.problems if p.severity == "error"] == []
    (on_disk,) = desk.workspace.entries()
    assert on_disk.problem_counts["error"] == 2


def test_a_set_with_very_many_cases_is_compared_when_one_asks(open_page, doubled, monkeypatch):
    monkeypatch.setattr("evalcore.views.sheet.MANY_CASES", 2)
    at = open_page("author", set=doubled.name, view="problems")
    at.button(key="problems.similar").click().run()
    assert not [b for b in at.button if b.key == "problems.similar"]


def test_names_of_kinds_are_never_markup(open_page, folder):
    bad = "**[x](http://evil.test)** <img src=x>"
    cases = [{"eval_id": bad, "conversation": [turn("a", "b")]} for _ in range(2)]
    (folder / "evil.evalset.json").write_text(json.dumps({"eval_set_id": bad, "eval_cases": cases}))
    at = open_page("author", set="evil.evalset.json", view="problems")
    assert not any("<img" in h.proto.body for h in at.get("html"))
    labels = [b.label for b in at.button]
    assert not any("](http" in label for label in labels)
