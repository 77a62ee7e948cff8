"""Harnest's run results: one envelope with the results of several eval sets."""

from __future__ import annotations

from datetime import datetime

from evalcore.formats.adk.fields import both, member, objects
from evalcore.formats.adk.results import read_cases
from evalcore.formats.harnest.result_checks import ERROR, SET_RESULTS, STATUS, error_text
from evalcore.jsontree import JsonObject, JsonValue, Missing
from evalcore.results import Run

SET_ID = both("eval_set_id")


def read_runs(value: JsonValue) -> tuple[Run, ...]:
    """Return a run for each set in the envelope, one without cases if there is no set.

    Where the envelope tells of an error, every run has it: what is there may not be all.
    """
    envelope: JsonObject = value if isinstance(value, dict) else {}
    sets = list(objects(envelope, SET_RESULTS, ""))
    if not sets:
        return (_run(envelope, {}, ""),)
    return tuple(_run(envelope, suite, where) for where, suite in sets)


def _run(envelope: JsonObject, suite: JsonObject, pointer: str) -> Run:
    set_id, error = _text(member(suite, SET_ID)), member(envelope, ERROR)
    stopped = f"The run stopped early: {error_text(error)}" if isinstance(error, dict) else None
    status = member(suite if suite else envelope, STATUS)
    return Run(
        format_id="harnest",
        name=set_id or "",
        eval_set_id=set_id,
        created_at=_moment(member(envelope, both("created_at"))),
        stored_status=_text(status) or "",
        error=stopped,
        cases=read_cases(suite, pointer),
        metadata={n: v for n, v in envelope.items() if n not in SET_RESULTS.spellings},
    )


def _moment(value: JsonValue | Missing) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _text(value: JsonValue | Missing) -> str | None:
    return value if isinstance(value, str) else None
