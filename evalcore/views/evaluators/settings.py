"""The settings of a check as a form shows them, drawn from its parameter model.

A setting that the file does not have is shown with its default and written only when it is set.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from evalcore.errors import FormatError, Problem
from evalcore.formats.lenses import At, Key, Lens, Spelling, exactly
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing
from evalcore.views.evaluators.home import Home
from evalcore.views.problems import divide

Kind = Literal[
    "flag",
    "number",
    "whole",
    "choice",
    "line",
    "text",
    "names",
    "target",
    "object",
    "value",
    "items",
    "counts",
]
OURS: Final = frozenset({"literal_data", "simulation_instructions", "agent_model"})
"""Parameters that no file of a system has: they say how Evaldesk itself runs a check."""
LONG: Final = frozenset(
    {"prompt", "expected_agent_behavior", "search_text", "content", "text_property", "output"}
)
MARK: Final = "threshold"


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. ``default`` is MISSING for one that must be given.

    ``low`` and ``high`` bound a number, None where it has no bound; ``model`` is that of the items
    of a list. ``annotation`` is what a value must fit. ``options`` are all that a choice takes, and
    what is offered for a line, which takes any other text as well.
    """

    name: str
    label: str
    help: str
    kind: Kind
    lens: At
    default: Any = MISSING
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    nullable: bool = False
    model: type[BaseModel] | None = None
    annotation: Any = Any

    @property
    def is_required(self) -> bool:
        """Whether the check cannot do without."""
        return self.default is MISSING

    @property
    def range_words(self) -> str:
        """Return the range of a number in words, "" for none."""
        if self.low is not None and self.high is not None:
            return f"From {self.low:g} to {self.high:g}."
        if self.low is not None:
            return f"At least {self.low:g}."
        return f"At most {self.high:g}." if self.high is not None else ""

    def check(self, value: JsonValue) -> None:
        """Raise FormatError for a value that the check would not take."""
        try:
            _adapter(self).validate_python(value)
        except ValidationError as error:
            told = error.errors()[0]["msg"].removeprefix("Value error, ")
            hint = self.range_words or "Write another value."
            raise FormatError(f"{self.label}: {told}", hint=hint) from error


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting with what the file has of it now."""

    setting: Setting
    home: Home
    lens: Lens
    value: JsonValue | Missing
    problems: tuple[Problem, ...] = ()

    @property
    def key(self) -> str:
        """Return the name of its widget."""
        return self.home.inner(self.setting.name)

    @property
    def is_present(self) -> bool:
        """Return whether the file has it."""
        return self.value is not MISSING

    def read(self) -> JsonValue | Missing:
        """Return what the file has now."""
        raw = self.home.read()
        return MISSING if raw is MISSING else self.lens.get(raw)

    def write(self, value: JsonValue | Missing) -> None:
        """Write a value; MISSING takes the setting out of the file."""
        setting, style = self.setting, self.home.style

        def make(raw: JsonValue | Missing) -> JsonValue | Missing:
            if value is MISSING and (raw is MISSING or raw is None):
                return raw
            return self.lens.put({} if raw is MISSING or raw is None else raw, value, style)

        self.home.change(make, setting.label.lower(), self.key)


def settings_of(
    model: type[BaseModel], skip: Iterable[str] = (), *, scale: tuple[float, float] | None = None
) -> tuple[Setting, ...]:
    """Return the settings of a parameter model, those of objects inside it unfolded.

    ``scale`` is the range of the check's scores, in which its pass mark lies.
    """
    left_out = {*skip, *OURS}
    found = [
        setting
        for name, info in model.model_fields.items()
        if name not in left_out
        for setting in _of_field(name, info, ())
    ]
    if scale is None:
        return tuple(found)
    return tuple(_on_scale(s, scale) if s.name == MARK else s for s in found)


def views_of(
    home: Home,
    settings: Sequence[Setting],
    problems: Iterable[Problem] = (),
    *,
    plain: bool = False,
) -> tuple[tuple[SettingView, ...], tuple[Problem, ...]]:
    """Return the settings as they stand, and the problems that lie at none of them.

    ``plain`` is for criteria that may be a bare number: their pass mark.
    """
    raw = home.read()
    base = home.pointer()
    known = None if raw is MISSING else raw
    lenses: list[Lens] = [
        BareOrObject(s.lens, s.name == MARK) if plain else s.lens for s in settings
    ]
    places = [base + lens.where(known) for lens in lenses]
    bare = plain and not isinstance(known, dict)
    mine, rest = divide(problems, [place for place in places if bare or place != base])
    views = tuple(
        SettingView(
            setting,
            home,
            lens,
            lens.get(known),
            tuple(mine.pop(place, ())),
        )
        for setting, lens, place in zip(settings, lenses, places, strict=True)
    )
    return views, tuple(rest)


class BareOrObject(Lens):
    """A member of a criterion that a file may write as a bare number, which is its pass mark."""

    def __init__(self, inner: At, is_mark: bool) -> None:
        self.inner = inner
        self.is_mark = is_mark

    def get(self, raw: JsonValue) -> JsonValue | Missing:
        """Return the member; of a bare number only the pass mark is there."""
        if isinstance(raw, dict) or raw is None:
            return self.inner.get(raw)
        return raw if self.is_mark else MISSING

    def put(self, raw: JsonValue, value: JsonValue | Missing, style: Spelling) -> JsonValue:
        """Write the member; a bare number becomes an object where it must hold anything else."""
        if isinstance(raw, dict):
            return self.inner.put(raw, value, style)
        if self.is_mark and value is not MISSING and raw is not None:
            return value
        if value is MISSING:
            return raw
        bare: JsonObject = {} if raw is None else {MARK: raw}
        return self.inner.put(bare, value, style)

    def where(self, raw: JsonValue) -> str:
        """Return the place of the member, "" for the mark of a bare number."""
        return "" if self.is_mark and not isinstance(raw, dict) else self.inner.where(raw)


def key_of(name: str, info: FieldInfo) -> Key:
    """Return how files spell a parameter: the camelCase spelling first where there are two."""
    alias = info.alias
    return Key((alias, name)) if alias and alias != name else exactly(name)


def _of_field(name: str, info: FieldInfo, outer: tuple[tuple[str, Key], ...]) -> Iterable[Setting]:
    annotation, nullable = _without_none(info.annotation)
    path = (*outer, (name, key_of(name, info)))
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        for inner, inner_info in annotation.model_fields.items():
            yield from _of_field(inner, inner_info, path)
        return
    yield _setting(name, info, annotation, nullable, path)


def _setting(
    name: str,
    info: FieldInfo,
    annotation: Any,
    nullable: bool,
    path: tuple[tuple[str, Key], ...],
) -> Setting:
    kind, options, model = _kind(name, annotation)
    low, high = _bounds(info)
    return Setting(
        name=".".join(step for step, _key in path),
        label=info.title or name.replace("_", " ").capitalize(),
        help=info.description or "",
        kind=kind,
        lens=At(*(key for _step, key in path)),
        default=MISSING if info.is_required() else info.get_default(call_default_factory=True),
        options=options or tuple(map(str, info.examples or ())),
        low=low,
        high=high,
        nullable=nullable,
        model=model,
        annotation=Annotated[info.annotation, *info.metadata] if info.metadata else info.annotation,
    )


def _kind(name: str, annotation: Any) -> tuple[Kind, tuple[str, ...], type[BaseModel] | None]:
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return "choice", tuple(map(str, args)), None
    if origin is list and args and isinstance(args[0], type) and issubclass(args[0], BaseModel):
        return "items", (), args[0]
    if annotation == list[str]:
        return "names", (), None
    if origin is dict:
        return ("counts" if get_origin(args[1]) is tuple else "object"), (), None
    if origin in (Union, UnionType):
        return ("target" if list[str] in args else "value"), (), None
    simple: dict[Any, Kind] = {bool: "flag", float: "number", int: "whole"}
    if annotation is str:
        return ("text" if name in LONG else "line"), (), None
    return simple.get(annotation, "value"), (), None


def _bounds(info: FieldInfo) -> tuple[float | None, float | None]:
    low = high = None
    for rule in info.metadata:
        if isinstance(rule, (Ge, Gt)):
            low = _number(rule.ge if isinstance(rule, Ge) else rule.gt)
        if isinstance(rule, (Le, Lt)):
            high = _number(rule.le if isinstance(rule, Le) else rule.lt)
    return low, high


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) else None


def _without_none(annotation: Any) -> tuple[Any, bool]:
    if get_origin(annotation) not in (Union, UnionType):
        return annotation, False
    parts = [part for part in get_args(annotation) if part is not NoneType]
    if len(parts) == len(get_args(annotation)):
        return annotation, False
    return (parts[0] if len(parts) == 1 else Union[tuple(parts)]), True  # noqa: UP007


def _on_scale(setting: Setting, scale: tuple[float, float]) -> Setting:
    return replace(setting, low=scale[0], high=scale[1])


def _adapter(setting: Setting) -> TypeAdapter[Any]:
    return TypeAdapter(setting.annotation)
