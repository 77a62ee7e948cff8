"""What recognising and checking a file may cost."""

import subprocess
import sys

import pytest

from tests.samples import ROOT

SCRIPT = """
import json, sys
from pathlib import Path
from evalcore import formats
from evalcore.jsondoc import JsonDocument
from tests.formats.uipath import data
HEAVY = ("pydantic", "pandas", "plotly", "streamlit", "asyncio", "msgspec", "datetime")
value, path = {given}
document = JsonDocument.parse(json.dumps(value).encode())
detection = formats.detect(document.value, path)
assert formats.check_document(document, detection, path, data.Folder())
print([m for m in HEAVY if m in sys.modules])
"""

FILES = {
    "coded set": "data.coded_set(data.coded_case()), data.CODED_PATH",
    "low-code set": "data.lowcode_set(), data.LOWCODE_PATH",
    "coded evaluator": "data.evaluator(ignoreCase=True), data.CODED_EVALUATOR",
    "low-code evaluator": "data.legacy(0, 2), data.LOWCODE_EVALUATOR",
    "result": '{"evaluationSetResults": []}, data.RESULT_PATH',
}


@pytest.mark.parametrize("name", FILES)
def test_checking_a_file_imports_nothing_heavy(name):
    command = [sys.executable, "-c", SCRIPT.replace("{given}", FILES[name])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
