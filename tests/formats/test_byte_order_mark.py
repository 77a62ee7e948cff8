"""A byte order mark: each system says itself what it makes of it, and what to do."""

import json
from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.jsondoc import JsonDocument

TURN = {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Ho"}]}}
ADK = {"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [TURN]}]}
TENX_TURN = {
    "user_content": {"content": "Hi"},
    "expected_final_response": {"role": "assistant", "content": "Ho"},
}
TENX = {"eval_set_id": "s", "eval_cases": [{"eval_id": "c", "conversation": [TENX_TURN]}]}
CODED = {"version": "1.0", "id": "s", "name": "s", "evaluatorRefs": [], "evaluations": []}
LOWCODE = {
    "fileName": "x.json",
    "id": "s",
    "name": "s",
    "batchSize": 10,
    "evaluatorRefs": [],
    "evaluations": [],
}


@pytest.mark.parametrize(
    ("value", "path", "system"),
    [
        (ADK, "agent/s.evalset.json", "ADK"),
        (ADK, "evals/s.evalset.json", "Harnest"),
        (TENX, "s.evalset.json", "10xGraph"),
        (CODED, "evaluations/eval-sets/x.json", "UiPath"),
        (LOWCODE, "evals/eval-sets/x.json", "UiPath"),
    ],
)
def test_a_byte_order_mark_has_one_problem_with_one_thing_to_do(value, path, system):
    document = JsonDocument.parse(b"\xef\xbb\xbf" + json.dumps(value).encode())
    detection = formats.detect(document.value, PurePath(path))
    found = formats.check_document(document, detection, PurePath(path))
    (mark,) = [p for p in found if "byte order mark" in p.message]
    assert mark.severity == "error"
    assert f"{system} refuses" in mark.message
    assert mark.hint == "Save the file as UTF-8 without BOM."
