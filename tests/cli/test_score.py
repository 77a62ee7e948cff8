import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evalcore.cli import main
from evalcore.scoring import sidecar_path
from tests.samples import SAMPLES

Capture = pytest.CaptureFixture[str]
ADK = SAMPLES / "adk" / "refund_desk"
CLAIMS = SAMPLES / "uipath_coded" / "claims_intake"
LOANS = SAMPLES / "harnest" / "library_helper"


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A project of two cases with computed checks only."""
    folder = tmp_path / "desk"
    folder.mkdir()
    cases = [_case("greets", "Hello there"), _case("books", "Done", "book", {"seat": "14A"})]
    _write(folder / "desk.evalset.json", {"eval_set_id": "desk", "eval_cases": cases})
    criteria = {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.5}
    _write(folder / "test_config.json", {"criteria": criteria})
    return folder


def _case(name: str, reply: str, tool: str = "", args: Any = None) -> dict[str, Any]:
    uses = [{"name": tool, "args": args}] if tool else []
    turn = {
        "user_content": {"parts": [{"text": "hi"}], "role": "user"},
        "final_response": {"parts": [{"text": reply}], "role": "model"},
        "intermediate_data": {"tool_uses": uses},
    }
    return {"eval_id": name, "conversation": [turn]}


def _write(path: Path, value: Any) -> Path:
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def outputs(folder: Path, *lines: Any) -> str:
    path = folder / "outputs.jsonl"
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text(text, encoding="utf-8")
    return str(path)


GREETS = {"case_id": "greets", "output": "Hello there", "tool_calls": []}
BOOKS = {
    "case_id": "books",
    "output": "Done",
    "tool_calls": [{"name": "book", "args": {"seat": "14A"}}],
}


def score(desk: Path, *argv: str) -> int:
    return main(["score", str(desk / "desk.evalset.json"), "--outputs", *argv])


def score_json(capsys: Capture, *argv: str) -> tuple[int, Any]:
    code = main(["score", *argv, "--output", "json"])
    return code, json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(name))


class TestExitCode:
    def test_all_passed_is_0(self, desk: Path, capsys: Capture):
        assert score(desk, outputs(desk, GREETS, BOOKS)) == 0
        out = capsys.readouterr().out.splitlines()
        assert out[-1] == "2 results: 2 passed"
        assert "  Tool calls: 2 of 2 scored, mean 1; 2 passed, 0 failed" in out

    @pytest.mark.parametrize(
        "lines",
        [
            [GREETS, {**BOOKS, "tool_calls": []}],
            [GREETS, {**BOOKS, "error": "timeout"}],
            [GREETS],
            [{"case_id": "greets"}, {"case_id": "books"}],
            [GREETS, BOOKS, "{broken"],
        ],
        ids=["failed", "error", "not run", "nothing evaluated", "broken line"],
    )
    def test_anything_less_is_1(self, desk: Path, capsys: Capture, lines: list[Any]):
        assert score(desk, outputs(desk, *lines)) == 1
        assert capsys.readouterr().err == ""

    @pytest.mark.parametrize(
        ("argv", "words"),
        [
            (["gone.jsonl"], "gone.jsonl"),
            (["FILE", "--evaluators", "nope"], "No check of this set is called 'nope'"),
            (["FILE", "--threshold", "nope=1"], "No check of this set is called 'nope'"),
            (["FILE", "--threshold", "0.5"], "is no NAME=NUMBER"),
            (["FILE", "--trajectory", "strict"], "has no trajectory policies"),
            (["FILE", "--config", "SET"], "configures no evaluators"),
            (["FILE", "--preset", "quick_check"], "Google ADK has no presets"),
        ],
    )
    def test_unusable_input_is_2(self, desk: Path, capsys: Capture, argv: list[str], words: str):
        names = {"FILE": outputs(desk, GREETS), "SET": str(desk / "desk.evalset.json")}
        assert score(desk, *(names.get(word, word) for word in argv)) == 2
        assert words in capsys.readouterr().err

    @pytest.mark.parametrize("content", ["", "[1, 2]", '{"a": 1}', "not json"])
    def test_a_file_without_outputs_is_2(self, desk: Path, capsys: Capture, content: str):
        for name in ("o.jsonl", "o.json"):
            path = desk / name
            path.write_text(content, encoding="utf-8")
            assert score(desk, str(path)) == 2
            assert name in capsys.readouterr().err

    def test_a_set_that_is_none_and_a_run_of_another_set_are_2(self, desk: Path, capsys: Capture):
        file = outputs(desk, GREETS)
        assert main(["score", str(desk / "test_config.json"), "--outputs", file]) == 2
        assert "is no eval set" in capsys.readouterr().err
        other = next((ADK / ".adk" / "eval_history").glob("*.json"))
        assert score(desk, str(other)) == 2
        assert "0 runs of desk" in capsys.readouterr().err

    def test_a_pass_mark_outside_0_to_1_is_2(self, desk: Path):
        with pytest.raises(SystemExit) as stopped:
            score(desk, outputs(desk, GREETS), "--pass-mark", "80")
        assert stopped.value.code == 2


class TestChoices:
    def test_a_threshold_and_a_selection_decide(self, desk: Path, capsys: Capture):
        half = outputs(desk, {**GREETS, "output": "Hello my old friend"}, BOOKS)
        assert score(desk, half) == 1
        assert score(desk, half, "--threshold", "response_match_score=0.1") == 0
        capsys.readouterr()
        assert score(desk, half, "--evaluators", "tool_trajectory_avg_score") == 0
        assert "Reply in the same words" not in capsys.readouterr().out

    def test_another_config_takes_the_place_of_the_projects(self, desk: Path, capsys: Capture):
        criteria = {"criteria": {"response_match_score": 0.5}}
        config = str(_write(desk / "eval_config.json", criteria))
        code, found = score_json(
            capsys,
            str(desk / "desk.evalset.json"),
            "--outputs",
            outputs(desk, GREETS, {**BOOKS, "tool_calls": []}),
            "--config",
            config,
        )
        assert code == 0
        assert [c["ref"] for c in found["checks"] if not c.get("informational")] == [
            "response_match_score"
        ]

    def test_a_config_that_checks_nothing_is_no_pass(self, desk: Path, capsys: Capture):
        _write(desk / "test_config.json", {"criteria": {}})
        assert score(desk, outputs(desk, GREETS, BOOKS)) == 2
        assert "Nothing would be checked" in capsys.readouterr().err

    def test_without_a_config_the_defaults_apply_and_that_is_said(
        self, desk: Path, capsys: Capture
    ):
        (desk / "test_config.json").unlink()
        assert score(desk, outputs(desk, GREETS, BOOKS)) == 0
        assert "checks from the defaults of Google ADK" in capsys.readouterr().out

    def test_defaults_with_a_judge_are_scored_without_it(self, tmp_path: Path, capsys: Capture):
        said = {"role": "assistant", "content": "Hello"}
        turn = {"user_content": {"role": "user", "content": "hi"}, "expected_final_response": said}
        cases = [{"eval_id": name, "conversation": [turn]} for name in ("a", "b")]
        trips = _write(tmp_path / "t.evalset.json", {"eval_set_id": "t", "eval_cases": cases})
        quiet = {"output": "Hello", "tool_calls": []}
        loud = {"output": "Hello", "tool_calls": [{"name": "book"}]}
        file = outputs(tmp_path, {"case_id": "a", **quiet}, {"case_id": "b", **loud})
        assert main(["score", str(trips), "--outputs", file]) == 1
        out = capsys.readouterr().out.splitlines()
        assert out[0].endswith("checks from the defaults of 10xGraph")
        assert "  Response match: 0 of 2 scored; 2 not evaluated (a, b)" in out
        assert "  Response match: needs a judge, which was not asked." in out
        assert "Judges were not asked; --judge would ask 6 questions, at most." in out
        assert "10xGraph: 0 of 2 cases passed (0%), 0 crashed." in out
        assert "1 case hangs on checks that were not run here." in out

    def test_presets_of_10xgraph_are_combined(self, tmp_path: Path, capsys: Capture):
        said = {"role": "assistant", "content": "Hello you"}
        turn = {"user_content": {"role": "user", "content": "hi"}, "expected_final_response": said}
        case = {"eval_id": "a", "conversation": [turn]}
        trips = _write(tmp_path / "t.evalset.json", {"eval_set_id": "t", "eval_cases": [case]})
        file = outputs(tmp_path, {"case_id": "a", "output": "Hello", "tool_calls": []})
        argv = [str(trips), "--outputs", file, "--preset", "quick_check", "--preset", "tool_usage"]
        code, found = score_json(capsys, *argv)
        assert (code, found["checks_from"]) == (0, "the presets quick_check, tool_usage")
        marks = {check["ref"]: check["threshold"] for check in found["checks"]}
        assert marks == {
            "tool_name_match_score": 1.0,
            "tool_trajectory_avg_score": 1.0,
            "rouge_match": 0.5,
        }
        assert main(["score", *argv[:3], "--preset", "nope"]) == 2
        assert "10xGraph has no preset 'nope'" in capsys.readouterr().err
        _, later = score_json(capsys, *argv[:3], "--preset", "default", "--preset", "relaxed")
        assert {c["ref"]: c["threshold"] for c in later["checks"]}["response_match_score"] == 0.6

    def test_old_names_of_criteria_are_read_as_what_they_are_now(
        self, tmp_path: Path, capsys: Capture
    ):
        said = {"role": "assistant", "content": "Hello"}
        turn = {"user_content": {"role": "user", "content": "hi"}, "expected_final_response": said}
        case = {"eval_id": "a", "conversation": [turn]}
        trips = _write(tmp_path / "t.evalset.json", {"eval_set_id": "t", "eval_cases": [case]})
        old = {"tool_trajectory_avg_score": {"match_type": "IN_ORDER"}, "rouge_match": {}}
        config = _write(tmp_path / "eval_config.json", {"criteria": old})
        file = outputs(tmp_path, {"case_id": "a", "output": "Hello", "tool_calls": [{"name": "f"}]})
        argv = [str(trips), "--outputs", file, "--config", str(config)]
        code, found = score_json(capsys, *argv)
        assert code == 0
        assert [(c["kind"], c["threshold"]) for c in found["checks"]] == [
            ("tenxgraph.trajectory", 0.8),
            ("tenxgraph.rouge_match", 0.8),
        ]
        assert main(["check", str(config)]) == 1
        assert "tool_trajectory_avg_score" in capsys.readouterr().out

    def test_a_broken_evaluator_file_is_never_left_out(self, desk: Path, capsys: Capture):
        (desk / "test_config.json").write_text('{"criteria": {', encoding="utf-8")
        assert score(desk, outputs(desk, GREETS, BOOKS)) == 2
        assert "desk/test_config.json: " in capsys.readouterr().err

    def test_own_checks_beside_the_set_count(self, desk: Path, capsys: Capture):
        check = {"name": "says bye", "kind": "evaldesk.regex", "params": {"pattern": "bye"}}
        beside = sidecar_path("desk.evalset.json", "adk")
        _write(desk / beside, {"evaldesk": 1, "checks": [check]})
        assert score(desk, outputs(desk, GREETS, BOOKS)) == 1
        out = capsys.readouterr().out
        assert "says bye: 2 of 2 scored, mean 0; 0 passed, 2 failed" in out
        assert "Google ADK would not say so" in out
        assert main(["check", str(desk)]) == 0

    def test_uipath_passes_by_the_mark(self, capsys: Capture):
        claims = str(CLAIMS / "evaluations" / "eval-sets" / "claims.json")
        argv = [claims, "--outputs", str(CLAIMS / "claims-output.json"), "--pass-mark", "0.3"]
        _, found = score_json(capsys, *argv, "--threshold", "PayoutEvaluator=0.5")
        assert found["pass_mark"] == 0.3
        fourth = next(c for c in found["cases"] if c["case_id"] == "test-4-too-expensive")
        verdicts = {s["evaluator"]: s["verdict"] for s in fourth["turns"][0]["scores"]}
        assert verdicts["ToolOrderEvaluator"] == "passed"
        assert verdicts["PayoutEvaluator"] == "failed"

    def test_harnest_takes_a_policy(self, tmp_path: Path, capsys: Capture):
        folder = tmp_path / "evals"
        folder.mkdir()
        cases = [_case("books", "Done", "book", {"seat": "14A"})]
        loans = _write(folder / "x.evalset.json", {"eval_set_id": "x", "eval_cases": cases})
        _write(folder / "test_config.json", {"criteria": {"tool_trajectory_avg_score": 1.0}})
        more = {**BOOKS, "tool_calls": [{"name": "look"}, *BOOKS["tool_calls"]]}
        argv = [str(loans), "--outputs", outputs(tmp_path, more)]
        found = {
            policy: score_json(capsys, *argv, "--trajectory", policy)[0]
            for policy in ("business", "strict")
        }
        assert found == {"business": 0, "strict": 1}

    def test_harnest_tells_its_own_exit_code(self, capsys: Capture):
        loans = str(LOANS / "evals" / "loans.evalset.json")
        file = str(LOANS / "results" / "eval-run.json")
        _, found = score_json(capsys, loans, "--outputs", file)
        assert found["their_exit_code"] == 1
        assert found["theirs"][0] == "The result file says failed."


class TestReports:
    def test_a_result_file_is_compared_with_what_it_stored(self, capsys: Capture):
        (file,) = (ADK / ".adk" / "eval_history").glob("*.json")
        argv = [str(ADK / "refunds.evalset.json"), "--outputs", str(file)]
        assert main(["score", *argv]) == 1
        out = capsys.readouterr().out
        assert "All scores computed here are those that the file has." in out
        assert "Judges were not asked; --judge would ask " in out
        code, found = score_json(capsys, *argv)
        assert (code, found["differences"], found["verdict"]) == (1, [], "error")
        assert found["judge_calls"]["total"] == sum(found["judge_calls"]["by_check"].values()) > 0
        assert found["judged"] is False

    def test_an_edited_expectation_is_told_as_such(self, tmp_path: Path, capsys: Capture):
        copy = tmp_path / "refund_desk"
        shutil.copytree(ADK, copy)
        path = copy / "refunds.evalset.json"
        value = json.loads(path.read_text(encoding="utf-8"))
        for case in value["eval_cases"]:
            if case["eval_id"] == "refund_already_made":
                case["conversation"][0]["final_response"]["parts"][0]["text"] = "No."
        _write(path, value)
        (file,) = (copy / ".adk" / "eval_history").glob("*.json")
        _, found = score_json(capsys, str(path), "--outputs", str(file))
        differing = {(d["case"], d["evaluator"]) for d in found["differences"]}
        assert ("refund_already_made", "response_match_score") in differing
        assert {case for case, _ in differing} == {"refund_already_made"}
        assert all("expects another reply today" in d["explanation"] for d in found["differences"])

    def test_the_json_has_the_documented_members(self, desk: Path, capsys: Capture):
        code, found = score_json(
            capsys, str(desk / "desk.evalset.json"), "--outputs", outputs(desk, GREETS, "{")
        )
        assert code == 1
        assert set(found) == {
            "set",
            "outputs",
            "format",
            "verdict",
            "theirs",
            "their_exit_code",
            "pass_mark",
            "checks_from",
            "checks",
            "cases",
            "dataset_scores",
            "differences",
            "judge_calls",
            "judged",
            "judge_use",
            "problems",
        }
        assert [case["verdict"] for case in found["cases"]] == ["passed", "not_evaluated"]
        assert found["problems"][0]["line"] == 2
        trajectory = found["checks"][0]
        assert (trajectory["scored"], trajectory["total"]) == (1, 2)
        assert trajectory["not_evaluated"] == ["books"]

    def test_a_caution_stands_below_the_score_that_it_is_about(self, capsys: Capture):
        path = LOANS / "evals" / "loans.evalset.json"
        main(["score", str(path), "--outputs", str(LOANS / "results" / "eval-run.json")])
        lines = capsys.readouterr().out.splitlines()
        at = lines.index("    no_invented_shelfmark: 0.666667 failed.")
        assert lines[at + 1].startswith("      Caution: Not computed here")

    def test_text_of_an_output_cannot_steer_the_terminal(self, desk: Path, capsys: Capture):
        nasty = {**BOOKS, "tool_calls": [{"name": "\x1b[2Jbook", "args": {}}], "case_id": "books"}
        assert score(desk, outputs(desk, GREETS, nasty)) == 1
        assert "\x1b" not in capsys.readouterr().out

    def test_the_judge_is_announced_before_it_is_asked(
        self, desk: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
    ):
        criteria = {"response_match_score": 0.5, "final_response_match_v2": 0.5}
        _write(desk / "test_config.json", {"criteria": criteria})
        for name, value in {
            "BASE_URL": "http://127.0.0.1:1/v1",
            "API_KEY": "x",
            "TRIES": "1",
            "CACHE": "off",
        }.items():
            monkeypatch.setenv(f"EVALDESK_JUDGE_{name}", value)
        assert score(desk, outputs(desk, GREETS, BOOKS), "--judge") == 1
        seen = capsys.readouterr()
        assert seen.err == "evaldesk: 10 questions to the judge, at most\n"
        assert "Reply means the same: 0 of 2 scored; 2 errors (greets, books)" in seen.out
