"""The comparison itself: what agrees, what does not, and how it is told."""

import json

import pytest

from tests.conformance.__main__ import main
from tests.conformance.report import Mismatch, alike, failure, run, unchecked

NAN = float("nan")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(1, 1.0), (0.1 + 0.2, 0.3), (NAN, NAN), ([1, {"a": 2}], [1.0, {"a": 2.0}]), (True, True)],
)
def test_numbers_agree_within_the_tolerance(ours, theirs):
    assert alike(ours, theirs)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (1, True),
        (0, False),
        (1, "1"),
        (None, 0),
        (0.5, 0.5 + 1e-8),
        (NAN, 0.0),
        ({"a": 1}, {"a": 1, "b": 2}),
        ([1], [1, 2]),
    ],
)
def test_kinds_of_values_are_kept_apart(ours, theirs):
    assert not alike(ours, theirs)


def test_an_unexpected_error_is_a_failure():
    def breaks(row):
        raise KeyError("x")

    def differs(row):
        raise Mismatch("1 is not 2")

    assert failure(breaks, {"id": "one"}, 0) == "one: KeyError: 'x'"
    assert failure(differs, {}, 4) == "4: 1 is not 2"
    assert failure(lambda row: None, {}, 4) == ""


PATHS = [{"output": {"a": 1}, "path": "a", "value": 1}, {"output": 1, "path": "*", "value": 2}]


@pytest.fixture
def vectors(tmp_path):
    def write(**file):
        path = tmp_path / "vectors.json"
        path.write_text(json.dumps({"package": "uipath", **file}), encoding="utf-8")
        return path

    return write


def test_sections_count_what_agrees(vectors):
    (section,) = run(vectors(paths=PATHS, about="text"))
    assert str(section) == "uipath paths: 1/2"
    assert section.failures == ("1: value: ours 1, theirs 2",)


def test_lists_that_nothing_checks_are_named(vectors):
    assert unchecked(vectors(paths=PATHS, other=[])) == ["other"]


def test_the_exit_code_is_1_for_a_mismatch_or_a_file_without_cases(vectors, tmp_path, capsys):
    assert main([str(vectors(paths=PATHS[:1]))]) == 0
    assert capsys.readouterr().out == "uipath paths: 1/1\n"
    assert main([str(vectors(paths=PATHS))]) == 1
    assert main([str(vectors())]) == 1
    assert main([str(tmp_path / "nothing.json")]) == 1
    assert main([]) == 2


def test_a_file_of_no_known_system_is_refused(tmp_path, capsys):
    path = tmp_path / "x.json"
    path.write_text('{"package": "nobody"}', encoding="utf-8")
    assert main([str(path)]) == 1
    assert "no vectors of a system" in capsys.readouterr().err
