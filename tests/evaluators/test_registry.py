"""The registry: every kind has an id of its own, and other distributions can add theirs."""

from importlib.metadata import EntryPoint

import pytest

from evalcore import evaluators
from evalcore.errors import EvaldeskError
from evalcore.evaluators.adk import ResponseMatch
from evalcore.evaluators.base import Evaluator


class Politeness(ResponseMatch):
    """A check from elsewhere."""

    kind = "elsewhere.politeness"


class Again(ResponseMatch):
    """A check that takes an id which is used."""


@pytest.fixture
def plugged(monkeypatch):
    def plug(*names: str) -> None:
        points = [EntryPoint(n, f"{__name__}:{n}", evaluators.ENTRY_POINT_GROUP) for n in names]
        monkeypatch.setattr(evaluators, "entry_points", lambda group: points)
        evaluators.kinds.cache_clear()

    yield plug
    monkeypatch.undo()
    evaluators.kinds.cache_clear()


def test_every_kind_is_an_evaluator_with_a_label():
    assert all(issubclass(c, Evaluator) and c.label for c in evaluators.kinds().values())


def test_a_check_of_another_distribution_is_built_like_ours(plugged):
    plugged("Politeness")
    assert type(evaluators.build("elsewhere.politeness", {"threshold": 0.5})) is Politeness


@pytest.mark.parametrize(
    ("name", "says"),
    [("Again", "Two evaluators"), ("Gone", "cannot be loaded"), ("pytest", "no Ev")],
)
def test_a_check_that_cannot_be_taken_is_refused_by_name(plugged, name, says):
    plugged(name)
    with pytest.raises(EvaldeskError, match=says):
        evaluators.kinds()
