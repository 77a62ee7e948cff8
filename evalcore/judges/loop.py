"""An event loop in a thread of its own, for callers that wait in theirs."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Awaitable, Callable, Coroutine
from threading import Lock, Thread
from typing import Any, TypeVar
from weakref import WeakSet

T = TypeVar("T")


class Cancelled(Exception):
    """The work was given up before it ended."""


class LoopThread:
    """Runs coroutines for any thread. The thread does not keep the process alive."""

    def __init__(self, name: str) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name=name, daemon=True)
        self._thread.start()
        # The loop takes what it is handed in order: under the lock, all work that was let in is
        # there before the call that gives it up.
        self._lock = Lock()
        self._is_stopped = False
        # Only what was handed in is cancelled: the tasks that a library started for it are its to
        # end, and one of those cancelled before its first step would never await what it wraps.
        self._handed_in: WeakSet[Coroutine[Any, Any, Any]] = WeakSet()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Wait for a coroutine's result; raises Cancelled if it was given up, then and later.

        An interrupt of the waiting thread gives the work up too.
        """
        with self._lock:
            if self._is_stopped:
                work.close()
                raise Cancelled
            self._handed_in.add(work)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise Cancelled from None
        except BaseException:
            future.cancel()
            raise

    def cancel_all(self) -> None:
        """Give up all work under way, and take no more."""
        with self._lock:
            self._is_stopped = True
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self._cancel_tasks)

    def close(self, last: Callable[[], Awaitable[Any]]) -> None:
        """Give up all work, run ``last``, and end the thread."""
        with self._lock:
            self._is_stopped = True
            ending = asyncio.run_coroutine_threadsafe(self._finish(last), self._loop)
        ending.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _cancel_tasks(self) -> list[asyncio.Task[Any]]:
        with self._lock:
            ours = [t for t in asyncio.all_tasks(self._loop) if t.get_coro() in self._handed_in]
        for task in ours:
            task.cancel()
        return ours

    async def _finish(self, last: Callable[[], Awaitable[Any]]) -> None:
        await asyncio.gather(*self._cancel_tasks(), return_exceptions=True)
        await last()
        await asyncio.get_running_loop().shutdown_asyncgens()
        await asyncio.get_running_loop().shutdown_default_executor()
