"""The catalogue of rules: what each problem code means, why it matters, and a small example.

It is data in ``rules/*.toml``, one file for each family of systems, read when first asked for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from evalcore.errors import FormatError, Severity

FOLDER: Final = Path(__file__).parent / "rules"
FILES: Final[Mapping[str, str]] = {
    "adk": "adk",
    "harnest": "adk",
    "tenxgraph": "tenxgraph",
    "uipath": "uipath",
    "cases": "any",
    "text": "any",
    "json": "any",
    "file": "any",
    "outputs": "any",
    "evaldesk": "any",
    "wiring": "any",
}
"""The file that explains the codes of each prefix. Codes of other formats have no explanation."""
SYSTEMS: Final[Mapping[str, str]] = {
    "uipath": "UiPath",
    "adk": "Google ADK",
    "harnest": "Harnest",
    "tenxgraph": "10xGraph",
    "evaldesk": "Evaldesk",
}
ANY_SYSTEM: Final = "any system"


@dataclass(frozen=True, slots=True)
class Sample:
    """A place in a small file, with text there that has the problem and text that has not.

    ``base`` names the file, ``at`` is the pointer of the place; "" as text means that there is
    nothing. ``bad_files`` and ``good_files`` are files around it by their path, and ``good_path``
    is another place for it, where the problem lies in them. ``systems`` are the prefixes for which
    the sample was made.
    """

    base: str
    at: str
    bad: str
    good: str
    file: str
    bad_files: Mapping[str, str]
    good_files: Mapping[str, str]
    good_path: str
    systems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of problem.

    ``code`` is its name without the prefix, ``codes`` with the prefixes under which it is met.
    ``severities`` lists all that it can have, the usual one first. ``sample`` is None where the
    problem is of the file as the disk has it, not of its content; ``seen`` then tells in words what
    has the problem and what has not.
    """

    code: str
    codes: tuple[str, ...]
    severities: tuple[Severity, ...]
    title: str
    why: str
    fix: str
    sample: Sample | None = field(repr=False)
    seen: tuple[str, str] | None = None

    @property
    def systems(self) -> str:
        """The names of the systems whose files can have the problem."""
        prefixes = (code.partition(".")[0] for code in self.codes)
        return ", ".join(dict.fromkeys(SYSTEMS.get(prefix, ANY_SYSTEM) for prefix in prefixes))


def rule(code: str) -> Rule:
    """Return the rule of a code; raises FormatError, with the nearest codes, if there is none."""
    found = known_rule(code)
    if found is not None:
        return found
    from difflib import get_close_matches

    every = [name for listed in rules() for name in listed.codes]
    near = get_close_matches(code, every, n=3) or [
        name for name in every if name.partition(".")[2] == code
    ]
    hint = f"Did you mean {', '.join(near)}?" if near else ""
    raise FormatError(
        f"There is no rule {code!r}",
        hint=hint or "Leave the code out to see all rules.",
    )


def known_rule(code: str) -> Rule | None:
    """Return the rule of a code, None for a code of a format that is not explained here."""
    file = FILES.get(code.partition(".")[0])
    return _read(file).get(code) if file else None


def rules() -> tuple[Rule, ...]:
    """Return every rule once, by system and name."""
    files = dict.fromkeys(FILES.values())
    found = {r.codes: r for file in files for r in _read(file).values()}
    return tuple(found.values())


def bases(file: str) -> Mapping[str, Any]:
    """Return the small files that the samples of one file of rules are made of."""
    found: Mapping[str, Any] = _loaded(file).get("bases", {})
    return found


@cache
def _read(file: str) -> dict[str, Rule]:
    data = _loaded(file)
    prefixes = tuple(data["systems"])
    by_code: dict[str, Rule] = {}
    for name, entry in data["rules"].items():
        made = _rule(name, entry, prefixes)
        by_code.update(dict.fromkeys(made.codes, made))
    return by_code


@cache
def _loaded(file: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{file}.toml").read_text(encoding="utf-8"))


def _rule(name: str, entry: Mapping[str, Any], prefixes: tuple[str, ...]) -> Rule:
    own = tuple(entry.get("systems", prefixes))
    severity: Severity | list[Severity] = entry["severity"]
    return Rule(
        name,
        tuple(f"{prefix}.{name}" for prefix in own),
        tuple([severity] if isinstance(severity, str) else severity),
        entry["title"],
        entry["why"],
        entry["fix"],
        _sample(entry, own) if "base" in entry else None,
        (entry["seen_bad"], entry["seen_good"]) if "seen_bad" in entry else None,
    )


def _sample(entry: Mapping[str, Any], prefixes: tuple[str, ...]) -> Sample:
    return Sample(
        entry["base"],
        entry.get("at", ""),
        entry.get("bad", ""),
        entry.get("good", ""),
        entry.get("file", ""),
        entry.get("bad_files", {}),
        entry.get("good_files", {}),
        entry.get("good_path", ""),
        tuple(entry.get("sample_of", prefixes)),
    )
