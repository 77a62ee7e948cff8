"""What google-adk reads from an eval set and its criteria file."""

from google.adk.evaluation.eval_config import get_evaluation_criteria_or_default
from google.adk.evaluation.local_eval_sets_manager import load_eval_set_from_file


def text(content):
    return "".join(part.text for part in content.parts)


def turn(read):
    uses = read.intermediate_data.tool_uses if read.intermediate_data else []
    calls = [[use.name, use.args] for use in uses]
    return {"says": text(read.user_content), "reply": text(read.final_response), "calls": calls}


def case(read):
    # ADK keeps what it does not know; tags are not ADK's own.
    tags = (read.model_extra or {}).get("tags", [])
    return {"id": read.eval_id, "turns": [turn(t) for t in read.conversation], "tags": tags}


def loaded(row):
    # Another id: were the file refused, the old format would be tried under it.
    read = load_eval_set_from_file(row["set"], "taken for the old format")
    config = get_evaluation_criteria_or_default(row["config"])
    return {
        "meaning": {
            "id": read.eval_set_id,
            "name": read.name,
            "cases": [case(c) for c in read.eval_cases],
        },
        "marks": {
            name: getattr(criterion, "threshold", criterion)
            for name, criterion in config.criteria.items()
        },
    }
