"""Forms are drawn from parameter models, and write what was set and nothing else."""

import json

import pytest
from pydantic import BaseModel, Field

from evalcore.errors import FormatError
from evalcore.evaluators import kinds
from evalcore.formats.base import Kind
from evalcore.jsontree import MISSING
from evalcore.views.evaluators import models
from evalcore.views.evaluators.form import DEFAULT_CRITERIA, check_form, file_sections, scale_of
from evalcore.views.evaluators.home import Home
from evalcore.views.evaluators.settings import settings_of, views_of
from tests.views.evaluators.conftest import ADK, CODED, HARNEST, LOWCODE, TENXGRAPH, changed_lines

AROUND = [
    models.AdkSimulator,
    models.AdkLive,
    models.CustomMetric,
    models.TenXGraphJudge,
    models.TenXGraphRun,
    models.TenXGraphSimulator,
    models.TenXGraphReporter,
]


def every_model() -> list[type[BaseModel]]:
    found: list[type[BaseModel]] = [*AROUND]
    for cls in kinds().values():
        found.append(cls.params_type)
        found += [m for m in [getattr(cls, "criteria_type", None)] if m is not None]
    return list(dict.fromkeys(found))


def every_setting(model):
    for setting in settings_of(model):
        yield setting
        if setting.model is not None:
            yield from every_setting(setting.model)


@pytest.mark.parametrize("model", every_model(), ids=lambda m: m.__name__)
def test_every_parameter_has_a_label_and_one_sentence_of_help(model):
    for setting in every_setting(model):
        assert setting.label and setting.label[0].isupper(), setting.name
        assert setting.help and setting.help.endswith((".", "?")), (setting.name, setting.help)


@pytest.mark.parametrize("kind", kinds())
def test_every_pass_mark_has_its_real_range(kind):
    cls = kinds()[kind]
    marks = [s for s in settings_of(cls.params_type, scale=(1.0, 5.0)) if s.name == "threshold"]
    assert all((m.low, m.high) == (1.0, 5.0) and "1 to 5" in m.range_words for m in marks)


def test_the_range_of_a_pass_mark_is_that_of_the_systems_scores(open_bench):
    assert scale_of(open_bench(ADK).check("response_match_score")) == (0.0, 1.0)
    (low_code,) = open_bench(f"{LOWCODE}/evaluator-category.json").checks
    assert scale_of(low_code) == (0.0, 100.0)


def test_coherence_is_scored_from_1_to_5(bench_of):
    bench = bench_of("test_config.json", {"criteria": {"response_evaluation_score": 3}}, "adk")
    form = check_form(bench, bench.checks[0])
    assert (form.mark.setting.low, form.mark.setting.high) == (1.0, 5.0)


def test_a_setting_that_is_not_there_shows_its_default_and_is_written_when_set(open_bench):
    bench = open_bench(f"{CODED}/evaluators/payout.json")
    view = check_form(bench, bench.checks[0]).view("line_by_line_evaluator")
    assert view.value is MISSING and view.setting.default is False
    view.write(True)
    assert '"lineByLineEvaluator": true' in bench.draft.rendered().decode()
    view.write(MISSING)
    assert bench.draft.rendered() == bench.draft.base.document.data


@pytest.mark.parametrize(
    "path, ref, name, value, old, new",
    [
        (
            f"{CODED}/evaluators/decision.json",
            None,
            "case_sensitive",
            True,
            '"caseSensitive": false,',
            '"caseSensitive": true,',
        ),
        (
            f"{LOWCODE}/evaluator-category.json",
            None,
            "target_output_key",
            "kind",
            '"targetOutputKey": "category",',
            '"targetOutputKey": "kind",',
        ),
        (ADK, "response_match_score", "threshold", 0.75, "0.7,", "0.75,"),
        (
            ADK,
            "final_response_match_v2",
            "judge_model_options.num_samples",
            5,
            '"num_samples": 3',
            '"num_samples": 5',
        ),
        (
            HARNEST,
            "tool_trajectory_avg_score",
            "match_type",
            "EXACT",
            '"matchType": "IN_ORDER"',
            '"matchType": "EXACT"',
        ),
        (TENXGRAPH, "rouge_match", "threshold", 0.5, '"threshold": 0.6,', '"threshold": 0.5,'),
    ],
)
def test_a_setting_changes_its_own_line(open_bench, path, ref, name, value, old, new):
    bench = open_bench(path)
    view = check_form(bench, bench.check(ref)).view(name)
    view.write(value)
    ((before, after),) = changed_lines(bench)
    assert old in before and new in after


def test_a_bare_number_becomes_an_object_only_for_what_needs_one(bench_of):
    bench = bench_of("test_config.json", {"criteria": {"tool_trajectory_avg_score": 1}}, "adk")
    form = check_form(bench, bench.checks[0])
    form.mark.write(0.9)
    assert bench.tree == {"criteria": {"tool_trajectory_avg_score": 0.9}}
    form.view("ignore_args").write(True)
    written = {"threshold": 0.9, "ignoreArgs": True}
    assert bench.tree["criteria"]["tool_trajectory_avg_score"] in (
        written,
        {"threshold": 0.9, "ignore_args": True},
    )


def test_what_a_check_does_not_read_is_named_and_kept(open_bench):
    bench = open_bench(TENXGRAPH)
    section = check_form(bench, bench.check("rouge_match")).sections[0]
    assert "keywords" in section.unread and "threshold" not in section.unread
    section.view("threshold").write(0.9)
    assert bench.tree["criteria"]["rouge_match"]["keywords"] == []


def test_a_problem_stands_at_its_setting(bench_of):
    criteria = {"rouge_match": {"threshold": 80}, "trajectory": {"threshold": 1, "zzz": 1}}
    bench = bench_of("eval_config.json", {"criteria": criteria, "max_concurrency": 4}, "tenxgraph")
    rouge = check_form(bench, bench.check("rouge_match"))
    assert [p.code for p in rouge.mark.problems] == ["tenxgraph.threshold_out_of_range"]
    assert not rouge.rest
    assert any("zzz" in p.message for p in check_form(bench, bench.check("trajectory")).rest)


def shown_problems(bench):
    sections, rest = file_sections(bench) if not bench.is_single else ((), ())
    found = [p for s in sections for v in s.views for p in v.problems] + list(rest)
    for check in bench.checks:
        form = check_form(bench, check)
        drawn = (*form.sections, *([form.criterion] if form.criterion else []))
        found += [p for s in drawn for v in s.views for p in v.problems] + list(form.rest)
    return found


def test_every_problem_of_a_file_is_shown_once(open_bench, workspace):
    files = [e for e in workspace.entries() if e.kind in (Kind.EVALUATOR, Kind.CRITERIA)]
    assert len(files) > 10
    for entry in files:
        bench = open_bench(entry.path)
        assert sorted(map(repr, shown_problems(bench))) == sorted(map(repr, bench.problems()))


@pytest.mark.parametrize(
    "kind, name, bad, told",
    [
        ("evaldesk.regex", "pattern", "(", "no regular expression"),
        ("evaldesk.regex", "timeout", 0, "greater than 0"),
        ("evaldesk.rouge", "threshold", 2, "less than or equal to 1"),
        ("adk.final_response_match_v2", "judge_model_options.num_samples", 0, "greater than"),
    ],
)
def test_a_value_that_the_check_would_not_take_is_refused(kind, name, bad, told):
    (setting,) = (s for s in settings_of(kinds()[kind].params_type) if s.name == name)
    with pytest.raises(FormatError, match=told):
        setting.check(bad)


def test_the_default_expectation_has_the_checks_own_form(open_bench):
    bench = open_bench(f"{CODED}/evaluators/letter.json")
    form = check_form(bench, bench.checks[0])
    assert form.view(DEFAULT_CRITERIA) is None
    (text,) = form.criterion.views
    text.write("thank you")
    config = bench.tree["evaluatorConfig"]
    assert config["defaultEvaluationCriteria"] == {"searchText": "thank you"}


def test_the_name_is_written_where_the_file_has_it(open_bench, bench_of):
    bench = open_bench(f"{CODED}/evaluators/letter.json")
    check_form(bench, bench.checks[0]).view("name").write("Letter")
    assert bench.tree["evaluatorConfig"]["name"] == "Letter" and "name" not in bench.tree
    top = {**bench.tree, "name": "Top"}
    other = bench_of("evaluations/evaluators/a.json", top, "uipath_coded")
    check_form(other, other.checks[0]).view("name").write("New top")
    assert other.tree["name"] == "New top"
    assert other.tree["evaluatorConfig"]["name"] == "Letter"


def test_items_of_a_list_are_found_again_after_others_are_gone(open_bench):
    bench = open_bench(ADK)
    check = bench.check("rubric_based_final_response_quality_v1")
    view = check_form(bench, check).view("rubrics")
    handles = view.home.handles(view.setting.lens)
    second = view.home.item(view.setting.lens, handles[1])
    (text,) = (v for v in views_of(second, settings_of(view.setting.model))[0] if "text" in v.key)
    view.write(view.read()[1:])
    text.write("It names the order.")
    kept = bench.tree["criteria"][check.ref]["rubrics"]
    assert [r["rubric_content"]["text_property"] for r in kept] == ["It names the order."]
    with pytest.raises(FormatError, match="gone"):
        view.home.item(view.setting.lens, handles[0]).pointer()


def test_custom_code_is_shown_and_its_path_edited_and_never_loaded(open_bench):
    bench = open_bench(HARNEST)
    check = bench.check("no_invented_shelfmark")
    form = check_form(bench, check)
    assert check.is_custom and check.cls is None
    assert form.view("code_config.name").value == "harnest.lib.shelfmarks.no_invented_shelfmark"
    form.view("code_config.name").write("harnest.lib.other.check")
    ((_before, after),) = changed_lines(bench)
    assert '"codeConfig": {"name": "harnest.lib.other.check"}' in after


def test_the_settings_around_the_checks_are_written_in_place(open_bench):
    bench = open_bench(TENXGRAPH)
    reporter = next(s for s in file_sections(bench)[0] if s.title == "Reports")
    reporter.view("junit_xml").write(True)
    assert changed_lines(bench) == [('"junit_xml": false,', '"junit_xml": true,')]


def test_a_group_of_settings_that_is_null_becomes_an_object_when_set(open_bench):
    bench = open_bench(TENXGRAPH)
    user = next(s for s in file_sections(bench)[0] if s.title == "Simulated user")
    user.view("max_invocations").write(4)
    assert bench.tree["user_simulator_config"] == {"max_invocations": 4}


def test_numbers_keep_their_bounds_with_open_ends():
    class Odd(BaseModel):
        """A model."""

        share: float = Field(0.5, gt=0, lt=1, title="Share", description="Of one.")

    (setting,) = settings_of(Odd)
    assert (setting.low, setting.high) == (0, 1)
    with pytest.raises(FormatError):
        setting.check(0)
    setting.check(0.5)


def test_a_home_writes_nothing_to_take_out_what_is_not_there(open_bench):
    bench = open_bench(TENXGRAPH)
    home = Home(bench, "k", lambda _tree: "/not/there", "x")
    assert not home.change(lambda _old: MISSING, "nothing")
    assert json.loads(bench.draft.rendered()) == bench.draft.base.document.value
