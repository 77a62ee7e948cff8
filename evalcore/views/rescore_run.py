"""A run of the store held whole to be scored again, and what that came to kept as a run."""

from __future__ import annotations

from dataclasses import dataclass

from evalcore.errors import EvaldeskError
from evalcore.jsontree import MISSING
from evalcore.results import Run
from evalcore.scoring import score
from evalcore.store import RunStore, SetFacts, StoredRun
from evalcore.store.documents import revived
from evalcore.store.importing import Imported, record_scored
from evalcore.store.sets import KnownSet
from evalcore.store.writer import About, no_facts
from evalcore.views.rescore_board import Board, Scored
from evalcore.workspace import Workspace

MOST = 50_000
"""The most case results that are held whole in memory to be scored again."""


@dataclass(frozen=True, slots=True)
class Saving:
    """Where a scoring is kept and what it is called.

    ``source`` is the path of what was scored. ``is_drafted`` says that its expectations are those
    of an unsaved draft, so that they are those of no set that anybody else has.
    """

    store: RunStore
    workspace: Workspace
    name: str
    source: str
    set_path: str
    is_drafted: bool = False


def whole_run(stored: StoredRun) -> Run:
    """Return a stored run as it was read; raises EvaldeskError for one that is too large."""
    manifest = stored.manifest
    if manifest.cases.total > MOST:
        raise EvaldeskError(
            f"This run has {manifest.cases.total:,} results; up to {MOST:,} are scored again here",
            hint="evaldesk score scores a run of any size.",
        )
    return Run(
        format_id=manifest.format_id,
        name=manifest.name,
        eval_set_id=manifest.eval_set.id,
        eval_set_name=manifest.eval_set.name,
        created_at=manifest.started_at,
        stored_status=manifest.stored_status,
        error=manifest.error,
        cases=tuple(stored.cases(range(manifest.cases.total))),
        dataset_scores=tuple(revived(found) for found in manifest.dataset_scores),
        has_pass_rule=manifest.has_pass_rule,
        metadata=MISSING if manifest.metadata is None else manifest.metadata,
    )


def save_scored(board: Board, scored: Scored, how: Saving) -> Imported:
    """Keep a scoring as a run of its own; the same scores of the same outputs are the same run."""
    material = board.material
    run = score(material.run, scored.eval_set, scored.checks, scored.scoring, board.memory)
    facts = SetFacts(id=run.eval_set_id, name=run.eval_set_name)
    about: About = no_facts
    if how.set_path:
        known = KnownSet(how.workspace, how.set_path)
        facts, about = known.facts, known.about
    if how.is_drafted:
        facts = facts.model_copy(update={"content": ""})
    return record_scored(
        how.store,
        run,
        scored.checks,
        source=how.source,
        eval_set=facts,
        about=about,
        pass_mark=material.mark,
        name=how.name,
    )
