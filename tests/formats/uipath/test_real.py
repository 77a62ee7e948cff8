"""Files that other people wrote: all of them open, and none is called broken that UiPath loads."""

from functools import cache

import pytest

from evalcore import formats
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from tests.samples import REAL, json_files, original_path

PATHS = [p for p in json_files() if REAL in p.parents and p.parent.name.startswith("UiPath")]
ABSENT = [pytest.param(None, marks=pytest.mark.skip(reason="no ../shared/real here"))]
NOT_OURS = ("input-overrides.json",)


@cache
def opened(path):
    document = JsonDocument.parse(path.read_bytes())
    return document, formats.detect(document.value, original_path(path))


def of_kind(kind):
    found = [p for p in PATHS if (d := opened(p)[1]) is not None and d.kind is kind]
    return found or ABSENT


def name(path):
    return str(original_path(path)) if path else "none"


@pytest.mark.parametrize("path", PATHS or ABSENT, ids=name)
def test_a_real_file_is_recognised_and_has_no_errors(path):
    document, detection = opened(path)
    if path.name.endswith(NOT_OURS):
        assert detection is None
        return
    assert detection is not None
    assert detection.confidence == "sure"
    assert detection.format_id in ("uipath_coded", "uipath_lowcode")
    problems = formats.check_document(document, detection, original_path(path))
    assert [p for p in problems if p.severity == "error"] == []


@pytest.mark.parametrize("path", of_kind(Kind.EVAL_SET), ids=name)
def test_a_real_set_is_read_with_all_its_cases(path):
    document, detection = opened(path)
    eval_set = formats.by_id(detection.format_id).lens_for(detection).read(document.value)
    assert eval_set.name and eval_set.id and eval_set.evaluator_refs
    assert len(eval_set.cases) == len(document.value["evaluations"])
    assert all(case.id and case.name and case.invocations for case in eval_set.cases)


@pytest.mark.parametrize("path", of_kind(Kind.EVALUATOR), ids=name)
def test_a_real_evaluator_is_read(path):
    document, detection = opened(path)
    (found,) = formats.by_id(detection.format_id).read_evaluators(document.value, detection)
    assert found.ref == document.value["id"]
    assert found.name and found.native_type
    assert found.is_judged is ("model" in str(document.value))


@pytest.mark.parametrize("path", of_kind(Kind.RESULT), ids=name)
def test_a_real_result_is_read(path):
    document, detection = opened(path)
    (run,) = formats.by_id(detection.format_id).read_runs(document.value, detection)
    assert run.name == document.value["evaluationSetName"]
    assert len(run.cases) == len(document.value["evaluationSetResults"])
    for case in run.cases:
        for score in case.invocations[0].scores:
            assert (score.verdict is None) or score.value is None
