"""The library's rows, filters and search."""

import json
from pathlib import Path

import pytest

from evalcore.views.find import TextIndex
from evalcore.views.library import (
    SetFilter,
    checks_of,
    library,
    matching,
    sorted_sets,
    summary,
)
from evalcore.views.newset import choosable_formats, project_of, slug, suggested_path
from evalcore.workspace import Workspace
from tests.views.builders import case, turn


def write(folder, path, value):
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    cases = [case("a", turn("Where is my LAMP?"))]
    write(tmp_path, "x/refunds.evalset.json", {"eval_set_id": "refunds", "eval_cases": cases})
    guid = "1be50511-ff75-4d68-b2d7-2165cbdc1044"
    write(tmp_path, "y/trip.test.json", {"eval_set_id": guid, "eval_cases": []})
    write(tmp_path, "broken.evalset.json", '{"eval_cases": [')
    write(tmp_path, "package.json", {"name": "not ours"})
    return tmp_path


def rows(folder, drafts=()):
    return {row.path: row for row in library(Workspace(folder).entries(), drafts).sets}


def test_every_set_and_every_broken_file_of_ours_is_a_row(folder):
    found = rows(folder)
    assert set(found) == {"x/refunds.evalset.json", "y/trip.test.json", "broken.evalset.json"}
    assert found["x/refunds.evalset.json"].cases == 1


def test_a_broken_file_is_a_row_that_says_why(folder):
    row = rows(folder)["broken.evalset.json"]
    assert not row.is_readable
    assert row.severity == "error"
    assert row.problems[0].message


def test_a_random_id_is_no_title(folder):
    assert rows(folder)["y/trip.test.json"].name == "trip"
    assert rows(folder)["x/refunds.evalset.json"].name == "refunds"


def test_the_summary_counts_what_is_shown_and_what_there_is(folder):
    found = library(Workspace(folder).entries())
    assert summary(found, found.sets, is_filtered=False) == "3 sets · 1 case"
    some = [row for row in found.sets if row.path.startswith("y/")]
    assert summary(found, some, is_filtered=True) == "1 of 3 sets · 0 of 1 case"


def test_unsaved_edits_show(folder):
    found = rows(folder, {"y/trip.test.json"})
    assert [p for p, row in found.items() if row.has_draft] == ["y/trip.test.json"]


@pytest.mark.parametrize(
    ("wanted", "texts", "found"),
    [
        (SetFilter(), (), 3),
        (SetFilter(text="REFUND"), (), 1),
        (SetFilter(text="x/"), (), 1),
        (SetFilter(text="lamp"), (), 0),
        (SetFilter(text="lamp"), ("x/refunds.evalset.json",), 1),
        (SetFilter(formats=("adk",)), (), 2),
        (SetFilter(formats=("unreadable",)), (), 1),
        (SetFilter(problems="errors"), (), 1),
    ],
)
def test_filters_let_the_right_rows_through(folder, wanted, texts, found):
    assert len(matching(rows(folder).values(), wanted, texts)) == found


def test_healthy_and_with_problems_share_all_rows(folder):
    every = rows(folder).values()
    healthy = matching(every, SetFilter(problems="healthy"))
    ill = matching(every, SetFilter(problems="problems"))
    assert len(healthy) + len(ill) == len(every)


def test_the_text_of_cases_is_found_whatever_its_case(folder):
    workspace = Workspace(folder)
    texts = TextIndex(workspace)
    assert texts.holding(workspace.entries(), "my lamp") == {"x/refunds.evalset.json"}
    assert texts.holding(workspace.entries(), "") == frozenset()


def test_a_changed_file_is_read_again(folder):
    workspace = Workspace(folder)
    texts = TextIndex(workspace)
    assert not texts.holding(workspace.entries(), "chair")
    changed = {"eval_set_id": "refunds", "eval_cases": [case("a", turn("Where is my chair?"))]}
    write(folder, "x/refunds.evalset.json", changed)
    assert texts.holding(workspace.entries(), "chair")


def test_an_unchanged_file_is_read_once(folder, monkeypatch):
    workspace = Workspace(folder)
    texts = TextIndex(workspace)
    entries = workspace.entries()
    texts.holding(entries, "lamp")
    monkeypatch.setattr(workspace, "open", lambda path: pytest.fail(f"read {path} again"))
    assert texts.holding(entries, "lamp")


def test_the_checks_of_a_set_are_counted(folder):
    write(folder, "x/test_config.json", {"criteria": {"response_match_score": 0.8}})
    assert checks_of(Workspace(folder), "x/refunds.evalset.json") == 1
    assert checks_of(Workspace(folder), "broken.evalset.json") is None


@pytest.mark.parametrize(
    ("name", "made"),
    [("Refunds, happy path", "refunds_happy_path"), ("Müller & Söhne", "muller_sohne")],
)
def test_names_become_file_names(name, made):
    assert slug(name) == made


def test_a_name_without_letters_still_gives_a_file_name():
    assert slug("???") == "new_set"


def test_a_new_set_lies_beside_its_likes_under_a_free_name(folder):
    entries = Workspace(folder).entries()
    adk = choosable_formats()["adk"]
    assert suggested_path(adk, "Parcels", entries) == "x/parcels.evalset.json"
    assert suggested_path(adk, "refunds", entries) == "x/refunds_2.evalset.json"
    assert suggested_path(adk, "Parcels", []).endswith("parcels.evalset.json")


def test_a_new_set_never_lies_where_its_system_does_not_look(tmp_path: Path):
    from evalcore.builder import EvalSetBuilder

    for place in ("foreign/a.json", "one/evaluations/eval-sets/a.json"):
        EvalSetBuilder(place, to="uipath_coded").add_case("a").save(tmp_path / place)
    coded = choosable_formats()["uipath_coded"]
    entries = Workspace(tmp_path).entries()
    assert suggested_path(coded, "new", entries) == "one/evaluations/eval-sets/new.json"
    foreign = [entry for entry in entries if entry.path.startswith("foreign")]
    assert suggested_path(coded, "new", foreign) == "evaluations/eval-sets/new.json"


@pytest.mark.parametrize(
    ("old", "path", "new", "expected"),
    [
        ("adk", "desk/a.evalset.json", "uipath_coded", "desk/evaluations/eval-sets/n.json"),
        ("uipath_coded", "p/evaluations/eval-sets/a.json", "adk", "p/n.evalset.json"),
        ("uipath_lowcode", "p/evals/eval-sets/a.json", "harnest", "p/evals/n.evalset.json"),
        ("harnest", "p/evals/a.evalset.json", "tenxgraph", "p/n.evalset.json"),
        ("tenxgraph", "a.json", "uipath_lowcode", "evals/eval-sets/n.json"),
    ],
)
def test_a_converted_set_stays_in_its_project(old, path, new, expected):
    formats = choosable_formats()
    project = project_of(formats[old], path)
    assert suggested_path(formats[new], "n", [], project) == expected


def test_every_format_suggests_a_place_that_its_system_takes(tmp_path):
    from evalcore.saving import create

    workspace = Workspace(tmp_path)
    for format_id, of in choosable_formats().items():
        path = suggested_path(of, f"My {format_id}", [])
        made = create(workspace, path, format_id=format_id, set_id="my_set", name="My set")
        assert made.detection is not None
        assert made.detection.format_id == format_id


@pytest.mark.parametrize(
    ("by", "first"),
    [
        ("name", "broken.evalset.json"),
        ("-name", "y/trip.test.json"),
        ("cases", "y/trip.test.json"),
        ("-cases", "x/refunds.evalset.json"),
        ("-problems", "broken.evalset.json"),
        ("", "broken.evalset.json"),
        ("nonsense", "broken.evalset.json"),
    ],
)
def test_rows_are_sorted_by_a_column(folder, by, first):
    assert sorted_sets(list(rows(folder).values()), by)[0].path == first


@pytest.mark.parametrize("by", ["cases", "-cases", "run", "-run"])
def test_rows_without_a_value_come_last_both_ways(folder, by):
    *_rest, last = sorted_sets(list(rows(folder).values()), by)
    assert getattr(last, {"cases": "cases", "run": "last_run_at"}[by.strip("-")]) is None
