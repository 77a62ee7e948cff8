"""The weights of a coded set's evaluators, by form in the set's details."""

import json
from pathlib import Path

import pytest

from tests.pages.conftest import words
from tests.pages.test_case_form import saved, write

CASE = {"id": "a", "name": "a", "inputs": {}, "evaluationCriterias": {"exact": None, "judge": None}}
PLACE = "evaluations/eval-sets/claims.json"


def weighted(folder: Path, **lists) -> Path:
    whole = {"version": "1.0", "id": "claims", "name": "Claims", **lists, "evaluations": [CASE]}
    return write(folder, PLACE, whole)


def number(at, ref: str):
    (found,) = [t for t in at.text_input if f"|weights|{ref}|" in t.key]
    return found


@pytest.fixture
def details(open_page):
    return lambda: open_page("author", set=PLACE, view="details")


def test_each_evaluator_has_a_number_that_is_written_where_it_stands(details, folder):
    configs = [{"ref": "exact", "weight": 2.5}, "judge"]
    path = weighted(folder, evaluatorConfigs=configs)
    at = details()
    assert "does not use weights" in words(at)
    assert number(at, "exact").value == "2.5"
    assert (number(at, "judge").value, number(at, "judge").placeholder[0]) == ("", "1")
    number(at, "judge").input("3").run()
    number(at, "exact").input("").run()
    assert saved(at, path)["evaluatorConfigs"] == [{"ref": "exact"}, {"ref": "judge", "weight": 3}]


def test_the_first_weight_of_a_plain_list_makes_one_with_weights(details, folder):
    path = weighted(folder, evaluatorRefs=["exact", "judge"])
    at = details()
    assert "evaluatorConfigs" in words(at)
    number(at, "judge").input("2").run()
    found = saved(at, path)
    assert "evaluatorRefs" not in found
    assert found["evaluatorConfigs"] == [{"ref": "exact"}, {"ref": "judge", "weight": 2}]


def test_a_weight_below_zero_is_told_and_what_was_typed_stays(details, folder):
    path = weighted(folder, evaluatorRefs=["exact"])
    at = details()
    number(at, "exact").input("-1").run()
    assert "A weight is a number from 0 up" in words(at)
    assert number(at, "exact").value == "-1"
    assert "evaluatorConfigs" not in json.loads(path.read_text(encoding="utf-8"))


def test_a_low_code_set_is_not_asked_for_weights(open_page, folder):
    whole = {"fileName": "s.json", "id": "s", "name": "S", "evaluatorRefs": ["exact"]}
    whole |= {"evaluations": [], "createdAt": "", "updatedAt": ""}
    write(folder, "evals/eval-sets/s.json", whole)
    at = open_page("author", set="evals/eval-sets/s.json", view="details")
    assert not [t for t in at.text_input if "|weights|" in t.key]
