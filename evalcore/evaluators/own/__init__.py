"""Evaldesk's own checks: they belong to no system and work on the cases of any."""

from evalcore.evaluators.own.calls import ArgumentSubset, TrajectoryF1
from evalcore.evaluators.own.json_path import JsonPath
from evalcore.evaluators.own.limits import Limits
from evalcore.evaluators.own.numbers import NumericTolerance
from evalcore.evaluators.own.texts import Regex, Rouge

EVALUATORS = (
    JsonPath,
    Regex,
    NumericTolerance,
    Rouge,
    ArgumentSubset,
    TrajectoryF1,
    Limits,
)
