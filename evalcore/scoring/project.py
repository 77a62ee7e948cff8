"""What a set is scored with: the checks of its project's files, ours beside it, a run's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evalcore.errors import EvaldeskError, FormatError
from evalcore.evaluators.tenxgraph.presets import PRESETS, combine
from evalcore.formats.base import Kind
from evalcore.formats.tenxgraph.evaluators import read_evaluators
from evalcore.judges import Judge
from evalcore.model import EvalSet
from evalcore.model import Evaluator as Configured
from evalcore.results import Run
from evalcore.scoring.checks import Check, Choice, checks_for
from evalcore.scoring.sidecar import read_checks, sidecar_path
from evalcore.scoring.systems import Harnest, TenXGraph, system_of
from evalcore.workspace import OpenFile, Workspace


@dataclass(frozen=True, slots=True)
class Project:
    """An eval set with the checks that its project configures.

    ``source`` says in words where they come from. ``own`` are Evaldesk's checks of the set.
    """

    path: str
    eval_set: EvalSet
    configured: tuple[Configured, ...]
    own: tuple[Check, ...] = ()
    source: str = ""
    has_files: bool = False


def open_project(workspace: Workspace, path: str, configs: Sequence[OpenFile] = ()) -> Project:
    """Return an eval set with its checks.

    ``configs`` are evaluator and criteria files to use instead of those that the set's own system
    applies. Raises FormatError for a file that is no eval set or no evaluator, WorkspaceError and
    DocumentError for one that cannot be read: a check that is left out could hide a failure.
    """
    opened = workspace.open(path)
    if opened.format is None or opened.detection is None or opened.detection.kind is not _SET:
        raise FormatError(f"{path} is no eval set", hint="Name the eval set that was run.")
    eval_set = opened.format.lens_for(opened.detection).read(opened.document.value)
    files = configs or [_open(workspace, name) for name in _files(workspace, path, eval_set)]
    configured = tuple(found for file in files for found in _configured(file))
    return Project(
        path=path,
        eval_set=eval_set,
        configured=configured,
        own=_own(workspace, sidecar_path(path, eval_set.format_id)),
        source=", ".join(file.path for file in files),
        has_files=bool(files),
    )


def with_run(project: Project, run: Run) -> Project:
    """Return a project with what the run says of its checks, where no file configures any.

    10xGraph writes its config into each report; without it, and elsewhere, the system's own
    defaults apply: for 10xGraph those of its library, as its command line reads no eval sets.
    """
    if project.has_files:
        return project
    used = run.metadata.get("config_used") if isinstance(run.metadata, dict) else None
    if project.eval_set.format_id == "tenxgraph" and isinstance(used, dict):
        return _replaced(project, read_evaluators(used), "the config that the run recorded")
    system = system_of(project.eval_set.format_id)
    return _replaced(project, system.default(), f"the defaults of {system.label}")


def with_presets(project: Project, names: Sequence[str]) -> Project:
    """Return a project with 10xGraph's presets of these names in place of its own criteria.

    Of a criterion that several switch on, the last counts. Raises EvaldeskError for an unknown name
    and for a set of another system.
    """
    system = system_of(project.eval_set.format_id)
    if not isinstance(system, TenXGraph):
        raise EvaldeskError(
            f"{system.label} has no presets", hint="Leave them out: only 10xGraph has them."
        )
    unknown = [name for name in names if name not in PRESETS]
    if unknown:
        raise EvaldeskError(
            f"10xGraph has no preset {unknown[0]!r}", hint=f"Its presets: {', '.join(PRESETS)}."
        )
    combined = combine(*(PRESETS[name]() for name in names))
    told = f"the preset{'s' if len(names) > 1 else ''} {', '.join(names)}"
    return _replaced(project, read_evaluators(combined), told)


def checks_of(
    project: Project, run: Run, choice: Choice, judge: Judge | None = None
) -> tuple[Check, ...]:
    """Return the checks to score a run with; a run of Harnest keeps its trajectory policy.

    Raises EvaldeskError where nothing at all would be checked.
    """
    if isinstance(system_of(project.eval_set.format_id), Harnest) and not choice.trajectory:
        used = run.metadata.get("trajectory") if isinstance(run.metadata, dict) else None
        choice = Choice(
            choice.only,
            choice.thresholds,
            choice.match_modes,
            used if used in ("business", "strict") else "",
        )
    found = checks_for(project.eval_set, project.configured, project.own, choice, judge)
    if all(check.reports for check in found):
        raise EvaldeskError(
            f"Nothing would be checked: {project.source or project.path} switches no check on",
            hint="Add evaluators or criteria, or name files that have some.",
        )
    return found


def run_of_set(runs: Sequence[Run], eval_set: EvalSet) -> Run:
    """Return the run of a set among those in a result file; the only one, if it names no set.

    Raises FormatError where none, or more than one, is a run of this set.
    """
    names = {name.casefold() for name in (eval_set.id, eval_set.name) if name}
    known = [
        (run, {n.casefold() for n in (run.eval_set_id, run.eval_set_name) if n}) for run in runs
    ]
    fits = [run for run, own in known if own & names] or [run for run, own in known if not own]
    if len(fits) == 1:
        return fits[0]
    listed = ", ".join(sorted({run.eval_set_id or run.name for run in runs})) or "none"
    raise FormatError(
        f"The file holds {len(fits)} runs of {eval_set.id or eval_set.name or 'this set'}",
        hint=f"Its runs are of: {listed}.",
    )


_SET = Kind.EVAL_SET


def _files(workspace: Workspace, path: str, eval_set: EvalSet) -> tuple[str, ...]:
    """Return the files that configure a set's checks, one that cannot be read included."""
    found = workspace.evaluator_files_of(path)
    name = system_of(eval_set.format_id).config_name
    if not found and name and name in {e.name for e in workspace.near(path).entries("")}:
        return (str(PurePosixPath(path).with_name(name)),)
    return found


def _open(workspace: Workspace, path: str) -> OpenFile:
    try:
        return workspace.open(path)
    except (OSError, EvaldeskError) as error:
        raise EvaldeskError(
            f"{path}: {error}", hint="Mend it first: without it nobody knows what to check."
        ) from error


def _configured(file: OpenFile) -> tuple[Configured, ...]:
    detection, known = file.detection, file.format
    if known is None or detection is None or detection.kind not in (Kind.EVALUATOR, Kind.CRITERIA):
        raise FormatError(
            f"{file.path} configures no evaluators",
            hint="Name an evaluator file or a criteria file.",
        )
    return known.read_evaluators(file.document.value, detection)


def _own(workspace: Workspace, path: str) -> tuple[Check, ...]:
    name = path.rpartition("/")[2]
    if name not in {entry.name for entry in workspace.near(path).entries("")}:
        return ()
    try:
        return read_checks(workspace.open(path).document.value)
    except EvaldeskError as error:
        raise EvaldeskError(f"{path}: {error.message}", hint=error.hint) from error


def _replaced(project: Project, configured: Sequence[Configured], source: str) -> Project:
    return Project(
        project.path, project.eval_set, tuple(configured), project.own, source, project.has_files
    )
