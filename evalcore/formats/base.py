"""What a format is: how a system's files are recognised, checked, read and edited.

This module and every format's own package import only what recognising and checking needs. Reading
into the canonical models and editing live behind ``Format.eval_sets``, ``read_evaluators`` and
``read_runs``, which import their modules when first used.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, Protocol

from evalcore.errors import FormatError, Problem
from evalcore.jsontree import MISSING, JsonValue, Missing

if TYPE_CHECKING:
    from evalcore.formats.evalset import EvalSetLens
    from evalcore.formats.fixes import Fixer
    from evalcore.formats.outlines import Outline
    from evalcore.formats.parts import Parts
    from evalcore.formats.steps import Step
    from evalcore.jsondoc import JsonDocument
    from evalcore.model import Evaluator
    from evalcore.results import Run


class Kind(StrEnum):
    """What a file is for."""

    EVAL_SET = "eval_set"
    EVALUATOR = "evaluator"
    CRITERIA = "criteria"
    RESULT = "result"
    PROJECT = "project"
    """Known files around the others (entry points, simulation): kept and read, not edited."""


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A kind of file that a format knows: where it lies and what people call it."""

    kind: Kind
    where: str
    title: str
    editable: bool = False


@dataclass(frozen=True, slots=True)
class Detection:
    """Which format and kind a file is, how sure that is, and the reason in one sentence.

    ``variant`` names a shape within the kind (``legacy_rows``), "" for the usual one.
    """

    format_id: str
    kind: Kind
    confidence: Literal["sure", "maybe"]
    reason: str
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One entry of a folder; ``is_folder`` is what a link leads to, ``is_link`` that it is one."""

    name: str
    is_folder: bool = False
    is_link: bool = False


class Surroundings(Protocol):
    """What lies beside a file, as far as the workspace lets one look.

    Paths are relative to the file's own folder, with "/" and perhaps "..".
    """

    def glob(self, pattern: str) -> Sequence[str]:
        """Return the matching paths, sorted; what is hidden or leaves the workspace is left out."""
        ...

    def value(self, path: str) -> JsonValue | Missing:
        """Return the content of a JSON file, MISSING where there is none that can be read."""
        ...

    def entries(self, folder: str = "") -> Sequence[Neighbour]:
        """Return all entries of a folder, sorted by name, the hidden ones too.

        "" is the file's own folder. () where the folder lies outside what may be looked at.
        """
        ...


class Alone:
    """Surroundings of a file about which nothing else is known."""

    def glob(self, pattern: str) -> Sequence[str]:
        """Return nothing."""
        return ()

    def value(self, path: str) -> JsonValue | Missing:
        """Return MISSING."""
        return MISSING

    def entries(self, folder: str = "") -> Sequence[Neighbour]:
        """Return nothing."""
        return ()


class Format(ABC):
    """One system's files.

    ``id`` is the name used in code and on the command line, ``label`` the one shown to people,
    ``system`` the product that reads the files.
    """

    id: str
    label: str
    system: str
    known_files: tuple[KnownFile, ...]
    file_names: tuple[str, ...] = ()
    """Name patterns (``*.uiproj``) of this format's files that do not end in ``.json``."""
    hallmarks: tuple[str, ...] = ()
    """Keys by which a file too broken to parse is still known to be this format's."""

    @abstractmethod
    def detect(self, value: JsonValue, path: PurePath) -> Detection | None:
        """Return what a parsed file is to this format, None if it is nothing to it.

        ``path`` is relative to the workspace; its names may decide between formats that share a
        schema. At most one format may be sure of any file.
        """

    @abstractmethod
    def check(
        self,
        document: JsonDocument,
        detection: Detection,
        path: PurePath,
        near: Surroundings,
    ) -> Iterable[Problem]:
        """Yield every problem of a file: what its own loader refuses, then what it hides.

        Pointers are absolute; lines, columns and paths are filled in by ``check_document``.
        The document's own problems (duplicate keys, NaN, a BOM) are included, with the severity
        that this system gives them.
        """

    @property
    @abstractmethod
    def eval_sets(self) -> EvalSetLens:
        """Return the lenses through which this format's eval sets are read and edited."""

    def lens_for(self, detection: Detection) -> EvalSetLens:
        """Return the lenses for a detected shape; formats with variants override this."""
        return self.eval_sets

    def outlines(self, value: JsonValue, detection: Detection) -> Iterable[Outline]:
        """Return the cases of an eval set in outline, for the rules that compare cases."""
        return ()

    @property
    def fixes(self) -> Mapping[str, Fixer]:
        """Return what mends this format's problems, by their code without its prefix."""
        return {}

    def evaluator_files(self, path: PurePath, near: Surroundings) -> Sequence[str]:
        """Return the evaluator and criteria files that the system itself applies to an eval set.

        The paths are relative to the set's folder, as ``near`` takes them; () where the system has
        no rule that leads from a set to such files.
        """
        return ()

    def read_evaluators(self, value: JsonValue, detection: Detection) -> tuple[Evaluator, ...]:
        """Return the evaluators configured in an evaluator or criteria file."""
        raise FormatError(f"{self.label} has no evaluator files that can be read")

    def read_runs(self, value: JsonValue, detection: Detection) -> tuple[Run, ...]:
        """Return the runs in a result file, in the file's order."""
        raise FormatError(f"{self.label} has no result files that can be read")

    def parts(self, detection: Detection) -> Parts | None:
        """Return what reads a large result file some results at a time.

        None where it can only be read as a whole. Read either way its runs are the same.
        """
        return None

    def with_evaluators(self, run: Run, evaluators: Sequence[Evaluator]) -> Run:
        """Return a run with what only its evaluators' own files tell, such as their scales."""
        return run

    def steps(self, trace: JsonValue | Missing) -> Iterable[Step]:
        """Yield what happened inside a turn, from the ``trace`` of its result; nothing by default.

        A step that lies in another comes after it.
        """
        return ()
