import pytest

from evalcore.explain.json_diff import MAX_CHANGES, diff_json
from evalcore.jsontree import MISSING


def told(expected, actual):
    return [(c.path, c.kind) for c in diff_json(expected, actual).changes]


@pytest.mark.parametrize(
    ("expected", "actual", "changes"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, []),
        (
            {"a": {"b": [1, 2]}},
            {"a": {"b": [1, 3, 4]}},
            [("a.b[1]", "changed"), ("a.b[2]", "extra")],
        ),
        ({"a": 1}, {}, [("a", "missing")]),
        ({}, {"a": None}, [("a", "extra")]),
        ({"n": 8}, {"n": "8"}, [("n", "type")]),
        ({"n": True}, {"n": 1}, [("n", "changed")]),
        ({"n": 1}, {"n": 1.0}, [("n", "spelling")]),
        ({"n": None}, {"n": 0}, [("n", "changed")]),
        ([1], {"0": 1}, [("", "changed")]),
        ("x", MISSING, [("", "missing")]),
        (MISSING, MISSING, []),
        (float("nan"), float("nan"), []),
    ],
)
def test_differences_are_listed_by_path(expected, actual, changes):
    assert told(expected, actual) == changes


def test_only_a_number_spelled_otherwise_is_harmless():
    changes = diff_json({"a": 1, "b": 2}, {"a": 1.0, "b": 3}).changes
    assert [c.is_harmless for c in changes] == [True, False]


def test_a_long_list_of_changes_is_cut_and_says_so():
    found = diff_json(list(range(2000)), list(range(1, 2001)))
    assert (len(found.changes), found.cut) == (MAX_CHANGES, True)
