"""The Author page, run without a browser."""

import json
import re
import shutil
import subprocess

import pytest

from tests.pages.conftest import key_of, refunds, turn, words


@pytest.fixture
def author(open_page, refunds_file):
    return open_page("author", set=refunds_file.name)


def area(at, field):
    return at.text_area(key=key_of(at, "text_area", field))


def changed_lines(before: bytes, after: bytes) -> list[tuple[bytes, bytes]]:
    old, new = before.splitlines(), after.splitlines()
    assert len(old) == len(new)
    return [(a, b) for a, b in zip(old, new, strict=True) if a != b]


def save(at):
    at.button(key="author.review").click().run()
    at.button(key="review.save").click().run()
    assert not at.exception
    assert not at.error


def test_the_first_case_is_open(author):
    assert area(author, "input").value == "Money back for A-17."
    assert area(author, "expected_output").value == "It is on its way."
    assert author.query_params["case"] == ["simple"] or author.query_params["case"] == "simple"


def test_a_link_opens_its_case(open_page, refunds_file):
    at = open_page("author", set=refunds_file.name, case="parcel")
    assert [a.value for a in at.text_area if a.key.endswith("input")] == ["Where is it?", "When?"]


def test_an_edit_is_reviewed_and_saved_as_one_changed_line(author, refunds_file):
    before = refunds_file.read_bytes()
    area(author, "expected_output").input("You have it in two days.").run()
    author.button(key="author.review").click().run()
    assert "turn 1: expected reply" in words(author)
    assert "1 line added, 1 line removed" in words(author).replace("\\", "")
    assert "You have it in two days." in words(author)
    assert refunds_file.read_bytes() == before
    author.button(key="review.save").click().run()
    ((_old, new),) = changed_lines(before, refunds_file.read_bytes())
    assert new.strip() == b'"text": "You have it in two days."'


def test_two_edits_before_one_save_keep_both(author, refunds_file):
    before = refunds_file.read_bytes()
    area(author, "input").input("Please refund A-17.").run()
    area(author, "expected_output").input("Done.").run()
    save(author)
    assert len(changed_lines(before, refunds_file.read_bytes())) == 2


def test_typed_text_survives_a_page_switch_and_a_reload(author, open_page, refunds_file):
    area(author, "input").input("Please refund A-17.").run()
    author.switch_page("library.py").run()
    author.switch_page("author.py").run()
    assert area(author, "input").value == "Please refund A-17."
    again = open_page("author", set=refunds_file.name)
    assert area(again, "input").value == "Please refund A-17."


def test_undo_and_redo_move_the_form_along(author):
    area(author, "input").input("Please refund A-17.").run()
    author.button(key="author.undo").click().run()
    assert area(author, "input").value == "Money back for A-17."
    author.button(key="author.redo").click().run()
    assert area(author, "input").value == "Please refund A-17."


def test_the_edits_of_one_case_can_be_dropped(author, refunds_file):
    area(author, "input").input("Please refund A-17.").run()
    author.button(key="author.review").click().run()
    author.button(key=key_of(author, "button", "drop 0")).click().run()
    assert "Everything is saved" in words(author)
    assert not author.exception


def test_an_argument_of_a_tool_call_is_edited_in_its_row(author, refunds_file):
    value = next(t for t in author.text_input if t.value == "A-17")
    value.input("B-99").run()
    save(author)
    made = json.loads(refunds_file.read_text())["eval_cases"][0]["conversation"][0]
    assert made["intermediate_data"]["tool_uses"] == [{"name": "refund", "args": {"order": "B-99"}}]


def test_a_tool_call_is_added_and_named(author, refunds_file):
    author.button(key=key_of(author, "button", "tool_calls|add")).click().run()
    empty = next(s for s in author.selectbox if s.value is None and s.key.endswith("|name"))
    assert empty.options == ["refund"]
    empty.set_value("refund").run()
    save(author)
    made = json.loads(refunds_file.read_text())["eval_cases"][0]["conversation"][0]
    assert [c["name"] for c in made["intermediate_data"]["tool_uses"]] == ["refund", "refund"]


def test_a_case_is_added_behind_the_open_one(author, refunds_file):
    author.button(key="case.add").click().run()
    assert "new_case" in words(author)
    save(author)
    made = json.loads(refunds_file.read_text())["eval_cases"]
    assert [c["eval_id"] for c in made] == ["simple", "new_case", "parcel"]


def test_a_turn_is_added(author, refunds_file):
    author.button(key=key_of(author, "button", "add turn")).click().run()
    save(author)
    assert len(json.loads(refunds_file.read_text())["eval_cases"][0]["conversation"]) == 2


def test_text_that_is_no_json_stays_with_its_error_and_changes_nothing(author, refunds_file):
    author.segmented_control(key="case.mode").set_value("text").run()
    raw = author.text_area(key=key_of(author, "text_area", "raw"))
    assert json.loads(raw.value)["eval_id"] == "simple"
    raw.input('{"eval_id": "simple",').run()
    assert author.text_area(key=key_of(author, "text_area", "raw")).value == '{"eval_id": "simple",'
    assert "Line 1" in words(author)
    assert author.button(key="author.review").disabled
    author.button(key=key_of(author, "button", "forget")).click().run()
    raw = author.text_area(key=key_of(author, "text_area", "raw"))
    assert json.loads(raw.value)["eval_id"] == "simple"


def test_the_text_of_a_case_can_be_edited(author, refunds_file):
    author.segmented_control(key="case.mode").set_value("text").run()
    raw = author.text_area(key=key_of(author, "text_area", "raw"))
    raw.input(raw.value.replace("It is on its way.", "Soon.")).run()
    before = refunds_file.read_bytes()
    save(author)
    assert len(changed_lines(before, refunds_file.read_bytes())) == 1


def test_the_details_of_a_set_are_edited(author, refunds_file):
    author.segmented_control(key="author.view").set_value("details").run()
    author.text_input(key=key_of(author, "text_input", "|name")).input("Refunds 2").run()
    save(author)
    assert json.loads(refunds_file.read_text())["name"] == "Refunds 2"


def test_a_taken_name_is_refused_and_kept_in_the_field(author):
    at = author
    at.session_state["dialog of the author"] = (
        "rename",
        at.session_state["open case refunds.evalset.json"][:1],
    )
    at.run()
    at.text_input(key=key_of(at, "text_input", "rename")).input("parcel")
    at.button(key="rename.do").click().run()
    assert "already a case called" in words(at)


def test_deleting_asks_first_and_can_be_undone(author, refunds_file):
    at = author
    at.session_state["dialog of the author"] = (
        "delete",
        at.session_state["open case refunds.evalset.json"][:1],
    )
    at.run()
    assert "Delete 1 case: simple?" in words(at)
    at.button(key="delete.do").click().run()
    assert area_values(at) == ["Where is it?", "When?"]
    at.button(key="author.undo").click().run()
    save_disabled = at.button(key="author.review").disabled
    assert save_disabled


def area_values(at):
    return [a.value for a in at.text_area if a.key.endswith("input")]


def test_an_edit_on_disk_elsewhere_is_put_together_with_mine(author, refunds_file):
    area(author, "input").input("Please refund A-17.").run()
    theirs = refunds()
    theirs["eval_cases"][1]["tags"] = ["theirs"]
    refunds_file.write_text(json.dumps(theirs, indent=2) + "\n")
    author.run()
    assert "changed by somebody else" in words(author)
    author.button(key="author.review").click().run()
    author.button(key="review.save").click().run()
    author.button(key="conflict.save").click().run()
    saved = json.loads(refunds_file.read_text())["eval_cases"]
    assert saved[1]["tags"] == ["theirs"]
    said = saved[0]["conversation"][0]["user_content"]["parts"][0]["text"]
    assert said == "Please refund A-17."


@pytest.mark.parametrize(("side", "kept"), [("mine", "Mine."), ("disk", "Theirs.")])
def test_two_edits_of_one_case_wait_for_a_choice(author, refunds_file, side, kept):
    area(author, "input").input("Mine.").run()
    theirs = refunds()
    theirs["eval_cases"][0]["conversation"][0]["user_content"]["parts"][0]["text"] = "Theirs."
    refunds_file.write_text(json.dumps(theirs, indent=2) + "\n")
    author.button(key="author.review").click().run()
    author.button(key="review.save").click().run()
    assert author.button(key="conflict.save").disabled
    assert "Theirs." in refunds_file.read_text()
    author.segmented_control(key=key_of(author, "button_group", "side ")).set_value(side).run()
    author.button(key="conflict.save").click().run()
    assert kept in refunds_file.read_text()


def test_a_deleted_file_leaves_a_way_to_keep_the_edits(author, refunds_file, folder):
    area(author, "input").input("Mine.").run()
    refunds_file.unlink()
    author.button(key="author.review").click().run()
    author.button(key="review.save").click().run()
    author.button(key="conflict.copy.save").click().run()
    assert "Mine." in (folder / "refunds_copy.evalset.json").read_text()


def test_an_old_shape_is_shown_and_not_edited(open_page, folder):
    old = [{"query": "hello", "expected_tool_use": [], "reference": "hi"}]
    (folder / "old.test.json").write_text(json.dumps(old))
    at = open_page("author", set="old.test.json")
    assert "in an old shape" in words(at)
    assert all(a.disabled for a in at.text_area)
    assert at.button(key="author.modernise")
    assert 'ed-title">old<' in words(at)


def test_an_old_shape_is_saved_as_a_new_style_set(open_page, folder):
    old = [{"query": "hello", "expected_tool_use": [], "reference": "hi"}]
    (folder / "old.test.json").write_text(json.dumps(old))
    at = open_page("author", set="old.test.json")
    at.button(key="author.modernise").click().run()
    at.text_input(key="modernise.name").input("Newer").run()
    at.button(key="modernise.do").click().run()
    assert not at.exception
    (made,) = folder.glob("newer*.json")
    assert area(at, "input").value == "hello"
    assert not area(at, "input").disabled
    assert "eval_cases" in json.loads(made.read_text())
    assert json.loads((folder / "old.test.json").read_text()) == old


def test_a_case_of_an_unknown_shape_is_shown_as_text(open_page, folder):
    odd = {"eval_set_id": "s", "eval_cases": [{"eval_id": "x", "conversation": "none"}]}
    (folder / "odd.evalset.json").write_text(json.dumps(odd))
    at = open_page("author", set="odd.evalset.json")
    assert '"conversation": "none"' in area(at, "raw").value


@pytest.mark.parametrize("path", ["nowhere.evalset.json", "../../etc/passwd", "package.json"])
def test_a_file_that_cannot_be_opened_is_told_with_a_way_back(open_page, folder, path):
    (folder / "package.json").write_text("{}")
    at = open_page("author", set=path)
    assert at.error
    assert at.button(key="author.back")


def test_without_a_set_the_page_says_how_to_open_one(open_page):
    assert "No set is open" in words(open_page("author"))


def test_hostile_text_is_never_markup(open_page, folder):
    bad = "![x](http://evil/x.png) <img src=http://evil/y> [a](http://evil) \ud83d"
    evil = turn(bad, bad, (bad, {bad: bad}))
    cases = [
        {
            "eval_id": bad,
            "conversation": [evil],
            "tags": [bad],
            "session_input": {"state": {bad: 1}},
        }
    ]
    value = {"eval_set_id": bad, "name": bad, "eval_cases": cases}
    (folder / "evil.evalset.json").write_text(json.dumps(value))
    at = open_page("author", set="evil.evalset.json")
    for view in ("cases", "mocks", "details", "problems"):
        at.segmented_control(key="author.view").set_value(view).run()
        assert not at.exception
        assert "Something went wrong" not in words(at)
        shown = [h.proto.body for h in at.get("html")]
        assert not any("<img" in body for body in shown)
        labels = [getattr(w, "label", "") for kind in LABELLED for w in at.get(kind)]
        assert not any(re.search(r"(?<!\\)\]\(http", label) for label in labels)
        assert "Something went wrong" not in words(at)


LABELLED = ("button", "text_input", "text_area", "checkbox", "expander", "selectbox", "multiselect")


def test_ten_thousand_cases_open_at_any_case(open_page, folder):
    cases = [
        {"eval_id": f"c{n}", "conversation": [turn(f"hello {n}", "hi")]} for n in range(10_000)
    ]
    path = folder / "big.evalset.json"
    path.write_text(json.dumps({"eval_set_id": "big", "eval_cases": cases}, indent=1))
    at = open_page("author", set=path.name, case="c9999")
    assert area(at, "input").value == "hello 9999"
    area(at, "input").input("changed").run()
    assert "1 unsaved edit" in words(at)
    assert "Cases 10,000" in at.segmented_control(key="author.view").options[0].replace("\\", "")


@pytest.mark.skipif(shutil.which("git") is None, reason="git shows the hunks")
def test_git_sees_one_hunk(author, refunds_file, folder):
    def run(*args):
        done = subprocess.run(["git", *args], cwd=folder, check=True, capture_output=True)
        return done.stdout.decode()

    run("init", "-q")
    run("add", ".")
    area(author, "expected_output").input("Soon.").run()
    save(author)
    assert run("diff", "-U0").count("@@ -") == 1


def test_a_section_stays_open_while_its_title_and_its_problems_change(author):
    (turn_menu, _case_menu) = [m for m in author.get("menu_button") if m.key.endswith("|add field")]
    turn_menu.click("Rubrics for this turn").run()
    author.button(key=key_of(author, "button", "rubrics", "add")).click().run()
    statement = area(author, "text")
    assert statement.label == "Statement"
    statement.input("The reply names a day.").run()
    assert area(author, "text").value == "The reply names a day."


def test_a_problem_of_a_case_without_turns_is_told_once(open_page, folder):
    (folder / "evals" / "eval-sets").mkdir(parents=True)
    case = {"id": "c1", "name": "calls", "inputs": {"a": "b"}, "expectedOutput": {}}
    made = {"id": "s", "name": "Set", "batchSize": 10, "evaluatorRefs": [], "evaluations": [case]}
    path = folder / "evals" / "eval-sets" / "evaluation-set-1.json"
    path.write_text(json.dumps(made, indent=2))
    at = open_page("author", set="evals/eval-sets/evaluation-set-1.json")
    assert words(at).count("so its scores say nothing") == 1


def test_a_large_set_is_not_called_sound_before_it_was_checked(
    open_page, refunds_file, monkeypatch
):
    monkeypatch.setattr("evalcore.views.sheet.LARGE", 10)
    at = open_page("author", set=refunds_file.name, view="problems")
    assert "checked only when you ask" in words(at)
    assert "none" not in words(at).split("<style>")[0]
    at.button(key="check now").click().run()
    assert "checked only when you ask" not in words(at)
