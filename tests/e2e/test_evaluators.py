"""The Evaluators page in a real browser: from a new evaluator to the saved bytes of each file."""

import json
import re
import shutil
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.e2e.desk import Visit
from tests.samples import SAMPLES


def own_project(visit: Visit, name: str, source: str) -> Path:
    """Return a copy of a sample project that only one test edits."""
    target = visit.server.folder / "own" / name
    shutil.copytree(SAMPLES / source, target)
    return target


def path_of(visit: Visit, file: Path) -> str:
    return str(file.relative_to(visit.server.folder))


def box(visit: Visit, name: str) -> Locator:
    # A dialog stands after the page that it covers.
    return visit.page.get_by_role("textbox", name=name, exact=True).last


def type_into(visit: Visit, name: str, text: str) -> None:
    field = box(visit, name)
    field.fill(text)
    field.press("Tab")
    visit.idle()


def pick(visit: Visit, name: str, option: str) -> None:
    """Choose an option of a select box."""
    visit.page.get_by_role("combobox", name=re.compile(re.escape(name))).last.click()
    visit.page.get_by_role("option", name=option).click()
    visit.idle()


def from_menu(visit: Visit, menu: str, entry: str | re.Pattern[str]) -> None:
    visit.page.get_by_role("button", name=menu, exact=True).click()
    visit.page.get_by_role("menuitem", name=entry).or_(
        visit.page.get_by_role("option", name=entry)
    ).or_(visit.page.get_by_role("menu").get_by_text(entry)).first.click()
    visit.idle()


def save_evaluator(visit: Visit) -> None:
    visit.page.get_by_role("button", name="Review & save").click()
    expect(visit.page.get_by_role("heading", name="Review changes")).to_be_visible()
    visit.idle()
    visit.press_save()
    expect(visit.page.get_by_role("heading", name="Review changes")).to_have_count(0)
    visit.idle()


def test_an_evaluator_is_made_set_attached_used_renamed_and_saved(visit: Visit):
    project = own_project(visit, "coded", "uipath_coded/claims_intake") / "evaluations"
    claims, letters = (project / "eval-sets" / f"{n}.json" for n in ("claims", "letters"))
    before = claims.read_bytes()
    page = visit.page

    visit.open("evaluators", evaluator=path_of(visit, project / "evaluators" / "letter.json"))
    page.get_by_role("button", name="New check").click()
    dialog = page.get_by_role("dialog")
    pick(visit, "What", "UiPath coded agent: a check in a file of its own")
    pick(visit, "Where", f"{path_of(visit, project / 'evaluators')}/")
    pick(visit, "Kind", "Contains")
    type_into(visit, "Name", "Names the claim")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog).to_have_count(0)
    visit.idle()
    made = project / "evaluators" / "names_the_claim.json"
    assert json.loads(made.read_bytes()) == {
        "version": "1.0",
        "id": "NamesTheClaim",
        "description": "",
        "evaluatorTypeId": "uipath-contains",
        "evaluatorConfig": {"name": "Names the claim", "targetOutputKey": "*"},
    }

    pick(visit, "Upper and lower case differ", "Yes")
    visit.segment("Used by 0")
    from_menu(visit, "Attach to a set", re.compile("Household claims"))
    expect(page.get_by_role("radio", name="Used by 1")).to_be_visible()
    assert claims.read_bytes() == before

    page.get_by_role("button", name="Matrix").click()
    visit.idle()
    grid = page.get_by_role("table", name="Cases and checks")
    expect(grid.get_by_role("columnheader", name="Names the claim")).to_be_visible()
    row = grid.locator("tbody tr").filter(has_text="test-1-water-damage")
    row.locator("td").last.get_by_text("not run").click()
    visit.idle()
    visit.segment("Values of its own")
    type_into(visit, "Text to find", "burst pipe")
    expect(row.locator("td").last).to_contain_text("burst pipe")

    page.get_by_role("radio", name=re.compile("^Checks")).first.click()
    visit.idle()
    from_menu(visit, "More", re.compile("Rename id or file"))
    type_into(visit, "Id", "ClaimIsNamed")
    expect(dialog).to_contain_text("names_the_claim.json")
    expect(dialog).to_contain_text("follow, and stay unsaved")
    dialog.get_by_role("button", name="Rename in 1 file").click()
    expect(dialog).to_have_count(0)
    visit.idle()
    assert json.loads(made.read_bytes())["id"] == "ClaimIsNamed"
    assert "caseSensitive" not in json.loads(made.read_bytes())["evaluatorConfig"]
    assert claims.read_bytes() == before

    save_evaluator(visit)
    written = json.loads(made.read_bytes())
    assert written["evaluatorConfig"] == {
        "name": "Names the claim",
        "targetOutputKey": "*",
        "caseSensitive": True,
    }
    assert list(written) == [
        "version",
        "id",
        "description",
        "evaluatorTypeId",
        "evaluatorConfig",
    ]
    visit.open("author", set=path_of(visit, claims), view="review")
    visit.press_save()
    expect(page.get_by_role("heading", name="Review changes")).to_have_count(0)
    visit.idle()
    saved = claims.read_bytes()
    listed = b',\n    "ClaimIsNamed"'
    stated = b',\n        "ClaimIsNamed": {\n          "searchText": "burst pipe"\n        }'
    assert json.loads(saved)["evaluatorRefs"][-1] == "ClaimIsNamed"
    assert saved.count(listed) == saved.count(stated) == 1
    assert saved.replace(stated, b"").replace(listed, b"") == before

    visit.open("evaluators", evaluator=path_of(visit, made))
    from_menu(visit, "More", re.compile("Rename id or file"))
    type_into(visit, "Id", "NamesIt")
    dialog.get_by_role("button", name="Rename in 2 files").click()
    expect(dialog).to_have_count(0)
    visit.idle()
    assert claims.read_bytes() == saved.replace(b'"ClaimIsNamed"', b'"NamesIt"')

    from_menu(visit, "More", re.compile("Delete the check"))
    expect(dialog).to_contain_text(path_of(visit, claims))
    dialog.get_by_role("button", name="Delete in 2 files").click()
    expect(dialog).to_have_count(0)
    visit.idle()
    assert not made.exists() and claims.read_bytes() == before
    assert (
        letters.read_bytes()
        == (SAMPLES / "uipath_coded/claims_intake/evaluations/eval-sets/letters.json").read_bytes()
    )


def test_the_pass_mark_of_a_criterion_of_adk_is_set_by_form(visit: Visit):
    config = own_project(visit, "adk", "adk/refund_desk") / "test_config.json"
    before = config.read_bytes()
    visit.open("evaluators", evaluator=path_of(visit, config), check="response_match_score")
    type_into(visit, "Pass mark", "0.8")
    expect(visit.page.get_by_text("● unsaved", exact=True).first).to_be_visible()
    visit.page.reload()
    visit.idle()
    expect(box(visit, "Pass mark")).to_have_value("0.8")
    save_evaluator(visit)
    assert config.read_bytes() == before.replace(
        b'"response_match_score": 0.7', b'"response_match_score": 0.8'
    )


def test_a_config_of_10xgraph_gets_a_preset_and_a_pass_mark(visit: Visit):
    config = own_project(visit, "tenx", "tenxgraph/trip_planner") / "eval_config.json"
    before = json.loads(config.read_bytes())
    visit.open("evaluators", evaluator=path_of(visit, config))
    from_menu(visit, "Combine with preset", re.compile("safety_check"))
    visit.choose("Checks", "rouge_match")
    visit.idle()
    type_into(visit, "Pass mark", "0.5")
    save_evaluator(visit)
    after = json.loads(config.read_bytes())
    assert list(after["criteria"]) == list(before["criteria"])
    assert after["criteria"]["safety"]["threshold"] == 0.8
    assert after["criteria"]["rouge_match"] == {
        **before["criteria"]["rouge_match"],
        "threshold": 0.5,
    }
    assert {k: v for k, v in after.items() if k != "criteria"} == {
        k: v for k, v in before.items() if k != "criteria"
    }
    assert after["criteria"]["trajectory"] == before["criteria"]["trajectory"]


def test_a_sets_details_lead_to_its_evaluators_and_its_matrix(visit: Visit):
    project = own_project(visit, "details", "uipath_coded/claims_intake") / "evaluations"
    letters = project / "eval-sets" / "letters.json"
    before = letters.read_bytes()
    visit.open("author", set=path_of(visit, letters), view="details")
    from_menu(visit, "Attach", "PayoutEvaluator")
    expect(visit.page.get_by_text("1 unsaved edit")).to_be_visible()
    visit.page.get_by_role("button", name="Cases × checks").click()
    grid = visit.page.get_by_role("table", name="Cases and checks")
    expect(grid.get_by_role("columnheader", name="PayoutEvaluator")).to_be_visible()
    visit.idle()
    visit.page.get_by_role("button", name="Review & save the set").click()
    expect(visit.page.get_by_role("heading", name="Review changes")).to_be_visible()
    visit.idle()
    visit.press_save()
    expect(visit.page.get_by_role("heading", name="Review changes")).to_have_count(0)
    visit.idle()
    written = b'        "DecisionEvaluator",\n        "PayoutEvaluator"\n'
    assert letters.read_bytes() == before.replace(b'        "DecisionEvaluator"\n', written, 1)
