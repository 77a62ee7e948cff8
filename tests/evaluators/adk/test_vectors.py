"""ADK's vectors: the project's own, and those beside it where they are there."""

from pathlib import Path

import pytest

from tests.conformance.adk import SECTIONS
from tests.conformance.report import run
from tests.samples import ROOT

OWN = ROOT / "tests" / "vectors" / "adk.json"
SHARED = ROOT.parent / "shared" / "vectors" / "adk.json"


def disagreements(path: Path) -> list[str]:
    return [f"{s.name}: {failure}" for s in run(path) for failure in s.failures]


def test_every_section_has_cases_of_our_own():
    assert {s.name for s in run(OWN) if s.total} == set(SECTIONS)


def test_our_own_vectors_agree():
    assert disagreements(OWN) == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared vectors are not beside the project")
def test_the_shared_vectors_agree():
    assert disagreements(SHARED) == []
