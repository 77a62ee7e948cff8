"""ADK's vectors: invocations and criteria, judges' texts and votes, and what the package said."""

import json
from typing import Any

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators.adk.criteria import evaluator_of
from evalcore.evaluators.adk.judged import supported_share
from evalcore.evaluators.adk.parsing import (
    normalised,
    reply_label,
    rubric_answers,
    sentence_labels,
    simulator_label,
)
from evalcore.evaluators.adk.verdicts import adk_status, case_verdict
from evalcore.evaluators.adk.votes import (
    RubricVerdict,
    majority,
    pooled,
    rubric_mean,
    rubric_means,
    rubric_votes,
)
from evalcore.evaluators.base import Evaluator, Outcome, Sample, Turn
from evalcore.evaluators.measures.rouge import adk_rouge1, adk_tokens
from evalcore.formats.adk.evalset import read_invocation
from evalcore.formats.adk.results import read_turn
from evalcore.jsontree import MISSING
from evalcore.judges import JudgeReply, JudgeRequest
from evalcore.model import EvalCase, Scenario
from evalcore.model import Evaluator as Criterion
from evalcore.results import Score, Verdict
from tests.conformance.report import Check, Mismatch, Row, same

SYSTEM = "adk"
LABELS = {1.0: "VALID", 0.0: "INVALID", None: "NOT_FOUND"}
DETAILS = {"token_details": "token_usage_details", "duration_details": "duration_details"}
RUBRIC_METRIC = "rubric_based_final_response_quality_v1"


class Strict:
    """A judge that finds every rubric fulfilled but those that say they must fail."""

    def ask(self, request: JudgeRequest) -> JudgeReply:
        blocks = []
        for rubric in json.loads(request.messages[-1].content)["rubrics"]:
            verdict = "no" if "must fail" in rubric["property"] else "yes"
            blocks.append(
                f"ID: {rubric['id']}\nProperty: {rubric['property']}\n"
                f"Rationale: because\nVerdict: {verdict}\n"
            )
        return JudgeReply(text="\n".join(blocks))


def recognises(file: Row) -> bool:
    versions = file.get("versions")
    return isinstance(versions, dict) and "google_adk" in versions


def vectors(row: Row) -> None:
    expected = row["result"]
    try:
        found = _evaluator(row["metric"], row["criterion"]).evaluate(_sample(row))
    except EvaldeskError as error:
        if "error" not in expected:
            raise Mismatch(f"refused: {error}") from error
        return
    if "error" in expected:
        raise Mismatch(f"scored {found.overall.native}, and should be refused")
    _compare(found, expected)
    for name, ours in DETAILS.items():
        if name in expected:
            details: Any = found.overall.details
            same(name, details[ours], expected[name])
    if "tokens" in row:
        _compare_tokens(row)


def case_status(row: Row) -> None:
    scores = [_with_status(status) for status in row["metric_statuses"]]
    same("case_status", case_verdict(scores).value.upper(), row["case_status"])


def reply_parse(row: Row) -> None:
    same("label", LABELS[reply_label(row["judge_text"])], row["label"])


def reply_vote(row: Row) -> None:
    score = majority(row["samples"])
    same("score", score, row["score"])
    same("status", _status(score, row.get("threshold", 0.5)), row["status"])


def reply_overall(row: Row) -> None:
    known = [score for score in row["turn_scores"] if score is not None]
    score = sum(known) / len(known) if known else None
    same("overall_score", score, row["overall_score"])
    same("overall_status", _status(score, row["threshold"]), row["overall_status"])


def simulator_parse(row: Row) -> None:
    same("label", LABELS[simulator_label(row["judge_text"])], row["label"])


def rubric_parse(row: Row) -> None:
    same("parsed", [a._asdict() for a in rubric_answers(row["judge_text"])], row["parsed"])


def rubric_vote(row: Row) -> None:
    found = rubric_votes([_verdicts(sample) for sample in row["samples"]])
    same("rubrics", {v.rubric_id: v.score for v in found}, row["rubrics"])
    same("score", rubric_mean(found), row["score"])
    same("status", _status(rubric_mean(found), row["threshold"]), row["status"])


def rubric_overall(row: Row) -> None:
    turns = [_verdicts(turn) for turn in row["turns"]]
    same("overall_score", pooled(turns), row["overall_score"])
    same("overall_status", _status(pooled(turns), row["threshold"]), row["overall_status"])
    same("overall_rubrics", rubric_means(turns), row["overall_rubrics"])


def rubric_normalize(row: Row) -> None:
    same("out", normalised(row["in"]), row["out"])


def hallucinations_parse(row: Row) -> None:
    labels = sentence_labels(row["judge_text"])
    same("labels", [label.label for label in labels], row["labels"])
    same("score", supported_share(labels), row["score"])


def rubric_scoping(row: Row) -> None:
    expected = row["result"]
    criterion = {"threshold": row.get("threshold", 0.5), "rubrics": row["criterion_rubrics"]}
    turns = [
        {"user_content": {"parts": [{"text": "q"}]}, "rubrics": rubrics}
        for rubrics in row["turn_rubrics"]
    ]
    evaluator = _evaluator(RUBRIC_METRIC, criterion)
    try:
        found = evaluator.evaluate(_sample({"expected": turns, "actual": turns}))
    except EvaldeskError as error:
        if "error" not in expected:
            raise Mismatch(f"refused: {error}") from error
        return
    if "error" in expected:
        raise Mismatch(f"scored {found.overall.native}, and should be refused")
    _compare(found, expected)
    rubrics = [_rubrics(turn) for turn in found.turns]
    same("rubrics", rubrics, [turn["rubrics"] for turn in expected["per_turn"]])


SECTIONS: dict[str, Check] = {
    "vectors": vectors,
    "case_status": case_status,
    "final_response_match_v2_parse": reply_parse,
    "final_response_match_v2_vote": reply_vote,
    "final_response_match_v2_overall": reply_overall,
    "per_turn_user_simulator_parse": simulator_parse,
    "rubric_parse": rubric_parse,
    "rubric_vote": rubric_vote,
    "rubric_overall": rubric_overall,
    "rubric_normalize": rubric_normalize,
    "hallucinations_parse": hallucinations_parse,
    "rubric_scoping_with_fake_judge": rubric_scoping,
}


def _evaluator(metric: str, criterion: Any) -> Evaluator:
    if criterion is None and metric.endswith(("count_v1", "usage_v1", "duration_v1")):
        return build(f"adk.{metric}", {}, metric)
    model = Criterion(ref=metric, name=metric, native_type=metric, config=criterion)
    return evaluator_of(model, Strict())


def _sample(row: Row) -> Sample:
    """Return a case with these turns; one without expected turns has a simulated user."""
    wanted = row["expected"]
    case = EvalCase(
        origin="",
        invocations=tuple(read_invocation(turn, "") for turn in wanted or ()),
        scenario=Scenario(starting_prompt="", plan="") if wanted is None else None,
    )
    turns = []
    for index, raw in enumerate(row["actual"]):
        expected = case.invocations[index] if index < len(case.invocations) else None
        turns.append(
            Turn(expected=expected, actual=read_turn({"actual_invocation": raw}, "", index))
        )
    return Sample(case=case, turns=tuple(turns))


def _compare(found: Outcome, expected: Row) -> None:
    same("overall_score", found.overall.native, expected["overall_score"])
    same("overall_status", adk_status(found.overall), expected["overall_status"])
    same(
        "per_turn",
        [{"score": turn.native, "status": adk_status(turn)} for turn in found.turns],
        [{"score": t["score"], "status": t["status"]} for t in expected["per_turn"]],
    )


def _compare_tokens(row: Row) -> None:
    for place, turn in enumerate(row["tokens"]):
        expected, actual = (_reply(row[side][place]) for side in ("expected", "actual"))
        found = adk_rouge1(expected, actual)
        ours = {
            "expected": adk_tokens(expected),
            "actual": adk_tokens(actual),
            "precision": found.precision,
            "recall": found.recall,
            "fmeasure": found.f1,
        }
        for name, value in turn.items():
            same(f"{name} of turn {place}", ours[name], value)


def _reply(raw: Row) -> str:
    output = read_invocation(raw, "").expected_output
    return output if isinstance(output, str) else ""


def _rubrics(turn: Score) -> Row:
    details: Any = {} if turn.details is MISSING else turn.details
    return {rubric["rubric_id"]: rubric["score"] for rubric in details.get("rubric_scores", ())}


def _verdicts(scores: Row) -> list[RubricVerdict]:
    return [RubricVerdict(rubric_id, score) for rubric_id, score in scores.items()]


def _status(score: float | None, threshold: float) -> str:
    return "NOT_EVALUATED" if score is None else "PASSED" if score >= threshold else "FAILED"


def _with_status(status: str) -> Score:
    if status == "INFORMATIONAL":
        return Score(evaluator="m", informational=True)
    return Score(evaluator="m", verdict=Verdict(status.lower()))
