"""Which settings of a check, and of the file around it, are drawn, in which sections."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import BaseModel

from evalcore.errors import Problem
from evalcore.evaluators import kinds
from evalcore.evaluators.uipath.base import CodedEvaluator
from evalcore.evaluators.uipath.files import kind_of
from evalcore.evaluators.uipath.legacy import LegacyCriteria
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.lenses import At, exactly, key
from evalcore.jsontree import MISSING, JsonObject, JsonValue, get, join
from evalcore.views.evaluators import models
from evalcore.views.evaluators.bench import Bench, CheckView
from evalcore.views.evaluators.home import Home
from evalcore.views.evaluators.settings import (
    MARK,
    Setting,
    SettingView,
    settings_of,
    views_of,
)

DEFAULT_CRITERIA: Final = "default_evaluation_criteria"
PROMPT: Final = "prompt"
_KEPT: Final = (
    "enabled",
    "version",
    "id",
    "evaluatorTypeId",
    "evaluatorSchema",
    "evaluatorConfig",
    "fileName",
    "category",
    "type",
    "createdAt",
    "updatedAt",
)
"""Keys that other parts of the page show."""
_NAME = Setting("name", "Name", "What results call this evaluator.", "line", At(exactly("name")))
_ABOUT = Setting(
    "description", "Description", "A note for people.", "text", At(exactly("description")), ""
)
_CONFIG = Setting(
    "evaluatorConfig",
    "Settings",
    "What the project's own code reads; Evaldesk keeps it as it is.",
    "object",
    At(exactly("evaluatorConfig")),
)
_MARK = Setting(
    MARK,
    "Pass mark",
    "Scores from here on pass.",
    "number",
    At(exactly(MARK)),
    1.0,
    annotation=float,
)


@dataclass(frozen=True, slots=True)
class Section:
    """Settings that are drawn together. ``unread`` names what else the file has in their place."""

    title: str
    home: Home
    views: tuple[SettingView, ...]
    unread: tuple[str, ...] = ()
    note: str = ""

    def view(self, name: str) -> SettingView | None:
        """Return one of the settings."""
        return next((view for view in self.views if view.setting.name == name), None)


@dataclass(frozen=True, slots=True)
class CheckForm:
    """The form of one check; ``rest`` are its problems that no setting shows."""

    check: CheckView
    sections: tuple[Section, ...]
    rest: tuple[Problem, ...]
    criterion: Section | None = None
    """What the check expects of cases that state nothing, drawn by the check's own criterion."""

    def view(self, name: str) -> SettingView | None:
        """Return one of the settings."""
        found = (section.view(name) for section in self.sections)
        return next((view for view in found if view is not None), None)

    @property
    def prompt(self) -> SettingView | None:
        """Return the prompt, None for a check without one in its file."""
        return self.view(PROMPT)

    @property
    def mark(self) -> SettingView | None:
        """Return the pass mark, None for a check without one."""
        return self.view(MARK)


def check_form(bench: Bench, check: CheckView) -> CheckForm:
    """Return the form of a check."""
    problems: Sequence[Problem] = bench.problems_of(check)
    sections: list[Section] = []
    for title, home, settings, plain in _parts(bench, check):
        views, rest = views_of(home, settings, problems, plain=plain)
        problems = rest
        sections.append(Section(title, home, views, unread(home, settings, _KEPT)))
    criterion, problems = _default_criterion(bench, check, problems)
    return CheckForm(check, tuple(sections), tuple(problems), criterion)


def file_sections(bench: Bench) -> tuple[tuple[Section, ...], tuple[Problem, ...]]:
    """Return the settings of a criteria file beside its checks, and the problems left over."""
    problems: Sequence[Problem] = bench.problems_around()
    found: list[Section] = []
    for title, at, model, note in _around(bench):
        home = bench.root(at, title)
        views, rest = views_of(home, settings_of(model), problems)
        problems = rest
        skip = _own_keys(bench) if not at else ()
        found.append(Section(title, home, views, unread(home, settings_of(model), skip), note))
    return tuple(found), tuple(problems)


def criterion_model(tree: JsonValue) -> type[BaseModel] | None:
    """Return what a UiPath evaluator's file expects of a case, None where nobody can say."""
    kind = kind_of(tree) if isinstance(tree, dict) else None
    cls = kinds().get(kind or "")
    if cls is None:
        return None
    return cls.criteria_type if issubclass(cls, CodedEvaluator) else LegacyCriteria


def scale_of(check: CheckView) -> tuple[float, float]:
    """Return the range of a check's scores in its own system: the real range of its pass mark."""
    metric = METRICS.get(check.native) if check.kind.startswith("adk.") else None
    if metric is not None and metric.lowest is not None and metric.highest is not None:
        return metric.lowest, metric.highest
    return (check.cls.scale.worst, check.cls.scale.best) if check.cls else (0.0, 1.0)


def params_of(check: CheckView) -> tuple[Setting, ...]:
    """Return the settings that a check's parameter model has."""
    if check.cls is None:
        return ()
    return settings_of(check.cls.params_type, (DEFAULT_CRITERIA,), scale=scale_of(check))


def unread(home: Home, settings: Iterable[Setting], skip: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the names in an object that none of its settings reads."""
    raw = home.read()
    known = {name for setting in settings for name in setting.lens.keys[0].spellings}
    known |= set(skip)
    return tuple(name for name in raw if name not in known) if isinstance(raw, dict) else ()


_Part = tuple[str, Home, tuple[Setting, ...], bool]


def _parts(bench: Bench, check: CheckView) -> Iterable[_Part]:
    home = bench.home(check)
    if bench.family == "uipath_coded":
        yield from _coded(bench, check, home)
    elif bench.family == "uipath_lowcode":
        root = bench.root("", check.title)
        settings = tuple(s for s in params_of(check))
        yield "Settings", root, (_NAME, *settings, _ABOUT), False
    elif check.is_custom:
        yield "Settings", home, (_MARK,), True
        key_ = "customMetrics" if get(bench.tree, "/customMetrics") is not MISSING else None
        at = join("", key_ or "custom_metrics", check.ref)
        yield "Function", bench.root(at, check.title), settings_of(models.CustomMetric), False
    elif bench.family == "tenxgraph":
        more = settings_of(models.TenXGraphJudge) if check.is_judged else ()
        yield "Settings", home, (*params_of(check), *more), True
    else:
        settings = params_of(check) or (_MARK,)
        yield "Settings", home, settings, bench.family != "evaldesk"


def _coded(bench: Bench, check: CheckView, home: Home) -> Iterable[_Part]:
    root = bench.root("", check.title)
    on_top = get(bench.tree, "/name") is not MISSING
    if check.cls is None:
        yield "About", root, (*([_NAME] if on_top else []), _ABOUT, _CONFIG), False
        return
    described = get(bench.tree, "/description") is not MISSING
    inside = get(bench.tree, "/evaluatorConfig/description") is not MISSING
    about = [s for s, here in ((_NAME, on_top), (_ABOUT, described or not inside)) if here]
    settings = params_of(check)
    own = [s for s, here in ((_NAME, not on_top), (_ABOUT, inside and not described)) if here]
    yield "Settings", home, (*own, *settings), False
    if about:
        yield "About", root, tuple(about), False


def _default_criterion(
    bench: Bench, check: CheckView, problems: Sequence[Problem]
) -> tuple[Section | None, Sequence[Problem]]:
    model = criterion_model(bench.tree) if bench.family == "uipath_coded" else None
    if model is None:
        return None, problems
    lens = At(key(DEFAULT_CRITERIA, first="camel"))
    config = get(bench.tree, "/evaluatorConfig")
    where = "/evaluatorConfig" + lens.where(None if config is MISSING else config)
    home = replace(bench.root(where, f"{check.title}, default"), key=bench.key("default"))
    settings = settings_of(model)
    views, rest = views_of(home, settings, problems)
    return Section("Default expectation", home, views, unread(home, settings)), rest


def _around(bench: Bench) -> Iterable[tuple[str, str, type[BaseModel], str]]:
    if bench.family in ("adk", "harnest"):
        name = _spelled(bench, "user_simulator_config", "userSimulatorConfig")
        yield "Simulated user", f"/{name}", models.AdkSimulator, "Used by cases with a scenario."
        live = _spelled(bench, "live_model_config", "liveModelConfig")
        yield "Live mode", f"/{live}", models.AdkLive, "Writing it turns live mode on."
    elif bench.family == "tenxgraph":
        yield "Reports", "/reporter", models.TenXGraphReporter, ""
        yield "Run", "", models.TenXGraphRun, "10xGraph reads none of these from a config."
        yield "Simulated user", "/user_simulator_config", models.TenXGraphSimulator, ""


def _spelled(bench: Bench, snake: str, camel: str) -> str:
    tree: JsonObject = bench.tree if isinstance(bench.tree, dict) else {}
    if camel in tree:
        return camel
    return camel if bench.style == "camel" and snake not in tree else snake


def _own_keys(bench: Bench) -> tuple[str, ...]:
    return ("criteria", "reporter", "user_simulator_config") if bench.family == "tenxgraph" else ()
