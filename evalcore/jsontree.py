"""Plain JSON values: their type, JSON pointers into them, and edits that copy only the path.

Trees are treated as immutable. Every edit returns a new tree that shares all untouched parts
with the old one, so that a history of drafts is cheap and unchanged parts can be found by identity.
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, Literal, TypeAlias, cast

JsonValue: TypeAlias = "dict[str, JsonValue] | list[JsonValue] | str | int | float | bool | None"
JsonObject: TypeAlias = "dict[str, JsonValue]"
JsonArray: TypeAlias = "list[JsonValue]"


class _Missing(Enum):
    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> Literal[False]:
        return False


Missing: TypeAlias = Literal[_Missing.MISSING]
MISSING: Final = _Missing.MISSING
"""The value of a key that is not there; ``None`` is JSON's null, which is something else."""


# More than any array has items; Python refuses to convert thousands of digits.
_INDEX_DIGITS: Final = 18


def join(pointer: str, *tokens: str | int) -> str:
    """Return ``pointer`` extended by keys and indexes, escaped as RFC 6901 asks."""
    return pointer + "".join(
        "/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens
    )


def split(pointer: str) -> tuple[str, ...]:
    """Return the unescaped tokens of a JSON pointer; "" is the whole document.

    Raises ValueError for a pointer that is neither empty nor starts with "/".
    """
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        raise ValueError(f"not a JSON pointer: {pointer!r}")
    return tuple(t.replace("~1", "/").replace("~0", "~") for t in pointer[1:].split("/"))


def is_within(pointer: str, ancestor: str) -> bool:
    """Return whether ``pointer`` is ``ancestor`` or lies below it."""
    return pointer == ancestor or pointer.startswith(ancestor + "/")


def child(value: JsonValue | Missing, token: str | int) -> JsonValue | Missing:
    """Return a member of an object or an item of an array, MISSING where there is none.

    Array indexes are non-negative integers, as numbers or as their decimal text.
    """
    if isinstance(value, dict):
        return value.get(str(token), MISSING)
    if isinstance(value, list):
        index = array_index(token)
        return value[index] if index is not None and index < len(value) else MISSING
    return MISSING


def array_index(token: str | int) -> int | None:
    """Return the array index that a token of a pointer stands for, None if it is none."""
    if isinstance(token, int):
        return token if token >= 0 else None
    is_number = token.isdecimal() and token.isascii() and len(token) <= _INDEX_DIGITS
    return int(token) if is_number else None


def get(value: JsonValue | Missing, pointer: str) -> JsonValue | Missing:
    """Return the value that ``pointer`` leads to, MISSING where the path ends early."""
    for token in split(pointer):
        value = child(value, token)
        if value is MISSING:
            return MISSING
    return value


def put(tree: JsonValue, pointer: str, value: JsonValue | Missing) -> JsonValue:
    """Return ``tree`` with the value at ``pointer`` replaced, added, or (MISSING) removed.

    A missing last key of an object is added at the end; missing objects on the way are created.
    An array index equal to the length appends. Raises KeyError where an array has no such place or
    the path runs through a scalar.
    """
    tokens = split(pointer)
    if not tokens:
        if value is MISSING:
            raise KeyError("cannot remove the whole document")
        return value
    return _put(tree, tokens, value)


def last_name(pointer: str) -> str:
    """Return the last token of a pointer, short enough for a message; "" for the document."""
    name = "".join(split(pointer)[-1:])
    return name if len(name) <= 40 else f"{name[:39]}…"


def insert(tree: JsonValue, pointer: str, value: JsonValue) -> JsonValue:
    """Return ``tree`` with ``value`` inserted in an array before the item at ``pointer``."""
    *parents, last = split(pointer)
    where = join("", *parents)
    items, index = get(tree, where), array_index(last)
    if not isinstance(items, list) or index is None or index > len(items):
        raise KeyError(f"no place in an array at {pointer!r}")
    return put(tree, where, [*items[:index], value, *items[index:]])


def move(tree: JsonValue, array_pointer: str, source: int, target: int) -> JsonValue:
    """Return ``tree`` with the item at index ``source`` of an array moved to index ``target``."""
    items = get(tree, array_pointer)
    if not isinstance(items, list) or not (0 <= source < len(items) and 0 <= target < len(items)):
        raise KeyError(f"no items {source} and {target} in an array at {array_pointer!r}")
    moved = [*items[:source], *items[source + 1 :]]
    moved.insert(target, items[source])
    return put(tree, array_pointer, moved)


def same(left: JsonValue | Missing, right: JsonValue | Missing) -> bool:
    """Return whether two values are equal by type and value, key order included.

    ``1``, ``1.0`` and ``true`` differ, as do ``0.0`` and ``-0.0``; NaN equals NaN.
    """
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        other = cast(JsonObject, right)
        return list(left) == list(other) and all(same(v, other[k]) for k, v in left.items())
    if isinstance(left, list):
        items = cast(JsonArray, right)
        return len(left) == len(items) and all(map(same, left, items))
    if isinstance(left, float):
        return repr(left) == repr(right)
    return left == right


def leaves(value: JsonValue, pointer: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Yield (pointer, value) of every scalar and every empty container, in document order."""
    members: Sequence[tuple[str | int, JsonValue]] = ()
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))
    if not members:
        yield pointer, value
    for token, item in members:
        yield from leaves(item, join(pointer, token))


def _put(tree: JsonValue, tokens: tuple[str, ...], value: JsonValue | Missing) -> JsonValue:
    token, rest = tokens[0], tokens[1:]
    old = child(tree, token)
    if rest:
        new = _put({} if old is MISSING else old, rest, value)
    elif value is MISSING:
        return _without(tree, token)
    else:
        new = value
    if isinstance(tree, dict):
        return {**tree, token: new}
    index = array_index(token)
    if isinstance(tree, list) and index is not None and index <= len(tree):
        return [*tree[:index], new, *tree[index + 1 :]]
    raise KeyError(f"no place for {token!r} in {type(tree).__name__}")


def _without(tree: JsonValue, token: str) -> JsonValue:
    if isinstance(tree, dict):
        return {key: v for key, v in tree.items() if key != token}
    index = array_index(token)
    if isinstance(tree, list) and index is not None and index < len(tree):
        return [*tree[:index], *tree[index + 1 :]]
    raise KeyError(f"nothing to remove at {token!r} in {type(tree).__name__}")
