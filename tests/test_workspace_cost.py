"""The work of listing a folder grows with its files, not with their pairs: counted, not timed."""

import os
from collections import Counter
from pathlib import Path

import pytest

from evalcore.errors import Problem
from evalcore.formats.harnest import folder as rules
from evalcore.workspace import Workspace, folder, nearby
from evalcore.workspace.nearby import Look, Nearby, Seen
from tests.toy import write

TURN = {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Ho"}]}}


def harnest_sets(root: Path, count: int) -> None:
    for n in range(count):
        cases = [{"eval_id": "c", "conversation": [TURN]}]
        write(root / f"evals/s{n}.evalset.json", {"eval_set_id": f"s{n}", "eval_cases": cases})


def uipath_sets(root: Path, count: int, evaluators: int) -> None:
    for n in range(evaluators):
        value = {"version": "1.0", "id": f"e{n}", "evaluatorTypeId": "uipath-exact-match"}
        write(root / f"evaluations/evaluators/e{n}.json", {**value, "evaluatorConfig": {}})
    for n in range(count):
        value = {"version": "1.0", "id": f"s{n}", "name": f"S{n}", "evaluatorRefs": ["e0"]}
        write(root / f"evaluations/eval-sets/s{n}.json", {**value, "evaluations": []})


def test_a_folder_is_listed_once_for_all_files_that_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harnest_sets(tmp_path, 30)
    listed: Counter[str] = Counter()

    def counting(path: Path) -> object:
        listed[str(path)] += 1
        return os.scandir(path)

    class Os:
        scandir = staticmethod(counting)

    monkeypatch.setattr(nearby, "os", Os)
    workspace = Workspace(tmp_path)
    assert len(workspace.entries()) == 30
    assert listed and max(listed.values()) == 1
    workspace.entries()
    assert max(listed.values()) == 2


def test_the_rules_of_a_folder_are_asked_once_for_all_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harnest_sets(tmp_path, 30)
    write(tmp_path / "evals/notes.txt", "x")
    asked = []
    real = rules._layout
    monkeypatch.setattr(rules, "_layout", lambda entry: asked.append(entry.name) or real(entry))
    entries = Workspace(tmp_path).entries()
    assert len(asked) == len(set(asked)) == 31
    found: list[list[Problem]] = [
        [p for p in entry.problems if p.code == "harnest.unexpected_file"] for entry in entries
    ]
    assert all(len(each) == 1 for each in found)


def test_an_evaluator_is_read_once_for_all_sets_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uipath_sets(tmp_path, 5, 300)
    reads: Counter[str] = Counter()
    real = folder.files.read_bytes
    monkeypatch.setattr(folder.files, "read_bytes", lambda p: reads.update([p.name]) or real(p))
    assert len(Workspace(tmp_path).entries()) == 305
    # Once for its own row, once as a neighbour of the sets.
    assert max(reads.values()) == 2


def test_of_large_neighbours_only_so_many_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(4):
        write(tmp_path / f"n{n}.json", "x" * 97)
    monkeypatch.setattr(folder, "KEPT_BYTES", 250)
    workspace = Workspace(tmp_path)
    near = workspace.near("x.json")
    sizes = {(tmp_path / f"n{n}.json").stat().st_size for n in range(4)}
    assert sizes == {100}
    for n in (0, 1, 0, 2, 3):
        assert near.value(f"n{n}.json") == "x" * 97
    assert list(workspace._values) == ["n2.json", "n3.json"]
    write(tmp_path / "n3.json", "y" * 47)
    assert workspace.near("x.json").value("n3.json") == "y" * 47
    assert workspace._kept_bytes == 150


def test_a_file_notes_each_look_once(tmp_path: Path) -> None:
    write(tmp_path / "a/n.json", 1)
    near = Nearby(Look(tmp_path), "a/x.json", lambda _path, _stamp: 1)
    for _ in range(3):
        near.glob("*.json")
        near.value("n.json")
        near.value("../a/n.json")
        near.entries()
    assert [(s.kind, s.question) for s in near.seen] == [
        ("matching", "a/*.json"),
        ("stamp", "a/n.json"),
        ("entries", "a"),
    ]


def test_answers_that_are_equal_or_not_are_told_apart_however_often_they_are_asked(
    tmp_path: Path,
) -> None:
    write(tmp_path / "n.json", 1)
    look = Look(tmp_path)
    right = [Seen("matching", "*.json", ("n.json",)) for _ in range(2)]
    wrong = [Seen("matching", "*.json", ("m.json",)) for _ in range(2)]
    mixed = (right[0], right[1], wrong[0], right[0], wrong[1], wrong[1])
    assert [look.still_holds(seen) for seen in mixed] == [True, True, False, True, False, False]
    none = Seen("stamp", "gone.json", None)
    assert [look.still_holds(none), look.still_holds(none)] == [True, True]
    assert look.still_holds(Seen("stamp", "n.json", None)) is False
