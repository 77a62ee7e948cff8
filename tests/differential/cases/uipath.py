"""Cases for UiPath's evaluators, coded and low-code."""

from typing import Any

from hypothesis import strategies as st

from tests.differential.cases.values import (
    Family,
    Row,
    Rows,
    near,
    objects,
    sometimes,
    texts,
    values,
)

PATHS = ("*", "a", "r", "a.b", "a[0]", "[0]", ".a.", "", ".", " ", "a.b.c", "content", "q")
KEY_LISTS: tuple[list[str], ...] = (["a"], ["a", "r"], [], ["*"], ["a.b"])
NAMES = (
    "f",
    "g",
    "Web Search",
    "Web_Search",
    " f ",
    "地図",
    "天気",
    "caf é",
    "11",
    "a.b",
    "f" * 70,
)
IDS: tuple[Any, ...] = ("11", "f", "", 0)
GIVEN = (
    *('{"x": 1}', '{"x": true}', '{"x": "1"}', "{'x': None}", "[1]", "x=1", '{"x": {"y": [1]}}'),
    *("{'x': (1,)}", "", "{1: 2}", '{"x":1,"y":2}', "5", '{"x": 1.0, "z": NaN}', "{'x': {1}}"),
)
ANSWERED = (
    *("hello", '{"content": "out"}', '{"content": {"t": 1}}', '{"content": 0}', '{"t": 1}'),
    *("[1,2]", "5", "null", " out ", "{'a': 1}", '"q"', ""),
)
names = st.sampled_from(NAMES)


def coded(kind: str, config: Row) -> Row:
    return {
        "version": "1.0",
        "id": "e",
        "evaluatorTypeId": f"uipath-{kind}",
        "evaluatorConfig": {"name": "e", **config},
    }


def legacy(category: int, kind: int, config: Row) -> Row:
    return {
        "fileName": "e.json",
        "id": "e",
        "name": "e",
        "description": "",
        "createdAt": "x",
        "updatedAt": "y",
        "category": category,
        "type": kind,
        **config,
    }


keyed = {"targetOutputKey": st.sampled_from([*PATHS, *KEY_LISTS])}
lined = {
    "lineByLineEvaluator": st.sampled_from([False, False, True]),
    "lineDelimiter": st.sampled_from(["\n", "\n", ";", "\r\n", ""]),
}
matched = {"caseSensitive": st.booleans(), "negated": st.booleans()}


def held(value: Any) -> st.SearchStrategy[Any]:
    """Wrap what is neither an object nor a text: the package takes no other outputs."""
    if isinstance(value, (dict, str)):
        return st.just(value)
    return st.sampled_from(["a", "r"]).map(lambda key: {key: value})


@st.composite
def sides(draw: st.DrawFn) -> tuple[Any, Any]:
    """Draw an expected output and a similar or other one."""
    expected = draw(values | objects)
    actual = draw(near(expected))
    return draw(held(expected)), draw(held(actual))


@st.composite
def compared(draw: st.DrawFn, kind: str, options: Row) -> Row:
    expected, actual = draw(sides())
    odd = st.sampled_from([None, {}, {"expected_output": expected}, {"x": 1}])
    usual = st.just({"expectedOutput": expected})
    criteria = draw(st.one_of(*[usual] * 9, odd))
    config = draw(sometimes(keyed | lined | options))
    return {"evaluator": coded(kind, config), "criteria": criteria, "output": actual, "trace": []}


@st.composite
def searched(draw: st.DrawFn) -> Row:
    wanted, output = draw(texts), draw(values)
    if isinstance(output, str) and draw(st.booleans()):
        output = output + wanted + draw(texts)
    config = draw(sometimes(keyed | lined | matched))
    return {
        "evaluator": coded("contains", config),
        "criteria": {"searchText": wanted},
        "output": draw(held(output)),
        "trace": [],
    }


LABELS = ("a", "A", "abc", "x", "5.0", "true", "É", "é", " a")


@st.composite
def labelled(draw: st.DrawFn, kind: str, options: Row, needed: Row) -> Row:
    config = draw(sometimes(keyed | {"lineByLineEvaluator": st.just(False)} | options))
    config |= {name: draw(what) for name, what in needed.items()}
    answer = draw(st.sampled_from(LABELS) | values)
    output = answer if isinstance(answer, str) and draw(st.booleans()) else {"a": answer}
    return {
        "evaluator": coded(kind, config),
        "criteria": {"expectedClass": draw(st.sampled_from(LABELS))},
        "output": draw(held(output)),
        "trace": [],
    }


spans = st.builds(
    lambda attributes: {"name": "s", "attributes": attributes},
    st.builds(
        lambda name, more: {"tool.name": name, **more},
        st.one_of(*[names] * 9, st.sampled_from(["", None])),
        sometimes(
            {
                "tool.id": st.sampled_from([None, None, None, None, *IDS]),
                "tool.synthesized": st.sampled_from([False, False, True]),
                "input.value": st.sampled_from(GIVEN) | texts,
                "output.value": st.sampled_from(ANSWERED) | texts,
            }
        ),
    ),
)
traces = st.lists(spans, max_size=7)
ids = sometimes({"id": st.sampled_from([None, None, None, "11", "f", "", "g"])})
ARGS: tuple[Row, ...] = (
    *({}, {"x": 1}, {"x": "1"}, {"x": None}, {"x": {"y": [1]}}, {"x": [1]}, {"y": 2}),
    *({"x": True}, {"x": 1.0}, {"x": 1, "y": 2}),
)
RESULTS = ("hello", "out", "{'t': 1}", "", "[1,2]", "5", " out ", "None", '"q"', "null")
SIGNS = ("=", "==", "!=", ">", "<", ">=", "<=", "~")


def called(kind: str, name: str, wanted: st.SearchStrategy[Any], options: Row) -> Rows:
    """Draw cases of a check of tool calls; ``name`` is the key of its expectation."""
    return st.builds(
        lambda config, expected, trace: {
            "evaluator": coded(kind, config),
            "criteria": {name: expected},
            "output": {},
            "trace": trace,
        },
        sometimes({"strict": st.sampled_from([False, False, True])} | options),
        wanted,
        traces,
    )


expected_calls = st.builds(
    lambda name, args, more: {"name": name, "args": args, **more},
    names,
    st.sampled_from(ARGS),
    ids,
)
expected_results = st.builds(
    lambda name, output, more: {"name": name, "output": output, **more},
    names,
    st.sampled_from(RESULTS) | texts,
    ids,
)
counts = st.dictionaries(
    names, st.tuples(st.sampled_from(SIGNS), st.integers(0, 3)).map(list), max_size=4
)

plain = {"targetOutputKey": st.sampled_from(PATHS)}
split = {
    "lineByLineEvaluation": st.sampled_from([False, False, True]),
    "lineDelimiter": st.sampled_from(["\n", "\n", ";", "\r\n"]),
}


@st.composite
def legacy_compared(draw: st.DrawFn, kind: int) -> Row:
    expected, actual = draw(sides())
    criteria: Row = {"expectedOutput": expected, "expectedAgentBehavior": "call f"}
    if draw(st.integers(0, 19)) == 0:
        criteria.pop("expectedAgentBehavior")
    config = draw(sometimes(plain | split))
    return {
        "evaluator": legacy(0, kind, config),
        "criteria": criteria,
        "output": actual,
        "trace": [],
    }


TABLES: tuple[Any, ...] = (
    *("Name,Age\nAnn,30\nBob,4", "name,AGE\nAnn,30", "Name\n", "", "Name,Age\r\nAnn,30\r\n"),
    *("\nName\nx", "Name,Name\n1,2", "Name ,Age\nAnn,30", 'Name\n"a\nb"', "Name,Age\nAnn"),
    *("Name;Ann", "Name,Age\n Ann ,30", "Name,Age\nann,30", 'Name,Age\n"Ann","3""0"'),
    *({"content": "Name\nq"}, {"content": ""}, {"x": 1}, 5, None, "Name,Age\nAnn,30,7\n\n,"),
)


@st.composite
def tables(draw: st.DrawFn) -> Row:
    def wrapped() -> Any:
        table = draw(st.sampled_from(TABLES) | texts)
        return draw(held(table)) if draw(st.booleans()) else {"a": table}

    expected = wrapped()
    config = draw(sometimes(plain | split))
    columns = st.sampled_from(["Name", "Name,Age", " age , name ,", "content", "x", ","])
    config["targetSubOutputKey"] = draw(columns)
    return {
        "evaluator": legacy(0, 10, config),
        "criteria": {"expectedOutput": expected, "expectedAgentBehavior": ""},
        "output": expected if draw(st.booleans()) else wrapped(),
        "trace": [],
    }


OUTPUT_PROMPTS = (
    *("E={{ExpectedOutput}} A={{ActualOutput}}", "judge", "A {{ActualOutput}} {{Foo}}"),
    *("{{ExpectedOutput}}{{ExpectedOutput}}", "{{{ActualOutput}}}", "{{ ActualOutput }}"),
)
RUN_PROMPTS = (
    "I={{UserOrSyntheticInput}} S={{SimulationInstructions}} B={{ExpectedAgentBehavior}} "
    "H={{AgentRunHistory}}",
    "B={{ExpectedAgentBehavior}} H={{AgentRunHistory}}",
    "x",
    "{{ExpectedAgentBehavior}}",
)
GIVEN_SCORES: tuple[Any, ...] = (
    *(85, 0.9, 1, 0, 100, 101, -1, True, False, "77", "NaN", "inf", None, [1], "x", 989898),
    *("1_0", " 5 ", 99.999, 0.4999, 12.345, 57.5),
)
verdicts = st.one_of(
    st.sampled_from(GIVEN_SCORES).map(lambda score: {"score": score, "justification": "j"}),
    st.floats(0, 100).map(lambda score: {"score": score, "justification": "j"}),
    st.sampled_from([None, {"score": 5}, {"justification": "j"}, {}]),
)
asked = {
    "model": st.sampled_from(["m", "claude-sonnet-4-5", "x-claude-haiku-4-5-y"]),
    "maxTokens": st.sampled_from([5, None]),
    "temperature": st.just(0.5),
}
BEHAVIORS = ("call f", "", " ", "{{UserOrSyntheticInput}}", "{{AgentRunHistory}}")


@st.composite
def judged_outputs(draw: st.DrawFn, kind: str) -> Row:
    row = draw(compared(kind, asked))
    row["evaluator"]["evaluatorConfig"]["prompt"] = draw(st.sampled_from(OUTPUT_PROMPTS))
    return {**row, "model_answer": draw(verdicts)}


@st.composite
def told_apart(draw: st.DrawFn) -> list[Row]:
    """Draw spans with different names: the package finds the answer to a call by its name."""
    return draw(st.lists(spans, max_size=3, unique_by=lambda s: str(s["attributes"]["tool.name"])))


@st.composite
def judged_runs(draw: st.DrawFn, kind: str) -> Row:
    config = draw(sometimes(asked)) | {"prompt": draw(st.sampled_from(RUN_PROMPTS))}
    return {
        "evaluator": coded(kind, config),
        "criteria": {"expectedAgentBehavior": draw(st.sampled_from(BEHAVIORS))},
        "output": {},
        "trace": draw(told_apart()),
        "model_answer": draw(verdicts),
    }


@st.composite
def legacy_judged(draw: st.DrawFn) -> Row:
    row = draw(legacy_compared(5))
    row["evaluator"] |= {"category": 1, "type": draw(st.sampled_from([0, 4, 5, 8]))}
    row["evaluator"] |= {"model": "m", "prompt": draw(st.sampled_from(OUTPUT_PROMPTS))}
    return {**row, "model_answer": draw(verdicts)}


@st.composite
def legacy_judged_runs(draw: st.DrawFn) -> Row:
    prompt = draw(st.sampled_from(RUN_PROMPTS[:2]))
    behavior = draw(st.sampled_from(BEHAVIORS))
    return {
        "evaluator": legacy(3, 7, {"model": "m", "prompt": prompt}),
        "criteria": {"expectedOutput": {}, "expectedAgentBehavior": behavior},
        "output": {},
        "trace": draw(told_apart()),
        "model_answer": draw(verdicts),
    }


METRICS = ("precision", "recall", "f-score")
EVALUATOR_NAMES = ("a", "b", "c")
CLASSES = (["a", "b"], ["A", "b", "c"], ["a"], ["x", "y"])
aggregators = st.builds(
    lambda kind, averaging, more: {"type": kind, "averaging": averaging, **more},
    st.sampled_from(["precision", "recall", "fscore", "confusion_matrix"]),
    st.sampled_from(["macro", "micro"]),
    sometimes({"fValue": st.sampled_from([1, 2, 0.5, 1000])}),
)
configurations = st.one_of(
    st.builds(
        lambda classes, numbers: ("exact-match", {"classes": classes, "aggregators": numbers}),
        st.sampled_from(CLASSES),
        st.lists(aggregators, max_size=5),
    ),
    st.just(("json-similarity", {})),
    st.builds(
        lambda positive, metric, weight: (
            "binary-classification",
            {"positiveClass": positive, "metricType": metric, "fValue": weight},
        ),
        st.sampled_from(["a", "A", "x"]),
        st.sampled_from(METRICS),
        st.sampled_from([1, 2, 0.5]),
    ),
    st.builds(
        lambda classes, metric, averaging: (
            "multiclass-classification",
            {"classes": classes, "metricType": metric, "averaging": averaging},
        ),
        st.sampled_from([["a", "b"], ["A", "a", "b"], ["x"]]),
        st.sampled_from(METRICS),
        st.sampled_from(["macro", "micro"]),
    ),
)
stored = st.one_of(
    st.builds(
        lambda expected, actual: {"expected": expected, "actual": actual},
        st.sampled_from(["a", "b", "A", "x", "oov"]),
        st.sampled_from(["a", "b", "B", "x", "oov"]),
    ),
    st.sampled_from([None, "Exception thrown by evaluator: x", {"expected": "a"}, {}]),
)


@st.composite
def runs(draw: st.DrawFn) -> Row:
    names = EVALUATOR_NAMES[: draw(st.integers(1, 3))]
    evaluators = []
    for name in names:
        kind, config = draw(configurations)
        evaluators.append(coded(kind, config | {"name": name}) | {"id": name})
    rows = st.tuples(
        st.sampled_from(names),
        st.just("id"),
        st.sampled_from([0.0, 1.0, 0.5, 100.0]),
        stored,
        st.sampled_from([False, False, False, True]),
    ).map(list)
    items = st.tuples(st.sampled_from("tuvw"), st.lists(rows, max_size=4)).map(list)
    weights = st.sampled_from([None, None, {"a": 2.0}, {"a": 0.0, "b": 0.0, "c": 0.0}])
    return {
        "evaluators": evaluators,
        "items": draw(st.lists(items, max_size=8)),
        "weights": draw(weights),
    }


paths = st.builds(
    lambda output, path: {"output": output, "path": path},
    values,
    st.sampled_from(PATHS) | st.text("ab.[]01*-", max_size=7),
)
FAMILIES = {
    "exact match": Family("evaluators", compared("exact-match", matched)),
    "contains": Family("evaluators", searched()),
    "JSON similarity": Family("evaluators", compared("json-similarity", {})),
    "tool call order": Family(
        "evaluators",
        called("tool-call-order", "toolCallsOrder", st.lists(names, max_size=6), {}),
    ),
    "tool call arguments": Family(
        "evaluators",
        called(
            "tool-call-args",
            "toolCalls",
            st.lists(expected_calls, max_size=4),
            {"subset": st.booleans()},
        ),
    ),
    "tool call count": Family(
        "evaluators", called("tool-call-count", "toolCallsCount", counts, {})
    ),
    "tool call output": Family(
        "evaluators",
        called("tool-call-output", "toolOutputs", st.lists(expected_results, max_size=4), {}),
    ),
    "binary classification": Family(
        "evaluators",
        labelled(
            "binary-classification", {}, {"positiveClass": st.sampled_from(["a", " ", "", "x"])}
        ),
    ),
    "multiclass classification": Family(
        "evaluators",
        labelled(
            "multiclass-classification",
            {},
            {"classes": st.sampled_from([["a", "abc"], ["A", "a"], ["5.0", "true", " a"]])},
        ),
    ),
    "low-code equals": Family("evaluators", legacy_compared(1)),
    "low-code JSON similarity": Family("evaluators", legacy_compared(6)),
    "low-code CSV columns": Family("evaluators", tables()),
    "numbers of a run": Family("aggregates", runs()),
    "paths": Family("paths", paths),
    "tool names": Family(
        "sanitized_tool_names", st.builds(lambda name: {"in": name}, names | st.text(max_size=80))
    ),
    "judge of meaning": Family(
        "llm_judges_fake_model", judged_outputs("llm-judge-output-semantic-similarity")
    ),
    "judge of strict JSON": Family(
        "llm_judges_fake_model", judged_outputs("llm-judge-output-strict-json-similarity")
    ),
    "judge of behaviour": Family(
        "llm_judges_fake_model", judged_runs("llm-judge-trajectory-similarity")
    ),
    "judge of simulated behaviour": Family(
        "llm_judges_fake_model", judged_runs("llm-judge-trajectory-simulation")
    ),
    "low-code judge": Family("llm_judges_fake_model", legacy_judged()),
    "low-code trajectory judge": Family("llm_judges_fake_model", legacy_judged_runs()),
}
