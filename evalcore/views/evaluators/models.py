"""The settings around the checks of a criteria file, as models from which forms are drawn.

The files' own systems read them; what a config of 10xGraph never acts on says so in its help.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

UNREAD = "10xGraph never reads it from a config."


class AdkModel(BaseModel):
    """Base of what ADK reads in either spelling."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True)


class AdkSimulator(AdkModel):
    """``user_simulator_config``: who plays the user where a case has a scenario."""

    type: Literal["llm_backed", "llm_audio"] = Field(
        "llm_backed", title="Kind", description="llm_audio speaks; Harnest has llm_backed only."
    )
    model: str = Field(
        "gemini-2.5-flash", title="Model", description="The model that plays the user."
    )
    max_allowed_invocations: int = Field(
        20, title="Most turns", description="Then the talk ends; -1 is no limit."
    )
    custom_instructions: str | None = Field(
        None,
        title="Instructions",
        description="Must hold {{ stop_signal }}, {{ conversation_plan }} and "
        "{{ conversation_history }}.",
    )
    include_function_calls: bool = Field(
        False, title="Show tool calls", description="Whether the simulated user sees them."
    )
    model_configuration: dict[str, Any] | None = Field(
        None, title="Settings of the model", description="A Gemini generation config."
    )


class AdkLive(AdkModel):
    """``live_model_config``: its presence turns live mode on."""

    timeout_seconds: int = Field(300, title="Seconds to wait", description="For one live answer.")


class CodeConfig(BaseModel):
    """Where a custom metric's function is; ADK reads one spelling only."""

    name: str = Field(
        title="Function",
        description="The Python path of a function, such as my_checks.tone. It is shown here and "
        "never loaded.",
    )


class Interval(AdkModel):
    """The range of a custom metric's scores."""

    min_value: float | None = Field(None, title="Lowest score", description="Usually 0.")
    max_value: float | None = Field(None, title="Highest score", description="Usually 1.")


class ValueInfo(AdkModel):
    """What a custom metric's scores are like."""

    interval: Interval = Field(title="Range", description="Of the scores.")


class MetricInfo(AdkModel):
    """What ADK shows of a custom metric."""

    metric_value_info: ValueInfo = Field(title="Scores", description="Their range.")


class CustomMetric(AdkModel):
    """One entry of ``custom_metrics``."""

    code_config: CodeConfig = Field(title="Code", description="Where the function is.")
    description: str | None = Field(None, title="Description", description="A note for people.")
    metric_info: MetricInfo | None = Field(
        None, title="About its scores", description="Their range."
    )


class TenXGraphJudge(BaseModel):
    """What every judged criterion of 10xGraph has beside its own settings."""

    api_style: str = Field(
        "responses",
        title="API of OpenAI judges",
        description="responses, or chat for endpoints that know the older API only.",
    )


class TenXGraphRun(BaseModel):
    """The settings of a config beside its criteria."""

    parallel: bool = Field(False, title="Cases at the same time", description=UNREAD)
    max_concurrency: int = Field(4, title="Most cases at a time", description=UNREAD)
    timeout: float = Field(
        300.0, title="Seconds per case", description="10xGraph never enforces it."
    )
    verbose: bool = Field(False, title="Verbose", description=UNREAD)
    mock_mode: bool = Field(
        False, title="Mock mode", description="Never read: the agent and its tools really run."
    )


class TenXGraphSimulator(BaseModel):
    """``user_simulator_config``, which 10xGraph's evaluator never reads from a config."""

    model: str = Field("gemini-2.5-flash", title="Model", description=UNREAD)
    max_invocations: int = Field(10, title="Most turns", description=UNREAD)
    temperature: float = Field(0.7, title="Temperature", description=UNREAD)
    thinking_enabled: bool = Field(False, title="Thinking", description=UNREAD)
    thinking_budget: int = Field(10240, title="Thinking budget", description=UNREAD)
    api_style: str = Field("responses", title="API of OpenAI models", description=UNREAD)


_SHOWN = "Part of the reports."


class TenXGraphReporter(BaseModel):
    """``reporter``: what a run started from Python writes; the command line ignores it."""

    enabled: bool = Field(True, title="Write reports", description="From Python only.")
    output_dir: str = Field("eval_reports", title="Folder", description="Where reports go.")
    console: bool = Field(True, title="Print a summary", description="To the terminal.")
    json_report: bool = Field(True, title="JSON report", description="The file that Results reads.")
    html: bool = Field(True, title="HTML report", description="A page to look at.")
    junit_xml: bool = Field(False, title="JUnit XML", description="For build servers.")
    verbose: bool = Field(True, title="Verbose", description="More lines in the terminal.")
    include_details: bool = Field(True, title="Details of scores", description=_SHOWN)
    include_trajectory: bool = Field(True, title="Steps", description=_SHOWN)
    include_node_responses: bool = Field(True, title="Replies of nodes", description=_SHOWN)
    include_actual_response: bool = Field(True, title="The reply", description=_SHOWN)
    include_tool_call_details: bool = Field(True, title="Tool calls", description=_SHOWN)
    timestamp_files: bool = Field(
        True, title="Time in file names", description="Otherwise the last report is overwritten."
    )
