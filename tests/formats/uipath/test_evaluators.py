"""Reading evaluator files."""

import pytest

from evalcore import formats
from evalcore.formats.base import Alone
from tests.formats.uipath.data import (
    CODED_EVALUATOR,
    CODED_PATH,
    JUDGE_PROMPT,
    LOWCODE_EVALUATOR,
    PATH_PROMPT,
    RESULT_PATH,
    Folder,
    detect,
    evaluator,
    legacy,
)


def read(value, path=CODED_EVALUATOR):
    detection = detect(value, path)
    return formats.by_id(detection.format_id).read_evaluators(value, detection)


KINDS = {
    "exact match": (evaluator(), "uipath-exact-match", False, None, None),
    "case-sensitive": (
        evaluator(caseSensitive=True, negated=True),
        "uipath-exact-match",
        False,
        None,
        "case-sensitive, negated",
    ),
    "by lines": (
        evaluator("contains", line_by_line_evaluator=True),
        "uipath-contains",
        False,
        None,
        "line by line",
    ),
    "strict": (
        evaluator("tool-call-args", strict=True),
        "uipath-tool-call-args",
        False,
        None,
        "strict",
    ),
    "judge": (
        evaluator("llm-judge-trajectory-similarity", model="gpt-4.1"),
        "uipath-llm-judge-trajectory-similarity",
        True,
        "gpt-4.1",
        None,
    ),
    "judge without model": (
        evaluator("llm-judge-output-semantic-similarity"),
        "uipath-llm-judge-output-semantic-similarity",
        True,
        None,
        None,
    ),
    "custom": (
        {**evaluator(), "evaluatorSchema": "file://mine.py:Mine"},
        "file://mine.py:Mine",
        False,
        None,
        None,
    ),
    "unknown": ({**evaluator(), "evaluatorTypeId": "other"}, "other", False, None, None),
    "equals": (legacy(), "legacy Equals (0/1)", False, None, None),
    "columns by lines": (
        legacy(0, 10, lineByLineEvaluation=True),
        "legacy CSV columns (0/10)",
        False,
        None,
        "line by line",
    ),
    "low-code judge": (
        legacy(1, 5, prompt=JUDGE_PROMPT),
        "legacy LLM judge (1/5)",
        True,
        "same-as-agent",
        None,
    ),
    "low-code trajectory": (
        legacy(3, 7, prompt=PATH_PROMPT, model="gpt-4.1"),
        "legacy Trajectory judge (3/7)",
        True,
        "gpt-4.1",
        None,
    ),
    "unloadable": (legacy(0, 3), "legacy Regex (0/3)", False, None, None),
    "agent scorer": (legacy(2, 5), "legacy Agent scorer (2/5)", False, None, None),
    "unknown numbers": (legacy(9, 9), "legacy Unknown (9/9)", False, None, None),
}


@pytest.mark.parametrize("name", KINDS)
def test_an_evaluator_is_read(name):
    value, native_type, judged, judge, mode = KINDS[name]
    (found,) = read(value, LOWCODE_EVALUATOR if "category" in value else CODED_EVALUATOR)
    assert (found.ref, found.name) == ("e", "Check")
    assert found.native_type == native_type
    assert (found.is_judged, found.judge) == (judged, judge)
    assert found.match_mode == mode
    assert found.config is value


def test_the_name_and_description_on_top_win():
    value = {**evaluator(description="inner"), "name": "Top", "description": "outer"}
    (found,) = read(value)
    assert (found.name, found.description) == ("Top", "outer")
    (found,) = read(evaluator(description="inner"))
    assert found.description == "inner"


def test_an_evaluator_without_a_name_goes_by_its_id():
    value = evaluator()
    del value["evaluatorConfig"]["name"]
    assert read(value)[0].name == "e"


def test_a_file_that_holds_no_evaluator_gives_none():
    assert read([1], LOWCODE_EVALUATOR) == ()


def test_a_broken_evaluator_is_still_shown():
    (found,) = read({"evaluatorTypeId": 5, "id": 3, "evaluatorConfig": [1]})
    assert (found.ref, found.native_type) == ("", "unknown")


def test_the_evaluators_of_a_set_lie_beside_its_folder():
    files = Folder({"../evaluators/b.json": {}, "../evaluators/a.json": {}})
    for format_id in ("uipath_coded", "uipath_lowcode"):
        found = formats.by_id(format_id).evaluator_files(CODED_PATH, files)
        assert list(found) == ["../evaluators/a.json", "../evaluators/b.json"]


@pytest.mark.parametrize(
    "place",
    [
        "evaluations/evaluators/a.json",
        "evals/evaluators/a.json",
        "../evaluations/evaluators/a.json",
        "../evals/evaluators/a.json",
    ],
)
def test_the_evaluators_of_a_result_lie_in_its_project(place):
    found = formats.by_id("uipath_coded").evaluator_files(RESULT_PATH, Folder({place: {}}))
    assert list(found) == [place]


def test_no_folder_has_no_evaluators():
    assert formats.by_id("uipath_coded").evaluator_files(CODED_PATH, Alone()) == ()
