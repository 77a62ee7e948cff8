"""What a system can put in place of what a case would really use, as its forms see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from evalcore.formats.lenses import Lens
from evalcore.jsontree import JsonValue


@dataclass(frozen=True, slots=True)
class StrategyForm:
    """Where the parts of a strategy lie, by the names that forms use.

    ``kinds`` and ``effects`` map the forms' words to the file's: ``rules`` (written answers) and
    ``model`` (made up by a model), ``return`` and ``raise``. ``blanks`` is a strategy of each kind
    with nothing in it. ``strategy`` has the parts ``kind``, ``rules``, ``prompt``, ``tools`` and
    ``model``; ``rule`` has ``function``, ``arguments``, ``args``, ``named`` and ``answers``;
    ``answer`` has ``effect`` and ``value``. ``model_schema`` draws the model's settings.
    """

    kinds: Mapping[str, str]
    blanks: Mapping[str, JsonValue]
    effects: Mapping[str, str]
    strategy: Mapping[str, Lens]
    rule: Mapping[str, Lens]
    answer: Mapping[str, Lens]
    model_schema: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class MockSupport:
    """What can be replaced in the cases of a format, by names of case fields.

    ``strategy`` is the field that holds a strategy, drawn by ``form``; ``tools`` are the fields
    that say in parts how tools are simulated, ``inputs`` those that say how inputs are made up,
    ``components`` the one that lists simulated components. ``note`` says what can be replaced at
    all, ``instead`` what to do where a system has nothing. ``project_file`` is the name of a file
    of the project that simulates components for every run.
    """

    strategy: str = ""
    form: StrategyForm | None = None
    tools: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    components: str = ""
    note: str = ""
    instead: tuple[str, ...] = field(default=())
    project_file: str = ""

    @property
    def is_there(self) -> bool:
        """Return whether the system can replace anything."""
        return bool(self.strategy or self.tools or self.inputs)


@dataclass(frozen=True, slots=True)
class SimulatedPart:
    """One component that is simulated: its name, its kind, how it answers, and in what words.

    ``answers`` are what it gives back, each with the condition, "" for always.
    """

    name: str
    kind: str = ""
    how: str = ""
    instructions: str = ""
    answers: tuple[tuple[str, JsonValue], ...] = ()
