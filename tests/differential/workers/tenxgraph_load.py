"""What 10xGraph reads from an eval set and its config."""

from tenxgraph.qa.evaluation.config.eval_config import EvalConfig
from tenxgraph.qa.evaluation.dataset.eval_set import EvalSet


def turn(read):
    return {
        "says": read.user_content.get_text(),
        "reply": read.expected_final_response.get_text(),
        "calls": [[call.name, call.args] for call in read.expected_tool_trajectory],
    }


def loaded(row):
    read = EvalSet.from_file(row["set"])
    criteria = EvalConfig.from_file(row["config"]).criteria
    on = {name: getattr(criteria, name) for name in type(criteria).model_fields}
    return {
        "meaning": {
            "id": read.eval_set_id,
            "name": read.name,
            "cases": [
                {"id": c.eval_id, "turns": [turn(t) for t in c.conversation], "tags": c.tags}
                for c in read.eval_cases
            ],
        },
        "marks": {n: c.threshold for n, c in on.items() if c is not None and c.enabled},
    }
