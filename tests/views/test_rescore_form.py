"""The form of any check: what is offered, and what may be typed."""

import json

import pytest

from evalcore.errors import EvaldeskError
from evalcore.evaluators import build
from evalcore.evaluators import kinds as all_kinds
from evalcore.jsondoc import JsonDocument
from evalcore.scoring import Check, Project, read_checks
from evalcore.views import rescore_own
from evalcore.views.rescore import MARK, Plan, Trial, adjusted, checks_for_plan
from evalcore.views.rescore_form import (
    STARTS,
    ParamField,
    fields_of,
    fresh_name,
    own_kinds,
    params_of,
    parse,
    rail_of,
)
from evalcore.workspace import Workspace
from tests.scoring import builders
from tests.views.rescored import material


def check_of(kind, **config):
    return Check("x", "x", build(kind, config, "x"))


@pytest.mark.parametrize(
    ("kind", "config", "shapes"),
    [
        (
            "adk.tool_trajectory_avg_score",
            {"threshold": 1.0},
            [("match_type", "choice", "EXACT"), ("ignore_args", "flag", False)],
        ),
        ("adk.response_match_score", {"threshold": 1.0}, []),
        ("tenxgraph.contains_keywords", {"keywords": ["a"]}, [("keywords", "list", ["a"])]),
        (
            "uipath-tool-call-args",
            {"strict": True},
            [("strict", "flag", True), ("subset", "flag", False)],
        ),
        (
            "evaldesk.number",
            {"value": 2},
            [
                ("turns", "choice", "each"),
                ("path", "text", "$"),
                ("value", "number", 2.0),
                ("absolute", "number", 0.0),
                ("relative", "number", 0.0),
                ("decimal", "choice", "."),
            ],
        ),
    ],
)
def test_a_form_shows_each_parameter_in_the_way_of_its_type(kind, config, shapes):
    fields = fields_of(check_of(kind, **config), Plan(), material("adk"))
    assert [(f.name, f.kind, f.filed) for f in fields] == shapes


@pytest.mark.parametrize("kind", sorted(all_kinds()))
def test_every_kind_has_a_form_with_titles(kind):
    needed = {
        "uipath-binary-classification": {"positiveClass": "a"},
        "uipath-multiclass-classification": {"classes": ["a", "b"]},
        "uipath.legacy_csv_columns": {"targetSubOutputKey": "a"},
        "uipath.legacy_llm_judge": {"prompt": "p"},
        "uipath.legacy_trajectory_judge": {
            "prompt": "{{ExpectedAgentBehavior}} {{AgentRunHistory}}"
        },
    }
    config = needed.get(kind, STARTS.get(kind, {}))
    fields = fields_of(check_of(kind, **config), Plan(), material("adk"))
    assert all(field.title and not field.is_changed for field in fields)
    assert MARK not in {field.name for field in fields}


def test_what_harnests_policy_decides_is_not_offered():
    of = material("harnest")
    check = next(c for c in checks_for_plan(of, Plan()) if c.ref == "tool_trajectory_avg_score")
    assert fields_of(check, Plan(), of) == ()


def field(kind, **more):
    return ParamField("f", "Field", "", kind, None, None, **more)


@pytest.mark.parametrize(
    ("kind", "typed", "value"),
    [
        ("number", "0.5", 0.5),
        ("number", "0,5", 0.5),
        ("whole", " 12 ", 12),
        ("json", "12", 12),
        ("json", "twelve", "twelve"),
        ("text", "12", "12"),
        ("list", ["a", "b"], ["a", "b"]),
        ("flag", True, True),
    ],
)
def test_what_is_typed_becomes_a_value_of_the_parameters_type(kind, typed, value):
    assert parse(field(kind), typed) == value


@pytest.mark.parametrize(
    ("kind", "typed"), [("number", "many"), ("whole", "1.5"), ("number", ""), ("number", "1,2,3")]
)
def test_what_is_no_number_is_an_error_that_names_the_field(kind, typed):
    with pytest.raises(EvaldeskError, match="Field"):
        parse(field(kind), typed)


def test_an_optional_parameter_may_be_left_empty():
    assert parse(field("number", optional=True), "") is None


@pytest.mark.parametrize(
    ("name", "ref", "rail"),
    [
        ("adk", "response_match_score", (0.0, 1.0, 0.01, 0.7, False)),
        ("coded", "PayoutEvaluator", (0.0, 1.0, 0.01, 0.8, True)),
        ("harnest", "no_invented_shelfmark", None),
    ],
)
def test_a_pass_mark_lies_on_a_rail_where_there_is_one(name, ref, rail):
    of = material(name)
    check = next(c for c in checks_for_plan(of, Plan()) if c.ref == ref)
    found = rail_of(check, Plan(), of)
    shown = None if found is None else (found.low, found.high, found.step, found.value)
    assert (shown if found is None else (*shown, found.is_users)) == rail


def test_a_mark_outside_the_scale_widens_the_rail():
    found = rail_of(check_of("adk.response_match_score", threshold=1.5), Plan(), material("adk"))
    assert (found.low, found.high) == (0.0, 1.5)


@pytest.mark.parametrize(
    "undo",
    [
        lambda plan: plan.with_param("x", "strict", False, False),
        lambda plan: plan.with_mark("x", 0.8, 0.8),
        lambda plan: plan.switched("x", on=True),
        lambda plan: plan.with_policy("business", "business"),
        lambda plan: plan.without_trial("t"),
    ],
)
def test_a_setting_that_is_as_filed_is_no_change(undo):
    changed = Plan()
    for again in (
        lambda plan: plan.with_param("x", "strict", True, False),
        lambda plan: plan.with_mark("x", 0.5, 0.8),
        lambda plan: plan.switched("x", on=False),
        lambda plan: plan.with_policy("strict", "business"),
        lambda plan: plan.with_trial(Trial("t", "evaldesk.rouge", {})),
    ):
        changed = again(changed)
    assert changed.changes == 5
    assert undo(changed).changes == 4
    assert undo(Plan()).is_empty


def test_true_and_one_are_different_settings():
    assert Plan().with_param("x", "n", 1, True).changes == 1


def test_a_check_keeps_its_judge_when_it_is_adjusted():
    judge = object()
    check = Check("x", "x", build("adk.final_response_match_v2", {"threshold": 0.5}, "x", judge))
    assert adjusted(check, {MARK: 0.7}).evaluator.judge is judge


@pytest.mark.parametrize(
    ("taken", "name"), [(set(), "Regex"), ({"regex"}, "Regex 2"), ({"Regex", "REGEX 2"}, "Regex 3")]
)
def test_a_new_check_of_ours_has_a_name_of_its_own(taken, name, monkeypatch):
    monkeypatch.setattr(own_kinds()["evaldesk.regex"], "label", "Regex")
    assert fresh_name("evaldesk.regex", taken) == name


@pytest.mark.parametrize("kind", sorted(own_kinds()))
def test_every_check_of_ours_can_be_begun_and_kept(kind, tmp_path):
    (tmp_path / "s.evalset.json").write_text("{}")
    project = Project("s.evalset.json", builders.eval_set(), ())
    made = read_checks(
        {"evaldesk": 1, "checks": [{"name": "n", "kind": kind, "params": STARTS.get(kind, {})}]}
    )
    rescore_own.keep(Workspace(tmp_path), project, made[0])
    written = json.loads((tmp_path / rescore_own.place_of(project)).read_text())
    assert params_of(read_checks(written)[0]) == params_of(made[0])


def test_keeping_a_check_leaves_what_else_the_file_holds(tmp_path):
    project = Project("s.evalset.json", builders.eval_set(), ())
    place = tmp_path / rescore_own.place_of(project)
    place.write_text('{ "evaldesk": 1,  "note": "ours", "checks": [] }\n')
    check = Check("words", "words", build("evaldesk.regex", {"pattern": "a"}, "words"), is_own=True)
    rescore_own.keep(Workspace(tmp_path), project, check)
    assert place.read_text().startswith('{ "evaldesk": 1,  "note": "ours", "checks": [')
    assert JsonDocument.parse(place.read_bytes()).value["checks"][0]["params"] == {"pattern": "a"}
    rescore_own.forget(Workspace(tmp_path), project, "words")
    assert json.loads(place.read_text())["checks"] == []
