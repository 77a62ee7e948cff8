"""What UiPath reads from an eval set and its evaluators, and what its mocks answer."""

from uipath.eval.helpers import EvalHelpers
from uipath.eval.mocks._mockito_mocker import MockitoMocker
from uipath.eval.mocks._types import MockingContext

CALLS = {
    "answered": ("lookup_policy", (), {"policy": "HH-9001"}),
    "other arguments": ("lookup_policy", ("HH-9001",), {}),
    "other function": ("send_letter", (), {}),
}


def case(read):
    return {
        "name": read.name,
        "inputs": read.inputs,
        "behavior": read.expected_agent_behavior,
        "criteria": read.evaluation_criterias,
    }


async def answer(mocker, function, args, kwargs):
    try:
        given = await mocker.response(lambda: "the real one", {"name": function}, (args, kwargs))
    except Exception as error:
        return {"raises": type(error).__name__}
    return {"returns": given}


async def mocked(read):
    strategy = read.mocking_strategy
    if strategy.type != "mockito":
        tools = [tool.name for tool in strategy.tools_to_simulate]
        return {"kind": strategy.type, "prompt": strategy.prompt, "tools": tools}
    mocker = MockitoMocker(MockingContext(strategy=strategy, inputs=read.inputs))
    return {name: await answer(mocker, *call) for name, call in CALLS.items()}


async def loaded(row):
    read, _path = EvalHelpers.load_eval_set(row["set"])
    evaluators = await EvalHelpers.load_evaluators(row["set"], read)
    for item in read.evaluations:
        for evaluator in evaluators:
            if evaluator.id in item.evaluation_criterias:
                evaluator.validate_evaluation_criteria(item.evaluation_criterias[evaluator.id])
    (own,) = [item for item in read.evaluations if item.mocking_strategy is not None]
    return {
        "meaning": {
            "name": read.name,
            "evaluators": sorted(evaluator.id for evaluator in evaluators),
            "cases": [case(item) for item in read.evaluations],
            "mocked": await mocked(own),
        }
    }
