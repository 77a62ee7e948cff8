"""Which criteria apply to an eval set: those of the ``test_config.json`` beside it, or defaults."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from evalcore.formats.adk.fields import both, member, objects
from evalcore.formats.adk.metrics import DEFAULT_CRITERIA, METRICS, Metric, match_type
from evalcore.formats.base import Surroundings
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing

CONFIG = "test_config.json"
CRITERIA = both("criteria")
CUSTOM_METRICS = both("custom_metrics")
MATCH_TYPE = both("match_type")
IGNORE_ARGS = both("ignore_args")
RUBRICS = both("rubrics")
RUBRIC_ID = both("rubric_id")


@dataclass(frozen=True, slots=True)
class Applied:
    """The criteria of a set.

    ``found`` is whether a file gives them. ``match`` is the effective trajectory match type.
    """

    criteria: Mapping[str, JsonValue]
    found: bool
    match: str
    ignore_args: bool

    @classmethod
    def beside(cls, near: Surroundings, *, match: str | None = None) -> Applied:
        """Return what applies to the sets of a folder; ``match`` overrides the file's type."""
        config = near.value(CONFIG)
        return cls.of(config if isinstance(config, dict) else None, match=match)

    @classmethod
    def of(cls, config: JsonObject | None, *, match: str | None = None) -> Applied:
        """Return what a config file says, None for no file."""
        if config is None:
            return cls(DEFAULT_CRITERIA, False, match or "EXACT", False)
        criteria = member(config, CRITERIA)
        entries = criteria if isinstance(criteria, dict) else {}
        trajectory = entries.get("tool_trajectory_avg_score")
        written = member(trajectory, MATCH_TYPE)
        authored = "EXACT" if written is MISSING else match_type(written)
        return cls(
            entries, True, match or authored or "EXACT", member(trajectory, IGNORE_ARGS) is True
        )

    def metrics(self) -> Iterator[Metric]:
        """Yield the built-in metrics that apply, in the order of the criteria."""
        yield from (METRICS[name] for name in self.criteria if name in METRICS)

    @property
    def compares_replies(self) -> bool:
        """Whether a metric compares the reply with the expected one."""
        return any(metric.compares_reply for metric in self.metrics())

    @property
    def compares_calls(self) -> bool:
        """Whether the expected tool calls are compared."""
        return "tool_trajectory_avg_score" in self.criteria

    def rubric_ids(self, metric: Metric) -> list[str]:
        """Return the ids of the rubrics that a metric's own criterion has."""
        found = (r for _, r in objects(self.criteria.get(metric.name), RUBRICS, ""))
        return [i for r in found if isinstance(i := member(r, RUBRIC_ID), str)]


def threshold_of(criterion: JsonValue | Missing) -> float | None:
    """Return the threshold of a criterion: a number, a text that spells one, or in an object."""
    found = criterion.get("threshold") if isinstance(criterion, dict) else criterion
    if not isinstance(found, (int, float, str)):
        return None
    try:
        return float(found)
    except (ValueError, OverflowError):
        return None
