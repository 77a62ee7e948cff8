"""The tab “Mocks & simulation” of Author, run without a browser."""

import html
import json

import pytest

from tests.pages.conftest import key_of, refunds
from tests.pages.conftest import words as source

PATH = "evaluations/eval-sets/desk.json"
LOW = "evals/eval-sets/low.json"
ANY = {"_target_": "mockito.any"}


def coded(*cases):
    return {
        "version": "1.0",
        "id": "desk",
        "name": "Desk",
        "evaluatorRefs": [],
        "evaluations": list(cases),
    }


def case(name, **more):
    return {"id": name, "name": name, "inputs": {}, "evaluationCriterias": {}, **more}


def find(value, **arguments):
    then = [{"type": "return", "value": value}]
    rule = {"function": "find", "then": then}
    return {**rule, "arguments": arguments} if arguments else rule


def mockito(*rules):
    return {"type": "mockito", "config": list(rules)}


@pytest.fixture
def put_set(folder):
    def put(value, path=PATH):
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(value, indent=2) + "\n")
        return file

    return put


@pytest.fixture
def tab(open_page):
    return lambda path=PATH, **query: open_page("author", set=path, view="mocks", **query)


def words(at):
    """What a person reads of a run."""
    return html.unescape(source(at)).replace("\\", "")


def press(at, label, *parts):
    (button,) = [b for b in at.button if b.label == label and all(p in b.key for p in parts)]
    return button.click().run()


def saved(at, file):
    at.button(key="author.review").click().run()
    at.button(key="review.save").click().run()
    assert not at.exception and not at.error
    return json.loads(file.read_bytes())


def pick(at, kind, value, *parts):
    at.get(kind)  # the tree of this run
    widget = getattr(at, kind)(key=key_of(at, kind, *parts))
    return widget.set_value(value).run()


def test_a_rule_is_made_by_form_and_answers_the_call_that_is_tried(tab, put_set):
    # A tool that the project mentions is offered; AppTest cannot type another one.
    known = case("b", evaluationCriterias={"order": {"toolCallsOrder": ["find"]}})
    file = put_set(coded(case("a"), known))
    at = tab()
    assert "Every function runs for real." in words(at)
    pick(at, "button_group", "rules", "mocking|kind")
    press(at, "Add rule")
    pick(at, "selectbox", "find", ".rules", ".function")
    pick(at, "button_group", "these", "|which")
    press(at, "Add by name", ".rules")
    pick(at, "text_input", "order", ".rules", "|name")
    pick(at, "selectbox", "Text", ".named", "|kind")
    value = next(
        t for t in at.text_input if ".rules" in t.key and ".named" in t.key and t.label == "Value"
    )
    value.set_value("12").run()
    returned = next(t for t in at.text_input if ".answers" in t.key and t.label == "Value")
    returned.set_value("late").run()
    pick(at, "text_input", 'find(order="12")', "try mocks", "line")
    assert "Rule 1 answers and returns" in words(at)
    assert '"late"' in words(at)
    pick(at, "text_input", 'find("12")', "try mocks", "line")
    assert "No rule is for this call, so it fails" in words(at)
    assert "By position and by name are different things." in words(at)
    pick(at, "text_input", "other()", "try mocks", "line")
    assert "The real function runs" in words(at)
    made, _known = saved(at, file)["evaluations"]
    assert made["mockingStrategy"] == mockito(find("late", args=[], kwargs={"order": "12"}))


def test_the_first_thing_tried_is_a_call_that_the_first_rule_is_for(tab, put_set):
    rule = find("late", args=["12", ANY], kwargs={"order": "A-1"})
    put_set(coded(case("a", mockingStrategy=mockito(rule))))
    at = tab()
    assert "Rule 1 answers and returns" in words(at)
    assert "No rule is for this call" not in words(at)
    typed = at.text_input(key=key_of(at, "text_input", "try mocks", "line"))
    assert typed.value == 'find("12", "anything", order="A-1")'


def test_answers_come_one_after_the_other_until_one_starts_over(tab, put_set):
    rule = {
        "function": "find",
        "then": [
            {"type": "return", "value": "first"},
            {"type": "raise", "value": {"_target_": "builtins.KeyError"}},
        ],
    }
    put_set(coded(case("a", mockingStrategy=mockito(rule))))
    at = tab()
    assert '"first"' in words(at)
    press(at, "Make this call")
    assert "Rule 1 answers and raises" in words(at)
    assert "“except KeyError” in the agent does not catch it" in words(at)
    assert "Answer 2 of 2, which it repeats from now on." in words(at)
    press(at, "Start over")
    assert "Answer 1 of 2." in words(at)


def test_the_order_decides_and_is_changed_by_up_and_down(tab, put_set):
    file = put_set(coded(case("a", mockingStrategy=mockito(find("any"), find("x", args=["x"])))))
    at = tab()
    pick(at, "text_input", 'find("x")', "try mocks", "line")
    assert "Rule 2 answers and returns" in words(at)
    press(at, "Down")
    assert "never answers" in words(at)
    assert '"any"' in words(at)
    at.button(key="author.undo").click().run()
    assert "never answers" not in words(at)
    press(at, "Down")
    rules = saved(at, file)["evaluations"][0]["mockingStrategy"]["config"]
    assert [rule.get("arguments") for rule in rules] == [{"args": ["x"]}, None]


def test_a_warning_is_mended_by_its_button(tab, put_set):
    put_set(coded(case("a", mockingStrategy=mockito(find("x", args=["*"])))))
    at = tab()
    (fix,) = [b for b in at.button if b.label.startswith("Fix")]
    assert fix.label == "Fix: Accept any value here"
    fix.click().run()
    assert not [b for b in at.button if b.label.startswith("Fix")]
    assert "any value fits" in words(at)


def test_python_objects_are_shown_as_text_and_never_built(tab, put_set, folder, monkeypatch):
    (folder / "trap.py").write_text("raise SystemExit('built')")
    monkeypatch.syspath_prepend(str(folder))
    bomb = {"_target_": "trap.Bomb", "size": 3}
    put_set(coded(case("a", mockingStrategy=mockito(find(bomb, args=[bomb])))))
    at = tab()
    assert "trap.Bomb(size=3)" in words(at)
    assert "runs the Python code" in words(at)
    pick(at, "text_input", "find(1)", "try mocks", "line")
    assert "Rule 1 may answer" in words(at)


def test_what_was_written_for_another_kind_comes_back(tab, put_set):
    file = put_set(coded(case("a", mockingStrategy=mockito(find("x")))))
    at = tab()
    pick(at, "button_group", "model", "mocking|kind")
    pick(at, "multiselect", ["find", "book"], ".tools")
    assert "A model makes the answer up" in words(at)
    pick(at, "button_group", "none", "mocking|kind")
    pick(at, "button_group", "rules", "mocking|kind")
    assert not [b for b in at.button if b.key == "author.review" and not b.disabled]
    pick(at, "button_group", "model", "mocking|kind")
    strategy = saved(at, file)["evaluations"][0]["mockingStrategy"]
    tools = [{"name": "find"}, {"name": "book"}]
    assert strategy == {"type": "llm", "prompt": "", "toolsToSimulate": tools}


@pytest.mark.parametrize(
    "strategy",
    [
        {},
        [],
        "mockito",
        {"type": "LLM", "prompt": "x"},
        {"type": "mockito"},
        {"type": "mockito", "config": {"a": 1}},
        mockito("odd", 5, None, {"function": 5, "then": "x"}, {"function": "f", "arguments": []}),
        mockito(find(1, args={"a": 1}), find(1, kwargs=[1]), {"function": "f", "then": [1, {}]}),
        {"type": "llm", "prompt": 5, "toolsToSimulate": ["a", {"name": 1}], "model": "m"},
        {"type": "llm"},
        mockito({"function": "\ud83d", "then": []}),
    ],
)
def test_broken_mocks_are_shown_and_kept(tab, put_set, strategy):
    file = put_set(coded(case("a", mockingStrategy=strategy), case("b")))
    before = file.read_bytes()
    at = tab()
    assert not at.exception
    assert "Something went wrong" not in words(at)
    at.query_params["case"] = "b"
    at.run()
    assert not at.exception
    assert at.button(key="author.review").disabled
    assert file.read_bytes() == before


def test_hostile_names_are_text_and_nothing_breaks(tab, put_set):
    bad = "![x](http://evil/x.png) <img src=http://evil/y> \ud83d"
    rule = {
        "function": bad,
        "arguments": {"args": [bad], "kwargs": {bad: bad}},
        "then": [
            {"type": "return", "value": {bad: bad}},
            {"type": "raise", "value": {"_target_": bad}},
            {"type": bad, "value": bad},
        ],
    }
    part = {"componentId": bad, "instructions": bad, "mockValue": {bad: bad}}
    put_set(coded(case(bad, mockingStrategy=mockito(rule), simulations=[part])))
    at = tab()
    assert not at.exception
    assert "Something went wrong" not in words(at)
    assert not any("<img" in h.proto.body for h in at.get("html"))


def test_two_hundred_rules_are_a_list_with_one_form(tab, put_set):
    rules = [find(n, args=[n]) for n in range(200)]
    put_set(coded(case("a", mockingStrategy=mockito(*rules))))
    at = tab()
    pick(at, "text_input", "find(150)", "try mocks", "line")
    assert "Rule 151 answers and returns" in words(at)
    assert len(at.text_input) + len(at.selectbox) < 20
    press(at, "Open rule 151")
    assert [t.value for t in at.text_input if ".rules" in t.key] == ["150", "150"]


def test_a_low_code_case_is_simulated_by_switches(tab, put_set):
    low = {
        "fileName": "low.json",
        "id": "5f0c1a52-8a53-4b0e-9c62-0f9de2a1b7c4",
        "name": "Low",
        "evaluatorRefs": [],
        "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-01T00:00:00Z",
        "evaluations": [
            {
                "id": "1c9b6f0e-52d4-4a3b-8a63-6f3f0f2b7a11",
                "name": "one",
                "inputs": {},
                "expectedOutput": {"a": 1},
                "evalSetId": "5f0c1a52-8a53-4b0e-9c62-0f9de2a1b7c4",
                "createdAt": "2026-01-01T00:00:00Z",
                "updatedAt": "2026-01-01T00:00:00Z",
                "simulateTools": False,
                "toolsToSimulate": [{"name": "find", "kept": 1}],
            }
        ],
    }
    file = put_set(low, LOW)
    at = tab(LOW)
    assert "The real function runs" not in words(at)
    pick(at, "text_input", "find()", "try mocks", "line")
    assert "The real function runs" in words(at)
    pick(at, "selectbox", "Yes", "simulate_tools")
    assert "A model makes the answer up" in words(at)
    pick(at, "multiselect", ["find", "book"], "tools_to_simulate")
    (made,) = saved(at, file)["evaluations"]
    assert made["toolsToSimulate"] == [{"name": "find", "kept": 1}, {"name": "book"}]


def test_simulated_components_are_shown_and_kept(tab, put_set, folder):
    part = {"componentId": "http", "strategy": "Static", "mockValue": {"ok": True}, "odd": [1]}
    flow = coded(case("a", simulations=[part]))
    file = put_set({**flow, "selectedEntrypoint": "main"})
    before = file.read_bytes()
    simulation = folder / "simulation.json"
    simulation.write_text('{"enabled": true,   "components": [{"componentId": "weather"}]}')
    kept = simulation.read_bytes()
    at = tab()
    assert "http" in words(at) and "always the same" in words(at)
    assert "weather" in words(at) and "Evaldesk shows it and never writes it" in words(at)
    assert (file.read_bytes(), simulation.read_bytes()) == (before, kept)


def test_a_system_without_mocks_says_so_and_what_to_do_instead(tab, folder):
    value = refunds()
    value["eval_cases"][1] = {
        "eval_id": "chatty",
        "conversation_scenario": {"starting_prompt": "Hi", "conversation_plan": "Ask."},
    }
    (folder / "r.evalset.json").write_text(json.dumps(value))
    at = tab("r.evalset.json")
    assert "has no mocks in its eval sets" in words(at)
    assert "1 case of 2 with a simulated user." in words(at)
    press(at, "Open the cases")
    assert at.button(key="case Next")


def test_the_case_form_has_the_rules_too_and_leads_to_the_box(tab, put_set):
    put_set(coded(case("a", mockingStrategy=mockito(find("x", args=["x"])))))
    at = tab()
    at.session_state[f"kept {PATH}|k1|group|mocks"] = True
    press(at, "Open the case")
    assert [b.label for b in at.button if b.label in ("Add rule", "Down")] == ["Add rule", "Down"]
    assert "Make this call" not in {b.label for b in at.button}
    press(at, "Try a call")
    assert "Make this call" in {b.label for b in at.button}
