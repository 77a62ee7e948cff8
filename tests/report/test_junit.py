"""JUnit XML that every viewer reads, whatever the texts in it."""

import re
from collections import Counter
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalcore.report.texts import xml_attribute, xml_text
from evalcore.store import RunQuery, StoredRun
from tests.report.runs import FAILED, case, exported, hostile, ordinary, score, stored, turn

RUNS = {"ordinary": ordinary, "hostile": hostile, "empty": lambda: stored([])}
ATTRIBUTES = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, set()),
    "testsuite": (
        {"name", "tests", "failures", "errors", "skipped", "time", "hostname", "id", "package"},
        {"timestamp"},
    ),
    "properties": (set(), set()),
    "property": ({"name", "value"}, set()),
    "testcase": ({"classname", "name", "time"}, set()),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "skipped": ({"message"}, set()),
}
"""The attributes that an element must and may have, by the schemas of Ant and of Jenkins."""
CHILDREN = {
    "testsuites": "(testsuite )*",
    "testsuite": "properties (testcase )*",
    "properties": "(property )*",
    "testcase": "((failure|error|skipped) )?",
}
NUMBER = re.compile(r"\d+")
TIME = re.compile(r"\d+\.\d{3}")


def tree(run: StoredRun, query: RunQuery | None = None) -> Element:
    return ElementTree.fromstring(exported("junit", run, query))


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
def test_elements_and_attributes_are_those_of_the_schema(run):
    for element in tree(run()).iter():
        must, may = ATTRIBUTES[element.tag]
        assert must <= set(element.attrib) <= must | may
        children = "".join(f"{child.tag} " for child in element)
        assert re.fullmatch(CHILDREN.get(element.tag, ""), children)
        for name, value in element.attrib.items():
            if name in ("tests", "failures", "errors", "skipped", "id"):
                assert NUMBER.fullmatch(value)
            if name == "time":
                assert TIME.fullmatch(value)
            if name == "timestamp":
                assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", value)


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
def test_the_counts_are_those_of_the_cases(run):
    root = tree(run())
    found = Counter(child.tag for one in root.iter("testcase") for child in one)
    for holder in (root, root[0]):
        assert int(holder.attrib["tests"]) == len(list(root.iter("testcase")))
        assert int(holder.attrib["failures"]) == found["failure"]
        assert int(holder.attrib["errors"]) == found["error"]
    assert int(root[0].attrib["skipped"]) == found["skipped"]


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS.keys())
def test_no_two_test_cases_share_a_name(run):
    names = [one.attrib["name"] for one in tree(run()).iter("testcase")]
    assert len(set(names)) == len(names)
    assert all(names)


def test_verdicts_are_failures_errors_and_skips():
    found = {
        one.attrib["name"]: [child.tag for child in one]
        for one in tree(ordinary()).iter("testcase")
    }
    assert found == {
        "greets": [],
        "refunds": ["failure"],
        "crashes": ["error"],
        "idle": ["skipped"],
        "talks": [],
        "flips": [],
        "flips (repeat 2)": ["failure"],
        "flips (repeat 3)": [],
    }


def test_a_failure_says_why_and_what_came():
    (found,) = tree(ordinary(), RunQuery(text="A-18")).iter("failure")
    assert found.attrib == {
        "message": "missing tool call: refund; Words: # of # words",
        "type": "Words",
    }
    assert found.text is not None
    assert found.text.splitlines() == [
        "Words: 0.42 ✗ failed, pass mark 0.70. 3 of 7 words. Caution: short",
        "--- turn 1",
        "Input: give it back",
        "Expected: I refunded 12 EUR",
        "Actual: I refunded 15 EUR",
        "Expected tool calls: find {",
        '  "order": "A-17"',
        "}",
        "refund",
        "Actual tool calls: find {",
        '  "order": "A-18"',
        "}",
    ]


def test_the_properties_are_the_facts_of_the_run():
    found = {one.attrib["name"]: one.attrib["value"] for one in tree(ordinary()).iter("property")}
    assert found["passed"] == "66.7 % (4 of 6) passed"
    assert found["set_content"] == "sha256 cdcdcdcdcdcdcdcd"
    assert found["system"] == "Google ADK"
    assert found["ran"] == "1 Oct 2026, 12:30 UTC"
    assert found["repeats"] == "3"


def test_very_long_texts_are_cut():
    data = exported("junit", hostile())
    assert len(data) < 200_000
    assert b"(cut: 5,000,000 characters)" in data


@given(st.text(st.characters(codec=None), max_size=40))
@settings(deadline=None, max_examples=300)
def test_any_text_is_valid_in_xml(text: str):
    written = f'<a b="{xml_attribute(text)}">{xml_text(text)}</a>'.encode()
    found = ElementTree.fromstring(written)
    assert found.attrib["b"] == (found.text or "")
    if text.isprintable():
        assert found.attrib["b"] == text


@given(st.text(st.characters(codec=None), max_size=30))
@settings(deadline=None, max_examples=15)
def test_any_run_is_valid(text: str):
    said = score(text or "x", 0.1, FAILED, reason=text)
    run = stored([case(text, FAILED, turn(text, text, text, said), error=text)], name=text)
    assert len(list(tree(run).iter("testcase"))) == 1
