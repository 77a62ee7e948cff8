import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evalcore.saving.diff import Diff, diff_lines

LINES = st.lists(st.sampled_from(["a", "b", "c", "", "}", "long line"]), max_size=12)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


def patched(old: bytes, diff: Diff) -> bytes:
    """Return what applying a diff to ``old`` gives; fails where its unchanged lines are wrong."""
    source = [line + b"\n" for line in old.split(b"\n")]
    source[-1] = source[-1][:-1]
    out: list[bytes] = []
    at = 0
    for hunk in diff.hunks:
        first = next((line.old for line in hunk.lines if line.old is not None), None)
        start = len(source) if first is None else first - 1
        if first is not None:
            out += source[at:start]
            at = start
        for line in hunk.lines:
            text = (line.text + line.ending).encode()
            if line.kind != "added":
                assert source[at] == text and line.old == at + 1
                at += 1
            if line.kind != "removed":
                out.append(text)
                assert line.new == len(out)
    return b"".join(out + source[at:])


@given(TEXTS, TEXTS)
def test_applying_the_difference_gives_the_new_text(old: str, new: str) -> None:
    diff = diff_lines(old.encode(), new.encode())
    assert patched(old.encode(), diff) == new.encode()
    kinds = [line.kind for hunk in diff.hunks for line in hunk.lines]
    assert (diff.added, diff.removed) == (kinds.count("added"), kinds.count("removed"))


@given(LINES, LINES)
def test_hunks_have_little_context_and_do_not_touch(old: list[str], new: list[str]) -> None:
    diff = diff_lines("\n".join(old).encode(), "\n".join(new).encode())
    for hunk in diff.hunks:
        kinds = [line.kind for line in hunk.lines]
        assert set(kinds) != {"same"}
        assert all(k == "same" for k in kinds[:0]) and kinds[:4] != ["same"] * 4
        assert kinds[-4:] != ["same"] * 4
    for before, after in zip(diff.hunks, diff.hunks[1:], strict=False):
        ends = [line.old for line in before.lines if line.old]
        starts = [line.old for line in after.lines if line.old]
        assert not ends or not starts or ends[-1] < starts[0]


def unified(diff: Diff) -> str:
    """Return a diff as the unified text that other tools print."""
    signs = {"same": " ", "removed": "-", "added": "+"}
    out: list[str] = []
    for hunk in diff.hunks:
        out.append(hunk.header + "\n")
        for line in hunk.lines:
            out.append(f"{signs[line.kind]}{line.text}{line.ending}")
            if not line.ending:
                out.append("\n\\ No newline at end of file\n")
    return "".join(out)


def test_one_changed_line_is_one_line_each_way() -> None:
    old = "".join(f"line {i}\n" for i in range(1, 21)).encode()
    diff = diff_lines(old, old.replace(b"line 10\n", b"line ten\n"))
    assert (diff.added, diff.removed) == (1, 1)
    assert unified(diff) == (
        "@@ -7,7 +7,7 @@\n line 7\n line 8\n line 9\n-line 10\n+line ten\n line 11\n line 12\n"
        " line 13\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        (b"a\n", b"a\n", ""),
        (b"", b"a\n", "@@ -0,0 +1,1 @@\n+a\n"),
        (b"a\n", b"", "@@ -1,1 +0,0 @@\n-a\n"),
        (
            b"a",
            b"a\n",
            "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
        ),
        (b"a\r\nb\r\n", b"a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n"),
        (b"a\xff\n", b"b\n", "@@ -1,1 +1,1 @@\n-a\ufffd\n+b\n"),
    ],
)
def test_unified_text(old: bytes, new: bytes, text: str) -> None:
    assert unified(diff_lines(old, new)) == text


def test_far_apart_edits_of_a_long_file_stay_small_and_quick() -> None:
    case = '  {{\n    "id": "case {0}",\n    "text": "words of {0}",\n    "list": [\n    ]\n  }},\n'
    old = "".join(case.format(i) for i in range(30_000))
    new = old.replace('"words of 5"', '"other"').replace('"words of 29990"', '"another"')
    new = new.replace(case.format(14_000), "") + case.format("added")
    started = time.process_time()
    diff = diff_lines(old.encode(), new.encode())
    assert time.process_time() - started < 5
    assert (diff.added, diff.removed) == (2 + 6, 2 + 6)
    assert [hunk.lines[0].old for hunk in diff.hunks] == [30, 83_998, 179_940, 179_998]
    assert patched(old.encode(), diff) == new.encode()


def test_an_added_object_is_shown_whole() -> None:
    old = b'[\n  {\n    "id": 1\n  },\n  {\n    "id": 2\n  }\n]\n'
    new = b'[\n  {\n    "id": 1\n  },\n  {\n    "id": 3\n  },\n  {\n    "id": 2\n  }\n]\n'
    for before, after, kind in ((old, new, "added"), (new, old, "removed")):
        (hunk,) = diff_lines(before, after).hunks
        assert [line.text.strip() for line in hunk.lines if line.kind == kind] == [
            "{",
            '"id": 3',
            "},",
        ]


def test_a_rewritten_long_file_is_one_large_change() -> None:
    old, new = b"x\n" * 20_000, b"y\n" * 20_000
    diff = diff_lines(old, new)
    assert (len(diff.hunks), diff.added, diff.removed) == (1, 20_000, 20_000)
