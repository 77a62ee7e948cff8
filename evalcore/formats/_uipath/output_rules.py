"""Traps in what a case expects of the agent's output."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from evalcore.errors import Problem
from evalcore.formats._uipath.evaluator_view import EvaluatorView
from evalcore.formats._uipath.kinds import REPORT
from evalcore.formats._uipath.paths import WHOLE, resolve, tokens
from evalcore.formats._uipath.set_view import Case, SetView, camel
from evalcore.formats.shapes import closest
from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, join, leaves, split

EXPECTED = camel("expected_output")
SEARCH = camel("search_text")
CLASS = camel("expected_class")
_EMPTY = {
    "uipath-exact-match": "any answer fails",
    "uipath-llm-judge-output-semantic-similarity": "the judge has nothing to go by",
    "uipath-llm-judge-output-strict-json-similarity": "the judge has nothing to go by",
}
_SENTENCE = 9
"""Spaces from which a text is taken for prose."""
_WHOLE_NUMBER = re.compile(r"-?\d{1,15}")


def of_criteria(
    view: SetView,
    case: Case,
    criteria: JsonObject,
    pointer: str,
    evaluator: EvaluatorView | None,
) -> Iterator[Problem]:
    """Yield the traps in one evaluator's criteria for one case."""
    search, label = SEARCH.find(criteria), CLASS.find(criteria)
    if search is not None and evaluator is not None:
        yield from _quotes(view, case, criteria[search], join(pointer, search), evaluator)
    if search is not None and criteria[search] == "":
        message = "an empty search text is found in every output."
        where = join(pointer, search)
        yield case.problem("warning", "matches_anything", where, message, "Write what to look for.")
    if label is not None and evaluator is not None:
        yield from _class(case, criteria[label], join(pointer, label), evaluator)
    expected = EXPECTED.find(criteria)
    if expected is not None:
        yield from of_expected(view, case, criteria[expected], join(pointer, expected), evaluator)


def of_expected(
    view: SetView,
    case: Case,
    expected: JsonValue | Missing,
    pointer: str,
    evaluator: EvaluatorView | None,
) -> Iterator[Problem]:
    """Yield the traps in an expected output, as one evaluator compares it."""
    if evaluator is None or expected is MISSING or not isinstance(expected, (dict, str)):
        return
    kind = evaluator.type_id
    if expected in ({}, "") and kind in _EMPTY:
        yield case.problem(
            "warning",
            "empty_expected_output",
            pointer,
            f"“{evaluator.id}” is to compare with an empty output, so {_EMPTY[kind]}.",
            "Write the expected output.",
        )
    if kind not in ("uipath-exact-match", "uipath-json-similarity"):
        return
    yield from _json_as_text(case, expected, pointer, evaluator)
    yield from _target_missing(case, expected, pointer, evaluator)
    if kind == "uipath-exact-match":
        yield from _numbers_as_text(view, case, expected, pointer, evaluator)
        yield from _partial(view, case, expected, pointer, evaluator)
        yield from _prose(expected, pointer, evaluator)
    elif expected == {}:
        message = "an empty expected output scores 1 against anything."
        yield case.problem("warning", "matches_anything", pointer, message, "Write what to expect.")


def _class(
    case: Case, label: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[Problem]:
    classes = evaluator.config.get("classes")
    if evaluator.type_id != "uipath-multiclass-classification" or not isinstance(classes, list):
        return
    known = [c for c in classes if isinstance(c, str)]
    if isinstance(label, str) and label.lower() not in {c.lower() for c in known}:
        yield case.problem(
            "warning",
            "class_not_listed",
            pointer,
            f"the class “{label}” is not among the evaluator's classes, so it ends in an error.",
            "Use one of " + ", ".join(f"“{c}”" for c in known) + ".",
        )


def _json_as_text(
    case: Case, expected: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[Problem]:
    if not isinstance(expected, str) or evaluator.target_keys != [WHOLE]:
        return
    try:
        inside = json.loads(expected)
    except ValueError:
        return
    if isinstance(inside, (dict, list)):
        yield case.problem(
            "warning",
            "json_as_text",
            pointer,
            "the expected output is JSON inside a text, which never equals an object.",
            "Write the object itself, without quotes around it.",
        )


def _target_missing(
    case: Case, expected: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[Problem]:
    if not isinstance(expected, dict):
        return
    for path in evaluator.target_keys:
        if tokens(path) and resolve(expected, path) is MISSING:
            yield case.problem(
                "warning",
                "target_not_expected",
                pointer,
                f"“{evaluator.id}” looks at “{path}”, which the expected output does not have: it "
                "always ends in an error and counts as 0.",
                f"Add “{path}” to the expected output.",
            )


def _numbers_as_text(
    view: SetView, case: Case, expected: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[Problem]:
    """Warn of "8" where the agent returns 8: UiPath compares with "8.0"."""
    for where, leaf in _compared(expected, pointer, evaluator):
        if not isinstance(leaf, str) or not _WHOLE_NUMBER.fullmatch(leaf):
            continue
        names = split(where[len(pointer) :])
        kind = view.entry_points.outputs.kind(names[0]) if names else ""
        if kind == "string":
            continue
        as_number = kind in ("number", "integer")
        wrong = "returns a number" if as_number else "might return a number"
        yield case.problem(
            "warning" if as_number else "info",
            "number_as_text",
            where,
            f"the text “{leaf}” does not match the number {leaf}, and the agent {wrong} here.",
            f"If it is a number, expect {leaf} without quotes.",
        )


def _quotes(
    view: SetView, case: Case, text: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[Problem]:
    is_object = not view.entry_points.outputs.is_open
    if not is_object or evaluator.target_keys != [WHOLE] or evaluator.by_lines:
        return
    if isinstance(text, str) and '"' in text:
        yield case.problem(
            "warning",
            "search_in_python_text",
            pointer,
            "the whole output is searched as Python writes it, with single quotes: "
            "{'status': 'ok'}, so a text with double quotes is hardly ever found.",
            "Search without the quotes, or set the evaluator's targetOutputKey.",
        )


def _prose(expected: JsonValue, pointer: str, evaluator: EvaluatorView) -> Iterator[Problem]:
    """Tell where sentences are to be met letter by letter; the message is the same for all."""
    for where, leaf in _compared(expected, pointer, evaluator):
        if isinstance(leaf, str) and leaf.count(" ") >= _SENTENCE and leaf.lstrip()[:1] not in "{[":
            yield REPORT.problem(
                "info",
                "exact_match_of_prose",
                where,
                "A whole sentence must come back letter by letter: any other wording scores 0.",
                "Score prose with a judge, such as uipath-llm-judge-output-semantic-similarity.",
            )
        elif isinstance(leaf, str) and leaf.startswith("urn:uipath:cas:file:"):
            yield REPORT.problem(
                "info",
                "attachment_needs_cloud",
                where,
                "UiPath downloads this attachment to compare its text, which needs a login.",
            )


def _partial(
    view: SetView, case: Case, expected: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[Problem]:
    """Warn where the whole output is compared with a part of it."""
    schema = view.entry_points.outputs
    if not isinstance(expected, dict) or schema.is_open or WHOLE not in evaluator.target_keys:
        return
    absent = sorted(schema.required - set(expected))
    if absent:
        yield case.problem(
            "warning",
            "part_of_output",
            pointer,
            f"“{evaluator.id}” compares the whole output, and “{absent[0]}” is not expected here, "
            "so it never matches.",
            f"Add “{absent[0]}”, or set the evaluator's targetOutputKey.",
        )
    for name in expected:
        if name not in schema.members:
            message = f"the agent returns no “{name}” (see entry-points.json), so nothing matches."
            where = join(pointer, name)
            hint = f"The output has: {', '.join(schema.members)}."
            guess = closest(name, list(schema.members)) or ""
            yield case.problem("warning", "unknown_output", where, message, hint, guess)


def _compared(
    expected: JsonValue, pointer: str, evaluator: EvaluatorView
) -> Iterator[tuple[str, JsonValue]]:
    """Yield the leaves of an expected output that an exact match looks at."""
    paths = evaluator.target_keys
    for where, leaf in leaves(expected, pointer):
        inside = [str(step) for step in split(where[len(pointer) :])]
        if not inside or any(
            path == WHOLE or inside[: len(steps)] == [str(s) for s in steps]
            for path in paths
            if (steps := tokens(path))
        ):
            yield where, leaf
