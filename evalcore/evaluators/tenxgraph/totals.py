"""What 10xGraph makes of the scores of a case and of the cases of a run, and what they come to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from evalcore.evaluators.measures.sums import mean, summed
from evalcore.formats.tenxgraph.report_facts import as_flag, as_number, as_text, stored_status
from evalcore.jsontree import JsonObject, JsonValue
from evalcore.results import Score, Verdict

COUNTS = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens")


class CaseVerdict(NamedTuple):
    """What a case comes to; ``theirs`` is what 10xGraph calls it: passed, or failed.

    ``caution`` says why the two differ, "" where they do not.
    """

    verdict: Verdict
    theirs: str
    caution: str = ""


def case_verdict(scores: Sequence[Score]) -> CaseVerdict:
    """Return the verdict of a case from its scores: all must pass.

    Scores that are not evaluated decide nothing, so a case with no other ones is not evaluated.
    An error without a failure beside it is an error.
    """
    verdicts = {score.verdict for score in scores}
    theirs = "passed" if all(map(passes, scores)) else "failed"
    if Verdict.FAILED in verdicts:
        return CaseVerdict(Verdict.FAILED, theirs)
    if Verdict.ERROR in verdicts:
        return CaseVerdict(
            Verdict.ERROR, theirs, "10xGraph counts a criterion that cannot run as failed with 0."
        )
    if Verdict.PASSED not in verdicts:
        what = "no criterion judged anything" if scores else "there is no criterion"
        return CaseVerdict(
            Verdict.NOT_EVALUATED, theirs, f"10xGraph calls this case {theirs}, but {what}."
        )
    skipped = sum(score.verdict is not Verdict.PASSED for score in scores)
    caution = f"{skipped} of {len(scores)} criteria judged nothing." if skipped else ""
    return CaseVerdict(Verdict.PASSED, theirs, caution)


def passes(score: Score) -> bool:
    """Return whether 10xGraph calls a score passed; it compares numbers whatever they mean."""
    if score.verdict is Verdict.ERROR or score.native is None:
        return False
    return score.threshold is not None and score.native >= score.threshold


def summary(results: Sequence[JsonObject]) -> JsonObject:
    """Return the summary that 10xGraph writes for the case results of a report.

    It counts as the package does: cases that crashed have no scores in it, one that is passed and
    crashed counts as both, and cases that share an id share one count of tokens, that of the last.
    """
    total = len(results)
    passed = sum(as_flag(case.get("passed")) is True for case in results)
    errors = sum(stored_status(case) == "error" for case in results)
    seconds = summed(_number(case.get("duration_seconds")) for case in results)
    tokens = [_tokens(case) for case in results]
    all_tokens = {name: sum(counts[name] for counts in tokens) for name in COUNTS}
    every = all_tokens["input_tokens"] + all_tokens["output_tokens"]
    ids = [as_text(case.get("eval_id")) for case in results]
    return {
        "total_cases": total,
        "passed_cases": passed,
        "failed_cases": total - passed - errors,
        "error_cases": errors,
        "pass_rate": passed / total if total else 0.0,
        "avg_duration_seconds": seconds / total if total else 0.0,
        "total_duration_seconds": seconds,
        "criterion_stats": criterion_stats(results),
        "total_token_usage": _with_total(all_tokens),
        "per_case_token_usage": {
            case_id: _with_total(counts) for case_id, counts in zip(ids, tokens, strict=True)
        },
        "avg_tokens_per_case": every / total if total else 0.0,
    }


def criterion_stats(results: Iterable[JsonObject]) -> JsonObject:
    """Return counts and the plain mean of each criterion, in the order of their first scores."""
    found: dict[str, list[JsonObject]] = {}
    for case in results:
        for score in _scores(case):
            found.setdefault(as_text(score.get("criterion")), []).append(score)
    return {name: _stats(scores) for name, scores in found.items()}


def report_passes(totals: JsonObject) -> bool:
    """Return whether 10xGraph calls a report passed: every case, and at least one."""
    return totals["pass_rate"] == 1.0


def _stats(scores: Sequence[JsonObject]) -> JsonObject:
    total, passed = len(scores), sum(score.get("passed") is True for score in scores)
    return {
        "total": total,
        "passed": passed,
        "failed": total - passed,
        "avg_score": mean(_number(score.get("score")) for score in scores),
        "pass_rate": passed / total,
    }


def _scores(case: JsonObject) -> Iterable[JsonObject]:
    found = case.get("criterion_results")
    return [s for s in (found if isinstance(found, list) else ()) if isinstance(s, dict)]


def _tokens(case: JsonObject) -> dict[str, int]:
    found: Any = case.get("token_usage")
    usage = found if isinstance(found, dict) else {}
    return {name: int(_number(usage.get(name))) for name in COUNTS}


def _with_total(counts: dict[str, int]) -> JsonObject:
    return {**counts, "total_tokens": counts["input_tokens"] + counts["output_tokens"]}


def _number(value: JsonValue) -> float:
    return as_number(value) or 0.0
