"""Checks of the files in ``evals/``: the compiler's rules in their order, then what hides.

Harnest reads with ADK 2.8, so the shapes are ADK's of that release. Whether ADK is installed is
no matter of the file, and text that is no JSON in UTF-8 does not get this far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from evalcore.errors import Problem
from evalcore.formats.adk import config_schema, schema
from evalcore.formats.adk.applied import Applied
from evalcore.formats.adk.config_checks import check_config
from evalcore.formats.adk.detect import legacy_variant
from evalcore.formats.adk.fields import member, place
from evalcore.formats.adk.json_facts import json_problems
from evalcore.formats.adk.legacy_checks import MODERNISE
from evalcore.formats.adk.set_checks import check_set
from evalcore.formats.adk.traps import located
from evalcore.formats.base import Detection, Kind, Surroundings
from evalcore.formats.harnest.folder import REPORT, SUFFIX, folder_problems, is_inactive
from evalcore.formats.harnest.lints import config_lints, set_lints
from evalcore.formats.lenses import exactly
from evalcore.jsontree import JsonValue

if TYPE_CHECKING:
    from evalcore.jsondoc import JsonDocument

MAX_BYTES = 16 * 1024 * 1024
BUSINESS = "IN_ORDER"
"""The match type of the default trajectory policy, which replaces the authored one."""
SET_ID = exactly("eval_set_id")


def check_file(
    document: JsonDocument, detection: Detection, path: PurePath, near: Surroundings
) -> Iterator[Problem]:
    """Yield the problems of a set or a criteria file."""
    yield from folder_problems(near.entries(".."), near.entries())
    found = _content(document, detection, path, near)
    if not is_inactive(path.name):
        yield from found
        return
    yield REPORT.problem(
        "info",
        "inactive",
        "",
        f"Harnest leaves this file out, because its name starts with “{path.name[0]}”.",
        f"Call it “{path.name.lstrip('._')}” to make it count.",
    )
    yield from _when_active(found)


def _when_active(found: Iterable[Problem]) -> Iterator[Problem]:
    """Yield problems as warnings at most: the compiler does not read the file."""
    for problem in found:
        yield replace(problem, severity="warning") if problem.severity == "error" else problem


def _content(
    document: JsonDocument, detection: Detection, path: PurePath, near: Surroundings
) -> Iterator[Problem]:
    if len(document.data) > MAX_BYTES:
        yield REPORT.problem(
            "error",
            "too_large",
            "",
            f"The file has {len(document.data):,} bytes; Harnest reads at most {MAX_BYTES:,}.",
            "Split it into several sets.",
        )
    yield from json_problems(document, REPORT, repeated_keys="error")
    if detection.kind is Kind.CRITERIA:
        found = check_config(document.value, config_schema.HARNEST, path, REPORT)
        yield from config_lints(document.value, found)
        return
    yield from _set(document.value, path, near)


def _set(value: JsonValue, path: PurePath, near: Surroundings) -> Iterator[Problem]:
    if legacy_variant(value):
        yield REPORT.problem(
            "error",
            "legacy_shape",
            "",
            "This eval set is in an old list shape of ADK, which Harnest does not read.",
            MODERNISE,
        )
        return
    applied = Applied.beside(near, match=BUSINESS)
    yield from check_set(value, schema.HARNEST, applied, REPORT)
    set_id, name = member(value, SET_ID), path.name.lstrip("._").removesuffix(SUFFIX)
    if isinstance(set_id, str) and set_id != name and path.name.endswith(SUFFIX):
        yield REPORT.problem(
            "error",
            "set_id_differs",
            place(value, "", SET_ID),
            f"The set's id is “{set_id}”, but the file is called “{name}”; Harnest wants them "
            "equal, letter by letter.",
            f"Set the id to “{name}”, or rename the file to “{set_id}{SUFFIX}”.",
        )
    yield from located(set_lints(value, applied), value)
