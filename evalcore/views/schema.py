"""JSON schemas as forms see them: of what kind a value should be, and what its parts are called.

Understands what agents' input schemas and pydantic models use: types, ``enum`` and ``const``,
``properties`` and ``required``, ``additionalProperties``, ``items`` and ``prefixItems``, ``anyOf``,
``oneOf``, ``allOf``, ``$ref`` within the document, ``default``, ``title``, ``description`` and the
limits of numbers and texts. Anything else is left open. ``x-multiline`` marks a long text, and
``x-names`` says which names seen in the project a text may be (``tool`` or ``node``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from evalcore.jsontree import MISSING, JsonObject, JsonValue, Missing, get, same

MAX_REFS = 32


class Shape(StrEnum):
    """What kind of value a schema asks for."""

    TEXT = "text"
    NUMBER = "number"
    WHOLE = "whole number"
    FLAG = "yes or no"
    CHOICE = "choice"
    LIST = "list"
    GROUP = "group"
    UNION = "one of several"
    NULL = "nothing"
    ANY = "anything"


_BY_TYPE = {
    "string": Shape.TEXT,
    "number": Shape.NUMBER,
    "integer": Shape.WHOLE,
    "boolean": Shape.FLAG,
    "array": Shape.LIST,
    "object": Shape.GROUP,
    "null": Shape.NULL,
}
_WORDS = {
    Shape.TEXT: "a text",
    Shape.NUMBER: "a number",
    Shape.WHOLE: "a whole number",
    Shape.FLAG: "yes or no",
    Shape.CHOICE: "one of the choices",
    Shape.LIST: "a list",
    Shape.GROUP: "a group of values",
    Shape.NULL: "nothing",
    Shape.ANY: "any value",
}


@dataclass(frozen=True)
class Spec:
    """One schema, with the document that its references point into."""

    schema: JsonObject
    root: JsonObject = field(repr=False)

    @cached_property
    def shape(self) -> Shape:
        """Return the kind of value asked for, null aside."""
        if self.choices:
            return Shape.CHOICE
        if len(self.alternatives) > 1:
            return Shape.UNION
        if self.alternatives:
            return self.alternatives[0].shape
        types = [t for t in self._types if t != "null"]
        if len(types) == 1:
            return _BY_TYPE.get(types[0], Shape.ANY)
        if not types and "null" in self._types:
            return Shape.NULL
        if not types and "properties" in self.schema:
            return Shape.GROUP
        return Shape.ANY

    @property
    def title(self) -> str:
        """Return the schema's own title, "" if it has none that says more than a name would."""
        return _text(self.schema.get("title"))

    @property
    def help(self) -> str:
        """Return the description, with the default and the limits in words."""
        parts = [_text(self.schema.get("description")).strip()]
        default = self.schema.get("default", MISSING)
        if default is not MISSING and default is not None and not isinstance(default, (dict, list)):
            parts.append(f"Without it: {_said(default)}.")
        if self.limits:
            parts.append(f"{self.limits[:1].upper()}{self.limits[1:]}.")
        return " ".join(_ended(p) for p in parts if p)

    @cached_property
    def limits(self) -> str:
        """Return the limits of a number or a text in words, "" if it has none."""
        low = self.schema.get("minimum", self.schema.get("exclusiveMinimum"))
        high = self.schema.get("maximum", self.schema.get("exclusiveMaximum"))
        if is_number(low) and is_number(high):
            return f"from {_said(low)} to {_said(high)}"
        if is_number(low):
            return f"at least {_said(low)}"
        if is_number(high):
            return f"at most {_said(high)}"
        longest = self.schema.get("maxLength")
        return f"at most {_said(longest)} characters" if is_number(longest) else ""

    @cached_property
    def choices(self) -> tuple[JsonValue, ...]:
        """Return the values that are allowed, null aside; () where the schema lists none."""
        if "const" in self.schema:
            return (self.schema["const"],)
        listed = self.schema.get("enum")
        return tuple(v for v in listed if v is not None) if isinstance(listed, list) else ()

    @cached_property
    def alternatives(self) -> tuple[Spec, ...]:
        """Return the schemas of which one must fit, null aside; () where there is no choice."""
        for name in ("anyOf", "oneOf"):
            listed = self.schema.get(name)
            if isinstance(listed, list) and listed:
                specs = [spec_of(item, self.root) for item in listed if isinstance(item, dict)]
                return tuple(s for s in specs if s.shape is not Shape.NULL)
        types = [t for t in self._types if t != "null"]
        if len(types) < 2:
            return ()
        return tuple(Spec({**self.schema, "type": t}, self.root) for t in types)

    @property
    def members(self) -> dict[str, Spec]:
        """Return the schemas of a group's members by name."""
        found = self.schema.get("properties")
        listed = found.items() if isinstance(found, dict) else ()
        return {n: spec_of(s if isinstance(s, dict) else {}, self.root) for n, s in listed}

    @property
    def required(self) -> frozenset[str]:
        """Return the members that must be there."""
        found = self.schema.get("required")
        return (
            frozenset(r for r in found if isinstance(r, str))
            if isinstance(found, list)
            else (frozenset())
        )

    @property
    def others(self) -> Spec | None:
        """Return the schema of members that are not listed; None where there may be none."""
        found = self.schema.get("additionalProperties", MISSING)
        if isinstance(found, dict):
            return spec_of(found, self.root)
        is_open = found is True or (found is MISSING and not self.schema.get("properties"))
        return Spec({}, self.root) if is_open else None

    def item(self, index: int = 0) -> Spec:
        """Return the schema of a list's item."""
        firsts = self.schema.get("prefixItems")
        if isinstance(firsts, list) and index < len(firsts):
            found: JsonValue = firsts[index]
        else:
            found = self.schema.get("items")
        return spec_of(found if isinstance(found, dict) else {}, self.root)

    @property
    def length(self) -> int | None:
        """Return how many items a list of fixed length has, None for other lists."""
        firsts = self.schema.get("prefixItems")
        return len(firsts) if isinstance(firsts, list) and firsts else None

    @property
    def is_multiline(self) -> bool:
        """Return whether a text is a long one."""
        return self.schema.get("x-multiline") is True

    @property
    def names(self) -> str:
        """Return which names seen in the project a text may be: ``tool``, ``node`` or ""."""
        return _text(self.schema.get("x-names"))

    @property
    def takes_null(self) -> bool:
        """Return whether null is allowed."""
        listed = self.schema.get("enum")
        if isinstance(listed, list):
            return None in listed
        several = self.schema.get("anyOf", self.schema.get("oneOf"))
        if isinstance(several, list):
            inner = (spec_of(i, self.root) for i in several if isinstance(i, dict))
            return any(s.shape in (Shape.NULL, Shape.ANY) or s.takes_null for s in inner)
        return "null" in self._types or not self._types

    @property
    def words(self) -> str:
        """Return what is asked for, as a person says it."""
        if self.shape is Shape.UNION:
            return " or ".join(dict.fromkeys(s.words for s in self.alternatives))
        if self.shape is Shape.CHOICE:
            return "one of " + ", ".join(f"“{_said(c)}”" for c in self.choices)
        return _WORDS[self.shape]

    def accepts(self, value: JsonValue) -> bool:
        """Return whether a value is of the kind asked for; what is inside it is not looked at."""
        if value is None:
            return self.takes_null
        match self.shape:
            case Shape.CHOICE:
                return any(same(value, choice) for choice in self.choices)
            case Shape.UNION:
                return any(s.accepts(value) for s in self.alternatives)
            case Shape.ANY:
                return True
            case Shape.NULL:
                return False
        return _is_of(self.shape, value)

    def chosen(self, value: JsonValue | Missing) -> Spec:
        """Return the alternative that fits a value best; itself where there is no choice."""
        if not self.alternatives:
            return self
        fitting = [s for s in self.alternatives if value is not MISSING and s.accepts(value)]
        if not isinstance(value, dict) or len(fitting) < 2:
            return (fitting or list(self.alternatives))[0]
        return max(fitting, key=lambda s: _likeness(s, value))

    def blank(self) -> JsonValue:
        """Return what adding such a value writes: its default, or as little as it can be."""
        default = self.schema.get("default", MISSING)
        if default is not MISSING:
            return default
        if self.choices:
            return self.choices[0]
        if self.alternatives:
            return self.alternatives[0].blank()
        match self.shape:
            case Shape.GROUP:
                return {n: s.blank() for n, s in self.members.items() if n in self.required}
            case Shape.LIST:
                return [self.item(i).blank() for i in range(self.length or 0)]
            case Shape.NUMBER | Shape.WHOLE:
                low = self.schema.get("minimum")
                return low if is_number(low) and _over_zero(low) else 0
            case Shape.FLAG:
                return False
            case Shape.NULL:
                return None
        return ""

    @property
    def _types(self) -> list[str]:
        found = self.schema.get("type")
        listed = found if isinstance(found, list) else [found]
        return [t for t in listed if isinstance(t, str)]


def spec_of(schema: JsonValue, root: JsonObject | None = None) -> Spec:
    """Return a schema with its references followed and its ``allOf`` put together."""
    own = schema if isinstance(schema, dict) else {}
    top = own if root is None else root
    return Spec(_resolved(own, top, MAX_REFS), top)


def _resolved(schema: JsonObject, root: JsonObject, left: int) -> JsonObject:
    reference = schema.get("$ref")
    if isinstance(reference, str) and left:
        found = get(root, reference.removeprefix("#")) if reference.startswith("#") else MISSING
        beside = {n: v for n, v in schema.items() if n != "$ref"}
        target = found if isinstance(found, dict) else {}
        return {**_resolved(target, root, left - 1), **beside}
    parts = schema.get("allOf")
    if isinstance(parts, list) and left:
        merged = {n: v for n, v in schema.items() if n != "allOf"}
        for part in parts:
            if isinstance(part, dict):
                merged = _merged(merged, _resolved(part, root, left - 1))
        return merged
    return schema


def _merged(one: JsonObject, other: JsonObject) -> JsonObject:
    result = {**other, **one}
    for name, empty in (("properties", {}), ("required", [])):
        left, right = one.get(name, empty), other.get(name, empty)
        if isinstance(left, dict) and isinstance(right, dict) and (left or right):
            result[name] = {**right, **left}
        if isinstance(left, list) and isinstance(right, list) and (left or right):
            result[name] = [*left, *right]
    return result


def _likeness(spec: Spec, value: JsonObject) -> int:
    """Return how well an object fits: constants count most, then required and known members."""
    members = spec.members
    constants = sum(
        100 if member.accepts(value[name]) else -100
        for name, member in members.items()
        if name in value and member.choices
    )
    return constants + 10 * len(spec.required & set(value)) + len(set(members) & set(value))


def _is_of(shape: Shape, value: JsonValue) -> bool:
    match shape:
        case Shape.TEXT:
            return isinstance(value, str)
        case Shape.FLAG:
            return isinstance(value, bool)
        case Shape.NUMBER:
            return is_number(value)
        case Shape.WHOLE:
            return is_number(value) and value == int(value)  # type: ignore[arg-type]
        case Shape.LIST:
            return isinstance(value, list)
        case _:
            return isinstance(value, dict)


def is_number(value: JsonValue) -> bool:
    """Return whether a value is a finite number; yes and no are none."""
    finite = isinstance(value, int) or (isinstance(value, float) and abs(value) < float("inf"))
    return finite and not isinstance(value, bool)


def _over_zero(value: JsonValue) -> bool:
    return isinstance(value, (int, float)) and value > 0


def _said(value: JsonValue) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else f"{value}"


def _ended(text: str) -> str:
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
