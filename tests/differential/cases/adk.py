"""Cases for google-adk's evaluators, and for how it reads and counts its judges' answers."""

from typing import Any

from hypothesis import strategies as st

from tests.differential.cases.values import Family, Row, Rows, near, sometimes, values

WORDS = (
    *("the", "a", "cat", "cats", "running", "ran", "universities", "universe", "always", "array"),
    *("carefully", "don't", "NOT", "3.5", "1,000", "café", "cafe\u0301", "Straße", "STRASSE"),
    *("東京は晴れ", "สวัสดี", "ລາວ", "ភាសា", "မြန်မာ", "مرحبا", "שלום", "👍", "ﬁne", "İstanbul"),
    *("\u212aelvin", "x_y", "--", "\u00ad", "\u200d", "generalizations", "oscillators", "dying"),
    *("news", "hopefulness", "proceed", "agreed", "sky", "skies", "logically", "falling"),
)
prose = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
    st.lists(st.sampled_from(WORDS), max_size=5).map("".join),
    st.text(max_size=15),
    st.text("abcdefghijklmnopqrstuvwxyz ing ed s", max_size=30),
)
STARTED: Row = {"user_content": {"role": "user", "parts": [{"text": "q"}]}}
thresholds = st.sampled_from([0, 0.5, 0.8, 1.0, 1.5, -1]) | st.floats(0, 1)
ARGUMENTS = ("x", "y")
arguments = st.none() | st.dictionaries(st.sampled_from(ARGUMENTS), values, max_size=2)
FEW: tuple[Any, ...] = (1, True, 1.0, "1", None, [1], [True], {"k": 1}, {"k": True}, 0, False)
few_arguments = st.dictionaries(st.sampled_from(ARGUMENTS), st.sampled_from(FEW), max_size=2)
calls = st.builds(
    lambda name, args, more: {"name": name, **({} if args is None else {"args": args}), **more},
    st.sampled_from(["a", "b", "A", "transfer_to_agent"]),
    st.one_of(few_arguments, few_arguments, st.none(), arguments),
    sometimes({"id": st.sampled_from(["1", "2"])}),
)


def turn(text: str | None = None, made: list[Row] | None = None) -> Row:
    found = dict(STARTED)
    if text is not None:
        found["final_response"] = {"role": "model", "parts": [{"text": text}]}
    if made is not None:
        found["intermediate_data"] = {"tool_uses": made}
    return found


@st.composite
def trajectories(draw: st.DrawFn) -> Row:
    expected, actual = [], []
    for _ in range(draw(st.integers(0, 3))):
        wanted = draw(st.lists(calls, max_size=4))
        made = draw(st.permutations(wanted)) if draw(st.booleans()) else list(wanted)
        for _ in range(draw(st.integers(0, 2))):
            made.insert(draw(st.integers(0, len(made))), draw(calls))
        if made and draw(st.booleans()):
            place = draw(st.integers(0, len(made) - 1))
            made[place] = {**made[place], "args": draw(near(made[place].get("args", {})))}
            if not isinstance(made[place]["args"], dict):
                del made[place]["args"]
        expected.append(turn(made=wanted if wanted or draw(st.booleans()) else None))
        actual.append(turn(made=made if made or draw(st.booleans()) else None))
    if draw(st.integers(0, 19)) == 0:
        actual = actual[1:]
    criterion: Any = {"threshold": draw(thresholds)}
    criterion |= draw(
        sometimes(
            {
                "match_type": st.sampled_from(["EXACT", "IN_ORDER", "ANY_ORDER"]),
                "ignore_args": st.booleans(),
            }
        )
    )
    if draw(st.integers(0, 9)) == 0:
        criterion = criterion["threshold"]
    return {
        "metric": "tool_trajectory_avg_score",
        "criterion": criterion,
        "expected": expected,
        "actual": actual,
    }


@st.composite
def replies(draw: st.DrawFn) -> Row:
    expected, actual = [], []
    for _ in range(draw(st.integers(0, 3))):
        wanted = draw(st.none() | prose)
        made = draw(st.none() | prose)
        if wanted and draw(st.booleans()):
            words = draw(st.permutations(wanted.split(" ")))
            made = " ".join(words[draw(st.integers(0, 1)) :]) + (made or "")[:5]
        expected.append(turn(wanted))
        actual.append(turn(made))
    return {
        "metric": "response_match_score",
        "criterion": {"threshold": draw(thresholds)},
        "expected": expected,
        "actual": actual,
    }


tokens = st.none() | st.integers(0, 200)
COUNTS = (
    *("prompt_token_count", "cached_content_token_count", "tool_use_prompt_token_count"),
    *("candidates_token_count", "thoughts_token_count", "total_token_count"),
)
usage = sometimes(dict.fromkeys(COUNTS, tokens))
parts = st.one_of(
    calls.map(lambda call: {"function_call": call}), prose.map(lambda text: {"text": text})
)
events = st.builds(
    lambda more: {"author": "agent", **more},
    sometimes(
        {
            "content": st.lists(parts, max_size=3).map(lambda p: {"role": "model", "parts": p}),
            "usage_metadata": usage,
            "model_version": st.just("m"),
        }
    ),
)
seconds = st.none() | st.floats(0, 30) | st.sampled_from([0.0, 1.0005, 2.0004, 0.1])
recorded = st.builds(
    lambda more, times: {**STARTED, **more, **times},
    st.one_of(
        st.just({}),
        st.lists(calls, max_size=3).map(lambda c: {"intermediate_data": {"tool_uses": c}}),
        st.lists(events, max_size=3).map(lambda e: {"intermediate_data": {"invocation_events": e}}),
    ),
    sometimes({"duration": seconds, "model_duration": seconds, "tool_duration": seconds}),
)


def used(metric: str) -> Rows:
    return st.builds(
        lambda criterion, actual: {
            "metric": metric,
            "criterion": criterion,
            "expected": None,
            "actual": actual,
        },
        st.sampled_from([None] * 19 + [5]),
        st.lists(recorded, max_size=3),
    )


def text_of(*pieces: str) -> Rows:
    """Draw texts put together from pieces that the package's parsers look for."""
    joined = st.lists(st.sampled_from(pieces), max_size=14).map("".join)
    return st.builds(lambda text: {"judge_text": text}, joined)


BRACES = (
    *("{", "}", '"is_the_agent_response_valid":', '"is_the_agent_response_invalid":', " ", "\n"),
    *('"is_valid":', '"', '""', "[", "]", "[[", ",", "valid", "invalid", "true", "false", "Valid"),
    *("almost", "partially", "partially valid", "partially_valid", "TRUE", "^", "\t", "}}", "x"),
    *('\\"', "\u00a0", "\r", "\x0b", "'", '{"is_the_agent_response_valid": "valid"}'),
    *('{"is_valid": "almost"}', '"is_the_agent_response_valid": "'),
)
BLOCKS = (
    *("ID: ", "Property: ", "Rationale: ", "Verdict: ", "ID:", "Verdict:", "r1", "r2", "yes", "no"),
    *("Yes.", "unknown", "maybe", "\n", "\n\n", "  ", "\n ID: a", "\nProperty: p\n", "*", "**"),
    *("\nRationale: because\n", "\nVerdict: yes\n", "\nVerdict: no", "STEP 1", "\r\n", "\u2028"),
    *("\t", "\x0c", "ID: r1\nProperty: p one\nRationale: because\nVerdict: yes"),
    "\nID: late\nProperty: q\nRationale: z\nVerdict: no",
)
SENTENCES = (
    *("sentence:", "label:", "rationale:", "supporting_excerpt:", "contradicting_excerpt:", " "),
    *("\nsentence: A.", "\nlabel: supported", "\nrationale: r", "\nsupporting_excerpt: null"),
    *("\ncontradicting_excerpt: null", "\n", "\n\n", "Label: Disputed", "foo", "\nLABEL: x"),
    "\nSentence: Z",
    "sentence: A.\nlabel: supported\nrationale: r\nsupporting_excerpt: e\n"
    "contradicting_excerpt: null",
    "sentence: B.\nlabel: unsupported\nrationale: r\nsupporting_excerpt: null\n"
    "contradicting_excerpt: null\n\n",
)
SIGNS = (
    "’",
    "“",
    "–",
    "•",
    "#",
    ">",
    "-",
    "_",
    "`",
    '"',
    "'",
    "  ",
    "\t",
    "Ab",
    "ﬁ",
    "é",
    "\n",
    "*",
)
verdicts = st.sampled_from([0.0, 1.0, None])
maybe_scores = st.lists(verdicts, min_size=1, max_size=5)
of_rubrics = st.dictionaries(st.sampled_from("abc"), verdicts, max_size=3)
rubrics = st.lists(
    st.builds(
        lambda name, text, kind: {
            "rubric_id": name,
            "rubric_content": {"text_property": text},
            **({} if kind is None else {"type": kind}),
        },
        st.sampled_from("abcd"),
        st.sampled_from(["is polite", "must fail", "Must fail", "must fail here", "is short"]),
        st.sampled_from(
            ["FINAL_RESPONSE_QUALITY", "FINAL_RESPONSE_QUALITY", "TOOL_USE_QUALITY", None]
        ),
    ),
    max_size=3,
)
scoped = st.builds(
    lambda threshold, own, turns: {
        "threshold": threshold,
        "criterion_rubrics": own,
        "turn_rubrics": turns,
    },
    thresholds,
    rubrics,
    st.lists(rubrics, max_size=3),
)


def counted(**parts: st.SearchStrategy[Any]) -> Rows:
    return st.fixed_dictionaries({**parts, "threshold": thresholds})


ROOTS = (
    *("gener", "oper", "happi", "run", "fly", "tr", "agre", "fall", "siz", "hiss", "fil", "rel"),
    *("condition", "vali", "digit", "conform", "radical", "differ", "vil", "analog", "y", "ey"),
)
ENDINGS = (
    *("s", "es", "ies", "sses", "ed", "eed", "ied", "ing", "ly", "y", "e", "al", "alli", "ization"),
    *("ational", "tional", "enci", "anci", "izer", "bli", "entli", "eli", "ousli", "ation", "ator"),
    *("alism", "iveness", "fulness", "ousness", "aliti", "iviti", "biliti", "fulli", "logi"),
    *("icate", "ative", "alize", "iciti", "ical", "ful", "ness", "ance", "ement", "ment", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize", "ll", "at", "bl", "iz", "tt"),
)
made_up = st.builds(
    lambda root, endings: root + "".join(endings),
    st.sampled_from(ROOTS) | st.text("abcdefghijklmnopqrstuvwxyz", max_size=5),
    st.lists(st.sampled_from(ENDINGS), max_size=3),
)
FAMILIES = {
    "tool trajectory": Family("vectors", trajectories()),
    "response match": Family("vectors", replies()),
    "tool calls": Family("vectors", used("tool_call_count_v1")),
    "inference calls": Family("vectors", used("inference_call_count_v1")),
    "tokens": Family("vectors", used("token_usage_v1")),
    "duration": Family("vectors", used("invocation_duration_v1")),
    "stems": Family("stems", st.builds(lambda word: {"word": word}, made_up)),
    "reply judge's answer": Family("final_response_match_v2_parse", text_of(*BRACES)),
    "reply judge's votes": Family("final_response_match_v2_vote", counted(samples=maybe_scores)),
    "reply judge's case": Family(
        "final_response_match_v2_overall", counted(turn_scores=maybe_scores)
    ),
    "simulator judge's answer": Family("per_turn_user_simulator_parse", text_of(*BRACES)),
    "rubric judge's answer": Family("rubric_parse", text_of(*BLOCKS)),
    "rubric judge's votes": Family(
        "rubric_vote", counted(samples=st.lists(of_rubrics, min_size=1, max_size=4))
    ),
    "rubric judge's case": Family(
        "rubric_overall", counted(turns=st.lists(of_rubrics, min_size=1, max_size=3))
    ),
    "rubric text": Family(
        "rubric_normalize",
        st.builds(
            lambda text: {"in": text},
            st.lists(st.sampled_from(SIGNS), max_size=8).map("".join) | st.text(max_size=12),
        ),
    ),
    "rubrics of turns": Family("rubric_scoping_with_fake_judge", scoped),
    "hallucination judge's answer": Family("hallucinations_parse", text_of(*SENTENCES)),
}
