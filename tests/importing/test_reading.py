"""What files are taken for, and what comes out of them."""

import json
from datetime import date, datetime, time
from io import BytesIO

import pytest
from openpyxl import Workbook

from evalcore.errors import FormatError
from evalcore.importing.reading import read_source
from evalcore.importing.source import ReadOptions, Source, Unusable
from evalcore.jsontree import MISSING
from tests.samples import SAMPLES


def rows(source: Source) -> list[dict]:
    """Return the rows as objects, without what is missing."""
    return [
        {c: v for c, v in zip(source.columns, row.values, strict=True) if v is not MISSING}
        for row in source.rows
    ]


def read(data: str | bytes, name: str = "cases.csv", **options) -> Source:
    raw = data.encode() if isinstance(data, str) else data
    return read_source(raw, name, ReadOptions(**options))


QUESTIONS = [{"question": "Ça va?", "answer": "Très bien"}, {"question": "Où?", "answer": "Là"}]


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("cp1252", "cp1252"),
        ("utf-16", "utf-16"),
        ("utf-16-le", "utf-16"),
        ("utf-16-be", "utf-16"),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_encoding_and_separator_are_found_out(encoding: str, found: str, delimiter: str):
    lines = [delimiter.join(QUESTIONS[0]), *(delimiter.join(q.values()) for q in QUESTIONS)]
    source = read("\r\n".join(lines).encode(encoding))
    assert rows(source) == QUESTIONS
    assert (source.options.encoding, source.options.delimiter) == (found, delimiter)
    assert source.options.header == 1 and source.kind == "table"


def test_an_encoding_may_be_chosen_and_is_refused_where_it_does_not_fit():
    assert rows(read("q,a\nПривет,да\n".encode("cp1251"), encoding="cp1251")) == [
        {"q": "Привет", "a": "да"}
    ]
    with pytest.raises(FormatError, match="no text in UTF-8"):
        read("q,a\nÜ,b\n".encode("cp1252"), encoding="utf-8")


def test_a_separator_inside_quotation_marks_separates_nothing():
    source = read('question;answer\n"a; b";"says ""yes"""\n"two\nlines";c\n')
    assert rows(source) == [
        {"question": "a; b", "answer": 'says "yes"'},
        {"question": "two\nlines", "answer": "c"},
    ]
    assert [row.number for row in source.rows] == [2, 3]


def test_excels_own_hint_at_the_separator_is_followed():
    assert rows(read("sep=;\nq;a\n1,5;x\n")) == [{"q": "1,5", "a": "x"}]


@pytest.mark.parametrize(
    ("text", "header", "columns"),
    [
        ("Refunds of May\n\nQuestion,Answer\nWhy?,So\nHow?,So\n", 3, ("Question", "Answer")),
        ("Why?,So.\nHow?,So.\n", 0, ("Column A", "Column B")),
        ("What is it?\nWho is it?\n", 0, ("Column A",)),
        ("a,,c\n1,2,3\n", 1, ("a", "Column B", "c")),
        ("Answer,Answer\nx,y\n", 1, ("Answer", "Answer (2)")),
    ],
)
def test_the_row_with_the_names_is_found(text: str, header: int, columns: tuple[str, ...]):
    source = read(text)
    assert (source.options.header, source.columns) == (header, columns)


def test_the_row_with_the_names_may_be_chosen():
    text = "one,two\nthree,four\nfive,six\n"
    assert rows(read(text, header=2)) == [{"three": "five", "four": "six"}]
    assert len(read(text, header=0).rows) == 3


def test_ragged_and_empty_rows_keep_their_numbers():
    source = read("q,a\n1,2,3\n\n4\n5,6,,\n")
    assert rows(source) == [{"q": "4"}, {"q": "5", "a": "6"}]
    assert [row.number for row in source.rows] == [4, 5]
    (problem,) = source.problems
    assert (problem.row, problem.column, problem.severity) == (2, "C", "error")
    assert "3 cells, the header only 2" in problem.message


def test_a_quotation_mark_that_never_ends_stops_the_reading_at_its_row():
    source = read('q,a\n1,2\n3,"4\n5,6\n7,8\n')
    assert rows(source) == [{"q": "1", "a": "2"}]
    (problem,) = source.problems
    assert problem.row == 3 and "never ends" in problem.message


def test_quotation_marks_that_are_not_doubled_are_read_all_the_same():
    source = read('q,a\n"say "hi" now",b\nc,d\n')
    assert len(source.rows) == 2
    assert [p.severity for p in source.problems] == ["info"]


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(data: bytes):
    with pytest.raises(FormatError, match="empty"):
        read(data)


def workbook(*sheets: tuple[str, list[list]], change=lambda book: None) -> bytes:
    book = Workbook()
    book.remove(book.active)
    for name, lines in sheets:
        sheet = book.create_sheet(name)
        for line in lines:
            sheet.append(line)
    change(book)
    stream = BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_a_workbooks_values_keep_their_kinds():
    when = datetime(2026, 5, 4, 13, 30)
    data = workbook(
        ("S", [["id", "n", "x", "yes", "day", "moment", "clock"]]),
        change=lambda b: b["S"].append(["007", 42, 1.5, True, date(2026, 5, 4), when, time(9, 5)]),
    )
    source = read(data, "x.xlsx")
    assert rows(source) == [
        {
            "id": "007",
            "n": 42,
            "x": 1.5,
            "yes": True,
            "day": "2026-05-04",
            "moment": "2026-05-04T13:30:00",
            "clock": "09:05:00",
        }
    ]
    assert source.typed and source.kind == "workbook"


def test_the_first_sheet_with_anything_in_it_is_read_and_another_may_be_chosen():
    data = workbook(("Empty", []), ("One", [["q"], ["a"]]), ("Two", [["q"], ["b"]]))
    source = read(data, "x.xlsx")
    assert source.sheets == ("Empty", "One", "Two") and source.options.sheet == "One"
    assert rows(read(data, "x.xlsx", sheet="Two")) == [{"q": "b"}]


def test_merged_cells_give_their_value_to_each_of_their_rows():
    def merge(book: Workbook) -> None:
        book["S"].merge_cells("A2:A4")

    lines = [["id", "q"], ["c1", "one"], [None, "two"], [None, "three"], ["c2", "four"]]
    source = read(workbook(("S", lines), change=merge), "x.xlsx")
    assert [r["id"] for r in rows(source)] == ["c1", "c1", "c1", "c2"]


def test_a_formula_without_a_value_and_an_error_are_named_by_their_cell():
    source = read(workbook(("S", [["q", "a"], ["x", "=1+1"], ["y", "#N/A"]])), "x.xlsx")
    found = source.column("a")
    assert all(isinstance(value, Unusable) for value in found)
    assert "never calculated" in found[0].message and "#N/A" in found[1].message


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"PK\x03\x04 no zip", "damaged"), (b"\xd0\xcf\x11\xe0 old", "old Excel file")],
)
def test_what_is_no_workbook_says_what_to_do(data: bytes, message: str):
    with pytest.raises(FormatError, match=message) as caught:
        read(data, "x.xlsx")
    assert caught.value.hint


CHAT = [{"user": "Hi", "assistant": "Hello"}, {"user": "Bye", "assistant": "Ciao"}]
MESSAGES = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Refund A-1"},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "c1",
                "type": "function",
                "function": {"name": "refund", "arguments": '{"o": 1}'},
            }
        ],
    },
    {"role": "tool", "tool_call_id": "c1", "content": "done"},
    {"role": "assistant", "content": "It is refunded."},
    {"role": "user", "content": [{"type": "text", "text": "Thanks"}]},
    {"role": "assistant", "content": "You're welcome."},
]
TURNS = [
    {
        "id": "conversation_1",
        "turn": 1,
        "input": "Refund A-1",
        "expected_output": "It is refunded.",
        "tool_calls": [{"name": "refund", "args": {"o": 1}, "id": "c1", "result": "done"}],
    },
    {
        "id": "conversation_1",
        "turn": 2,
        "input": "Thanks",
        "expected_output": "You're welcome.",
    },
]


def lines(*values) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.mark.parametrize(
    ("name", "text", "kind", "expected"),
    [
        ("a.jsonl", lines(*CHAT), "records", CHAT),
        ("a.json", json.dumps(CHAT), "records", CHAT),
        ("a.json", json.dumps({"data": CHAT}), "records", CHAT),
        ("a.json", json.dumps(MESSAGES), "messages", TURNS),
        ("a.jsonl", lines({"messages": MESSAGES}), "messages", TURNS),
        ("a.json", json.dumps([{"messages": MESSAGES, "id": "conversation_1"}]), "messages", TURNS),
        (
            "a.json",
            json.dumps([CHAT]),
            "chat",
            [
                {
                    "id": "conversation_1",
                    "turn": n,
                    "input": c["user"],
                    "expected_output": c["assistant"],
                }
                for n, c in enumerate(CHAT, 1)
            ],
        ),
        (
            "a.jsonl",
            lines({"input": [{"role": "user", "content": "2+2"}], "ideal": ["4", "four"]}),
            "openai_evals",
            [
                {
                    "id": "sample_1",
                    "turn": 1,
                    "input": "2+2",
                    "expected_output": "4",
                    "other answers": ["four"],
                }
            ],
        ),
    ],
)
def test_conversations_are_recognised(name: str, text: str, kind: str, expected: list[dict]):
    source = read(text, name)
    assert source.kind == kind
    assert rows(source) == expected


def test_a_flat_chat_log_may_be_read_as_one_conversation():
    source = read(lines(*CHAT), "a.jsonl", kind="chat")
    assert [(r["id"], r["turn"]) for r in rows(source)] == [
        ("conversation_1", 1),
        ("conversation_1", 2),
    ]


def test_what_a_conversation_loses_is_said():
    assert read(json.dumps(MESSAGES), "a.json").notes == ("A system message was left out",)


def test_a_bad_line_is_named_and_the_good_ones_are_kept():
    source = read('{"q": 1}\n{"q": \n{"q": 3}\n', "a.jsonl")
    assert [row.number for row in source.rows] == [1, 3]
    assert [(p.row, p.severity) for p in source.problems] == [(2, "error")]


def test_broken_json_says_where():
    with pytest.raises(FormatError, match="Line 1, column"):
        read('[{"q": 1}, {"q" 2}]', "a.json")


def test_objects_inside_of_records_become_dotted_columns():
    source = read(json.dumps([{"in": {"a": 1, "b": {"c": "x"}}}, {"in": {"a": 2}}]), "a.json")
    assert source.columns == ("in.a", "in.b.c")


PROMPTFOO = """
prompts: ["Answer: {{q}}"]
defaultTest: {vars: {lang: en}}
tests:
  - description: yes
    vars: {q: no, when: 2026-01-02}
    assert:
      - {type: equals, value: certainly}
      - {type: contains, value: cert}
      - {type: llm-rubric, value: Is polite}
  - vars: {q: [a, b]}
"""


def test_promptfoo_tests_are_read_without_guessing_at_yes_no_and_dates():
    found = rows(read(PROMPTFOO, "promptfooconfig.yaml"))
    assert found[0] == {
        "name": "yes",
        "vars.lang": "en",
        "vars.q": "no",
        "vars.when": "2026-01-02",
        "prompt": "Answer: no",
        "expected_output": "certainly",
        "assert contains": "cert",
        "rubrics": ["Is polite"],
    }
    assert [row["vars.q"] for row in found] == ["no", "a", "b"]


def test_tests_in_other_files_and_endless_aliases_are_refused():
    source = read("prompts: [x]\ntests: file://tests.csv\n", "p.yaml")
    assert "another file" in source.problems[0].message
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{c}: &{c} [{','.join([f'*{b}'] * 10)}]\n"
        for b, c in zip("abcdefg", "bcdefgh", strict=True)
    )
    with pytest.raises(FormatError, match="aliases"):
        read(bomb, "bomb.yaml")


SESSION = {
    "id": "s1",
    "app_name": "desk",
    "user_id": "maya",
    "state": {"tier": "gold"},
    "events": [
        {"invocation_id": "i1", "author": "user", "content": {"parts": [{"text": "Refund A-1"}]}},
        {
            "invocation_id": "i1",
            "author": "agent",
            "content": {
                "parts": [{"function_call": {"id": "f", "name": "refund", "args": {"o": 1}}}]
            },
        },
        {
            "invocation_id": "i1",
            "author": "agent",
            "content": {
                "parts": [
                    {"function_response": {"id": "f", "name": "refund", "response": {"ok": True}}}
                ]
            },
        },
        {
            "invocation_id": "i1",
            "author": "agent",
            "content": {"parts": [{"text": "Refu"}]},
            "partial": True,
        },
        {"invocation_id": "i1", "author": "agent", "content": {"parts": [{"text": "Refunded."}]}},
    ],
}


def test_a_recorded_adk_session_becomes_a_case():
    source = read(json.dumps(SESSION), "session.json")
    assert source.kind == "session"
    assert rows(source) == [
        {
            "id": "s1",
            "turn": 1,
            "input": "Refund A-1",
            "expected_output": "Refunded.",
            "tool_calls": [{"name": "refund", "args": {"o": 1}, "id": "f", "result": {"ok": True}}],
            "session.app_name": "desk",
            "session.user_id": "maya",
            "session.state.tier": "gold",
        }
    ]


RESULTS = sorted(
    path
    for pattern in ("*output.json", "eval-run.json", "*evalset_result.json", "eval_reports/*.json")
    for path in SAMPLES.rglob(pattern)
    if "odd" not in path.parts
)


@pytest.mark.parametrize("path", RESULTS, ids=lambda p: p.name)
def test_results_of_every_system_become_rows(path):
    source = read(path.read_bytes(), path.name)
    assert source.kind == "results" and source.rows
    assert {"id", "turn"} <= set(source.columns)


def test_a_hundred_thousand_rows_are_read():
    text = "id,question\n" + "".join(f"c{n},What is {n}?\n" for n in range(100_000))
    source = read(text)
    assert len(source.rows) == 100_000 and source.rows[-1].number == 100_001
