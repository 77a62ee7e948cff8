"""One case of a run in a browser: from the list of runs to the argument that differs."""

import json

from playwright.sync_api import expect

from tests.e2e.desk import Visit
from tests.e2e.hands import SLOW_MS

TURNS = [
    ("I want to change my seat.", "Which booking is it?", {}),
    ("QX-4471, please 14A.", "You now have seat 14A.", {"booking": "QX-4471", "seat": "14A"}),
    *((f"And {n}?", f"Answer {n}.", {}) for n in range(6)),
]


def invocation(number, says, reply, args):
    calls = [{"name": "change_seat", "args": args}] if args else []
    return {
        "invocation_id": f"turn-{number}",
        "user_content": {"parts": [{"text": says}], "role": "user"},
        "final_response": {"parts": [{"text": reply}], "role": "model"},
        "intermediate_data": {"tool_uses": calls},
    }


def metric(score):
    return {
        "metric_name": "tool_trajectory_avg_score",
        "threshold": 1.0,
        "score": score,
        "eval_status": 1 if score == 1.0 else 2,
    }


def case(name, *wrong):
    turns = []
    for number, (says, reply, args) in enumerate(TURNS):
        done = {**args, "seat": "15C"} if number in wrong else args
        turns.append(
            {
                "actual_invocation": invocation(number, says, reply, done),
                "expected_invocation": invocation(number, says, reply, args),
                "eval_metric_results": [metric(0.0 if number in wrong else 1.0)],
            }
        )
    score = 1 - len(wrong) / len(turns)
    return {
        "eval_set_file": "case-page.evalset.json",
        "eval_set_id": "case_page",
        "eval_id": name,
        "final_eval_status": 2 if wrong else 1,
        "eval_metric_results": [],
        "overall_eval_metric_results": [metric(score)],
        "eval_metric_result_per_invocation": turns,
        "session_id": "s",
        "session_details": None,
        "user_id": "u",
    }


def write(visit: Visit, day: int, *cases) -> str:
    name = f"case_page_{day}"
    path = visit.server.folder / "case_page" / f"{name}.evalset_result.json"
    path.parent.mkdir(exist_ok=True)
    value = {
        "eval_set_result_id": name,
        "eval_set_result_name": name,
        "eval_set_id": "case_page",
        "eval_case_results": list(cases),
        "creation_timestamp": 1_796_000_000.0 + 86_400 * day,
    }
    path.write_text(json.dumps(value))
    return name


def test_a_differing_argument_is_three_clicks_from_the_list_of_runs(visit):
    write(visit, 0, case("fine"), case("seat"))
    name = write(visit, 1, case("fine"), case("seat", 1))
    visit.open("results", named=name)
    row = visit.rows("Runs").filter(has_text=name).first
    expect(row).to_be_visible(timeout=SLOW_MS)
    visit.choose("Runs", name)
    visit.idle()
    page = visit.page
    # One click so far: the failed case is open at its failing turn.
    pane = page.locator(".st-key-case-pane-conversation")
    failed = pane.locator(".evd-failed-here")
    expect(failed).to_contain_text("Turn 2", timeout=SLOW_MS)
    expect(failed.locator("del", has_text='seat = "14A"')).to_be_visible()
    expect(failed.locator("ins", has_text='seat = "15C"')).to_be_visible()
    expect(failed).to_contain_text('seat: expected "14A", got "15C"')
    page.wait_for_timeout(600)
    edges = pane.evaluate(
        "p => { const f = p.querySelector('.evd-failed-here').getBoundingClientRect();"
        " const b = p.getBoundingClientRect(); return [f.top - b.top, b.height] }"
    )
    assert -5 <= edges[0] < edges[1] / 2
    page.get_by_role("tab", name="History").click()
    visit.idle()
    expect(page.get_by_text(f"Broken since {name}")).to_be_visible(timeout=SLOW_MS)
    expect(page.get_by_text("▼ broke here")).to_be_visible()


def test_keys_lead_through_the_failures(visit):
    name = write(visit, 2, case("one", 1), case("two"), case("three", 2))
    visit.open("results", named=name)
    expect(visit.rows("Runs").filter(has_text=name).first).to_be_visible(timeout=SLOW_MS)
    visit.choose("Runs", name)
    visit.idle()
    title = visit.page.locator(".evd .title .name")
    first = title.last.inner_text()
    visit.page.keyboard.press("j")
    visit.idle()
    expect(title.last).not_to_have_text(first, timeout=SLOW_MS)
    assert {first, title.last.inner_text()} == {"one", "three"}
    visit.page.keyboard.press("k")
    visit.idle()
    expect(title.last).to_have_text(first, timeout=SLOW_MS)
