"""Score recorded outputs, or re-score a result file, with the checks of an eval set.

The numbers are those that the set's own system gives; its verdicts follow its own rule, and UiPath,
which has none, takes the pass mark. Judges are asked only with --judge; without it, judged checks
keep the scores stored in the result file.

FILE is a result file of any known system, or JSONL with one object per turn: case_id, and as far as
they were recorded invocation (from 0), output, tool_calls, node_visits, duration_s, tokens, error
and repeat.

The exit code is 0 if every case of the set passed and no check ended in an error, 1 otherwise: a
case that was not run or not evaluated did not pass. The JSON has `verdict`, `theirs` (what the
system itself would say), `checks` (numbers with their denominators), `cases` (verdict, scores,
turns), `differences` from the stored scores, `judge_calls` (how many questions there are at most),
`judge_use` (answers, tokens and cost, null if no judge was asked) and `problems` of FILE.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from evalcore.cli._places import Place, cannot_read, file_place
from evalcore.errors import DocumentError, EvaldeskError, Problem, WorkspaceError

if TYPE_CHECKING:
    from evalcore.formats.base import Format
    from evalcore.judges.endpoint import EndpointJudge
    from evalcore.results import Run
    from evalcore.scoring import Check, Choice, Project
    from evalcore.workspace import OpenFile


class Recorded(NamedTuple):
    """What FILE holds; ``is_result`` tells a result file from plain outputs."""

    runs: tuple[Run, ...]
    is_result: bool
    format: Format | None = None
    problems: tuple[Problem, ...] = ()


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    add = parser.add_argument
    add("set", metavar="SET", help="an eval set of any known format")
    add("--outputs", metavar="FILE", required=True, help="a result file, or outputs as JSONL")
    add("--config", metavar="FILE", action="append", default=[], help=_CONFIG)
    add("--preset", metavar="NAME", action="append", default=[], help=_PRESET)
    add("--evaluators", metavar="A,B", default="", help="score with these checks only")
    add("--threshold", metavar="NAME=N", action="append", default=[], help=_THRESHOLD)
    add("--trajectory", choices=("business", "strict"), help="Harnest's trajectory policy")
    add("--pass-mark", type=_mark, metavar="X", default=1.0, help=_PASS_MARK)
    add("--judge", action="store_true", help="ask the judges of judged checks")
    add("--save", action="store_true", help="keep the scored run, for `runs` and `compare`")
    add("--in", dest="folder", metavar="DIR", default=".", help="whose runs it is kept among")


_CONFIG = "an evaluator or criteria file to use instead of those of the set's project; repeatable"
_PRESET = "10xGraph's criteria of this name in place of the project's; several are combined"
_THRESHOLD = "another pass mark for one check, for UiPath from 0 to 1; repeatable"
_PASS_MARK = "from 0 to 1: what passes where the system has no rule, as UiPath (default 1)"


def run(arguments: argparse.Namespace) -> int:
    """Score, print, and return 0 if all passed, else 1; raises EvaldeskError for unusable input."""
    from evalcore import scoring
    from evalcore.cli import _scores
    from evalcore.results import Verdict
    from evalcore.scoring.project import checks_of, with_presets, with_run

    project = _project(arguments)
    recorded = _recorded(arguments.outputs)
    chosen = scoring.run_of_set(recorded.runs, project.eval_set)
    presets = arguments.preset
    project = with_presets(project, presets) if presets else with_run(project, chosen)
    if recorded.format is not None:
        chosen = recorded.format.with_evaluators(chosen, project.configured)
    choice, marks = _choice(arguments, project)
    how = scoring.Scoring(
        pass_mark=arguments.pass_mark, pass_marks=marks, ask=bool(arguments.judge)
    )
    with _judge() if arguments.judge else nullcontext() as judge:
        checks = checks_of(project, chosen, choice, judge)
        calls = scoring.count_judge_calls(chosen, project.eval_set, checks)
        if judge is not None:
            _announce(calls.total)
        scored = scoring.score(chosen, project.eval_set, checks, how)
    report = _scores.Report(
        given=arguments.set,
        outputs=arguments.outputs,
        project=project,
        checks=checks,
        stored=chosen if recorded.is_result else None,
        scored=scored,
        calls=calls,
        problems=recorded.problems,
        use=None if judge is None else judge.tally,
        pass_mark=None if scored.has_pass_rule else arguments.pass_mark,
    )
    report.print_json() if arguments.output == "json" else report.print_text()
    if arguments.save:
        _save(arguments, project, checks, scored)
    passed = report.outcome.verdict is Verdict.PASSED and not report.has_errors
    return int(not passed or _has_errors(recorded.problems))


def _save(
    arguments: argparse.Namespace, project: Project, checks: Sequence[Check], scored: Run
) -> None:
    """Keep the scored run, and tell its id beside the report."""
    from evalcore.cli._runs import store_of
    from evalcore.store.importing import record_scored
    from evalcore.store.sets import KnownSet

    known = KnownSet(file_place(arguments.set).workspace, project.path)
    kept = record_scored(
        store_of(arguments.folder),
        scored,
        checks,
        source=arguments.outputs,
        eval_set=known.facts,
        about=known.about,
        pass_mark=arguments.pass_mark,
        name=f"{scored.name or Path(arguments.outputs).stem}, scored",
    )
    state = "kept as run" if kept.is_new else "was kept before, as run"
    sys.stderr.write(f"evaldesk: {state} {kept.id}\n")


def _project(arguments: argparse.Namespace) -> Project:
    from evalcore import scoring

    try:
        place = file_place(arguments.set)
        configs = [_opened(name) for name in arguments.config]
        return scoring.open_project(place.workspace, place.path, configs)
    except (OSError, DocumentError, WorkspaceError) as error:
        raise cannot_read(error, arguments.set) from error


def _recorded(given: str) -> Recorded:
    """Return what FILE holds: JSONL if it is called so or is no JSON, else a result file."""
    from evalcore.formats.base import Kind

    if given.endswith(".jsonl"):
        return _outputs(given)
    try:
        opened = _opened(given)
    except DocumentError:
        return _outputs(given)
    if opened.detection is None or opened.format is None or opened.detection.kind != Kind.RESULT:
        found = _outputs(given)
        if found.runs[0].cases:
            return found
        raise EvaldeskError(
            f"{given} is neither a result file of a known system nor outputs as JSONL",
            hint="Each line of outputs is an object with a case_id.",
        )
    runs = opened.format.read_runs(opened.document.value, opened.detection)
    return Recorded(runs, True, opened.format)


def _outputs(given: str) -> Recorded:
    from evalcore.outputs import read_outputs

    try:
        place = file_place(given)
        data = place.workspace.read(place.path)
    except (OSError, EvaldeskError) as error:
        raise cannot_read(error, given) from error
    found = read_outputs(data, name=Path(given).name)
    problems = tuple(problem.at(path=given) for problem in found.problems)
    if not found.run.cases:
        first = problems[0] if problems else None
        raise EvaldeskError(
            f"{given} holds no outputs"
            + (f": line {first.line or 1}: {first.message}" if first else ""),
            hint=(first.hint if first else "") or "Write one JSON object per line.",
        )
    return Recorded((found.run,), False, problems=problems)


def _opened(given: str) -> OpenFile:
    """Return a file; raises DocumentError for one that is no JSON."""
    try:
        place: Place = file_place(given)
        return place.workspace.open(place.path)
    except (OSError, WorkspaceError) as error:
        raise cannot_read(error, given) from error


def _choice(arguments: argparse.Namespace, project: Project) -> tuple[Choice, dict[str, float]]:
    """Return what the user chose, and apart from it marks for checks that have none."""
    from evalcore.scoring import Choice, system_of

    given = dict(_pair(text) for text in arguments.threshold)
    only = tuple(name.strip() for name in arguments.evaluators.split(",") if name.strip())
    marks: dict[str, float] = {}
    if not system_of(project.eval_set.format_id).has_pass_rule:
        known = {name.casefold() for c in project.configured for name in (c.ref, c.name)}
        marks = {name: mark for name, mark in given.items() if name.casefold() in known}
        if any(not 0 <= mark <= 1 for mark in marks.values()):
            raise EvaldeskError(
                "A pass mark for UiPath lies from 0 to 1",
                hint="Divide by 100 what low-code evaluators show.",
            )
    rest = {name: mark for name, mark in given.items() if name not in marks}
    return Choice(only, rest, trajectory=arguments.trajectory or ""), marks


def _pair(text: str) -> tuple[str, float]:
    name, sign, number = text.rpartition("=")
    try:
        if not sign or not name:
            raise ValueError(text)
        return name, float(number)
    except ValueError as error:
        raise EvaldeskError(
            f"--threshold {text!r} is no NAME=NUMBER", hint="Write for example tool_calls=0.8."
        ) from error


def _mark(text: str) -> float:
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text} does not lie from 0 to 1")
    return number


def _judge() -> EndpointJudge:
    from evalcore.judges import connect

    return connect()


def _announce(calls: int) -> None:
    """Say before the first question how many there are; the cache may answer some."""
    from evalcore.cli._output import count

    sys.stderr.write(f"evaldesk: {count(calls, 'question')} to the judge, at most\n")


def _has_errors(problems: tuple[Problem, ...]) -> bool:
    return any(problem.severity == "error" for problem in problems)
