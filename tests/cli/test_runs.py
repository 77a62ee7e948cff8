"""Keeping, listing, deleting and comparing runs on the command line."""

import json
import re
import shutil
from pathlib import Path

import pytest

from evalcore.cli import main
from evalcore.compare import report
from evalcore.stats import PairedCounts, paired_sentence
from evalcore.store import Place, RunStore
from evalcore.store.place import VARIABLE
from tests.samples import ROOT, SAMPLES

LOANS = "results/eval-run.json"
TRIP = "tenxgraph/trip_planner/eval_reports/trip_planner_v1_20260909_101502.json"


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A copy of a project with a file of two runs, as the current folder."""
    monkeypatch.delenv(VARIABLE, raising=False)
    shutil.copytree(SAMPLES / "harnest" / "library_helper", tmp_path / "desk")
    monkeypatch.chdir(tmp_path / "desk")
    return tmp_path / "desk"


def told(capsys, *argv: str, code: int = 0) -> str:
    capsys.readouterr()
    assert main(list(argv)) == code
    return capsys.readouterr().out


def data(capsys, *argv: str, code: int = 0):
    return json.loads(told(capsys, *argv, "--output", "json", code=code))


def report_of(path: Path, verdicts: dict[str, bool], score: float | None = None) -> str:
    """Write a 10xGraph report of cases that passed or failed."""
    results = [
        {
            "eval_id": name,
            "name": name,
            "passed": passed,
            "criterion_results": [
                {
                    "criterion": "rouge_match",
                    "score": (score if score is not None else float(passed)),
                    "passed": passed,
                    "threshold": 0.5,
                }
            ],
        }
        for name, passed in verdicts.items()
    ]
    value = {"eval_set_id": "s", "eval_set_name": path.stem, "results": results, "summary": {}}
    path.write_text(json.dumps(value))
    return str(path)


def hundred_and_twenty(folder: Path) -> tuple[str, str]:
    """Write two reports of 120 cases, of which the second fixed 9 and broke 2."""
    before = {f"case {n:03}": n >= 20 for n in range(120)}
    after = before | {f"case {n:03}": True for n in range(9)}
    after |= {"case 100": False, "case 101": False}
    return report_of(folder / "before.json", before), report_of(folder / "after.json", after)


def test_import_says_what_it_recognised_and_what_was_there_already(desk, capsys):
    first = told(capsys, "import", LOANS).splitlines()
    assert [re.sub(r"^\w{16}", "ID", line) for line in first] == [
        "ID-1  results/eval-run.json: loans, Harnest, set evals/loans.evalset.json, "
        "6 results: 3 passed, 2 failed, 1 error",
        "ID-2  results/eval-run.json: reading-tips, Harnest, set evals/reading-tips.evalset.json, "
        "3 results: 2 passed, 1 not evaluated",
    ]
    again = told(capsys, "import", LOANS).splitlines()
    assert [line.partition(": ")[2] for line in again] == [
        "was here already, as loans",
        "was here already, as reading-tips",
    ]
    assert all("was here" not in line for line in told(capsys, "import", LOANS, "--again"))
    assert (desk / ".evaldesk" / "runs" / ".gitignore").exists()


def test_import_for_programs(desk, capsys):
    found = data(capsys, "import", LOANS)
    assert [(run["name"], run["is_new"], run["cases"]["passed"]) for run in found["runs"]] == [
        ("loans", True, 3),
        ("reading-tips", True, 2),
    ]
    assert [run["is_new"] for run in data(capsys, "import", LOANS)["runs"]] == [False, False]


def test_runs_are_kept_where_the_variable_says(desk, capsys, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path / "elsewhere"))
    told(capsys, "import", LOANS)
    assert not (desk / ".evaldesk").exists()
    assert len(RunStore(Place(str(tmp_path / "elsewhere"))).runs()) == 2


def test_outputs_are_imported_as_such(desk, capsys):
    (desk / "out.jsonl").write_text('{"case_id": "a", "output": "x"}\n')
    assert "out.jsonl: out.jsonl, outputs, its set is not here, 1 result" in told(
        capsys, "import", "out.jsonl"
    )


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["import", "none.json"], "There is no such file"),
        (["import", "evals/loans.evalset.json"], "not a result file"),
        (["import", "broken.json"], "broken.json:1:"),
        (["import", LOANS, "--pass-mark", "7"], "from 0 to 1"),
        (["import", LOANS, "--in", "nowhere"], "no folder"),
        (["compare", "x", "y"], "no run and no result file 'x'"),
        (["compare", LOANS, LOANS], "holds 2 runs"),
        (["compare", f"{LOANS}#3", f"{LOANS}#1"], "no run number 3"),
        (["compare", f"{LOANS}#1", f"{LOANS}#1", "--margin", "0"], "between 0 and 100"),
        (["compare", *[f"{LOANS}#1"] * 9], "9 runs cannot"),
        (["runs", "--delete", "nothing"], "There is no run"),
    ],
)
def test_what_cannot_be_done_is_said_and_exits_with_2(desk, capsys, argv, said):
    (desk / "broken.json").write_text('{"a": ')
    assert main(argv) == 2
    assert said in capsys.readouterr().err


def test_runs_lists_the_newest_first_with_their_numbers(desk, capsys):
    assert "evaldesk import FILE" in told(capsys, "runs")
    told(capsys, "import", LOANS)
    (desk / ".evaldesk" / "runs" / "half").mkdir()
    lines = told(capsys, "runs").splitlines()
    assert lines[0].split() == [
        "ID",
        "NAME",
        "SET",
        "WHEN",
        "(UTC)",
        "RESULTS",
        "PASSED",
        "FAILED",
        "ERRORS",
        "STATUS",
    ]
    assert lines[1].split()[1:] == [
        "loans",
        "loans",
        "2026-09-24",
        "08:15",
        "6",
        "3",
        "2",
        "1",
        "finished",
    ]
    assert lines[3].startswith("half  There is no run half")
    found = data(capsys, "runs")
    assert [run["name"] for run in found["runs"]] == ["loans", "reading-tips"]
    assert found["runs"][0]["metrics"]["response_match_score"] == pytest.approx(0.9292, abs=1e-4)
    assert found["broken"][0]["id"] == "half"


def test_runs_can_be_deleted_by_id_or_name_broken_ones_too(desk, capsys):
    ids = [run["id"] for run in data(capsys, "import", LOANS)["runs"]]
    (desk / ".evaldesk" / "runs" / "half").mkdir()
    assert told(capsys, "runs", "--delete", "loans", "--delete", "half") == (
        f"Deleted {ids[0]}, half\n"
    )
    assert [run["id"] for run in data(capsys, "runs")["runs"]] == [ids[1]]


def test_a_scored_run_is_kept_when_told_to(desk, capsys):
    argv = ["score", "evals/loans.evalset.json", "--outputs", LOANS]
    main(argv)
    assert data(capsys, "runs")["runs"] == []
    main([*argv, "--save"])
    said = capsys.readouterr().err
    (run,) = data(capsys, "runs")["runs"]
    assert said == f"evaldesk: kept as run {run['id']}\n"
    assert (run["source"]["kind"], run["name"]) == ("scored", "loans, scored")
    assert run["set"]["path"].endswith("evals/loans.evalset.json")
    main([*argv, "--save"])
    assert "was kept before" in capsys.readouterr().err
    assert len(data(capsys, "runs")["runs"]) == 1


def test_compare_says_one_honest_sentence_with_the_counts(tmp_path, capsys):
    before, after = hundred_and_twenty(tmp_path)
    lines = told(capsys, "compare", before, after).splitlines()
    assert re.match(r"A  before, [-\d]+ [:\d]+ UTC: 100 of 120 passed \(", lines[0])
    assert re.match(r"B  after, [-\d]+ [:\d]+ UTC: 107 of 120 passed \(", lines[1])
    assert lines[3] == (
        "B fixed 9 and broke 2 of 120 cases; not enough to tell (p = 0.065). "
        "About 210 cases would settle a gap this size."
    )
    assert lines[4] == "▲ 9 fixed  ▼ 2 broke  = 109 same"
    assert lines[5:8] == ["▼ broke:", "    case 100 (-1)", "    case 101 (-1)"]
    assert lines[-2].split() == ["METRIC", "CASES", "A", "B", "CHANGE", "95%", "INTERVAL", "P"]
    assert re.match(r"\S.* 120  0\.8333  0\.8917  \+0\.0583  ", lines[-1])


def test_nothing_is_kept_of_files_that_are_only_compared(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told(capsys, "compare", *hundred_and_twenty(tmp_path))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["after.json", "before.json"]


def test_compare_finds_runs_by_id_and_by_name(desk, capsys):
    ids = [run["id"] for run in data(capsys, "import", LOANS)["runs"]]
    by_id = data(capsys, "compare", *ids)
    by_name = data(capsys, "compare", "loans", "reading-tips")
    by_file = data(capsys, "compare", f"{LOANS}#1", f"{LOANS}#2")
    assert by_id == by_name
    (one,), (other,) = by_id["comparisons"], by_file["comparisons"]
    assert one["counts"] == other["counts"]
    assert {banner["about"] for banner in one["banners"]} == {"set"}


@pytest.mark.parametrize(("on", "code"), [(None, 0), ("worse", 0), ("broke", 1)])
def test_compare_exits_with_1_only_where_it_is_told_to(tmp_path, capsys, on, code):
    before, after = hundred_and_twenty(tmp_path)
    told(capsys, "compare", before, after, *(["--fail-on", on] if on else []), code=code)


def test_a_step_back_is_worse(tmp_path, capsys):
    good = report_of(tmp_path / "a.json", {f"c{n}": True for n in range(20)})
    bad = report_of(tmp_path / "b.json", {f"c{n}": n > 9 for n in range(20)})
    assert ": a step back, p = 0.002." in told(
        capsys, "compare", good, bad, "--fail-on", "worse", code=1
    )
    told(capsys, "compare", bad, good, "--fail-on", "worse")


def test_a_margin_makes_no_worse_a_claim(tmp_path, capsys):
    before, after = hundred_and_twenty(tmp_path)
    said = told(capsys, "compare", before, after, "--margin", "5")
    assert "no worse by more than 5 points" in said


def test_the_data_have_every_number_and_every_changed_case(tmp_path, capsys):
    before, after = hundred_and_twenty(tmp_path)
    (found,) = data(capsys, "compare", before, after)["comparisons"]
    assert found["paired"] == {"both": 98, "fixed": 9, "broke": 2, "neither": 11, "n": 120}
    assert found["outcome"] == "can't tell"
    assert found["difference"]["estimate"] == pytest.approx(7 / 120)
    assert found["counts"]["same"] == 109
    assert [case["case"] for case in found["cases"] if case["outcome"] == "broke"] == [
        "case 100",
        "case 101",
    ]
    assert len(found["cases"]) == 11


def test_several_runs_are_each_held_against_the_first(tmp_path, capsys):
    before, after = hundred_and_twenty(tmp_path)
    said = told(capsys, "compare", before, after, before)
    assert "B fixed 9" in said
    assert "C changed no verdict of 120 cases" in said
    assert len(data(capsys, "compare", before, after, before)["comparisons"]) == 2


def test_markdown_keeps_what_files_say_inside_code_spans(tmp_path, capsys):
    odd = "x`|<b>](http://e.test) @someone\n# heading"
    a = report_of(tmp_path / "a.json", {odd: True, "y": True})
    b = report_of(tmp_path / "b.json", {odd: False, "y": True})
    said = told(capsys, "compare", a, b, "--format", "md")
    assert said.startswith("## `b` against `a`\n\n**B fixed 0 and broke 1 of 2 cases")
    (line,) = [line for line in said.splitlines() if "@someone" in line]
    assert line.startswith("- ``")
    assert line.endswith("``")
    assert "\n# heading" not in said
    assert "| metric | cases |" in said


def test_a_long_list_of_cases_is_cut_and_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(report, "MOST_CASES", 3)
    said = told(capsys, "compare", *hundred_and_twenty(tmp_path))
    assert "    and 6 more" in said


def test_a_terminal_cannot_be_steered_by_a_case(tmp_path, capsys):
    a = report_of(tmp_path / "a.json", {"\x1b[31m\u202e": True})
    b = report_of(tmp_path / "b.json", {"\x1b[31m\u202e": False})
    said = told(capsys, "compare", a, b)
    assert "\x1b" not in said
    assert "\\x1b[31m\\u202e" in said


def test_the_readme_quotes_the_sentences_that_are_printed():
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    for counts, margin in (
        (PairedCounts(98, 9, 2, 11), None),
        (PairedCounts(98, 9, 2, 11), 0.05),
        (PairedCounts(70, 14, 2, 14), None),
        (PairedCounts(100, 0, 0, 20), None),
    ):
        assert f"“{paired_sentence(counts, 'B', margin)}”" in text
