"""Cases for 10xGraph's criteria, their combinations and the summary of a report."""

from typing import Any

from hypothesis import strategies as st

from tests.differential.cases.values import Family, Row, Rows, sometimes

WORDS = (
    *("the", "cat", "not", "Paris", "paris", "3.5", "get_weather", "weather", "é", "e\u0301"),
    *("東京", "👍", "!!", "I'm", "no", "Straße", "STRASSE", "\n", "x", "İ", "\u200d", "ﬁ"),
)
# The package runs on a later Python, whose \w knows later letters: only those of both are drawn.
KNOWN = st.characters(codec="utf-8", exclude_categories=("Cn",))
prose = st.one_of(
    st.lists(st.sampled_from(WORDS), max_size=7).map(" ".join),
    st.sampled_from(["", " ", "!!!", "the cat", " the cat\n"]),
    st.text(KNOWN, max_size=12),
)
FEW: tuple[Any, ...] = (1, 1.0, True, False, 0, "1", "a", None, [1, 2], [True], {"k": 1}, {}, [])
few = st.sampled_from([*FEW, {"k": True}])
arguments = st.dictionaries(st.sampled_from("ab"), few, max_size=2)
calls = st.builds(
    lambda name, args, more: {"name": name, "args": args, **more},
    st.sampled_from(["a", "b", "A"]),
    arguments,
    sometimes({"call_id": st.sampled_from([None, "c"]), "result": few}),
)
nodes = st.lists(st.sampled_from(["MAIN", "TOOL", "__start__", "X"]), max_size=5)
contents = st.one_of(
    prose,
    prose,
    prose.map(
        lambda text: [
            {"type": "text", "text": text},
            {"type": "image", "url": "u"},
            {"type": "text", "text": "x"},
        ]
    ),
)
messages = contents.map(lambda text: {"role": "user", "content": text, "metadata": {}})
turns = st.builds(
    lambda said, more: {"user_content": said, **more},
    messages,
    sometimes(
        {
            "expected_tool_trajectory": st.lists(calls, max_size=4),
            "expected_node_order": nodes,
            "expected_final_response": st.none() | messages,
        }
    ),
)
thresholds = st.sampled_from([0, 0.3, 0.5, 0.7, 0.8, 1.0, 1.2, -1]) | st.floats(0, 1)
rubrics = st.lists(st.just({"rubric_id": "a", "content": "A", "weight": 2.0}), max_size=2)
configs = st.builds(
    lambda threshold, more: {"threshold": threshold, **more},
    thresholds,
    sometimes(
        {
            "match_type": st.sampled_from(["EXACT", "IN_ORDER", "ANY_ORDER"]),
            "check_args": st.booleans(),
            "num_samples": st.sampled_from([0, 1, 2, 3]),
            "keywords": st.lists(st.sampled_from([*WORDS, ""]), max_size=3),
            "rubrics": rubrics,
        }
    ),
)
cases = st.builds(
    lambda conversation, metadata: {
        "eval_id": "c",
        "conversation": conversation,
        "metadata": metadata,
    },
    st.lists(turns, max_size=3),
    st.sampled_from([{}, {"context": "ctx"}, {"reference_facts": "f"}]),
)


@st.composite
def actuals(draw: st.DrawFn, case: Row) -> Row:
    """Draw a run that often does some of what the case expects."""
    conversation = case["conversation"]
    wanted = [call for t in conversation for call in t.get("expected_tool_trajectory", ())]
    made = draw(st.permutations(wanted)) if draw(st.booleans()) else list(wanted)
    made = [*made[draw(st.integers(0, 1)) :], *draw(st.lists(calls, max_size=2))]
    visited = [node for t in conversation for node in t.get("expected_node_order", ())]
    replies = [t.get("expected_final_response") for t in conversation]
    texts = [r["content"] for r in replies if r and isinstance(r["content"], str)]
    reply = draw(st.one_of(prose, st.sampled_from([*texts, "", "the cat"])))
    return {
        "actual_response": reply + draw(st.sampled_from(["", "", " not", "\n"])),
        "tool_calls": draw(st.just(made) | st.lists(calls, max_size=5)),
        "node_visits": draw(st.just(visited) | nodes),
    }


GRADES: tuple[Any, ...] = (
    *(0, 1, 0.7, 0.8, 0.9, 0.3, 0.1, 0.55, 1.0, True, False, "0.7", "x", None, 7, -3, [1], {}),
)
lists = st.sampled_from([[], ["a"], ["a", "b", "a"], [1, "a"], [{"a": 1}], None, 5])
CATEGORIES: tuple[Any, ...] = (
    *({"privacy": 0.0}, {"privacy": "0.5", "hate_speech": 1}, {"privacy": None}, None, []),
    {"privacy": 0.1, "manipulation": 0.7},
)
answers = st.one_of(
    *[
        st.builds(
            lambda grade, more: {"score": grade, **more},
            st.sampled_from(GRADES) | st.floats(0, 1),
            sometimes(
                {
                    "reasoning": st.sampled_from(["because", "", None, 5]),
                    "issues": lists,
                    "errors": lists,
                    "hallucinations": lists,
                    "achieved_goals": lists,
                    "unachieved_goals": lists,
                    "categories": st.sampled_from(CATEGORIES),
                }
            ),
        )
    ]
    * 9,
    st.sampled_from([None, [], 3, "text", {}]),
)


@st.composite
def judged_or_not(draw: st.DrawFn, criterion: str, name: str, samples: int | None) -> Row:
    """Draw a case; ``samples`` is how often a judge is asked, None for as often as configured."""
    config, case = draw(configs), draw(cases)
    count = config.get("num_samples", 3) if samples is None else samples
    return {
        "criterion": criterion,
        "reported_name": name,
        "config": config,
        "case": case,
        "actual": draw(actuals(case)),
        "judge_replies": draw(st.lists(answers, min_size=count, max_size=count)),
    }


def computed(criterion: str, name: str) -> Rows:
    return judged_or_not(criterion, name, 0)


numbers = st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0]) | st.floats(0, 1)
fixed = st.fixed_dictionaries({"score": numbers, "threshold": thresholds})
weighed = st.fixed_dictionaries(
    {"score": numbers, "weight": st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0, 0.1, 0.7])}
)


def combined(criterion: str, parts: Rows, options: Row) -> Rows:
    config = st.fixed_dictionaries(
        {"threshold": thresholds, "sub": st.lists(parts, max_size=4), **options}
    )
    return st.builds(
        lambda config: {
            "criterion": criterion,
            "reported_name": f"{criterion}_criterion",
            "config": config,
            "case": None,
            "actual": None,
        },
        config,
    )


usages = st.builds(
    lambda given, got, read: {
        "input_tokens": given,
        "output_tokens": got,
        "cache_read_tokens": read,
        "cache_creation_tokens": 0,
    },
    st.integers(0, 99),
    st.integers(0, 99),
    st.integers(0, 9),
)
criterion_results = st.builds(
    lambda name, score, passed, error, usage: {
        "criterion": name,
        "score": score,
        "passed": passed,
        "threshold": 0.5,
        "details": {},
        "error": error,
        "token_usage": usage,
    },
    st.sampled_from(["rouge_match", "tool_name_match_score", "b"]),
    numbers,
    st.booleans(),
    st.sampled_from([None, None, "no"]),
    usages,
)
results = st.builds(
    lambda name, passed, found, took, error, usage: {
        "eval_id": name,
        "passed": passed,
        "criterion_results": found,
        "duration_seconds": took,
        "error": error,
        "token_usage": usage,
    },
    st.sampled_from("abcd"),
    st.booleans(),
    st.lists(criterion_results, max_size=3),
    st.floats(0, 30) | st.sampled_from([0.0, 0.1, 0.2]),
    st.sampled_from([None, None, "broke"]),
    usages,
)
FAMILIES = {
    "trajectory": Family("vectors", computed("trajectory", "tool_trajectory_avg_score")),
    "tool names": Family("vectors", computed("tool_name_match", "tool_name_match_score")),
    "node order": Family("vectors", computed("node_order", "node_order_score")),
    "word overlap": Family("vectors", computed("rouge_match", "rouge_match")),
    "exact match": Family("vectors", computed("exact_match", "exact_match")),
    "keywords": Family("vectors", computed("contains_keywords", "contains_keywords")),
    "composite": Family("vectors", combined("composite", fixed, {"require_all": st.booleans()})),
    "weighted": Family("vectors", combined("weighted", weighed, {})),
    "summary": Family(
        "aggregation", st.builds(lambda rows: {"results": rows}, st.lists(results, max_size=5))
    ),
    "reply judge": Family("vectors", judged_or_not("response_match", "response_match_score", None)),
    "judge": Family("vectors", judged_or_not("llm_judge", "final_response_match_v2", None)),
    "facts judge": Family(
        "vectors", judged_or_not("factual_accuracy", "factual_accuracy_v1", None)
    ),
    "hallucination judge": Family(
        "vectors", judged_or_not("hallucination", "hallucinations_v1", None)
    ),
    "safety judge": Family("vectors", judged_or_not("safety", "safety_v1", None)),
    "rubric judge": Family(
        "vectors", judged_or_not("rubric_based", "rubric_based_final_response_quality_v1", None)
    ),
    "goals judge": Family("vectors", judged_or_not("simulation_goals", "simulation_goals", 1)),
}
