"""The rules as tables in Markdown: ``python -m evalcore.lint.table`` prints the long one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from evalcore.errors import SEVERITIES
from evalcore.formats import by_id
from evalcore.formats.fixes import ANY_SYSTEM as MENDED_ANYWHERE
from evalcore.lint.catalog import ANY_SYSTEM, SYSTEMS, Rule, rules
from evalcore.lint.cross.fixes import ACROSS

_FORMATS = {"uipath": "uipath_coded", "adk": "adk", "harnest": "harnest", "tenxgraph": "tenxgraph"}


def has_fix(code: str) -> bool:
    """Return whether problems of a code can be fixed with one click, if only some of them."""
    prefix, _, name = code.partition(".")
    if prefix == "cases":
        return name in ACROSS
    format_id = _FORMATS.get(prefix)
    if format_id is None:
        return False
    return name in by_id(format_id).fixes or name in MENDED_ANYWHERE


def summary_table() -> str:
    """Return one line for each system: how many rules there are, and how many have a fix."""
    lines = ["| rules about | errors | warnings | notes | with a fix |", "| --- " * 5 + "|"]
    for system, listed in _by_system().items():
        usual = [rule.severities[0] for _, rule in listed]
        counts = " | ".join(str(usual.count(severity)) for severity in SEVERITIES)
        fixes = sum(has_fix(code) for code, _ in listed)
        lines.append(f"| {system} | {counts} | {fixes} |")
    return "\n".join(lines) + "\n"


def full_table() -> str:
    """Return every code with its severity, its title and what to do, by system."""
    parts = [
        "# Rules\n\n"
        "Every problem that Evaldesk tells of has a code. `evaldesk check --explain CODE` says\n"
        "more about each, with an example. ✦ marks those that can be fixed with one click, at\n"
        "least in the clear cases. `python -m evalcore.lint.table` prints this file.\n"
    ]
    for system, listed in _by_system().items():
        lines = [f"## {system[0].upper()}{system[1:]}\n", "| code | | what it is | what to do |"]
        lines.append("| --- " * 4 + "|")
        lines += [_line(code, rule) for code, rule in listed]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _line(code: str, rule: Rule) -> str:
    mark = " ✦" if has_fix(code) else ""
    severity = " or ".join("note" if s == "info" else s for s in rule.severities)
    return f"| `{code}`{mark} | {severity} | {_cell(rule.title)} | {_cell(rule.fix)} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("__", "\\_\\_")


def _by_system() -> dict[str, Sequence[tuple[str, Rule]]]:
    found: defaultdict[str, list[tuple[str, Rule]]] = defaultdict(list)
    for rule in rules():
        for code in rule.codes:
            found[SYSTEMS.get(code.partition(".")[0], ANY_SYSTEM)].append((code, rule))
    order = [*SYSTEMS.values(), ANY_SYSTEM]
    return {system: found[system] for system in order if found[system]}


if __name__ == "__main__":
    print(full_table(), end="")
