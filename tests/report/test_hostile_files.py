"""Result files in which nothing is as it should be, of every system, up to each report."""

import json
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from uuid import uuid4
from xml.etree import ElementTree

import pytest

from evalcore.report import ReportKind
from evalcore.results import Verdict
from evalcore.store import Place, RunQuery, RunStore, StoredRun
from evalcore.store.importing import import_result
from evalcore.workspace import Workspace
from tests.report import hostile_files
from tests.report.hostile_files import SYSTEMS
from tests.report.runs import exported
from tests.report.test_html import Read
from tests.report.test_markdown import without_code
from tests.report.test_tables import book, by_head, rows
from tests.samples import SAMPLES

SYSTEM = pytest.mark.parametrize("system", SYSTEMS)


@cache
def imported(system: str) -> tuple[StoredRun, int]:
    """Return the run of a hostile file, and how many results of cases the file has for it."""
    folder = Path(mkdtemp(prefix="hostile-"))
    try:
        shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
        path = hostile_files.write(system, folder)
        store = RunStore(Place(f"memory://{uuid4().hex}"))
        first = import_result(store, Workspace(folder), path)[0]
        found = json.loads((folder / path).read_bytes())
        for step in SYSTEMS[system].cases:
            found = found[step]
        return store.open(first), len(found)
    finally:
        shutil.rmtree(folder)


@SYSTEM
def test_no_result_is_lost_and_each_loads(system: str):
    run, cases = imported(system)
    assert run.manifest.cases.total == cases
    lines = run.page(RunQuery(limit=10_000)).lines
    assert len(lines) == len({(line.case_key, line.repeat) for line in lines}) == cases
    assert len(run.cases([line.case_row for line in lines])) == cases


@SYSTEM
def test_the_same_case_twice_is_a_repeat(system: str):
    run, _ = imported(system)
    first = run.page(RunQuery(rows=(0,))).lines[0]
    assert run.page(RunQuery(rows=(1,))).lines[0].case_key == first.case_key
    assert len(run.repeats(first.case_key)) >= 2


@pytest.mark.parametrize("system", ["harnest", "tenxgraph"])
def test_a_summary_that_contradicts_its_cases_is_pointed_out(system: str):
    run, _ = imported(system)
    found = run.verdicts(RunQuery())
    assert found[Verdict.FAILED] + found[Verdict.ERROR]
    said = "The result file says passed; counting its cases gives"
    assert said in exported("md", run).decode()
    assert said in exported("html", run).decode()


@SYSTEM
def test_junit_is_xml_with_every_result(system: str):
    run, cases = imported(system)
    tree = ElementTree.fromstring(exported("junit", run))
    assert len(tree.findall(".//testcase")) == cases
    names = [element.get("name") for element in tree.iter("testcase")]
    assert len(set(names)) == cases


@SYSTEM
def test_csv_has_every_result_and_no_formula(system: str):
    run, cases = imported(system)
    found = rows(exported("csv", run))
    assert len(found) == cases
    texts = [text for row in found for text in row.values() if not is_number(text)]
    assert not [text for text in texts if text.lstrip()[:1] in ("=", "+", "-", "@")]


@SYSTEM
def test_workbooks_open_with_every_result_and_no_formula(system: str):
    run, cases = imported(system)
    found = book(exported("xlsx", run))
    assert len(by_head(found["Cases"])) == cases
    cells = [cell for sheet in found for line in sheet.iter_rows() for cell in line]
    assert not [cell for cell in cells if cell.data_type == "f"]


@SYSTEM
def test_json_is_strict_and_has_every_result(system: str):
    run, cases = imported(system)
    found = json.loads(exported("json", run), parse_constant=refused)
    assert len(found["cases"]) == cases


@SYSTEM
def test_the_page_has_every_result_and_nothing_of_them_runs(system: str):
    run, cases = imported(system)
    found = Read(exported("html", run).decode())
    assert len(json.loads(found.blocks["index"])["lines"]) == cases
    assert all(json.loads(found.blocks[f"case-{place}"]) for place in range(cases))
    scripts = [held for tag, held in found.tags if tag == "script"]
    assert [held for held in scripts if held.get("type") != "application/json"] == [{}]
    assert not {"img", "link", "iframe", "object", "a"} & {tag for tag, _ in found.tags}
    assert not [name for _, held in found.tags for name in held if name.startswith("on")]


@SYSTEM
def test_nothing_in_markdown_renders(system: str):
    run, _ = imported(system)
    plain = without_code(exported("md", run).decode())
    assert not [mark for mark in ("<", "](", "![", "@", "http") if mark in plain]


@SYSTEM
@pytest.mark.parametrize("kind", ReportKind)
def test_what_a_search_leaves_is_reported_too(system: str, kind: ReportKind):
    run, cases = imported(system)
    query = RunQuery(text="window.owned")
    assert 0 < run.count(query) < cases
    assert exported(kind, run, query)


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def refused(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")
