"""What differs between two versions of an eval set, per case and field, for every format."""

import json
from pathlib import Path, PurePath

import pytest

from evalcore.changes import Differences, as_data, as_markdown, as_text, compare, set_differences
from evalcore.errors import FormatError
from evalcore.formats import by_id, detect
from evalcore.formats.base import Kind
from evalcore.formats.moments import moment_text
from evalcore.jsondoc import JsonDocument
from evalcore.jsontree import JsonValue, get, leaves, put
from evalcore.workspace import Workspace
from tests.samples import json_files, original_path
from tests.views.builders import case, turn

ADK = by_id("adk").eval_sets


def a_set(*cases: object, **more: object) -> JsonValue:
    return {"eval_set_id": "s", "eval_cases": list(cases), **more}


def said(old: JsonValue, new: JsonValue) -> list[str]:
    return as_text(set_differences(old, new, ADK)).splitlines()[1:]


def looked(order: str, **more: object) -> tuple[str, dict]:
    return "lookup_order", {"order_id": order, **more}


BASE = a_set(
    case("a", turn("hi", "ok", looked("A-17"))),
    case("b", turn("one"), turn("two", "yes", looked("A-17"), ("refund", {"amount": 40}))),
    name="Refunds",
)


@pytest.mark.parametrize(
    ("change", "lines"),
    [
        (
            lambda t: put(
                t,
                "/eval_cases/1/conversation/1/intermediate_data/tool_uses/0/args/order_id",
                "A-18",
            ),
            [
                "",
                "~ b: edited",
                "    turn 2: tool call lookup_order: argument order_id A-17 -> A-18",
            ],
        ),
        (
            lambda t: put(
                t,
                "/eval_cases/1/conversation/1/intermediate_data/tool_uses",
                get(t, "/eval_cases/1/conversation/1/intermediate_data/tool_uses")[::-1],
            ),
            ["", "~ b: edited", "    turn 2: expected tool calls reordered: refund, lookup_order"],
        ),
        (
            lambda t: put(
                t, "/eval_cases/1/conversation/1/intermediate_data/tool_uses/1/args/amount", 40.0
            ),
            ["", "~ b: edited", "    turn 2: tool call refund: argument amount 40 -> 40.0"],
        ),
        (
            lambda t: put(
                t,
                "/eval_cases/0/conversation/0/intermediate_data/tool_uses",
                [{"name": "refund", "args": {"amount": 4}}],
            ),
            [
                "",
                "~ a: edited",
                '    turn 1: tool call lookup_order removed {"order_id": "A-17"}',
                '    turn 1: tool call refund added {"amount": 4}',
            ],
        ),
        (
            lambda t: put(t, "/eval_cases/0/eval_id", "z"),
            ["", "~ z: edited, renamed from a", "    id a -> z"],
        ),
        (
            lambda t: put(t, "/eval_cases", [t["eval_cases"][1], t["eval_cases"][0]]),
            ["", "^ a: moved from place 1 to 2"],
        ),
        (
            lambda t: put(t, "/eval_cases/2", case("new", turn("And now?"))),
            ["", "+ new: added", "    And now?"],
        ),
        (
            lambda t: put(t, "/eval_cases", t["eval_cases"][1:]),
            ["", "- a: deleted", "    hi"],
        ),
        (
            lambda t: put(t, "/eval_cases/1/conversation", t["eval_cases"][1]["conversation"][:1]),
            ["", "~ b: edited", "    turn 2: removed two"],
        ),
        (
            lambda t: put(t, "/eval_cases/1/conversation/2", turn("three")),
            ["", "~ b: edited", "    turn 3: added three"],
        ),
        (
            lambda t: put(t, "/name", "Parcels"),
            ["", "~ details of the set", "    name Refunds -> Parcels"],
        ),
        (
            lambda t: put(t, "/eval_cases/0/of_another_tool", {"x": [1]}),
            ["", "~ a: edited", '    other parts: of_another_tool added {"x": [1]}'],
        ),
        (
            lambda t: put(t, "/eval_cases/0/conversation/0/user_content/odd", "someone"),
            ["", "~ a: edited", "    turn 1: other parts: user_content › odd added someone"],
        ),
        (
            lambda t: put(t, "/eval_cases/0", ["odd"]),
            ["", "- a: deleted", "    hi", "", "+ a case without a name: added"],
        ),
    ],
)
def test_a_change_is_said_in_the_words_of_its_field(change, lines: list[str]):
    assert said(BASE, change(BASE)) == lines


def test_a_spelling_that_changed_is_said_although_no_value_did():
    old = put(BASE, "/eval_cases/0", {"eval_id": "a", "conversation": []})
    new = put(BASE, "/eval_cases/0", {"evalId": "a", "conversation": []})
    text = "\n".join(said(old, new))
    assert "eval_id removed a" in text and "evalId added a" in text


def sets() -> list[Path]:
    return [p for p in json_files() if _found(p) is not None]


def _found(path: Path):
    try:
        value = JsonDocument.parse(path.read_bytes()).value
    except Exception:
        return None
    found = detect(value, PurePath(original_path(path)))
    return (value, found) if found is not None and found.kind is Kind.EVAL_SET else None


@pytest.mark.parametrize("path", sets(), ids=lambda p: "/".join(p.parts[-3:]))
def test_every_changed_leaf_of_every_sample_is_mentioned(path: Path):
    value, found = _found(path)
    lens = by_id(found.format_id).lens_for(found)
    assert not set_differences(value, JsonDocument.parse(path.read_bytes()).value, lens)
    places = list(leaves(value))
    for number, (pointer, leaf) in enumerate(places[:: max(1, len(places) // 60)]):
        token = f"token-{number}" if not isinstance(leaf, (int, float)) else 987000 + number
        changed = put(value, pointer, token)
        text = as_text(set_differences(value, changed, lens))
        ways = {str(token), moment_text(token) or str(token)}
        assert any(way in text for way in ways), (pointer, text)
        back = as_text(set_differences(changed, value, lens))
        assert any(way in back for way in ways), (pointer, back)


HOSTILE = "![x](http://evil/l) <img src=x> @someone #1 ``` `` ` [a](b)\n\n# Heading\n- item"


def test_markdown_takes_nothing_from_a_file_for_its_own():
    hostile = case(HOSTILE, turn(HOSTILE, HOSTILE, (HOSTILE, {HOSTILE: HOSTILE})))
    old, new = a_set(case("a")), a_set(put(hostile, "/tags", [HOSTILE]), name=HOSTILE)
    text = as_markdown(set_differences(old, new, ADK), HOSTILE)
    edited = put(hostile, "/conversation/0/final_response/parts/0/text", HOSTILE + " and more")
    text += as_markdown(set_differences(a_set(hostile), a_set(edited), ADK))
    for line in text.splitlines():
        assert (
            line == ""
            or line.startswith(("## Changes in `", "### ", "- ", "> `"))
            or (line.endswith(" changed."))
        ), line
    outside = _outside_code(text)
    assert not any(mark in outside for mark in ("http", "<", "@", "](", "![", "Heading"))


def _outside_code(text: str) -> str:
    """Return what a Markdown reader sees outside code spans."""
    kept, at = [], 0
    while at < len(text):
        if text[at] != "`":
            kept.append(text[at])
            at += 1
            continue
        run = len(text[at:]) - len(text[at:].lstrip("`"))
        close = at + run
        while True:
            close = text.index("`", close)
            length = len(text[close:]) - len(text[close:].lstrip("`"))
            if length == run:
                break
            close += length
        at = close + run
    return "".join(kept)


def test_data_has_both_values_of_every_line():
    new = put(BASE, "/eval_cases/0/conversation/0/final_response/parts/0/text", "no")
    (found,) = as_data(set_differences(BASE, new, ADK))["cases"]
    assert found["fields"] == [
        {
            "field": "expected_output",
            "label": "turn 1: expected reply",
            "turn": {"before": 0, "after": 0},
            "lines": [
                {
                    "kind": "changed",
                    "words": "turn 1: expected reply ok -> no",
                    "before": "ok",
                    "after": "no",
                }
            ],
        }
    ]


def opened(folder: Path, files: dict[str, str]) -> list:
    workspace = Workspace(folder)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return [workspace.open(name) for name in files]


def test_two_formats_are_refused_by_name(tmp_path: Path):
    a, b = opened(
        tmp_path,
        {
            "a.evalset.json": json.dumps({**a_set(case("x")), "creation_timestamp": 1}),
            "b.json": json.dumps(
                {"id": "1", "name": "b", "version": "1.0", "evaluatorRefs": [], "evaluations": []}
            ),
        },
    )
    with pytest.raises(FormatError, match=r"an eval set of Google ADK.*an eval set of UiPath"):
        compare(a, b)


def test_other_files_are_compared_by_their_keys(tmp_path: Path):
    a, b = opened(
        tmp_path, {"a.json": '{"threshold": 0.8, "k": {"x": 1}}', "b.json": '{"threshold": 0.9}'}
    )
    found = compare(a, b)
    assert as_text(found).splitlines() == [
        "the file changed.",
        "threshold 0.8 -> 0.9",
        'k removed {"x": 1}',
    ]
    assert isinstance(found, Differences) and not compare(a, a)
