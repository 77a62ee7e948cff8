"""Comparisons that are at hand: made once for all sessions, made anew when a run changes."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evalcore.compare import (
    Comparison,
    MetricChange,
    Pair,
    SliceChanges,
    compare_all,
    cost_changes,
    noise_bands,
    slice_changes,
    slice_names,
)
from evalcore.store import StoredRun

Key = tuple[tuple[str, ...], ...]


def compared(runs: Sequence[StoredRun]) -> Comparison:
    """Return runs compared with the first of them; raises EvaldeskError as ``compare_all`` does."""
    return _compared(tuple(run.key for run in runs), tuple(runs))


def metrics(pair: Pair) -> tuple[MetricChange, ...]:
    """Return what became of the metrics of both runs."""
    return _metrics(_key(pair), pair)


def costs(pair: Pair) -> tuple[MetricChange, ...]:
    """Return how time and tokens changed."""
    return _costs(_key(pair), pair)


def slices(pair: Pair, name: str) -> SliceChanges:
    """Return how the groups of a slice differ."""
    return _slices(_key(pair), name, pair)


def names(pair: Pair) -> tuple[str, ...]:
    """Return what the cases can be sliced by."""
    return _names(_key(pair), pair)


def noise(pair: Pair) -> dict[str, float]:
    """Return how far a case's score moves by chance, by metric."""
    return _noise(_key(pair), pair)


def _key(pair: Pair) -> Key:
    return pair.left.key, pair.right.key


@st.cache_resource(show_spinner=False, max_entries=32)
def _compared(key: Key, _runs: tuple[StoredRun, ...]) -> Comparison:
    return compare_all(_runs)


@st.cache_resource(show_spinner=False, max_entries=64)
def _metrics(key: Key, _pair: Pair) -> tuple[MetricChange, ...]:
    return _pair.metric_changes()


@st.cache_resource(show_spinner=False, max_entries=64)
def _costs(key: Key, _pair: Pair) -> tuple[MetricChange, ...]:
    return cost_changes(_pair)


@st.cache_resource(show_spinner=False, max_entries=64)
def _slices(key: Key, name: str, _pair: Pair) -> SliceChanges:
    return slice_changes(_pair, name)


@st.cache_resource(show_spinner=False, max_entries=64)
def _names(key: Key, _pair: Pair) -> tuple[str, ...]:
    return slice_names(_pair)


@st.cache_resource(show_spinner=False, max_entries=64)
def _noise(key: Key, _pair: Pair) -> dict[str, float]:
    return noise_bands(_pair.left, _pair.right)
