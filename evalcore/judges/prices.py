"""What judges charge, where someone says so: US dollars for a million tokens, by model."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from evalcore.judges.port import Failure, JudgeError

MILLION = 1_000_000
HINT = 'Write {"model": {"input": 0.15, "output": 0.6}}: US dollars for a million tokens.'


class Price(NamedTuple):
    """US dollars for a million tokens."""

    input: float
    output: float


@dataclass(frozen=True)
class Prices:
    """Prices by model. A model that is not listed has no known cost."""

    by_model: Mapping[str, Price] = field(default_factory=dict)

    def cost(self, model: str, input_tokens: int, output_tokens: int) -> float | None:
        """Return what an answer cost in US dollars, None if the model has no price here."""
        price = self.by_model.get(model)
        if price is None:
            return None
        return (input_tokens * price.input + output_tokens * price.output) / MILLION


def read_prices(written: Any) -> Prices:
    """Return prices from an object, from JSON text or from the path of a JSON file.

    "" means that none are known. Raises JudgeError for anything else.
    """
    table = _loaded(written) if isinstance(written, str) else written
    if not isinstance(table, Mapping):
        raise _unusable("The judge's prices are no object")
    return Prices({str(model): _price(str(model), entry) for model, entry in table.items()})


def _loaded(written: str) -> Any:
    if not written.strip():
        return {}
    try:
        text = written if written.lstrip().startswith("{") else Path(written).read_text("utf-8")
        return json.loads(text)
    except (OSError, ValueError) as error:
        raise _unusable(f"The judge's prices cannot be read: {error}") from error


def _price(model: str, entry: Any) -> Price:
    found = entry if isinstance(entry, Mapping) else {}
    price = [found.get("input"), found.get("output")]
    if not all(isinstance(n, (int, float)) and math.isfinite(n) and n >= 0 for n in price):
        raise _unusable(f"The judge's price of {model} is not two numbers")
    return Price(*map(float, price))  # type: ignore[arg-type]


def _unusable(message: str) -> JudgeError:
    return JudgeError(message, hint=HINT, failure=Failure.UNCONFIGURED)
