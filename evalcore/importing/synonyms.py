"""What people call the columns of their spreadsheets, in lower case and with spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip() for word in text.replace("\n", ",").split(",") if word.strip())


SYNONYMS: Final[Mapping[str, frozenset[str]]] = {
    "case": _words(
        """id, case id, case, eval id, test id, test case, test case id, testcase, case name, key
        conversation id, session id, thread id, dialogue id, dialog id, sample id, fall"""
    ),
    "turn": _words(
        "turn, turn number, turn index, turn no, turn id, step, order, position, message number"
    ),
    "input": _words(
        """input, inputs, question, query, prompt, user, user says, user input, utterance, message
        user message, user query, request, human, instruction, customer says, user content, ask
        customer, customer message, frage, eingabe"""
    ),
    "expected_output": _words(
        """expected output, expected, expected reply, expected response, expected answer, answer
        ideal, reference, ground truth, groundtruth, golden, golden answer, gold, target, assistant
        response, reply, output, expected result, completion, reference answer, final response
        expected final response, correct answer, actual output, antwort, ausgabe"""
    ),
    "tool_calls": _words(
        """tool calls, expected tool calls, tools, expected tools, trajectory, expected trajectory
        expected tool use, tool use, tool uses, expected tool trajectory, tool trajectory, calls
        actual tool calls"""
    ),
    "tags": _words("tags, tag, labels, label, category, categories, topic, area"),
    "name": _words("name, title, scenario, test name"),
    "description": _words("description, notes, note, comment, comments, remarks"),
    "expected_behavior": _words(
        """expected behavior, expected behaviour, behavior, behaviour, expected agent behavior
        expected agent behaviour"""
    ),
    "node_order": _words(
        "node order, expected nodes, nodes, expected node order, actual node order"
    ),
    "rubrics": _words("rubrics, rubric, criteria, grading criteria"),
    "intermediate_responses": _words("intermediate responses, messages on the way"),
    "session.state": _words("state, session state, initial state"),
    "session.user_id": _words("user id, userid"),
    "session.app_name": _words("app, app name"),
}
"""The canonical name of a field, and the names that mean it."""

OBJECTS: Final[Mapping[str, frozenset[str]]] = {
    "input": _words("inputs, input, in, args, arguments, vars, variables, parameters"),
    "expected_output": _words(
        "expected_output, expected, outputs, output, out, expectedoutput, actual_output"
    ),
    "metadata": _words("metadata, meta"),
    "session.state": _words("state, session.state, session_state"),
    "criteria": _words("criteria, evaluationcriterias, evaluation_criterias"),
}
"""The fields that hold named values, and what stands before the dot in names inside of them."""
