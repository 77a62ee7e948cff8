"""Loads sets as the real packages do: ``python loading.py SYSTEM`` with lines of paths as input.

Runs in a package's own environment and imports nothing of this project. Each answer is a line: a
list of [case id, texts of its turns, names of its expected calls], or {"error": …}.
"""

import json
import logging
import sys
import warnings
from pathlib import Path

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)


def adk(path):
    from google.adk.evaluation.eval_set import EvalSet

    loaded = EvalSet.model_validate_json(Path(path).read_bytes())
    return [[case.eval_id, *adk_turns(case.conversation or [])] for case in loaded.eval_cases]


def adk_turns(turns):
    said, calls = [], []
    for turn in turns:
        parts = turn.user_content.parts or []
        said.append("\n".join(part.text for part in parts if part.text))
        data = turn.intermediate_data
        calls += [call.name for call in getattr(data, "tool_uses", None) or []]
    return said, calls


def tenxgraph(path):
    from tenxgraph.qa.evaluation.dataset.eval_set import EvalSet

    loaded = EvalSet.from_file(path)
    return [
        [
            case.eval_id,
            [turn.user_content.get_text() for turn in case.conversation],
            [call.name for turn in case.conversation for call in turn.expected_tool_trajectory],
        ]
        for case in loaded.eval_cases
    ]


def uipath(path):
    from uipath.eval.helpers import EvalHelpers

    loaded, _path = EvalHelpers.load_eval_set(path)
    return [[case.id, uipath_said(case.inputs), []] for case in loaded.evaluations]


def uipath_said(inputs):
    """Return the inputs, or the texts of all messages of a conversation."""
    if "messages" not in inputs:
        return [inputs]
    parts = [part for message in inputs["messages"] for part in message["contentParts"]]
    return [part["data"]["inline"] for part in parts if "inline" in part["data"]]


LOADERS = {"adk": adk, "tenxgraph": tenxgraph, "uipath": uipath}


def main(system):
    for line in sys.stdin:
        try:
            answer = LOADERS[system](line.rstrip("\n"))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
