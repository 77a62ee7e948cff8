"""Every problem code is explained, and every explanation is proven by its own example."""

import ast
import re
from pathlib import Path

import pytest

from evalcore.errors import SEVERITIES, FormatError
from evalcore.jsondoc.document import _PROBLEMS
from evalcore.lint import catalog
from evalcore.lint.explain import examples
from tests.lint import samples
from tests.samples import ROOT

CASES = samples.cases()
IDS = [code for code, _ in CASES]
SHARED_WITH_ADK = {
    "harnest.crashed_case",
    "harnest.criterion_fails",
    "harnest.failed_turn_in_pass",
    "harnest.incomplete_pass",
    "harnest.legacy_shape",
    "harnest.nothing_evaluated",
    "harnest.repeated_cases",
    "harnest.rubrics_unread",
    "harnest.status_differs",
}
"""Rules of Harnest whose example is ADK's: its files have other names around the same part."""
ADVICE = ("problem", "Problem", "warn", "refuse", "add", "Unusable", "_always_one", "_problem")
"""The last names of the calls that take a code."""


@pytest.mark.parametrize(("code", "rule"), CASES, ids=IDS)
def test_the_bad_example_has_the_problem(tmp_path: Path, code, rule):
    found = samples.found_in(tmp_path, samples.written(tmp_path, code, rule, "bad"))
    met = [p for p in found if p.code == code]
    assert met, [(p.code, p.message) for p in found]
    assert {p.severity for p in met} <= set(rule.severities)


@pytest.mark.parametrize(("code", "rule"), CASES, ids=IDS)
def test_the_good_example_has_neither_the_problem_nor_any_error(tmp_path: Path, code, rule):
    found = samples.found_in(tmp_path, samples.written(tmp_path, code, rule, "good"))
    assert [(p.code, p.message) for p in found if p.code == code or p.severity == "error"] == []


@pytest.mark.parametrize("rule", catalog.rules(), ids=lambda rule: rule.codes[0])
def test_an_explanation_is_whole(rule):
    assert rule.title and not rule.title.endswith(".")
    for text in (rule.why, rule.fix):
        assert text.endswith((".", "?", "”")), text
        assert text == " ".join(text.split())
    assert set(rule.severities) <= set(SEVERITIES)


def test_only_problems_of_the_disk_and_of_recorded_outputs_have_no_example():
    # Those are shown by tests/test_workspace.py, tests/scoring and tests/formats/harnest.
    bare = {code for rule in catalog.rules() if rule.sample is None for code in rule.codes}
    bare |= {c for r in catalog.rules() if r.sample for c in r.codes if not is_sampled(c, r)}
    elsewhere = ("file.", "outputs.", "evaldesk.", "wiring.")
    others = {code for code in bare if not code.startswith(elsewhere)}
    huge = {"adk.big_integer", "harnest.big_integer", "harnest.too_large"}
    folders = {"harnest.folder_is_link", "harnest.folder_is_file"}
    assert others - huge - folders == SHARED_WITH_ADK


@pytest.mark.parametrize("rule", catalog.rules(), ids=lambda rule: rule.codes[0])
def test_every_explanation_shows_what_has_the_problem_and_what_has_not(rule):
    (bad, wrong), (good, right) = examples(rule)
    assert (bad, good) == ("bad", "good")
    assert wrong and right and wrong != right


def is_sampled(code, rule):
    return code.partition(".")[0] in rule.sample.systems


def test_no_code_is_emitted_without_an_entry():
    known = {code.partition(".")[2]: code for rule in catalog.rules() for code in rule.codes}
    emitted = emitted_codes()
    assert len(emitted) > 250
    assert sorted(name for name in emitted if name not in known) == []


def test_a_code_with_its_prefix_is_explained_under_that_very_prefix():
    met = {code for file in (ROOT / "evalcore").rglob("*.py") for code in whole_codes(file)}
    assert {"evaldesk.checks_file", "evaldesk.check", "wiring.unreadable"} < met
    assert sorted(code for code in met if catalog.known_rule(code) is None) == []


def test_no_entry_is_left_without_an_emitter():
    emitted = emitted_codes()
    assert sorted(rule.code for rule in catalog.rules() if rule.code not in emitted) == []


def test_an_unknown_code_is_answered_with_the_nearest_ones():
    with pytest.raises(FormatError) as caught:
        catalog.rule("adk.rubric_without_typ")
    assert "adk.rubric_without_type" in caught.value.hint


def emitted_codes() -> set[str]:
    """Return the last name of every code that the source can give to a problem."""
    found = set(_PROBLEMS)
    for file in sorted((ROOT / "evalcore").rglob("*.py")):
        found |= {code for code in literals(file) if code is not None}
    return found


def whole_codes(file: Path):
    """Yield each code with its prefix that a file says, where a call takes codes."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and last_name(node.func) in (*ADVICE, "replace"):
            given = [*node.args[:3], *(k.value for k in node.keywords if k.arg == "code")]
            texts = (getattr(argument, "value", None) for argument in given)
            yield from (t for t in texts if re.fullmatch(r"[a-z]+\.[a-z][a-z0-9_]*", str(t)))


def literals(file: Path):
    tree = ast.parse(file.read_text(encoding="utf-8"))
    names = constants(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and last_name(node.func) in (*ADVICE, "replace"):
            keyword = [k.value for k in node.keywords if k.arg == "code"]
            if last_name(node.func) == "add" and not starts_with_severity(node):
                continue
            given = keyword if last_name(node.func) == "replace" else [*node.args[:3], *keyword]
            yield from (code_in(argument, names) for argument in given)
        elif isinstance(node, ast.Assign):
            yield from assigned(node)
        elif isinstance(node, ast.Dict):
            yield from meanings(node)


def starts_with_severity(node) -> bool:
    return bool(node.args) and getattr(node.args[0], "value", None) in SEVERITIES


def constants(tree):
    """Return the names that a module gives to whole codes."""
    return {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, (ast.Assign, ast.AnnAssign))
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        if isinstance(target, ast.Name) and isinstance(node.value, ast.Constant)
    }


def code_in(node, names):
    if isinstance(node, ast.JoinedStr):
        # f"{prefix}.name"
        tail = node.values[-1]
        text = tail.value if isinstance(tail, ast.Constant) else ""
        return text[1:] if re.fullmatch(r"\.[a-z_]+", text) else None
    value = names.get(node.id) if isinstance(node, ast.Name) else getattr(node, "value", None)
    is_code = isinstance(value, str) and re.fullmatch(r"([a-z]+\.)?[a-z][a-z0-9_]*", value)
    return value.rpartition(".")[2] if is_code and value not in SEVERITIES else None


def assigned(node):
    """Yield the code of ``code, message = "name", "…"`` and of ``worded = …``."""
    for target in node.targets:
        if not isinstance(target, ast.Tuple) or not isinstance(node.value, ast.Tuple):
            continue
        for name, value in zip(target.elts, node.value.elts, strict=False):
            if isinstance(name, ast.Name) and name.id == "code":
                yield code_in(value, {})


def meanings(node):
    """Yield the codes of a table from JSON findings to (severity, code, …)."""
    for key, value in zip(node.keys, node.values, strict=True):
        is_finding = isinstance(key, ast.Constant) and str(key.value).startswith("json.")
        if is_finding and isinstance(value, ast.Tuple):
            yield code_in(value.elts[1], {})


def last_name(function) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))
