"""A set that grows case by case, from nothing or from a file, and is written without losses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.builder.cases import (
    Case,
    Tool,
    Turn,
    kept_of,
    multi_turn,
    single_turn,
    write_case,
)
from evalcore.builder.checks import (
    Checks,
    evaluators_around,
    evaluators_in,
    naming,
    write_evaluators,
)
from evalcore.builder.fitting import fitted
from evalcore.errors import FormatError, WorkspaceError
from evalcore.files import read_bytes, revision_of, write_if_unchanged
from evalcore.formats import by_id, detect
from evalcore.formats.base import Kind
from evalcore.formats.evalset import new_guid
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, put
from evalcore.model import EvalCase, EvalSet, ToolCall

if TYPE_CHECKING:
    from evalcore.files import Revision
    from evalcore.formats.evalset import EvalSetLens

DEFAULT_FORMAT = "tenxgraph"


class EvalSetBuilder:
    """Builds one eval set; every method that adds returns the builder, so that calls chain.

    ``to`` is the id of a format. Ids that are not given are ``case_1``, ``case_2`` and so on,
    skipping those that are taken. All times written are ``now``, by default the current one.

    A part for which a format has no field goes where its system has a home for it: see
    ``evalcore.builder.fitting``. A set of UiPath's coded agents names an evaluator for the tools
    and the behavior that its cases expect: one of the project, else a new one, which ``save``
    writes beside the set.

    Raises FormatError for an unknown format, for an id given twice, and for whatever the format has
    no place for.
    """

    def __init__(
        self,
        name: str = "eval-set",
        *,
        to: str = DEFAULT_FORMAT,
        set_id: str | None = None,
        description: str | None = None,
        now: datetime | None = None,
    ) -> None:
        self._now = now or datetime.now(UTC)
        self._format = by_id(to)
        self._lens: EvalSetLens = self._format.eval_sets
        self._name = name
        self._has_own_id = set_id is not None
        self._tree = self._lens.blank_set(set_id or new_guid(), name, self._now)
        self._document: JsonDocument | None = None
        self._path: Path | None = None
        self._revision: Revision | None = None
        self._checks = Checks()
        if description is not None:
            self.set_field("description", description)

    @classmethod
    def from_file(cls, path: str | Path, *, now: datetime | None = None) -> EvalSetBuilder:
        """Return a builder that goes on with a file; all that is in it stays, byte for byte.

        Raises DocumentError for what is no JSON, FormatError for what is no eval set that can be
        edited, WorkspaceError or OSError where it cannot be read.
        """
        place = Path(path)
        data = read_bytes(place)
        document = JsonDocument.parse(data)
        found = detect(document.value, Path(*place.resolve().parts[-3:]))
        if found is None or found.kind is not Kind.EVAL_SET:
            raise FormatError(f"{path} is no eval set that Evaldesk knows")
        builder = cls(to=found.format_id, now=now)
        builder._lens = builder._format.lens_for(found)
        if builder._lens.read_only:
            raise FormatError(
                f"{path} is in an old shape that can be read but not edited",
                hint="Save it as a new-style set in Evaldesk first.",
            )
        builder._tree, builder._document = document.value, document
        builder._path, builder._revision = place, revision_of(data)
        builder._checks.known += evaluators_around(builder._format, place)
        return builder

    @classmethod
    def quick(
        cls, *pairs: Sequence[JsonValue], name: str = "quick_tests", to: str = DEFAULT_FORMAT
    ) -> EvalSetBuilder:
        """Return a builder with a case ``test_1``, ``test_2``, … of each query and its reply."""
        builder = cls(name, to=to)
        for number, pair in enumerate(pairs, 1):
            builder.add(multi_turn([pair], case_id=f"test_{number}"))
        return builder

    @classmethod
    def from_conversations(
        cls,
        conversations: Iterable[Mapping[str, JsonValue]],
        name: str = "conversations",
        *,
        to: str = DEFAULT_FORMAT,
    ) -> EvalSetBuilder:
        """Return a builder with a case ``conv_1``, … of each ``{"user": …, "assistant": …}``.

        A missing reply expects nothing. Raises FormatError for a row without a user's text, by its
        number.
        """
        builder = cls(name, to=to)
        for number, row in enumerate(conversations, 1):
            said = row.get("user")
            if said is None or said == "":
                raise FormatError(
                    f"Conversation {number} has no text of the user",
                    hint='Each is an object such as {"user": "Hello", "assistant": "Hi!"}.',
                )
            builder.add(single_turn(said, row.get("assistant"), case_id=f"conv_{number}"))
        return builder

    @property
    def tree(self) -> JsonValue:
        """Return the set as its file will have it."""
        return self._tree

    def add(self, *cases: Case) -> EvalSetBuilder:
        """Add cases made by ``single_turn``, ``multi_turn`` or by hand."""
        for case in cases:
            label = case.id if case.id is not None else self._free_id()
            known = Checks([*self._checks.known], dict(self._checks.made))
            tree = known.provide(self._format, self._tree, case)
            named = known.named_in(self._lens, tree)
            for name, one in fitted(self._lens, case, label, named):
                self._refuse_taken(name, tree)
                raw = write_case(self._lens, tree, one, name, self._now)
                held: JsonValue = [*self._lens.raw_cases(tree), raw]
                tree = put(tree, self._lens.cases_pointer(tree), held)
            self._tree, self._checks = tree, known
        return self

    def attach(self, *files: str | Path) -> EvalSetBuilder:
        """Have the set name the evaluators of files; cases that are added later are scored by them.

        Raises FormatError for a file that is no evaluator of the format's system, and where sets of
        the format name none.
        """
        if not any(f.name == "evaluator_refs" for f in self._lens.set_fields):
            raise FormatError(f"Sets of {self._format.label} do not name evaluators")
        for file in files:
            found = evaluators_in(self._format, Path(file))
            if not found:
                raise FormatError(f"{file} is no evaluator of {self._format.system}")
            known = {evaluator.ref for evaluator in self._checks.known}
            self._checks.known += [e for e in found if e.ref not in known]
            self._tree = naming(self._lens, self._tree, *(e.ref for e in found))
        return self

    def add_case(
        self,
        query: JsonValue,
        expected: JsonValue = None,
        *,
        case_id: str | None = None,
        expected_tools: Sequence[Tool] = (),
        expected_node_order: Sequence[str] = (),
        name: str | None = None,
        description: str | None = None,
        tags: Sequence[str] = (),
        **more: Any,
    ) -> EvalSetBuilder:
        """Add a case of one turn; ``more`` are fields of the case by their canonical names."""
        return self.add(
            single_turn(
                query,
                expected,
                case_id=case_id,
                expected_tools=expected_tools,
                expected_node_order=expected_node_order,
                name=name,
                description=description,
                tags=tags,
                **more,
            )
        )

    def add_multi_turn(
        self,
        conversation: Sequence[Turn | Sequence[JsonValue]],
        *,
        expected_tools: Sequence[Tool] = (),
        case_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        tags: Sequence[str] = (),
        **more: Any,
    ) -> EvalSetBuilder:
        """Add a conversation of ``(query, expected)`` pairs or ``Turn`` objects."""
        return self.add(
            multi_turn(
                conversation,
                case_id=case_id,
                expected_tools=expected_tools,
                name=name,
                description=description,
                tags=tags,
                **more,
            )
        )

    def add_tool_test(
        self,
        query: JsonValue,
        tool_name: str,
        tool_args: Mapping[str, Any] | None = None,
        expected_response: JsonValue = None,
        *,
        case_id: str | None = None,
        name: str | None = None,
        description: str | None = None,
        tags: Sequence[str] = (),
        **more: Any,
    ) -> EvalSetBuilder:
        """Add a case about one tool call.

        Without ``expected_response`` nothing is expected of the reply: a placeholder would be
        compared with it and fail.
        """
        call = ToolCall(name=tool_name, args=dict(tool_args or {}))
        return self.add_case(
            query,
            expected_response,
            case_id=case_id,
            expected_tools=[call],
            name=name,
            description=description,
            tags=tags,
            **more,
        )

    def set_field(self, name: str, value: Any) -> EvalSetBuilder:
        """Write a field of the set itself by its canonical name, such as ``description``."""
        self._tree = self._lens.put_field(self._tree, "", "set", name, value)
        return self

    def build(self) -> EvalSet:
        """Return the set as Evaldesk reads it."""
        return self._lens.read(self._tree)

    def filter_by_tags(self, *tags: str) -> list[EvalCase]:
        """Return the cases that have all of the tags; all cases where no tag is given."""
        return filter_by_tags(self.build(), *tags)

    def save(self, path: str | Path | None = None) -> Path:
        """Write the set, by default to the file that it came from, and return its place.

        Missing folders are made. A file of the same format that is there keeps its set id, the ids
        and times of its cases, its layout, and every byte that says the same; cases that are only
        in it go. Raises ConflictError if the file that the builder came from was changed meanwhile,
        FormatError if the system would not take the set under this name or the file there is
        something else.
        """
        place = Path(path) if path is not None else self._path
        if place is None:
            raise WorkspaceError("A new set needs a file name", hint='Call save("evals/x.json").')
        settled, evaluators = self._checks.settled(self._format, self._tree, place)
        if self._document is not None and self._is_own(place):
            data = self._rendered(self._document, settled)
            write_evaluators(evaluators)
            self._revision = write_if_unchanged(place, data, self._revision)
            return place
        tree = self._lens.as_new_file(settled, place.name, is_copy=self._document is not None)
        self._require_taken_by_system(place, tree)
        known: Revision | None = None
        if place.exists():
            old = EvalSetBuilder.from_file(place)
            data, known = self._over(old, tree), old._revision
        else:
            place.parent.mkdir(parents=True, exist_ok=True)
            data = JsonDocument.parse(b"{}\n").render(tree)
        write_evaluators(evaluators)
        write_if_unchanged(place, data, known)
        return place

    def _is_own(self, place: Path) -> bool:
        """Return whether a place is that of the file which the builder came from."""
        return self._path is not None and place.resolve() == self._path.resolve()

    def _over(self, old: EvalSetBuilder, tree: JsonValue) -> bytes:
        if old._format.id != self._format.id or old._document is None:
            raise FormatError(
                f"{old._path} is a set of another format ({old._format.label})",
                hint="Choose another file name.",
            )
        lens, known = self._lens, old._tree
        before = {lens.case_label(raw): raw for raw in lens.raw_cases(known)}
        cases = [
            kept_of(lens, raw, before.get(lens.case_label(raw))) for raw in lens.raw_cases(tree)
        ]
        tree = put(tree, lens.cases_pointer(tree), cases)
        for field in lens.set_fields:
            stays = field.read_only or field.name in ("created_at", "id")
            if stays and not (field.name == "id" and self._has_own_id):
                held = field.lens.get(known)
                tree = field.lens.put(tree, held, lens.style_at(tree, known))
        return self._rendered(old._document, tree)

    def _rendered(self, document: JsonDocument, tree: JsonValue) -> bytes:
        return document.render(tree, id_keys=self._lens.id_keys)

    def _require_taken_by_system(self, place: Path, tree: JsonValue) -> None:
        found = detect(tree, Path(*place.resolve().parts[-3:]))
        if found is None or found.format_id != self._format.id:
            kinds = (f.where for f in self._format.known_files if f.kind is Kind.EVAL_SET)
            raise FormatError(
                f"{self._format.system} would not take {str(place)!r} for one of its eval sets",
                hint=f"Choose a name and folder as it expects them: {'; '.join(kinds)}.",
            )

    def _free_id(self) -> str:
        taken = {self._lens.case_label(raw) for raw in self._lens.raw_cases(self._tree)}
        number = len(taken) + 1
        while f"case_{number}" in taken:
            number += 1
        return f"case_{number}"

    def _refuse_taken(self, label: str, tree: JsonValue) -> None:
        key = self._lens.join_key(label)
        for raw in self._lens.raw_cases(tree):
            held = self._lens.case_label(raw)
            if held is not None and self._lens.join_key(held) == key:
                raise FormatError(
                    f"There is already a case called {label!r}", hint="Give it another case_id."
                )


def filter_by_tags(eval_set: EvalSet, *tags: str) -> list[EvalCase]:
    """Return the cases of a set that have all of the tags; all of them where no tag is given."""
    wanted = set(tags)
    return [case for case in eval_set.cases if wanted <= set(case.tags)]
