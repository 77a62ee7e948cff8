"""The tree of folders beside a long list of sets."""

import pytest

from evalcore.views.folders import folder_rows, in_folder

PATHS = ["a/x/1.json", "a/x/2.json", "a/y/3.json", "b/c/d/4.json", "5.json"]


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        ("", ["All folders 5", "a 3", "b/c/d 1"]),
        ("a", ["All folders 5", "a 3", "  x 2", "  y 1", "b/c/d 1"]),
        ("a/x", ["All folders 5", "a 3", "  x 2", "  y 1", "b/c/d 1"]),
        ("b/c/d", ["All folders 5", "a 3", "b/c/d 1"]),
        ("gone", ["All folders 5", "a 3", "b/c/d 1"]),
    ],
)
def test_the_tree_unfolds_along_the_chosen_folder(chosen, shown):
    rows = folder_rows(PATHS, chosen)
    assert [f"{'  ' * max(0, r.depth - 1)}{r.label} {r.sets}" for r in rows] == shown


def test_a_folder_with_files_of_its_own_is_not_shown_with_the_one_inside():
    rows = folder_rows(["a/1.json", "a/b/2.json"], "a")
    assert [(r.path, r.sets) for r in rows] == [("", 2), ("a", 2), ("a/b", 1)]


@pytest.mark.parametrize(
    ("path", "folder", "inside"),
    [("a/x.json", "a", True), ("ab/x.json", "a", False), ("x.json", "", True)],
)
def test_a_file_is_in_the_folders_above_it(path, folder, inside):
    assert in_folder(path, folder) is inside
