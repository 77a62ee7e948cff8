"""What each check expects of each case: rows are cases, columns are checks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from evalcore.evaluators import kinds
from evalcore.formats.lenses import At, key
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get, join
from evalcore.model import Evaluator
from evalcore.views.evaluators.form import DEFAULT_CRITERIA, criterion_model
from evalcore.views.evaluators.home import Home
from evalcore.views.evaluators.settings import Setting, settings_of
from evalcore.views.values import as_text, plain
from evalcore.views.words import first_words
from evalcore.wiring.refs import CRITERIA

if TYPE_CHECKING:
    from evalcore.views.evaluators.bench import Bench
    from evalcore.views.sheet import Sheet
    from evalcore.wiring import EvaluatorFile, WiredSet, Wiring

State = Literal["own", "null", "empty", "absent", "file"]
Source = Literal["case", "own", "file"]
"""Where a case states something: in itself, in our own file of checks, or nowhere."""
_PREVIEW = 34


@dataclass(frozen=True, slots=True)
class Column:
    """One check of a set. ``ref`` is what cases call it; ``is_attached`` is whether the set does.

    ``model`` is what a case may say of it, None where nobody knows.
    """

    ref: str
    title: str
    source: Source
    file: str | None
    check: str | None
    model: type[BaseModel] | None = None
    is_attached: bool = True
    default: JsonObject | None = None
    """What the check expects of cases that state nothing, None where it has no default."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one case says of one check."""

    state: State
    text: str


def columns_of(wiring: Wiring, of: WiredSet, sheet: Sheet) -> tuple[Column, ...]:
    """Return the checks of a set: those that it names, those its cases mention, our own."""
    found: list[Column] = []
    for file in wiring.files_of(of):
        if file.is_single:
            found.append(_single(of, file))
        else:
            source: Source = "own" if file.family == "evaldesk" else "file"
            found += [_of_criteria(file, check, source) for check in file.checks]
    known = {column.ref for column in found}
    found += [_strange(ref) for ref in wiring.unknown_refs(of) if ref not in known]
    if has_criteria(of.format_id):
        known = {column.ref for column in found}
        found += [_strange(ref, attached=False) for ref in _mentioned(sheet) if ref not in known]
    return tuple(found)


def has_criteria(format_id: str) -> bool:
    """Return whether the cases of a format's sets say what each check expects of them."""
    return format_id == "uipath_coded"


def why_none(format_id: str) -> str:
    """Return why cases of a format have nothing to edit here, "" where they have."""
    return {
        "uipath_coded": "",
        "uipath_lowcode": "In a low-code set every check scores every case, against the case's "
        "own expected output and behaviour: a case says nothing to one check in particular.",
        "tenxgraph": "10xGraph has one config for a whole run: cases cannot say anything to one "
        "check in particular.",
    }.get(
        format_id,
        "One criteria file governs all cases of its folder: a case has rubrics of its own and "
        "nothing else to say to one check.",
    )


def cell_of(column: Column, sheet: Sheet, case: str, own: Bench | None) -> Cell:
    """Return what a case says of a check."""
    if column.source == "file":
        return Cell("file", "as the file")
    value = home_of(column, sheet, case, own)
    found = MISSING if value is None else value.read()
    return _cell(found, column)


def home_of(column: Column, sheet: Sheet, case: str, own: Bench | None) -> Home | None:
    """Return where a case says something of a check; None where it cannot."""
    if column.source == "own" and own is not None:
        case_id = sheet.lens.case_id(sheet.cases[sheet.index_of(case)])
        if case_id is None:
            return None
        pointer = join("/cases", case_id, column.ref)
        return Home(own, own.key("case", case_id, column.ref), lambda _t: pointer, case_id, "snake")
    if column.source != "case":
        return None

    def where(tree: JsonValue) -> str:
        at = sheet.pointer((case,), tree)
        raw = get(tree, at)
        return join(at + CRITERIA.where(None if raw is MISSING else raw), column.ref)

    name = "|".join((sheet.draft.path, "matrix", case, column.ref))
    label = f"{sheet.title(case)}, {column.title}"
    return Home(sheet, name, where, label, sheet.lens.style(sheet.tree))


def settings_for(column: Column) -> tuple[Setting, ...]:
    """Return the settings of what a case may say of a check."""
    if column.model is None:
        return ()
    found = settings_of(column.model)
    if column.source != "own":
        return found
    # What a case does not say is as the check has it.
    return tuple(replace(s, default=None) if s.is_required else s for s in found)


def start_of(column: Column) -> JsonValue:
    """Return what a case begins with when it gets values of its own.

    That is a copy of the check's default, or else empty values for all that it must say.
    """
    if column.source == "own":
        return {}
    if column.default:
        return column.default
    blank: dict[str, JsonValue] = {}
    for setting in settings_for(column):
        if setting.is_required:
            blank[setting.lens.keys[0].spellings[0]] = _blank(setting)
    return blank


def _blank(setting: Setting) -> JsonValue:
    if setting.kind in ("names", "items"):
        return []
    return {} if setting.kind in ("counts", "object", "value") else ""


def _cell(found: JsonValue | Missing, column: Column) -> Cell:
    own = column.source == "own"
    if found is MISSING:
        return Cell("absent", "as set" if own else "not run")
    if found is None:
        return Cell("null", "off" if own else "default (null)")
    if found == {}:
        return Cell("empty", "as set ({})" if own else "default ({})")
    return Cell("own", _short(found))


def _short(value: JsonValue) -> str:
    """Return what a case says in a few words: a single value without the name around it."""
    shown = value
    while isinstance(shown, dict) and len(shown) == 1:
        shown = next(iter(shown.values()))
    if isinstance(shown, list) and all(isinstance(item, str) for item in shown):
        return first_words(", ".join(map(str, shown)), _PREVIEW) or "[]"
    if isinstance(shown, list) and shown and all(isinstance(i, dict) for i in shown):
        names = (str(i.get("name", "?")) for i in shown if isinstance(i, dict))
        return first_words(", ".join(names), _PREVIEW)
    if isinstance(shown, dict) and not any(isinstance(v, (dict, list)) for v in shown.values()):
        return first_words(", ".join(f"{n}: {plain(v)}" for n, v in shown.items()), _PREVIEW)
    text = shown if isinstance(shown, str) else as_text(shown, indent=None)
    return first_words(text, _PREVIEW) or "(empty text)"


def _single(of: WiredSet, file: EvaluatorFile) -> Column:
    check = file.checks[0]
    tree = check.config
    has = has_criteria(of.format_id)
    return Column(
        ref=of.ref_for(file) or check.ref,
        title=check.name or check.ref,
        source="case" if has else "file",
        file=file.path,
        check=check.ref,
        model=criterion_model(tree) if has and tree is not MISSING else None,
        default=_default(tree),
    )


def _of_criteria(file: EvaluatorFile, check: Evaluator, source: Source) -> Column:
    cls = kinds().get(check.native_type) if source == "own" else None
    return Column(
        ref=check.ref,
        title=check.name,
        source=source,
        file=file.path,
        check=check.origin.rpartition("/")[2] if source == "file" else check.ref,
        model=cls.params_type if cls is not None else None,
    )


def _strange(ref: str, *, attached: bool = True) -> Column:
    return Column(ref, ref, "case", None, None, is_attached=attached)


def _default(tree: JsonValue | Missing) -> JsonObject | None:
    config = get(tree, "/evaluatorConfig")
    found = At(key(DEFAULT_CRITERIA, first="camel")).get(None if config is MISSING else config)
    return found if isinstance(found, dict) else None


def _mentioned(sheet: Sheet) -> Iterable[str]:
    names: dict[str, None] = {}
    cases: Sequence[JsonValue] = sheet.cases
    for raw in cases:
        found = CRITERIA.get(raw)
        names.update(dict.fromkeys(_members(found)))
    return names


def _members(value: JsonValue | Missing) -> JsonObject:
    return value if isinstance(value, dict) else {}
