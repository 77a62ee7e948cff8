"""Traps of ADK's command line and web UI, which other users of its schema do not have."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import partial
from pathlib import PurePath

from evalcore.errors import Problem
from evalcore.formats.adk.applied import CONFIG, Applied
from evalcore.formats.adk.detect import OTHER_CONFIG_FILE, SET_FILE
from evalcore.formats.adk.fields import both, member, place
from evalcore.formats.adk.schema import SCENARIO
from evalcore.formats.adk.traps import EVAL_ID, SESSION, Case, cases_of
from evalcore.formats.adk.turn_traps import EVENTS, INTERMEDIATE_DATA, calls_of
from evalcore.formats.base import Surroundings
from evalcore.formats.lenses import key
from evalcore.formats.memo import remembered
from evalcore.formats.shapes import Report
from evalcore.jsontree import MISSING, JsonObject, JsonValue

SET_ID = key("eval_set_id")
PERSONA = both("user_persona")
APP_NAME = both("app_name")


def own_traps(
    value: JsonValue, path: PurePath, near: Surroundings, applied: Applied, report: Report
) -> Iterator[Problem]:
    """Yield the traps of a set, of its place, and of its cases."""
    yield from _set_id_traps(value, path, report)
    yield from _config_traps(near, applied, report)
    around = repr(applied)

    def of_case(case: Case) -> Iterator[Problem]:
        yield from _case_id_traps(case, report)
        yield from _persona_traps(case, report)
        for pointer, turn in case.turns:
            yield from _turn_traps(turn, pointer, applied, report)

    for case in cases_of(value):
        yield from remembered(case.raw, ("own", case.pointer, around), partial(of_case, case))


def _set_id_traps(value: JsonValue, path: PurePath, report: Report) -> Iterator[Problem]:
    set_id = member(value, SET_ID)
    if not isinstance(set_id, str):
        return
    where = place(value, "", SET_ID)
    if "/" in set_id:
        yield report.problem(
            "error",
            "set_id_with_slash",
            where,
            f"The set's id “{set_id}” has a “/”: ADK runs every case, then crashes when it saves "
            "the result, and the result is lost.",
            "Use letters, digits and “_”.",
        )
    stem = path.name.removesuffix(SET_FILE[1:])
    if fnmatchcase(path.name, SET_FILE) and set_id and set_id != stem:
        yield report.problem(
            "info",
            "set_id_differs",
            where,
            f"The set is called “{set_id}” in results and “{stem}” in ADK's web UI, which goes by "
            "the file's name.",
        )


def _config_traps(near: Surroundings, applied: Applied, report: Report) -> Iterator[Problem]:
    if applied.found:
        yield report.problem(
            "info",
            "config_by_path_only",
            "",
            f"The {CONFIG} beside this file applies only where “adk eval” gets this one file's "
            "path. By the set's id, or with several files, the default criteria apply.",
            f"Pass it with --config_file_path {CONFIG} to be sure.",
        )
    elif near.value(OTHER_CONFIG_FILE) is not MISSING:
        yield report.problem(
            "info",
            "config_not_picked_up",
            "",
            f"ADK does not look for {OTHER_CONFIG_FILE} by itself; without more, the default "
            "criteria apply.",
            f"Pass it with --config_file_path {OTHER_CONFIG_FILE}.",
        )


def _case_id_traps(case: Case, report: Report) -> Iterator[Problem]:
    case_id = member(case.raw, EVAL_ID)
    where = place(case.raw, case.pointer, EVAL_ID)
    if not isinstance(case_id, str):
        return
    marks = [mark for mark in ":," if mark in case_id]
    if marks:
        yield report.problem(
            "warning",
            "case_id_not_selectable",
            where,
            f"With “{marks[0]}” in its id the case cannot be chosen in “adk eval file:case”.",
            "Use letters, digits, “_” and “-”.",
        )
    if "/" in case_id:
        yield report.problem(
            "warning",
            "case_id_with_slash",
            where,
            "With “/” in its id the case cannot be opened, saved or deleted in ADK's web UI.",
            "Use “_” or “-” instead.",
        )


def _persona_traps(case: Case, report: Report) -> Iterator[Problem]:
    persona = member(member(case.raw, SCENARIO), PERSONA)
    if isinstance(persona, str):
        yield report.problem(
            "info",
            "persona_is_expanded",
            place(case.raw, case.pointer, SCENARIO, PERSONA),
            f"When ADK saves this file, it replaces “{persona}” by the whole persona.",
        )


def app_traps(value: JsonValue, path: PurePath, report: Report) -> Iterator[Problem]:
    """Yield a problem for each app that no folder above the set is called after, "-" being "_"."""
    folders = {part.replace("-", "_") for part in path.parts[:-1]}
    if not folders or not fnmatchcase(path.name, SET_FILE):
        return
    of_app: dict[str, list[Case]] = {}
    for case in cases_of(value):
        app = member(member(case.raw, SESSION), APP_NAME)
        if isinstance(app, str) and app.replace("-", "_") not in folders:
            of_app.setdefault(app, []).append(case)
    for app, cases in of_app.items():
        count = "1 case names" if len(cases) == 1 else f"{len(cases):,} cases name"
        yield report.problem(
            "info",
            "app_is_no_folder",
            place(cases[0].raw, cases[0].pointer, SESSION, APP_NAME),
            f"{count} the app “{app}”, but no folder above this file is called so. Results hold "
            "the session only if this is the name of the agent's folder.",
        )


def _turn_traps(
    turn: JsonObject, pointer: str, applied: Applied, report: Report
) -> Iterator[Problem]:
    if applied.compares_calls and applied.match != "EXACT" and not calls_of(turn, pointer):
        yield report.problem(
            "warning",
            "no_calls_in_free_order",
            place(turn, pointer, INTERMEDIATE_DATA),
            "No tool call is expected, and where other calls are free, as "
            f"{applied.match} has them, that passes whatever the agent calls.",
            "Only the exact comparison (EXACT) can demand that no tool is called.",
        )
    if member(member(turn, INTERMEDIATE_DATA), EVENTS) == []:
        yield report.problem(
            "info",
            "empty_events",
            place(turn, pointer, INTERMEDIATE_DATA, EVENTS),
            "ADK saves an empty list of events as “{}”, which is the hand-written shape.",
        )
