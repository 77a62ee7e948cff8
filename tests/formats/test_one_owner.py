"""A file that mixes what several systems write belongs to one of them, surely, or to none."""

from itertools import permutations
from pathlib import PurePath

import pytest

from evalcore import formats
from evalcore.jsondoc import JsonDocument
from tests.samples import SAMPLES, json_files

NAMES = (
    "x.json",
    "evals/x.evalset.json",
    "evals/test_config.json",
    "evals/eval-sets/x.json",
    "evaluations/evaluators/x.json",
    "uipath.json",
    "agent.json",
    "simulation.json",
    "10xgraph.json",
    ".adk/eval_history/x.evalset_result.json",
)


def one_of_each_shape():
    """Return a sample for every set of keys at the top, and two that no sample has."""
    shapes = {}
    for file in json_files():
        if SAMPLES in file.parents and "broken" not in file.parts:
            value = JsonDocument.parse(file.read_bytes()).value
            if isinstance(value, dict):
                shapes.setdefault(frozenset(value), value)
    return [
        *shapes.values(),
        {"agent": "graph:app"},
        {"custom_metrics": {}, "live_model_config": 1},
    ]


@pytest.mark.parametrize("name", NAMES)
def test_at_most_one_format_is_sure_of_two_files_in_one(name):
    both = [{**first, **second} for first, second in permutations(one_of_each_shape(), 2)]
    assert len(both) > 500
    for value in both:
        answers = [f.detect(value, PurePath("app", name)) for f in formats.built_in()]
        sure = [a for a in answers if a is not None and a.confidence == "sure"]
        assert len(sure) <= 1, (list(value), sure)


@pytest.mark.parametrize("name", ["uipath.json", "10xgraph.json", "agentflow.json"])
def test_a_file_called_like_a_project_file_is_what_it_holds(name):
    for value in one_of_each_shape():
        alone = formats.detect(value, PurePath("x.json"))
        if alone is not None and alone.confidence == "sure":
            named = formats.detect(value, PurePath(name))
            assert named is not None
            assert (named.format_id, named.kind) == (alone.format_id, alone.kind)
