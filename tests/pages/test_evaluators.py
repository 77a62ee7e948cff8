"""The Evaluators page, run without a browser."""

import json
import shutil

import pytest

from tests.pages.conftest import key_of, words
from tests.samples import SAMPLES

EVALUATIONS = "evaluations"


@pytest.fixture
def claims(folder):
    shutil.copytree(SAMPLES / "uipath_coded" / "claims_intake", folder, dirs_exist_ok=True)
    return folder / EVALUATIONS


@pytest.fixture
def refund_desk(folder):
    shutil.copytree(SAMPLES / "adk" / "refund_desk", folder, dirs_exist_ok=True)
    return folder / "test_config.json"


@pytest.fixture
def trips(folder):
    shutil.copytree(SAMPLES / "tenxgraph" / "trip_planner", folder, dirs_exist_ok=True)
    return folder / "eval_config.json"


def changed_lines(before: bytes, after: bytes) -> list[tuple[str, str]]:
    old, new = before.decode().splitlines(), after.decode().splitlines()
    assert len(old) == len(new)
    return [(a.strip(), b.strip()) for a, b in zip(old, new, strict=True) if a != b]


def save(at):
    at.button(key="evaluators.review").click().run()
    at.button(key="review.save").click().run()
    assert not at.exception and not at.error


def test_an_empty_folder_is_told_what_evaluators_are(open_page):
    at = open_page("evaluators")
    assert "No checks here yet" in words(at) or any(
        "No checks here yet" in s.value for s in at.subheader
    )
    assert at.button(key="evaluators.new").label


def test_a_link_opens_an_evaluator_and_a_setting_is_saved_as_one_line(open_page, claims):
    file = claims / "evaluators" / "decision.json"
    before = file.read_bytes()
    at = open_page("evaluators", evaluator=f"{EVALUATIONS}/evaluators/decision.json")
    at.selectbox(key=key_of(at, "selectbox", "|case_sensitive")).select("Yes").run()
    assert file.read_bytes() == before
    at.button(key="evaluators.review").click().run()
    assert "caseSensitive: false → true" in words(at)
    at.button(key="review.save").click().run()
    assert changed_lines(before, file.read_bytes()) == [
        ('"caseSensitive": false,', '"caseSensitive": true,')
    ]


def test_typed_text_that_is_no_number_stays_beside_its_error(open_page, refund_desk):
    before = refund_desk.read_bytes()
    at = open_page("evaluators", evaluator="test_config.json", check="response_match_score")
    box = at.text_input(key=key_of(at, "text_input", "|threshold"))
    box.input("often").run()
    assert at.text_input(key=box.key).value == "often"
    assert "is not a number" in words(at)
    at.text_input(key=box.key).input("0,75").run()
    save(at)
    assert changed_lines(before, refund_desk.read_bytes()) == [
        ('"response_match_score": 0.7,', '"response_match_score": 0.75,')
    ]


def test_a_mark_out_of_range_is_told_at_the_field(open_page, trips):
    at = open_page("evaluators", evaluator="eval_config.json", check="rouge_match")
    at.text_input(key=key_of(at, "text_input", "|threshold")).input("80").run()
    assert "Did you mean 0.8" in words(at)
    assert "No score reaches 80" in words(at).replace("\\", "")
    at.button(key="evaluators.undo").click().run()
    assert at.text_input(key=key_of(at, "text_input", "|threshold")).value == "0.6"


def test_the_slider_and_the_field_move_together(open_page, trips):
    before = trips.read_bytes()
    at = open_page("evaluators", evaluator="eval_config.json", check="rouge_match")
    at.slider(key=key_of(at, "slider", "|rail")).set_value(0.9).run()
    assert at.text_input(key=key_of(at, "text_input", "|threshold")).value == "0.9"
    assert "more than at 0.6" in words(at).replace("\\", "")
    save(at)
    assert changed_lines(before, trips.read_bytes()) == [('"threshold": 0.6,', '"threshold": 0.9,')]


def test_what_somebody_else_wrote_meanwhile_is_kept(open_page, refund_desk):
    at = open_page("evaluators", evaluator="test_config.json", check="response_match_score")
    at.text_input(key=key_of(at, "text_input", "|threshold")).input("0.75").run()
    theirs = refund_desk.read_text().replace('"threshold": 0.6', '"threshold": 0.65')
    refund_desk.write_text(theirs)
    at.button(key="evaluators.review").click().run()
    at.button(key="review.save").click().run()
    if any(b.key == "conflict.save" for b in at.button):
        at.button(key="conflict.save").click().run()
    assert refund_desk.read_text() == theirs.replace('score": 0.7,', 'score": 0.75,')


def test_trying_a_check_shows_score_and_reason(open_page, claims):
    at = open_page("evaluators", evaluator=f"{EVALUATIONS}/evaluators/letter.json", part="try")
    assert "1 of 1" in words(at)
    at.text_area(key=key_of(at, "text_area", "search_text")).input("no such thing").run()
    assert "0 of 1" in words(at)
    assert "not in the output" in words(at)


def test_tool_calls_are_tried_by_the_form_that_a_case_has(open_page, refund_desk):
    at = open_page(
        "evaluators", evaluator="test_config.json", check="tool_trajectory_avg_score", part="try"
    )
    assert "✓ passed" in words(at)
    assert not any("{" in area.value for area in at.text_area)
    tools = [box for box in at.selectbox if box.label == "Tool"]
    assert [box.value for box in tools] == ["look_up", "look_up"]
    assert "lookup_order" in tools[1].options
    tools[1].select("lookup_order").run()
    assert "✗ failed" in words(at)


def test_the_output_of_an_agent_is_tried_as_rows_or_as_one_text(open_page, claims):
    at = open_page("evaluators", evaluator=f"{EVALUATIONS}/evaluators/letter.json", part="try")
    assert "1 of 1" in words(at)
    at.selectbox(key=key_of(at, "selectbox", "actual_output|kind")).select("Text").run()
    area = at.text_input(key=key_of(at, "text_input", "actual_output"))
    area.input("Your parcel is here").run()
    assert not at.exception
    assert at.text_input(key=area.key).value == "Your parcel is here"


def test_a_judged_check_shows_its_calls_before_any_is_made(open_page, claims, monkeypatch):
    for name in ("BASE_URL", "API_KEY", "MODEL"):
        monkeypatch.delenv(f"EVALDESK_JUDGE_{name}", raising=False)
    at = open_page(
        "evaluators", evaluator=f"{EVALUATIONS}/evaluators/judge-trajectory.json", part="try"
    )
    ask = at.button(key=key_of(at, "button", "|ask"))
    assert "1 call" in ask.label and ask.disabled


def test_the_prompt_is_previewed_on_a_case(open_page, claims):
    at = open_page(
        "evaluators", evaluator=f"{EVALUATIONS}/evaluators/judge-trajectory.json", part="prompt"
    )
    picker = at.selectbox(key=key_of(at, "selectbox", "preview", "|case"))
    picker.select(next(o for o in picker.options if "too-expensive" in o)).run()
    said = words(at)
    assert "claims-output.json" in said.replace("\\", "")
    assert "You grade an insurance claims agent" in said and "lookup_policy" in said


def test_the_matrix_says_where_cases_say_nothing(open_page, refund_desk):
    at = open_page("evaluators", view="matrix", set="refunds.evalset.json")
    assert "One criteria file governs all cases" in words(at).replace("\\", "")
    at.button(key=key_of(at, "button", "matrix.file")).click().run()
    assert "test_config.json" in words(at)


def test_a_broken_file_costs_its_own_view_only(open_page, claims):
    (claims / "evaluators" / "odd.json").write_text('["no object"]')
    (claims / "evaluators" / "broken.json").write_text('{"id": ')
    at = open_page("evaluators", evaluator=f"{EVALUATIONS}/evaluators/odd.json")
    assert not at.exception
    at = open_page("evaluators", evaluator=f"{EVALUATIONS}/evaluators/decision.json")
    assert "DecisionEvaluator" in words(at)


def test_hostile_names_stay_text(open_page, claims):
    bad = '"><img src=x onerror=alert(1)> ![x](http://evil) :red[y]'
    file = claims / "evaluators" / "payout.json"
    value = json.loads(file.read_bytes())
    value["evaluatorConfig"]["name"] = value["id"] = bad
    file.write_text(json.dumps(value))
    for part in ("settings", "used", "try"):
        at = open_page("evaluators", evaluator=f"{EVALUATIONS}/evaluators/payout.json", part=part)
        assert not at.exception
        assert "<img" not in "".join(str(h.value) for h in at.get("html"))


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("evaluator-category.json", "expected_output"),
        ("evaluator-reply.json", "expected_output"),
        ("evaluator-behavior.json", "expected_agent_behavior"),
    ],
)
def test_a_low_code_check_is_tried_on_what_it_reads_and_nothing_else(
    open_page, folder, file, asked
):
    shutil.copytree(SAMPLES / "uipath_lowcode", folder, dirs_exist_ok=True)
    (path,) = folder.rglob(file)
    at = open_page("evaluators", evaluator=path.relative_to(folder).as_posix(), part="try")
    kinds = ("text_area", "text_input", "selectbox", "button", "menu_button")
    keys = [w.key or "" for kind in kinds for w in at.get(kind)]
    both = ("expected_output", "expected_agent_behavior")
    assert [name for name in both if any(name in key for key in keys)] == [asked]


def test_the_type_of_a_rubric_is_offered_beside_any_other_text(open_page, folder):
    rubric = {"rubric_id": "polite", "rubric_content": {"text_property": "It is polite."}}
    metric = "rubric_based_final_response_quality_v1"
    whole = {"criteria": {metric: {"threshold": 0.8, "rubrics": [rubric]}}}
    path = folder / "test_config.json"
    path.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    at = open_page("evaluators", evaluator="test_config.json", check=metric)
    kind = next(s for s in at.selectbox if s.label == "Type")
    assert kind.value == "Not set (none)"
    assert "TOOL_USE_QUALITY" in kind.options
    kind.set_value("TOOL_USE_QUALITY").run()
    assert next(s for s in at.selectbox if s.label == "Type").value == "TOOL_USE_QUALITY"
    save(at)
    made = json.loads(path.read_text(encoding="utf-8"))["criteria"][metric]["rubrics"]
    assert made == [{**rubric, "type": "TOOL_USE_QUALITY"}]
    next(s for s in at.selectbox if s.label == "Type").set_value("Not set (none)").run()
    save(at)
    assert json.loads(path.read_text(encoding="utf-8")) == whole


def test_a_new_check_is_proposed_for_the_system_and_folder_of_what_is_shown(open_page, folder):
    shutil.copytree(SAMPLES / "adk" / "refund_desk", folder / "adk")
    for name in ("a_trips", "trips"):
        shutil.copytree(SAMPLES / "tenxgraph" / "trip_planner", folder / name)
    at = open_page("evaluators", evaluator="trips/eval_config.json")
    at.button(key="evaluators.new").click().run()
    what = next(s for s in at.selectbox if s.label == "What")
    assert what.value == "tenxgraph"
    assert next(s for s in at.selectbox if s.label == "Where").value is not None
    assert "A new file, trips/" in words(at).replace("\\", "")


def test_the_lines_of_the_list_are_not_counted_as_checks(open_page, folder):
    criteria = {"response_match_score": 0.5, "tool_trajectory_avg_score": 1.0}
    for number in range(36):
        place = folder / f"desk{number}"
        place.mkdir()
        (place / "test_config.json").write_text(json.dumps({"criteria": criteria}))
    at = open_page("evaluators")
    said = words(at)
    assert "72 checks" in said
    assert "of 108 lines" in said
