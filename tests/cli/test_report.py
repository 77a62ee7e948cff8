"""``evaldesk report``: a run by its id, its name or its result file, as any kind of file."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evalcore.cli import main
from evalcore.cli.report import KINDS
from evalcore.results import CaseResult, Verdict
from evalcore.store import Manifest, RunStore, Source, place_of
from evalcore.workspace import Workspace
from tests.samples import SAMPLES
from tests.test_readme import first_cells

DESK = SAMPLES / "adk" / "refund_desk"
RESULT = next((DESK / ".adk" / "eval_history").glob("*.json"))
TRIP = next((SAMPLES / "tenxgraph" / "trip_planner" / "eval_reports").glob("trip*.json"))
STARTS = {
    "html": b"<!DOCTYPE html>",
    "junit": b"<?xml version",
    "md": b"## ! `refund_desk_refunds",
    "csv": b"\xef\xbb\xbfcase,name,",
    "xlsx": b"PK",
    "json": b'{"version":1,',
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with three runs, two of one name."""
    store = RunStore(place_of(Workspace(tmp_path)))
    for run_id, name in (("r1", "first"), ("r2", "twice"), ("r3", "twice")):
        manifest = Manifest(id=run_id, name=name, source=Source(kind="outputs"), format_id="adk")
        with store.writer(manifest) as writer:
            for case_id, verdict in (("a", Verdict.PASSED), ("b", Verdict.FAILED)):
                writer.append(CaseResult(origin="", case_id=case_id, verdict=verdict))
            writer.finish()
    return tmp_path


@pytest.mark.parametrize("kind", STARTS)
def test_every_kind_goes_to_stdout(kind: str, capfdbinary):
    assert main(["report", str(RESULT), f"--{kind}"]) == 0
    assert capfdbinary.readouterr().out.startswith(STARTS[kind])


@pytest.mark.parametrize(
    ("name", "kind"), [("r.xml", "junit"), ("r.htm", "html"), ("R.MD", "md"), ("r.csv", "csv")]
)
def test_the_ending_of_the_file_says_the_kind(name: str, kind: str, tmp_path: Path, capsys):
    target = tmp_path / name
    assert main(["report", str(RESULT), "--to", str(target)]) == 0
    assert target.read_bytes().startswith(STARTS[kind])
    assert capsys.readouterr().err == f"{target}: 9 case results\n"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_the_option_wins_over_the_ending(tmp_path: Path):
    target = tmp_path / "r.txt"
    assert main(["report", str(RESULT), "--md", "--to", str(target)]) == 0
    assert target.read_bytes().startswith(STARTS["md"])


def test_without_a_kind_it_asks_for_one(capsys):
    assert main(["report", str(RESULT)]) == 2
    assert "--html, --junit, --md, --csv, --xlsx, --json" in capsys.readouterr().err


def test_a_file_that_is_there_is_replaced_only_by_force(tmp_path: Path, capsys):
    target = tmp_path / "r.md"
    target.write_text("mine")
    assert main(["report", str(RESULT), "--to", str(target)]) == 2
    assert target.read_text() == "mine" and "--force" in capsys.readouterr().err
    assert main(["report", str(RESULT), "--to", str(target), "--force"]) == 0
    assert target.read_text().startswith("## ")


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path, capsys):
    target = tmp_path / "nowhere" / "r.md"
    assert main(["report", str(RESULT), "--to", str(target)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_a_result_file_is_read_and_not_stored(tmp_path: Path, capsys, monkeypatch):
    copy = tmp_path / "run.evalset_result.json"
    copy.write_bytes(RESULT.read_bytes())
    monkeypatch.chdir(tmp_path)
    assert main(["report", copy.name, "--md"]) == 0
    assert "71.4 % (5 of 7) passed" in capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == [copy.name]


def test_what_the_result_file_lacks_comes_from_the_eval_set(capsys):
    assert main(["report", str(TRIP), "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out.lstrip("\ufeff"))))
    assert any(row["expected"] for row in rows)
    assert any(row["tags"] for row in rows)


@pytest.mark.parametrize("name", ["r1", "first"])
def test_a_stored_run_goes_by_its_id_and_by_its_name(name: str, folder: Path, capsys):
    assert main(["report", name, "--in", str(folder), "--md"]) == 0
    assert capsys.readouterr().out.startswith("## ✗ `first`: 50.0 % (1 of 2) passed\n")


def test_a_name_that_two_runs_have_is_no_answer(folder: Path, capsys):
    assert main(["report", "twice", "--in", str(folder), "--md"]) == 2
    said = capsys.readouterr().err
    assert "2 runs are called 'twice'" in said and "r2" in said and "r3" in said


def test_a_run_that_is_not_there_is_an_error(folder: Path, capsys):
    assert main(["report", "gone", "--in", str(folder), "--md"]) == 2
    assert "There is no run and no result file 'gone'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (
            ["--only", "failures"],
            ["carrier_is_down", "german_customer", "refund_over_limit_needs_a_person"],
        ),
        (["--only", "errors"], ["carrier_is_down"]),
        (["--search", "espresso B-2207"], ["refund_over_limit_needs_a_person"]),
    ],
)
def test_a_part_of_a_run_can_be_chosen(options: list[str], names: list[str], capsys):
    assert main(["report", str(RESULT), "--junit", *options]) == 0
    root = ElementTree.fromstring(capsys.readouterr().out.encode())
    assert sorted(one.attrib["name"] for one in root.iter("testcase")) == names


def test_programs_are_told_what_was_written(tmp_path: Path, capsys):
    target = tmp_path / "r.html"
    assert main(["report", str(RESULT), "--to", str(target), "--output", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["file"], told["case_results"]) == (str(target), 9)


def test_the_same_file_gives_the_same_report(capsys):
    for kind in ("md", "html", "json", "junit"):
        said = []
        for _ in range(2):
            assert main(["report", str(RESULT), f"--{kind}"]) == 0
            found = capsys.readouterr().out
            said.append(found if kind != "json" else json.loads(found)["cases"])
        assert said[0] == said[1]


@pytest.mark.parametrize("name", ["refunds.evalset.json", "test_config.json", "agent.py"])
def test_what_is_no_result_file_is_refused(name: str, capsys):
    path = DESK / name
    if not path.exists():
        path = Path(__file__)
    assert main(["report", str(path), "--md"]) == 2
    assert capsys.readouterr().err


def test_a_pass_mark_is_a_share(capsys):
    assert main(["report", str(RESULT), "--md", "--pass-mark", "7"]) == 2
    assert "from 0 to 1" in capsys.readouterr().err


def test_the_readme_explains_every_kind():
    assert first_cells("| option | what is written |") == [f"--{kind}" for kind in KINDS]
