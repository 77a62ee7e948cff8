"""Re-score in a real browser: what takes long can be stopped; flips, checks of ours, outputs."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.desk import VIEWPORT, Server, Visit, serving
from tests.judges.server import FakeEndpoint, answers, stalls
from tests.samples import SAMPLES
from tests.views.rescored import RUNS

SET = "adk/refund_desk/refunds.evalset.json"
SIDECAR = "adk/refund_desk/refunds.evalset.evaldesk.json"
CASES = 240
SLOW_RUN = "slow/.adk/eval_history/slow_desk_slow_1.evalset_result.json"
REPLY = f"{'a' * 40}!"
SLOW = {
    "name": "Slow",
    "kind": "evaldesk.regex",
    "params": {"pattern": "(a|aa)+$", "timeout": 0.05},
}
"""A search that ends by its time limit: how long it takes does not depend on the machine."""
PATIENCE_MS = 60_000
"""How long work on the server may take while the machine does something else too."""
GOOD = '{"reasoning": "It says the same.", "is_the_agent_response_valid": "valid"}'


def content(text: str, role: str) -> dict:
    return {"parts": [{"text": text}], "role": role}


def write_slow_run(folder: Path) -> None:
    """Write a set and its result, and a check of ours that takes its time on every case."""
    history = folder / ".adk" / "eval_history"
    history.mkdir(parents=True)
    asked = {"invocation_id": "i", "user_content": content("q", "user")}
    asked["final_response"] = content(REPLY, "model")
    cases = [{"eval_id": f"c{n}", "conversation": [asked]} for n in range(CASES)]
    of_set = {"eval_set_id": "slow", "eval_cases": cases}
    (folder / "slow.evalset.json").write_text(json.dumps(of_set))
    own = {"evaldesk": 1, "checks": [SLOW]}
    (folder / "slow.evalset.evaldesk.json").write_text(json.dumps(own))
    (folder / "test_config.json").write_text('{"criteria": {"response_match_score": 0.7}}')
    came = {**asked, "final_response": content(REPLY, "model")}
    metric = {"metric_name": "response_match_score", "threshold": 0.7, "score": 1.0}
    metric["eval_status"] = 1
    turn = {
        "actual_invocation": came,
        "expected_invocation": asked,
        "eval_metric_results": [metric],
    }
    results = [
        {
            "eval_set_id": "slow",
            "eval_id": case["eval_id"],
            "final_eval_status": 1,
            "overall_eval_metric_results": [metric],
            "eval_metric_result_per_invocation": [turn],
            "session_id": "s",
        }
        for case in cases
    ]
    result = {
        "eval_set_result_id": "slow_desk_slow_1",
        "eval_set_result_name": "slow_desk_slow_1",
        "eval_set_id": "slow",
        "eval_case_results": results,
        "creation_timestamp": 1_790_000_000.5,
    }
    (history / Path(SLOW_RUN).name).write_text(json.dumps(json.dumps(result)))


@pytest.fixture(scope="module")
def endpoint() -> Iterator[FakeEndpoint]:
    with FakeEndpoint(stalls) as running:
        yield running


@pytest.fixture(scope="module")
def desk(
    chromium: Path, endpoint: FakeEndpoint, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    """Return a server of its own, with a judge and a big run."""
    place = tmp_path_factory.mktemp("rescore")
    folder = shutil.copytree(SAMPLES, place / "evals")
    write_slow_run(folder / "slow")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EVALDESK_JUDGE_BASE_URL", endpoint.url)
        patch.setenv("EVALDESK_JUDGE_API_KEY", "sk-of-the-test")
        patch.setenv("EVALDESK_JUDGE_MODEL", "judge-of-the-test")
        patch.setenv("EVALDESK_JUDGE_CACHE", "off")
        patch.setenv("NO_PROXY", "127.0.0.1")
        with serving(folder, place / "server.log") as running:
            yield running
    log = running.log.read_text(encoding="utf-8", errors="replace")
    assert "Traceback (most recent call last)" not in log, log[-4000:]


@pytest.fixture
def visit(browser: Browser, desk: Server) -> Iterator[Visit]:
    context = browser.new_context(viewport=VIEWPORT, locale="en-GB", timezone_id="UTC")
    visitor = Visit(context.new_page(), desk)
    yield visitor
    visitor.sound()
    visitor.stayed_home()
    context.close()


def open_tab(visit: Visit, file: str, **query: str) -> None:
    visit.open("results", file=file, **query)
    visit.page.get_by_role("tab", name="Re-score").click()
    visit.idle()


def press(visit: Visit, name: str) -> None:
    visit.page.get_by_role("button", name=re.compile(name)).first.click()
    visit.idle()


def test_a_scoring_that_takes_long_shows_how_far_it_is_and_can_be_stopped(visit: Visit):
    open_tab(visit, SLOW_RUN)
    page = visit.page
    expect(page.get_by_text(re.compile("Scoring: [1-9][0-9]* of 240 cases"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    page.get_by_role("button", name="Cancel").click()
    stopped = page.get_by_text(re.compile("Stopped after [0-9]+ of 240 cases"))
    expect(stopped).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text("passed of 240")).to_have_count(0)
    press(visit, "^(play_arrow )?Score$")
    expect(page.get_by_role("button", name="Cancel")).to_be_visible(timeout=PATIENCE_MS)
    expect(stopped).to_have_count(0)


def test_a_change_made_meanwhile_takes_the_place_of_a_scoring_that_takes_long(visit: Visit):
    open_tab(visit, SLOW_RUN)
    page = visit.page
    expect(page.get_by_text(re.compile("Scoring: [1-9][0-9]* of 240 cases"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    page.get_by_role("slider").first.press("ArrowLeft")
    expect(page.get_by_text(re.compile("Scoring: [1-9][0-9]* of 240 cases"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    expect(page.get_by_text("No case passed or failed: 240 errors.")).to_be_visible(
        timeout=PATIENCE_MS
    )


def test_a_judge_that_does_not_answer_can_be_stopped(visit: Visit, endpoint: FakeEndpoint):
    endpoint.behaviours[:] = [stalls]
    open_tab(visit, RUNS["adk"])
    page = visit.page
    page.get_by_role("button", name="Ask the judge (36 calls)").click()
    expect(page.get_by_text(re.compile("Asking the judge: [0-9] of 9 case results"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    assert endpoint.stalled.wait(30)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("Cancelled. What was answered until then is kept.")).to_be_visible(
        timeout=PATIENCE_MS
    )
    assert endpoint.hung_up.wait(30)
    expect(page.get_by_text("5 passed of 9; no flips")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_role("button", name="Ask the judge (36 calls)")).to_be_enabled(
        timeout=PATIENCE_MS
    )


def test_what_a_judge_says_is_shown_beside_what_the_file_has(visit: Visit, endpoint: FakeEndpoint):
    endpoint.behaviours[:] = [answers(GOOD)]
    open_tab(visit, RUNS["adk"], case="refund_over_limit_needs_a_person")
    page = visit.page
    ask = page.get_by_role("button", name=re.compile("Ask the judge"))
    expect(ask).to_be_enabled(timeout=PATIENCE_MS)
    ask.click()
    expect(page.get_by_text(re.compile("without an answer|The judge has answered"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    lines = visit.rows("Scores before and after").filter(has_text="Reply means the same")
    line = lines.filter(has_text="refund_over_limit_needs_a_person")
    expect(line).to_contain_text("✗ failed")
    expect(line).to_contain_text("✓ passed")
    line.click()
    expect(page.get_by_text("The file has 0.00, ✗ failed.")).to_be_visible(timeout=PATIENCE_MS)
    assert "Bearer sk-of-the-test" in {sent["authorization"] for sent in endpoint.headers}


def test_a_pass_mark_that_moves_shows_the_flips_and_what_would_pass(visit: Visit):
    open_tab(visit, RUNS["harnest"])
    page = visit.page
    slider = page.get_by_role("slider").nth(1)
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    expect(page.get_by_text("3 → 1 passed of 6; 2 flips")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_role("radio", name="Flips 2")).to_be_checked()
    visit.rows("Scores before and after").filter(has_text="renew_reserved_book").click()
    visit.idle()
    page.get_by_role("tab", name="Conversation").click()
    expect(page.get_by_text("Expected · from")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_role("tab", name="Scores").click()
    press(visit, "Would pass at 0")
    expect(page.get_by_text("no case flips").or_(page.get_by_text("no flips"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    press(visit, "Drop 1 change")
    expect(page.get_by_text("3 passed of 6; no flips")).to_be_visible(timeout=PATIENCE_MS)


def test_a_check_of_ours_has_other_settings_for_one_case_and_keeps_them(visit: Visit):
    open_tab(visit, RUNS["adk"], case="refund_within_policy")
    page = visit.page
    page.get_by_role("button", name="Add a check of ours").click()
    page.get_by_role("menuitem", name="Limits").or_(
        page.get_by_text("Limits", exact=True)
    ).first.click()
    visit.idle()
    page.get_by_role("button", name="Other settings for this case").click()
    field = page.get_by_label("Most seconds for the case").last
    field.fill("0.001")
    field.press("Tab")
    expect(page.get_by_text("5 → 4 passed of 9; 1 flip")).to_be_visible(timeout=PATIENCE_MS)
    page.keyboard.press("Escape")
    press(visit, "^(save )?Keep")
    expect(page.get_by_text("1 case with settings of its own.")).to_be_visible(timeout=PATIENCE_MS)
    kept = json.loads((visit.server.folder / SIDECAR).read_text())
    assert kept["cases"] == {"refund_within_policy": {"Limits": {"max_seconds": 0.001}}}
    press(visit, "Remove from file")
    expect(page.get_by_text("5 passed of 9; no flips")).to_be_visible(timeout=PATIENCE_MS)
    assert json.loads((visit.server.folder / SIDECAR).read_text())["checks"] == []


def test_outputs_of_any_agent_are_scored_from_a_file(visit: Visit):
    visit.open("results")
    press(visit, "Score outputs")
    visit.open("results", outputs=SET)
    page = visit.page
    expect(page.get_by_text("Download a file to fill in")).to_be_visible(timeout=PATIENCE_MS)
    lines = [
        {"case_id": "refund_within_policy", "output": "No.", "tool_calls": []},
        {"case_id": "nobody", "output": "<img src=http://evil.example/x.png>"},
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines) + "no line\n"
    page.locator("input[type=file]").set_input_files(
        {"name": "mine.jsonl", "mimeType": "application/jsonl", "buffer": text.encode()}
    )
    expect(page.get_by_text("1 line could not be used")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text(re.compile("The set has no case “nobody”"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    expect(page.get_by_text(re.compile("^0 passed of 10; no flips"))).to_be_visible(
        timeout=PATIENCE_MS
    )
    row = visit.rows("Scores before and after").filter(has_text="Tool calls").first
    expect(row).to_contain_text("refund_within_policy")
    press(visit, "Back to the runs")
    expect(visit.rows("Runs").first).to_be_visible(timeout=PATIENCE_MS)
