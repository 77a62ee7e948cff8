"""Print an eval set, evaluators, criteria or results in one vocabulary for all systems.

The text leaves out what is empty. The JSON has every field that the file has, and for each thing
its place in the file, as a JSON pointer called `origin`.
"""

from __future__ import annotations

import argparse
from typing import Any

from evalcore.cli._output import print_json, print_text, visible
from evalcore.cli._places import cannot_read, file_place, opened
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.workspace import OpenFile


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", metavar="PATH", help="an eval file of any known format")


def run(arguments: argparse.Namespace) -> int:
    """Print the file; raises FormatError for JSON that no format knows."""
    from evalcore.cli._canonical import plain, text_of

    found = _opened(arguments.path)
    detection, content = found.detection, _content(found)
    if found.format is None or detection is None:
        raise FormatError(
            f"{arguments.path} is JSON, but no eval file of a known format",
            hint="Show an eval set, an evaluator, a criteria file or a result file.",
        )
    if arguments.output == "json":
        head = {"path": arguments.path, "format": detection.format_id, "kind": detection.kind.value}
        if detection.variant:
            head["variant"] = detection.variant
        print_json({**head, **{name: plain(value) for name, value in content.items()}})
    else:
        kind = detection.kind.replace("_", " ")
        print_text(f"{visible(arguments.path)}: {found.format.label}, {kind}")
        for value in content.values():
            print_text(text_of(value))
    return 0


def _opened(given: str) -> OpenFile:
    try:
        place = file_place(given)
    except OSError as error:
        raise cannot_read(error, given) from error
    return opened(place)


def _content(found: OpenFile) -> dict[str, Any]:
    value, detection, known = found.document.value, found.detection, found.format
    if detection is None or known is None:
        return {}
    if detection.kind is Kind.EVAL_SET:
        return {"eval_set": known.lens_for(detection).read(value)}
    if detection.kind in (Kind.EVALUATOR, Kind.CRITERIA):
        return {"evaluators": known.read_evaluators(value, detection)}
    if detection.kind is Kind.RESULT:
        return {"runs": known.read_runs(value, detection)}
    return {"content": value}
