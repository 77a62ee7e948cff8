"""What stands in a mock for more than itself: any value, an exception, an object that is built.

``_target_`` makes UiPath build any Python object when it reads a mock. Nothing is imported, built
or run here: an object is known by the text of its name alone.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping
from typing import Any, Final

from evalcore.jsontree import JsonObject, JsonValue

TARGET: Final = "_target_"
ANY: Final[JsonObject] = {TARGET: "mockito.any"}
"""How a mock says that one argument may be anything."""
ANY_NAMES: Final = frozenset({"mockito.any", "mockito.any_", "mockito.ANY", "mockito.matchers.Any"})
MEANT_AS_ANY: Final = ANY_NAMES | {"*", "<any>", "any()"}
"""Texts that people write where they mean any value; UiPath takes them for what they are."""
WRAPPER: Final = "UiPathMockResponseGenerationError"
"""What the agent sees where a mocked function has no answer, or its answer is an exception."""
EXCEPTIONS: Final = frozenset(
    name
    for name, found in vars(builtins).items()
    if isinstance(found, type) and issubclass(found, BaseException)
)
PASSED_ON: Final = frozenset(
    {"NotImplementedError", "KeyboardInterrupt", "SystemExit", "GeneratorExit"}
)
"""Exceptions that reach the agent as they are; others are wrapped."""
_NEED_ARGUMENTS = frozenset(
    {
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "UnicodeTranslateError",
        "BaseExceptionGroup",
        "ExceptionGroup",
    }
)
"""Exceptions that cannot be built without arguments by position, which a mock cannot give."""
_TAKE_NAMES = frozenset(
    {"ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "UnboundLocalError"}
)
"""Exceptions that take arguments by name."""


def is_built(value: object) -> bool:
    """Return whether UiPath would build an object from a value, rather than take it as it is."""
    return isinstance(value, dict) and TARGET in value


def is_any(value: object) -> bool:
    """Return whether a value, as an argument of a mock, accepts every value."""
    return isinstance(value, dict) and value.keys() == {TARGET} and value[TARGET] in ANY_NAMES


def built_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the outermost objects in a value that UiPath would build."""
    if isinstance(value, dict) and TARGET in value:
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from built_in(item)


def shown(value: Any) -> JsonValue:
    """Return a value with every object that UiPath would build as the text of its call."""
    if isinstance(value, dict):
        if TARGET not in value:
            return {name: shown(item) for name, item in value.items()}
        given = [f"{name}={shown(item)!r}" for name, item in value.items() if name != TARGET]
        return f"{value[TARGET]}({', '.join(given)})"
    if isinstance(value, list):
        return [shown(item) for item in value]
    plain: JsonValue = value
    return plain


def fault(built: Mapping[str, Any]) -> str:
    """Return why an object cannot be built, as far as that shows without building it, else ""."""
    target = built[TARGET]
    if not isinstance(target, str) or "." not in target:
        return f"{TARGET} must be the dotted name of something in Python"
    module, _, name = target.rpartition(".")
    if module != "builtins":
        return ""
    if not hasattr(builtins, name):
        return f"there is no {target}"
    if name in _NEED_ARGUMENTS or (name in EXCEPTIONS - _TAKE_NAMES and len(built) > 1):
        return f"{target} cannot be built with these arguments"
    return ""


def exception(name: str) -> JsonObject:
    """Return how a mock names one of Python's own exceptions."""
    return {TARGET: f"builtins.{name}"}


def exception_name(value: object) -> str | None:
    """Return the last name of the exception that a value stands for, None where it is none.

    A class that is not Python's own counts as an exception: whether it is cannot be known here.
    """
    if not isinstance(value, dict) or TARGET not in value:
        return None
    module, _, name = str(value[TARGET]).rpartition(".")
    return None if module == "builtins" and name not in EXCEPTIONS else name


def raised(value: object) -> tuple[str, str]:
    """Return the class that the agent sees where a mock raises a value, and the class behind it.

    The second is "" where the first is the exception itself.
    """
    name = exception_name(value)
    if name is None:
        return WRAPPER, "TypeError"
    is_own = isinstance(value, dict) and str(value[TARGET]).startswith("builtins.")
    return (name, "") if is_own and name in PASSED_ON else (WRAPPER, name)
