"""Laws of the text of contents and of recorded tool calls, over generated values."""

from hypothesis import given
from hypothesis import strategies as st

from evalcore.formats.adk.calls import ExpectedCalls
from evalcore.formats.adk.content import ContentText, other_parts, text_of
from evalcore.formats.lenses import key
from evalcore.jsontree import MISSING, same
from evalcore.model import ToolCall

TEXTS = st.text(alphabet="ab \né🎈", max_size=6)
PARTS = st.lists(
    st.one_of(
        st.builds(lambda t: {"text": t}, TEXTS),
        st.builds(lambda t: {"text": t, "thought": True}, TEXTS),
        st.builds(lambda t: {"text": t, "thought_signature": "aGk="}, TEXTS),
        st.just({"inline_data": {"data": "aGk=", "mime_type": "image/png"}}),
        st.just({"text": None, "function_call": {"name": "f"}}),
        st.just({}),
        st.just("stray"),
    ),
    max_size=5,
)
CONTENTS = st.one_of(
    st.builds(lambda parts: {"parts": parts, "role": "user"}, PARTS),
    st.builds(lambda parts: {"role": "user", "parts": parts}, PARTS),
    st.just({}),
    st.just({"parts": None}),
)
SAID = ContentText(key("user_content", first="camel"), "user")
HOLDERS = st.one_of(
    st.builds(lambda c: {"user_content": c}, CONTENTS),
    st.builds(lambda c: {"userContent": c}, CONTENTS),
    st.just({}),
    st.just({"user_content": None}),
)
ODD = st.sampled_from([{"user_content": odd} for odd in (5, True, 1.5, [], "text", ["a"])])


@given(HOLDERS, TEXTS)
def test_text_that_was_put_is_got(raw, text):
    assert SAID.get(SAID.put(raw, text, "snake")) == text


@given(HOLDERS | ODD)
def test_putting_the_text_that_is_there_changes_nothing(raw):
    assert SAID.put(raw, SAID.get(raw), "snake") is raw


@given(HOLDERS, TEXTS, TEXTS)
def test_the_last_text_wins(raw, first, second):
    then = SAID.put(SAID.put(raw, first, "snake"), second, "snake")
    assert SAID.get(then) == second


@given(HOLDERS, TEXTS)
def test_parts_that_are_no_text_outlive_every_edit(raw, text):
    def kinds(value):
        name = next(iter(value), None)
        kept = other_parts(value[name]) if name else []
        return [k for k in kept if k not in ("thought", "thought_signature")]

    assert kinds(SAID.put(raw, text, "snake")) == kinds(raw)


@given(PARTS, st.integers(0, 4), TEXTS.filter(bool))
def test_an_edit_of_one_line_leaves_the_parts_of_other_lines_alone(parts, at, new):
    content = {"parts": parts}
    lines = [p for p in parts if isinstance(p, dict) and p.get("text") and "\n" not in p["text"]]
    held = [p for p in parts if isinstance(p, dict) and p.get("text")]
    if len(lines) != len(held) or at >= len(held) or "\n" in new:
        return
    texts = [p["text"] for p in held]
    texts[at] = new
    edited = SAID.put({"user_content": content}, "\n".join(texts), "snake")
    after = [p for p in edited["user_content"]["parts"] if isinstance(p, dict) and p.get("text")]
    assert text_of(edited["user_content"]) == "\n".join(texts)
    if len(after) == len(held):
        assert sum(a is not b and a != b for a, b in zip(after, held, strict=True)) <= 1


ARGS = st.one_of(st.just(MISSING), st.dictionaries(st.sampled_from("xy"), st.integers(0, 3)))
CALLS = st.lists(st.tuples(st.sampled_from(["f", "g"]), ARGS), max_size=4)


def part(call):
    name, args = call
    return {"function_call": {"name": name, **({} if args is MISSING else {"args": args})}}


def recorded(calls, per_event, extra):
    groups = [calls[i : i + per_event] for i in range(0, len(calls), per_event)]
    events = [
        {
            "author": "agent",
            "content": {"parts": [*([{"text": "Hm."}] if extra else []), *map(part, group)]},
        }
        for group in groups
    ]
    if extra:
        events.append({"author": "agent", "content": None})
    return {"user_content": {}, "intermediate_data": {"invocation_events": events}}


RECORDED = st.builds(recorded, CALLS, st.integers(1, 3), st.booleans())
EXPECTED = ExpectedCalls()


def bare(calls):
    return [(c.name, c.args, c.id) for c in calls]


@given(RECORDED)
def test_putting_recorded_calls_back_changes_nothing(raw):
    assert same(EXPECTED.put(raw, EXPECTED.get(raw), "snake"), raw)


@given(RECORDED, st.data())
def test_recorded_calls_are_reordered_deleted_copied_and_added(raw, data):
    had = EXPECTED.get(raw)
    kept = data.draw(st.lists(st.sampled_from(had), max_size=5)) if had else []
    added = [ToolCall(name=n, args=a) for n, a in data.draw(CALLS)]
    wanted = tuple(data.draw(st.permutations([*kept, *added])))
    put = EXPECTED.put(raw, wanted, "snake")
    assert bare(EXPECTED.get(put)) == bare(wanted)
    again = EXPECTED.put(put, EXPECTED.get(put), "snake")
    assert same(again, put)


@given(RECORDED)
def test_deleting_all_recorded_calls_leaves_what_else_the_events_hold(raw):
    put = EXPECTED.put(raw, (), "snake")
    events = raw["intermediate_data"]["invocation_events"]

    def words(items):
        return [p for e in items for p in ((e["content"] or {}).get("parts") or []) if "text" in p]

    assert words(put["intermediate_data"]["invocation_events"]) == words(events)
    assert EXPECTED.get(put) == ()


@given(CALLS, CALLS)
def test_written_calls_are_put_and_got(before, after):
    uses = [part(c)["function_call"] for c in before]
    raw = {"intermediate_data": {"tool_uses": uses}}
    wanted = tuple(ToolCall(name=n, args=a) for n, a in after)
    assert bare(EXPECTED.get(EXPECTED.put(raw, wanted, "snake"))) == bare(wanted)
