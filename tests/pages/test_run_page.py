"""One run on the Results page: its card, its list and its charts, run without a browser."""

import json

import pytest

from tests.pages.conftest import words
from tests.pages.reports import (
    RESULTS,
    addressed,
    check,
    components,
    listed,
    report,
    result,
    shown,
)


def tab(at, name):
    at.session_state["results.shown"] = name
    at.run()
    assert not at.exception
    return at


def test_the_card_says_what_the_file_holds(open_run, reports):
    reports(report(*RESULTS))
    told = shown(open_run())
    assert "50.0 %" in told
    assert "1 of 2" in told
    assert "95 % interval 9.5–90.5 % (Wilson, 2 cases)" in told
    assert "2 of 4 scored; 1 error and 1 not evaluated left out" in told
    assert "passed of all 25.0 % (1 of 4)" in told
    assert "pass^1 50.0 %   pass^2 –" in told
    assert "error: the model did not answer" in told
    assert "threshold 0.80" in told


def test_failures_come_first_and_the_first_is_open(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    assert listed(at) == ["crash", "bad", "idle", "good"]
    assert "the model did not answer" in words(at)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"mode": "failures"}, ["crash", "bad"]),
        ({"verdict": "failed"}, ["crash", "bad"]),
        ({"verdict": "passed"}, ["good"]),
        ({"find": "nobody judged"}, ["idle"]),
        ({"check": "rouge_match"}, ["bad", "good"]),
        ({"check": "rouge_match", "verdict": "failed"}, ["bad"]),
        ({"check": "rouge_match", "score": ">=0.79,<0.8"}, ["bad"]),
        ({"cause": "error: the model did not answer"}, ["crash"]),
        ({"verdict": "nonsense"}, ["crash", "bad", "idle", "good"]),
        ({"sort": "file"}, ["good", "bad", "crash", "idle"]),
        ({"sort": "-name"}, ["idle", "good", "crash", "bad"]),
    ],
)
def test_filters_and_order_come_from_the_address(open_run, reports, query, found):
    reports(report(*RESULTS))
    assert listed(open_run(**query)) == found


def test_a_filter_that_finds_nothing_says_so_and_can_be_cleared(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(find="b-90 nobody")
    assert "0 of 4 cases match" in words(at)
    at.button(key="results.clear").click().run()
    assert len(listed(at)) == 4
    assert "find" not in at.query_params


def test_typing_in_the_search_narrows_the_list(open_run, reports):
    reports(report(*RESULTS))
    at = open_run()
    at.text_input(key="results.find").input("bad").run()
    assert listed(at) == ["bad"]
    assert addressed(at, "find") == "bad"
    assert "1 of 4 cases match" in words(at).replace("\\", "")


def test_modes_count_what_the_search_leaves(open_run, reports):
    reports(report(*RESULTS))
    options = open_run(find="refunded").get("button_group")[0].options
    assert [o.replace("\\", "") for o in options[:2]] == ["All 2", "✗ Failures 1"]


def test_what_the_list_is_narrowed_by_stands_there_as_chips(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(check="rouge_match", verdict="failed", cause="rouge_match: rouge_match scored #")
    (chips,) = components(at, "Clear filters")
    texts = [bit["text"] for bit in chips["panels"][0]["items"][0]["bits"]]
    assert texts == [
        "Word overlap ✗ failed",
        "because: rouge_match: rouge_match scored #",
        "Clear filters",
    ]


def test_an_open_case_that_the_filter_leaves_out_stays_open_and_the_list_says_so(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(case="good", mode="failures")
    assert "the filter leaves out the open case" in words(at)
    assert "I refunded 24 EUR." in words(at)


def test_charts_describe_what_the_filter_leaves_and_say_so(open_run, reports):
    reports(report(*RESULTS))
    at = tab(open_run(), "Checks")
    assert "Of all 4 cases of this run" in words(at)
    (table,) = components(at, "Every check in numbers")
    assert "50.0 % (1 of 2)" in json.dumps(table)
    at = tab(open_run(mode="failures"), "Checks")
    assert "Of the 2 of 4 cases that match the filter" in words(at)
    (table,) = components(at, "Every check in numbers")
    assert "0 % (0 of 1)" in json.dumps(table)


def test_every_mark_of_the_charts_says_which_cases_it_stands_for(open_run, reports):
    reports(report(*(result(f"c{n}", "x", check("rouge_match", n / 10)) for n in range(11))))
    (found,) = components(tab(open_run(), "Checks"), '"pillars"')
    (chart,) = found["panels"][0]["items"]
    assert chart["marks"] == [[0.8, "threshold 0.80"]]
    acts = [pillar["act"] for pillar in chart["pillars"] if pillar["act"]]
    assert acts[0] == "check=rouge_match&score=%3C0.05"
    assert acts[-1] == "check=rouge_match&score=%3E%3D0.95"
    assert len(acts) == 11


def test_cases_against_checks_are_a_table_worst_first(open_run, reports):
    reports(report(*RESULTS))
    (heat,) = components(tab(open_run(), "Checks"), "Cases against checks")
    rows = heat["panels"][0]["items"][0]["rows"]
    assert [row["name"] for row in rows] == ["crash", "bad", "idle", "good"]
    assert rows[1]["cells"][2]["act"] == "check=rouge_match&verdict=failed"


def test_every_turn_is_drawn(open_run, reports):
    reports(report(*RESULTS))
    at = tab(open_run(), "Every turn")
    assert at.dataframe[0].value["case"].tolist() == ["crash", "bad", "idle", "good"]


def test_tags_and_metadata_make_slices(open_run, reports, folder):
    turn = {"user_content": {"role": "user", "content": "x"}}
    cases = [
        {"eval_id": name, "conversation": [turn], "tags": tags, "metadata": {"lang": lang}}
        for name, tags, lang in (("bad", ["hard"], "de"), ("good", ["easy"], "en"))
    ]
    whole = {"eval_set_id": "refunds", "name": "Refunds", "eval_cases": cases}
    (folder / "refunds.evalset.json").write_text(json.dumps(whole))
    reports(report(*RESULTS[:2]))
    at = tab(open_run(), "Slices")
    (table,) = components(at, "Groups by tag")
    assert [row["name"] for row in table["panels"][0]["items"][0]["rows"]] == [
        "tag easy",
        "tag hard",
    ]
    assert "2 comparisons of a group with the rest" in words(at)
    assert listed(open_run(slice="lang=de")) == ["bad"]
    assert listed(open_run(tag="easy")) == ["good"]


def test_a_run_without_tags_says_how_to_get_slices(open_run, reports):
    reports(report(*RESULTS))
    assert "Nothing to slice by" in words(tab(open_run(), "Slices"))


def test_a_run_without_cases_is_no_pass(open_run, reports):
    reports(report())
    at = open_run()
    assert "holds no case results" in words(at)
    assert "none scored" in shown(at)


def test_a_summary_that_contradicts_the_cases_is_said(open_run, reports):
    reports(report(*RESULTS, summary={"total_cases": 4, "pass_rate": 1.0}))
    assert "The file says passed; counting its cases gives error." in words(open_run())


def test_repeats_fold_into_one_line_that_opens_the_worst(open_run, reports):
    again = result("good", "Another try.", check("rouge_match", 0.1))
    reports(report(RESULTS[0], again, RESULTS[0]))
    at = open_run()
    assert listed(at) == ["good 2"]
    assert "●○●" in shown(at)
    assert "~ 2 of 3" in shown(at)
    assert "Another" in words(open_run(case="good", repeat="2"))
    assert "Another" not in words(open_run(case="good"))


def test_columns_that_were_chosen_are_kept_for_the_set(open_run, reports):
    held = [check(name, 0.1) for name in ("one", "two", "three")]
    reports(report(result("bad", "x", *held)))
    at = open_run()
    (rows,) = [held for held in components(at) if held.get("label") == "Case results"]
    assert [c["label"] for c in rows["columns"]] == ["Case", "Result", "one", "two"]
    at.multiselect(key="results.columns").set_value(["Result", "three"]).run()
    (rows,) = [held for held in components(at) if held.get("label") == "Case results"]
    assert [c["label"] for c in rows["columns"]] == ["Case", "Result", "three"]
    at.button(key="results.usual").click().run()
    (rows,) = [held for held in components(at) if held.get("label") == "Case results"]
    assert [c["label"] for c in rows["columns"]] == ["Case", "Result", "one", "two"]


def test_a_baseline_shows_what_changed_and_leaves_only_that_when_asked(open_page, reports):
    old = reports(report(*(result(n, "x", check("c", 0.9)) for n in "abc")), "old_report.json")
    new = [result(n, "x", check("c", v)) for n, v in (("a", 0.9), ("b", 0.85), ("c", 0.2))]
    path = reports(report(*new, timestamp=1796099999.5), "new_report.json")
    base = addressed(open_page("results", file=old), "run")
    at = open_page("results", file=path, base=base)
    assert listed(at) == ["c", "b", "a"]
    assert "▼ −0.70" in shown(at)
    options = at.get("button_group")[0].options
    assert "Δ Changed 1" in [o.replace("\\", "") for o in options]
    at = open_page("results", file=path, only=base)
    assert listed(at) == ["c"]
    told = words(tab(at, "Checks"))
    assert "Of the 1 of 3 cases that match the filter changed since the baseline" in told


def test_a_baseline_that_is_gone_is_no_error(open_run, reports):
    reports(report(*RESULTS))
    assert len(listed(open_run(base="nobody"))) == 4


def test_a_page_beyond_the_last_leads_back(open_run, reports):
    reports(report(*RESULTS))
    at = open_run(page="9")
    at.button(key="results.last").click().run()
    assert len(listed(at)) == 4


def test_a_system_without_a_pass_rule_is_judged_by_a_mark_that_is_called_ones_own(open_run, folder):
    row = {"evaluatorName": "Exact", "evaluatorId": "Exact", "isLineResult": False}
    rows = [
        {**row, "result": {"score": score, "evaluationTime": 0.1, "details": {"why": "x"}}}
        for score in (0.9, 0.2)
    ]
    output = {
        "evaluationSetName": "Claims",
        "evaluationSetResults": [
            {"evaluationName": name, "evaluationRunResults": [given]}
            for name, given in zip(("near miss", "miss"), rows, strict=True)
        ],
    }
    (folder / "output.json").write_text(json.dumps(output))
    at = open_run()
    assert "1 of 2" in shown(at)
    assert "a mark you set here" in words(at)
    at.number_input(key="results.mark").set_value(0.95).run()
    assert "0 of 2" in shown(at)
    assert "at least 0.95 of 1" in words(at)


def test_the_list_turns_to_the_page_of_the_open_case(open_run, reports):
    reports(report(*(result(f"c{n:03}", "x", check("c", 0.9)) for n in range(130))))
    at = open_run(case="c120")
    assert "c120" in listed(at)
    assert "c000" not in listed(at)
    assert listed(open_run())[0] == "c000"
