"""A set that is saved under another name: what follows the name, and which ids are new."""

import json
from pathlib import Path
from uuid import UUID

import pytest

from evalcore.drafts import Draft
from evalcore.errors import Problem
from evalcore.saving import save_as
from evalcore.workspace import Workspace

GUID = "0f8fad5b-d9cb-469f-a165-70867728950e"
CASE = "7c9e6679-7425-40de-944b-e07fc1f90ae7"
TURN = {"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Ho"}]}}
ADK = {"eval_set_id": "old", "eval_cases": [{"eval_id": "c", "conversation": [TURN]}]}
TENX = {
    "eval_set_id": "old",
    "eval_cases": [
        {"eval_id": "c", "conversation": [{"user_content": {"role": "user", "content": "Hi"}}]}
    ],
}
CODED = {
    "version": "1.0",
    "id": "old",
    "name": "Old",
    "evaluatorRefs": [],
    "evaluations": [{"id": "c", "name": "c", "inputs": {}, "evaluationCriterias": {}}],
}


def lowcode(**more):
    case = {
        "id": CASE,
        "name": "c",
        "inputs": {"price": 5.0},
        "expectedOutput": {},
        "expectedAgentBehavior": "",
        "evalSetId": GUID,
        **more,
    }
    return {
        "fileName": "old.json",
        "id": GUID,
        "name": "Old",
        "batchSize": 10,
        "evaluatorRefs": [],
        "evaluations": [case],
    }


def saved(root: Path, source: str, target: str, value: object, *, remains: bool = True):
    """Save a set under another name and return what was written."""
    path = root / source
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))
    workspace = Workspace(root)
    draft = Draft(workspace.open(source))
    if not remains:
        path.unlink()
    save_as(workspace, draft, target)
    return json.loads((root / target).read_text())


@pytest.mark.parametrize(
    ("source", "target", "value", "key", "expected"),
    [
        ("a/old.evalset.json", "a/new.evalset.json", ADK, "eval_set_id", "new"),
        ("a/old.test.json", "a/new.test.json", ADK, "eval_set_id", "new"),
        ("evals/old.evalset.json", "evals/new.evalset.json", ADK, "eval_set_id", "new"),
        ("old.evalset.json", "New.EVALSET.JSON", TENX, "eval_set_id", "New"),
        ("evaluations/eval-sets/old.json", "evaluations/eval-sets/new.json", CODED, "id", "new"),
        (
            "evaluations/eval-sets/old.json",
            "evaluations/eval-sets/new.json",
            {**CODED, "fileName": "old.json"},
            "fileName",
            "new.json",
        ),
        (
            "evals/eval-sets/old.json",
            "evals/eval-sets/new.json",
            lowcode(),
            "fileName",
            "new.json",
        ),
    ],
)
def test_a_copy_is_called_like_its_file(tmp_path, source, target, value, key, expected):
    written = saved(tmp_path, source, target, value)
    assert written[key] == expected
    assert json.loads((tmp_path / source).read_text()) == value


@pytest.mark.parametrize(
    ("name", "value", "key"),
    [
        ("{}.evalset.json", {**TENX, "eval_set_id": GUID}, "eval_set_id"),
        ("evaluations/eval-sets/{}.json", {**CODED, "id": GUID}, "id"),
        ("evals/eval-sets/{}.json", lowcode(), "id"),
    ],
)
def test_a_copy_of_a_set_with_a_guid_has_a_guid_of_its_own(tmp_path, name, value, key):
    written = saved(tmp_path, name.format("old"), name.format("new"), value)
    assert written[key] != GUID and str(UUID(written[key])) == written[key]


def test_the_cases_of_a_low_code_copy_belong_to_it_under_new_ids(tmp_path):
    written = saved(tmp_path, "evals/eval-sets/a.json", "evals/eval-sets/b.json", lowcode())
    (case,) = written["evaluations"]
    assert case["evalSetId"] == written["id"]
    assert case["id"] != CASE and str(UUID(case["id"])) == case["id"]


def test_a_low_code_case_of_another_set_stays_with_it(tmp_path):
    value = lowcode(evalSetId="elsewhere")
    written = saved(tmp_path, "evals/eval-sets/a.json", "evals/eval-sets/b.json", value)
    assert written["evaluations"][0]["evalSetId"] == "elsewhere"


@pytest.mark.parametrize(
    ("name", "value", "changed"),
    [
        ("a/{}.evalset.json", ADK, {}),
        ("evals/{}.evalset.json", ADK, {"eval_set_id": "new"}),
        ("{}.evalset.json", TENX, {}),
        ("evaluations/eval-sets/{}.json", CODED, {}),
        ("evals/eval-sets/{}.json", lowcode(), {"fileName": "new.json"}),
    ],
)
def test_a_set_whose_file_is_gone_keeps_its_ids(tmp_path, name, value, changed):
    written = saved(tmp_path, name.format("old"), name.format("new"), value, remains=False)
    assert written == {**value, **changed}


def test_a_copy_keeps_the_text_of_everything_else(tmp_path):
    saved(tmp_path, "evals/eval-sets/a.json", "evals/eval-sets/b.json", lowcode())
    old, new = ((tmp_path / f"evals/eval-sets/{n}.json").read_text().splitlines() for n in "ab")
    differing = [before for before, after in zip(old, new, strict=True) if before != after]
    assert [line.split('"')[1] for line in differing] == ["fileName", "id", "id", "evalSetId"]


def test_a_copy_has_no_problem_that_the_original_has_not(tmp_path):
    for name, value in (
        ("a/{}.evalset.json", ADK),
        ("evals/{}.evalset.json", ADK),
        ("{}.evalset.json", TENX),
        ("evaluations/eval-sets/{}.json", CODED),
        ("low/evals/eval-sets/{}.json", lowcode()),
    ):
        saved(tmp_path, name.format("old"), name.format("new"), value)
        workspace = Workspace(tmp_path)

        def codes(stem: str) -> set[str]:
            found: tuple[Problem, ...] = workspace.entry(name.format(stem)).problems  # noqa: B023
            return {p.code for p in found}

        assert codes("new") <= codes("old"), name


@pytest.mark.parametrize("value", [[1], {"id": 5, "fileName": 3}, "text", None, {}])
def test_a_set_of_an_odd_shape_is_copied_as_it_is_or_by_its_name(value):
    from evalcore.formats import built_in

    for known in built_in():
        after = known.eval_sets.as_new_file(value, "new.json", is_copy=True)
        expected = {**value, "fileName": "new.json"} if isinstance(value, dict) else value
        assert after in (value, expected)
