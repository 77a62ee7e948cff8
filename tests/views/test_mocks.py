"""What is replaced in a case, in words; and the rules as slots that forms edit."""

import copy
import json

import pytest

from evalcore.formats import by_id
from evalcore.formats.mocks import SimulatedPart
from evalcore.jsontree import MISSING, get
from evalcore.views import mocks
from evalcore.views.form import object_view
from evalcore.views.mocks import (
    CaseMocks,
    MockIndex,
    case_mocks,
    copy_mocks,
    counted,
    mock_problems,
)
from evalcore.views.slots import field_slot
from tests.views.builders import open_sheet

CODED, LOWCODE = by_id("uipath_coded").eval_sets, by_id("uipath_lowcode").eval_sets
ANY = {"_target_": "mockito.any"}
RULE = {"function": "find", "then": [{"type": "return", "value": 1}]}


def coded(**more):
    return {"id": "a", "name": "A", "inputs": {}, "evaluationCriterias": {}, **more}


def mockito(*rules, key="config"):
    return {"type": "mockito", key: list(rules)}


def llm(*tools, **more):
    return {"type": "llm", "prompt": "", "toolsToSimulate": [{"name": t} for t in tools], **more}


def sheet_of(folder, *cases, name="evaluations/eval-sets/s.json", **files):
    value = {"version": "1.0", "id": "s", "name": "s", "evaluatorRefs": [], "evaluations": cases}
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    for file, content in files.items():
        (folder / f"{file}.json").write_text(json.dumps(content), encoding="utf-8")
    return open_sheet(folder, name)


def rules_slot(sheet, case):
    slot = field_slot(sheet, (case,), sheet.lens.field("case", "mocking"))
    form = sheet.lens.mocks.form
    return mocks.part(slot, "rules", form.strategy["rules"]), form


@pytest.mark.parametrize(
    ("lens", "raw", "found"),
    [
        (CODED, {}, CaseMocks()),
        (CODED, {"mockingStrategy": None}, CaseMocks()),
        (CODED, {"mockingStrategy": mockito(RULE, RULE)}, CaseMocks("2 rules")),
        (CODED, {"mockingStrategy": mockito(RULE, key="behaviors")}, CaseMocks("1 rule")),
        (CODED, {"mockingStrategy": mockito()}, CaseMocks()),
        (CODED, {"mockingStrategy": llm("a", "b")}, CaseMocks("2 tools simulated")),
        (CODED, {"mockingStrategy": llm()}, CaseMocks("0 tools simulated", is_broken=True)),
        (CODED, {"mockingStrategy": {"type": "LLM"}}, CaseMocks("mocks not used", is_broken=True)),
        (CODED, {"mockingStrategy": {}}, CaseMocks("mocks refused", is_broken=True)),
        (CODED, {"inputMockingStrategy": {"prompt": "p"}}, CaseMocks("", "made up")),
        (
            CODED,
            {"simulations": [{"componentId": "x"}], "mockingStrategy": mockito(RULE)},
            CaseMocks("1 rule, 1 component"),
        ),
        (LOWCODE, {"simulateTools": False, "toolsToSimulate": [{"name": "a"}]}, CaseMocks()),
        (
            LOWCODE,
            {"simulateTools": True, "toolsToSimulate": [{"name": "a"}]},
            CaseMocks("1 tool simulated"),
        ),
        (LOWCODE, {"simulateTools": True}, CaseMocks("0 tools simulated", is_broken=True)),
        (LOWCODE, {"simulateInput": True}, CaseMocks()),
        (
            LOWCODE,
            {"simulateInput": True, "inputGenerationInstructions": "x"},
            CaseMocks("", "made up"),
        ),
        (by_id("adk").eval_sets, {"eval_id": "a"}, CaseMocks()),
    ],
)
def test_what_a_case_replaces_is_said_in_a_few_words(lens, raw, found):
    assert case_mocks(lens, raw) == found


def test_a_low_code_case_is_tried_as_uipath_runs_it():
    raw = {
        "simulateTools": True,
        "simulationInstructions": "Be kind.",
        "toolsToSimulate": [{"name": "a"}],
    }
    expected = {"type": "llm", "prompt": "Be kind.", "toolsToSimulate": [{"name": "a"}]}
    assert LOWCODE.strategy_of(raw) == expected
    assert LOWCODE.strategy_of({**raw, "simulateTools": False}) is MISSING


def test_cases_with_mocks_are_counted():
    assert counted([CaseMocks()]) == "No case replaces anything yet."
    cases = [coded(), coded(mockingStrategy=mockito(RULE)), coded(mockingStrategy=llm("a"))]
    index = MockIndex(CODED)
    assert counted(index.of(cases)) == "2 cases with mocks, of 3."
    edited = [cases[1], coded(inputMockingStrategy={"prompt": "p"}), cases[0]]
    assert index.of(edited) == [CaseMocks("1 rule"), CaseMocks("", "made up"), CaseMocks()]
    assert counted(index.of(edited)) == ("1 case with mocks and 1 case with made-up inputs, of 3.")


@pytest.mark.parametrize(
    ("rule", "call", "answers"),
    [
        (RULE, "find(…)", "1"),
        ({**RULE, "arguments": {}}, "find()", "1"),
        (
            {**RULE, "arguments": {"args": ["x", ANY], "kwargs": {"n": None}}},
            'find("x", anything, n=null)',
            "1",
        ),
        (
            {**RULE, "arguments": {"args": [{"_target_": "datetime.date", "year": 1}]}},
            "find(datetime.date(year=1))",
            "1",
        ),
        (
            {
                "function": "f",
                "then": [
                    {"type": "return", "value": {"a": 1}},
                    {"type": "raise", "value": {"_target_": "builtins.KeyError"}},
                    {"type": "raise", "value": "no"},
                ],
            },
            "f(…)",
            '{"a": 1}, then raises KeyError, then raises "no"',
        ),
        ({"function": "f", "then": []}, "f(…)", ""),
        ({"function": "f", "arguments": [1], "then": "x"}, "f()", ""),
        ("what", "what", ""),
    ],
)
def test_a_rule_is_one_line(rule, call, answers):
    found = mocks.rule_line(CODED.mocks.form, rule)
    assert (found.call, found.answers) == (call, answers)


def test_functions_with_rules_are_offered_once_and_their_other_calls_named():
    rules = [
        RULE,
        {**RULE, "function": "g", "arguments": {"args": [1]}},
        {**RULE, "arguments": {"args": [2]}},
        "odd",
    ]
    form = CODED.mocks.form
    assert mocks.functions(form, mockito(*rules)) == ["find", "g"]
    assert mocks.functions(form, llm("a", "b")) == ["a", "b"]
    assert mocks.functions(form, None) == []
    assert mocks.left_over(form, rules) == ["g"]


@pytest.mark.parametrize("key", ["config", "behaviors"])
def test_a_rule_is_edited_under_the_key_that_the_file_has(tmp_path, key):
    odd = {**RULE, "note": "kept"}
    sheet = sheet_of(tmp_path, coded(mockingStrategy={"x": 1, **mockito(odd, key=key)}))
    slot, form = rules_slot(sheet, sheet.names()[0])
    handle = slot.items()[0][0]
    inside = mocks.parts_of(slot.item(handle), form.rule)
    inside["named"].write({"city": ANY})
    inside["function"].write("seek")
    raw = get(sheet.tree, "/evaluations/0/mockingStrategy")
    arguments = {"kwargs": {"city": ANY}}
    seek = {"function": "seek", "then": RULE["then"], "note": "kept", "arguments": arguments}
    assert raw == {"x": 1, "type": "mockito", key: [seek]}
    sheet.draft.undo()
    sheet.draft.undo()
    assert get(sheet.tree, "/evaluations/0/mockingStrategy/" + key) == [odd]
    assert sheet.draft.rendered() == sheet.draft.base.document.data


def test_reading_the_mocks_of_a_case_changes_no_byte(tmp_path):
    case = coded(
        mockingStrategy=mockito(RULE),
        simulations=[{"componentId": "c", "odd": 1}],
        inputMockingStrategy={"prompt": "p", "extra": 2},
    )
    sheet = sheet_of(tmp_path, case, simulation={"enabled": True, "components": []})
    object_view(sheet, (sheet.names()[0],))
    slot, form = rules_slot(sheet, sheet.names()[0])
    for handle, _raw in slot.items():
        for part in mocks.parts_of(slot.item(handle), form.rule).values():
            value = part.read()
            part.write(copy.deepcopy(value) if value is not MISSING else value)
    assert not sheet.draft.is_dirty
    assert sheet.draft.rendered() == sheet.draft.base.document.data


def test_mocks_are_copied_to_other_cases_as_one_step(tmp_path):
    own = coded(mockingStrategy=mockito(RULE))
    other = coded(id="b", inputMockingStrategy={"prompt": "p"}, tags=["t"])
    sheet = sheet_of(tmp_path, own, other, coded(id="c"))
    first, second, third = sheet.names()
    assert copy_mocks(sheet, first, [second])
    _, changed, untouched = sheet.cases
    assert changed == coded(id="b", tags=["t"], mockingStrategy=mockito(RULE))
    assert untouched == coded(id="c")
    assert not copy_mocks(sheet, first, [second])
    sheet.draft.undo()
    assert sheet.cases[1] == other
    assert copy_mocks(sheet, third, [first])
    assert sheet.cases[0] == coded()


def test_only_problems_of_mocks_are_marked_in_the_list(tmp_path):
    bad = coded(mockingStrategy={"type": "LLM"}, inputs=5)
    sheet = sheet_of(tmp_path, bad)
    found = mock_problems(sheet, sheet.names()[0])
    assert [p.code for p in found] == ["uipath.unknown_mock_type"]
    assert len(sheet.problems().all) > 1


FLOW = [
    {"componentId": "http", "componentType": "Http", "strategy": "Static", "mockValue": {"a": 1}},
    {"componentId": "agent", "strategy": "Llm", "instructions": "Say yes."},
    "odd",
    7,
]
FILE = {
    "enabled": True,
    "components": [
        {
            "componentId": "weather",
            "componentType": "tool",
            "simulationStrategy": 1,
            "behaviors": [
                {
                    "when": [{"field": "city", "op": 0, "value": "Porto"}],
                    "then": [{"type": 0, "value": "rain"}],
                }
            ],
        },
        {"componentId": "mail", "simulationStrategy": 0, "simulationInstruction": "Invent it."},
    ],
}
OLDER = {"enabled": True, "toolsToSimulate": [{"name": "find"}], "instructions": "Be kind."}


@pytest.mark.parametrize(
    ("value", "parts"),
    [
        (
            FLOW,
            (
                SimulatedPart("http", "Http", "always the same", answers=(("", {"a": 1}),)),
                SimulatedPart("agent", "", "made up by a model", "Say yes."),
                SimulatedPart("odd"),
            ),
        ),
        (
            FILE,
            (
                SimulatedPart("weather", "tool", "by rules", answers=(("city = Porto", "rain"),)),
                SimulatedPart("mail", "", "made up by a model", "Invent it."),
            ),
        ),
        (OLDER, (SimulatedPart("find", "", "made up by a model", "Be kind."),)),
        (MISSING, ()),
        (5, ()),
        ({"components": 5}, ()),
    ],
)
def test_simulated_components_are_read_in_every_shape(value, parts):
    assert CODED.simulated_parts(value) == parts
