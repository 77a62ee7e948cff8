"""The rows of a ``uipath eval --output-file``, before any of them is turned into a score."""

from __future__ import annotations

import re
from dataclasses import dataclass

from evalcore.jsontree import MISSING, JsonArray, JsonObject, JsonValue, Missing, join

THROWN = "Exception thrown by evaluator"
_LINE_ID = re.compile(r"(?P<parent>.*)_line_(?P<line>[0-9]{1,9})")
_LINE_NAME = re.compile(r"(?P<parent>.*) \(Line (?P<line>[0-9]{1,9})\)")


@dataclass(frozen=True, slots=True)
class Row:
    """One evaluator's answer for one case."""

    raw: JsonObject
    origin: str

    @property
    def result(self) -> JsonObject:
        """The object that holds the score."""
        found = self.raw.get("result")
        return found if isinstance(found, dict) else {}

    @property
    def score(self) -> float | None:
        """The number as written, None if there is none."""
        found = self.result.get("score")
        return None if isinstance(found, bool) else number_of(found)

    @property
    def details(self) -> JsonValue | Missing:
        """What the evaluator wrote beside its score."""
        return self.result.get("details", MISSING)

    @property
    def duration(self) -> float | None:
        """Seconds that the evaluator took; UiPath writes none for totals by line."""
        found = self.result.get("evaluationTime")
        return number_of(found)

    @property
    def is_crash(self) -> bool:
        """Whether the row only fills the place of a score because the case failed.

        A score of 0 without details and with a null time is the only mark of it in the file.
        """
        marked = "evaluationTime" in self.result and self.result["evaluationTime"] is None
        return marked and self.score == 0 and self.details is MISSING and not self.is_line

    @property
    def is_error(self) -> bool:
        """Whether the evaluator itself failed."""
        return isinstance(self.details, str) and self.details.startswith(THROWN)

    @property
    def is_line(self) -> bool:
        """Whether the row is one line of a score by lines."""
        return self.raw.get("isLineResult") is True

    @property
    def line(self) -> int | None:
        """The number of the line, None for an ordinary score; 0 if the row does not say which."""
        if not self.is_line:
            return None
        for pattern, key in ((_LINE_ID, "evaluatorId"), (_LINE_NAME, "evaluatorName")):
            match = pattern.fullmatch(_text(self.raw.get(key)))
            if match:
                return int(match["line"])
        return 0

    @property
    def evaluator(self) -> str:
        """The id of the evaluator, for a line that of the whole; the name where there is no id."""
        return self._whole("evaluatorId", _LINE_ID) or self._whole("evaluatorName", _LINE_NAME)

    @property
    def evaluator_name(self) -> str:
        """The name of the evaluator, for a line that of the whole."""
        return self._whole("evaluatorName", _LINE_NAME) or self.evaluator

    def _whole(self, key: str, pattern: re.Pattern[str]) -> str:
        text = _text(self.raw.get(key))
        match = pattern.fullmatch(text) if self.is_line else None
        return match["parent"] if match else text


@dataclass(frozen=True, slots=True)
class Item:
    """One case of a result file."""

    raw: JsonObject
    origin: str

    @property
    def name(self) -> str:
        """The name of the case."""
        return _text(self.raw.get("evaluationName"))

    @property
    def rows(self) -> list[Row]:
        """The answers of the evaluators, in the order of the file."""
        base = join(self.origin, "evaluationRunResults")
        return [
            Row(raw, join(base, index))
            for index, raw in enumerate(_list(self.raw.get("evaluationRunResults")))
            if isinstance(raw, dict)
        ]

    @property
    def execution(self) -> JsonObject:
        """What the agent did: only verbose files and suspended cases have it."""
        found = self.raw.get("agentExecutionOutput")
        return found if isinstance(found, dict) else {}

    @property
    def outcome(self) -> JsonObject:
        """The agent's own result: status, output, error."""
        found = self.execution.get("result")
        return found if isinstance(found, dict) else {}

    @property
    def status(self) -> str:
        """``successful``, ``faulted``, ``suspended``, or "" where the file does not say."""
        return _text(self.outcome.get("status"))


def items(value: JsonValue) -> list[Item]:
    """Return the cases of a result file."""
    listed = _list(value.get("evaluationSetResults")) if isinstance(value, dict) else []
    return [
        Item(raw, f"/evaluationSetResults/{index}")
        for index, raw in enumerate(listed)
        if isinstance(raw, dict)
    ]


def number_of(value: JsonValue | Missing) -> float | None:
    """Return a number as a float, infinite where it is too large for one; None for others."""
    if not isinstance(value, (int, float)):
        return None
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def _list(value: JsonValue) -> JsonArray:
    return value if isinstance(value, list) else []


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
