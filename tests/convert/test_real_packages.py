"""Converted sets as the real packages load them, where their environments are installed."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.convert.samples import PATHS, SETS, converted
from tests.differential.environments import PEERS

LOADED_BY = {
    "adk": "adk",
    "harnest": "adk",
    "tenxgraph": "tenxgraph",
    "uipath_coded": "uipath",
    "uipath_lowcode": "uipath",
}
SCRIPT = Path(__file__).parent / "loading.py"


def loaded(system: str, paths: list[Path]) -> list[Any]:
    done = subprocess.run(
        [str(PEERS[system].python), "-W", "ignore", str(SCRIPT), system],
        input="".join(f"{path}\n" for path in paths),
        capture_output=True,
        text=True,
        check=True,
        cwd=paths[0].parents[1],
        env={**os.environ, "PYTHONPATH": "", "UIPATH_TELEMETRY_ENABLED": "false"},
    )
    return [json.loads(line) for line in done.stdout.splitlines() if line[:1] in "[{"]


@pytest.mark.parametrize("target", PATHS)
def test_the_real_package_loads_what_was_converted_with_its_cases_and_texts(
    target: str, tmp_path: Path
):
    system = LOADED_BY[target]
    if not PEERS[system].python.exists():
        pytest.skip(f"{PEERS[system].requirement} is not installed for comparison")
    files, wanted = [], []
    for source, value in SETS.items():
        for split in (False, True):
            made = converted(value, source, target, split_turns=split, carry=split)
            file = tmp_path / f"{source}_{split}" / PATHS[target]
            file.parent.mkdir(parents=True)
            file.write_text(json.dumps(made.value), encoding="utf-8")
            files.append(file)
            wanted.append(summary(made.value, target))
    assert loaded(system, files) == wanted


def summary(value: Any, target: str) -> list[Any]:
    """Return what a set says, read from its JSON alone."""
    if target.startswith("uipath"):
        return [[case["id"], inputs_of(case), []] for case in value["evaluations"]]
    return [
        [
            case["eval_id"],
            [said(turn["user_content"]) for turn in case.get("conversation", [])],
            [call["name"] for turn in case.get("conversation", []) for call in calls(turn)],
        ]
        for case in value["eval_cases"]
    ]


def inputs_of(case: dict[str, Any]) -> list[Any]:
    """Return the inputs, or the texts of all messages of a conversation."""
    talk = case.get("conversationalInputs")
    if not talk:
        return [case["inputs"]]
    history = [m for exchange in talk["conversationHistory"] for m in exchange]
    return [message["text"] for message in (*history, talk["currentUserPrompt"])]


def said(message: dict[str, Any]) -> str:
    if "parts" in message:
        return "\n".join(part["text"] for part in message["parts"] if part.get("text"))
    content = message["content"]
    return content if isinstance(content, str) else " ".join(b["text"] for b in content)


def calls(turn: dict[str, Any]) -> list[dict[str, Any]]:
    data = turn.get("intermediate_data") or {}
    return [*data.get("tool_uses", []), *turn.get("expected_tool_trajectory", [])]
