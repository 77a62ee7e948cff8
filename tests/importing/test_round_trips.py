"""Laws of exports: what comes back unedited changes nothing; one edited cell changes one field."""

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from evalcore.exporting import ExportKind, exported
from evalcore.exporting.calls import calls_cell, read_calls
from evalcore.exporting.cells import LEAVE, canonical, guard, read_text, text_cell, unguard
from evalcore.exporting.columns import columns_of, objects_of
from evalcore.exporting.rubrics import read_rubrics, rubrics_cell
from evalcore.exporting.table import table_of
from evalcore.exporting.texts import lines_cell, names_cell, read_lines, read_names
from evalcore.importing.applying import Choices, applied
from evalcore.importing.edits import Patch
from evalcore.importing.patch import read_patch
from evalcore.importing.reading import read_source
from evalcore.importing.sheets import sheet_from
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import MISSING, leaves, same
from evalcore.model import Rubric, ToolCall
from tests.formats.test_contract import editable, ids, opened

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
ALL = Choices(delete_cases=True, delete_turns=True)
KINDS = list(ExportKind)


def returned(kind: ExportKind, lens, tree, data: bytes) -> Patch:
    source = read_source(data, f"sheet.{kind.value}")
    assert source.kind == "export"
    return read_patch(lens, tree, sheet_from(lens, tree, source))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", editable(), ids=ids)
def test_an_export_that_comes_back_unedited_changes_nothing(path: Path, kind: ExportKind):
    document, _, lens = opened(path)
    tree = document.value
    if not lens.raw_cases(tree) and kind is ExportKind.JSONL:
        return
    patch = returned(kind, lens, tree, exported(kind, lens, tree, "some/set.json"))
    assert patch.is_empty and not patch.stale
    assert not patch.missing_cases and not patch.missing_turns
    assert [p for p in patch.problems if p.severity != "info"] == []
    assert applied(lens, tree, patch, ALL, NOW) is tree
    assert document.render(tree, id_keys=lens.id_keys) == document.data


@pytest.mark.parametrize("kind", [ExportKind.CSV, ExportKind.XLSX])
@pytest.mark.parametrize("path", editable(), ids=ids)
def test_no_cell_of_an_export_can_be_taken_for_a_formula(path: Path, kind: ExportKind):
    document, _, lens = opened(path)
    for cell in cells_in(kind, exported(kind, lens, document.value)):
        if isinstance(cell, str):
            assert not cell.lstrip().startswith(("=", "+", "-", "@"))
            assert not cell.startswith(("\t", "\r"))


def cells_in(kind: ExportKind, data: bytes) -> list[object]:
    if kind is ExportKind.CSV:
        import csv
        import io

        text = data.decode("utf-8-sig")
        return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]
    from openpyxl import load_workbook

    sheet = load_workbook(BytesIO(data)).active
    return [cell.value for row in sheet.iter_rows() for cell in row]


@given(st.text())
def test_guarding_is_undone(text: str):
    assert unguard(guard(text)) == text
    assert not guard(text).lstrip().startswith(("=", "+", "-", "@"))


@given(st.text(alphabet=st.characters(), min_size=1))
def test_a_text_comes_back_from_its_cell(text: str):
    cell = text_cell(text)
    assert isinstance(cell, str)
    assert read_text(cell) == text


def test_a_text_that_is_too_long_for_a_cell_is_left_as_it_is():
    assert read_text(text_cell("x" * 40_000)) is LEAVE


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
CALLS = st.lists(
    st.builds(
        ToolCall,
        name=st.text(max_size=8) | st.sampled_from(["find_trains", "book.seat", "-x", "a(b"]),
        args=st.dictionaries(st.text(max_size=6), JSON, max_size=3) | st.just(MISSING) | JSON,
    ),
    min_size=1,
    max_size=4,
)


@given(CALLS)
def test_tool_calls_come_back_from_their_cell(calls: list[ToolCall]):
    found = read_calls(calls_cell(calls), ())
    assert [c.name for c in found] == [c.name for c in calls]
    assert all(equal_args(a.args, b.args) for a, b in zip(found, calls, strict=True))


@given(st.lists(st.text(max_size=8) | st.sampled_from(["a, b", "(x", "[1]", "-"]), min_size=1))
def test_lists_of_texts_come_back_from_their_cells(items: list[str]):
    assert read_names(names_cell(items)) == items
    assert read_lines(lines_cell(items)) == items


RUBRICS = st.lists(
    st.builds(
        Rubric,
        id=st.text(min_size=1, max_size=6) | st.just("polite"),
        text=st.text(max_size=10) | st.just("Is kind."),
        type=st.none() | st.text(max_size=6) | st.just("STYLE"),
        weight=st.none() | st.just(0.5),
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda rubric: rubric.id,
)


@given(RUBRICS)
@example([Rubric(id="polite", text="Is kind.", type="\n")])
def test_rubrics_come_back_from_their_cell(rubrics: list[Rubric]):
    assert list(read_rubrics(rubrics_cell(rubrics), rubrics)) == rubrics


def equal_args(left, right) -> bool:
    return left is right if right is MISSING else same(left, right)


SETS = [path for path in editable() if opened(path)[2].raw_cases(opened(path)[0].value)]
NEW = st.sampled_from(
    ["new text", "=SUM(A1)", "-5", "007", "TRUE", "a, b", "two\nlines", " spaced ", "(null)", "7.5"]
)


@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=400)
@given(st.data())
def test_an_edit_of_one_cell_changes_exactly_that_field(data):
    path = data.draw(st.sampled_from(SETS))
    document, _, lens = opened(path)
    tree = document.value
    table = table_of(lens, tree)
    row = data.draw(st.sampled_from(table.rows))
    places = [
        i
        for i, column in enumerate(table.columns)
        if (row.is_first if column.level == "case" else row.turn is not None or not lens.has_turns)
    ]
    if not places or not isinstance(lens.raw_cases(tree)[row.case], dict):
        return
    at = data.draw(st.sampled_from(places))
    column = table.columns[at]
    typed = guard(data.draw(NEW))
    kind = data.draw(st.sampled_from([ExportKind.CSV, ExportKind.XLSX]))
    sheet = edited(kind, exported(kind, lens, tree), table.rows.index(row), at, lens, typed)
    patch = returned(kind, lens, tree, sheet)
    assert not patch.stale and not patch.missing_cases and not patch.missing_turns
    assert not patch.new_cases and not patch.new_turns
    refused = [p for p in patch.problems if p.severity == "error"]
    if refused:
        assert len(refused) == 1 and refused[0].column == column.header
        assert not patch.edits
        return
    after = applied(lens, tree, patch, ALL, NOW)
    if canonical(typed) == canonical(row.cells[at]) or not patch.edits:
        assert after is tree
        return
    (edit,) = patch.edits
    assert (edit.case, edit.turn or 0, edit.column.key) == (row.case, row.turn or 0, column.key)
    turn = (row.turn or 0) * (column.level != "case")
    changed = fields_that_differ(lens, tree, after)
    changed.pop((row.case, column.level, turn, column.field.name))
    raw = objects_of(lens, lens.raw_cases(tree)[row.case], column.level)[turn]
    if column.field.lens.get(raw) in (MISSING, None):
        # A message that was not there gets all that a message has, such as its role.
        changed = {name: old for name, old in changed.items() if old is not MISSING}
    assert changed == {}
    assert leaves_around(lens, tree, row.case) == leaves_around(lens, after, row.case)


def edited(kind: ExportKind, data: bytes, row: int, at: int, lens, typed: str) -> bytes:
    """Return a file with one cell replaced, as a person would replace it."""
    place = at + (2 if lens.has_turns else 1)
    if kind is ExportKind.CSV:
        import csv
        import io

        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))
        rows[row + 1][place] = typed
        text = io.StringIO(newline="")
        csv.writer(text).writerows(rows)
        return text.getvalue().encode("utf-8")
    from openpyxl import load_workbook

    book = load_workbook(BytesIO(data))
    cell = book.active.cell(row + 2, place + 1)
    cell.value = typed
    cell.data_type = "s"
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def fields_that_differ(lens, before, after):
    """Return what was before in every (case, level, turn, field) that differs."""
    found = {}
    pairs = zip(lens.raw_cases(before), lens.raw_cases(after), strict=True)
    for index, (old, new) in enumerate(pairs):
        for level in ("case", "invocation"):
            objects = zip(objects_of(lens, old, level), objects_of(lens, new, level), strict=True)
            for turn, (was, now) in enumerate(objects):
                for field in lens.fields(level):
                    left, right = field.lens.get(was), field.lens.get(now)
                    if left is not right and not equal(left, right):
                        found[index, level, turn, field.name] = left
    return found


def equal(left, right) -> bool:
    if isinstance(left, tuple) and isinstance(right, tuple):
        return [m.model_dump() for m in left] == [m.model_dump() for m in right]
    if left is MISSING or right is MISSING or isinstance(left, tuple) or isinstance(right, tuple):
        return False
    return same(left, right)


def leaves_around(lens, tree, case: int) -> list:
    """Return every leaf outside of one case."""
    inside = lens.case_pointers(tree)[case]
    return [(p, repr(v)) for p, v in leaves(tree) if not f"{p}/".startswith(f"{inside}/")]


@pytest.mark.parametrize("path", SETS, ids=ids)
def test_only_the_bytes_of_an_edited_case_change(path: Path):
    document, _, lens = opened(path)
    tree = document.value
    table = table_of(lens, tree)
    row = table.rows[0]
    at = next((i for i, c in enumerate(table.columns) if c.field.name == "tags"), None)
    if at is None or not isinstance(lens.raw_cases(tree)[row.case], dict):
        return
    data = edited(ExportKind.CSV, exported(ExportKind.CSV, lens, tree), 0, at, lens, "one, two")
    after = applied(lens, tree, returned(ExportKind.CSV, lens, tree, data), ALL, NOW)
    rendered = document.render(after, id_keys=lens.id_keys)
    start, end = document.span(lens.case_pointers(tree)[row.case])
    assert rendered[:start] == document.data[:start]
    assert rendered.endswith(document.data[end:])
    assert same(JsonDocument.parse(rendered).value, after)


@pytest.mark.parametrize("path", SETS, ids=ids)
def test_every_member_of_an_object_has_exactly_one_column(path: Path):
    document, _, lens = opened(path)
    cases = lens.raw_cases(document.value)
    columns = columns_of(lens, cases)
    assert len({c.key for c in columns}) == len(columns) == len({c.header for c in columns})
