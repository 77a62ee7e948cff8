"""Recognising and checking must stay cheap: no heavy module is imported for them."""

import subprocess
import sys

HEAVY = ("asyncio", "msgspec", "pandas", "plotly", "pydantic", "streamlit")
SCRIPT = """
import json, sys
from pathlib import PurePath
from evalcore import formats
from evalcore.jsondoc import JsonDocument
for format_id in ("adk", "harnest"):
    own = formats.by_id(format_id)
    for name, value in json.loads(sys.argv[1]):
        answer = own.detect(value, PurePath(name))
        if answer is not None:
            document = JsonDocument.parse(json.dumps(value).encode())
            list(formats.check_document(document, answer, PurePath(name)))
print(" ".join(m for m in sys.argv[2:] if m in sys.modules))
"""
FILES = [
    ["evals/s.evalset.json", {"eval_set_id": "s", "eval_cases": [{"eval_id": "c"}]}],
    ["evals/test_config.json", {"criteria": {"response_match_score": 80}}],
    ["agent/s.evalset.json", [{"name": "n", "data": [{"query": "q"}]}]],
    ["r.evalset_result.json", {"eval_set_result_id": "r", "eval_case_results": []}],
    ["run.json", {"kind": "EvalRunResult", "evalSetResults": []}],
]


def test_checking_imports_no_heavy_module():
    import json

    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(FILES), *HEAVY],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == []
