"""Which check a file configures, and what it is called."""

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators import UnknownEvaluator, kinds
from evalcore.evaluators.uipath import EVALUATORS
from evalcore.evaluators.uipath.files import from_file, kind_of
from tests.evaluators.uipath.data import coded


def legacy_file(category, number, **more):
    return {"id": "e", "category": category, "type": number, **more}


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        (legacy_file(0, 1), "uipath.legacy_equals"),
        (legacy_file(0, 6.0), "uipath.legacy_json_similarity"),
        (legacy_file(0, 10), "uipath.legacy_csv_columns"),
        (legacy_file(1, 5), "uipath.legacy_llm_judge"),
        (legacy_file(1, 9), "uipath.legacy_llm_judge"),
        (legacy_file(3, 7), "uipath.legacy_trajectory_judge"),
        (legacy_file(0, 2), None),
        (legacy_file(2, 1), None),
        (legacy_file(0, "1"), None),
        ({}, None),
        ({"version": "1.0", "evaluatorTypeId": "uipath-contains"}, "uipath-contains"),
        ({"version": "1", "evaluatorTypeId": "uipath-contains"}, None),
        ({"version": "1.0", "evaluatorTypeId": "contains"}, None),
        (
            {
                "version": "1.0",
                "evaluatorTypeId": "uipath-contains",
                "evaluatorSchema": "file://a.py:B",
            },
            None,
        ),
    ],
)
def test_the_version_decides_and_then_the_category(file, kind):
    assert kind_of(file) == kind


def test_every_check_is_registered_under_an_id_of_its_own():
    assert {cls.kind: cls for cls in EVALUATORS}.items() <= kinds().items()
    assert len({cls.kind for cls in EVALUATORS}) == len(EVALUATORS) == 18


def test_a_check_that_is_not_computed_here_is_refused():
    with pytest.raises(UnknownEvaluator):
        from_file(legacy_file(0, 4))


@pytest.mark.parametrize(
    ("top", "config", "name"),
    [
        ({"name": "top"}, {"name": "inner"}, "top"),
        ({}, {"name": "inner"}, "inner"),
        ({}, {}, "ContainsEvaluator"),
    ],
)
def test_the_name_is_that_of_the_results(top, config, name):
    file = {"version": "1.0", "evaluatorTypeId": "uipath-contains", "evaluatorConfig": config}
    assert from_file({**file, **top}).name == name


def test_parameters_are_read_in_both_spellings_and_unknown_ones_ignored():
    check = coded("exact-match", case_sensitive=True, targetOutputKey="a", ignoreCase=True)
    assert (check.params.case_sensitive, check.params.target_output_key) == (True, "a")


def test_a_file_without_a_configuration_is_refused():
    with pytest.raises(EvaldeskError, match="no configuration"):
        from_file({"version": "1.0", "evaluatorTypeId": "uipath-contains"})
