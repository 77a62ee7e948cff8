"""From a grid of cells to columns and rows: where the header is, which rows are empty or ragged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import median_low
from typing import Final

from evalcore.exporting.cells import Cell, plain_text, read_text
from evalcore.exporting.columns import CHECK
from evalcore.importing.source import RowProblem, SourceRow, Unusable, Value
from evalcore.jsontree import MISSING

GridCell = Cell | Unusable
HEADER_WITHIN: Final = 12
"""How many rows from the top the header is looked for; above it may stand a title."""
_NUMERIC = re.compile(r"[+-]?[\d.,%\s]+")


@dataclass(slots=True)
class Grid:
    """Rows of cells with their numbers in the file, and what was wrong with some."""

    rows: list[tuple[int, list[GridCell]]] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Tabled:
    """A grid with named columns. ``header`` is the row of the names, 0 if there is none."""

    header: int
    columns: tuple[str, ...]
    rows: tuple[SourceRow, ...]
    problems: tuple[RowProblem, ...]
    notes: tuple[str, ...]


def tabled(grid: Grid, header: int | None = None) -> Tabled:
    """Return a grid as a table; empty rows and empty columns at the end are left out."""
    filled = [(number, cells) for number, cells in grid.rows if any(map(_is_filled, cells))]
    chosen = header_row(filled) if header is None else header
    head = next((cells for number, cells in filled if number == chosen), [])
    body = [(number, cells) for number, cells in filled if number > chosen]
    width = _width(cells for _, cells in body) if not head else max(_width([head]), 1)
    if head and body:
        # Columns that most rows fill are part of the table even if they have no name.
        width = max(width, median_low([_width([cells]) for _, cells in body]))
    names, renamed = column_names(head, width)
    problems = [*grid.problems]
    rows = tuple(_rows(body, names, problems))
    notes = [
        f"The column {old!r} is there twice; the second is called {new!r}." for old, new in renamed
    ]
    above = sum(number < chosen for number, _cells in filled)
    if above:
        notes.append(f"{above} row{'s' * (above > 1)} above the header not used.")
    return Tabled(chosen, names, rows, tuple(problems), tuple(notes))


def header_row(filled: Sequence[tuple[int, Sequence[GridCell]]]) -> int:
    """Return the number of the row that names the columns, 0 if no row looks like it."""
    widths = [sum(map(_is_filled, cells)) for _number, cells in filled[:50]]
    usual = median_low(widths) if widths else 0
    for place, (number, cells) in enumerate(filled[:HEADER_WITHIN]):
        if widths[place] * 2 > usual and _names_columns(cells):
            return number
        if widths[place] >= usual and not _is_short(cells):
            # The first full row is data.
            return 0
    return 0


def column_names(
    head: Sequence[GridCell], width: int
) -> tuple[tuple[str, ...], list[tuple[str, str]]]:
    """Return a name for each column, all different, and those that had to be renamed."""
    names: list[str] = []
    renamed: list[tuple[str, str]] = []
    for index in range(width):
        cell = head[index] if index < len(head) else None
        name = " ".join(_text(cell).split()) if _is_filled(cell) else f"Column {letters(index)}"
        free = (name, *(f"{name} ({n})" for n in range(2, width + 2)))
        unique = next(n for n in free if n not in names)
        if unique != name:
            renamed.append((name, unique))
        names.append(unique)
    return tuple(names), renamed


def letters(index: int) -> str:
    """Return what a spreadsheet calls the column at an index: A, B, …, Z, AA."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def _rows(
    body: Sequence[tuple[int, Sequence[GridCell]]],
    names: Sequence[str],
    problems: list[RowProblem],
) -> Iterator[SourceRow]:
    width = len(names)
    for number, cells in body:
        extra = [cell for cell in cells[width:] if _is_filled(cell)]
        if extra:
            problems.append(
                RowProblem(
                    number,
                    letters(width),
                    f"The row has {len(cells)} cells, the header only {width}",
                    "Put cells that hold the separator or a quotation mark into quotation marks.",
                )
            )
            continue
        short = [None] * (width - len(cells))
        yield SourceRow(number, tuple(map(_value, [*cells[:width], *short])))


def _value(cell: GridCell) -> Value:
    if isinstance(cell, Unusable):
        return cell
    return cell if _is_filled(cell) else MISSING


def _names_columns(cells: Sequence[GridCell]) -> bool:
    texts = [cell.strip() for cell in cells if isinstance(cell, str) and cell.strip()]
    if len(texts) < sum(map(_is_filled, cells)) or not texts:
        return False
    different = {text.casefold() for text in texts}
    return len(different) * 2 >= len(texts) and (_is_ours(texts) or _is_short(cells))


def _is_ours(texts: Sequence[str]) -> bool:
    return any(text.startswith(CHECK) for text in texts)


def _is_short(cells: Sequence[GridCell]) -> bool:
    texts = [plain_text(cell) for cell in cells if not isinstance(cell, Unusable)]
    return not any(
        len(text) > 100
        or "\n" in text.strip()
        or text.rstrip().endswith(("?", "!"))
        or (text.strip() and _NUMERIC.fullmatch(text.strip()))
        for text in texts
    )


def _is_filled(cell: GridCell) -> bool:
    return not (cell is None or (isinstance(cell, str) and not cell.strip()))


def _text(cell: GridCell) -> str:
    if isinstance(cell, Unusable):
        return ""
    found = read_text(cell)
    return found if isinstance(found, str) else plain_text(cell)


def _width(rows: object) -> int:
    width = 0
    for cells in rows:  # type: ignore[attr-defined]
        filled = [index for index, cell in enumerate(cells) if _is_filled(cell)]
        width = max(width, filled[-1] + 1 if filled else 0)
    return width
