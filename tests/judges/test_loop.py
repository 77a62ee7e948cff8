"""The loop in a thread of its own: what is given up, and what is left to those who started it."""

import asyncio
import gc

import pytest

from evalcore.judges.loop import Cancelled, LoopThread


async def nothing() -> None:
    """Have nothing to do at the end."""


def test_work_given_up_ends_and_none_is_taken_after():
    thread = LoopThread("test")

    async def stall() -> None:
        thread.cancel_all()
        await asyncio.Event().wait()

    with pytest.raises(Cancelled):
        thread.run(stall())
    with pytest.raises(Cancelled):
        thread.run(nothing())
    thread.close(nothing)


def test_a_task_that_work_started_is_not_cancelled_over_its_head():
    thread = LoopThread("test")
    inner: list[str] = []

    async def said() -> None:
        inner.append("ran")

    async def wrapper(work) -> None:
        await work

    async def starts_a_task() -> None:
        thread.cancel_all()  # Comes first in the loop's next round, before the task's first step.
        task = asyncio.create_task(wrapper(said()))
        try:
            await asyncio.Event().wait()
        finally:
            await task

    with pytest.raises(Cancelled):
        thread.run(starts_a_task())
    thread.close(nothing)
    gc.collect()
    assert inner == ["ran"]
