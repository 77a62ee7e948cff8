"""The command itself: every case of every vectors file agrees, and one that does not is found."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conformance import adk, tenxgraph, uipath
from tests.conformance.__main__ import main
from tests.samples import ROOT

OWN = sorted((ROOT / "tests" / "vectors").glob("*.json"))
SHARED = sorted((ROOT.parent / "shared" / "vectors").glob("*.json"))
LINE = re.compile(r"(?P<section>\w+ \w+): (?P<passed>\d+)/(?P<total>\d+)")
ANSWERS = {
    "adk vectors": "result overall_score",
    "adk case_status": "case_status",
    "adk final_response_match_v2_parse": "label",
    "adk final_response_match_v2_vote": "status",
    "adk final_response_match_v2_overall": "overall_score",
    "adk per_turn_user_simulator_parse": "label",
    "adk rubric_parse": "parsed",
    "adk rubric_vote": "rubrics",
    "adk rubric_overall": "overall_status",
    "adk rubric_normalize": "out",
    "adk hallucinations_parse": "labels",
    "adk rubric_scoping_with_fake_judge": "result overall_score",
    "tenxgraph vectors": "result score",
    "tenxgraph aggregation": "summary passed_cases",
    "uipath evaluators": "result file_score",
    "uipath reduce_scores": "reduced",
    "uipath aggregates": "result final",
    "uipath paths": "value",
    "uipath sanitized_tool_names": "out",
    "uipath mockito": "parsed_as",
    "uipath llm_judges_fake_model": "requests",
}
"""Where a case of each section says what the package answered."""


def conformance(files: list[Path]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.conformance", *map(str, files)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("files", [OWN, SHARED], ids=["own", "shared"])
def test_every_case_of_every_section_agrees(files: list[Path]):
    if files is SHARED and not files:
        pytest.skip("the shared vectors are not beside the project")
    done = conformance(files)
    found = [LINE.fullmatch(line) for line in done.stdout.splitlines()]
    assert {match["section"] for match in found if match} == set(ANSWERS)
    assert [match[0] for match in found if match and match["passed"] != match["total"]] == []
    assert all(match and int(match["total"]) for match in found)
    assert done.returncode == 0


def test_a_case_that_disagrees_makes_the_command_fail(tmp_path: Path):
    path = altered(tmp_path, "uipath paths")
    done = conformance([*OWN, path])
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "uipath paths: 0/1"
    assert "theirs 'altered'" in done.stderr


def test_every_section_has_an_answer_to_alter():
    known = {f"{s.SYSTEM} {name}" for s in (adk, tenxgraph, uipath) for name in s.SECTIONS}
    assert known == set(ANSWERS)


@pytest.mark.parametrize("section", ANSWERS)
def test_an_altered_answer_is_found_in_every_section(
    section: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    assert main([str(altered(tmp_path, section))]) == 1
    assert capsys.readouterr().out == f"{section}: 0/1\n"


def altered(folder: Path, section: str) -> Path:
    """Write a vectors file of one case, whose answer is not the package's."""
    system, _, name = section.partition(" ")
    (path,) = [path for path in OWN if path.stem == system]
    file = json.loads(path.read_text(encoding="utf-8"))
    *outer, last = ANSWERS[section].split()
    row, holder = next((row, at) for row in file[name] if last in (at := inside(row, outer)))
    holder[last] = "altered"
    head = {key: value for key, value in file.items() if not isinstance(value, list)}
    changed = folder / path.name
    changed.write_text(json.dumps({**head, name: [row]}), encoding="utf-8")
    return changed


def inside(row: dict[str, Any], names: list[str]) -> dict[str, Any]:
    for name in names:
        row = row.get(name, {})
    return row
