"""JSON of other programs that looks a little like an eval file is nobody's."""

from pathlib import PurePath

import pytest

from evalcore import formats

FOREIGN = {
    "esbuild": ("build.json", {"entryPoints": ["src/a.ts"], "bundle": True}),
    "esbuild with names": ("build.json", {"entryPoints": [{"in": "a.ts", "out": "b"}]}),
    "typedoc": (
        "typedoc.json",
        {"$schema": "https://typedoc.org/schema.json", "entryPoints": ["src/index.ts"]},
    ),
    "grading": ("grading.json", {"criteria": {"trajectory": {"weight": 3, "label": "Path"}}}),
    "policy": ("policy.json", {"criteria": {"safety": "must be safe"}}),
    "judging": ("judging.json", {"criteria": {"llm_judge": {"prompt": "Is it good?"}}}),
    "switch": ("switch.json", {"criteria": {"hallucination": True}}),
    "filter": ("filter.json", {"criteria": {"age": 18}}),
    "alarm": ("alarm.json", {"criteria": {"cpu_load": {"threshold": 3}}}),
    "saved queries": ("queries.json", [{"query": "select 1", "name": "one"}]),
    "search log": ("log.json", [{"query": "boots"}, {"query": "coats"}]),
    "article": ("a.json", {"id": 1, "category": 1, "type": "article", "prompt": "Read on"}),
    "ticket": ("a.json", {"category": 1, "type": 2, "prompt": "Reboot"}),
    "mocha": ("x.json", {"reporter": "spec", "timeout": 5}),
    "runner": ("x.json", {"reporter": "dots", "max_concurrency": 5}),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_near_miss_of_another_program_is_left_alone(name):
    path, value = FOREIGN[name]
    assert formats.detect(value, PurePath("app", path)) is None


@pytest.mark.parametrize(
    ("path", "value", "confidence"),
    [
        ("x.json", {"criteria": {"trajectory": {"threshold": 1}}}, "maybe"),
        ("x.json", {"criteria": {"trajectory": None, "safety": None}}, "sure"),
        ("x.json", {"criteria": {"tool_name_match": {}}}, "sure"),
        ("eval_config.json", {"criteria": {"trajectory": {"weight": 1}}}, "sure"),
        ("strict_EVAL_CONFIG.json", {"criteria": {"safety": {}}}, "sure"),
        ("x.json", {"criteria": {"safety": {}}, "reporter": {}}, "sure"),
    ],
)
def test_what_10xgraph_would_read_stays_10xgraphs(path, value, confidence):
    found = formats.detect(value, PurePath("app", path))
    assert found is not None
    assert (found.format_id, found.confidence) == ("tenxgraph", confidence)


@pytest.mark.parametrize(
    ("path", "value", "format_id"),
    [
        ("x.json", {"criteria": {"response_match_scor": 0.5}}, "adk"),
        ("eval/x.json", {"criteria": {"my_own": 0.5}}, "adk"),
        ("eval/x.json", [{"query": "Hi"}], "adk"),
        ("entry-points.json", {"entryPoints": []}, "uipath_coded"),
        (
            "x.json",
            {"$schema": "https://cloud.uipath.com/draft/2024-12/entry-point", "entryPoints": []},
            "uipath_coded",
        ),
        ("x.json", {"entryPoints": [{"uniqueId": "u", "type": "agent"}]}, "uipath_coded"),
        ("x.json", {"entryPoints": [{"filePath": "/content/agent.json"}]}, "uipath_lowcode"),
        ("x.json", {"name": "e", "category": 1, "type": 5, "prompt": "p"}, "uipath_lowcode"),
    ],
)
def test_a_mark_more_makes_it_ours(path, value, format_id):
    found = formats.detect(value, PurePath("app", path))
    assert found is not None and found.format_id == format_id
