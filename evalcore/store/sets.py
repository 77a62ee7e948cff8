"""What the eval set of a run says of its cases, and of the set itself, as a run keeps it."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from evalcore.errors import EvaldeskError
from evalcore.formats.base import Kind
from evalcore.jsontree import MISSING
from evalcore.model import EvalCase, Evaluator
from evalcore.results import CaseResult, Run
from evalcore.review.hashing import case_hash
from evalcore.scoring.choosing import choose_set
from evalcore.scoring.matching import CaseMatcher, name_of_result
from evalcore.store.manifest import SetFacts
from evalcore.store.rows import CaseFacts
from evalcore.workspace.entries import recognised

if TYPE_CHECKING:
    from evalcore.workspace import Entry, Workspace

HASH_LENGTH = 16
LARGEST_NEIGHBOUR = 100_000_000
"""Bytes from which a file beside a result is not looked at: it would be no eval set."""


class KnownSet:
    """An eval set of the workspace, as far as a run of it is concerned.

    Ask ``about`` for the results of one run in their order.
    """

    def __init__(self, workspace: Workspace, path: str) -> None:
        """Read the set; raises WorkspaceError or DocumentError where it cannot be read."""
        opened = workspace.open(path)
        if opened.format is None or opened.detection is None:
            raise EvaldeskError(f"{path} is no eval set")
        lens, value = opened.format.lens_for(opened.detection), opened.document.value
        raw = lens.raw_cases(value)
        header = lens.read_header(value)
        pointers = lens.case_pointers(value)
        read = [lens.read_case(case, at) for case, at in zip(raw, pointers, strict=True)]
        ids = [lens.case_id(case) for case in raw]
        contents = [case_hash(lens, case) for case in raw]
        hashed = sorted(zip((lens.join_key(name or "") for name in ids), contents, strict=True))
        self.facts = SetFacts(
            path=path,
            id=header.id,
            name=header.name,
            content=_digest(json.dumps(hashed)),
            cases=len(raw),
        )
        self._facts = [
            facts_of_case(case, content) for case, content in zip(read, contents, strict=True)
        ]
        names = [case.name for case in read]
        nobody = Run(format_id=header.format_id)
        self._matcher = CaseMatcher(nobody, ids, names.__getitem__, key=lens.join_key)
        self._seen: Counter[str] = Counter()

    def about(self, case: CaseResult) -> CaseFacts:
        """Return what the set says of the next result's case."""
        name = name_of_result(case)
        match = self._matcher.find(case, self._seen[name])
        self._seen[name] += 1
        return CaseFacts() if match is None else self._facts[match.place]

    def start_again(self) -> None:
        """Forget the results that were asked for: another run begins."""
        self._seen.clear()


def facts_of_case(case: EvalCase, content: str = "") -> CaseFacts:
    """Return what a case says that its results are sliced and compared by; with its hash."""
    metadata = case.metadata if isinstance(case.metadata, dict) else {}
    return CaseFacts(case.tags, metadata, case.id, content)


def set_of(run: Run, path: str, entries: Sequence[Entry]) -> str | None:
    """Return the path of the eval set that was run, None if it is not in the workspace.

    ``path`` is that of the result file. A set of the run's own format is preferred.
    """
    sets = [e for e in entries if e.kind is Kind.EVAL_SET and e.detection is not None]
    own = [e for e in sets if e.detection and e.detection.format_id == run.format_id]
    for group in (own, sets):
        chosen = choose_set(run, path, [(e.path, e.id, e.name) for e in group])
        if chosen is not None:
            return chosen
    return None


def sets_beside(workspace: Workspace, path: str, names: Iterable[str]) -> list[Entry]:
    """Return the files of a workspace that may be the eval sets of some ids or names.

    The result at ``path`` is not read. Files with none of the names in them are no candidates,
    which spares understanding all that happens to lie around.
    """
    wanted = _spellings(names)
    found = []
    for file in workspace.found() if wanted else ():
        is_small = file.stamp is not None and file.stamp.size < LARGEST_NEIGHBOUR
        if file.path == path or file.is_folder or not is_small:
            continue
        try:
            if _may_be(workspace, file.path, wanted):
                found.append(workspace.entry(file.path))
        except (OSError, ValueError, RecursionError, EvaldeskError):
            # No JSON, or none of ours; whatever of ours cannot be read is told by the Library.
            continue
    return found


def _spellings(names: Iterable[str]) -> frozenset[str]:
    """Return the names as they may stand in a JSON file, case-folded."""
    return frozenset(
        json.dumps(name, ensure_ascii=is_plain)[1:-1].casefold()
        for name in names
        if name
        for is_plain in (True, False)
    )


def _may_be(workspace: Workspace, path: str, wanted: frozenset[str]) -> bool:
    """Return whether a file is an eval set in which, or in whose path, any of the names is.

    Raises ValueError where it is no JSON. Checking all that lies around would cost far more.
    """
    data = workspace.read(path)
    text = data.decode("utf-8", "replace").replace("\\/", "/").casefold()
    if not any(name in text or name in path.casefold() for name in wanted):
        return False
    detection = recognised(json.loads(data), workspace.seen_as(path))
    return detection is not None and detection.kind is Kind.EVAL_SET


def evaluator_hashes(evaluators: Iterable[Evaluator]) -> dict[str, str]:
    """Return a hash of each evaluator's configuration by its ref."""
    return {evaluator.ref: _evaluator_hash(evaluator) for evaluator in evaluators}


def _evaluator_hash(evaluator: Evaluator) -> str:
    if evaluator.config is not MISSING:
        return _digest(json.dumps([evaluator.config, evaluator.threshold], sort_keys=True))
    held = evaluator.model_dump(exclude={"origin", "config"})
    return _digest(json.dumps(held, sort_keys=True, default=str))


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(data).hexdigest()[:HASH_LENGTH]
