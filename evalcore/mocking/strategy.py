"""Which mock answers a call, and with what, by the rules of a UiPath case's ``mockingStrategy``.

Nothing that a strategy names is imported or run: ``_target_`` makes UiPath build any Python object,
so such a value is shown as the call that would build it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evalcore.errors import EvaldeskError
from evalcore.formats._uipath.mock_values import TARGET, WRAPPER, built_in, fault, raised, shown
from evalcore.jsontree import JsonValue
from evalcore.mocking.answers import Answer, Call, Effect, Heard, Standing, Trial
from evalcore.mocking.matching import CODE, misfit


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

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools for which a model answers."""
        return tuple(self._tools)

    @property
    def count(self) -> int:
        """How many mocks with written answers there are."""
        return len(self._rules)

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
            differs = _misfit(self._rules[index], call)
            if differs is None:
                return Answer(effect=Effect.UNKNOWN, rule=index, reason=CODE)
            if not differs:
                return self._next(index)
        return Answer(
            effect=Effect.RAISES,
            error=WRAPPER,
            cause="InvocationError",
            reason="The function is mocked, and no mock has these arguments.",
        )

    def heard(self, call: Call) -> tuple[Heard, ...]:
        """Return what each mock is to a call, and why; () where there are none that are used."""
        found: list[Heard] = []
        answering: int | None = None
        for index in reversed(range(len(self._rules) if self.is_used else 0)):
            one = _heard(index, self._rules[index], call, answering)
            if one.standing in (Standing.ANSWERS, Standing.UNKNOWN) and answering is None:
                answering = index
            found.append(one)
        return tuple(reversed(found))

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
        error, cause = raised(then[step].value)
        return Answer(
            effect=Effect.RAISES, error=error, cause=cause, rule=index, step=step, reason=reason
        )


def preview(strategy: JsonValue, calls: Sequence[Call]) -> list[Answer]:
    """Return what calls get one after the other. Raises EvaldeskError like ``Mocks``."""
    mocks = Mocks(strategy)
    return [mocks.answer(call) for call in calls]


def try_out(strategy: JsonValue, calls: Sequence[Call]) -> list[Trial]:
    """Return what calls get one after the other, and why. Raises EvaldeskError like ``Mocks``."""
    mocks = Mocks(strategy)
    return [Trial(call=c, answer=mocks.answer(c), heard=mocks.heard(c)) for c in calls]


def _misfit(rule: _Rule, call: Call) -> str | None:
    given = rule.arguments
    return "" if given is None else misfit(given.args, given.named, call)


def _heard(index: int, rule: _Rule, call: Call, answering: int | None) -> Heard:
    if rule.function != call.function:
        return Heard(rule=index, standing=Standing.OTHER, why=f"It is for “{rule.function}”.")
    differs = _misfit(rule, call)
    if differs:
        return Heard(rule=index, standing=Standing.MISFIT, why=differs)
    if answering is not None:
        why = f"It fits too, but rule {answering + 1} stands below it, and the last one wins."
        return Heard(rule=index, standing=Standing.HIDDEN, why=why)
    if differs is None:
        return Heard(rule=index, standing=Standing.UNKNOWN, why=CODE)
    why = "It takes every call." if rule.arguments is None else "All arguments are as it wants."
    return Heard(rule=index, standing=Standing.ANSWERS, why=why)


def _faults(rules: Sequence[_Rule]) -> Iterator[str]:
    """Yield why UiPath cannot build the mocks: it then uses none of them."""
    for number, rule in enumerate(rules, 1):
        given = rule.arguments or _Arguments()
        if TARGET in given.named:
            yield f"mock {number}: “kwargs” must be an object of names"
        for built in built_in([given.args, given.named, [then.value for then in rule.then]]):
            problem = fault(built)
            if problem:
                yield f"mock {number}: {problem}"
