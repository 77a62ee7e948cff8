"""10xGraph's vectors: the project's own, and those beside it where they are there."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.report import failure, run
from tests.conformance.tenxgraph import SECTIONS, aggregation, vectors
from tests.samples import ROOT

OWN = ROOT / "tests" / "vectors" / "tenxgraph.json"
SHARED = ROOT.parent / "shared" / "vectors" / "tenxgraph.json"
FILE = json.loads(OWN.read_text(encoding="utf-8"))


def disagreements(path: Path) -> list[str]:
    return [f"{s.name}: {failure}" for s in run(path) for failure in s.failures]


def test_every_section_has_cases_of_our_own():
    assert {s.name for s in run(OWN) if s.total} == set(SECTIONS)


def test_our_own_vectors_agree():
    assert disagreements(OWN) == []


@pytest.mark.skipif(not SHARED.exists(), reason="the shared vectors are not beside the project")
def test_the_shared_vectors_agree():
    assert disagreements(SHARED) == []


@pytest.mark.parametrize("row", FILE["vectors"], ids=lambda row: row["id"])
def test_another_result_would_not_agree(row: Any):
    changed = copy.deepcopy(row)
    if row["result"]["error"] is None:
        changed["result"]["score"] += 0.001
    else:
        changed["result"]["error"] = None
    assert failure(vectors, changed, 0)


@pytest.mark.parametrize("row", FILE["aggregation"], ids=lambda row: row["id"])
def test_another_summary_would_not_agree(row: Any):
    changed = copy.deepcopy(row)
    changed["summary"]["passed_cases"] += 1
    assert failure(aggregation, changed, 0)
