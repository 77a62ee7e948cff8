"""A fix makes its problem go away and brings no new one, in words that say what it does."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from evalcore.errors import Problem
from evalcore.formats import by_id
from evalcore.formats.fixes import ANY_SYSTEM
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import same
from evalcore.lint import catalog
from evalcore.lint.linter import Linter
from evalcore.workspace import Workspace
from tests.lint import samples

CASES = samples.cases()
MOCK = "/evaluations/0/mockingStrategy"
CALL = "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0"
LOWER = "1c9b6f0e-52d4-4a3b-8a63-6f3f0f2b7a1"
FORMATS = ("adk", "harnest", "tenxgraph", "uipath_coded", "uipath_lowcode")


class Opened:
    """A sample on disk with the linter of its file."""

    def __init__(self, folder: Path, path: str) -> None:
        workspace = Workspace(folder)
        self.opened = workspace.open(path)
        self.tree = self.opened.document.value
        near = lambda: workspace.near(path)  # noqa: E731
        self.linter = Linter(self.opened.detection, workspace.seen_as(path), near)

    def rendered(self, tree) -> JsonDocument:
        return JsonDocument.parse(self.opened.document.render(tree))

    def problems(self, tree) -> list[Problem]:
        return self.linter.problems(self.rendered(tree))


def fixed(folder: Path, code: str, rule):
    """Return (opened, problems with the code, fix of the first that has one)."""
    try:
        opened = Opened(folder, samples.written(folder, code, rule, "bad"))
    except Exception:
        return None, [], None
    met = [p for p in opened.problems(opened.tree) if p.code == code]
    fixes = (opened.linter.fix(opened.tree, problem) for problem in met)
    return opened, met, next((fix for fix in fixes if fix is not None), None)


def assert_mended(opened, code, met, fix):
    before, after = opened.problems(opened.tree), opened.problems(fix.tree)
    assert not same(fix.tree, opened.tree)
    assert fix.label[0].isupper() and not fix.label.endswith(".")
    assert [p.code for p in after].count(code) < len(met)
    gone = {code} if len(met) == 1 else set()
    assert {p.code for p in after} <= {p.code for p in before} - gone


@pytest.mark.parametrize(("code", "rule"), CASES, ids=[code for code, _ in CASES])
def test_after_a_fix_the_problem_is_gone_and_no_new_one_appears(tmp_path: Path, code, rule):
    opened, met, fix = fixed(tmp_path, code, rule)
    if fix is not None:
        assert_mended(opened, code, met, fix)
    elif opened is not None:
        known = set(by_id(opened.opened.detection.format_id).fixes)
        assert rule.code not in known or code in {name for name, *_ in MORE}


MORE = [
    ("uipath.matches_anything", "evaluator", "/evaluatorConfig/targetOutputKey", "[]"),
    (
        "uipath.criteria_refused",
        "tools",
        "/evaluations/0/evaluationCriterias/calls/toolCalls/0",
        '{"name": "find", "arguments": {"order": "12"}}',
    ),
    (
        "uipath.unknown_output",
        "whole",
        "/evaluations/0/evaluationCriterias/whole/expectedOutput",
        '{"answer": "late", "kind": "order", "cuont": 8}',
    ),
    ("uipath.coded_key", "equals", "/caseSensitive", "true"),
    ("uipath.unknown_evaluator", "coded", "/evaluatorRefs", '["exakt", "like"]'),
    ("uipath.placeholder_missing", "trajectory", "/prompt", '"See {{ExpectedAgentBehavior}}."'),
    ("uipath.line_flag_misnamed", "equals", "/lineByLineEvaluator", "true"),
    ("uipath.file_name_differs", "equals", "/fileName", '"other.json"'),
    ("uipath.missing", "lowcode", "/evaluations/0/evalSetId", ""),
    ("uipath.missing", "lowcode", "/evaluations/0/createdAt", ""),
    ("uipath.missing", "lowcode", "/fileName", ""),
    ("uipath.missing", "lowcode", "/evaluations/0/id", ""),
    ("uipath.missing", "coded", "/evaluations/0/id", ""),
    (
        "uipath.mock_not_used",
        "mocks",
        MOCK,
        '{"type": "llm", "prompt": "", "model": "gpt-4.1", "toolsToSimulate": [{"name": "a"}]}',
    ),
    ("uipath.mock_not_used", "mocks", f"{MOCK}/config/0/then/0/type", '"Return"'),
    ("uipath.mock_not_used", "mocks", f"{MOCK}/config/0/arguments", '{"args": {"order": "12"}}'),
    ("uipath.mock_not_used", "mocks", f"{MOCK}/config/0/then/0", '{"type": "return"}'),
    (
        "uipath.mock_not_used",
        "mocks",
        f"{MOCK}/config/0/arguments",
        '{"args": {"_target_": "mockito.any"}}',
    ),
    (
        "uipath.mock_hidden",
        "mocks",
        f"{MOCK}/config",
        '[{"function": "find", "arguments": {"args": [1]}, "then": [{"type": "return", "value": 1}]'
        '}, {"function": "find", "arguments": {"args": [{"_target_": "mockito.any"}]}, "then": '
        '[{"type": "return", "value": 2}]}]',
    ),
    (
        "uipath.mock_hidden",
        "mocks",
        f"{MOCK}/config",
        '[{"function": "find", "then": [{"type": "return", "value": 1}]}, {"function": "find", '
        '"then": [{"type": "return", "value": 2}]}]',
    ),
    (
        "uipath.mock_not_built",
        "mocks",
        f"{MOCK}/config/0/then/0",
        '{"type": "raise", "value": {"_target_": "builtins.NotImplementedError", "text": "no"}}',
    ),
    ("uipath.mock_not_built", "mocks", f"{MOCK}/config/0/arguments/kwargs", '{"_target_": "a.b"}'),
    ("uipath.missing", "mocks", MOCK, "{}"),
    ("uipath.missing", "mocks", f"{MOCK}/type", ""),
    ("adk.turns_and_scenario", "scenario", "/eval_cases/0/conversation", "[]"),
    ("harnest.turns_and_scenario", "scenario", "/eval_cases/0/conversation", "[]"),
    ("adk.missing", "set", "/eval_set_id", ""),
    ("harnest.missing", "set", "/eval_set_id", ""),
    ("adk.missing", "set", "/eval_cases/0/session_input/user_id", ""),
    ("adk.missing", "rubrics", "/eval_cases/0/rubrics/0/rubric_id", ""),
    ("adk.call_without_args", "set", f"{CALL}/args", "null"),
    ("tenxgraph.wrong_type", "set", "/eval_cases/0/eval_id", "12"),
]


@pytest.mark.parametrize(
    ("code", "base", "at", "bad"), MORE, ids=[f"{c} {a}" for c, _, a, _ in MORE]
)
def test_other_shapes_of_a_problem_are_mended_too(tmp_path: Path, code, base, at, bad):
    rule = catalog.rule(code)
    sample = replace(rule.sample, base=base, at=at, bad=bad, file="", bad_files={})
    opened, met, fix = fixed(tmp_path, code, replace(rule, sample=sample))
    assert met and fix is not None, [(p.code, p.message) for p in opened.problems(opened.tree)]
    assert_mended(opened, code, met, fix)


def test_every_fixer_is_proven_by_an_example(tmp_path: Path):
    proven = {name.partition(".")[2] for name, *_ in MORE} | set(ANY_SYSTEM)
    for number, (code, rule) in enumerate(CASES):
        _, _, fix = fixed(tmp_path / str(number), code, rule)
        if fix is not None:
            proven.add(rule.code)
    known = {name for format_id in FORMATS for name in by_id(format_id).fixes}
    assert known - proven == set()


def tenx(folder: Path, *cases) -> Opened:
    value = {"eval_set_id": "s", "name": "s", "metadata": {}, "eval_cases": list(cases)}
    (folder / "s.evalset.json").write_text(json.dumps(value, indent=2))
    return Opened(folder, "s.evalset.json")


def asks(case_id: str, text: str):
    reply = {"role": "assistant", "content": f"About {text}: yes."}
    turn = {"user_content": {"role": "user", "content": text}, "expected_final_response": reply}
    return {"eval_id": case_id, "conversation": [turn]}


def test_all_of_a_kind_are_mended_at_once(tmp_path: Path):
    opened = tenx(tmp_path, *(asks("a", f"question {i}") for i in range(5)))
    done = opened.linter.fix_all(opened.tree, opened.rendered, lambda p: p.code.endswith("case_id"))
    ids = [case["eval_id"] for case in done.tree["eval_cases"]]
    assert ids == ["a", "a_2", "a_3", "a_4", "a_5"]
    assert len(done.done) == 4
    assert opened.problems(done.tree) == []


def test_copies_are_removed_from_the_end_so_that_none_is_missed(tmp_path: Path):
    opened = tenx(tmp_path, *(asks(name, "the same") for name in "abcd"))
    done = opened.linter.fix_all(
        opened.tree, opened.rendered, lambda p: p.code == "cases.duplicate"
    )
    assert [case["eval_id"] for case in done.tree["eval_cases"]] == ["a"]


def test_only_safe_fixes_are_made_where_nobody_looks(tmp_path: Path):
    opened = tenx(tmp_path, asks("a", "one"), asks("b", "one"), asks("a", "two"))
    done = opened.linter.fix_all(opened.tree, opened.rendered, lambda p: True, safe_only=True)
    assert len(done.tree["eval_cases"]) == 3
    assert [mended.label for mended in done.done] == ["Call it “a_2”"]


_RULE = catalog.rule("uipath.guid_in_upper_case")
_CASES = [
    {
        "id": f"{LOWER}{i}".upper(),
        "name": f"N{i}",
        "inputs": {"order": f"{i}"},
        "evaluationCriterias": {},
    }
    for i in (1, 2)
]
GUIDS = replace(
    _RULE, sample=replace(_RULE.sample, base="mocks", at="/evaluations", bad=json.dumps(_CASES))
)


def test_a_note_that_is_told_once_is_mended_everywhere(tmp_path: Path):
    opened = Opened(tmp_path, samples.written(tmp_path, "uipath.guid_in_upper_case", GUIDS, "bad"))
    assert [p.code for p in opened.problems(opened.tree)].count("uipath.guid_in_upper_case") == 2
    done = opened.linter.fix_all(
        opened.tree, opened.rendered, lambda p: p.code == "uipath.guid_in_upper_case"
    )
    assert [c["id"] for c in done.tree["evaluations"]] == [f"{LOWER}1", f"{LOWER}2"]


def test_a_problem_of_an_older_tree_has_no_fix(tmp_path: Path):
    opened = tenx(tmp_path, asks("a", "one"), asks("a", "two"))
    (problem,) = [p for p in opened.problems(opened.tree) if p.pointer.endswith("/1/eval_id")]
    assert opened.linter.fix({"eval_set_id": "s", "eval_cases": []}, problem) is None


def test_what_a_fix_makes_is_what_the_loader_reads_first(tmp_path: Path):
    rule = catalog.rule("uipath.no_version")
    opened, _, fix = fixed(tmp_path, "uipath.no_version", rule)
    assert opened.rendered(fix.tree).data.startswith(b'{"version": "1.0"')
