"""Shapes: what a system's own loader accepts, as data, and the problems of a value that differs.

The systems here load their files with pydantic in its lax mode, and these shapes accept what it
accepts: a number written as text where a number is wanted, but never a number where text is. Every
fault of a value is reported, each at its own place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evalcore.errors import Problem, Severity
from evalcore.formats.lenses import Key, exactly, spelling_of
from evalcore.formats.memo import remembered
from evalcore.jsontree import JsonObject, JsonValue, array_index, join

Extra = Literal["keep", "drop", "refuse"]


@dataclass(frozen=True, slots=True)
class Report:
    """How problems of a shape are worded: the prefix of their codes and the system's name."""

    prefix: str
    system: str

    def problem(
        self,
        severity: Severity,
        code: str,
        pointer: str,
        message: str,
        hint: str = "",
        wanted: str = "",
    ) -> Problem:
        """Return a problem whose code starts with the prefix."""
        return Problem(severity, f"{self.prefix}.{code}", message, hint, pointer, wanted=wanted)


class Shape:
    """Base of all shapes; accepts anything.

    ``quick`` are the types whose values are accepted without a look at them, which is what makes
    the check of a large file bearable.
    """

    expected = "anything"
    quick: frozenset[type] = frozenset()

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Yield a problem for each way in which the loader would refuse ``value``."""
        yield from ()

    def wrong(self, value: JsonValue, pointer: str, report: Report) -> Problem:
        """Return the problem that says what was expected and what was found."""
        name = _place(pointer)
        return report.problem(
            "error",
            "wrong_type",
            pointer,
            f"{name} must be {self.expected}, but is {describe(value)}.",
            f"{report.system} refuses the file until this is {self.expected}.",
            self.instead(value),
        )

    def instead(self, value: JsonValue) -> str:
        """Return the text that is surely meant by a wrong value, "" where none is."""
        return ""


class Anything(Shape):
    """Any JSON value."""

    quick = frozenset({str, int, float, bool, type(None), list, dict})


ANYTHING = Anything()


class Text(Shape):
    """Text; with ``choices``, one of them exactly."""

    def __init__(self, *choices: str) -> None:
        self.choices = choices
        self.quick = frozenset() if choices else frozenset({str})
        listed = ", ".join(f"“{c}”" for c in choices)
        self.expected = f"one of {listed}" if len(choices) > 1 else listed or "text"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no text, or none of the choices."""
        if not isinstance(value, str) or (self.choices and value not in self.choices):
            yield self.wrong(value, pointer, report)

    def instead(self, value: JsonValue) -> str:
        """Return a number as text, and of the choices the one that is spelled almost so."""
        if self.choices:
            return (closest(value, self.choices) or "") if isinstance(value, str) else ""
        return str(value) if type(value) is int and abs(value) < 10**40 else ""


class Number(Shape):
    """A number, ``true``/``false``, or text that spells a number; optionally whole or bounded."""

    def __init__(self, *, whole: bool = False, least: float | None = None) -> None:
        self.whole = whole
        self.least = least
        if least is None:
            self.quick = frozenset({int, bool} if whole else {int, float, bool})
        bound = "" if least is None else f" of at least {least:g}"
        self.expected = ("a whole number" if whole else "a number") + bound

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what cannot become such a number."""
        number = _number(value)
        if (
            number is None
            or (self.whole and not _is_whole(number))
            or (self.least is not None and not number >= self.least)
        ):
            yield self.wrong(value, pointer, report)


class Flag(Shape):
    """True or false, or one of the words and numbers that pydantic takes for them."""

    expected = "true or false"
    quick = frozenset({bool})

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what cannot become true or false."""
        words = ("true", "false", "t", "f", "yes", "no", "y", "n", "on", "off", "1", "0")
        accepted = isinstance(value, bool) or (
            value.lower() in words if isinstance(value, str) else value in (0, 1)
        )
        if not accepted:
            yield self.wrong(value, pointer, report)


class Listing(Shape):
    """A list whose every item has one shape."""

    expected = "a list"

    def __init__(self, item: Shape) -> None:
        self.item = item

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no list, and every item that differs."""
        if not isinstance(value, list):
            yield self.wrong(value, pointer, report)
            return
        quick = self.item.quick
        # The items of a list at the top of a file are its cases.
        find = self._of_case if pointer.count("/") == 1 else self.item.faults
        for index, item in enumerate(value):
            if type(item) not in quick:
                yield from find(item, f"{pointer}/{index}", report)

    def _of_case(self, item: JsonValue, pointer: str, report: Report) -> Iterable[Problem]:
        around = (self, pointer, report)
        return remembered(item, around, lambda: self.item.faults(item, pointer, report))


class Mapped(Shape):
    """An object with any keys whose every value has one shape."""

    expected = "an object"

    def __init__(self, item: Shape = ANYTHING) -> None:
        self.item = item
        if item is ANYTHING:
            self.quick = frozenset({dict})

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no object, and every member that differs."""
        if not isinstance(value, dict):
            yield self.wrong(value, pointer, report)
            return
        quick = self.item.quick
        for name, item in value.items():
            if type(item) not in quick:
                yield from self.item.faults(item, join(pointer, name), report)


class Nullable(Shape):
    """Null, or another shape."""

    def __init__(self, inner: Shape) -> None:
        self.inner = inner
        self.quick = inner.quick | {type(None)}
        self.expected = f"{inner.expected} or null"

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what the inner shape refuses, unless it is null."""
        if value is not None:
            yield from self.inner.faults(value, pointer, report)


class Either(Shape):
    """Any one of several shapes. The faults shown are those of the shape that comes closest."""

    def __init__(self, *options: Shape) -> None:
        self.options = options
        self.expected = " or ".join(option.expected for option in options)

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what every option refuses; what an accepting one merely mentions is kept."""
        per_option = [list(option.faults(value, pointer, report)) for option in self.options]
        accepted = [f for f in per_option if all(p.severity != "error" for p in f)]
        if accepted:
            yield from min(accepted, key=len)
            return
        inside = [f for f in per_option if not all(_is_wrong_at(p, pointer) for p in f)]
        if not inside:
            yield self.wrong(value, pointer, report)
            return
        yield from min(inside, key=lambda f: (len(f), -max(len(p.pointer) for p in f)))


def _is_wrong_at(problem: Problem, pointer: str) -> bool:
    return problem.pointer == pointer and problem.code.endswith(".wrong_type")


@dataclass(frozen=True, slots=True)
class Member:
    """One member of an ``Object``."""

    key: Key
    shape: Shape = ANYTHING
    required: bool = False


class Object(Shape):
    """An object with known members; ``extra`` says what the loader does with unknown ones."""

    expected = "an object"

    def __init__(self, what: str, members: Sequence[Member], extra: Extra = "drop") -> None:
        self.what = what
        self.members = members
        self.extra = extra
        self.known = [spelling for member in members for spelling in member.key.spellings]
        self._by_name = {s: member for member in members for s in member.key.spellings}
        self._required = [member for member in members if member.required]

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no object, lacks a required member, or has one that differs."""
        if not isinstance(value, dict):
            yield self.wrong(value, pointer, report)
            return
        unread: dict[str, JsonValue] = {}
        for name, item in value.items():
            member = self._by_name.get(name)
            if member is None or member.key.find(value) != name:
                unread[name] = item
            elif type(item) not in member.shape.quick:
                yield from member.shape.faults(item, join(pointer, name), report)
        for member in self._required:
            if member.key.find(value) is None:
                yield self._missing(member, value, pointer, report)
        if unread:
            yield from self.unknown(unread, pointer, report)

    def unknown(
        self, value: Mapping[str, JsonValue], pointer: str, report: Report
    ) -> Iterator[Problem]:
        """Yield a problem for each member that the loader refuses or drops without a word."""
        for name in value:
            if name in self.known:
                yield self._twice(name, pointer, report)
                continue
            if self.extra == "keep":
                continue
            refused = self.extra == "refuse"
            guess = closest(name, self.known)
            hint = f"Did you mean “{guess}”?" if guess else ""
            effect = (
                f"{report.system} refuses it" if refused else f"{report.system} does not read it"
            )
            yield report.problem(
                "error" if refused else ("warning" if guess else "info"),
                "unknown_key",
                join(pointer, name),
                f"{self.what} has no “{name}”: {effect}.",
                hint or ("Remove it." if refused else ""),
                guess or "",
            )

    def _twice(self, name: str, pointer: str, report: Report) -> Problem:
        """Return the problem of a member that is there in another spelling as well."""
        keys = (m.key for m in self.members if name in m.key.spellings)
        read = next(s for key in keys for s in key.spellings if s != name)
        refused = self.extra == "refuse"
        effect = "refuses the file" if refused else f"reads “{read}” and not this one"
        return report.problem(
            "error" if refused else "warning",
            "both_spellings",
            join(pointer, name),
            f"{self.what} has both “{read}” and “{name}”: {report.system} {effect}.",
            "Keep one of the two.",
        )

    def _missing(self, member: Member, value: JsonObject, pointer: str, report: Report) -> Problem:
        name = member.key.spellings[0]
        return report.problem(
            "error",
            "missing",
            pointer,
            f"{self.what} has no {in_words(name)}.",
            f"{report.system} needs it: add {member.shape.expected}.",
            member.key.choose(value, spelling_of({name: None}) or "snake"),
        )


def in_words(name: str) -> str:
    """Return what a member is called: its name, or the words of it with the name behind them."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower().split()
    said = " ".join(words[1:] if words[:1] == ["eval"] and len(words) > 1 else words)
    return f"“{name}”" if said == name else f"{said} (“{name}”)"


def needs(name: str | Key, shape: Shape = ANYTHING) -> Member:
    """Return a required member."""
    return Member(name if isinstance(name, Key) else exactly(name), shape, required=True)


def may(name: str | Key, shape: Shape = ANYTHING) -> Member:
    """Return an optional member."""
    return Member(name if isinstance(name, Key) else exactly(name), shape)


def describe(value: JsonValue) -> str:
    """Return a value in words for a message, short enough for one line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        text = repr(value) if not isinstance(value, int) or abs(value) < 10**40 else "a huge number"
        return f"the number {text}"
    if isinstance(value, str):
        return f"the text “{value if len(value) <= 40 else value[:39] + '…'}”"
    count = len(value)
    thing = "a list" if isinstance(value, list) else "an object"
    members = ("item" if isinstance(value, list) else "member") + ("s" if count > 1 else "")
    return f"{thing} with {count:,} {members}" if count else f"an empty {thing.split()[-1]}"


def closest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that an unknown one most likely means, None if none is near."""
    from difflib import get_close_matches

    folded = {k.replace("_", "").lower(): k for k in reversed(known)}
    near = get_close_matches(name.replace("_", "").lower(), list(folded), n=1, cutoff=0.8)
    return folded[near[0]] if near else None


def _number(value: JsonValue) -> float | int | None:
    if isinstance(value, (int, float)):
        return value
    if isinstance(value, str) and value.isascii():
        try:
            return float(value)
        except ValueError:
            return None
    return None


def _is_whole(number: float) -> bool:
    """Return whether a number is whole; floats beyond 64 bits do not count, integers do."""
    return isinstance(number, int) or (number == number // 1 and abs(number) < 2.0**63)


def _place(pointer: str) -> str:
    tokens = pointer.rsplit("/", 1)
    last = tokens[-1].replace("~1", "/").replace("~0", "~")
    index = array_index(last)
    if index is not None:
        item = f"Item {index + 1}"
        inner = _place(tokens[0])
        return f"{item} of {inner[:1].lower()}{inner[1:]}" if tokens[0] else item
    said = in_words(last)
    return f"The {said}" if "(" in said else said if last else "The file"
