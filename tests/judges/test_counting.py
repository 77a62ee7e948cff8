"""How many questions a run asks, known before it starts; and what importing this costs."""

import subprocess
import sys

from evalcore.evaluators.base import Sample
from evalcore.judges import count_calls
from evalcore.model import EvalCase
from tests.samples import ROOT


class Asking:
    def __init__(self, name: str, calls: int) -> None:
        self.name = name
        self.number = calls

    def calls(self, sample: Sample) -> int:
        return self.number if sample.case.id else 0


class Computing:
    name = "computes"


def test_questions_are_counted_by_check_and_case():
    samples = [Sample(case=EvalCase(origin="", id=name), turns=()) for name in ("a", "b", None)]
    checks = [Asking("x", 3), Asking("y", 1), Computing(), Asking("x", 1)]
    found = count_calls(checks, iter(samples))
    assert (found.total, dict(found.by_evaluator)) == (10, {"x": 8, "y": 2})


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
