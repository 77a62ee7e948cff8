"""What a judge's prompt makes of the scale and of the placeholders."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from evalcore.errors import Problem
from evalcore.formats._uipath.kinds import REPORT, Sees
from evalcore.formats.shapes import closest

_UNIT_SCALE = re.compile(
    r"\b0(?:\.0+)?\s*(?:-|–|—|\.\.|to|and|or|through)\s*1(?:\.0+)?\b(?!\.?[0-9])", re.IGNORECASE
)
_SCORING = re.compile(r"\b(?:scor|rat(?:e|ing)|scale|grade)", re.IGNORECASE)
_PLACEHOLDER = re.compile(r"\{\{\s*(\w+)\s*\}\}")

CODED_PLACEHOLDERS: Mapping[Sees, tuple[str, ...]] = {
    "output": ("ActualOutput", "ExpectedOutput"),
    "trace": (
        "AgentRunHistory",
        "ExpectedAgentBehavior",
        "UserOrSyntheticInput",
        "SimulationInstructions",
    ),
}
LEGACY_PLACEHOLDERS: Mapping[Sees, tuple[str, ...]] = {
    "output": ("ActualOutput", "ExpectedOutput"),
    "trace": ("AgentRunHistory", "ExpectedAgentBehavior"),
}
CLOUD_ONLY = ("UserOrSyntheticInput", "SimulationInstructions")


def placeholders(prompt: str) -> list[str]:
    """Return the names between double braces, each once, in order."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(prompt)))


def asks_for_unit_scale(prompt: str) -> bool:
    """Return whether a prompt asks for a score between 0 and 1."""
    return bool(_UNIT_SCALE.search(prompt) and _SCORING.search(prompt))


def of_prompt(prompt: str, pointer: str, sees: Sees, *, coded: bool) -> Iterator[Problem]:
    """Yield the traps in a judge's prompt."""
    if asks_for_unit_scale(prompt):
        yield REPORT.problem(
            "warning",
            "prompt_asks_for_0_to_1",
            pointer,
            "The prompt asks for a score from 0 to 1, but UiPath takes what the judge says for a "
            "number from 0 to 100: a perfect 1 counts as one percent.",
            "Ask for a score from 0 to 100.",
        )
    known = (CODED_PLACEHOLDERS if coded else LEGACY_PLACEHOLDERS)[sees]
    found = placeholders(prompt)
    for name in found:
        if name not in known:
            yield _unknown(name, pointer, known, coded)
    for name in known[:2]:
        if name not in found and (coded or sees == "output"):
            yield REPORT.problem(
                "info",
                "placeholder_appended",
                pointer,
                f"The prompt has no {{{{{name}}}}}, so UiPath adds it at the end.",
                f"Put {{{{{name}}}}} where the judge should read it.",
            )


def _unknown(name: str, pointer: str, known: tuple[str, ...], coded: bool) -> Problem:
    if not coded and name in CLOUD_ONLY:
        message = f"A local run sends {{{{{name}}}}} to the judge as it stands, unfilled."
        return REPORT.problem("info", "placeholder_only_in_cloud", pointer, message)
    guess = "ExpectedAgentBehavior" if name == "ExpectedBehavior" else closest(name, known)
    hint = (
        f"Did you mean {{{{{guess}}}}}?"
        if guess
        else "Use " + " and ".join(f"{{{{{k}}}}}" for k in known[:2])
    )
    return REPORT.problem(
        "warning",
        "unknown_placeholder",
        pointer,
        f"UiPath does not fill in {{{{{name}}}}}; the judge sees the braces.",
        hint,
        guess or "",
    )
