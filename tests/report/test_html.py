"""The HTML page as a file: it needs nothing else, and no text in it is anything but text."""

import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.report.html import page
from evalcore.report.texts import script_json
from evalcore.store import RunQuery, StoredRun
from tests.report.runs import (
    FAILED,
    NASTY,
    PASSED,
    case,
    exported,
    hostile,
    many,
    ordinary,
    score,
    stored,
    turn,
)


class Read(HTMLParser):
    """Collects tags, attributes and blocks of data, as a browser's parser would find them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.blocks: dict[str, str] = {}
        self.texts: list[str] = []
        self._block = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        held = dict(attrs)
        self.tags.append((tag, held))
        is_data = tag == "script" and held.get("type") == "application/json"
        self._block = str(held["id"]) if is_data else ""

    def handle_data(self, data: str) -> None:
        if self._block:
            self.blocks[self._block] = self.blocks.get(self._block, "") + data
        self.texts.append(data)

    def handle_endtag(self, tag: str) -> None:
        self._block = ""


def read(run: StoredRun, query: RunQuery | None = None) -> Read:
    return Read(exported("html", run, query).decode())


def details(run: StoredRun, query: RunQuery | None = None) -> dict[str, Any]:
    """Return the data of each case by its label."""
    found = read(run, query)
    lines = json.loads(found.blocks["index"])["lines"]
    return {line[2]: json.loads(found.blocks[f"case-{place}"]) for place, line in enumerate(lines)}


@pytest.mark.parametrize("run", [ordinary, hostile])
def test_the_page_asks_for_nothing_from_anywhere(run):
    found = read(run())
    assert {tag for tag, _ in found.tags} & {"img", "link", "iframe", "object", "form"} <= {"form"}
    named = {name for _, held in found.tags for name in held}
    assert named & {"src", "href", "action", "style", "srcset"} == set()
    assert not [name for name in named if name.startswith("on")]


def test_only_its_own_script_may_run():
    found = read(hostile())
    scripts = [held for tag, held in found.tags if tag == "script"]
    assert [held for held in scripts if held.get("type") != "application/json"] == [{}]
    (policy,) = [held["content"] for _, held in found.tags if "http-equiv" in held]
    assert policy is not None
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-\S+'; style-src 'sha256-\S+'; "
        r"base-uri 'none'; form-action 'none'",
        policy,
    )


def test_the_numbers_are_there_without_any_script():
    text = " ".join(read(ordinary()).texts)
    assert "66.7 % (4 of 6) passed" in text
    assert "95 % interval 24.5–92.5 % (Wilson)" in text
    assert "6 of 8 scored; not in the rate: 1 error, 1 not evaluated" in text


def test_hostile_runs_are_strict_json_inside():
    def refuse(name: str) -> Any:
        raise AssertionError(f"{name} is no JSON")

    blocks = read(hostile()).blocks
    assert len(blocks) == 9
    for block in blocks.values():
        json.loads(block, parse_constant=refuse)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(st.characters(codec=None)),
        lambda items: st.lists(items) | st.dictionaries(st.text(), items),
        max_leaves=8,
    )
)
def test_nothing_in_a_block_of_data_can_end_it(value: Any):
    written = script_json(value)
    assert json.loads(written) == value
    assert not re.search("[<>&\u2028\u2029]", written)
    written.encode("utf-8")


def test_replies_are_cut_where_they_differ():
    found = details(ordinary())["refunds"]["turns"][0]
    assert found["expected"]["pieces"] == ["I refunded ", "12", " EUR"]
    assert found["actual"]["pieces"] == ["I refunded ", "15", " EUR"]


@pytest.mark.parametrize(
    ("expected", "actual", "pieces"),
    [
        ("a", "a", (["a"], ["a"])),
        ("", "x", ([""], ["", "x"])),
        ("b c", "a b c", (["b c"], ["", "a ", "b c"])),
    ],
)
def test_every_second_piece_differs(expected: str, actual: str, pieces: tuple[list[str], ...]):
    run = stored([case("a", FAILED, turn("q", expected, actual))])
    found = details(run)["a"]["turns"][0]
    assert (found["expected"]["pieces"], found["actual"]["pieces"]) == pieces


def test_tool_calls_are_aligned_and_the_differing_argument_named():
    rows = details(ordinary())["refunds"]["turns"][0]["calls"]["rows"]
    assert [(row["match"], row["differs"]) for row in rows] == [
        ("arguments", 'order: expected "A-17", got "A-18"'),
        ("missing", ""),
    ]
    assert rows[1]["actual"] is None


def test_data_is_compared_by_place():
    found = details(ordinary())["talks"]["turns"][0]["changes"]
    assert found["rows"] == [["a", "changed", "1", "2"]]


def test_scores_have_their_reasons_cautions_and_marks():
    (found,) = details(ordinary())["refunds"]["turns"][0]["scores"]
    assert found["words"] == "0.42 ✗ failed, pass mark 0.70"
    assert found["reason"]["pieces"] == ["3 of 7 words"]
    assert found["cautions"] == ["short"]


def test_a_verdict_that_the_scores_do_not_give_is_told_on():
    lie = case("a", PASSED, turn("q", "x", "y", score("words", 0.1, FAILED)))
    notes = details(stored([lie]))["a"]["notes"]
    assert notes == ["The result file says passed; the scores come to failed."]


def test_numbers_of_thousands_of_digits_are_shown():
    found = details(hostile())["twice (repeat 2)"]["turns"][0]
    assert len(found["changes"]["rows"]) == 1
    assert "0" * 5_000 in "".join(found["expected"]["pieces"])


def test_a_very_long_reply_says_what_the_page_leaves_out():
    found = details(hostile())["long"]["turns"][0]["actual"]
    assert sum(map(len, found["pieces"])) + len(found["rest"]) == 1_000_000
    assert found["left_out"] == 4_000_000


def test_controls_and_overrides_are_visible():
    text = json.dumps(details(hostile()), ensure_ascii=False)
    assert "\\\\x1b[31m" in text and "\\\\u202e" in text
    assert "\u202e" not in text and "\x85" not in text


def test_a_full_page_holds_the_worst_cases_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page, "MOST_CASES", 10)
    found = read(stored(many(30)))
    labels = [line[2] for line in json.loads(found.blocks["index"])["lines"]]
    assert labels[:5] == [f"case-{n:05}" for n in range(0, 30, 7)]
    assert len(labels) == 10
    assert "The list below holds the worst 10 of 30 case results" in " ".join(found.texts)


def test_texts_beyond_the_limit_are_left_out_of_the_least_bad_cases(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(page, "MOST_BYTES", 3_000)
    blocks = read(stored(many(10))).blocks
    held = [json.loads(blocks[f"case-{n}"]) is not None for n in range(10)]
    assert held[0] and not held[-1]
    assert held == sorted(held, reverse=True)


def test_nothing_of_a_file_is_markup():
    text = exported("html", hostile()).decode()
    assert "alert(1)" in text
    assert "<script>alert" not in text and "<img" not in text
    assert NASTY[:9] == "</script>"
    assert text.count("</script>") == len(read(hostile()).blocks) + 1
