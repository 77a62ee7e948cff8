"""Reading evaluator files of either kind into the canonical model."""

from __future__ import annotations

from evalcore.formats._uipath.evaluator_view import EvaluatorView, is_on
from evalcore.formats._uipath.kinds import CATEGORIES, TYPES
from evalcore.jsontree import JsonValue
from evalcore.model import Evaluator


def read_evaluators(value: JsonValue) -> tuple[Evaluator, ...]:
    """Return the one evaluator of a file, () if the file holds no object.

    ``native_type`` is the ``evaluatorTypeId``, the class of a custom evaluator (shown, never
    imported), or ``legacy Equals (0/1)`` with category and type of a low-code one.
    """
    if not isinstance(value, dict):
        return ()
    view = EvaluatorView(value)
    if not view.is_coded and ("evaluatorTypeId" in value or "evaluatorConfig" in value):
        view = EvaluatorView({**value, "version": "1.0"})
    kind = view.coded or view.legacy
    judged = kind is not None and kind.is_judged
    model = view.config.get("model", "" if view.is_coded else "same-as-agent")
    own, inner = value.get("description"), view.config.get("description")
    described = own if isinstance(own, str) and own else inner
    return (
        Evaluator(
            ref=view.id,
            name=view.name,
            native_type=_native_type(view),
            description=described if isinstance(described, str) else "",
            match_mode=_match_mode(view),
            is_judged=judged,
            judge=model if judged and isinstance(model, str) and model else None,
            config=value,
        ),
    )


def _native_type(view: EvaluatorView) -> str:
    if view.is_custom:
        return str(view.data["evaluatorSchema"])
    if view.is_coded:
        return view.type_id or "unknown"
    category, type_ = view.data.get("category"), view.data.get("type")
    kind = view.legacy
    names = TYPES if category == 0 else CATEGORIES
    number = type_ if category == 0 else category
    named = next((name for code, name in names.items() if code == number), "")
    title = kind.title if kind else named or "Unknown"
    return f"legacy {title} ({_plain(category)}/{_plain(type_)})"


def _plain(value: JsonValue) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{value:g}"
    return "?" if value is None else str(value)


def _match_mode(view: EvaluatorView) -> str | None:
    """Return the settings that change how a match is made, None if none is on."""
    on = [
        word
        for word, names in (
            ("case-sensitive", ("caseSensitive", "case_sensitive")),
            ("negated", ("negated",)),
            ("strict", ("strict",)),
        )
        if any(is_on(view.config.get(name)) for name in names)
    ]
    return ", ".join([*on, *(["line by line"] if view.by_lines else [])]) or None
