"""Print an eval set, evaluators, criteria or results in one vocabulary for all systems."""

from __future__ import annotations

import argparse
from typing import Any

from evalcore.cli._output import print_json, print_text
from evalcore.cli._places import file_place
from evalcore.errors import FormatError
from evalcore.formats.base import Kind
from evalcore.workspace import OpenFile


def configure(parser: argparse.ArgumentParser) -> None:
    """Add this command's arguments."""
    parser.add_argument("path", metavar="PATH", help="an eval file of any known format")


def run(arguments: argparse.Namespace) -> int:
    """Print the file; raises FormatError for JSON that no format knows."""
    from evalcore.cli._canonical import plain, text_of

    place = file_place(arguments.path)
    opened = place.workspace.open(place.path)
    content = _content(opened)
    detection = opened.detection
    if detection is None:
        raise FormatError("")
    if arguments.output == "json":
        head = {"path": arguments.path, "format": detection.format_id, "kind": detection.kind.value}
        if detection.variant:
            head["variant"] = detection.variant
        print_json({**head, **{name: plain(value) for name, value in content.items()}})
    else:
        label = opened.format.label if opened.format else detection.format_id
        print_text(f"{arguments.path}: {label}, {detection.kind.replace('_', ' ')}")
        for value in content.values():
            print_text(text_of(value))
    return 0


def _content(opened: OpenFile) -> dict[str, Any]:
    if opened.detection is None or opened.format is None:
        raise FormatError(
            f"{opened.path!r} is JSON, but no eval file of a known format",
            hint="Show an eval set, an evaluator, a criteria file or a result file.",
        )
    value, detection, known = opened.document.value, opened.detection, opened.format
    if detection.kind is Kind.EVAL_SET:
        return {"eval_set": known.lens_for(detection).read(value)}
    if detection.kind in (Kind.EVALUATOR, Kind.CRITERIA):
        return {"evaluators": known.read_evaluators(value, detection)}
    if detection.kind is Kind.RESULT:
        return {"runs": known.read_runs(value, detection)}
    return {"content": value}
