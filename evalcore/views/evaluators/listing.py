"""The evaluators of a workspace as a list: what each checks, who uses it, what is wrong with it."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalcore.errors import Problem
from evalcore.formats.adk.metrics import METRICS
from evalcore.formats.tenxgraph.config_checks import is_on
from evalcore.formats.tenxgraph.names import named
from evalcore.jsontree import MISSING, JsonObject, get, is_within
from evalcore.model import Evaluator
from evalcore.views.words import plural
from evalcore.wiring import EvaluatorFile, Wiring


@dataclass(frozen=True, slots=True)
class CheckRow:
    """One line: a check, or the file of several checks that stand below it (``check`` is "")."""

    path: str
    check: str
    title: str
    kind: str
    format_label: str
    used: str
    uses: int
    problems: tuple[Problem, ...]
    is_inner: bool = False
    is_off: bool = False

    @property
    def id(self) -> str:
        """Return what names the line."""
        return f"{self.path}\n{self.check}"


def rows_of(wiring: Wiring) -> list[CheckRow]:
    """Return every check, those of one file together, the file first where it can hold several."""
    found: list[CheckRow] = []
    for file in wiring.files:
        users = wiring.users(file)
        words = used_words(file, len(users))
        if file.is_single:
            found.append(_single(file, words, len(users)))
            continue
        count = plural(len(file.checks), "check")
        found.append(
            CheckRow(
                file.path,
                "",
                posixpath.basename(file.path),
                f"{count} · {posixpath.dirname(file.path) or 'this folder'}",
                file.label,
                words,
                len(users),
                _around(file),
            )
        )
        found += [_inner(file, check, len(users)) for check in file.checks]
    return found


def matching(rows: Sequence[CheckRow], text: str, family: str = "") -> list[CheckRow]:
    """Return the lines that hold a text; a file stays where one of its checks does."""
    needle = text.casefold().strip()
    chosen = [row for row in rows if not family or row.format_label == family]
    hits = [row for row in chosen if needle in _text(row)]
    files = {row.path for row in hits}
    whole = {row.path for row in hits if not row.is_inner}
    return [
        row
        for row in chosen
        if row in hits or (not row.is_inner and row.path in files) or row.path in whole
    ]


def used_words(file: EvaluatorFile, count: int) -> str:
    """Return who uses the checks of a file, in words."""
    if not count:
        return "unused"
    words = plural(count, "set")
    return f"{words} (may)" if file.family == "tenxgraph" else words


def native_of(check: Evaluator, family: str) -> str:
    """Return what a check is called in its file."""
    return check.origin.rpartition("/")[2] if family not in ("evaldesk",) else check.ref


def _single(file: EvaluatorFile, words: str, uses: int) -> CheckRow:
    check = next(iter(file.checks), None)
    title = check.name if check and check.name else posixpath.basename(file.path)
    kind = kind_words(check, file) if check else "cannot be read"
    return CheckRow(
        file.path,
        check.ref if check else "",
        title,
        kind,
        file.label,
        words,
        uses,
        file.problems or ((file.error,) if file.error else ()),
    )


def _inner(file: EvaluatorFile, check: Evaluator, uses: int) -> CheckRow:
    off = isinstance(check.config, dict) and file.family == "tenxgraph" and not is_on(check.config)
    return CheckRow(
        file.path,
        native_of(check, file.family),
        check.name,
        "switched off" if off else kind_words(check, file),
        file.label,
        "",
        uses,
        tuple(p for p in file.problems if is_within(p.pointer, check.origin)),
        is_inner=True,
        is_off=off,
    )


def kind_words(check: Evaluator, file: EvaluatorFile) -> str:
    """Return what kind of check it is: its class's label, and whether a judge decides."""
    from evalcore.evaluators import kinds
    from evalcore.evaluators.uipath.files import kind_of

    if file.is_single:
        tree: JsonObject = check.config if isinstance(check.config, dict) else {}
        cls = kinds().get(kind_of(tree) or "")
        schema = tree.get("evaluatorSchema")
        own_code = isinstance(schema, str) and schema.startswith("file://")
        return cls.label if cls else "own Python code" if own_code else "unknown kind"
    mark = "" if check.threshold is None else f" ≥ {check.threshold:g}"
    if check.native_type == "custom":
        known = check.ref in METRICS or get(check.config, "/custom_metric") is not MISSING
        return f"{'own Python code' if known else 'unknown metric'}{mark}"
    if file.family == "tenxgraph" and named(check.native_type) is None:
        return f"unknown criterion{mark}"
    return f"{'judge' if check.is_judged else 'computed'}{mark}"


def _around(file: EvaluatorFile) -> tuple[Problem, ...]:
    """Return the problems of a file that belong to none of its checks."""
    if file.error is not None:
        return (file.error,)
    places = [check.origin for check in file.checks]
    return tuple(p for p in file.problems if not any(is_within(p.pointer, at) for at in places))


def _text(row: CheckRow) -> str:
    return " ".join((row.title, row.check, row.kind, row.path, row.format_label)).casefold()


def labels_of(rows: Iterable[CheckRow]) -> list[str]:
    """Return the systems that have evaluators here."""
    return list(dict.fromkeys(row.format_label for row in rows))
