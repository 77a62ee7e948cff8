"""The systems' own packages read from authored files what their stories mean."""

import json
import shutil
from pathlib import Path

import pytest

from tests.authored import AUTHORED, Authored, invented
from tests.differential.environments import PEERS, is_installed
from tests.differential.peer import Worker
from tests.samples import SAMPLES

STORIES = {
    package: {name: told for name, told in AUTHORED.items() if told.package == package}
    for package in PEERS
}


def project_with(told: Authored, folder: Path) -> Path:
    """Return a copy of the story's project with all files as the story leaves them."""
    project = shutil.copytree(SAMPLES / told.project, folder / told.project)
    (project / told.path).write_bytes(told.text(invented))
    if told.criterion is not None:
        config = project / told.criterion.path
        config.write_text(json.dumps(told.config(json.loads(config.read_bytes()))), "utf-8")
    return project


def marks(told: Authored, config: dict) -> dict[str, float]:
    """Return the pass mark of every check that a criteria file has on."""
    on = {name: value for name, value in config["criteria"].items() if value is not None}
    return {n: v["threshold"] if isinstance(v, dict) else v for n, v in on.items()}


@pytest.mark.parametrize(
    ("package", "story"), [(package, name) for package in STORIES for name in STORIES[package]]
)
def test_a_package_reads_what_was_authored(package: str, story: str, tmp_path: Path):
    peer = PEERS[package]
    if not is_installed(peer):
        pytest.skip(f"{peer.requirement} is not there: python -m tests.differential installs it")
    told = AUTHORED[story]
    project = project_with(told, tmp_path)
    config = project / told.criterion.path if told.criterion else None
    with Worker(package) as worker:
        (read,) = worker.ask("load", [{"set": str(project / told.path), "config": str(config)}])
    assert read.get("broke") is None
    assert read["meaning"] == told.meaning
    if told.criterion is not None:
        assert read["marks"] == marks(told, json.loads(config.read_bytes()))
        assert read["marks"][told.criterion.name] == told.criterion.mark
