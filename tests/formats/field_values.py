"""What a person could put into a field: some fixed values, and any at all for hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from evalcore.formats.lenses import Editor, Field
from evalcore.jsontree import MISSING, same
from evalcore.model import Rubric, ToolCall
from evalcore.views.schema import Shape, Spec, spec_of
from tests.strategies import KEYS, TEXTS, VALUES

NUMBERS = st.integers() | st.floats()
LINES = TEXTS | st.text(max_size=20)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=3)
LISTS_OF_TEXTS = st.lists(LINES, max_size=4)


def fixed(field: Field) -> list[Any]:
    """Return some values that cover every way in which a field can be written."""
    calls = (ToolCall(name="find", args={"q": 1}), ToolCall(name="book", args={}))
    by_editor: dict[Editor, list[Any]] = {
        Editor.NUMBER: [7.5, 3],
        Editor.FLAG: [True, False],
        Editor.TAGS: [["a", "b"], []],
        Editor.NAMES: [["MAIN", "TOOL", "MAIN"], []],
        Editor.MESSAGES: [["one", "two"], []],
        Editor.TOOL_CALLS: [calls, ()],
        Editor.RUBRICS: [(Rubric(id="r1", text="Is polite.", description="d"),), ()],
        Editor.CRITERIA: [{"a": {"expectedOutput": {"x": 1}}, "b": None}, {}],
        Editor.OBJECT: [{"k": [1, None]}, {}],
        Editor.JSON: [{"k": [1, None]}],
        Editor.MOCKS: [{"type": "mockito", "config": []}, {"k": [1, None]}],
        Editor.CHOICE: list(field.choices),
    }
    if field.editor is Editor.FORM:
        spec = spec_of(dict(field.schema or {}))
        return [_filled(spec), field.blank]
    is_text = field.editor in (Editor.LINE, Editor.TEXT)
    return by_editor.get(field.editor, ["new text", "", "two\nlines"] if is_text else [{"k": 1}])


def any_value(field: Field, old: Any, format_id: str) -> st.SearchStrategy[Any]:
    """Return every value that the field's editor, or its menu, can write; null among them."""
    by_editor: dict[Editor, st.SearchStrategy[Any]] = {
        Editor.NUMBER: NUMBERS,
        Editor.FLAG: st.booleans(),
        Editor.TAGS: st.lists(LINES, max_size=4, unique=True),
        Editor.NAMES: LISTS_OF_TEXTS,
        Editor.MESSAGES: LISTS_OF_TEXTS,
        Editor.TOOL_CALLS: records(old, new_calls(format_id)),
        Editor.RUBRICS: records(old, RUBRICS),
        Editor.CRITERIA: st.dictionaries(KEYS, st.none() | OBJECTS, max_size=3),
        Editor.OBJECT: OBJECTS,
        Editor.JSON: VALUES,
        Editor.MOCKS: VALUES,
        Editor.FORM: of_spec(spec_of(dict(field.schema or {}))),
    }
    is_text = field.editor in (Editor.LINE, Editor.TEXT, Editor.CHOICE)
    return by_editor.get(field.editor, LINES if is_text else VALUES) | st.none()


def new_calls(format_id: str) -> st.SearchStrategy[Any]:
    """Return tool calls; only 10xGraph's have a result of their own."""
    results = st.just(MISSING) | VALUES if format_id == "tenxgraph" else st.just(MISSING)
    args = st.just(MISSING) | st.none() | OBJECTS
    return st.builds(ToolCall, name=LINES, args=args, id=st.none() | LINES, result=results)


RUBRICS = st.builds(
    Rubric,
    id=LINES,
    text=LINES,
    type=st.none() | LINES,
    description=st.none() | LINES,
)


@st.composite
def records(draw: st.DrawFn, old: Any, new: st.SearchStrategy[Any]) -> tuple[Any, ...]:
    """Return records as edits leave them: kept ones in any order, changed ones, and new ones."""
    kept = draw(st.permutations(list(old))) if isinstance(old, tuple) else []
    kept = kept[: draw(st.integers(0, len(kept)))]
    result = []
    for record in kept:
        twin = draw(new)
        names = draw(st.sets(st.sampled_from(sorted(set(type(record).model_fields) - {"origin"}))))
        changes = {name: getattr(twin, name) for name in names}
        result.append(record.model_copy(update=changes))
        result += draw(st.lists(new, max_size=1))
    return (*draw(st.lists(new, max_size=1)), *result)


def of_spec(spec: Spec, depth: int = 4) -> st.SearchStrategy[Any]:
    """Return the values that a form drawn by a schema can make."""
    if spec.alternatives:
        return st.one_of([of_spec(s, depth) for s in spec.alternatives])
    match spec.shape:
        case Shape.CHOICE:
            return st.sampled_from(list(spec.choices))
        case Shape.TEXT:
            return LINES
        case Shape.NUMBER | Shape.WHOLE:
            return NUMBERS
        case Shape.FLAG:
            return st.booleans()
        case Shape.LIST:
            return st.lists(of_spec(spec.item(), depth - 1), max_size=3 if depth > 1 else 1)
        case Shape.GROUP:
            return _groups(spec, depth)
    return VALUES


def _groups(spec: Spec, depth: int) -> st.SearchStrategy[Any]:
    members = {name: of_spec(s, depth - 1) for name, s in spec.members.items()}
    needed = {n: s for n, s in members.items() if n in spec.required}
    optional = {n: s for n, s in members.items() if n not in spec.required}
    known = st.fixed_dictionaries(needed, optional=optional)
    if spec.others is None:
        # A view of what the file has otherwise, so that its members have one order.
        return known.map(lambda value: {name: value[name] for name in members if name in value})
    more = st.dictionaries(KEYS, of_spec(spec.others, depth - 1), max_size=2)
    return st.builds(lambda one, other: {**other, **one}, known, more)


def _filled(spec: Spec) -> Any:
    """Return a value with every member of every group, and one item in every list."""
    spec = spec.alternatives[-1] if spec.alternatives else spec
    match spec.shape:
        case Shape.GROUP:
            return {name: _filled(member) for name, member in spec.members.items()}
        case Shape.LIST:
            return [_filled(spec.item())]
        case Shape.TEXT:
            return "some text"
    return spec.blank()


def bare(value: Any) -> Any:
    """Return a field's value without the origins of its records."""
    if isinstance(value, tuple):
        return [{k: v for k, v in r.model_dump().items() if k != "origin"} for r in value]
    return value


def equal(left: Any, right: Any) -> bool:
    """Return whether two values of a field are the same, wherever their records lie."""
    if left is MISSING or right is MISSING:
        return left is right
    return isinstance(left, tuple) == isinstance(right, tuple) and _same(bare(left), bare(right))


def _same(left: Any, right: Any) -> bool:
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict) and isinstance(right, dict) and list(left) == list(right):
        return all(_same(v, right[k]) for k, v in left.items())
    return left is right or same(left, right)
