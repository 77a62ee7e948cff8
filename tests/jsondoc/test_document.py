"""Problems, facts, spans and positions of a document."""

import gc

import pytest

from evalcore.jsondoc import FileFacts, JsonDocument
from evalcore.jsondoc.collector import gc_paused
from evalcore.jsondoc.lines import LineIndex


def found(data: bytes, **options) -> list[tuple[str, str, int, int]]:
    problems = JsonDocument.parse(data, **options).problems
    return [(p.code.removeprefix("json."), p.pointer, p.line, p.column) for p in problems]


PROBLEMS = {
    "none": (b'{"a": [1, "\\ud83d\\ude00", 1e300, 9007199254740992]}', []),
    "mark": (b"\xef\xbb\xbf{}", [("bom", "", 1, 1)]),
    "repeated key": (
        b'{"a": {"x": 1,\n"x": 2, "x": 3}}',
        [("duplicate_key", "/a/x", 2, 1), ("duplicate_key", "/a/x", 2, 9)],
    ),
    "key repeated by an escape": (b'{"a": 1, "\\u0061": 2}', [("duplicate_key", "/a", 1, 10)]),
    "same key in other objects": (b'[{"a": 1}, {"a": {"a": 1}}]', []),
    "NaN": (b"[1, NaN]", [("nan", "/1", 1, 5)]),
    "infinities": (b"[Infinity, -Infinity]", [("infinity", "/0", 1, 2), ("infinity", "/1", 1, 12)]),
    "overflow": (b"[1e400, -1.0E999]", [("infinity", "/0", 1, 2), ("infinity", "/1", 1, 9)]),
    "half a pair": (b'{"k": "\\uD83D"}', [("lone_surrogate", "/k", 1, 7)]),
    "second half alone": (b'["\\ude00\\ud83d"]', [("lone_surrogate", "/0", 1, 2)]),
    "half a pair in a name": (b'{"\\ud83d": 1}', [("lone_surrogate", "/\ud83d", 1, 2)]),
    "escaped backslash before ud83d": (b'["\\\\ud83d"]', []),
    "big integers": (
        b"[9007199254740993, -9007199254740993, 12345678901234567890]",
        [("big_integer", "/0", 1, 2), ("big_integer", "/1", 1, 20), ("big_integer", "/2", 1, 39)],
    ),
    "pointer escapes": (b'{"a/b~": NaN}', [("nan", "/a~1b~0", 1, 10)]),
    "root": (b" NaN", [("nan", "", 1, 2)]),
    "order of the file": (
        b'[NaN,\n{"a": 1, "a": 1e999},\n[]]',
        [("nan", "/0", 1, 2), ("duplicate_key", "/1/a", 2, 10), ("infinity", "/1/a", 2, 15)],
    ),
}


@pytest.mark.parametrize("piece_size", [1 << 18, 1, 9])
@pytest.mark.parametrize("name", PROBLEMS)
def test_a_trap_is_found_where_it_is(name, piece_size):
    data, expected = PROBLEMS[name]
    assert found(data, piece_size=piece_size) == expected


def test_every_problem_says_what_to_do():
    data = b'\xef\xbb\xbf[NaN, 1e999, "\\ud800", 9007199254740993, {"a": 1, "a": 2}]'
    problems = JsonDocument.parse(data).problems
    assert len({problem.code for problem in problems}) == 6
    assert {problem.severity for problem in problems} == {"warning", "info"}
    assert all(problem.message and problem.hint for problem in problems)


@pytest.mark.parametrize("piece_size", [1 << 18, 64])
def test_the_same_trap_is_listed_a_hundred_times_at_most(piece_size):
    data = b"[" + b'NaN, {"a": 1, "a": 2}, ' * 500 + b"1e999]"
    codes = [code for code, *_ in found(data, piece_size=piece_size)]
    assert codes.count("nan") == codes.count("duplicate_key") == 100
    assert codes.count("infinity") == 1


def test_pieces_with_only_known_traps_are_not_walked_again(monkeypatch):
    from evalcore.jsondoc import reader

    walks = []

    class Counted(reader.Walker):
        def walk(self, *args):
            walks.append(args)
            return super().walk(*args)

    monkeypatch.setattr(reader, "Walker", Counted)
    JsonDocument.parse(b"[" + b"NaN,\n" * 5000 + b"1]", piece_size=100)
    assert len(walks) < 20


FACTS = {
    "spaces": (b'{\n  "a": 1\n}\n', FileFacts(False, "\n", "  ", ": ", False, True)),
    "tabs": (b'{\n\t"a":1\n}', FileFacts(False, "\n", "\t", ":", False, False)),
    "one line": (b'{"a":[1]}', FileFacts(False, "\n", None, ":", False, False)),
    "CRLF and mark": (
        b"\xef\xbb\xbf[\r\n    1\r\n]\r\n",
        FileFacts(True, "\r\n", "    ", ": ", False, True),
    ),
    "returns": (b"[\r 1\r]\r", FileFacts(False, "\r", " ", ": ", False, True)),
    "mixed line ends": (b"[\n 1,\r\n 2\r\n]", FileFacts(False, "\r\n", " ", ": ", False, False)),
    "no indentation": (b'{\n"a" : 1\n}', FileFacts(False, "\n", "", " : ", False, False)),
    "items at the margin": (
        b'[\n{\n  "a": 1\n}\n]',
        FileFacts(False, "\n", "  ", ": ", False, False),
    ),
    "escapes": (b'["\\u00e9"]', FileFacts(False, "\n", None, ": ", True, False)),
    "escapes and raw": (
        '["\\u00e9é"]'.encode(),
        FileFacts(False, "\n", None, ": ", False, False),
    ),
    "escaped ASCII only": (
        b'["\\u0041\\\\u00e9"]',
        FileFacts(False, "\n", None, ": ", False, False),
    ),
    "nothing to see": (b"{}", FileFacts(False, "\n", "  ", ": ", False, False)),
}


@pytest.mark.parametrize("name", FACTS)
def test_facts_are_what_the_file_shows(name):
    data, facts = FACTS[name]
    assert JsonDocument.parse(data).facts == facts


SAMPLE = (
    b'\xef\xbb\xbf{\r\n  "a": [1, {"b": "\xc3\xa9", "c":\r\n 2}],\r\n'
    b'  "a/b": null, "x": 1, "x": 2\r\n}'
)

# pointer, text, line, column
PLACES = [
    ("/a", '[1, {"b": "é", "c":\r\n 2}]', 2, 8),
    ("/a/0", "1", 2, 9),
    ("/a/1/b", '"é"', 2, 18),
    ("/a/1/c", "2", 3, 2),
    ("/a~1b", "null", 4, 10),
    ("/x", "2", 4, 29),
]


@pytest.mark.parametrize(("pointer", "text", "line", "column"), PLACES)
def test_a_pointer_leads_to_its_text_and_place(pointer, text, line, column):
    document = JsonDocument.parse(SAMPLE)
    start, end = document.span(pointer)
    assert SAMPLE[start:end].decode() == document.text(pointer) == text
    assert document.position(pointer) == (line, column)


def test_the_empty_pointer_is_the_root_value():
    assert JsonDocument.parse(b" [1] ").span("") == (1, 4)
    assert JsonDocument.parse(SAMPLE).position("") == (1, 1)


MISSING_PLACES = ["/b", "/a/2", "/a/-1", "/a/x", "/a/²", "/a/" + "9" * 5000, "/a/0/b", "/a/1/b/0"]


@pytest.mark.parametrize("pointer", MISSING_PLACES)
def test_a_missing_value_has_no_span_but_the_place_of_its_nearest_ancestor(pointer):
    document = JsonDocument.parse(SAMPLE)
    with pytest.raises(KeyError):
        document.span(pointer)
    with pytest.raises(KeyError):
        document.text(pointer)
    ancestor = pointer.rpartition("/")[0]
    assert document.position(pointer) == document.position(ancestor)


def test_what_is_no_pointer_is_refused():
    with pytest.raises(ValueError, match="not a JSON pointer"):
        JsonDocument.parse(b"{}").position("a")


@pytest.mark.parametrize("newline", [b"\n", b"\r\n", b"\r"])
def test_lines_are_counted_right_across_blocks(newline):
    lines = [b"x" * (number % 97) for number in range(4000)]
    data = newline.join(lines)
    index = LineIndex(data)
    offset = 0
    for number, line in enumerate(lines):
        assert index.position(offset) == (number + 1, 1)
        assert index.position(offset + len(line)) == (number + 1, len(line) + 1)
        offset += len(line) + len(newline)


def test_columns_count_characters_in_lines_of_many_blocks():
    text = "\ufeff" + "aé😀" * 50_000 + "\n" + "é" * 100_000
    index = LineIndex(text.encode())
    for line, column in [(1, 1), (1, 3), (1, 100_001), (1, 150_001), (2, 1), (2, 99_999)]:
        characters = column + (text.index("\n") if line == 2 else 0)
        assert index.position(len(text[:characters].encode())) == (line, column)


def test_a_line_end_across_a_block_boundary_counts_once():
    data = b"x" * 65535 + b"\r\n" + b"y"
    assert LineIndex(data).position(len(data)) == (2, 2)


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_before_after_a_pause(enabled):
    before = gc.isenabled()
    try:
        gc.enable() if enabled else gc.disable()
        with pytest.raises(ZeroDivisionError), gc_paused():
            assert not gc.isenabled()
            raise ZeroDivisionError
        assert gc.isenabled() is enabled
    finally:
        gc.enable() if before else gc.disable()


@pytest.mark.parametrize(
    ("name", "shown"), [("a", "“a”"), ("x/y~", "“x/y~”"), ("", "“”"), ("k" * 50, f"“{'k' * 39}…”")]
)
def test_a_name_that_is_repeated_is_told(name, shown):
    data = f'{{"o": {{"{name}": 1, "{name}": 2}}}}'.encode()
    (problem,) = JsonDocument.parse(data).problems
    assert problem.message.startswith(f"{shown} occurs more than once")
