"""Which eval set uses which evaluator, and changing both sides of that in one step."""

from evalcore.wiring.plans import (
    Plan,
    apply,
    create_plan,
    delete_plan,
    rename_plan,
)
from evalcore.wiring.reading import (
    EvaluatorFile,
    WiredSet,
    Wiring,
    WiringReader,
)

__all__ = [
    "EvaluatorFile",
    "Plan",
    "WiredSet",
    "Wiring",
    "WiringReader",
    "apply",
    "create_plan",
    "delete_plan",
    "rename_plan",
]
