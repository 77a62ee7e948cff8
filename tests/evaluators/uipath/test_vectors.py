"""Our scores are UiPath's: on this project's cases, and on the shared ones where they are."""

from pathlib import Path

import pytest

from tests.conformance.report import run
from tests.samples import ROOT

OWN = ROOT / "tests" / "vectors" / "uipath.json"
SHARED = ROOT.parent / "shared" / "vectors" / "uipath.json"
SECTIONS = {
    "evaluators",
    "reduce_scores",
    "aggregates",
    "paths",
    "sanitized_tool_names",
    "mockito",
    "llm_judges_fake_model",
}


@pytest.mark.parametrize("path", [OWN, SHARED], ids=["own", "shared"])
def test_every_case_scores_as_in_the_package(path: Path):
    if not path.exists():
        pytest.skip(f"{path} is not there")
    sections = run(path)
    assert {section.name for section in sections} == SECTIONS
    assert all(section.total for section in sections)
    assert [text for section in sections for text in section.failures] == []
