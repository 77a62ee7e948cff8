"""ADK files that other people wrote: recognised, read, and without false errors."""

import pytest

from evalcore import formats
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from tests.samples import REAL, original_path

FILES = sorted(REAL.glob("google__*/*.json"))

pytestmark = pytest.mark.skipif(not FILES, reason="the folder of real files is not here")


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_a_file_that_adk_loads_is_recognised_and_has_no_errors(path):
    document, where = JsonDocument.parse(path.read_bytes()), original_path(path)
    detection = formats.detect(document.value, where)
    assert detection is not None and detection.format_id == "adk"
    assert detection.confidence == "sure"
    found = formats.check_document(document, detection, where)
    assert [p for p in found if p.severity == "error"] == []
    if detection.kind is Kind.EVAL_SET:
        read = formats.by_id("adk").lens_for(detection).read(document.value)
        assert read.cases and all(case.invocations and not case.opaque for case in read.cases)
        assert read.read_only is isinstance(document.value, list)
    else:
        criteria = document.value["criteria"]
        evaluators = formats.by_id("adk").read_evaluators(document.value, detection)
        assert {e.ref: e.threshold for e in evaluators} == criteria
