"""The rules of Harnest's compiler, one test each, in the order in which it applies them."""

import json
from pathlib import PurePath

import pytest

from evalcore.errors import DocumentError
from evalcore.formats.base import Neighbour
from evalcore.formats.harnest.folder import folder_problems
from evalcore.jsondoc import JsonDocument
from tests.formats.adk.helpers import (
    Nearby,
    calls,
    case,
    config,
    errors,
    eval_set,
    found,
    problems,
    turn,
)

SET = PurePath("agent/evals/s.evalset.json")
CONFIG = PurePath("agent/evals/test_config.json")
EVALS = Neighbour("evals", is_folder=True)
OWN = Neighbour("s.evalset.json")


def folder(*entries, parent=(EVALS,)):
    return Nearby(entries={"": entries or (OWN,), "..": parent})


def refused(value=None, near=None, path=SET):
    return [code for code, _ in errors(eval_set() if value is None else value, path, near)]


def test_a_sound_set_in_a_sound_folder_has_nothing_to_report():
    assert found(eval_set(), SET, folder()) == []


def test_rule_01_the_folder_is_no_link():
    near = folder(parent=(Neighbour("evals", is_folder=True, is_link=True),))
    assert refused(near=near) == ["harnest.folder_is_link"]


def test_rule_02_the_folder_is_a_folder():
    assert [p.code for p in folder_problems((Neighbour("evals"),), ())] == [
        "harnest.folder_is_file"
    ]


@pytest.mark.parametrize("name", ["b.evalset.json", ".hidden", "_draft.evalset.json"])
def test_rule_03_nothing_in_it_is_a_link_hidden_names_included(name):
    assert refused(near=folder(OWN, Neighbour(name, is_link=True))) == ["harnest.linked_file"]


@pytest.mark.parametrize("name", [".cache", "_archive", "__init__.py", "_README.md"])
@pytest.mark.parametrize("is_folder", [False, True])
def test_rule_04_names_with_a_dot_or_underscore_are_left_out(name, is_folder):
    assert found(eval_set(), SET, folder(OWN, Neighbour(name, is_folder))) == []


def test_rule_04_a_set_that_is_left_out_is_told_so_and_has_no_errors():
    path = PurePath("agent/evals/_s.evalset.json")
    value = eval_set(case("a"), case("a"))
    codes = {(s, c) for s, c, _ in found(value, path, folder(OWN, Neighbour("_s.evalset.json")))}
    assert ("info", "harnest.inactive") in codes
    assert ("warning", "harnest.duplicate_case_id") in codes
    assert errors(value, path) == []


def test_rule_05_it_holds_no_folders():
    assert refused(near=folder(OWN, Neighbour("more", is_folder=True))) == [
        "harnest.folder_in_folder"
    ]


@pytest.mark.parametrize(
    "name", ["notes.md", "README.md", "cases.csv", "quality.json", "Test_Config.json"]
)
def test_rule_06_it_holds_sets_and_one_config_only(name):
    assert refused(near=folder(OWN, Neighbour(name))) == ["harnest.unexpected_file"]


def test_rule_06_the_config_itself_is_expected():
    assert refused(near=folder(OWN, Neighbour("test_config.json"))) == []


@pytest.mark.parametrize("other", ["_s.evalset.json", ".s.evalset.json"])
def test_rule_07_a_config_needs_an_active_set(other):
    near = folder(Neighbour("test_config.json"), Neighbour(other))
    assert refused(config(safety_v1=1), near, CONFIG) == ["harnest.config_without_set"]


def test_rule_08_an_installed_adk_is_no_matter_of_the_files():
    assert all("import" not in p.message for p in problems(eval_set(), SET, folder()))


@pytest.mark.parametrize(("size", "is_refused"), [(16 * 1024 * 1024, False), (16777217, True)])
def test_rule_09_a_file_has_at_most_16_mebibytes(size, is_refused):
    data = json.dumps(eval_set()).encode()
    assert (refused(data + b" " * (size - len(data))) == ["harnest.too_large"]) is is_refused


def test_rule_10_files_are_utf_8():
    with pytest.raises(DocumentError):
        JsonDocument.parse('{"eval_set_id": "é"}'.encode("latin-1"))


def test_rule_11_files_are_json():
    with pytest.raises(DocumentError):
        JsonDocument.parse(b'{"eval_set_id": "s",}')


def test_rule_11_a_byte_order_mark_is_refused():
    assert refused(b"\xef\xbb\xbf" + json.dumps(eval_set()).encode()) == ["harnest.bom"]


@pytest.mark.parametrize("number", [b"NaN", b"Infinity"])
def test_rule_11_nan_and_infinity_pass(number):
    data = json.dumps(eval_set()).encode()[:-1] + b', "creation_timestamp": ' + number + b"}"
    assert refused(data) == []


@pytest.mark.parametrize(
    "data",
    [
        b'{"eval_set_id": "x", "eval_set_id": "s", "eval_cases": []}',
        b'{"eval_set_id": "s", "eval_cases": [], "own": {"deep": [{"a": 1, "a": 1}]}}',
    ],
)
def test_rule_12_no_object_has_a_name_twice(data):
    assert refused(data) == ["harnest.duplicate_key"]


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ({"evalSetId": "s", "evalCases": []}, "camel_case_set"),
        ({}, "not_an_eval_set"),
        ([], "not_an_eval_set"),
        ([{"name": "n", "data": [{"query": "q"}]}], "legacy_shape"),
        (eval_set({"eval_id": "c"}), "no_conversation"),
        (eval_set(case(evalId=1)), "wrong_type"),
        (eval_set(case("c", turn(note=1))), "unknown_key"),
        (eval_set(case("c", turn(duration=1.5))), "unknown_key"),
        (
            eval_set(
                case("c", turn(intermediate_data={"invocation_events": [{"author": "a", "x": 1}]}))
            ),
            "unknown_key",
        ),
        (
            eval_set(
                case(rubrics=[{"rubricId": "r", "rubricContent": {}, "type": "TOOL_USE_QUALITY"}])
            ),
            "missing",
        ),
    ],
)
def test_rule_13_a_set_is_what_adk_2_8_reads(value, code):
    assert f"harnest.{code}" in refused(value)


@pytest.mark.parametrize(
    "value",
    [
        eval_set(owner="me", version=2),
        {"eval_set_id": "s", "eval_cases": []},
        eval_set({"eval_id": "c", "conversation": []}),
        eval_set(case("")),
        eval_set(case("c", turn(intermediate_data={}))),
        eval_set(case(name="A name", tags=["x"])),
    ],
)
def test_rule_13_what_adk_reads_passes(value):
    assert refused(value) == []


@pytest.mark.parametrize(
    ("set_id", "name", "is_refused"),
    [
        ("s", "s", False),
        ("answer-quality v1.2", "answer-quality v1.2", False),
        ("S", "s", True),
        ("other", "s", True),
        ("s.evalset", "s", True),
    ],
)
def test_rule_14_the_sets_id_is_the_files_name(set_id, name, is_refused):
    path = PurePath(f"agent/evals/{name}.evalset.json")
    value = eval_set() | {"eval_set_id": set_id}
    assert (errors(value, path) == [("harnest.set_id_differs", "/eval_set_id")]) is is_refused


def test_rule_15_case_ids_differ_within_a_set():
    assert errors(eval_set(case("a"), case("b"), case("a")), SET) == [
        ("harnest.duplicate_case_id", "/eval_cases/2/eval_id")
    ]


@pytest.mark.parametrize(
    ("value", "is_refused"),
    [
        (config(safety_v1=1, mine="0.5", other=True), False),
        (config(safety_v1={"threshold": 1, "matchTyp": "x"}), False),
        (config(tool_trajectory_avg_score={"threshold": 1, "matchType": "BOGUS"}), False),
        (config(safety_v1={"threshold": 80}) | {"userSimulatorConfig": {}}, False),
        (config(safety_v1=None), True),
        (config(safety_v1=[]), True),
        (config(safety_v1={"limit": 1}), True),
        ({"customMetrics": {"m": {"codeConfig": {"name": "a", "args": []}}}}, True),
        ({"userSimulatorConfig": {"type": "human"}}, True),
        ([], True),
    ],
)
def test_rule_16_the_config_is_what_adk_reads(value, is_refused):
    assert bool(refused(value, path=CONFIG)) is is_refused


def test_rule_17_a_run_needs_an_active_set():
    path = PurePath("agent/evals/_s.evalset.json")
    codes = found(eval_set(), path, folder(Neighbour("_s.evalset.json")))
    assert ("warning", "harnest.no_sets", "") in codes


def test_layout_comes_before_content():
    near = folder(OWN, Neighbour("notes.md"))
    assert refused(eval_set() | {"eval_set_id": "x"}, near) == [
        "harnest.unexpected_file",
        "harnest.set_id_differs",
    ]


def test_nothing_is_found_in_a_folder_that_cannot_be_seen():
    assert list(folder_problems((), ())) == []


def test_every_refusal_says_what_to_do():
    near = folder(OWN, Neighbour("notes.md"), Neighbour("x", is_folder=True))
    value = eval_set(case("a"), case("a", turn(intermediate_data=calls({"args": 1}))))
    assert all(p.hint for p in problems(value, SET, near) if p.severity == "error")
