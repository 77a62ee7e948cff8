"""What a cold ``evaldesk check`` costs: the modules it loads, and its CPU time."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples import SAMPLES

ROOT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
HEAVY = (
    *("pandas", "numpy", "duckdb", "plotly", "streamlit", "pydantic", "pydantic_core"),
    *("asyncio", "msgspec", "filelock", "email", "http", "ssl", "importlib.metadata"),
    *("evalcore.model", "evalcore.results", "evalcore.formats.evalset"),
)
BUDGET_S = 0.3


@pytest.fixture
def small_set(tmp_path: Path) -> Path:
    path = tmp_path / "evals" / "small.evalset.json"
    path.parent.mkdir()
    turn = {
        "user_content": {"role": "user", "parts": [{"text": "hi"}]},
        "final_response": {"role": "model", "parts": [{"text": "hello"}]},
    }
    cases = [{"eval_id": f"c{i}", "conversation": [turn]} for i in range(20)]
    path.write_text(json.dumps({"eval_set_id": "small", "eval_cases": cases}, indent=2))
    return path


def test_check_loads_nothing_heavy(small_set: Path) -> None:
    assert _heavy_modules_of_check(small_set) == "[]"


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="there are no samples")
@pytest.mark.parametrize(
    "dialect", ["adk", "harnest", "tenxgraph", "uipath_coded", "uipath_lowcode"]
)
def test_no_dialect_loads_anything_heavy(dialect: str) -> None:
    # Files that nothing here knows make it look for formats of other installed packages.
    looked = _heavy_modules_of_check(SAMPLES / dialect)
    assert looked in ("[]", "['email', 'importlib.metadata']")


def _heavy_modules_of_check(path: Path) -> str:
    script = (
        "import sys\nfrom evalcore.cli import main\n"
        f"code = main(['check', {str(path)!r}])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])\n"
        "assert code in (0, 1), code"
    )
    command = [sys.executable, "-S", "-c", script]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1]


def test_check_of_a_small_file_takes_little_cpu(small_set: Path) -> None:
    best = min(_cpu_of_check(small_set) for _ in range(5))
    assert best < BUDGET_S


def _cpu_of_check(path: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "evalcore.cli", "check", str(path)]
    subprocess.run(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
