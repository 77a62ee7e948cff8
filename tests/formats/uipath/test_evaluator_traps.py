"""What an evaluator's file says and UiPath reads otherwise: one table row per rule."""

import pytest

from tests.formats.uipath.data import (
    CODED_EVALUATOR,
    JUDGE_PROMPT,
    LOWCODE_EVALUATOR,
    PATH_PROMPT,
    Folder,
    check,
    codes,
    entry_points,
    evaluator,
    legacy,
)

OUTPUT = {"../../entry-points.json": entry_points({}, {"answer": "string", "score": "number"})}
WARNING, INFO = "warning", "info"


def coded(kind="exact-match", **config):
    return evaluator(kind, **config), CODED_EVALUATOR


def judge(prompt=JUDGE_PROMPT, kind="llm-judge-output-semantic-similarity", **config):
    return coded(kind, **{"model": "gpt-4.1", "prompt": prompt, **config})


def path_judge(prompt=PATH_PROMPT, kind="llm-judge-trajectory-similarity"):
    return judge(prompt, kind)


def low(category=0, type_=1, **more):
    return legacy(category, type_, **more), LOWCODE_EVALUATOR


def low_judge(prompt, category=1, type_=5):
    return low(category, type_, prompt=prompt, model="gpt-4.1")


TRAPS = {
    "ignoreCase off": (coded(ignoreCase=False), WARNING, "ignore_case_not_read"),
    "ignoreCase on": (coded(ignoreCase=True), INFO, "ignore_case_not_read"),
    "ignore_case": (coded("contains", ignore_case=False), WARNING, "ignore_case_not_read"),
    "line flag of low-code": (coded(lineByLineEvaluation=True), WARNING, "line_flag_misnamed"),
    "misspelt setting": (coded(targetOutputKeys="a"), WARNING, "unknown_key"),
    "unknown setting": (coded(colour="red"), INFO, "unknown_key"),
    "subset": (coded("tool-call-args", subset=True), WARNING, "subset_without_effect"),
    "no keys": (coded(targetOutputKey=[]), WARNING, "matches_anything"),
    "empty key": (coded(targetOutputKey=""), WARNING, "no_path"),
    "dot": (coded(targetOutputKey="."), WARNING, "no_path"),
    "from the end": (coded(targetOutputKey="a[-1]"), WARNING, "negative_index"),
    "key that the output lacks": (coded(targetOutputKey="reply"), WARNING, "unknown_output"),
    "lines of all": (coded(lineByLineEvaluator=True), WARNING, "lines_of_whole_output"),
    "lines of inner key": (
        coded(lineByLineEvaluator=True, targetOutputKey="answer.text"),
        WARNING,
        "lines_of_inner_key",
    ),
    "lines of several keys": (
        coded(lineByLineEvaluator=True, targetOutputKey=["answer"]),
        WARNING,
        "lines_are_off",
    ),
    "lines negated": (
        coded(lineByLineEvaluator=True, targetOutputKey="answer", negated=True),
        WARNING,
        "negated_by_line",
    ),
    "no model": (judge(model=""), WARNING, "no_model"),
    "the agent's model": (judge(model="same-as-agent"), WARNING, "no_model"),
    "0 to 1": (
        judge(JUDGE_PROMPT.replace("0 to 100", "0 to 1")),
        WARNING,
        "prompt_asks_for_0_to_1",
    ),
    "0.0-1.0": (
        judge(JUDGE_PROMPT.replace("0 to 100", "0.0 - 1.0")),
        WARNING,
        "prompt_asks_for_0_to_1",
    ),
    "unknown placeholder": (judge(JUDGE_PROMPT + "{{Rubric}}"), WARNING, "unknown_placeholder"),
    "placeholders missing": (judge("Judge it, 0-100."), INFO, "placeholder_appended"),
    "trajectory": (path_judge(), INFO, "trajectory_sees_tools_only"),
    "simulation": (
        path_judge(kind="llm-judge-trajectory-simulation"),
        INFO,
        "no_simulation_instructions",
    ),
    "empty class": (
        coded("binary-classification", positiveClass=""),
        WARNING,
        "no_positive_class",
    ),
    "default that accepts any call": (
        coded(
            "tool-call-args",
            defaultEvaluationCriteria={"toolCalls": [{"name": "find", "args": {}}]},
        ),
        WARNING,
        "any_arguments",
    ),
    "two names": (({**evaluator(), "name": "Top"}, CODED_EVALUATOR), INFO, "two_names"),
    "columns": (low(0, 10, targetSubOutputKey="a"), WARNING, "not_for_low_code"),
    "factuality": (low(1, 4, prompt=JUDGE_PROMPT, model="m"), WARNING, "not_for_low_code"),
    "no description": (
        ({k: v for k, v in legacy().items() if k != "description"}, LOWCODE_EVALUATOR),
        WARNING,
        "uip_needs_it",
    ),
    "another file name": (low(fileName="old.json"), INFO, "file_name_differs"),
    "line flag of coded": (low(lineByLineEvaluator=True), WARNING, "line_flag_misnamed"),
    "coded setting": (low(caseSensitive=False), WARNING, "coded_key"),
    "low-code 0 to 1": (
        low_judge("{{ActualOutput}} {{ExpectedOutput}}: score between 0 and 1"),
        WARNING,
        "prompt_asks_for_0_to_1",
    ),
    "low-code unknown placeholder": (
        low_judge(JUDGE_PROMPT + "{{ExpectedBehavior}}"),
        WARNING,
        "unknown_placeholder",
    ),
    "low-code placeholder missing": (
        low_judge("Score {{ActualOutput}}, 0-100."),
        INFO,
        "placeholder_appended",
    ),
    "placeholder of the cloud": (
        low_judge(PATH_PROMPT + "{{UserOrSyntheticInput}}", 3, 7),
        INFO,
        "placeholder_only_in_cloud",
    ),
    "low-code key that the output lacks": (low(targetOutputKey="reply"), WARNING, "unknown_output"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_told(name):
    (value, path), severity, code = TRAPS[name]
    problems = check(value, path, Folder(OUTPUT))
    found = [p for p in problems if p.code == f"uipath.{code}"]
    assert found, codes(problems)
    assert {p.severity for p in found} == {severity}
    assert all(p.message and p.line is not None for p in found)


QUIET = {
    "exact match": coded(targetOutputKey="answer", caseSensitive=True),
    "snake case": coded(
        target_output_key="answer", line_by_line_evaluator=True, line_delimiter=";"
    ),
    "some keys": coded(targetOutputKey=["answer", "score"]),
    "judge": judge(),
    "judge of 0-100": judge(JUDGE_PROMPT.replace("0 to 100", "0-100")),
    "a scale of 0 to 10": judge(JUDGE_PROMPT.replace("0 to 100", "0 to 10")),
    "from 0 to 1.5": judge(JUDGE_PROMPT.replace("0 to 100", "0 to 1.5")),
    "equals": low(targetOutputKey="answer"),
    "low-code judge": low_judge(JUDGE_PROMPT),
    "low-code trajectory": low_judge(PATH_PROMPT, 3, 7),
    "low-code file in a coded project": (
        {"id": "e", "category": 0, "type": 1, "createdAt": "x", "updatedAt": "y"},
        CODED_EVALUATOR,
    ),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_means_what_it_says_is_left_alone(name):
    value, path = QUIET[name]
    assert codes(check(value, path, Folder(OUTPUT))) == []


def test_a_misspelt_placeholder_suggests_the_right_one():
    value, path = low_judge(JUDGE_PROMPT + "{{ExpectedBehavior}} {{ActualOutputs}}")
    hints = [p.hint for p in check(value, path) if p.code == "uipath.unknown_placeholder"]
    assert hints == [
        "Did you mean {{ExpectedAgentBehavior}}?",
        "Did you mean {{ActualOutput}}?",
    ]
