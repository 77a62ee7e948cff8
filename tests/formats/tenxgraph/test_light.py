"""What recognising and checking a file may cost."""

import subprocess
import sys

SCRIPT = """
import sys
from pathlib import Path
from evalcore.formats.base import Alone
from evalcore.formats.tenxgraph import FORMAT
from evalcore.jsondoc import JsonDocument
document = JsonDocument.parse(b'{"eval_cases": [{"conversation": [{"user_content": {"content": 1}}]}]}')
detection = FORMAT.detect(document.value, Path("x.json"))
assert list(FORMAT.check(document, detection, Path("x.json"), Alone()))
print([m for m in ("pydantic", "pandas", "plotly", "streamlit", "asyncio", "msgspec") if m in sys.modules])
"""


def test_checking_a_file_imports_nothing_heavy():
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
