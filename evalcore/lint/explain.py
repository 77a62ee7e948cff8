"""A rule in plain text, for those who met its code in a report."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from evalcore.lint.catalog import FILES, Rule, bases, rules

WIDTH = 92
_NOUNS = {"error": "error", "warning": "warning", "info": "info"}


def explanation(rule: Rule) -> str:
    """Return all about one rule, wrapped for a terminal."""
    return "\n".join(_lines(rule))


def overview() -> str:
    """Return every code with its severity and its title, one line each."""
    listed = [(code, rule) for rule in rules() for code in rule.codes]
    wide = max(len(code) for code, _ in listed)
    return "\n".join(
        f"{code:<{wide}}  {rule.severities[0]:<7}  {rule.title}" for code, rule in listed
    )


def fragment(rule: Rule, text: str) -> str:
    """Return one side of a rule's example: the place and what stands there."""
    sample = rule.sample
    if sample is None:
        return ""
    shown = text.replace("\ufeff", "<BOM>") or "(nothing)"
    return f"{sample.at}: {shown}" if sample.at else shown


def examples(rule: Rule) -> Iterator[tuple[str, str]]:
    """Yield ("bad", text) and ("good", text); what lies around a file is told in words."""
    sample = rule.sample
    if sample is None:
        yield from zip(("bad", "good"), rule.seen or (), strict=False)
    elif sample.bad != sample.good:
        yield "bad", fragment(rule, sample.bad)
        yield "good", fragment(rule, sample.good)
    else:
        usual = bases(FILES[sample.systems[0]])[sample.base]["path"] if sample.good_path else ""
        yield "bad", _around(sample.bad_files, usual)
        yield "good", _around(sample.good_files, sample.good_path)


def _around(files: Mapping[str, str], path: str) -> str:
    """Return what the file is called where that matters, else what lies beside it."""
    listed = [f"{name.removeprefix('../')} ({_held(text)})" for name, text in files.items()]
    beside = f"beside it {', '.join(listed)}" if listed else "no such file beside it"
    return f"called {path.rpartition('/')[2]}" if path else beside


def _held(text: str) -> str:
    return text if text.startswith("link to ") else "any content" if text == "-" else text


def _lines(rule: Rule) -> Iterator[str]:
    severities = " or ".join(_NOUNS[severity] for severity in rule.severities)
    yield f"{', '.join(rule.codes)}  ({severities}; {rule.systems})"
    yield rule.title
    yield ""
    yield from textwrap.wrap(rule.why, WIDTH)
    yield ""
    yield from textwrap.wrap(f"What to do: {rule.fix}", WIDTH)
    sides = list(examples(rule))
    if sides:
        yield ""
    for name, text in sides:
        label = f"{name.capitalize()}: "
        yield textwrap.indent("\n".join(textwrap.wrap(text, WIDTH)), " " * 6).replace(
            " " * 6, f"{label:<6}", 1
        )
