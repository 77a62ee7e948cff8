"""Which mock answers a call, and with what, by the rules of a UiPath case's ``mockingStrategy``.

Nothing that a strategy names is imported or run: ``_target_`` makes UiPath build any Python object,
so such a value is shown as the call that would build it.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalcore.errors import EvaldeskError
from evalcore.jsontree import JsonValue
from evalcore.model import Json, Model

TARGET = "_target_"
ANY_VALUE = frozenset({"mockito.any", "mockito.any_", "mockito.ANY", "mockito.matchers.Any"})
"""What a mock names to accept any value of one argument."""
NO_ANSWER = "UiPathMockResponseGenerationError"
"""What the agent sees where a mocked function has no answer, or its answer is an exception."""
EXCEPTIONS = frozenset(
    name
    for name, found in vars(builtins).items()
    if isinstance(found, type) and issubclass(found, BaseException)
)
NEED_ARGUMENTS = frozenset(
    {
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "UnicodeTranslateError",
        "BaseExceptionGroup",
        "ExceptionGroup",
    }
)
"""Exceptions that cannot be built without arguments by place, which a strategy cannot give."""
TAKE_NAMES = frozenset(
    {"ImportError", "ModuleNotFoundError", "AttributeError", "NameError", "UnboundLocalError"}
)
"""Exceptions that take arguments by name."""
PASSED_ON = frozenset({"NotImplementedError", "KeyboardInterrupt", "SystemExit", "GeneratorExit"})
"""Exceptions that reach the agent as they are; others are wrapped."""


class Effect(StrEnum):
    """What happens at a call."""

    RETURNS = "returns"
    RAISES = "raises"
    SIMULATED = "simulated"
    REAL = "real"
    UNKNOWN = "unknown"


class Answer(Model):
    """What a call gets.

    ``value`` is what is returned. ``error`` is the class that the agent sees raised, ``cause`` the
    class behind it, "" for none. ``rule`` counts the mocks from 0, None where none of them answers;
    ``step`` is the place in its list of answers. ``reason`` says why.
    """

    effect: Effect
    value: Json = None
    error: str = ""
    cause: str = ""
    rule: int | None = None
    step: int | None = None
    reason: str = ""


class Call(Model):
    """One call of a function: arguments by place, and arguments by name."""

    function: str
    args: tuple[Json, ...] = ()
    named: dict[str, Json] = Field(default_factory=dict)


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", populate_by_name=True)


class _Arguments(_Read):
    args: list[Any] = []
    named: dict[str, Any] = Field({}, alias="kwargs")


class _Then(_Read):
    type: Literal["return", "raise"]
    value: Any


class _Rule(_Read):
    function: str
    arguments: _Arguments | None = None
    then: list[_Then]


class _Mockito(_Read):
    type: Literal["mockito"]
    rules: list[_Rule] = Field(alias="config")


class _Tool(_Read):
    name: str


class _Model(_Read):
    model: str
    temperature: float | str | None = None
    top_p: float | None = Field(None, alias="topP")
    top_k: int | None = Field(None, alias="topK")
    frequency_penalty: float | None = Field(None, alias="frequencyPenalty")
    presence_penalty: float | None = Field(None, alias="presencePenalty")
    max_tokens: int | None = Field(None, alias="maxTokens")


class _Llm(_Read):
    type: Literal["llm"]
    prompt: str
    tools_to_simulate: list[_Tool] = Field(alias="toolsToSimulate")
    model: _Model | None = None


class Mocks:
    """A case's mocks, with a memory of how often each answered.

    ``kind`` is what UiPath loads the strategy as: ``mockito``, ``llm``, ``none`` for null, and
    ``unknown`` for one that is malformed. ``problem`` says why a strategy that loads is then not
    used, "" where it is.
    """

    def __init__(self, strategy: JsonValue) -> None:
        """Read a strategy. Raises EvaldeskError for one that UiPath refuses to load."""
        if strategy is not None and not (
            isinstance(strategy, dict) and isinstance(strategy.get("type"), str)
        ):
            raise EvaldeskError(
                "A mocking strategy is an object with a “type”",
                hint='Write "mockito" or "llm", or remove the strategy.',
            )
        self.problem = ""
        self.kind = "none" if strategy is None else "unknown"
        self._rules: list[_Rule] = []
        self._tools: list[str] = []
        self._used: dict[int, int] = {}
        if not isinstance(strategy, dict):
            return
        try:
            self._read(strategy)
        except ValidationError as error:
            first = error.errors()[0]
            self.problem = f"{'.'.join(map(str, first['loc']))}: {first['msg']}"

    @property
    def is_used(self) -> bool:
        """Whether the strategy has any effect: if not, every real function runs."""
        return not self.problem

    def answer(self, call: Call) -> Answer:
        """Return what a call gets, and remember that its mock was used."""
        if self.problem:
            return Answer(
                effect=Effect.REAL,
                reason=f"The strategy cannot be used ({self.problem}), so the real function runs.",
            )
        if self.kind == "llm":
            return self._simulated(call)
        own = [i for i, rule in enumerate(self._rules) if rule.function == call.function]
        if not own:
            return Answer(
                effect=Effect.REAL, reason="No mock names this function, so the real one runs."
            )
        for index in reversed(own):
            fits = _fits(self._rules[index].arguments, call)
            if fits is None:
                reason = "Whether this mock answers depends on Python code that the file names."
                return Answer(effect=Effect.UNKNOWN, rule=index, reason=reason)
            if fits:
                return self._next(index)
        return Answer(
            effect=Effect.RAISES,
            error=NO_ANSWER,
            cause="InvocationError",
            reason="The function is mocked, and no mock has these arguments.",
        )

    def _read(self, strategy: Mapping[str, Any]) -> None:
        if strategy["type"] == "llm":
            self._tools = [tool.name for tool in _Llm.model_validate(strategy).tools_to_simulate]
        elif strategy["type"] == "mockito":
            # "config" wins over its older spelling, even where it is the wrong one of two.
            renamed = {"config": strategy["behaviors"]} if "behaviors" in strategy else {}
            self._rules = _Mockito.model_validate({**renamed, **strategy}).rules
            self.problem = next(_faults(self._rules), "")
        else:
            self.problem = f"UiPath does not know the type “{strategy['type']}”"
            return
        self.kind = strategy["type"]

    def _simulated(self, call: Call) -> Answer:
        if call.function in self._tools:
            return Answer(
                effect=Effect.SIMULATED, reason="A model makes the answer up along the prompt."
            )
        return Answer(
            effect=Effect.REAL, reason="The tool is not to be simulated, so the real one runs."
        )

    def _next(self, index: int) -> Answer:
        """Return a mock's next answer; the last one repeats, and no answers at all mean null."""
        then, used = self._rules[index].then, self._used.get(index, 0)
        self._used[index] = used + 1
        if not then:
            reason = "The mock has no answer, so it returns null."
            return Answer(effect=Effect.RETURNS, rule=index, reason=reason)
        step = min(used, len(then) - 1)
        reason = f"Mock {index + 1}, answer {step + 1} of {len(then)}."
        if then[step].type == "return":
            value = shown(then[step].value)
            return Answer(effect=Effect.RETURNS, value=value, rule=index, step=step, reason=reason)
        error, cause = _raised(then[step].value)
        return Answer(
            effect=Effect.RAISES, error=error, cause=cause, rule=index, step=step, reason=reason
        )


def preview(strategy: JsonValue, calls: Sequence[Call]) -> list[Answer]:
    """Return what calls get one after the other. Raises EvaldeskError like ``Mocks``."""
    mocks = Mocks(strategy)
    return [mocks.answer(call) for call in calls]


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


def _fits(arguments: _Arguments | None, call: Call) -> bool | None:
    """Return whether a mock is for a call; None where that depends on code.

    Without arguments it is for every call. Else each must be there and equal, as Python compares:
    by place where the mock has it by place, by name where by name.
    """
    if arguments is None:
        return True
    if len(arguments.args) != len(call.args) or arguments.named.keys() != call.named.keys():
        return False
    pairs = [
        *zip(arguments.args, call.args, strict=True),
        *((value, call.named[name]) for name, value in arguments.named.items()),
    ]
    found = [_equal(wanted, given) for wanted, given in pairs]
    return False if False in found else None if None in found else True


def _equal(wanted: Any, given: Any) -> bool | None:
    if isinstance(wanted, dict) and TARGET in wanted:
        return True if _is_any(wanted) else None
    if not any(_targets(wanted)):
        return bool(wanted == given)
    # Inside a value, even "any" is an object of its own, and equal to nothing.
    return False if all(map(_is_any, _targets(wanted))) else None


def _is_any(value: Mapping[str, Any]) -> bool:
    return value.keys() == {TARGET} and value[TARGET] in ANY_VALUE


def _targets(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the outermost objects in a value that UiPath would build."""
    if isinstance(value, dict) and TARGET in value:
        yield value
    elif isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _targets(item)


def _raised(value: Any) -> tuple[str, str]:
    """Return what the agent sees where a mock raises, and the cause behind it."""
    if not isinstance(value, dict) or TARGET not in value:
        return NO_ANSWER, "TypeError"
    module, _, name = str(value[TARGET]).rpartition(".")
    if module == "builtins" and name in PASSED_ON:
        return name, ""
    if module == "builtins" and name not in EXCEPTIONS:
        return NO_ANSWER, "TypeError"
    return NO_ANSWER, name


def _faults(rules: Sequence[_Rule]) -> Iterator[str]:
    """Yield why UiPath cannot build the mocks: it then uses none of them."""
    for number, rule in enumerate(rules, 1):
        given = rule.arguments or _Arguments()
        if TARGET in given.named:
            yield f"mock {number}: “kwargs” must be an object of names"
        for built in _targets([given.args, given.named, [then.value for then in rule.then]]):
            problem = _fault(built)
            if problem:
                yield f"mock {number}: {problem}"


def _fault(built: Mapping[str, Any]) -> str:
    """Return why an object cannot be built, as far as that shows without building it."""
    target = built[TARGET]
    if not isinstance(target, str) or "." not in target:
        return f"{TARGET} must be the dotted name of something in Python"
    module, _, name = target.rpartition(".")
    if module != "builtins":
        return ""
    if not hasattr(builtins, name):
        return f"there is no {target}"
    if name in NEED_ARGUMENTS or (name in EXCEPTIONS - TAKE_NAMES and len(built) > 1):
        return f"{target} cannot be built with these arguments"
    return ""
