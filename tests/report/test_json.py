"""JSON: strict, complete, and from which the same case results can be read again."""

import json
from typing import Any

import pytest

from evalcore.store import RunQuery
from evalcore.store.documents import load
from tests.report.runs import exported, hostile, ordinary, stored


def refuse(name: str) -> Any:
    raise AssertionError(f"{name} is no JSON")


@pytest.fixture
def any_digits(monkeypatch: pytest.MonkeyPatch):
    import sys

    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


def test_hostile_runs_are_strict_json_in_ascii(any_digits):
    data = exported("json", hostile())
    found = json.loads(data.decode("ascii"), parse_constant=refuse)
    assert len(found["cases"]) == 8
    long = next(c for c in found["cases"] if c["case_key"] == "long")
    assert len(long["result"]["invocations"][0]["actual_output"]) == 5_000_000
    seven = [c["checks"]["seven"] for c in found["cases"] if "seven" in c["checks"]]
    assert seven[0] == {"value": 1.0, "native": 7.0, "verdict": "passed"}


def test_each_case_result_can_be_read_again():
    run = ordinary()
    found = json.loads(exported("json", run, RunQuery(sort="file")))
    for held in found["cases"]:
        assert load(json.dumps(held["result"])) == run.case(held["place"])


def test_the_summary_names_all_of_its_denominators():
    found = json.loads(exported("json", ordinary()))["summary"]
    assert found["counts"] == {"error": 1, "failed": 2, "not_evaluated": 1, "passed": 4}
    assert (found["scored"], found["passed"], found["interval_cases"]) == (6, 4, 4)
    assert found["rate"] == pytest.approx(4 / 6)
    low, high = found["interval"]
    assert low < 4 / 6 < high
    assert sum(found["counts"].values()) == found["case_results"] == 8


def test_an_empty_run_has_no_rate():
    found = json.loads(exported("json", stored([])))
    assert found["cases"] == []
    assert found["summary"]["rate"] is None
    assert found["summary"]["interval"] is None
