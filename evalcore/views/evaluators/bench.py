"""One file of evaluators on somebody's desk: its draft, its checks, its settings, its problems."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import TYPE_CHECKING, Literal

from evalcore.errors import EvaldeskError, FormatError, Problem
from evalcore.evaluators import kinds
from evalcore.evaluators.base import Evaluator, JudgedEvaluator
from evalcore.evaluators.uipath.files import kind_of
from evalcore.formats._uipath.kinds import CATEGORIES, TYPES
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.lenses import Spelling, style_of
from evalcore.formats.names import Names
from evalcore.formats.tenxgraph.config_checks import is_on
from evalcore.formats.tenxgraph.names import named
from evalcore.jsontree import JsonObject, JsonValue, get, is_within, join
from evalcore.scoring.sidecar import read_checks
from evalcore.views.editing import Editing
from evalcore.views.evaluators.home import Home
from evalcore.wiring.reading import own_file

if TYPE_CHECKING:
    from evalcore.drafts import Draft
    from evalcore.jsondoc import JsonDocument

State = Literal["on", "off", "null"]


@dataclass(frozen=True, slots=True)
class CheckView:
    """One check of a file.

    ``ref`` is what the file calls it: its key, or the id of a UiPath evaluator. ``kind`` is the id
    in the registry, "" for one that cannot be computed here; ``native`` is the system's own word.
    """

    ref: str
    title: str
    kind: str
    native: str
    pointer: str
    state: State = "on"
    is_custom: bool = False

    @property
    def cls(self) -> type[Evaluator] | None:
        """Return the check's class, None where it cannot be computed here."""
        return kinds().get(self.kind)

    @property
    def label(self) -> str:
        """Return what kind of check it is, in words."""
        if self.is_custom:
            return "Own Python code"
        return self.cls.label if self.cls else f"Unknown kind {self.native}"

    @property
    def help(self) -> str:
        """Return what the check answers."""
        if self.is_custom:
            return "A function of your project. It is shown here and never loaded."
        return self.cls.help if self.cls else "Evaldesk does not know this kind; it is kept."

    @property
    def is_judged(self) -> bool:
        """Return whether it asks a judge."""
        return self.cls is not None and issubclass(self.cls, JudgedEvaluator)


class Bench(Editing):
    """A file of evaluators being edited. One object serves all tabs of its owner."""

    def __init__(
        self,
        draft: Draft,
        family: str,
        check: Callable[[JsonDocument], Sequence[Problem]],
        names: Callable[[], Names] = Names,
    ) -> None:
        super().__init__(draft)
        self.family = family
        self._names = names
        self._check = check
        self._lock = RLock()
        self._checked: tuple[int, tuple[Problem, ...]] | None = None

    def known_names(self) -> Names:
        """Return the tools and nodes that the project mentions."""
        return self._names()

    @property
    def path(self) -> str:
        """Return the file's path."""
        return self.draft.path

    @property
    def is_single(self) -> bool:
        """Return whether the file is one evaluator of UiPath's."""
        return self.family.startswith("uipath")

    @property
    def label(self) -> str:
        """Return whose file it is."""
        return self.draft.base.format.label if self.draft.base.format else "Evaldesk"

    @property
    def style(self) -> Spelling:
        """Return how the file spells the keys that belong to its system."""
        usual: Spelling = "camel" if self.is_single or self.family == "harnest" else "snake"
        return style_of(self.tree, usual) if not self.is_single else usual

    @property
    def checks(self) -> tuple[CheckView, ...]:
        """Return the checks of the file, in the file's order."""
        tree = self.tree
        if not isinstance(tree, dict):
            return ()
        if self.is_single:
            return (_single(tree, self.path),)
        if self.family == "evaldesk":
            return tuple(
                CheckView(c.ref, c.name, c.native_type, c.native_type, c.origin)
                for c in own_file(self.path, tree).checks
            )
        found = get(tree, "/criteria")
        entries = found if isinstance(found, dict) else {}
        make = _tenxgraph if self.family == "tenxgraph" else _adk
        return tuple(make(name, raw, tree) for name, raw in entries.items())

    def check(self, ref: str | None) -> CheckView | None:
        """Return a check by its name in the file, None if there is none."""
        if self.is_single:
            return next(iter(self.checks), None)
        return next((check for check in self.checks if check.ref == ref), None)

    def home(self, check: CheckView) -> Home:
        """Return where the settings of a check lie."""
        return Home(self, self.key("check", check.ref), self._where(check), check.title, self.style)

    def root(self, pointer: str, label: str) -> Home:
        """Return the home of an object at a fixed place of the file."""
        return Home(self, self.key("root", pointer), lambda _tree: pointer, label, self.style)

    def key(self, *names: str) -> str:
        """Return a key for something in this file."""
        return "|".join((self.path, *names))

    def problems(self) -> tuple[Problem, ...]:
        """Return the problems of the draft."""
        with self._lock:
            if self._checked is None or self._checked[0] != self.draft.revision:
                found = tuple(self._check(self.draft.document()))
                self._checked = (self.draft.revision, found)
            return self._checked[1]

    def problems_of(self, check: CheckView) -> list[Problem]:
        """Return the problems of one check: in a UiPath file all of them are the evaluator's."""
        if self.is_single:
            return list(self.problems())
        whole = [check.pointer]
        if self.family in ("adk", "harnest"):
            whole += [join(f"/{key}", check.ref) for key in ("custom_metrics", "customMetrics")]
        return [p for p in self.problems() if any(is_within(p.pointer, at) for at in whole)]

    def problems_around(self) -> list[Problem]:
        """Return the problems that belong to no check."""
        mine = [p for check in self.checks for p in self.problems_of(check)]
        return [p for p in self.problems() if p not in mine]

    def _where(self, check: CheckView) -> Callable[[JsonValue], str]:
        if self.family == "uipath_coded":
            return lambda _tree: "/evaluatorConfig"
        if self.family == "evaldesk":
            return lambda tree: _own_place(tree, check.ref)
        pointer = check.pointer
        return lambda _tree: pointer


def _single(tree: JsonObject, path: str) -> CheckView:
    kind = kind_of(tree) or ""
    config = tree.get("evaluatorConfig")
    inner = config.get("name") if isinstance(config, dict) else None
    ref = tree.get("id")
    names = (tree.get("name"), inner, ref, posixpath.basename(path))
    title = next(name for name in names if isinstance(name, str) and name)
    schema = tree.get("evaluatorSchema")
    custom = isinstance(schema, str) and schema.startswith("file://")
    native = schema if custom else tree.get("evaluatorTypeId") or _pair(tree)
    return CheckView(
        ref if isinstance(ref, str) else "", title, kind, str(native), "", is_custom=custom
    )


def _pair(tree: JsonObject) -> str:
    category, number = tree.get("category"), tree.get("type")
    words = [
        names[value] if isinstance(value, int) and value in names else str(value)
        for value, names in ((category, CATEGORIES), (number, TYPES))
    ]
    return " / ".join(words)


def _adk(name: str, raw: JsonValue, tree: JsonObject) -> CheckView:
    customs = tree.get("custom_metrics", tree.get("customMetrics"))
    custom = isinstance(customs, dict) and name in customs
    known = METRICS.get(name) if not custom else None
    return CheckView(
        ref=name,
        title=known.title if known else name,
        kind=f"adk.{name}" if known else "",
        native=name,
        pointer=join("/criteria", name),
        is_custom=custom,
    )


def _tenxgraph(name: str, raw: JsonValue, tree: JsonObject) -> CheckView:
    criterion = named(name)
    state: State = "null" if raw is None else "on" if is_on(raw) else "off"
    if isinstance(raw, (int, float)) and not isinstance(raw, bool):
        state = "on"
    return CheckView(
        ref=name,
        title=criterion.label if criterion else name,
        kind=f"tenxgraph.{criterion.key}" if criterion and criterion.key else "",
        native=name,
        pointer=join("/criteria", name),
        state=state,
    )


def _own_place(tree: JsonValue, name: str) -> str:
    found = get(tree, "/checks")
    for index, raw in enumerate(found if isinstance(found, list) else ()):
        if isinstance(raw, dict) and raw.get("name") == name:
            return join("/checks", index, "params")
    raise FormatError(f"The check {name!r} is gone", hint="It was deleted or renamed.")


def own_problems(tree: JsonValue) -> list[Problem]:
    """Return what is wrong with our own file of checks: what cannot be built, and why."""
    try:
        found = read_checks(tree)
    except EvaldeskError as error:
        return [Problem("error", "evaldesk.checks_file", error.message, error.hint)]
    return [
        Problem("error", "evaldesk.check", check.problem, check.hint, join("/checks", index))
        for index, check in enumerate(found)
        if check.evaluator is None
    ]
