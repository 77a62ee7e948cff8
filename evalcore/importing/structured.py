"""What parsed values are: conversations, tests, sessions, results, eval sets or plain records."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Final

from evalcore import formats
from evalcore.errors import FormatError
from evalcore.exporting.jsonl_file import SET, STAMP
from evalcore.formats.adk.sessions import sessions_in
from evalcore.formats.base import Detection, Kind
from evalcore.importing import conversations as talk
from evalcore.importing.known import add_eval_set, add_runs, add_session
from evalcore.importing.parsing import Values
from evalcore.importing.promptfoo import add_tests, tests_in
from evalcore.importing.source import (
    CHAT,
    EVAL_SET,
    EXPORT,
    MESSAGES,
    OPENAI_EVALS,
    PROMPTFOO,
    RECORDS,
    RESULTS,
    SESSION,
    Items,
    ReadOptions,
    RowProblem,
    Source,
    SourceRow,
    chosen_kind,
    resolved,
    tabulated,
    told,
)
from evalcore.jsontree import JsonValue, Missing

LIST_KEYS: Final = ("data", "cases", "examples", "items", "rows", "records", "samples", "tests")


def from_values(
    values: Values,
    unit: str,
    problems: list[RowProblem],
    *,
    name: str,
    options: ReadOptions,
) -> Source:
    """Return what is in parsed values; raises FormatError where nothing looks like cases."""
    records = values if unit == "line" else _records(values)
    whole = values[0][1] if len(values) == 1 else [value for _number, value in values]
    fitting = dict(_fitting(whole, records, name))
    if not fitting:
        raise FormatError(
            "Nothing in the file looks like cases",
            hint="A list of objects is needed, one for each case.",
        )
    kind = chosen_kind(options, tuple(fitting))
    if kind == EXPORT:
        return _exported(records, name, options, tuple(fitting), unit)
    items = Items(unit, problems=problems)
    what = fitting[kind](items)
    columns, rows = tabulated(items)
    return Source(
        name=name,
        what=what,
        columns=columns,
        rows=rows,
        options=resolved(options, kind=kind),
        kinds=tuple(fitting),
        problems=tuple(items.problems),
        notes=told(items.notes),
        unit=unit,
        system=_system(kind, whole, name),
    )


def _system(kind: str, whole: JsonValue, name: str) -> str:
    """Return the format whose system wrote the values, "" where none did."""
    if kind == SESSION:
        return "adk"
    detection = formats.detect(whole, PurePath(name)) if kind in (RESULTS, EVAL_SET) else None
    return detection.format_id if detection is not None else ""


Members = dict[str, JsonValue | Missing]
Reader = Callable[[Items], str]


def _fitting(whole: JsonValue, records: Values, name: str) -> Iterator[tuple[str, Reader]]:
    """Yield what the values may be read as, the likeliest first."""
    objects = [(n, r) for n, r in records if isinstance(r, dict)]
    detection = formats.detect(whole, PurePath(name))
    if detection is not None and detection.kind is Kind.EVAL_SET:
        yield EVAL_SET, lambda items: _as_eval_set(items, whole, detection)
    if detection is not None and detection.kind is Kind.RESULT:
        yield RESULTS, lambda items: _as_results(items, whole, detection)
    if sessions_in(whole):
        yield SESSION, lambda items: _as_sessions(items, whole)
    if objects and all(STAMP in r for _n, r in objects if isinstance(r, dict)):
        yield EXPORT, lambda _items: ""
    if tests_in(whole) is not None:
        yield PROMPTFOO, lambda items: _as_tests(items, whole)
    if objects and all("input" in r and "ideal" in r for _n, r in objects if isinstance(r, dict)):
        yield OPENAI_EVALS, lambda items: _as_openai_evals(items, records)
    if _conversations(whole, records, talk.messages_in):
        yield MESSAGES, lambda items: _as_messages(items, whole, records)
    if _conversations(whole, records, talk.pairs_in):
        flat = talk.is_pairs([r for _n, r in records])
        chat: tuple[str, Reader] = (CHAT, lambda items: _as_chat(items, whole, records))
        if not flat:
            yield chat
        yield RECORDS, lambda items: _as_records(items, records)
        if flat:
            yield chat
    elif objects:
        yield RECORDS, lambda items: _as_records(items, records)


def _records(values: Values) -> Values:
    """Return the records in a file: its lines, the items of its list, or of the list inside."""
    if len(values) != 1:
        return values
    only = values[0][1]
    if isinstance(only, dict):
        lists = {k: v for k, v in only.items() if isinstance(v, list) and v and _objects(v)}
        named = [k for k in LIST_KEYS if k in lists]
        key = next(iter(named), next(iter(lists)) if len(lists) == 1 else None)
        if key is not None and not talk.messages_in(only):
            return list(enumerate(lists[key], 1))
        return values
    return list(enumerate(only, 1)) if isinstance(only, list) else []


def _objects(items: list[JsonValue]) -> bool:
    return all(isinstance(item, dict) for item in items)


def _conversations(
    whole: JsonValue,
    records: Values,
    inner: Callable[[JsonValue], list[JsonValue] | None],
) -> list[tuple[int, JsonValue, list[JsonValue]]]:
    """Return the conversations in a file: the file is one, or each of its records."""
    alone = inner(whole)
    if alone is not None:
        return [(1, whole, alone)]
    found = [(number, record, inner(record)) for number, record in records]
    kept = [(number, record, said) for number, record, said in found if said is not None]
    return kept if len(kept) * 2 > len(found) else []


def _as_records(items: Items, records: Values) -> str:
    for number, record in records:
        if isinstance(record, dict):
            items.add(number, record)
        else:
            items.refuse(number, "This is no object with named values")
    return f"Records, one for each {items.unit}"


def _as_messages(items: Items, whole: JsonValue, records: Values) -> str:
    found = _conversations(whole, records, talk.messages_in)
    for place, (number, record, said) in enumerate(found, 1):
        talk.add_conversation(items, number, record, said, f"conversation_{place}")
    _refuse_others(items, records, {number for number, _r, _s in found})
    return "Conversations made of messages with roles"


def _as_chat(items: Items, whole: JsonValue, records: Values) -> str:
    found = _conversations(whole, records, talk.pairs_in)
    for place, (number, record, said) in enumerate(found, 1):
        talk.add_pairs(items, number, record, said, f"conversation_{place}")
    _refuse_others(items, records, {number for number, _r, _s in found})
    return "Chat log of user and assistant"


def _refuse_others(items: Items, records: Values, used: set[int]) -> None:
    for number, _record in records:
        if number not in used and len(used) > 1:
            items.refuse(number, "There is no conversation in this one")


def _as_openai_evals(items: Items, records: Values) -> str:
    for number, record in records:
        if not isinstance(record, dict):
            continue
        said, ideal = record["input"], record["ideal"]
        answers: list[JsonValue] = ideal if isinstance(ideal, list) else [ideal]
        shared = {k: v for k, v in record.items() if k not in ("input", "ideal", "id")}
        name = str(record.get("id", f"sample_{number}"))
        turns = talk.turns_of(said, items) if isinstance(said, list) else []
        rows = [turn.row() for turn in turns] if turns else [_alone(said)]
        for index, row in enumerate(rows):
            last = index == len(rows) - 1
            own: Members = {"id": name, "turn": index + 1, **row}
            if last and answers:
                own |= {"expected_output": answers[0], **shared}
            if last and len(answers) > 1:
                own["other answers"] = answers[1:]
            items.add(number, own)
    return "Samples of OpenAI Evals"


def _alone(said: JsonValue) -> Members:
    return {"input": said}


def _as_tests(items: Items, whole: JsonValue) -> str:
    add_tests(items, whole)
    return "Tests of promptfoo"


def _as_sessions(items: Items, whole: JsonValue) -> str:
    for number, session in enumerate(sessions_in(whole), 1):
        add_session(items, number, session)
    return "Recorded sessions of an ADK agent"


def _as_results(items: Items, whole: JsonValue, detection: Detection) -> str:
    add_runs(items, whole, detection)
    return f"Run results of {formats.by_id(detection.format_id).label}"


def _as_eval_set(items: Items, whole: JsonValue, detection: Detection) -> str:
    add_eval_set(items, whole, detection)
    return f"Eval set of {formats.by_id(detection.format_id).label}"


def _exported(
    records: Values,
    name: str,
    options: ReadOptions,
    kinds: tuple[str, ...],
    unit: str,
) -> Source:
    """Return the lines of our own export as they are: they go back field by field."""
    first = records[0][1]
    path = first.get(SET) if isinstance(first, dict) else ""
    return Source(
        name=name,
        what="Lines exported from here",
        columns=("Line",),
        rows=tuple(SourceRow(number, (record,)) for number, record in records),
        options=resolved(options, kind=EXPORT),
        kinds=kinds,
        unit=unit,
        set_path=path if isinstance(path, str) else "",
    )
