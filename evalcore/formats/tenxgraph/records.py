"""The shapes that 10xGraph's loaders add to the common ones, with advice for each mistake."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evalcore.errors import Problem
from evalcore.formats.shapes import Listing, Member, Object, Report, Shape, Text, closest
from evalcore.formats.tenxgraph.names import CODE_ONLY, CRITERIA, OLD_NAMES
from evalcore.jsontree import JsonObject, JsonValue, join


class Record(Object):
    """An object whose unknown keys 10xGraph drops without a word when it saves the file.

    ``aliases`` maps names from elsewhere (builder arguments, other systems, older releases) to the
    key that was probably meant.
    """

    def __init__(
        self, what: str, members: Sequence[Member], aliases: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(what, members)
        self.aliases = aliases or {}
        self.names = frozenset(self.known)

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what 10xGraph refuses, then name each key that it drops."""
        yield from super().faults(value, pointer, report)
        if isinstance(value, dict) and not self.names.issuperset(value):
            for name in value:
                if name not in self.names:
                    yield self._dropped(name, value, pointer, report)

    def unknown(
        self, value: Mapping[str, JsonValue], pointer: str, report: Report
    ) -> Iterator[Problem]:
        """Yield nothing: ``faults`` names unknown keys, as it knows which others are there."""
        yield from ()

    def _dropped(self, name: str, value: JsonObject, pointer: str, report: Report) -> Problem:
        meant = self.aliases.get(name) or closest(name, self.known)
        if meant in value:
            meant = None
        return report.problem(
            "warning" if meant else "info",
            "unknown_key",
            join(pointer, name),
            f"{self.what} has no “{name}”: 10xGraph does not read it, and drops it when it saves "
            "the file.",
            f"Call it “{meant}”." if meant else "Keep such notes in “metadata”.",
            meant or "",
        )


class MatchType(Text):
    """A match type, which must be in capitals."""

    def wrong(self, value: JsonValue, pointer: str, report: Report) -> Problem:
        """Return the problem, with the spelling that is accepted where it is only that."""
        problem = super().wrong(value, pointer, report)
        text = value.strip().upper() if isinstance(value, str) else ""
        upper = text.replace("-", "_").replace(" ", "_")
        if upper not in self.choices:
            return problem
        return report.problem(
            "error", "match_type_case", pointer, problem.message, f"Write it as “{upper}”.", upper
        )


class Criteria(Object):
    """The criteria of a config; names that a config cannot hold get an answer of their own."""

    def unknown(
        self, value: Mapping[str, JsonValue], pointer: str, report: Report
    ) -> Iterator[Problem]:
        """Yield a problem for each name that is no config key, translated where it is old."""
        known = [c.key for c in CRITERIA]
        for name in value:
            if name in known:
                continue
            where, old = join(pointer, name), OLD_NAMES.get(name)
            guess = None if old else closest(name, known)
            if name in {c.result for c in CODE_ONLY}:
                guess, code, message = (
                    None,
                    "criterion_only_in_code",
                    "can be used from Python code only",
                )
                hint = "Remove it here, and add it in code."
            elif old:
                code, message = "old_criterion_name", "is how results or older releases name it"
                hint = f"Call it “{old}”."
            else:
                code, message = "unknown_criterion", "is no criterion"
                hint = f"Did you mean “{guess}”?" if guess else f"There are: {', '.join(known)}."
            refused = f"“{name}” {message}: 10xGraph refuses the file."
            yield report.problem("error", code, where, refused, hint, old or guess or "")


class Message(Shape):
    """A message, named as such where something else stands in its place."""

    expected = "a message (an object with “role” and “content”)"

    def __init__(self, body: Object) -> None:
        self.body = body

    def faults(self, value: JsonValue, pointer: str, report: Report) -> Iterator[Problem]:
        """Refuse what is no message."""
        if isinstance(value, dict):
            yield from self.body.faults(value, pointer, report)
        else:
            yield self.wrong(value, pointer, report)


class Blocks(Listing):
    """The blocks of a message's content."""

    expected = "a list of blocks"
