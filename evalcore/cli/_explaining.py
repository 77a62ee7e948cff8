"""``evaldesk check --explain``: what the codes of problems mean."""

from __future__ import annotations

import argparse
from typing import Any

from evalcore.cli._output import print_json, print_text
from evalcore.lint.catalog import Rule, rule, rules
from evalcore.lint.explain import examples, explanation, overview


def run(arguments: argparse.Namespace) -> int:
    """Print one rule, or all of them; raises FormatError for an unknown code."""
    asked = arguments.explain
    if arguments.output == "json":
        print_json(_plain(rule(asked)) if asked else [_plain(known) for known in rules()])
    else:
        print_text(explanation(rule(asked)) if asked else overview())
    return 0


def _plain(known: Rule) -> dict[str, Any]:
    return {
        "codes": list(known.codes),
        "severities": list(known.severities),
        "systems": known.systems,
        "title": known.title,
        "why": known.why,
        "fix": known.fix,
        "examples": dict(examples(known)),
    }
