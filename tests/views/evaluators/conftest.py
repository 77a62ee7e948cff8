"""Benches over copies of the samples, and over files that a test writes."""

import json
import shutil
from pathlib import Path

import pytest

from evalcore.drafts import Draft
from evalcore.formats import check_document
from evalcore.views.evaluators.bench import Bench, own_problems
from evalcore.workspace import Workspace
from tests.samples import SAMPLES

CODED = "uipath_coded/claims_intake/evaluations"
ADK = "adk/refund_desk/test_config.json"
HARNEST = "harnest/library_helper/evals/test_config.json"
TENXGRAPH = "tenxgraph/trip_planner/eval_config.json"
LOWCODE = "uipath_lowcode/SupportTriage/evals/evaluators"


@pytest.fixture(scope="session")
def samples(tmp_path_factory) -> Path:
    """The samples, for tests that write nothing to disk."""
    return shutil.copytree(SAMPLES, tmp_path_factory.mktemp("samples") / "work")


@pytest.fixture
def workspace(samples) -> Workspace:
    return Workspace(samples)


@pytest.fixture
def open_bench(workspace):
    def opened(path: str, family: str = "") -> Bench:
        draft = Draft(workspace.open(path))
        found = draft.base.detection

        def check(document):
            if found is None:
                return own_problems(document.value)
            where, near = workspace.seen_as(path), workspace.near(path)
            return check_document(document, found, where, near)

        return Bench(draft, family or (found.format_id if found else "evaldesk"), check)

    return opened


@pytest.fixture
def bench_of(tmp_path):
    """Open a file that the test describes."""

    def made(name: str, value: object, family: str) -> Bench:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value, indent=2) + "\n")
        workspace = Workspace(tmp_path)
        draft = Draft(workspace.open(name))
        found = draft.base.detection

        def check(document):
            if found is None:
                return own_problems(document.value)
            return check_document(document, found, workspace.seen_as(name), workspace.near(name))

        return Bench(draft, family, check)

    return made


def changed_lines(bench: Bench) -> list[tuple[str, str]]:
    """Lines that saving would change, where it adds and removes none."""
    before = bench.draft.base.document.data.decode().splitlines()
    after = bench.draft.rendered().decode().splitlines()
    assert len(before) == len(after)
    return [(a.strip(), b.strip()) for a, b in zip(before, after, strict=True) if a != b]
