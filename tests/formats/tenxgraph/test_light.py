"""What recognising and checking a file may cost."""

import subprocess
import sys

from tests.samples import ROOT

SCRIPT = """
import sys
from pathlib import Path
from evalcore.formats.base import Alone
from evalcore.formats.tenxgraph import FORMAT
from evalcore.jsondoc import JsonDocument
DATA = b'{"eval_cases": [{"conversation": [{"user_content": {"content": 1}}]}]}'
HEAVY = ("pydantic", "pandas", "plotly", "streamlit", "asyncio", "msgspec")
document = JsonDocument.parse(DATA)
detection = FORMAT.detect(document.value, Path("x.json"))
assert list(FORMAT.check(document, detection, Path("x.json"), Alone()))
print([m for m in HEAVY if m in sys.modules])
"""


def test_checking_a_file_imports_nothing_heavy():
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
