"""From text to JSON values: JSON, JSON Lines and YAML, with what is wrong in words."""

from __future__ import annotations

import json
import re
from pathlib import PurePath
from typing import Any, Final

from evalcore.errors import DocumentError, FormatError
from evalcore.importing.source import RowProblem
from evalcore.jsondoc.numbers import parse_int
from evalcore.jsontree import JsonValue

MOST_VALUES: Final = 2_000_000
Values = list[tuple[int, JsonValue]]


def parsed_values(
    text: str, name: str
) -> tuple[list[tuple[int, JsonValue]], str, list[RowProblem]] | None:
    """Return the values in a text with their numbers, and what each is called; None for a table."""
    ending = PurePath(name).suffix.lower()
    start = text.lstrip()[:1]
    if ending in (".yaml", ".yml"):
        return [(1, _yaml(text))], "item", []
    if start not in ("{", "[") and ending not in (".json", ".jsonl", ".ndjson"):
        return None
    if ending not in (".jsonl", ".ndjson"):
        try:
            return [(1, json.loads(text, parse_int=parse_int))], "item", []
        except RecursionError as error:
            raise FormatError("The file is nested too deeply") from error
        except ValueError:
            if ending == ".json" or "\n" not in text.strip():
                raise _no_json(text) from None
    lines, problems = _lines(text)
    if not lines:
        raise _no_json(text)
    return lines, "line", problems


def _lines(text: str) -> tuple[list[tuple[int, JsonValue]], list[RowProblem]]:
    found: list[tuple[int, JsonValue]] = []
    problems: list[RowProblem] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            found.append((number, json.loads(line, parse_int=parse_int)))
        except (ValueError, RecursionError) as error:
            at = f" at character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
            problems.append(
                RowProblem(number, "", f"The line is not JSON{at}", "Each line is one JSON value.")
            )
    return found, problems


def _no_json(text: str) -> FormatError:
    from evalcore.jsondoc import JsonDocument

    try:
        JsonDocument.parse(text.encode("utf-8", "surrogatepass"))
    except DocumentError as error:
        return FormatError(
            f"Line {error.line}, column {error.column}: {error.message}", hint=error.hint
        )
    return FormatError("The file is no JSON that can be read")


def _yaml(text: str) -> JsonValue:
    import yaml

    try:
        return _plain(yaml.load(text, Loader=_loader()), [MOST_VALUES])
    except RecursionError as error:
        raise FormatError("The file is nested too deeply") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"Line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise FormatError(
            f"{where}the YAML cannot be read", hint="Check the indentation."
        ) from error


def _loader() -> Any:
    """Return a loader that makes plain values only, and takes yes, no and dates for texts."""
    import yaml

    class Loader(yaml.SafeLoader):
        """Reads plain values, as YAML 1.2 does."""

    Loader.yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in found if tag not in _TAGS_LEFT_OUT]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver(
        "tag:yaml.org,2002:bool", re.compile("true|True|TRUE|false|False|FALSE"), list("tTfF")
    )
    return Loader


_TAGS_LEFT_OUT = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")


def _plain(value: Any, budget: list[int]) -> JsonValue:
    """Return what YAML gives as JSON; aliases may make a small file endless, so it is counted."""
    budget[0] -= 1
    if budget[0] < 0:
        raise FormatError("The file is too large when its aliases are filled in")
    if isinstance(value, dict):
        return {str(key): _plain(item, budget) for key, item in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(item, budget) for item in value]
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
