"""The comparison with the packages, with a function in the place of a package."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from tests.conformance.report import Mismatch, same
from tests.differential.__main__ import main
from tests.differential.cases.values import Family
from tests.differential.compare import check_of, compared, disagreement, drawn, families
from tests.differential.environments import FOLDER_VARIABLE, PEERS, prepared

ROWS = st.builds(lambda number: {"in": number}, st.integers(0, 10_000))
NAMES = Family(
    "sanitized_tool_names", st.builds(lambda name: {"in": name}, st.text("ab é地", max_size=6))
)


class Package:
    """Cleans names as the package does, but for names that contain ``broken``."""

    def __init__(self, broken: str) -> None:
        self.broken = broken

    def ask(self, section, rows):
        assert section == "sanitized_tool_names"
        return [{"out": self.out(row["in"])} for row in rows]

    def out(self, name):
        if self.broken in name:
            return "wrong"
        return "".join(c for c in "_".join(name.split()) if c.isascii())


def test_cases_that_agree_are_counted():
    found = compared(Package("never"), "uipath", NAMES, 1200, 1)
    assert found.agreed == found.total >= 1000
    assert found.shown == ()


def test_a_disagreement_is_shown_in_its_smallest_form():
    found = compared(Package("b"), "uipath", NAMES, 300, 1)
    assert 0 < found.agreed < found.total
    assert found.shown == ('0: out: ours \'b\', theirs \'wrong\'\n    {"in": "b", "out": "wrong"}',)


def test_the_same_seed_draws_the_same_cases():
    class Recorder(Package):
        def __init__(self):
            super().__init__("never")
            self.asked = []

        def ask(self, section, rows):
            self.asked.append(rows)
            return super().ask(section, rows)

    first, second, other = Recorder(), Recorder(), Recorder()
    compared(first, "uipath", NAMES, 600, 7)
    compared(second, "uipath", NAMES, 600, 7)
    compared(other, "uipath", NAMES, 600, 8)
    assert first.asked == second.asked != other.asked


def test_a_package_that_breaks_is_no_agreement():
    assert "broke" not in disagreement(lambda row: None, {}, {"fine": 1})
    assert "worker failed" in disagreement(lambda row: None, {}, {"broke": "KeyError: x"})


@pytest.mark.parametrize(
    ("kind", "agrees"), [("uipath-exact-match", False), ("uipath-nothing-of-the-sort", True)]
)
def test_an_evaluator_that_the_package_refuses_must_be_refused(kind, agrees):
    file = {"version": "1.0", "id": "e", "evaluatorTypeId": kind, "evaluatorConfig": {"name": "e"}}
    wrong = disagreement(lambda row: None, {"evaluator": file}, {"refused": "no"})
    assert (wrong == "") is agrees


WRONG_ANSWER = {
    "result": {"error": "x", "kind": "ERROR", "raised": {"message": ""}},
    "requests": [],
    "summary": {},
    "report_passed": False,
    "value": None,
    "out": "",
    "stem": "",
    "label": "",
    "labels": [],
    "parsed": [],
    "rubrics": {},
    "score": 2,
    "status": "",
    "overall_score": 2,
    "overall_status": "",
    "overall_rubrics": {},
}


@pytest.mark.parametrize("system", PEERS)
def test_every_case_is_scored_or_refused_and_never_breaks_us(system):
    crashes = []
    for name, family in families(system).items():
        check = check_of(system, family.section)
        for row in drawn(family.rows, 15, 1):
            try:
                check({**row, **WRONG_ANSWER})
            except Mismatch:
                pass
            except Exception as error:
                crashes.append(f"{name}: {type(error).__name__}: {error}: {row}")
    assert crashes == []


def test_an_unknown_system_is_refused(capsys):
    with pytest.raises(SystemExit):
        main(["nothing"])
    assert "none of uipath, adk, tenxgraph" in capsys.readouterr().err


def test_an_environment_is_outside_the_repository_and_made_once(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    peer = PEERS["uipath"]
    assert peer.folder == tmp_path / "uipath-2.14.44"
    peer.folder.mkdir()
    (peer.folder / "installed").write_text("", encoding="utf-8")
    monkeypatch.setattr(subprocess, "run", None)
    assert prepared(peer) == peer.folder / "bin" / "python"


def test_a_worker_answers_line_by_line_and_survives_a_row_that_breaks_it(tmp_path):
    workers = Path(__file__).parent / "workers"
    script = tmp_path / "worker.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(workers)!r})\n"
        "from serve import serve\n"
        "async def later(row): return {'twice': row['n'] * 2}\n"
        "serve({'now': lambda row: {'n': row['n']}, 'later': later},"
        " {'what': lambda row: lambda: print('noise')})\n",
        encoding="utf-8",
    )
    asked = '[["now", {"n": 1}], ["later", {"n": 2}], ["now", {}]]\n[["prepare", {"what": "what", '
    asked += '"rows": [{}, {}]}]]\n[["time", 3]]\n'
    done = subprocess.run(
        [sys.executable, str(script)],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ},
    )
    answers, ready, times = done.stdout.splitlines()
    assert answers == '[{"n": 1}, {"twice": 4}, {"broke": "KeyError: \'n\'"}]'
    assert ready == "[2]"
    assert times.count(",") == 2
    same("noise", done.stderr.count("noise"), 2 * 3 + 1)
