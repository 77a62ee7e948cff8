"""What must hold for every file among the samples, and for the real files where they are."""

import re
import shutil
from functools import cache
from pathlib import Path

import pytest

from evalcore import formats
from evalcore.errors import DocumentError
from evalcore.formats.base import Kind
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, leaves, put
from evalcore.results import CaseResult, Run, Score, Verdict
from evalcore.workspace import Entry, Workspace
from tests.samples import REAL, SAMPLES, json_files, original_path

DIALECTS = {
    "adk": "adk/refund_desk",
    "harnest": "harnest/library_helper",
    "tenxgraph": "tenxgraph/trip_planner",
    "uipath_coded": "uipath_coded/claims_intake",
    "uipath_lowcode": "uipath_lowcode/SupportTriage",
}
BROKEN = SAMPLES / "odd" / "broken"
WRITERS = {"uipath_lowcode": "uipath_coded"}
"""The format of the tool that wrote a project's results, where it is another one."""
UNKNOWN_TO = {"tenxgraph": {Verdict.NOT_EVALUATED}}
"""Verdicts that a system never gives."""
STRINGS_TRIED = 12
"""How many strings of one file are changed, spread over the file."""


def readable() -> list[Path]:
    return [path for path in json_files() if BROKEN not in path.parents]


def ids(path: Path) -> str:
    return str(original_path(path))


@cache
def workspace() -> Workspace:
    return Workspace(SAMPLES)


def entries_of(project: str) -> list[Entry]:
    return [e for e in workspace().entries() if e.path.startswith(f"{project}/")]


@pytest.mark.parametrize("path", readable(), ids=ids)
def test_a_file_nobody_touched_is_written_byte_for_byte(path: Path):
    data = path.read_bytes()
    document = JsonDocument.parse(data)
    assert document.render(document.value) == data


@pytest.mark.parametrize("path", readable(), ids=ids)
def test_changing_one_string_changes_exactly_one_line(path: Path):
    document = JsonDocument.parse(path.read_bytes())
    before = document.data.split(b"\n")
    for pointer, text in some_strings(document.value):
        changed = document.render(put(document.value, pointer, f"{text} and more"))
        after = changed.split(b"\n")
        assert len(after) == len(before), pointer
        assert sum(old != new for old, new in zip(before, after, strict=True)) == 1, pointer


def some_strings(value: JsonValue) -> list[tuple[str, str]]:
    found = [(pointer, leaf) for pointer, leaf in leaves(value) if isinstance(leaf, str)]
    step = max(1, len(found) // STRINGS_TRIED)
    return [*found[::step], *found[-1:]]


def is_eval_set(path: Path) -> bool:
    """Return whether a file must be an eval set, by the names that the systems give them."""
    return path.name.endswith((".evalset.json", ".test.json")) or path.parent.name == "eval-sets"


def test_every_eval_set_of_the_samples_is_listed_and_opens():
    expected = {
        str(path.relative_to(SAMPLES))
        for path in readable()
        if SAMPLES in path.parents and is_eval_set(original_path(path))
    }
    assert len(expected) > 25
    assert_listed_and_open(workspace(), expected)


@pytest.mark.skipif(not REAL.is_dir(), reason="the files of other people are not here")
def test_every_eval_set_of_other_people_is_listed_and_opens(tmp_path: Path):
    expected = set()
    for path in REAL.rglob("*.json"):
        original = original_path(path)
        target = tmp_path / original
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
        if is_eval_set(original):
            expected.add(str(original))
    assert len(expected) > 25
    assert_listed_and_open(Workspace(tmp_path), expected)


def assert_listed_and_open(place: Workspace, expected: set[str]) -> None:
    listed = {entry.path: entry for entry in place.eval_sets()}
    assert expected - listed.keys() == set()
    for path in sorted(expected):
        assert listed[path].error is None, path
        opened = place.open(path)
        assert opened.format is not None and opened.detection is not None
        assert opened.detection.kind is Kind.EVAL_SET, path
        lens = opened.format.lens_for(opened.detection)
        assert len(lens.read(opened.document.value).cases) == listed[path].case_count, path


@pytest.mark.parametrize("path", sorted(BROKEN.iterdir()), ids=lambda path: path.name)
def test_a_broken_file_is_a_row_that_says_where_it_is_broken(path: Path):
    with pytest.raises(DocumentError) as caught:
        JsonDocument.parse(path.read_bytes())
    assert caught.value.line is not None
    entry = next(e for e in workspace().eval_sets() if e.path == str(path.relative_to(SAMPLES)))
    assert entry.error is not None and entry.error.severity == "error"
    assert entry.error.hint


@pytest.mark.parametrize(("format_id", "project"), DIALECTS.items())
def test_a_sample_project_is_whole(format_id: str, project: str):
    found = entries_of(project)
    written_by = {WRITERS.get(format_id, format_id)}
    assert {e.detection.format_id for e in found if e.kind is Kind.RESULT and e.detection} == (
        written_by
    )
    assert {e.detection.format_id for e in found if e.kind is not Kind.RESULT and e.detection} == {
        format_id
    }
    kinds = {entry.kind for entry in found}
    assert {Kind.EVAL_SET, Kind.RESULT} <= kinds
    assert kinds & {Kind.EVALUATOR, Kind.CRITERIA}
    largest = max(e.case_count or 0 for e in found if e.kind is Kind.EVAL_SET)
    assert 6 <= largest <= 12
    for entry in found:
        if entry.kind is Kind.EVAL_SET:
            assert workspace().evaluators_of(entry.path) or format_id == "tenxgraph", entry.path


@pytest.mark.parametrize("project", DIALECTS.values())
def test_a_sample_project_has_no_errors(project: str):
    problems = [p for e in entries_of(project) for p in e.problems if p.severity == "error"]
    assert problems == []


@pytest.mark.parametrize(("format_id", "project"), DIALECTS.items())
def test_a_recorded_result_tells_a_story(format_id: str, project: str):
    runs = runs_of(project)
    told = {verdict_of(case) for run in runs for case in run.cases}
    scores = [score for run in runs for case in run.cases for score in scores_of(case)]
    told |= {score.verdict for score in scores}
    wanted = {Verdict.ERROR, Verdict.NOT_EVALUATED} - UNKNOWN_TO.get(format_id, set())
    if all(run.has_pass_rule for run in runs):
        wanted |= {Verdict.PASSED, Verdict.FAILED}
    assert wanted - told == set()
    values = [score.value for score in scores if score.value is not None]
    assert max(values) == 1.0 and min(values) < 0.5


def verdict_of(case: CaseResult) -> Verdict | None:
    return Verdict.ERROR if case.error else case.verdict


def scores_of(case: CaseResult) -> list[Score]:
    return [*case.scores, *(score for turn in case.invocations for score in turn.scores)]


@pytest.mark.parametrize("project", DIALECTS.values())
def test_the_results_of_a_sample_belong_to_its_eval_sets(project: str):
    sets = {e.path: e for e in entries_of(project) if e.kind is Kind.EVAL_SET}
    joined = {found.path for path in sets for found in workspace().results_of(path)}
    assert joined == {e.path for e in entries_of(project) if e.kind is Kind.RESULT}


def runs_of(project: str) -> list[Run]:
    found: list[Run] = []
    for entry in entries_of(project):
        if entry.kind is Kind.RESULT:
            opened = workspace().open(entry.path)
            assert opened.format is not None and opened.detection is not None
            found += opened.format.read_runs(opened.document.value, opened.detection)
    return found


def test_no_two_formats_are_sure_of_one_file():
    for path in readable():
        formats.detect(JsonDocument.parse(path.read_bytes()).value, original_path(path))


PRIVATE = re.compile(
    rb"/home/|/root/|/tmp/|/Users/|[A-Z]:\\\\|BEGIN [A-Z ]*PRIVATE KEY|sk-[A-Za-z0-9]{16}"
)


def test_samples_hold_no_paths_of_a_machine_and_no_secrets():
    files = [path for path in SAMPLES.rglob("*") if path.is_file()]
    assert [path.name for path in files if PRIVATE.search(path.read_bytes())] == []
