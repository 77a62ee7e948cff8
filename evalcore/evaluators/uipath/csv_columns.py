"""UiPath's low-code check of the columns of a table."""

from __future__ import annotations

import csv
import io
import json
from typing import ClassVar

from pydantic import Field, field_validator

from evalcore.errors import EvaldeskError
from evalcore.evaluators.base import Outcome, Params
from evalcore.evaluators.uipath.base import CriteriaError
from evalcore.evaluators.uipath.legacy import LegacyEvaluator, LegacyParams, member
from evalcore.evaluators.uipath.lines import mean_of_lines, split_lines
from evalcore.evaluators.uipath.values import as_text, local
from evalcore.jsontree import JsonValue
from evalcore.results import Score


class CsvParams(LegacyParams):
    """Parameters of the check of CSV columns."""

    target_sub_output_key: str = Field(title="Columns", description="Names between commas.")

    @field_validator("target_sub_output_key")
    @classmethod
    def _names_something(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("no column is named")
        return value

    @property
    def columns(self) -> list[str]:
        """The names of the columns, without the blanks around them."""
        return [name.strip() for name in self.target_sub_output_key.split(",") if name.strip()]


class CsvColumns(LegacyEvaluator):
    """Type 10: 100 if the named columns of the first row are equal, else 0.

    The field to check is a plain key, not a path.
    """

    kind = "uipath.legacy_csv_columns"
    label = "CSV columns (low-code)"
    help = "Do these columns of the first row have the expected values?"
    params: CsvParams
    params_type: ClassVar[type[Params]] = CsvParams
    is_boolean = True

    def compare(self, expected: JsonValue, actual: JsonValue) -> Score:
        """Compare the first data row of both tables."""
        have, want = self.tables(actual, expected)
        found = self.rows(want, have)
        ignored = max(len(split_lines(text, "\n")) for text in (want, have)) - 2
        cautions = (
            [f"Only the first row is compared; {ignored} more are not."] if ignored > 0 else []
        )
        return found.model_copy(update={"cautions": (*found.cautions, *cautions)})

    def by_line(self, expected: JsonValue, actual: JsonValue) -> Outcome:
        """Compare row by row; each table's own header stands before each of its rows."""
        between = self.params.line_delimiter
        try:
            have, want = (split_lines(side, between) for side in self.tables(actual, expected))
        except EvaldeskError as error:
            raise CriteriaError(error.message, hint=error.hint) from error
        if not have or not want:
            raise CriteriaError("The table has no header")
        return mean_of_lines(
            self,
            want[1:],
            have[1:],
            lambda left, right: self.rows(
                want[0] + (left and between + left), have[0] + (right and between + right)
            ),
        )

    def tables(self, actual: JsonValue, expected: JsonValue) -> tuple[str, str]:
        """Return both sides' tables as text. Raises EvaldeskError for an empty one."""
        wanted = local(member(expected, self.params.key))
        return csv_text(self.made(actual)), csv_text(wanted)

    def rows(self, expected: str, actual: str) -> Score:
        """Return the score of the first data row of two tables."""
        have, want = (first_row(text, self.params.columns) for text in (actual, expected))
        return self.score(100.0 if want == have else 0.0, f"Expected {want}, got {have}.")


def csv_text(value: JsonValue) -> str:
    """Return the text of a table: the ``content`` of an object, or else the value as text.

    Raises EvaldeskError where it is empty or no text.
    """
    if isinstance(value, dict):
        value = value["content"] if "content" in value else json.dumps(value)
    elif not isinstance(value, str):
        value = as_text(value)
    if not isinstance(value, str) or not value.strip():
        raise EvaldeskError("The table is empty")
    return value


def first_row(text: str, columns: list[str]) -> dict[str, str]:
    """Return the named columns of the first data row, by the names asked for, values trimmed.

    Names match without regard to case, but with the blanks that a header has. Raises EvaldeskError
    where there is no such row or column.
    """
    if not columns:
        raise EvaldeskError("No column is named")
    try:
        reader = csv.DictReader(io.StringIO(text))
        headers = {name.lower(): name for name in reader.fieldnames or ()}
        missing = [name for name in columns if name.lower() not in headers]
        if missing:
            raise EvaldeskError(f"The table has no column {missing}", hint=_near(missing, headers))
        row = next(reader, None)
    except csv.Error as error:
        raise EvaldeskError(f"The table is no CSV: {error}") from error
    if row is None:
        raise EvaldeskError("The table has no data row", hint="It needs a header and a row.")
    return {name: (row[headers[name.lower()]] or "").strip() for name in columns}


def _near(missing: list[str], headers: dict[str, str]) -> str:
    padded = [header for key, header in headers.items() if key.strip() in map(str.lower, missing)]
    return f"Headers are not trimmed: the table has {padded}." if padded else ""
