"""What importing the judges costs."""

import subprocess
import sys

from tests.samples import ROOT


def test_the_port_and_the_settings_load_no_client_and_no_event_loop():
    script = (
        "import sys, evalcore.judges, evalcore.evaluators.base\n"
        "evalcore.judges.read_settings({'X': '1'})\n"
        "print([m for m in ('openai', 'httpx2', 'asyncio', 'sqlite3') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_a_connected_judge_loads_no_client_before_it_is_asked():
    script = (
        "import sys, evalcore.judges\n"
        "judge = evalcore.judges.connect({'EVALDESK_JUDGE_API_KEY': 'k'})\n"
        "print('openai' in sys.modules, judge)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().startswith("False <EndpointJudge: the judge at https://api.openai")
